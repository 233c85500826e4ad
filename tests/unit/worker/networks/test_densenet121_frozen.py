"""DenseNet-121 with a new head for cats and dogs, the head alone trained: 2,050 of 6,955,906 parameters."""

import pytest

pytestmark = pytest.mark.torch


def test_frozen_layers_stay() -> None:
    """Of the frozen network only the last layer changes in a step."""
    import torch

    from advisor.worker.cases.train import training_step
    from advisor.worker.networks import network_named
    from tests.unit.worker.cases.runs import small_case

    network = network_named("densenet121_frozen")
    model = network.build()
    before = {name: parameter.detach().clone() for name, parameter in model.named_parameters()}
    case = small_case("train", network="densenet121_frozen", batch_size=2, size=32)
    training_step(case, network, model, torch.device("cpu"))()
    changed = {name for name, parameter in model.named_parameters() if not torch.equal(parameter, before[name])}

    assert changed <= {"head.4.weight", "head.4.bias"}
    assert changed
