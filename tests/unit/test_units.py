"""Units of screens and files turn into those of the core and back without loss."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor import units

amounts = st.floats(1e-6, 1e12)


@given(hours=amounts)
def test_hours_come_back(hours: float) -> None:
    """To seconds and back."""
    assert units.hours_to_seconds(hours) / units.HOUR_S == pytest.approx(hours, rel=1e-12)


@given(minutes=amounts)
def test_minutes_are_sixtieths_of_hours(minutes: float) -> None:
    """By either way to seconds."""
    assert units.minutes_to_seconds(minutes) == pytest.approx(units.hours_to_seconds(minutes / 60), rel=1e-12)


def test_units_of_time_and_size_fit_each_other() -> None:
    """A day has 24 hours, a year twelve months; binary prefixes are powers of 1024, decimal ones of 1000."""
    assert units.DAY_S == 24 * units.HOUR_S == 24 * 60 * units.MINUTE_S
    assert math.isclose(12 * units.MONTH_S, units.YEAR_S)
    assert (1024 * units.MIB, 1024**3) == (units.GIB, units.GIB)
    assert units.GB == units.GIGA == units.MEGA * 1000 == units.TERA // 1000
    assert units.JOULES_PER_KWH == 1000 * units.HOUR_S
