"""One operation of a network's table as torch runs it: on tensors of the real sizes, which mean nothing.

Operands are views of few shared buffers, results are made new, as in a real step. What autograd would call is called:
the gradients' own kernels, with what they get.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn import functional

from advisor.records.job.work import Operation

Kernel = Callable[[], object]
aten: Any = torch.ops.aten

_IN_SHORT = frozenset({"gemm", "conv", "depthwise_conv", "attention", "recurrent", "elementwise", "pooling", "copy"})
"""Kinds that mixed precision runs in the short format, or on what comes out of it."""
_PLANE = 14
_ROWS = 30_000
"""Edge of a pooled image, and rows of a table, where the operation does not say."""


class Kernels:
    """Makes kernels of operations for a device.

    Args:
        device: Where they run.
        dtype: Format of the numbers.
        short: Format of what mixed precision shortens; the same as ``dtype`` without it.
        is_last: Channels are innermost in memory.
    """

    def __init__(self, device: torch.device, dtype: torch.dtype, short: torch.dtype, *, is_last: bool = False) -> None:
        self._device, self._dtype, self._short, self._is_last = device, dtype, short, is_last
        self._buffers: dict[tuple[int, torch.dtype], torch.Tensor] = {}

    def of(self, one: Operation, batch: float) -> Kernel:
        """Return what runs one of these operations at a batch; a part of a sample where the batch is below one."""
        dtype = self._short if one.kind in _IN_SHORT else self._dtype
        make = _MAKERS.get(one.kind, Kernels._elementwise)
        return make(self, one, batch, dtype)

    def _take(self, slot: int, dtype: torch.dtype, *shape: int) -> torch.Tensor:
        """Return a view of a shared buffer."""
        size = math.prod(shape)
        buffer = self._buffers.get((slot, dtype))
        if buffer is None or buffer.numel() < size:
            buffer = self._buffers[slot, dtype] = torch.rand(size, device=self._device, dtype=dtype)
        return buffer[:size].view(shape)

    def _numbers(self, most: int, *shape: int) -> torch.Tensor:
        return torch.randint(max(most, 1), shape, device=self._device)

    def _gemm(self, one: Operation, batch: float, dtype: torch.dtype) -> Kernel:
        parts, m, n, k = _extents(one, batch)
        if parts > 1:
            left, right = self._take(0, dtype, parts, m, k), self._take(1, dtype, parts, k, n)
            return lambda: torch.bmm(left, right)
        if one.batch_axis == 3:  # a weight's gradient: both factors lie with their samples outermost
            left, right = self._take(0, dtype, k, m).t(), self._take(1, dtype, k, n)
        elif one.phase == "forward":
            left, right = self._take(0, dtype, m, k), self._take(1, dtype, n, k).t()
        else:
            left, right = self._take(0, dtype, m, k), self._take(1, dtype, k, n)
        return lambda: torch.mm(left, right)

    def _convolution(self, one: Operation, batch: float, dtype: torch.dtype) -> Kernel:
        c_in, c_out, kernel_h, kernel_w, height, width, groups, stride = one.shape
        transposed = one.operator.startswith("conv_transposed")
        samples = max(1, round(batch)) if one.batch_axis is not None else 1
        kernel = (kernel_h, kernel_w)
        strides = [stride if edge > 1 or size > 1 else 1 for edge, size in zip(kernel, (height, width), strict=True)]
        padding = [edge // 2 for edge in kernel]
        wide = [
            max((size - 1) * step + edge - 2 * pad, 1)
            for size, step, edge, pad in zip((height, width), strides, kernel, padding, strict=True)
        ]
        small, large = (height, width), tuple(wide)
        before, after = (small, large) if transposed else (large, small)
        inputs = self._image(0, dtype, samples, c_in, *before)
        gradient = self._image(2, dtype, samples, c_out, *after)
        rows = (c_in, c_out // groups) if transposed else (c_out, c_in // groups)
        weight = self._image(1, dtype, *rows, *kernel)
        settings = (strides, padding, [1, 1], transposed, [0, 0], groups)
        if one.phase == "forward":
            return lambda: aten.convolution(inputs, weight, None, *settings)
        mask = [one.operator.endswith("input_gradient"), one.operator.endswith("weight_gradient"), False]
        return lambda: aten.convolution_backward(gradient, inputs, weight, None, *settings, mask)

    def _image(self, slot: int, dtype: torch.dtype, *shape: int) -> torch.Tensor:
        if not self._is_last:
            return self._take(slot, dtype, *shape)
        samples, channels, height, width = shape
        return self._take(slot, dtype, samples, height, width, channels).permute(0, 3, 1, 2)

    def _attention(self, one: Operation, batch: float, dtype: torch.dtype) -> Kernel:
        samples, heads, queries, keys, size = _extents(one, max(batch, 1.0))
        is_causal = "_causal" in one.operator
        sizes = (queries, keys, keys)
        inputs = [self._take(slot, dtype, samples, heads, edge, size) for slot, edge in enumerate(sizes)]

        def forward() -> torch.Tensor:
            query, key, value = inputs
            return functional.scaled_dot_product_attention(query, key, value, is_causal=is_causal)

        return forward if one.phase == "forward" else self._gradient(forward, inputs)

    def _recurrent(self, one: Operation, batch: float, dtype: torch.dtype) -> Kernel:
        steps, samples, width, hidden, layers, directions, gates = _extents(one, max(batch, 1.0))
        kind: Any = {4: nn.LSTM, 3: nn.GRU}.get(gates, nn.RNN)
        layer = kind(width, hidden, layers, bidirectional=directions > 1).to(self._device, dtype)
        inputs = [self._take(0, dtype, steps, samples, width), *layer.parameters()]

        def forward() -> torch.Tensor:
            made: torch.Tensor = layer(inputs[0])[0]
            return made

        return forward if one.phase == "forward" else self._gradient(forward, inputs)

    def _gradient(self, forward: Callable[[], torch.Tensor], inputs: list[torch.Tensor]) -> Kernel:
        """Return what computes the gradients of a function that autograd alone can take back."""
        for index, tensor in enumerate(inputs):
            inputs[index] = tensor if tensor.requires_grad else tensor.detach().requires_grad_()
        with torch.enable_grad():
            made = forward()
        gradient = torch.rand_like(made)
        return lambda: torch.autograd.grad(made, inputs, gradient, retain_graph=True, allow_unused=True)

    def _normalization(self, one: Operation, batch: float, dtype: torch.dtype) -> Kernel:
        rows, width = _extents(one, batch)
        is_back = one.phase == "backward"
        if "batch_norm" not in one.operator:
            inputs, gradient = self._take(0, dtype, rows, width), self._take(2, dtype, rows, width)
            scale, shift = torch.ones(width, **self._like(dtype)), torch.zeros(width, **self._like(dtype))
            _, mean, spread = torch.native_layer_norm(inputs, [width], scale, shift, 1e-5)
            if is_back:
                mask = [True, True, True]
                return lambda: aten.native_layer_norm_backward(
                    gradient, inputs, [width], mean, spread, scale, shift, mask
                )
            return lambda: torch.native_layer_norm(inputs, [width], scale, shift, 1e-5)
        samples = max(1, round(batch)) if one.batch_axis == 1 else 1
        pixels = max(1, width // samples)
        inputs, gradient = (self._image(slot, dtype, samples, rows, pixels, 1) for slot in (0, 2))
        scale, shift, mean, spread = (torch.ones(rows, **self._like(dtype)) for _ in range(4))
        if is_back:
            mask = [True, True, True]
            return lambda: aten.native_batch_norm_backward(
                gradient, inputs, scale, mean, spread, mean, spread, True, 1e-5, mask
            )
        return lambda: torch.native_batch_norm(inputs, scale, shift, mean, spread, True, 0.1, 1e-5)

    def _softmax(self, one: Operation, batch: float, dtype: torch.dtype) -> Kernel:
        rows, width = _extents(one, batch) if len(one.shape) == 2 else (1, _extents(one, batch)[0])
        scores, gradient = self._take(0, dtype, rows, width), self._take(2, dtype, rows, width)
        is_log = "log_softmax" in one.operator
        if "nll_loss" in one.operator:
            numbers = self._numbers(width, rows)
            if one.phase == "forward":
                return lambda: functional.nll_loss(scores, numbers)
            return lambda: torch.zeros_like(scores).scatter_(1, numbers[:, None], -1.0)
        if one.kind == "loss" and "softmax" not in one.operator:
            return lambda: torch.sub(scores, gradient)
        if one.phase == "backward":
            back = aten._log_softmax_backward_data if is_log else aten._softmax_backward_data
            return lambda: back(gradient, scores, -1, dtype)
        return lambda: torch.log_softmax(scores, -1) if is_log else torch.softmax(scores, -1)

    def _pooling(self, one: Operation, batch: float, dtype: torch.dtype) -> Kernel:
        written, window = _extents(one, batch)
        edge = max(1, round(math.sqrt(window)))
        is_up = "upsample" in one.operator
        stride = 2 if is_up else _stride(one, edge)
        small = written if (one.phase == "forward") is not is_up else written // stride**2
        planes = max(1, small // _PLANE**2)
        wide = (_PLANE - 1) * stride + edge if not is_up else _PLANE * stride
        inputs = self._take(0, dtype, 1, planes, wide, wide)
        outputs = self._take(2, dtype, 1, planes, _PLANE, _PLANE)
        if is_up:
            if one.phase == "forward":
                return lambda: functional.interpolate(outputs, scale_factor=float(stride))
            return lambda: functional.avg_pool2d(inputs, stride)
        if "max_pool" in one.operator:
            if one.phase == "forward":
                return lambda: functional.max_pool2d(inputs, edge, stride)
            _, places = functional.max_pool2d(inputs, edge, stride, return_indices=True)
            settings = ([edge, edge], [stride, stride], [0, 0], [1, 1], False)
            return lambda: aten.max_pool2d_with_indices_backward(outputs, inputs, *settings, places)
        if one.phase == "forward":
            return lambda: functional.avg_pool2d(inputs, edge, stride)
        return lambda: aten.avg_pool2d_backward(
            outputs, inputs, [edge, edge], [stride, stride], [0, 0], False, True, None
        )

    def _embedding(self, one: Operation, batch: float, dtype: torch.dtype) -> Kernel:
        rows, width = _extents(one, batch) if len(one.shape) == 2 else (_extents(one, batch)[0], 1)
        table_rows = max(int(one.bytes_fixed / 4 / width), 1) if one.phase == "backward" else _ROWS
        numbers = self._numbers(table_rows, rows)
        if one.phase == "backward":
            gradient = self._take(2, dtype, rows, width)
            return lambda: aten.embedding_dense_backward(gradient, numbers, table_rows, -1, False)
        table = self._take(0, dtype, table_rows, width)
        return lambda: functional.embedding(numbers, table)

    def _reduction(self, one: Operation, batch: float, dtype: torch.dtype) -> Kernel:
        rows, width = _extents(one, batch) if len(one.shape) == 2 else (1, _extents(one, batch)[0])
        if one.batch_axis == 1:  # of a bias: the samples are summed up
            inputs = self._take(0, dtype, width, rows)
            return lambda: inputs.sum(0)
        inputs = self._take(0, dtype, rows, width)
        return lambda: inputs.sum(-1)

    def _copy(self, one: Operation, batch: float, dtype: torch.dtype) -> Kernel:
        elements, each = _elements(one, batch)
        if each < _READS_AND_WRITES:
            return lambda: torch.zeros(elements, **self._like(dtype))
        inputs = self._take(0, dtype, elements)
        return lambda: torch.clone(inputs)

    def _elementwise(self, one: Operation, batch: float, dtype: torch.dtype) -> Kernel:
        elements, each = _elements(one, batch)
        left, right = self._take(0, dtype, elements), self._take(2, dtype, elements)
        backs = {
            "threshold_backward": lambda: aten.threshold_backward(left, right, 0.0),
            "gelu_backward": lambda: aten.gelu_backward(left, right),
            "silu_backward": lambda: aten.silu_backward(left, right),
            "native_dropout": lambda: torch.native_dropout(left, 0.1, True),
        }
        if one.operator in backs:
            return backs[one.operator]
        if one.operator.endswith("_") and not one.operator.endswith("__"):
            return (lambda: torch.relu_(left)) if each < _TWO_OPERANDS else (lambda: left.add_(right, alpha=0.0))
        plain: Any = {"gelu": functional.gelu, "silu": functional.silu, "relu": torch.relu}.get(one.operator)
        plain = plain or getattr(torch, one.operator, None) if one.operator in _PLAIN else plain
        if plain is not None:
            return lambda: plain(left)
        if each < _TWO_OPERANDS:
            return lambda: torch.mul(left, 0.5)
        return lambda: torch.mul(left, right)

    def _like(self, dtype: torch.dtype) -> dict[str, Any]:
        return {"device": self._device, "dtype": dtype}


_PLAIN = frozenset({"sigmoid", "tanh", "exp", "sqrt", "rsqrt", "sin", "cos", "erf", "neg", "abs", "log"})
_READS_AND_WRITES, _TWO_OPERANDS = 6.0, 10.0
"""Bytes for an element of one fp32 operand: from here on it is read and written; from here on there are two."""

_MAKERS: dict[str, Callable[[Kernels, Operation, float, torch.dtype], Kernel]] = {
    "gemm": Kernels._gemm,
    "conv": Kernels._convolution,
    "depthwise_conv": Kernels._convolution,
    "attention": Kernels._attention,
    "recurrent": Kernels._recurrent,
    "normalization": Kernels._normalization,
    "softmax": Kernels._softmax,
    "loss": Kernels._softmax,
    "pooling": Kernels._pooling,
    "embedding": Kernels._embedding,
    "reduction": Kernels._reduction,
    "copy": Kernels._copy,
}


def _extents(one: Operation, batch: float) -> list[int]:
    """Return the problem size at a batch."""
    sizes = list(one.shape)
    if one.batch_axis is not None and one.batch_axis >= 0:
        sizes[one.batch_axis] = max(1, round(sizes[one.batch_axis] * batch))
    return sizes


def _elements(one: Operation, batch: float) -> tuple[int, float]:
    """Return how many elements there are, and the bytes moved for each of them at 4 bytes a number."""
    elements = math.prod(_extents(one, batch))
    return elements, (one.bytes_per_sample * batch + one.bytes_fixed) / max(elements, 1)


def _stride(one: Operation, edge: int) -> int:
    """Return the step of a pooling window, from what is read for what is written."""
    moved = (one.bytes_per_sample or one.bytes_fixed) / 4
    written = one.shape[0]
    beside = 3 * written if "max_pool" in one.operator else written
    ratio = max(moved - beside, written) / written if one.phase == "forward" else edge**2
    return max(1, min(edge, round(math.sqrt(ratio))))
