"""Convert between the units files and screens use and the SI units of the core (seconds, bytes, watts, hertz)."""

import re

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


def spoken_seconds(text: str) -> float | None:
    """Return the seconds of a duration as people write it; None where it is none.

    Units may be English or Spanish words or their first letters, as in ``2 h 40 min``, ``1,5 horas`` or ``3½ days``; a
    clock's ``2:40:00`` has hours, minutes and seconds. A number without a unit says nothing.
    """
    text = text.strip().casefold().replace("½", ".5")
    clock = re.fullmatch(r"(\d{1,4}):([0-5]\d):([0-5]\d)", text)
    if clock is not None:
        hours, minutes, seconds = map(float, clock.groups())
        return hours * HOUR_S + minutes * MINUTE_S + seconds or None
    text = re.sub(r"(\d\s*h)\s*([0-5]?\d)$", r"\1 \2 min", text)  # 2h40
    if not re.fullmatch(rf"(?:{_PART}(?:\s|,|and\b|y\b)*)+", text):
        return None
    total = 0.0
    for number, unit in re.findall(_PART, text):
        length = next(length for words, length in _WORDS if unit in words)
        total += float(number.replace(",", ".")) * length
    return total if 0 < total < _LONGEST_S else None


_WORDS = (
    (("s", "sec", "secs", "second", "seconds", "seg", "segundo", "segundos"), 1.0),
    (("min", "mins", "m", "minute", "minutes", "minuto", "minutos"), MINUTE_S),
    (("h", "hr", "hrs", "hour", "hours", "hora", "horas"), HOUR_S),
    (("d", "day", "days", "día", "días", "dia", "dias"), DAY_S),
    (("w", "week", "weeks", "semana", "semanas"), WEEK_S),
    (("month", "months", "mes", "meses"), MONTH_S),
)
_LONGEST_S = 100 * YEAR_S
_NAMES = "|".join(sorted((word for words, _length in _WORDS for word in words), key=len, reverse=True))
_PART = rf"(\d*[.,]?\d+)\s*({_NAMES})(?![a-zá-ú])"
