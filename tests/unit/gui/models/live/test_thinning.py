"""Thinning of curves keeps peaks and gaps."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from advisor.gui.models.live.thinning import MOST_POINTS, STRETCHES, Thinning


@given(st.integers(min_value=1, max_value=5000), st.integers(min_value=0, max_value=4999), st.floats(0.2, 5.0))
def test_thinning_keeps_every_peak(count: int, place: int, step_s: float) -> None:
    """However many samples there are, few points are drawn, and the highest value is among them."""
    times = [1000.0 + step_s * turn for turn in range(count)]
    values = [0.0] * count
    values[place % count] = 7.0
    thin = Thinning(times, times[-1] - times[0])

    drawn = thin(values)

    assert len(drawn) == len(thin.times_s) <= max(MOST_POINTS, 2 * STRETCHES + 4)
    assert drawn.max() == 7.0
    assert (np.diff(thin.times_s) >= 0).all()


def test_a_stretch_without_values_stays_a_gap() -> None:
    """Where a sensor said nothing for a whole stretch, nothing is drawn."""
    times = [float(turn) for turn in range(4000)]
    values = [math.nan if 1000 <= turn < 2000 else 1.0 for turn in range(4000)]
    thin = Thinning(times, 3600.0)

    inside = (thin.times_s > 1010) & (thin.times_s < 1980)
    assert np.isnan(thin(values)[inside]).all()
    assert not np.isnan(thin(values)[thin.times_s < 980]).any()
