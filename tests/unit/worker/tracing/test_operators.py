"""Counts the work of one torch operator: kind, problem size, FLOP, bytes, kernels. See ``trace`` for the rules."""

from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional

from advisor.errors import InputError
from advisor.worker.tracing.trace import trace_module
from tests.unit.worker.tracing.traced import images, of_kind, rows

pytestmark = pytest.mark.torch


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
        query, key, value = self.inside(sequence).view(*sequence.shape[:2], 3, 4, 8).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
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


def test_a_fourier_transform_is_a_pass_for_each_dimension() -> None:
    """Of 8 x 16 numbers, half of which come out as complex ones: 5 n log2 n for each, read and written twice."""

    class Waves(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.Linear(16, 16)

        def forward(self, values: torch.Tensor) -> torch.Tensor:
            """Return (batch, 8, 9)."""
            return torch.fft.rfft2(self.layer(values)).abs()

    network = trace_module(Waves(), lambda batch: torch.empty(batch, 8, 16), strict=True)
    (found,) = (one for one in of_kind(network, "elementwise") if "fft" in one.operator)
    assert found.flop_per_sample == 5 * 128 * (3 + 4)
    assert (found.kernels, found.bytes_per_sample) == (2, 2 * (4 * 128 + 8 * 72))
