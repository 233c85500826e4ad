"""Keeping, buying and renting over runs a month, as the window draws and says it."""

from __future__ import annotations

from typing import NamedTuple

from advisor.locale import Language
from advisor.records.results.report import Report
from advisor.report.charts.cost_lines import money_at
from advisor.report.words import quantities
from advisor.report.words.advice.costs import line_title, shown_lines
from advisor.report.words.labels import amount

KINDS_OF_ROLES = {"keep": "here", "buy": "buy", "rent": "rent"}


class ShownLine(NamedTuple):
    """One line of the chart.

    Attributes:
        kind: Which colour it wears: ``here``, ``buy`` or ``rent``.
        name: What is done, and with what.
        points: Pairs (runs a month, money over the horizon in the user's currency).
    """

    kind: str
    name: str
    points: tuple[tuple[float, float], ...]


def lines_of(report: Report, language: Language) -> tuple[ShownLine, ...]:
    """Return the lines; none where there are not two to compare."""
    rate = report.currency_per_usd
    return tuple(
        ShownLine(
            KINDS_OF_ROLES[line.role],
            line_title(line, option, language),
            tuple((runs, usd * rate) for runs, usd in line.points),
        )
        for line, option in shown_lines(report)
    )


def said_at(report: Report, runs: float, language: Language) -> str:
    """Return which of the lines is the lowest at so many runs a month, and what the others cost there."""
    _ = language.gettext
    costs = [(money_at(line, runs), line_title(line, option, language)) for line, option in shown_lines(report)]
    able = sorted((usd, name) for usd, name in costs if usd is not None)
    months = quantities.months(report.circumstances.horizon_months, language)
    count = quantities.round_count(runs, language)
    if not able:
        return _("A month has no room for {runs} runs.").format(runs=count)
    first, *others = [f"{name} ({amount(usd, report, language)})" for usd, name in able]
    text = language.ngettext(
        "At {runs} run a month, this costs the least in {months}: {option}.",
        "At {runs} runs a month, this costs the least in {months}: {option}.",
        1 if count == language.number(1) else 2,
    )
    said = [text.format(runs=count, months=months, option=first)]
    if others:
        said.append(_("Alternatives: {options}.").format(options="; ".join(others)))
    full = [name for usd, name in costs if usd is None]
    if full:
        said.append(_("No time for so many: {options}.").format(options="; ".join(full)))
    return " ".join(said)
