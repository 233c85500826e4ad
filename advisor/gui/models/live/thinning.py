"""Fewer points than samples, without losing a peak: each stretch of time keeps its lowest and its highest value."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Values = np.ndarray[tuple[int], np.dtype[np.float64]]

MOST_POINTS = 800
STRETCHES = 400


class Thinning:
    """Which samples a drawn point stands for.

    Stretches begin at round multiples of their own length, so that a peak keeps its shape while it moves to the left.

    Attributes:
        times_s: Of the drawn points; every sample's where there are few.
    """

    def __init__(self, times_s: Sequence[float], span_s: float) -> None:
        all_s = np.asarray(times_s, dtype=np.float64)
        self._starts: np.ndarray[tuple[int], np.dtype[np.intp]] | None = None
        self.times_s: Values = all_s
        if len(all_s) > MOST_POINTS:
            stretch = np.floor(all_s / (span_s / STRETCHES))
            self._starts = np.flatnonzero(np.diff(stretch, prepend=stretch[0] - 1))
            self.times_s = np.repeat(all_s[self._starts], 2)

    def __call__(self, values: Sequence[float]) -> Values:
        """Return what is drawn of some values, one a sample; NaN where a whole stretch has none."""
        every = np.asarray(values, dtype=np.float64)
        if self._starts is None:
            return every
        ends = (np.fmin.reduceat(every, self._starts), np.fmax.reduceat(every, self._starts))
        return np.column_stack(ends).ravel()
