"""The plain programs the worker's cases are compared with do the same work."""

from types import ModuleType

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from advisor.records.measurement import Case
from advisor.worker.networks import network_named
from tests.tool_module import tool_module

pytestmark = pytest.mark.torch


NETWORKS = (
    "article_cnn",
    "simple_cnn",
    "stacked_lstm",
    "fused_lstm",
    "densenet121_transfer",
    "resnet50",
    "transformer_block",
)


@pytest.fixture(scope="module")
def plain() -> ModuleType:
    """Return the plain programs, which are no part of the package."""
    return tool_module("plain_loops")


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_written_twice_does_the_same_arithmetic(plain: ModuleType, name: str) -> None:
    """Forward and backward count the same, product by product, so that neither can do without what the other does."""
    with torch.device("meta"):
        inputs, _targets = network_named(name).make_batch(2, 0, torch.device("meta"))
        ours, theirs = network_named(name).build(), plain.NETWORKS[name][0]()

    assert _flop(ours, inputs) == _flop(theirs, inputs)


def _flop(model: torch.nn.Module, inputs: torch.Tensor) -> dict[object, int]:
    counter = FlopCounterMode(display=False)
    with counter:
        model(inputs).sum().backward()
    counts: dict[object, int] = counter.get_flop_counts()["Global"]
    products = ("aten.mm", "aten.addmm", "aten.bmm")  # which of these a layer calls depends on its bias and shape alone
    rest = {name: count for name, count in counts.items() if str(name) not in products}
    return rest | {"products": sum(counts.values()) - sum(rest.values())}


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_written_twice_has_the_same_size(plain: ModuleType, name: str) -> None:
    """As many parameters, the same shape of samples and of results, in the worker and in the plain program."""
    ours = network_named(name)
    make, shape, _classes = plain.NETWORKS[name]
    with torch.device("meta"):
        theirs = make()
        inputs, _targets = ours.make_batch(2, 0, torch.device("meta"))
        built = ours.build()

    assert sum(p.numel() for p in built.parameters()) == sum(p.numel() for p in theirs.parameters())
    assert tuple(inputs.shape[1:]) == shape
    assert built(inputs).shape == theirs(inputs).shape


@pytest.mark.parametrize(
    ("program", "fields"),
    [
        ("matmul", {"size": 16}),
        ("train", {"network": "simple_cnn", "batch_size": 2}),
        ("infer", {"network": "simple_cnn", "batch_size": 2}),
        ("bandwidth", {"size": 64, "options": {"loop": "triad"}}),
        ("input", {"size": 16, "batch_size": 2, "options": {"augmented": True}}),
    ],
)
def test_a_plain_program_runs(plain: ModuleType, program: str, fields: dict[str, object]) -> None:
    """Each kind has a step that can be repeated."""
    step = plain.PLAIN[program](Case(id="c", program=program, **fields))  # type: ignore[arg-type]
    for _time in range(2):
        step()
