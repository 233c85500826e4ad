"""Every program in a worker of its own, through the channel, as a suite runs them."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from advisor.benchmark.running.runner import run_suite
from advisor.benchmark.running.trace_files import traces_in
from advisor.benchmark.running.worker_process import worker_command
from advisor.records.job.asked_job import JOB_PROGRAM, AskedJob, OwnSource
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import Benchmark, Case
from advisor.worker.cases import PROGRAMS
from tests.unit.worker.cases.runs import small_case

pytestmark = [pytest.mark.torch, pytest.mark.usefixtures("warm_workers")]
_FIELDS: dict[str, dict[str, object]] = {
    "matmul": {"size": 16},
    "train": {"network": "fused_lstm", "batch_size": 2, "size": 3},
    "infer": {"network": "simple_cnn", "batch_size": 2},
    "bandwidth": {"size": 1000},
    "decode": {},
    "launch": {},
    "threads": {"size": 16, "options": {"most_threads": 2}},
    "data": {"options": {"kind": "image"}},
    "disk": {"size": 2**16},
    "transfer": {"size": 16},
    "input": {"size": 16, "batch_size": 2, "options": {"workers": 1, "augmented": True}},
    "sweep": {"network": "simple_cnn", "options": {"most_samples": 2}},
    "sustained": {"size": 16, "options": {"work": "matmul", "duration_s": 0.1}},
    "profile": {"network": "simple_cnn", "batch_size": 2, "options": {"steps": 1}},
    "kept_memory": {"network": "simple_cnn", "batch_size": 2},
    "work_classes": {"sample_s": 0.0001, "budget_s": 0.5},
    "xla_matmul": {"size": 16, "device": "xla:0"},
    "xla_train": {"network": "article_cnn", "batch_size": 1, "size": 30, "device": "xla:0"},
}


@pytest.fixture(scope="module")
def benchmark(warm: str) -> Benchmark:
    """Return what a worker measured of every program, and a case that does not fit in their midst."""
    cases = [small_case(program, id=program, **fields) for program, fields in _FIELDS.items()]
    cases.insert(4, small_case("train", id="huge", network="simple_cnn", options={"needs_bytes": 1e15}))
    return run_suite(lambda ready: cases, command=(warm, *worker_command()[1:]))


def test_every_program_is_tried() -> None:
    """No program is left out of this test."""
    assert set(_FIELDS) == set(PROGRAMS)


def test_each_is_measured_or_refused_with_its_reason(benchmark: Benchmark) -> None:
    """The processor measures all but what it has not; nothing crashes, and each refusal says why."""
    measured = {m.case.id for m in benchmark.measurements}
    refused = {f.case.id: f for f in benchmark.failures}

    assert measured | set(refused) == {*_FIELDS, "huge"}
    assert set(refused) - {"xla_matmul", "xla_train", "input"} == {"data", "transfer", "huge"}
    reasons = {"huge": "does_not_fit", "xla_matmul": "missing_jax", "xla_train": "missing_jax"}
    assert {name: f.reason for name, f in refused.items()} == {
        name: reasons.get(name, "not_supported") for name in refused
    }
    assert all(f.detail for f in refused.values())


def test_curves_and_profile_arrive(benchmark: Benchmark) -> None:
    """What only these cases have comes through the channel."""
    by_name = {m.case.id: m for m in benchmark.measurements}

    assert by_name["threads"].series[0].x == "threads"
    assert {series.y for series in by_name["sweep"].series} >= {"items_per_s", "step_s"}
    assert by_name["sustained"].series[0].x == "time_s"
    profile = by_name["profile"].profile
    assert profile is not None
    assert sum(share.ratio for share in profile.shares) == pytest.approx(1)


def test_a_trace_is_written_where_it_is_wanted(tmp_path: Path) -> None:
    """Perfetto gets complete events with names, times and durations; the result does not say where the file lies."""
    case = small_case("profile", id="p", network="simple_cnn", batch_size=2, options={"steps": 1})
    run = run_suite(lambda ready: [case], trace_path_for=traces_in(tmp_path))
    [file] = tmp_path.iterdir()
    trace = json.loads(file.read_text(encoding="utf-8"))
    whole = [event for event in trace["traceEvents"] if event.get("ph") == "X"]

    assert file.name == "trace-simple_cnn-2-cpu.json"
    assert all(event["name"] and event["dur"] >= 0 and event["ts"] > 0 for event in whole)
    names = {event["name"] for event in whole}
    assert {"aten::addmm", "data_loading"} <= names
    assert any(name.startswith("Optimizer.step") for name in names)
    assert run.measurements[0].profile is not None
    assert run.measurements[0].profile.traced
    assert str(tmp_path) not in repr(run)


OWN = """
import os
from pathlib import Path
from typing import Any
from torch import nn

HERE = Path(__file__)
with HERE.with_suffix(".imports").open("a") as file:
    print(os.getpid(), file=file)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 3)
        with HERE.with_suffix(".builds").open("a") as file:
            print(os.getpid(), file=file)
    def forward(self, row):
        if self.training and HERE.with_suffix(".deadly").exists():
            os.kill(os.getpid(), 9)
        return self.head(row)
"""


def _own_job(folder: Path) -> tuple[Case, AskedJob]:
    (folder / "net.py").write_text(OWN, encoding="utf-8")
    known: dict[str, Any] = {"id": "own", "title": "own", "network": "own", "samples": 100, "batch_size": 6}
    network = Network(name="own", family="mlp", parameters=15, trainable_parameters=15, sample="row", operations=())
    source = OwnSource(reference=f"{folder}/net.py:Net", input_shape=(4,))
    job = AskedJob(workload=Workload(**known), network=network, source=source)
    return small_case(JOB_PROGRAM, id="job", batch_size=6, budget_s=2.0, options={"fewest_samples": 1}), job


@pytest.mark.skipif(sys.platform != "linux", reason="forked on Linux alone")
def test_each_beginning_of_the_own_step_has_a_process_of_its_own(tmp_path: Path, warm: str) -> None:
    """As the user's program is one. The file is loaded in each, what it imports in the first alone."""
    case, job = _own_job(tmp_path)
    products = small_case("matmul", id="product", size=16)
    benchmark = run_suite(lambda ready: [products, case], command=(warm, *worker_command()[1:]), job=job)
    builds = (tmp_path / "net.builds").read_text(encoding="utf-8").split()

    assert [(one.case.id, one.reason, one.detail) for one in benchmark.failures] == []
    assert len(builds) == len(set(builds)) == 9, "tried, four times at the whole batch, four times at half of it"
    assert (tmp_path / "net.imports").read_text(encoding="utf-8").split()[1:] == builds
    measured = benchmark.measurements[-1]
    assert measured.pace_s
    assert (measured.peak_memory_bytes or 0) > measured.details["memory_before_bytes"] * 0.9


@pytest.mark.skipif(sys.platform != "linux", reason="forked on Linux alone")
def test_a_step_that_is_killed_is_told_as_a_worker_that_is(tmp_path: Path, warm: str) -> None:
    """A forked process that the system ends for its memory takes its worker with it, and the next case has another."""
    case, job = _own_job(tmp_path)
    (tmp_path / "net.deadly").touch()
    products = small_case("matmul", id="product", size=16)
    benchmark = run_suite(lambda ready: [case, products], command=(warm, *worker_command()[1:]), job=job)

    assert [(one.case.id, one.reason) for one in benchmark.failures] == [("job", "killed")]
    assert [one.case.id for one in benchmark.measurements] == ["product"]
