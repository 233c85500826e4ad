"""Every program in a worker of its own, through the channel, as a suite runs them."""

import json
from pathlib import Path

import pytest

from advisor.benchmark.running.runner import run_suite
from advisor.benchmark.running.trace_files import traces_in
from advisor.benchmark.running.worker_process import worker_command
from advisor.records.results.measured.measurement import Benchmark
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
