"""Where the axis of a live graph ends: at a round value that no curve goes beyond."""

from collections.abc import Iterable


def axis_top(highest: Iterable[float], least: float) -> float:
    """Return the round upper end for curves that reach these values; at least ``least``."""
    return round_up(max([least, *highest]))


def round_up(value: float) -> float:
    """Return the next value of the form 1, 2 or 5 times a power of ten."""
    step = 1.0
    while step < value:
        step *= 10
    return next(step * part for part in (0.1, 0.2, 0.5, 1.0) if step * part >= value)
