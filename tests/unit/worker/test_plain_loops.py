"""The plain programs the worker's cases are compared with do the same work."""

from types import ModuleType
from typing import Any, ClassVar

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode

from advisor.records.results.measured.measurement import Case
from advisor.worker.cases import program_of
from advisor.worker.networks import network_named
from advisor.worker.torch_settings import case_settings
from tests.tool_module import tool_module

pytestmark = pytest.mark.torch


NETWORKS = (
    "article_cnn",
    "simple_cnn",
    "rnn_cell",
    "lstm_cell",
    "stacked_lstm",
    "fused_lstm",
    "densenet121",
    "densenet121_transfer",
    "densenet121_frozen",
    "resnet50",
    "transformer_block",
)


SHORT_STEPS = dict.fromkeys(("rnn_cell", "lstm_cell", "stacked_lstm", "fused_lstm"), 4)
"""Time steps that show all a recurrent network does: at a hundred it does the same a hundred times."""


@pytest.fixture(scope="module")
def plain() -> ModuleType:
    """Return the plain programs, which are no part of the package."""
    return tool_module("plain_loops")


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_written_twice_does_the_same_arithmetic(plain: ModuleType, name: str) -> None:
    """Forward and backward count the same, product by product, so that neither can do without what the other does."""
    with torch.device("meta"):
        inputs, _targets = network_named(name).make_batch(2, SHORT_STEPS.get(name, 0), torch.device("meta"))
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
    assert _learning(built) == _learning(theirs)
    assert tuple(inputs.shape[1:]) == shape
    with torch.device("meta"):
        few, _targets = ours.make_batch(2, SHORT_STEPS.get(name, 0), torch.device("meta"))
    assert built(few).shape == theirs(few).shape


def _learning(model: torch.nn.Module) -> int:
    return sum(p.numel() for p in model.parameters() if p.requires_grad)


class _Formats(TorchDispatchMode):
    """Notes in which formats and orders of the channels convolutions and products are computed."""

    NAMES: ClassVar = dict.fromkeys(("convolution", "convolution_backward", "conv2d"), "convolution") | dict.fromkeys(
        ("mm", "addmm", "bmm", "linear"), "product"
    )

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[tuple[str | None, torch.dtype, bool]] = set()

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Note an operation, then do it."""
        kind = self.NAMES.get(func.overloadpacket.__name__)
        tensors = [value for value in args if isinstance(value, torch.Tensor) and value.dim() > 1]
        for tensor in tensors if kind else ():
            is_last = tensor.dim() == 4 and tensor.is_contiguous(memory_format=torch.channels_last)
            self.seen.add((kind, tensor.dtype, is_last and not tensor.is_contiguous()))
        return func(*args, **(kwargs or {}))


class _Unwatched:
    def sampled(self, _sample_s: float) -> None:
        """Go on."""

    def check(self) -> None:
        """Go on."""


@pytest.mark.parametrize(
    ("program", "fields", "is_last"),
    [
        ("train", {"precision": "amp", "options": {"autocast": "bf16"}}, False),
        ("train", {"precision": "amp", "options": {"autocast": "fp16"}}, False),
        ("train", {"options": {"channels_last": True}}, True),
        ("train", {"precision": "amp", "options": {"autocast": "bf16", "channels_last": True}}, True),
        ("infer", {"precision": "bf16"}, False),
        ("infer", {"precision": "fp16"}, False),
        ("infer", {"precision": "bf16", "options": {"channels_last": True}}, True),
        ("matmul", {"precision": "bf16", "network": "", "size": 8}, False),
        ("matmul", {"precision": "fp64", "network": "", "size": 8}, False),
    ],
)
def test_both_compute_in_the_same_formats(
    plain: ModuleType, program: str, fields: dict[str, object], is_last: bool
) -> None:
    """Every convolution and product, forward and backward, has numbers as short and channels in the same order."""
    known: dict[str, object] = {"network": "simple_cnn", "batch_size": 2, "min_samples": 1, "sample_s": 0.0}
    case = Case(id="c", program=program, budget_s=0.0, **(known | fields))  # type: ignore[arg-type]
    with case_settings(case) as device, _Formats() as worker:
        program_of(case)(case, device, _Unwatched())
    with _Formats() as twin:
        plain.PLAIN[program](case)()

    assert twin.seen == worker.seen != set()
    assert is_last == any(last for _kind, _dtype, last in twin.seen)


@pytest.mark.parametrize(
    ("program", "fields"),
    [
        ("matmul", {"size": 16}),
        ("train", {"network": "simple_cnn", "batch_size": 2}),
        ("train", {"network": "densenet121_frozen", "batch_size": 1}),
        ("infer", {"network": "simple_cnn", "batch_size": 2}),
        ("sustained", {"size": 16, "options": {"work": "matmul"}}),
        ("bandwidth", {"size": 64, "options": {"loop": "triad"}}),
        ("input", {"size": 16, "batch_size": 2, "options": {"augmented": True}}),
    ],
)
def test_a_plain_program_runs(plain: ModuleType, program: str, fields: dict[str, object]) -> None:
    """Each kind has a step that can be repeated."""
    step = plain.PLAIN[program](Case(id="c", program=program, **fields))  # type: ignore[arg-type]
    for _time in range(2):
        step()
