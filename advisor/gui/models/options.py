"""The options as points of a chart and rows of a table, filtered by kind."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from advisor.gui.models.verdict import KINDS
from advisor.locale import Language
from advisor.records.advice import Option
from advisor.records.report import Report
from advisor.report import quantities
from advisor.report.choices import option_row, shown_options
from advisor.report.terms import amount
from advisor.units import DAY_S, HOUR_S, MINUTE_S, YEAR_S

SYMBOLS = {"here": "o", "buy": "s", "rent": "d", "cluster": "t1"}
TIME_TICKS_S = (
    1.0,
    10.0,
    MINUTE_S,
    10 * MINUTE_S,
    HOUR_S,
    10 * HOUR_S,
    DAY_S,
    10 * DAY_S,
    100 * DAY_S,
    YEAR_S,
    10 * YEAR_S,
)
CHEAPEST = 0.01
_MOST_COST_TICKS = 6


@dataclass(frozen=True, kw_only=True)
class OptionPoint:
    """One option of the chart, in the person's currency.

    Attributes:
        cost: Over the horizon; what costs next to nothing lies on ``CHEAPEST``.
        label: Its name where it is the chosen one or the best of its kind, else empty.
        hover: Everything about it in one line.
    """

    id: str
    kind: str
    time_s: float
    cost: float
    is_feasible: bool
    is_chosen: bool
    label: str
    hover: str


@dataclass(frozen=True, kw_only=True)
class OptionLine:
    """One row of the table, with the numbers it is sorted by."""

    id: str
    kind: str
    cells: tuple[str, ...]
    sort_keys: tuple[float | str, ...]
    is_chosen: bool


def option_header(report: Report, language: Language) -> tuple[str, ...]:
    """Return the titles of the table's columns."""
    _ = language.gettext
    months = quantities.months(report.circumstances.horizon_months, language)
    return (
        _("Answer"),
        _("Option"),
        _("Time of a run"),
        _("Memory"),
        _("Price"),
        _("Cost in {months}").format(months=months),
        _("Why not"),
    )


def option_lines(report: Report, language: Language, kind: str | None = None) -> tuple[OptionLine, ...]:
    """Return every option as a row, best first, or those of one kind."""
    options = [option for option in report.advice.options if kind is None or KINDS[option.tier] == kind]
    return tuple(_line(option, rank, report, language) for rank, option in enumerate(options))


def _line(option: Option, rank: int, report: Report, language: Language) -> OptionLine:
    row = option_row(option, report, language)
    memory = option.prediction.memory if option.prediction is not None else None
    last = math.inf
    return OptionLine(
        id=option.id,
        kind=KINDS[option.tier],
        cells=(row.tier, row.title, row.time, row.memory, row.cost, row.horizon, row.remark),
        sort_keys=(
            float(rank),
            row.title,
            last if option.run_s is None else option.run_s,
            last if memory is None else memory.total_bytes,
            option.purchase_usd or (option.run_usd or 0.0),
            last if option.horizon_usd is None else option.horizon_usd,
            row.remark,
        ),
        is_chosen=option.id == report.advice.chosen,
    )


def option_points(report: Report, language: Language, limit: int) -> tuple[OptionPoint, ...]:
    """Return the options worth drawing."""
    named: set[str] = set()
    points = []
    for option in shown_options(report.advice.options, limit):
        if option.run_s is None or option.run_s <= 0 or option.horizon_usd is None:
            continue
        kind = KINDS[option.tier]
        row = option_row(option, report, language)
        points.append(
            OptionPoint(
                id=option.id,
                kind=kind,
                time_s=option.run_s,
                cost=max(CHEAPEST, option.horizon_usd * report.currency_per_usd),
                is_feasible=option.feasible,
                is_chosen=option.id == report.advice.chosen,
                label=option.title if kind not in named else "",
                hover=f"{row.title}\n{row.time} · {row.cost}\n{row.remark}",
            )
        )
        named.add(kind)
    return tuple(points)


def time_ticks(points: Iterable[OptionPoint], language: Language) -> list[tuple[float, str]]:
    """Return positions (decimal logarithm of seconds) and words of the time axis."""
    times = [point.time_s for point in points]
    low, high = min(times) / 2, max(times) * 2
    return [(math.log10(t), quantities.duration(t, language)) for t in TIME_TICKS_S if low <= t <= high]


def cost_ticks(points: Iterable[OptionPoint], report: Report, language: Language) -> list[tuple[float, str]]:
    """Return positions (decimal logarithm of money) and words of the cost axis."""
    costs = [point.cost for point in points]
    first, last = math.floor(math.log10(min(costs))), math.ceil(math.log10(max(costs)))
    step = max(1, math.ceil((last - first + 1) / _MOST_COST_TICKS))
    usd = 1 / report.currency_per_usd
    return [(float(power), amount(10.0**power * usd, report, language)) for power in range(first, last + 1, step)]
