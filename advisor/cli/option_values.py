"""How the value of an option is read: amounts, counts, shares, shapes; what is none is said in the user's language."""

import argparse
import math
import re
from collections.abc import Callable

from advisor.locale import Language

MOST_MINUTES = 10_080.0
"""A week: no suite takes longer, and clocks have an end."""
_MOST_COUNT = 10**17
"""Of a whole number; what it may be at most is said where it is used."""
_LONGEST_COUNT = len(str(_MOST_COUNT))
_MOST_IN_SHAPE = 2**31
_MOST_RANKS = 256
"""A thread of each core of the largest servers; a hundred thousand processes hold up a computer for minutes."""


def _more_than(text: str, most: float, lang: Language) -> argparse.ArgumentTypeError:
    said = lang.gettext("'{text}' is more than {most}").format(text=text, most=lang.number(most))
    return argparse.ArgumentTypeError(said)


def amount_type(lang: Language, most: float = math.inf) -> Callable[[str], float]:
    """Return what reads a number above 0, and at most so much."""

    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not (math.isfinite(value) and value > 0):
            raise argparse.ArgumentTypeError(lang.gettext("'{text}' is not a number above 0").format(text=text))
        if value > most:
            raise _more_than(text, most, lang)
        return value

    return parse


def amount_or_none_type(lang: Language) -> Callable[[str], float]:
    """Return what reads a number above 0, or 0."""
    above_zero = amount_type(lang)
    return lambda text: 0.0 if re.fullmatch(r"0+(\.0*)?", text) else above_zero(text)


def share_type(lang: Language) -> Callable[[str], float]:
    """Return what reads a percentage, as a share of 1."""

    def parse(text: str) -> float:
        try:
            value = float(text.removesuffix("%"))
        except ValueError:
            value = math.nan
        if not 0 <= value <= 100:
            raise argparse.ArgumentTypeError(lang.gettext("'{text}' is not a number from 0 to 100").format(text=text))
        return value / 100

    return parse


def count_type(lang: Language) -> Callable[[str], int]:
    """Return what reads a whole number above 0."""

    def parse(text: str) -> int:
        if text.isdecimal() and (len(text) > _LONGEST_COUNT or int(text) > _MOST_COUNT):
            raise _more_than(text, _MOST_COUNT, lang)
        if not (text.isdecimal() and int(text) > 0):
            raise argparse.ArgumentTypeError(lang.gettext("'{text}' is not a whole number above 0").format(text=text))
        return int(text)

    return parse


def ranks_type(lang: Language) -> Callable[[str], int]:
    """Return what reads how many processes one computer is to run."""
    count = count_type(lang)

    def parse(text: str) -> int:
        if (value := count(text)) > _MOST_RANKS:
            raise _more_than(text, _MOST_RANKS, lang)
        return value

    return parse


def whole_type(lang: Language) -> Callable[[str], int]:
    """Return what reads a whole number that may be 0."""

    def parse(text: str) -> int:
        if not (text.isdecimal() and len(text) <= _LONGEST_COUNT and int(text) <= 10_000):
            raise argparse.ArgumentTypeError(
                lang.gettext("'{text}' is not a whole number from 0 to 10000").format(text=text)
            )
        return int(text)

    return parse


def shape_type(lang: Language) -> Callable[[str], tuple[int, ...]]:
    """Return what reads the extents of a sample, such as 3x224x224."""
    count = count_type(lang)

    def parse(text: str) -> tuple[int, ...]:
        shape = tuple(count(part.strip()) for part in text.replace("x", ",").split(","))
        if max(shape) > _MOST_IN_SHAPE:
            raise _more_than(text, _MOST_IN_SHAPE, lang)
        return shape

    return parse


def shard_type(lang: Language) -> Callable[[str], tuple[int, int]]:
    """Return what reads a part of a whole, such as 3/8."""

    def parse(text: str) -> tuple[int, int]:
        found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
        index, count = (int(part) for part in found.groups()) if found else (0, 0)
        if not 1 <= index <= count:
            raise argparse.ArgumentTypeError(lang.gettext("'{text}' is not a part such as 3/8").format(text=text))
        return index, count

    return parse


def minutes_type(lang: Language) -> Callable[[str], float]:
    """Return what reads how long something may take at most."""
    return amount_type(lang, MOST_MINUTES)


def upper_type(_lang: Language) -> Callable[[str], str]:
    """Return what reads a code in capitals."""
    return str.upper
