"""Options beside each other: what differs first, and which of them is best by each fact that can be told better."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from advisor.gui.models.options.details import option_facts
from advisor.locale import Language
from advisor.records.job.advice import Option
from advisor.records.results.report import Report
from advisor.report.content.options.option_rows import pick_phrase
from advisor.report.words import quantities
from advisor.report.words.labels import price_title

UNKNOWN = "–"


class ComparedFact(NamedTuple):
    """One fact of each option.

    Attributes:
        best: Whose is the best: its place; None where several are alike, or nothing is better than another.
    """

    name: str
    values: tuple[str, ...]
    best: int | None = None

    @property
    def differs(self) -> bool:
        """Whether it tells the options apart."""
        return len(set(self.values)) > 1


def compared_facts(options: Sequence[Option], report: Report, language: Language) -> tuple[ComparedFact, ...]:
    """Return the facts of some options, those that differ first, each part in the order in which they decide."""
    columns = [_column(option, report, language) for option in options]
    measures = _measures(options, report, language)
    facts = []
    for name in _merged(columns):
        values = tuple(column.get(name, UNKNOWN) for column in columns)
        facts.append(ComparedFact(name, values, _best(values, measures.get(name, ()))))
    return tuple(sorted(facts, key=lambda fact: not fact.differs))


def _column(option: Option, report: Report, language: Language) -> dict[str, str]:
    """Return what is said of an option beside others; of the recommended one also that it is that."""
    facts = dict(option_facts(option, report, language))
    if option.id == report.advice.chosen:
        facts[language.gettext("Compared with our pick")] = pick_phrase(report, language)
    return facts


def _merged(columns: Sequence[Iterable[str]]) -> list[str]:
    """Return all names, one that only another column has behind the name before it there."""
    names: list[str] = []
    for column in sorted(map(list, columns), key=len, reverse=True):
        place = 0
        for name in column:
            if name not in names:
                names.insert(place, name)
            place = names.index(name) + 1
    return names


def _measures(options: Sequence[Option], report: Report, language: Language) -> dict[str, tuple[float | None, ...]]:
    """Return by the names of facts what is the better the less it is; None where that of an option is not known."""
    _ = language.gettext
    months = quantities.months(report.circumstances.horizon_months, language)
    is_bought = any(one.purchase_usd for one in options)  # paid once: its price is no less or more than one of a run
    return {
        price_title(report, language): () if is_bought else tuple(one.run_usd for one in options),
        _("Time of a run"): tuple(None if one.run_s is None else one.done_s for one in options),
        _("Cost in {months}").format(months=months): tuple(one.horizon_usd for one in options),
        _("Electricity"): tuple(one.energy_j for one in options),
    }


def _best(values: Sequence[str], measures: Sequence[float | None]) -> int | None:
    known = [
        (measure, place)
        for place, (value, measure) in enumerate(zip(values, measures, strict=bool(measures)))
        if measure is not None and value != UNKNOWN
    ]
    if len(known) <= 1:
        return None
    _least, place = min(known)
    return place if values.count(values[place]) == 1 else None
