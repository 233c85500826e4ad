"""Convert between the units files and screens use and the SI units of the core (seconds, bytes, watts, hertz)."""

import re
from functools import partial

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

    English or Spanish words, or their first letters, as in ``2 h 40 min``, ``1,5 horas``, ``3½ days``, ``hora y media``
    or ``two and a half minutes``; a clock's ``2:40:00``, and ``2:40 h``. A number without a unit says nothing.
    """
    text = _spelt_out(text)
    clock = re.fullmatch(rf"(\d{{1,4}}):([0-5]\d)(?::([0-5]\d))?\s*({_NAMES})?", text)
    if clock is not None:
        return _clock_seconds(*clock.groups())
    if not re.fullmatch(rf"(?:{_PART}(?:\s|,|and\b|y\b|con\b)*)+", text):
        return None
    total = sum(float(number.replace(",", ".")) * _length(unit) for number, unit in re.findall(_PART, text))
    return total if 0 < total < _LONGEST_S else None


def _clock_seconds(first: str, second: str, third: str | None, unit: str | None) -> float | None:
    """Return what a clock shows; of two numbers only a unit tells whether they are hours or minutes."""
    length = HOUR_S if third is not None and unit is None else 0.0 if unit is None else _length(unit)
    if length not in (HOUR_S, MINUTE_S) or (third is not None and length != HOUR_S):
        return None
    return length * (int(first) + int(second) / 60 + int(third or 0) / 3600) or None


def _length(unit: str) -> float:
    return next(length for words, length in _WORDS if unit in words)


def _spelt_out(text: str) -> str:
    """Return a duration with each number in digits before its unit: halves, quarters, number words, 1h30 and 2'30"."""
    text = re.sub(r"(?<=[a-zá-ú])\.", "", " ".join(text.casefold().split()))
    text = re.sub(_HEDGES, "", text)
    for sign, decimals in (("½", ".5"), ("¼", ".25"), ("¾", ".75")):
        text = re.sub(rf"\s*{sign}", decimals, text)
    text = re.sub(
        rf"\b({'|'.join(sorted(_NUMBERS, key=len, reverse=True))})\b", lambda found: str(_NUMBERS[found[1]]), text
    )
    text = re.sub(rf"\b(?:half an?|medi[ao]) ({_NAMES})\b", r"0.5 \1", text)
    text = re.sub(rf"\b(?:3 quarters|3 cuartos) (?:of an?|de) ({_NAMES})\b", r"0.75 \1", text)
    text = re.sub(rf"\b(?:an? |un )?(?:quarter|cuarto) (?:of an?|de) ({_NAMES})\b", r"0.25 \1", text)
    text = re.sub(rf"\b(?:an?|una?) (?=(?:{_NAMES})\b)", "1 ", text)
    for words, share in ((r"(?:and a half|y medi[ao])", 0.5), (r"(?:and a quarter|y cuarto)", 0.25)):
        text = re.sub(rf"(\d+) {words} ({_NAMES})\b", partial(_more, share), text)
        text = re.sub(rf"(?:(\d+)\s*)?\b({_NAMES}) {words}", partial(_more, share), text)
    text = re.sub(r"(\d)\s*'\s*(\d+)\s*(?:''|\")?$", r"\1 min \2 s", text)
    text = re.sub(r"(\d\s*h(?:r|rs|s|ours?|oras?)?)(?: and| y)?\s*([0-5]?\d)$", r"\1 \2 min", text)
    return re.sub(r"(\d\s*m(?:ins?|inutes?|inutos?)?)(?: and| y)?\s*([0-5]?\d)$", r"\1 \2 s", text)


def _more(share: float, found: re.Match[str]) -> str:
    return f"{int(found[1] or 1) + share} {found[2]}"


_WORDS = (
    (("s", "sec", "secs", "second", "seconds", "seg", "segs", "sg", "segundo", "segundos"), 1.0),
    (("min", "mins", "m", "minute", "minutes", "minuto", "minutos"), MINUTE_S),
    (("h", "hr", "hrs", "hs", "hour", "hours", "hora", "horas"), HOUR_S),
    (("d", "day", "days", "día", "días", "dia", "dias"), DAY_S),
    (("w", "week", "weeks", "semana", "semanas"), WEEK_S),
    (("month", "months", "mes", "meses"), MONTH_S),
)
_NUMBERS = {
    word: number
    for number, words in (
        (1, "one uno"),
        (2, "two dos"),
        (3, "three tres"),
        (4, "four cuatro"),
        (5, "five cinco"),
        (6, "six seis"),
        (7, "seven siete"),
        (8, "eight ocho"),
        (9, "nine nueve"),
        (10, "ten diez"),
        (11, "eleven once"),
        (12, "twelve doce"),
        (15, "fifteen quince"),
        (20, "twenty veinte"),
        (30, "thirty treinta"),
        (40, "forty cuarenta"),
        (45, "forty-five"),
        (50, "fifty cincuenta"),
        (90, "ninety noventa"),
    )
    for word in reversed(words.split())
}
_HEDGES = (
    r"^(?:about|around|roughly|some|nearly|almost|just over|app?rox|ca|unos|unas|casi|aproximadamente|cerca de|"
    r"más o menos|[~≈])\s*(?=[\d.a-zá-ú½¼¾])"
)
_LONGEST_S = 100 * YEAR_S
_NAMES = "|".join(sorted((word for words, _length in _WORDS for word in words), key=len, reverse=True))
_PART = rf"(\d*[.,]?\d+)\s*({_NAMES})(?![a-zá-ú])"
