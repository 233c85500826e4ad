"""Memory that a step on a processor touches for the first time again, because the C library had given it back."""

import math

from advisor.predict.coefficients import ClassCoefficients
from advisor.predict.timing.step_work import REDUCED, is_weight_gradient, runs, trained_parameters
from advisor.records.job.work import Network, Operation
from advisor.records.job.workload import Workload
from advisor.units import MIB

_MAPPED_BYTES = 32 * MIB
"""Above this size glibc asks the system for every block. Source: mallopt(3), DEFAULT_MMAP_THRESHOLD_MAX."""


def paged_bytes(network: Network, workload: Workload, batch: float, constants: ClassCoefficients) -> float:
    """Return the bytes of a step that are touched for the first time again.

    Of blocks above ``_MAPPED_BYTES`` these are all that an operation writes; of smaller ones a share of what is alive
    at the fullest moment; and gradients.
    """
    size = 2.0 if workload.precision in REDUCED else 4.0
    mapped, smaller = _written_bytes(network, workload, batch, size, constants.paged_convolutions)
    if workload.task != "train":
        return mapped
    size = 4.0 if workload.precision == "amp" else size
    peak = (network.peak_bytes_per_sample * batch + network.peak_bytes_fixed) * size / 4.0
    from_heap = smaller / (smaller + mapped) if smaller else 0.0
    trained = trained_parameters(network, workload.method)
    # Most parameters are in the few largest tensors, some four times the mean.
    is_large = 4.0 * size * trained / max(1, network.parameter_tensors) >= _MAPPED_BYTES
    gradients = constants.paged_gradients + (constants.paged_large if is_large else 0.0)
    return mapped + constants.paged_activations * peak * from_heap + gradients * size * trained


def _written_bytes(
    network: Network, workload: Workload, batch: float, size: float, by_convolutions: float
) -> tuple[float, float]:
    """Return the bytes in blocks that come from the system, and in smaller ones, that a step's operations write.

    Without the gradients of weights. A convolution of large blocks touches ``by_convolutions`` times what it puts out.
    """
    mapped = smaller = 0.0
    repeated = 2.0 if workload.checkpointing and workload.task == "train" else 1.0
    for one in network.operations:
        if not runs(one, workload) or is_weight_gradient(one):
            continue
        block = size * _written(one, batch)
        blocks = one.count * (repeated if one.phase == "forward" else 1.0)
        if block <= _MAPPED_BYTES:
            smaller += block * blocks
        else:
            mapped += block * blocks * (by_convolutions if one.kind in _CONVOLUTIONS else 1.0)
    return mapped, smaller


_CONVOLUTIONS = ("conv", "depthwise_conv")
_ROWS = (0, 1)
_OUTPUT_AXES: dict[str, tuple[int, ...]] = {
    "gemm": (0, 1, 2),
    "attention": (0, 1, 2, 4),
    "recurrent": (0, 1, 3, 4, 5),
    "normalization": _ROWS,
    "softmax": _ROWS,
    "loss": _ROWS,
    "embedding": _ROWS,
}
"""Sizes in the shape of an operation whose product is what it puts out; of other kinds the first alone."""


def _written(one: Operation, batch: float) -> float:
    """Return the elements that one operation puts out, by its shape."""
    if one.kind in _CONVOLUTIONS:
        c_in, c_out, _, _, height, width, _, stride = one.shape
        if one.operator.endswith("input_gradient"):
            return batch * c_in * height * width * stride**2
        return 0.0 if "bias" in one.operator else batch * c_out * height * width
    put_out = math.prod(one.shape[axis] for axis in _OUTPUT_AXES.get(one.kind, (0,)))
    return float(put_out) * (1.0 if one.batch_axis is None else batch)
