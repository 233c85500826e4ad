"""The figures the plan counts with are those of the worker's own networks."""

from typing import Any

import pytest

from advisor.benchmark.planning.network_work import NETWORK_WORK

pytestmark = pytest.mark.torch


@pytest.mark.parametrize("name", sorted(NETWORK_WORK))
def test_counted_again(name: str) -> None:
    """Parameters, arithmetic and what backward keeps, counted by torch on tensors without data."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    from advisor.worker.networks import network_named

    network, work, meta = network_named(name), NETWORK_WORK[name], torch.device("meta")
    with meta:
        model = network.build()
    inputs, targets = network.make_batch(2, 0, meta)
    kept: dict[int, torch.Tensor] = {}
    own = {_key(part) for part in (*model.parameters(), *model.buffers())}

    def keep(saved: torch.Tensor) -> torch.Tensor:
        if _key(saved) not in own:
            kept[_key(saved)] = saved
        return saved

    with FlopCounterMode(display=False) as step, torch.autograd.graph.saved_tensors_hooks(keep, _unchanged):
        outputs = model(inputs)
        forward_flop = step.get_total_flops()
        network.loss(outputs, targets).backward()
    sizes = [(p.numel(), p.requires_grad) for p in model.parameters()]

    assert sum(size for size, _is_trained in sizes) == work.parameters
    assert sum(size for size, is_trained in sizes if is_trained) == work.trained
    assert forward_flop / 2 == work.infer_flop
    assert step.get_total_flops() / 2 == work.train_flop
    saved_bytes = sum(saved.untyped_storage().nbytes() for saved in kept.values()) / 2
    assert saved_bytes == pytest.approx(work.saved_bytes, rel=0.1)


def _key(tensor: Any) -> int:
    return int(tensor.untyped_storage()._cdata)


def _unchanged(saved: Any) -> Any:
    return saved
