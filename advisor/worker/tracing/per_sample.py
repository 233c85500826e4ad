"""From runs at two batch sizes to the work of one sample and what is fixed: everything is linear in the batch."""

from collections import Counter
from collections.abc import Iterable

import msgspec

from advisor.records.job.work import Operation, Phase, highest_lines
from advisor.worker.tracing.operators import Work
from advisor.worker.tracing.recorder import Trace


def fit(values: list[int], batches: tuple[int, int]) -> tuple[float, float]:
    """Return amount per sample and fixed amount of a quantity seen at two batch sizes."""
    slope = (values[1] - values[0]) / (batches[1] - batches[0])
    return float(slope), float(values[0] - slope * batches[0])


def storages_of(runs: list[Trace], batches: tuple[int, int]) -> list[tuple[float, float]]:
    """Return bytes per sample and fixed bytes of each storage."""
    return [fit([small, large], batches) for small, large in zip(runs[0].sizes, runs[1].sizes, strict=True)]


def peak_of(runs: list[Trace], batches: tuple[int, int]) -> tuple[float, float]:
    """Return bytes per sample and fixed bytes at the fullest moment.

    Which moment that is depends on the batch. The line returned is exact for one sample and has the slope of a large
    batch; between them it is never too low, because the highest of several lines is convex.
    """
    storages = storages_of(runs, batches)
    slope = fixed = most_per_sample = most_of_one = 0.0
    for step, index in runs[0].timeline:
        slope += step * storages[index][0]
        fixed += step * storages[index][1]
        most_per_sample = max(most_per_sample, slope)
        most_of_one = max(most_of_one, slope + fixed)
    return most_per_sample, most_of_one - most_per_sample


def moments_of(runs: list[Trace], batches: tuple[int, int]) -> tuple[tuple[float, float], ...]:
    """Return (bytes per sample, fixed bytes) of the moments of which one is the fullest at any batch.

    Gradients of parameters are in it from when they are made.
    """
    storages = dict(enumerate(storages_of(runs, batches)))
    storages |= {place: (0.0, float(size)) for place, size in runs[0].gradients.items()}
    slope = fixed = 0.0
    lines = {(0.0, 0.0)}
    for step, index in runs[0].timeline:
        slope += step * storages[index][0]
        fixed += step * storages[index][1]
        if step > 0:
            lines.add((slope, fixed))
    return highest_lines(lines)


def fit_operations(runs: list[Trace], batches: tuple[int, int]) -> list[Operation]:
    """Return the operations of a sample, in the order they run."""
    first, second = (run.work for run in runs)
    return [
        _fit_operation(phase, small, large, batches) for (phase, small), (_, large) in zip(first, second, strict=True)
    ]


def _fit_operation(phase: Phase, small: Work, large: Work, batches: tuple[int, int]) -> Operation:
    flop, flop_fixed = fit([small.flop, large.flop], batches)
    moved, moved_fixed = fit([small.bytes, large.bytes], batches)
    shape, axis = _shape_per_sample(small, large, batches)
    return Operation(
        kind=small.kind,
        phase=phase,
        operator=small.operator,
        shape=shape,
        batch_axis=axis,
        flop_per_sample=flop,
        flop_fixed=flop_fixed,
        bytes_per_sample=moved,
        bytes_fixed=moved_fixed,
        kernels=small.kernels,
    )


def _shape_per_sample(small: Work, large: Work, batches: tuple[int, int]) -> tuple[tuple[int, ...], int | None]:
    if small.kind in ("conv", "depthwise_conv"):
        return _conv_shape_per_sample(small, batches[0]), -1 if large.flop > small.flop else None
    changed = [axis for axis, size in enumerate(small.shape) if size != large.shape[axis]]
    if not changed:
        return small.shape, None
    axis = changed[0]
    shape = list(small.shape)
    shape[axis] = max(1, round((large.shape[axis] - small.shape[axis]) / (batches[1] - batches[0])))
    return tuple(shape), axis


def _conv_shape_per_sample(work: Work, batch: int) -> tuple[int, ...]:
    """Return the geometry; where a sample is several images (boxes of a detector), they are stacked in height."""
    c_in, c_out, kernel_h, kernel_w, height, width, groups, stride = work.shape
    of_one_image = 2 * (c_in // groups) * c_out * kernel_h * kernel_w * height * width
    images = max(1, work.flop // (of_one_image * batch))
    return (c_in, c_out, kernel_h, kernel_w, height * images, width, groups, stride)


def group_equal(operations: Iterable[Operation]) -> tuple[Operation, ...]:
    """Return equal operations once, with their count, in the order they first run."""
    counts = Counter(operations)
    return tuple(operation if count == 1 else _with_count(operation, count) for operation, count in counts.items())


def _with_count(operation: Operation, count: int) -> Operation:
    return msgspec.structs.replace(operation, count=count)
