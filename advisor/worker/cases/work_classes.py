"""What small problems of each class of work take, from which the step of a network that was not measured is summed up.

Each problem is run forward, and backward through autograd, at a few sizes. What is told is seconds by amount of work:
FLOP of a product, bytes of a pass over memory, both counted as the tables of networks count them.
"""

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812 - as torch's documentation calls it

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case, Series
from advisor.worker.failure import NotSupportedError, reason_of
from advisor.worker.timing import Progress, block_timer, iterations_for
from advisor.worker.torch_settings import dtype_of

_BLOCKS = 2
_LONG_SAMPLES = 10
"""A call that takes as long as so many samples is timed twice, not more often."""
_TRANSPOSED = "conv_transposed"
_ACCELERATOR_TIMES = 16
"""So many times the samples an accelerator gets, which processors would take too long for."""


class Problem(NamedTuple):
    """A piece of a network.

    Attributes:
        name: Class of work, and its narrowest extent where its rate depends on that.
        run: From its tensors to its output.
        tensors: The first is the input, the others parameters; gradients are taken for each.
        amount: FLOP or bytes on the way forward; ``backward`` times that for each gradient.
        is_product: Its amount is FLOP.
        is_taken_apart: The gradients of its input and of its weights are different products.
    """

    name: str
    run: Callable[..., torch.Tensor]
    tensors: tuple[torch.Tensor, ...]
    amount: float
    is_product: bool = False
    backward: float = 1.5
    is_taken_apart: bool = False


def run_work_classes(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Time every class of work on ``device`` in ``case.precision``; a class that the device lacks is left out.

    The one sample is the sum of all points; it tells how long a repetition would take.
    """
    dtype = dtype_of(case)
    points: Points = defaultdict(list)
    clock = _Clock(device, case.sample_s)
    deadline_s = time.perf_counter() + case.budget_s
    for make in chain(*(source(device, dtype) for source in (_products, _passes, _recurrent, _attention))):
        if time.perf_counter() > deadline_s:
            break
        progress.check()
        _measure(make, clock, points)
    # Last: an optimizer finds the C library as a long program has left it.
    for name, amount, seconds in _others(device, dtype, clock):
        points["bytes", name].append((amount, seconds))
    if not points:
        raise NotSupportedError(f"None of the classes of work runs in {case.precision} on {device}.")
    return CaseResult(
        case_id=case.id,
        samples_s=(sum(seconds for curve in points.values() for _, seconds in curve),),
        series=tuple(Series(x=x, y=y, points=tuple(sorted(curve))) for (x, y), curve in sorted(points.items())),
    )


Points = dict[tuple[str, str], list[tuple[float, float]]]


class _Clock:
    """Tells how long calls take at best, and how much of a backward pass is autograd's own start and end."""

    def __init__(self, device: torch.device, sample_s: float) -> None:
        self._device, self._sample_s = device, sample_s
        self.is_accelerator = device.type != "cpu"
        number = torch.zeros(1, device=device)
        self.launch_s = self.fastest_s(lambda: number.add(1.0))
        leaf = torch.zeros(1, device=device, requires_grad=True)
        view, gradient = leaf.view(1), torch.ones(1, device=device)
        self._engine_s = self.fastest_s(partial(torch.autograd.grad, view, leaf, gradient, retain_graph=True))

    def fastest_s(self, call: Callable[[], object]) -> float:
        """Return the shortest of some blocks: others disturb a block of milliseconds wholly or not at all."""
        block = block_timer(call, self._device)
        block(1)
        once_s = block(1)
        if once_s > _LONG_SAMPLES * self._sample_s:
            return min(once_s, block(1))
        count = iterations_for(self._sample_s, once_s)
        return min(once_s, *(block(count) for _ in range(_BLOCKS)))

    def backward_s(self, call: Callable[[], object]) -> float:
        """Return the time of one operator's backward pass as a part of a longer one."""
        return max(self.fastest_s(call) - self._engine_s, self.launch_s)


def _measure(make: Callable[[], Problem], clock: _Clock, points: Points) -> None:
    """Add the points of a problem, forward and each gradient; none where torch has no such operator."""
    try:
        problem = make()
        for tensor in problem.tensors:
            if tensor.is_floating_point():
                tensor.requires_grad_()
        output = problem.run(*problem.tensors)
        gradient = torch.ones_like(output)
        unit = "flop" if problem.is_product else "bytes"
        found = [("forward", problem.amount, clock.fastest_s(lambda: problem.run(*problem.tensors)))]
        for phase, leaves in _leaves(problem):
            seconds = clock.backward_s(partial(torch.autograd.grad, output, leaves, gradient, retain_graph=True))
            found.append((phase, problem.amount * problem.backward, seconds))
    except (RuntimeError, NotImplementedError) as error:
        if reason_of(error) == "does_not_fit" or clock.is_accelerator:
            raise
        return  # a processor's library says in many ways that it lacks a format
    for phase, amount, seconds in found:
        points[unit, f"{problem.name}.{phase}"].append((amount, seconds))


def _leaves(problem: Problem) -> Iterator[tuple[str, list[torch.Tensor]]]:
    """Yield the gradients to take: together, or that of the input and that of the weights."""
    leaves = [tensor for tensor in problem.tensors if tensor.requires_grad]
    if problem.is_taken_apart:
        yield "input", leaves[:1]
        yield "weight", leaves[1:]
    else:
        yield "backward", leaves


Makers = Iterator[Callable[[], Problem]]


def _products(device: torch.device, dtype: torch.dtype) -> Makers:
    is_accelerator = device.type != "cpu"
    for narrow, sizes in _GEMM.items():
        for size in sizes if is_accelerator or narrow <= _WIDEST_OF_PROCESSORS else ():
            yield partial(_product, device, dtype, narrow, size)
    for batch in (16, 64 * (_ACCELERATOR_TIMES if is_accelerator else 1)):
        yield partial(_batched, device, dtype, batch)
    for kind in _CONVOLUTIONS:
        yield partial(_convolution, device, dtype, kind, (1, kind.small))
        samples = kind.samples * (_ACCELERATOR_TIMES if is_accelerator else 1)
        yield partial(_convolution, device, dtype, kind, (samples, kind.usual))


_WIDEST_OF_PROCESSORS = 512
_GEMM = {
    8: ((8, 64, 64), (8, 1024, 1024)),
    64: ((64, 64, 64), (64, 512, 512), (64, 1024, 1024)),
    512: ((512, 512, 512),),
    4096: ((4096, 4096, 4096),),
}
"""(m, n, k) by the smallest of the three."""


def _product(device: torch.device, dtype: torch.dtype, narrow: int, size: tuple[int, int, int]) -> Problem:
    m, n, k = size
    tensors = _random(device, dtype, (m, k), (n, k))
    return Problem(f"gemm.{narrow}", F.linear, tensors, 2.0 * m * n * k, True, 1.0, True)


def _batched(device: torch.device, dtype: torch.dtype, batch: int) -> Problem:
    tensors = _random(device, dtype, (batch, 64, 32), (batch, 32, 64))
    return Problem("gemm.batched", torch.bmm, tensors, 2.0 * batch * 64 * 64 * 32, True, 1.0, True)


class _Convolution(NamedTuple):
    """A kind of convolution: channels, kernel, edges of a small and a usual image, and how many usual ones."""

    name: str
    c_in: int
    c_out: int
    kernel: tuple[int, ...]
    small: int
    usual: int
    samples: int
    groups: int = 1
    stride: int = 1


_CONVOLUTIONS = (
    _Convolution("conv_stem", 3, 32, (3, 3), 8, 64, 4),
    _Convolution("conv.16", 16, 16, (3, 3), 8, 48, 4),
    _Convolution("conv.64", 64, 64, (3, 3), 4, 28, 4),
    _Convolution("conv.256", 256, 256, (3, 3), 4, 14, 2),
    _Convolution("conv_1x1.16", 16, 16, (1, 1), 8, 56, 8),
    _Convolution("conv_1x1.64", 64, 64, (1, 1), 4, 28, 8),
    _Convolution("conv_1x1.256", 256, 256, (1, 1), 4, 14, 8),
    _Convolution("conv_grouped", 64, 64, (3, 3), 4, 28, 4, groups=8),
    _Convolution("depthwise", 64, 64, (3, 3), 4, 28, 8, groups=64),
    _Convolution("conv_1d", 64, 64, (5,), 16, 256, 8),
    _Convolution("conv_3d", 16, 32, (3, 3, 3), 4, 14, 2),
    _Convolution(_TRANSPOSED, 64, 32, (4, 4), 4, 14, 8, stride=2),
)


def _convolution(device: torch.device, dtype: torch.dtype, kind: _Convolution, images: tuple[int, int]) -> Problem:
    """Return a convolution of (samples, edge) images; of a transposed one the edge is that of its input."""
    samples, edge = images
    dimensions = len(kind.kernel)
    channels = (kind.c_out, kind.c_in // kind.groups)
    call: Callable[..., torch.Tensor] = (F.conv1d, F.conv2d, F.conv3d)[dimensions - 1]
    if kind.name == _TRANSPOSED:
        channels, call = (kind.c_in, kind.c_out // kind.groups), F.conv_transpose2d
    padding = (kind.kernel[0] - kind.stride + 1) // 2
    tensors = _random(device, dtype, (samples, kind.c_in, *[edge] * dimensions), (*channels, *kind.kernel))
    flop = 2.0 * samples * kind.c_in * kind.c_out / kind.groups * math.prod(kind.kernel) * edge**dimensions
    run = partial(call, bias=None, stride=kind.stride, padding=padding, groups=kind.groups)
    return Problem(kind.name, run, tensors, flop, True, 1.0, True)


def _passes(device: torch.device, dtype: torch.dtype) -> Makers:
    """Yield passes over images (16 channels of 32 x 32) and rows (width 256) of three sizes, one after the other."""
    times = 1 if device.type == "cpu" else _ACCELERATOR_TIMES
    for images in (1, 16, 256 * times):
        image = (images, 16, 32, 32)
        rows = (images * 64, 256)
        elements = float(images * 16 * 1024)
        for name, run, shape, read in _UNARY:
            size = image if shape == "image" else rows
            yield partial(_pass, device, dtype, (name, run), size, elements * 4 * read)
        yield partial(_look_up, device, dtype, rows)


def _pass(
    device: torch.device,
    dtype: torch.dtype,
    named: tuple[str, Callable[..., torch.Tensor]],
    size: tuple[int, ...],
    amount: float,
) -> Problem:
    return Problem(*named, _random(device, dtype, size), amount)


def _look_up(device: torch.device, dtype: torch.dtype, rows: tuple[int, int]) -> Problem:
    count, width = rows
    index = torch.randint(0, _WORDS, (count,), device=device)
    tensors = (index, *_random(device, dtype, (_WORDS, width)))
    return Problem("embedding", F.embedding, tensors, 8.0 * count * (width + 1), backward=1.0)


_WORDS = 4096


def _normalized(rows: torch.Tensor) -> torch.Tensor:
    return F.layer_norm(rows, rows.shape[-1:])


_UNARY: tuple[tuple[str, Callable[[torch.Tensor], torch.Tensor], str, float], ...] = (
    # class, pass, over what, tensors of the size of the input that it reads and writes
    ("elementwise", torch.relu, "rows", 2.0),
    ("elementwise_math", F.gelu, "rows", 2.0),
    ("dropout", lambda x: F.dropout(x, 0.1), "rows", 2.25),
    ("softmax", lambda x: x.softmax(-1), "rows", 2.0),
    ("layer_norm", _normalized, "rows", 2.0),
    ("batch_norm", lambda x: F.batch_norm(x, None, None, training=True), "image", 2.0),
    ("group_norm", lambda x: F.group_norm(x, 8), "image", 2.0),
    ("pooling_max", lambda x: F.max_pool2d(x, 2), "image", 1.75),
    ("pooling", lambda x: F.avg_pool2d(x, 2), "image", 1.25),
    ("copy", lambda x: x.transpose(0, 1).contiguous(), "rows", 2.0),
    ("reduction", lambda x: x.sum(0), "rows", 1.0),
)


def _recurrent(device: torch.device, dtype: torch.dtype) -> Makers:
    for gates, layer in ((4, nn.LSTM), (3, nn.GRU), (1, nn.RNN)):
        for samples, hidden in ((4, 32), (32, 128), (128, 128)):
            yield partial(_sequence, device, dtype, (layer, gates), (samples, hidden))


_STEPS = 16


def _sequence(
    device: torch.device, dtype: torch.dtype, kind: tuple[Callable[..., nn.RNNBase], int], size: tuple[int, int]
) -> Problem:
    """Return a layer over ``_STEPS`` steps of (samples, hidden)."""
    (layer, gates), (samples, hidden) = kind, size
    module = layer(input_size=hidden, hidden_size=hidden).to(device=device, dtype=dtype)
    tensors = (*_random(device, dtype, (_STEPS, samples, hidden)), *module.parameters())
    flop = 4.0 * _STEPS * samples * gates * hidden**2
    return Problem(
        f"recurrent_{module.mode.partition('_')[0].lower()}", lambda x, *_: module(x)[0], tensors, flop, True, 2.0
    )


def _attention(device: torch.device, dtype: torch.dtype) -> Makers:
    for samples, length in ((1, 16), (4, 64), (8, 256)):
        yield partial(_attended, device, dtype, samples, length)


_HEADS, _HEAD_SIZE = 4, 64


def _attended(device: torch.device, dtype: torch.dtype, samples: int, length: int) -> Problem:
    tensors = _random(device, dtype, *[(samples, _HEADS, length, _HEAD_SIZE)] * 3)
    flop = 4.0 * samples * _HEADS * length**2 * _HEAD_SIZE
    return Problem("attention", F.scaled_dot_product_attention, tensors, flop, True, 2.5)


def _random(device: torch.device, dtype: torch.dtype, *shapes: tuple[int, ...]) -> tuple[torch.Tensor, ...]:
    return tuple(torch.randn(shape, device=device).to(dtype) for shape in shapes)


_TENSORS = 64


def _others(device: torch.device, dtype: torch.dtype, clock: _Clock) -> Iterator[tuple[str, float, float]]:
    """Yield (name, bytes or pieces, seconds) of what is no operator of a network."""
    for name, rule in (("adam", torch.optim.Adam), ("sgd", torch.optim.SGD)):
        for count, elements in ((_TENSORS, 64), (1, 65536), (1, 2**22)):
            parameters = [nn.Parameter(one) for one in _random(device, dtype, *[(elements,)] * count)]
            for parameter in parameters:
                parameter.grad = torch.ones_like(parameter)
            step = rule(parameters, 1e-3).step
            yield f"optimizer_{name}.{count}", float(elements), clock.fastest_s(step) / count
    if device.type == "cpu":
        yield "pages", *_pages(device)


def _pages(device: torch.device) -> tuple[float, float]:
    """Return bytes and the seconds that touching them for the first time adds."""
    size = 2**26
    known = torch.empty(size, dtype=torch.uint8)
    fresh = block_timer(lambda: torch.empty(size, dtype=torch.uint8).fill_(1), device)
    again = block_timer(lambda: known.fill_(1), device)
    again(1)
    taken = min(fresh(1) for _ in range(_BLOCKS)) - min(again(1) for _ in range(_BLOCKS))
    return float(size), max(taken, 1e-9)
