"""Time of a step as the sum of what its operations take by class, as the small problems of each class took here.

Nothing in it knows the device: every second comes from a measured curve of seconds by amount of work.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from advisor.predict.coefficients import ClassCoefficients
from advisor.predict.timing.paged_memory import paged_bytes
from advisor.predict.timing.step_work import is_weight_gradient, runs, trained_parameters
from advisor.records.job.work import Network, Operation
from advisor.records.job.workload import Workload

Curve = tuple[tuple[float, float], ...]
"""(amount of work, seconds), amounts rising, seconds never falling."""

_WIDTHS = {"gemm": (8, 64, 512, 4096), "conv": (16, 64, 256), "conv_1x1": (16, 64, 256)}
"""Narrowest extents that were measured, of the classes whose rate depends on it."""
_MATH = ("gelu", "silu", "mish", "tanh", "sigmoid", "celu", "selu", "elu_", "softplus", "exp", "log", "pow")
"""Parts of the names of elementwise operators that compute a power or a logarithm for each element."""
_MOVED = ("clone", "copy", "_to_copy", "transpose", "repeat", "roll", "flip", "unfold", "im2col", "col2im")
_STEPS = 16
"""Of a measured sequence."""


@dataclass(frozen=True)
class ClassTimes:
    """Seconds of a step by what they are spent on."""

    compute: float
    traffic: float
    launch: float
    optimizer: float

    @property
    def total(self) -> float:
        """All parts together."""
        return self.compute + self.traffic + self.launch + self.optimizer


def curve_of(points: Iterable[tuple[float, float]]) -> Curve:
    """Return points as a curve on which more work never takes less time."""
    found: list[tuple[float, float]] = []
    for amount, seconds in sorted(points):
        least = found[-1][1] if found else 0.0
        found.append((amount, max(seconds, least)))
    return tuple(found)


def seconds_of(curve: Curve, amount: float) -> float:
    """Return what an amount of work takes: between two points on a straight line, beyond the last at its rate."""
    first, last = curve[0], curve[-1]
    if amount <= first[0]:
        return first[1]
    if amount >= last[0]:
        return last[1] * amount / last[0]
    place = bisect_left(curve, (amount, 0.0))
    (low, low_s), (high, high_s) = curve[place - 1], curve[place]
    return low_s + (high_s - low_s) * (amount - low) / (high - low)


def class_times(
    network: Network,
    workload: Workload,
    curves: Mapping[str, Curve],
    batch_size: float,
    constants: ClassCoefficients,
) -> ClassTimes | None:
    """Return the time of a step of ``batch_size`` samples; None where a class of its work was not measured."""
    compute = traffic = launch = 0.0
    repeated = 2.0 if workload.checkpointing and workload.task == "train" else 1.0
    for one in network.operations:
        if not runs(one, workload):
            continue
        seconds = _operation_s(one, curves, batch_size)
        if seconds is None:
            return None
        count = one.count * (repeated if one.phase == "forward" else 1.0)
        least = min(seconds, _least_s(one, curves))
        launch += least * count
        if _is_product(one):
            compute += (seconds - least) * count
        else:
            traffic += (seconds - least) * count
    trains = workload.task == "train"
    traffic += paged_bytes(network, workload, batch_size, constants) * _page_s(curves)
    if trains:
        traffic += _conversions_s(network, workload, curves)
    optimizer = _optimizer_s(network, workload, curves) if trains else 0.0
    return None if optimizer is None else ClassTimes(compute, traffic, launch, optimizer)


def _is_product(one: Operation) -> bool:
    return one.kind in ("gemm", "conv", "depthwise_conv", "attention", "recurrent")


def _operation_s(one: Operation, curves: Mapping[str, Curve], batch: float) -> float | None:
    if one.operator == "conv_bias" or one.operator.endswith("conv_bias_gradient"):
        return 0.0  # processors add it in the convolution itself
    flop = one.flop_per_sample * batch + one.flop_fixed
    moved = one.bytes_per_sample * batch + one.bytes_fixed
    if one.kind == "recurrent":
        return _recurrent_s(one, curves, flop)
    name, phase, narrow = _class_of(one, batch)
    amount = flop if _is_product(one) else moved
    if name not in _WIDTHS:
        curve = curves.get(f"{name}.{phase}")
        return None if curve is None else seconds_of(curve, amount)
    found = [
        (width, curves[f"{name}.{width}.{phase}"]) for width in _WIDTHS[name] if f"{name}.{width}.{phase}" in curves
    ]
    return _between(found, narrow, amount) if found else None


def _between(found: Sequence[tuple[int, Curve]], narrow: float, amount: float) -> float:
    """Return the time between the two measured widths nearest to an operation's narrowest extent."""
    if narrow <= found[0][0]:
        return seconds_of(found[0][1], amount * (found[0][0] / max(narrow, 1.0)) ** _NARROWER)
    for (width, curve), (wider, wide_curve) in pairwise(found):
        if narrow <= wider:
            share = math.log(narrow / width) / math.log(wider / width)
            narrow_s = seconds_of(curve, amount)
            # Of the same work the wider problem is never the slower one (its curve may begin with larger problems),
            # nor so much faster that a wider problem with more work would take less time.
            wide_s = min(narrow_s, max(seconds_of(wide_curve, amount), narrow_s * width / wider))
            return narrow_s * math.exp(share * math.log(wide_s / narrow_s))
    return seconds_of(found[-1][1], amount)


_NARROWER = 0.5
"""Exponent with which what is narrower than the narrowest measured counts as more work: it fills less of a vector."""


def _class_of(one: Operation, batch: float) -> tuple[str, str, float]:
    """Return the class of an operation, the phase of its curve, and its narrowest extent."""
    if one.kind in ("conv", "depthwise_conv"):
        return _convolution_class(one)
    if one.kind == "gemm":
        size = [float(edge) for edge in one.shape]
        if one.batch_axis is not None:
            size[one.batch_axis] *= batch
        phase = "forward" if one.phase == "forward" else "weight" if is_weight_gradient(one) else "input"
        return ("gemm.batched" if size[0] > 1 else "gemm"), phase, min(size[1:])
    phase = "forward" if one.phase == "forward" else "backward"
    if one.kind == "attention":
        return "attention", phase, 0.0
    return _pass_class(one, phase)


def _convolution_class(one: Operation) -> tuple[str, str, float]:
    c_in, c_out, height, width, rows, _, groups, _ = one.shape
    phase = "forward"
    if one.operator.endswith("_gradient"):
        phase = "weight" if one.operator.endswith("weight_gradient") else "input"
    narrow = float(min(c_in, c_out))
    if one.kind == "depthwise_conv":
        name = "depthwise"
    elif one.operator.startswith("conv_transposed"):
        name = "conv_transposed"
    elif groups > 1:
        name = "conv_grouped"
    elif height > 1 and height == width**2:
        name = "conv_3d"
    elif rows == 1 and height == 1 and width > 1:
        name = "conv_1d"
    elif c_in <= 4:
        name = "conv_stem"
    else:
        name = "conv_1x1" if height * width == 1 else "conv"
    return name, phase, narrow


def _pass_class(one: Operation, phase: str) -> tuple[str, str, float]:
    """Return the class of a pass over memory; where its gradient is a pass of another kind, forward."""
    name = next((name for kind, part, name in _PASSES if one.kind in kind and part in one.operator), None)
    if name is not None:
        return name, phase, 0.0
    if one.kind == "reduction":
        return "reduction", "forward", 0.0
    is_moved = one.kind == "copy" and one.operator.startswith(_MOVED)
    return ("copy" if is_moved else "elementwise"), "forward", 0.0


_PASSES: tuple[tuple[tuple[str, ...], str, str], ...] = (
    # kinds, part of the operator's name, class
    (("normalization",), "batch_norm", "batch_norm"),
    (("normalization",), "group_norm", "group_norm"),
    (("normalization",), "", "layer_norm"),
    (("embedding",), "", "embedding"),
    (("pooling",), "max_pool", "pooling_max"),
    (("pooling",), "", "pooling"),
    (("softmax",), "", "softmax"),
    (("loss",), "softmax", "softmax"),
    (("elementwise",), "dropout", "dropout"),
    *((("elementwise",), name, "elementwise_math") for name in _MATH),
)


def _recurrent_s(one: Operation, curves: Mapping[str, Curve], flop: float) -> float | None:
    """Return the time of a recurrent layer from that of a sequence of ``_STEPS`` steps and one layer."""
    steps, _, _, _, layers, directions, gates = one.shape
    name = {4: "recurrent_lstm", 3: "recurrent_gru"}.get(gates, "recurrent_rnn")
    curve = curves.get(f"{name}.{'forward' if one.phase == 'forward' else 'backward'}")
    if curve is None:
        return None
    sequences = steps * layers * directions / _STEPS
    return sequences * seconds_of(curve, flop / sequences)


def _least_s(one: Operation, curves: Mapping[str, Curve]) -> float:
    """Return what starting an operation takes, however small it is."""
    known = curves.get("elementwise.forward")
    return known[0][1] * one.kernels if known else 0.0


def _page_s(curves: Mapping[str, Curve]) -> float:
    """Return the time a byte takes more when it is touched for the first time."""
    known = curves.get("pages")
    return 0.0 if known is None else known[0][1] / known[0][0]


def _conversions_s(network: Network, workload: Workload, curves: Mapping[str, Curve]) -> float:
    """Return the time to convert weights to a shorter format and their gradients back, under mixed precision."""
    pass_over = curves.get("elementwise.forward")
    if workload.precision != "amp" or pass_over is None:
        return 0.0
    return seconds_of(pass_over, _CONVERTED_BYTES * network.trainable_parameters)


_CONVERTED_BYTES = 12.0
"""For each parameter: 4 read and 2 written, and the gradient back."""


def _optimizer_s(network: Network, workload: Workload, curves: Mapping[str, Curve]) -> float | None:
    """Return the time of the optimizer: what each tensor costs, and each element by the size of the whole."""
    if workload.optimizer == "none":
        return 0.0
    name = "optimizer_sgd" if workload.optimizer == "sgd" else "optimizer_adam"
    each, whole = curves.get(f"{name}.64"), curves.get(f"{name}.1")
    if each is None or whole is None:
        return None
    tensors = max(1, network.parameter_tensors)
    started_s = each[0][1]
    elements = trained_parameters(network, workload.method) / tensors
    return tensors * max(started_s, seconds_of(((0.0, started_s), *whole), elements))
