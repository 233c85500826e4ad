"""The tracer counts what torch runs: products, bytes, kernels, what is kept and what is alive."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch.utils.flop_counter import FlopCounterMode

from advisor.errors import InputError
from advisor.records.job.work import Network, Operation
from advisor.worker.networks import article_cnn, densenet121, resnet50, simple_cnn, stacked_lstm
from advisor.worker.tracing.trace import default_loss, move_to_meta, trace_module

pytestmark = pytest.mark.torch

PRODUCTS = {"gemm", "conv", "depthwise_conv", "attention", "recurrent"}


def images(size: int, channels: int = 3) -> Callable[[int], torch.Tensor]:
    """Return a maker of image batches."""
    return lambda batch: torch.empty(batch, channels, size, size)


def rows(width: int) -> Callable[[int], torch.Tensor]:
    """Return a maker of batches of rows."""
    return lambda batch: torch.empty(batch, width)


def product_flop(network: Network, batch: int = 1, phase: str | None = None) -> float:
    """Return the FLOP of all products at a batch size."""
    return sum(
        operation.count * (operation.flop_per_sample * batch + operation.flop_fixed)
        for operation in network.operations
        if operation.kind in PRODUCTS and phase in (None, operation.phase)
    )


def counted_flop(module: nn.Module, inputs: torch.Tensor) -> int:
    """Return the FLOP of forward and backward as torch's own counter sees them."""
    move_to_meta(module)
    with torch.device("meta"), FlopCounterMode(display=False) as counter:
        default_loss(module(inputs), inputs).backward()
    return counter.get_total_flops()


def of_kind(network: Network, kind: str, phase: str = "forward") -> list[Operation]:
    """Return the operations of a kind and phase."""
    return [operation for operation in network.operations if operation.kind == kind and operation.phase == phase]


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


def test_resnet50_has_its_published_products() -> None:
    """4.089 thousand million multiply-accumulates forward. Source: torchvision model card."""
    network = trace_module(resnet50.build(), images(224))
    assert product_flop(network, phase="forward") / 2e9 == pytest.approx(4.089, abs=0.001)


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


def test_a_product_has_its_samples_where_the_record_says() -> None:
    """In the rows of the product forward and for the input, in its depth for the weight's gradient."""
    network = trace_module(nn.Sequential(nn.Linear(10, 20), nn.Linear(20, 5)), rows(10))
    found = {(operation.phase, operation.shape, operation.batch_axis) for operation in network.operations}
    assert ("forward", (1, 1, 20, 10), 1) in found
    assert ("backward", (1, 1, 20, 5), 1) in found
    assert ("backward", (1, 5, 20, 1), 3) in found


def test_bytes_of_a_product_are_operands_and_result() -> None:
    """Weights and bias are fixed, rows in and out go with the sample."""
    network = trace_module(nn.Linear(10, 20), rows(10))
    (product,) = of_kind(network, "gemm")
    assert product.bytes_per_sample == 4 * (10 + 20)
    assert product.bytes_fixed == 4 * (10 * 20 + 20)


def test_convolution_geometry_and_separate_bias() -> None:
    """Shape as documented; the bias is an elementwise kernel forward and a reduction backward."""
    module = nn.Sequential(nn.Conv2d(3, 8, (3, 5), stride=2), nn.Flatten(), nn.LazyLinear(4))
    module(torch.empty(1, 3, 21, 21))
    network = trace_module(module, images(21))
    (convolution,) = of_kind(network, "conv")
    assert convolution.shape == (3, 8, 3, 5, 10, 9, 1, 2)
    assert convolution.batch_axis == -1
    assert [operation.operator for operation in of_kind(network, "elementwise")] == ["conv_bias"]
    assert [operation.operator for operation in of_kind(network, "conv", "backward")] == ["conv_weight_gradient"]
    assert "conv_bias_gradient" in {operation.operator for operation in of_kind(network, "reduction", "backward")}


def test_batch_norm_normalizes_each_channel_over_the_batch() -> None:
    """Rows are channels, the samples are in the width; backward reads one array more."""
    network = trace_module(nn.Sequential(nn.BatchNorm2d(6), nn.Flatten(), nn.Linear(600, 3)), images(10, 6))
    (forward,), (backward,) = of_kind(network, "normalization"), of_kind(network, "normalization", "backward")
    assert forward.shape == (6, 100)
    assert forward.batch_axis == 1
    assert backward.bytes_per_sample == 1.5 * forward.bytes_per_sample


def test_look_ups_read_rows_and_write_the_whole_gradient() -> None:
    """An embedding of 1000 rows: 8-byte numbers in, 7 rows read and written; backward writes the table."""
    module = nn.Sequential(nn.Embedding(1000, 16), nn.Flatten(), nn.Linear(7 * 16, 3))
    network = trace_module(module, lambda batch: torch.empty(batch, 7, dtype=torch.int64), sample="sequence")
    (forward,), (backward,) = of_kind(network, "embedding"), of_kind(network, "embedding", "backward")
    assert forward.shape == (7, 16)
    assert forward.bytes_per_sample == 7 * (8 + 2 * 4 * 16)
    assert backward.bytes_fixed == 4 * 1000 * 16


class Attention(nn.Module):
    """Causal attention of four heads over 12 positions of width 32, with a classifier."""

    def __init__(self) -> None:
        super().__init__()
        self.inside = nn.Linear(32, 96)
        self.out = nn.Linear(32, 5)

    def forward(self, sequence: torch.Tensor) -> torch.Tensor:
        """Return scores (batch, positions, classes)."""
        heads = self.inside(sequence).view(*sequence.shape[:2], 3, 4, 8).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(*heads, is_causal=True)
        return self.out(mixed.transpose(1, 2).flatten(2))


def test_attention_is_one_fused_operation() -> None:
    """Two products forward, five backward; no copies, no scores kept."""
    network = trace_module(Attention(), lambda batch: torch.empty(batch, 12, 32), sample="sequence")
    (forward,), (backward,) = of_kind(network, "attention"), of_kind(network, "attention", "backward")
    assert forward.operator == "attention_causal"
    assert forward.shape == (1, 4, 12, 12, 8)
    assert forward.flop_per_sample == 4 * 4 * 12 * 12 * 8
    assert backward.flop_per_sample == 10 * 4 * 12 * 12 * 8
    assert not [operation for operation in of_kind(network, "copy") if operation.operator == "clone"]
    assert network.attention == "fused"
    row_sums, scores, targets = 4 * 4 * 12, 4 * 12 * 5, 8 * 12
    assert network.saved_bytes_per_sample == 4 * 12 * (32 + 96 + 32) + row_sums + scores + targets


@pytest.mark.parametrize(("layer", "gates"), [(nn.LSTM, 4), (nn.GRU, 3), (nn.RNN, 1)])
def test_recurrent_layers_are_one_fused_operation(layer: type[nn.Module], gates: int) -> None:
    """Products of all steps, two layers and both directions; backward twice as many."""

    class Classifier(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer: nn.Module = layer(6, 16, num_layers=2, bidirectional=True, batch_first=True)
            self.out = nn.Linear(32, 3)

        def forward(self, sequence: torch.Tensor) -> torch.Tensor:
            scores: torch.Tensor = self.out(self.layer(sequence)[0][:, -1])
            return scores

    network = trace_module(Classifier(), lambda batch: torch.empty(batch, 9, 6), sample="sequence", family="recurrent")
    (forward,), (backward,) = of_kind(network, "recurrent"), of_kind(network, "recurrent", "backward")
    assert forward.shape == (9, 1, 6, 16, 2, 2, gates)
    assert forward.batch_axis == 1
    assert forward.flop_per_sample == 2 * 9 * 2 * gates * 16 * ((6 + 16) + (32 + 16))
    assert backward.flop_per_sample == 2 * forward.flop_per_sample


def test_dropout_is_one_kernel_that_keeps_a_mask_of_bytes() -> None:
    """The mask is the only thing dropout adds that no precision shrinks."""
    module = nn.Sequential(nn.Linear(10, 20), nn.Dropout(0.1), nn.Linear(20, 5))
    network = trace_module(module, rows(10))
    assert [operation.operator for operation in of_kind(network, "elementwise")] == ["native_dropout"]
    assert network.saved_integer_bytes_per_sample == 20 + 8


def test_the_loss_is_its_own_kind() -> None:
    """So that inference can leave it out."""
    network = trace_module(nn.Linear(10, 20), rows(10))
    forward = {operation.operator for operation in of_kind(network, "loss")}
    backward = {operation.operator for operation in of_kind(network, "loss", "backward")}
    assert forward == {"_log_softmax", "nll_loss_forward"}
    assert backward == {"_log_softmax_backward_data", "nll_loss_backward"}


def test_inference_keeps_nothing() -> None:
    """Of a deep perceptron only two layers are alive at once, in training all of them."""
    layers: list[nn.Module] = [nn.Linear(64, 64) for _ in range(20)]
    network = trace_module(nn.Sequential(*layers), rows(64))
    assert network.inference_bytes_per_sample == 3 * 4 * 64  # the input, one layer's input and its output
    assert network.peak_bytes_per_sample > 20 * 4 * 64


def test_shared_parameters_stay_shared() -> None:
    """A tied weight counts once, as the published counts do."""
    module = nn.Sequential(nn.Linear(8, 8, bias=False), nn.Linear(8, 8, bias=False))
    module[1].weight = module[0].weight  # type: ignore[assignment]
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


def test_strict_refuses_unknown_operators() -> None:
    """The catalogue is made strictly; a user's network is traced all the same."""

    class Odd(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(8, 8)

        def forward(self, values: torch.Tensor) -> torch.Tensor:
            return torch.linalg.matrix_exp(self.layer(values).view(-1, 4, 2)[:, :2])

    def inputs(batch: int) -> Any:
        return torch.empty(batch, 8)

    assert trace_module(Odd(), inputs, loss=lambda output, _: output.mean()).operations
    with pytest.raises(InputError, match="no table knows"):
        trace_module(Odd(), inputs, loss=lambda output, _: output.mean(), strict=True)
