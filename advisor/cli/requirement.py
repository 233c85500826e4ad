"""``--require``: conditions that the answer must meet, so that a script can go by the exit status."""

import operator
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from advisor.errors import InputError
from advisor.records.job.advice import Option
from advisor.records.results.report import Report
from advisor.units import GIB, HOUR_S

_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}
WORDS = ("fits", "here")
_CLAUSE = re.compile(rf"(?:(?P<word>{'|'.join(WORDS)})|(?P<name>\w+)\s*(?P<sign><=|>=|<|>)\s*(?P<limit>\d+(?:\.\d+)?))")
_QUANTITIES: dict[str, Callable[[Option], float | None]] = {
    "hours": lambda option: None if option.run_s is None else option.run_s / HOUR_S,
    "longest_hours": lambda option: None if option.interval is None else option.interval.high / HOUR_S,
    "run_usd": lambda option: option.run_usd,
    "usd": lambda option: option.horizon_usd,
    "memory_gb": lambda option: (
        None
        if option.prediction is None or option.prediction.memory is None
        else option.prediction.memory.total_bytes / GIB
    ),
}


class Clause(NamedTuple):
    """One condition.

    Attributes:
        text: As it was written.
        name: What is looked at: ``fits``, ``here`` or a quantity.
        sign: Of a comparison; empty for a word.
        limit: Of a comparison.
    """

    text: str
    name: str
    sign: str = ""
    limit: float = 0.0


def read_requirement(text: str) -> tuple[Clause, ...]:
    """Return the conditions of an expression such as ``hours<8 and fits``.

    Raises:
        InputError: It is no such expression, or names something unknown.
    """
    return tuple(_clause(part.strip()) for part in re.split(r"\band\b", text))


def _clause(text: str) -> Clause:
    match = _CLAUSE.fullmatch(text)
    name = "" if match is None else match["word"] or match["name"]
    if match is None or (match["word"] is None and name not in _QUANTITIES):
        raise InputError(
            "--require: '{text}' is not a condition; use fits, here, or a comparison such as hours<8, with one "
            "of: {known}. Join several with and.",
            text=text,
            known=", ".join(_QUANTITIES),
        )
    if match["word"]:
        return Clause(text, name)
    return Clause(text, name, match["sign"], float(match["limit"]))


def unmet(clauses: tuple[Clause, ...], report: Report) -> Mapping[str, float | None]:
    """Return the conditions that the answer does not meet, each with its value there; None where unknown.

    What is not known meets no condition. Amounts are US dollars.
    """
    chosen = next((one for one in report.advice.options if one.id == report.advice.chosen), None)
    return {clause.text: value for clause in clauses for is_met, value in (_look(clause, chosen),) if not is_met}


def _look(clause: Clause, chosen: Option | None) -> tuple[bool, float | None]:
    if chosen is None:
        return False, None
    if clause.name == "here":
        return chosen.tier == "this_computer", None
    if clause.name == "fits":
        memory = None if chosen.prediction is None else chosen.prediction.memory
        return chosen.prediction is not None and (memory is None or memory.fits is True), None
    value = _QUANTITIES[clause.name](chosen)
    return value is not None and _COMPARE[clause.sign](value, clause.limit), value
