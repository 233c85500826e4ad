"""What the step of an optimizer moves and launches."""

import pytest

from advisor.catalog import network
from advisor.predict.timing.optimizer_work import (
    FUSED_BYTES,
    UNFUSED_BYTES,
    clearing_kernels,
    optimizer_bytes,
    optimizer_doubt,
    optimizer_kernels,
)
from tests.unit.predict.examples import workload


@pytest.mark.parametrize("optimizer", ["sgd", "adam", "adamw"])
def test_an_optimizer_moves_as_much_as_is_known_of_its_kernels(optimizer: str) -> None:
    """One pass where it is fused, one for each operation where not; between them where nobody said."""
    fused, unfused, unknown = (workload(optimizer=optimizer, fused_optimizer=said) for said in (True, False, None))
    assert optimizer_bytes(fused) == FUSED_BYTES[optimizer]
    assert optimizer_bytes(unfused) == UNFUSED_BYTES[optimizer]
    assert optimizer_bytes(unknown) * optimizer_doubt(unknown) == pytest.approx(UNFUSED_BYTES[optimizer])
    assert optimizer_doubt(fused) == optimizer_doubt(unfused) == 1.0


def test_before_lists_an_optimizer_took_one_tensor_after_the_other() -> None:
    """Until PyTorch 2.0 each tensor had kernels of its own, unless somebody fused them."""
    net = network("resnet50")
    old, new, fused = (
        workload(optimizer="adam", framework_year=year, fused_optimizer=said)
        for year, said in ((2020, None), (2024, False), (2020, True))
    )
    assert optimizer_kernels(net, old) == 7 * net.parameter_tensors
    assert optimizer_kernels(net, new) == optimizer_kernels(net, fused) == 0.0
    assert optimizer_bytes(old) == UNFUSED_BYTES["adam"]


def test_gradients_were_set_to_zero_before_they_were_made_anew() -> None:
    """Until PyTorch 2.0 each tensor of parameters had two small kernels more in a step of training."""
    net = network("resnet50")
    old, new, infer = workload(framework_year=2020), workload(), workload(framework_year=2020, task="infer")
    assert clearing_kernels(net, old) == 2 * net.parameter_tensors
    assert clearing_kernels(net, new) == clearing_kernels(net, infer) == 0.0
