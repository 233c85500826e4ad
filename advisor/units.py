"""Convert between the units files and screens use and the SI units of the core (seconds, bytes, watts, hertz)."""

MIB = 1024**2
GIB = 1024**3
GB = 10**9
TERA = 10**12
GIGA = 10**9
MEGA = 10**6

BYTES_PER_MBIT = MEGA / 8

MINUTE_S = 60.0
HOUR_S = 3600.0
DAY_S = 86_400.0
WEEK_S = 7 * DAY_S
MONTH_S = 30.4375 * DAY_S  # a twelfth of a Julian year
YEAR_S = 365.25 * DAY_S

JOULES_PER_KWH = 3.6e6


def hours_to_seconds(time_h: float) -> float:
    """Return seconds."""
    return time_h * HOUR_S


def minutes_to_seconds(time_min: float) -> float:
    """Return seconds."""
    return time_min * MINUTE_S
