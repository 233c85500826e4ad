"""What is advised to make a job fit is really run: a step keeps no more than was predicted for it."""

from typing import Any

import msgspec
import pytest

from advisor.catalog import network_of
from advisor.predict.memory import footprint
from advisor.records.job.workload import Layer, Workload

pytestmark = pytest.mark.torch

TOLERANCE = 1.1
"""A prediction holds where a step keeps a tenth more at most; what must be free exceeds it by more than that."""
TEXTS = Workload(
    id="own",
    title="own",
    network="own",
    samples=100,
    batch_size=8,
    sequence_length=64,
    layers=(
        Layer(kind="embedding", size=64, vocabulary=50),
        Layer(kind="transformer", heads=4, repeat=4),
        Layer(kind="global_pool"),
        Layer(kind="dense", size=5),
    ),
)
PICTURES = msgspec.structs.replace(
    TEXTS,
    sequence_length=None,
    image_size=64,
    layers=(
        Layer(kind="conv", size=16, repeat=4),
        Layer(kind="global_pool"),
        Layer(kind="dense", size=5),
    ),
)


def _kept_bytes(job: Workload, batch: int) -> int:
    """Return what one forward pass really keeps for its backward pass, which is run as well."""
    import torch

    from advisor.worker.networks.described import build_described, sample_of

    model, inputs = build_described(job), sample_of(job, batch)
    own = {parameter.untyped_storage().data_ptr() for parameter in model.parameters()}
    kept: dict[int, int] = {}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in own:
            kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    with (
        torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor),
        torch.autocast("cpu", dtype=torch.bfloat16, enabled=job.precision == "amp"),
    ):
        loss = model(inputs.zero_()).float().square().mean()
    loss.backward()
    assert all(parameter.grad is not None for parameter in model.parameters() if parameter.requires_grad)
    return sum(kept.values())


def _said_bytes(job: Workload, batch: int) -> float:
    return footprint(network_of(job), job, is_cpu=True).saved_per_sample_bytes * batch


@pytest.mark.parametrize(
    ("job", "changed", "batch"),
    [
        pytest.param(TEXTS, {}, 4, id="accumulation"),
        pytest.param(TEXTS, {"sequence_length": 32}, 8, id="shorter sequences"),
        pytest.param(TEXTS, {"precision": "amp"}, 8, id="mixed precision"),
        pytest.param(PICTURES, {"image_size": 32}, 8, id="smaller images"),
        pytest.param(PICTURES, {}, 2, id="accumulation of pictures"),
    ],
)
def test_a_change_is_run_and_takes_what_was_said(job: Workload, changed: dict[str, Any], batch: int) -> None:
    """It keeps less than the job as it is, and fits into what was predicted."""
    other = msgspec.structs.replace(job, **changed)
    kept, before = _kept_bytes(other, batch), _kept_bytes(job, job.batch_size)
    assert kept < 0.8 * before
    assert kept <= TOLERANCE * _said_bytes(other, batch)
