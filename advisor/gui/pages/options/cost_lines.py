"""Keeping, buying and renting over runs a month, as the window draws and says it."""

from __future__ import annotations

from typing import NamedTuple

from advisor.locale import Language
from advisor.records.results.report import Report
from advisor.report.charts.cost_lines import above_the_chart, money_at
from advisor.report.content.sections import how_often
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


class LineCost(NamedTuple):
    """What one way costs at the handle.

    Attributes:
        kind: As of its line.
        text: What is done, and what that costs, also where that is above the chart; or that there is no time for it.
    """

    kind: str
    text: str


def costs_at(report: Report, runs: float, language: Language) -> tuple[LineCost, ...]:
    """Return what each of the lines costs at so many runs a month, the cheapest first."""
    lines = shown_lines(report)
    above = above_the_chart([line.points for line, _option in lines])
    beyond = language.gettext("(off the chart)")
    found = [
        (money_at(line, runs), KINDS_OF_ROLES[line.role], line_title(line, option, language), place in above)
        for place, (line, option) in enumerate(lines)
    ]
    able = sorted((usd, kind, name, is_above) for usd, kind, name, is_above in found if usd is not None)
    full = language.gettext("{option}: no time for so many runs")
    return (
        *(
            LineCost(kind, f"{name}: {amount(usd, report, language)}{f' {beyond}' if is_above else ''}")
            for usd, kind, name, is_above in able
        ),
        *(LineCost(kind, full.format(option=name)) for usd, kind, name, _is_above in found if usd is None),
    )


def runs_phrase(runs: float, language: Language) -> str:
    """Return what the costs at the handle are of."""
    count = quantities.round_count(runs, language)
    text = language.ngettext(
        "At {runs} run a month:", "At {runs} runs a month:", 1 if count == language.number(1) else 2
    )
    return text.format(runs=count)


def list_phrase(report: Report, runs: float, language: Language) -> str:
    """Return for how many runs the list counts; empty where the handle stands there."""
    asked = report.circumstances
    if asked.is_once or quantities.round_count(runs, language) == quantities.round_count(
        asked.runs_per_month, language
    ):
        return ""
    often = how_often(asked.runs_per_month, language)
    return language.gettext("In the list and the details: {often}.").format(often=often)


def buying_phrase(report: Report, language: Language) -> str:
    """Return from how many runs a month buying is the cheapest; empty where it never is, or only where time ends."""
    over_time = report.advice.cost_over_time
    if over_time is None or not shown_lines(report):
        return ""
    limits = {line.role: line.most_runs_per_month for line in over_time.lines}
    found = [one for one in over_time.crossings if one.above == "buy" and limits[one.below] != one.runs_per_month]
    if not found:
        return ""
    runs = quantities.round_count(found[0].runs_per_month, language)
    return language.gettext("Buying pays from {runs} runs a month on.").format(runs=runs)
