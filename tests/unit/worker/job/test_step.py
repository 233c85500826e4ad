"""The user's own job is built and run in the worker: from a file, or from layers."""

import sys
from pathlib import Path
from typing import Any

import pytest

from advisor.records.channel import CaseResult
from advisor.records.job.asked_job import JOB_PROGRAM, AskedJob, OwnSource, step_settings
from advisor.records.job.work import Network, Operation
from advisor.records.job.workload import Layer, Workload
from advisor.records.results.measured.measurement import Case
from tests.unit.worker.whole import Silent

pytestmark = pytest.mark.torch

HEAVY = Operation(kind="conv", phase="forward", shape=(1, 1, 1, 1, 1, 1, 1, 1), flop_per_sample=1e9)
NETWORK = Network(name="own", family="cnn", parameters=1, trainable_parameters=1, sample="image", operations=(HEAVY,))
FILE = """
import torch
from torch import nn
class Net(nn.Module):
    batches = []
    def __init__(self):
        super().__init__()
        self.table, self.head = nn.Embedding(50, 8), nn.Linear(8, 3)
    def forward(self, tokens, weights):
        Net.batches.append((len(tokens), int(tokens.max()), self.training))
        return self.head((self.table(tokens) * weights[..., None]).mean(1))
def example_inputs(batch):
    return torch.empty(batch, 4, dtype=torch.int64).fill_(-7), torch.empty(batch, 4)
def loss(output, inputs):
    print("own loss")
    return output.square().mean()
build = Net
"""


def run(job: AskedJob, **fields: Any) -> CaseResult:
    """Run the job's case as the worker does."""
    from advisor.worker.cases import program_of
    from advisor.worker.torch_settings import case_settings

    known: dict[str, Any] = {"sample_s": 0.001, "budget_s": 1.0, "min_samples": 2, "threads": 1}
    case = Case(
        id="job",
        program=JOB_PROGRAM,
        network=job.network.name,
        precision=job.workload.precision,
        batch_size=job.workload.batch_size,
        options=step_settings(job.workload, job.network),
        **(known | fields),
    )
    with case_settings(case) as device:
        return program_of(case, job)(case, device, Silent())


def asked(source: OwnSource | None = None, **fields: Any) -> AskedJob:
    """Return a job of six samples a step."""
    known: dict[str, Any] = {"id": "own", "title": "own", "network": "own", "samples": 100, "batch_size": 6}
    return AskedJob(workload=Workload(**(known | fields)), network=NETWORK, source=source)


def test_the_users_own_file_runs_with_its_own_inputs_and_loss(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the whole batch and at half of it; numbers that mean nothing become rows of the table."""
    (tmp_path / "net.py").write_text(FILE, encoding="utf-8")
    result = run(asked(OwnSource(reference=f"{tmp_path}/net.py:build")))
    import sys

    batches = sys.modules["traced_net"].Net.batches
    assert {size for size, _, _ in batches} == {2, 3, 6}
    assert all(0 <= most < 50 and is_training for _, most, is_training in batches)
    assert "own loss" in capsys.readouterr().out
    assert (result.items_per_iteration, result.parameters) == (6, 50 * 8 + 8 * 3 + 3)
    assert [x for x, _ in result.series[0].points] == [3.0, 6.0]
    assert result.details["measured_batch"] == 6.0


def test_what_is_measured_begins_as_a_plain_program_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """At each of the two batches, several times: the first step makes the optimizer's state, as it does there."""
    import torch

    from advisor.worker.job import step

    made: list[bool] = []

    class Watched(torch.optim.Adam):
        def step(self, closure: Any = None) -> Any:
            made.append(not self.state)
            return super().step(closure)

    monkeypatch.setattr(step, "_STEPS_OF_BEGINNING", 0)  # however slow this computer is at the moment
    monkeypatch.setattr(step, "optimizer_named", lambda _name, learning, **_manner: Watched(learning))
    run(asked(layers=(Layer(kind="flatten"), Layer(kind="dense", size=5)), image_size=8))
    assert sum(made) == 9, "when tried, four times at the whole batch, and four times at half of it"


@pytest.mark.parametrize("precision", ["fp32", "bf16", "amp"])
@pytest.mark.parametrize("optimizer", ["adam", "adamw", "sgd"])
def test_layers_become_a_network_that_learns(precision: str, optimizer: str) -> None:
    """Every kind of layer of an image's network, in every layout, format and optimizer."""
    layers = (
        Layer(kind="conv", size=4),
        Layer(kind="batch_norm"),
        Layer(kind="activation"),
        Layer(kind="max_pool"),
        Layer(kind="dropout"),
        Layer(kind="flatten"),
        Layer(kind="dense", size=5),
    )
    job = asked(layers=layers, image_size=8, precision=precision, optimizer=optimizer, channels_last=True)
    assert run(job, budget_s=0.1).parameters == 3 * 4 * 9 + 4 + 8 + 64 * 5 + 5


@pytest.mark.parametrize("first", [Layer(kind="embedding", size=64, vocabulary=30), Layer(kind="lstm", size=64)])
def test_sequences_become_a_network_that_is_applied(first: Layer) -> None:
    """Text and numbers, with a transformer and a recurrent layer; applied, nothing learns."""
    layers = (first, Layer(kind="transformer"), Layer(kind="gru", size=7), Layer(kind="global_pool"))
    job = asked(layers=layers, sequence_length=5, channels=2, task="infer", optimizer="none", batch_size=1)
    assert run(job).items_per_iteration == 1


@pytest.mark.skipif(sys.platform == "win32", reason="getrusage is POSIX")
def test_the_page_faults_of_a_step_are_counted() -> None:
    """Activations of 64 MiB go back to the system after each step and are touched anew in the next."""
    layers = (Layer(kind="conv", size=64), Layer(kind="global_pool"), Layer(kind="dense", size=2))
    details = run(asked(layers=layers, image_size=128, batch_size=16), budget_s=4.0).details
    assert details["page_faults"] > 100  # with huge pages; some 16,000 with small ones for each activation
    assert 0 < details["system_ratio"] < 1


def test_without_time_for_the_whole_batch_a_line_tells_the_rest() -> None:
    """Two smaller batches are measured; the samples are what the whole one would take."""
    layers = (Layer(kind="conv", size=8, repeat=4), Layer(kind="global_pool"))
    whole = 1_000_000
    result = run(asked(layers=layers, image_size=32, batch_size=whole), budget_s=3.0)

    (small, small_s), (large, large_s) = result.series[0].points
    assert small < large < whole
    assert result.details["measured_batch"] == large
    step_s = result.samples_s[len(result.samples_s) // 2]
    slope = max((large_s - small_s) / (large - small), 0.0)
    assert step_s == pytest.approx(large_s + slope * (whole - large), rel=0.5)
    assert result.peak_memory_bytes is None
