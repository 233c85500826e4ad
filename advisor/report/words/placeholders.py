"""Put values into texts: the name of a value says its unit, and so how it is spelled."""

import re
from collections.abc import Callable, Mapping

from advisor.locale import Language
from advisor.records.job.advice import FactValue
from advisor.records.results.report import Report
from advisor.report.words import quantities
from advisor.report.words.labels import amount

_PLACE = re.compile(r"\{(\w{1,40})\}")
_FIGURE = re.compile(r"\{(\d{1,9}\.(\d{1,3}))\}")
"""A number of the text itself, such as {9.6}: Mexico's Spanish writes 9.6, Spain's 9,6."""


def fill(text: str, values: Mapping[str, FactValue], report: Report, language: Language) -> str:
    """Return the text with each name in braces replaced by its value, and each number in braces as people write it.

    Only plain names and numbers are replaced, so that a text from a report file of unknown origin can do nothing else.
    """

    def replaced(match: re.Match[str]) -> str:
        return spell(match.group(1), values.get(match.group(1)), report, language)

    def written(match: re.Match[str]) -> str:
        return language.number(float(match.group(1)), len(match.group(2)))

    return _PLACE.sub(replaced, _FIGURE.sub(written, text))


def spell(name: str, value: FactValue, report: Report, language: Language) -> str:
    """Return a value in words, by the unit in its name."""
    if value is None:
        return language.gettext("unknown")
    if isinstance(value, bool):
        return language.gettext("yes") if value else language.gettext("no")
    if isinstance(value, str):
        return value
    if name.endswith("_usd"):
        return amount(value, report, language)
    for ending, spelled in _BY_ENDING.items():
        if name.endswith(ending):
            return spelled(value, language)
    return quantities.count(value, language)


def _ratio(value: float, language: Language) -> str:
    return language.percent(value)


_BY_ENDING: dict[str, Callable[[float, Language], str]] = {
    "over_cpu_ratio": quantities.factor,
    "_per_s": quantities.round_count,
    "_s": quantities.duration,
    "_bytes": quantities.memory,
    "_ratio": _ratio,
    "months": quantities.months,
    "_hours": quantities.round_count,
    "times": quantities.factor,
}
