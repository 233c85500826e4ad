"""The networks of the articles: parameters, shapes, and that a step is a step."""

import pytest

from advisor.records.base import Precision
from advisor.records.results.measured.measurement import Case
from tests.unit.worker.cases.runs import run

pytestmark = pytest.mark.torch


@pytest.mark.parametrize("name", ["rnn_cell", "lstm_cell", "stacked_lstm", "fused_lstm", "transformer_block"])
def test_training(name: str) -> None:
    """A step of each small network runs and is counted in sequences."""
    result = run("train", network=name, batch_size=2, size=4)

    assert result.items_per_iteration == 2


def test_an_epoch_is_projected() -> None:
    """The time of an epoch is that of its batches, of all epochs so many times that."""
    import statistics

    options = {"epoch_items": 100, "epochs": 20}
    result = run("train", network="simple_cnn", batch_size=10, options=options)

    assert result.details["epoch_s"] == pytest.approx(10 * statistics.median(result.samples_s))
    assert result.details["all_epochs_s"] == pytest.approx(20 * result.details["epoch_s"])


def test_channels_last_reaches_the_layers() -> None:
    """Weights and images have their channels innermost where the case asks for it."""
    import torch

    from advisor.worker.cases.train import arrange
    from advisor.worker.networks import network_named
    from tests.unit.worker.cases.runs import small_case

    network = network_named("simple_cnn")
    case = small_case("train", options={"channels_last": True})
    model = arrange(case, network.build())
    images, _classes = network.make_batch(2, 0, torch.device("cpu"))

    assert all(p.is_contiguous(memory_format=torch.channels_last) for p in model.parameters() if p.dim() == 4)
    assert arrange(case, images).is_contiguous(memory_format=torch.channels_last)
    assert run("train", network="simple_cnn", batch_size=2, options={"channels_last": True}).samples_s


@pytest.mark.parametrize(("precision", "options"), [("fp32", {}), ("amp", {"autocast": "bf16"})])
def test_a_step_learns(precision: Precision, options: dict[str, str | int | float | bool]) -> None:
    """What is timed is a real training step: the loss of a batch repeated falls."""
    from advisor.worker.cases.train import training_step
    from advisor.worker.networks import network_named
    from advisor.worker.torch_settings import case_settings

    network = network_named("simple_cnn")
    case = Case(id="a", program="train", batch_size=8, precision=precision, options=options, threads=1)
    with case_settings(case) as device:
        step = training_step(case, network, network.build(), device)
        losses = [float(step().detach()) for _ in range(40)]

    assert losses[-1] < losses[0] / 2
