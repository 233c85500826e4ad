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


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2 h 40 min", 9600),
        ("2h40", 9600),
        ("2h40min", 9600),
        ("2:40:00", 9600),
        ("1,5 horas", 5400),
        ("3½ days", 302_400),
        ("3 minutos y 20 segundos", 200),
        ("2 hours, 10 minutes and 5 s", 7805),
        ("2 minutos y medio", 150),
        ("2 and a half minutes", 150),
        ("two and a half hours", 9000),
        ("dos horas y media", 9000),
        ("hora y media", 5400),
        ("an hour and a half", 5400),
        ("una hora y cuarto", 4500),
        ("media hora", 1800),
        ("half an hour", 1800),
        ("tres cuartos de hora", 2700),
        ("un cuarto de hora", 900),
        ("una hora", 3600),
        ("a day", 86_400),
        ("1h30", 5400),
        ("1 h 30", 5400),
        ("2 horas y 30", 9000),
        ("2m30", 150),
        ("2'30\"", 150),
        ("90 s", 90),
        ("90 sg.", 90),
        ("2:30 h", 9000),
        ("2:30 horas", 9000),
        ("2:30 min", 150),
        ("about 20 minutes", 1200),
        ("unos 20 min.", 1200),
        ("2 ½ h", 9000),
        ("forty-five minutes", 2700),
    ],
)
def test_a_duration_is_read_as_people_write_it(text: str, seconds: float) -> None:
    """In English and Spanish, with words, letters, halves or a clock."""
    assert units.spoken_seconds(text) == seconds


@pytest.mark.parametrize(
    "text",
    ["", "45", "h", "-3 h", "0 s", "2:40", "soon", "3 h x", "1e9 d", "9999999 months", "hour", "y media", "2:30 d"],
)
def test_what_is_no_duration_is_none(text: str) -> None:
    """A number alone may be anything."""
    assert units.spoken_seconds(text) is None


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    """Nothing that people type ends the program."""
    found = units.spoken_seconds(text)
    assert found is None or found > 0
