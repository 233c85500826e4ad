"""The tracer counts what torch runs: products, bytes, kernels, what is kept and what is alive."""

import itertools
import random
from collections.abc import Callable

import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from advisor.errors import InputError
from advisor.predict.memory import footprint
from advisor.records.job.workload import Workload
from advisor.worker.networks import article_cnn, densenet121, simple_cnn, stacked_lstm
from advisor.worker.tracing.trace import default_loss, move_to_meta, trace_module
from tests.unit.worker.tracing.traced import images, of_kind, product_flop, rows

pytestmark = pytest.mark.torch


def counted_flop(module: nn.Module, inputs: torch.Tensor) -> int:
    """Return the FLOP of forward and backward as torch's own counter sees them."""
    move_to_meta(module)
    with torch.device("meta"), FlopCounterMode(display=False) as counter:
        default_loss(module(inputs), inputs).backward()
    return counter.get_total_flops()


@pytest.mark.parametrize(
    ("build", "shape"),
    [
        (simple_cnn.build, (3, 28, 28)),
        (article_cnn.build, (3, 150, 150)),
        (densenet121.build, (3, 64, 64)),
        (stacked_lstm.build, (12, stacked_lstm.FEATURES)),
    ],
)
def test_flop_equal_those_of_torchs_counter(build: Callable[[], nn.Module], shape: tuple[int, ...]) -> None:
    """All products of a training step, counted another way, are the same number."""
    network = trace_module(build(), lambda batch: torch.empty(batch, *shape))
    expected = counted_flop(build(), torch.empty(3, *shape, device="meta"))
    assert product_flop(network, batch=3) == expected


@pytest.mark.parametrize(
    ("layer", "kind"),
    [
        (nn.Conv2d(8, 16, 3, groups=4, padding=1, bias=False), "conv"),
        (nn.Conv2d(8, 16, (3, 5), stride=2, dilation=2), "conv"),
        (nn.Conv2d(8, 8, 3, groups=8), "depthwise_conv"),
        (nn.ConvTranspose2d(8, 6, 4, stride=2), "conv"),
    ],
)
def test_convolutions_of_every_form(layer: nn.Module, kind: str) -> None:
    """Forward as torch's counter says, and twice that backward (its count of grouped weight gradients is too high)."""
    network = trace_module(nn.Sequential(nn.Conv2d(3, 8, 1), layer), images(20))
    move_to_meta(layer)
    with torch.device("meta"), FlopCounterMode(display=False) as counter:
        layer(torch.empty(3, 8, 20, 20))
    (forward,) = [operation for operation in of_kind(network, kind) if operation.shape[0] == 8]
    backward = [operation for operation in of_kind(network, kind, "backward") if operation.shape[0] == 8]
    assert 3 * forward.flop_per_sample == counter.get_total_flops()
    assert sum(operation.flop_per_sample for operation in backward) == 2 * forward.flop_per_sample


def test_everything_is_linear_in_the_batch() -> None:
    """Two other batch sizes give the same table."""
    first = trace_module(simple_cnn.build(), images(28))
    assert trace_module(simple_cnn.build(), images(28), batches=(3, 7)) == first


def test_kept_for_backward_counts_each_storage_once_and_no_parameters() -> None:
    """Of a small perceptron: input, hidden activation (seen by two operators), scores and targets."""
    module = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 5))
    network = trace_module(module, rows(10))
    targets = 8
    assert network.saved_bytes_per_sample == 4 * (10 + 20 + 5) + targets
    assert network.saved_integer_bytes_per_sample == targets
    assert network.largest_bytes_per_sample == 4 * 20


def test_inference_keeps_nothing() -> None:
    """Of a deep perceptron only two layers are alive at once, in training all of them."""
    layers: list[nn.Module] = [nn.Linear(64, 64) for _ in range(20)]
    network = trace_module(nn.Sequential(*layers), rows(64))
    assert network.inference_bytes_per_sample == 3 * 4 * 64  # the input, one layer's input and its output
    assert network.peak_bytes_per_sample > 20 * 4 * 64


def test_shared_parameters_stay_shared() -> None:
    """A tied weight counts once, as the published counts do."""
    module = nn.Sequential(nn.Linear(8, 8, bias=False), nn.Linear(8, 8, bias=False))
    module[1].weight = module[0].weight
    network = trace_module(module, rows(8))
    assert network.parameters == 64
    assert network.parameter_tensors == 1


def test_frozen_parameters_are_not_trainable() -> None:
    """Their gradients do not run either."""
    module = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 3))
    module[0].requires_grad_(False)
    network = trace_module(module, rows(8))
    assert (network.parameters, network.trainable_parameters) == (99, 27)
    assert sum(operation.count for operation in of_kind(network, "gemm", "backward")) == 1


class Looks(nn.Module):
    """Decides by a value."""

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return twice the values where their sum is positive."""
        return values * 2 if values.sum().item() > 0 else values


class Breaks(nn.Module):
    """Raises something of its own."""

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Never return."""
        raise LookupError


class Counts(nn.Module):
    """Does more for larger batches."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return the layer applied once for each sample."""
        for _ in range(len(values)):
            values = self.layer(values)
        return values


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        (Looks(), "cannot be traced without data"),
        (Breaks(), "cannot be traced without data: LookupError"),
        (Counts(), "other operations at another batch"),
    ],
)
def test_what_cannot_be_traced_is_said(module: nn.Module, reason: str) -> None:
    """The sentence names what stands in the way."""
    with pytest.raises(InputError, match=reason):
        trace_module(module, rows(8))


def test_what_is_made_once_is_not_counted() -> None:
    """A network that keeps a table after its first pass has no table in its step."""

    class Keeps(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(8, 8)
            self.table: torch.Tensor | None = None

        def forward(self, values: torch.Tensor) -> torch.Tensor:
            if self.table is None:
                self.table = torch.arange(8).float().exp()
            scores: torch.Tensor = self.layer(values * self.table)
            return scores

    operators = {operation.operator for operation in trace_module(Keeps(), rows(8)).operations}
    assert "mul" in operators
    assert "exp" not in operators


def test_what_is_made_anew_for_each_size_is_not_counted() -> None:
    """A detector that makes its anchors where the batch changes, while it is applied, has none in its step."""

    class Anchored(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(8, 8)
            self.shape: torch.Size | None = None
            self.anchors = torch.empty(0)

        def forward(self, values: torch.Tensor) -> torch.Tensor:
            if self.training:
                return self.layer(values)
            if self.shape != values.shape:
                self.shape, self.anchors = values.shape, torch.arange(8).float().exp()
            return self.layer(values) * self.anchors

    network = trace_module(Anchored(), rows(8))
    assert network.inference_bytes_per_sample == pytest.approx(3 * 8 * 4)


def test_all_outputs_of_a_dictionary_are_learned_from() -> None:
    """A detector puts out boxes and scores by name; both parts of it have gradients."""

    class Finds(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.boxes, self.scores = nn.Linear(8, 4), nn.Linear(8, 5)

        def forward(self, values: torch.Tensor) -> dict[str, torch.Tensor]:
            return {"boxes": self.boxes(values), "scores": self.scores(values)}

    assert sum(one.count for one in of_kind(trace_module(Finds(), rows(8)), "gemm", "backward")) == 2


class Stops(nn.Module):
    """Asks its samples when to stop, but only when it does not learn."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(8, 8) for _ in range(3))

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return (batch, 8)."""
        for layer in self.layers:
            values = layer(values)
            if not self.training and values.max() > 1:
                break
        return values


class Inner(nn.Module):
    """Learns a step of its own on the way, as networks do that learn to learn."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(8, 8)

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return (batch, 8)."""
        parameters: dict[str, torch.Tensor] = dict(self.layer.named_parameters())
        first = torch.func.functional_call(self.layer, parameters, (values,)).square().mean()
        gradients = torch.autograd.grad(first, list(parameters.values()), create_graph=True)
        moved = {name: old - 0.1 * new for (name, old), new in zip(parameters.items(), gradients, strict=True)}
        return torch.func.functional_call(self.layer, moved, (values,))


class Throws(nn.Module):
    """Reads its own words now and then, by Python's chance, as a decoder learns."""

    def __init__(self) -> None:
        super().__init__()
        self.own, self.given = nn.Linear(8, 8), nn.Linear(8, 8)

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return (batch, 8)."""
        for _ in range(20):
            values = self.own(values) if random.random() < 0.5 else self.given(values).relu()
        return values


@pytest.mark.parametrize(("module", "products"), [(Stops, 3 * 3 - 1), (Inner, 6), (Throws, 3 * 20 - 1)])
def test_what_only_learning_can_is_traced(module: type[nn.Module], products: int) -> None:
    """Products of a step: one forward and two backward a layer, less the first input's; as torch counts."""
    network = trace_module(module(), lambda batch: torch.empty(batch, 8))
    assert product_flop(network) == products * 2 * 8 * 8


def test_the_fullest_moment_is_that_of_a_real_step() -> None:
    """Gradients of parameters come while what was kept goes; torch's own records of a real step, on the processor."""
    module, batch = (
        nn.Sequential(nn.Linear(512, 2048), nn.ReLU(), nn.Linear(2048, 512), nn.ReLU(), nn.Linear(512, 9)),
        64,
    )
    network = trace_module(module, lambda size: torch.empty(size, 512))
    module.to_empty(device="cpu")
    values = torch.zeros(batch, 512)
    with torch.profiler.profile(profile_memory=True) as seen:
        nn.functional.cross_entropy(module(values), torch.zeros(batch, dtype=torch.int64)).backward()
    changes = [event.nbytes() for event in seen.profiler.kineto_results.events() if event.name() == "[memory]"]
    real = max(itertools.accumulate(changes)) + values.nbytes
    told = max(slope * batch + fixed for slope, fixed in network.moments)
    assert told == pytest.approx(real, rel=0.03)
    assert network.largest_parameter == 512 * 2048


class Remembers(nn.Module):
    """Looks its samples up in a bank that it does not learn."""

    def __init__(self) -> None:
        super().__init__()
        self.layer, self.bank = nn.Linear(16, 32), nn.Buffer(torch.zeros(2000, 32))

    def forward(self, values: torch.Tensor) -> torch.Tensor:
        """Return what is nearest (batch, 4)."""
        return (self.layer(values) @ self.bank.T).topk(4).values


def test_what_is_not_learned_takes_memory_too() -> None:
    """A bank of samples is held as long as the network, on every device."""
    network = trace_module(Remembers(), rows(16))
    assert network.buffer_bytes == 4 * 2000 * 32
    job = Workload(id="x", title="", network="own", samples=100, batch_size=1)
    for is_cpu in (True, False):
        assert footprint(network, job, is_cpu=is_cpu).parameters_bytes == 4 * (16 * 32 + 32) + 4 * 2000 * 32


def test_a_complex_number_is_two() -> None:
    """Of the weights, of their gradients and of an optimizer's state."""
    module = nn.Linear(8, 3, dtype=torch.complex64)
    network = trace_module(
        module,
        lambda batch: torch.empty(batch, 8, dtype=torch.complex64),
        loss=lambda output, _inputs: output.abs().sum(),
    )
    assert (network.parameters, network.trainable_parameters, network.largest_parameter) == (54, 54, 48)
