"""The options as points of a chart and rows of a table, filtered by kind."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

from advisor.gui.models.verdict import KINDS
from advisor.locale import Language
from advisor.records.advice import Option
from advisor.records.report import Report
from advisor.report import quantities
from advisor.report.choices import option_row
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
        row: Its place in the table of options.
        cost: Over the horizon; what costs next to nothing lies on ``CHEAPEST``.
        label: Its name where it is the best of its kind, else empty.
    """

    row: int
    kind: str
    time_s: float
    cost: float
    is_feasible: bool
    is_chosen: bool
    label: str


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


def options_of(report: Report, kind: str | None) -> list[Option]:
    """Return all options, or those of one kind, best first."""
    return [option for option in report.advice.options if kind is None or KINDS[option.tier] == kind]


def option_cells(option: Option, report: Report, language: Language) -> tuple[str, ...]:
    """Return an option's row."""
    row = option_row(option, report, language)
    return (row.tier, row.title, row.time, row.memory, row.cost, row.horizon, row.remark)


class OptionTable(Sequence[tuple[str, ...]]):
    """Options as rows, best first; a row is put into words when it is first seen.

    Attributes:
        report: Where they are from.
        options: The options, in the order of the rows.
        keys: What each row is sorted by, column by column.
    """

    def __init__(self, report: Report, language: Language, options: Sequence[Option] | None = None) -> None:
        self.report = report
        self.options = list(report.advice.options if options is None else options)
        self.keys = [_sort_keys(option, rank) for rank, option in enumerate(self.options)]
        self._language = language
        self._cells: dict[int, tuple[str, ...]] = {}

    @cached_property
    def chosen(self) -> int | None:
        """The row of the recommended option, None where it is not among them."""
        wanted = self.report.advice.chosen
        return next((row for row, option in enumerate(self.options) if option.id == wanted), None)

    def hover(self, row: int) -> str:
        """Return all about an option in a few lines."""
        _answer, title, time, memory, cost, _horizon, remark = self[row]
        return "\n".join(line for line in (title, f"{time} · {cost}", memory, remark) if line)

    def __len__(self) -> int:
        return len(self.options)

    @overload
    def __getitem__(self, index: int) -> tuple[str, ...]: ...

    @overload
    def __getitem__(self, index: slice) -> list[tuple[str, ...]]: ...

    def __getitem__(self, index: int | slice) -> tuple[str, ...] | list[tuple[str, ...]]:
        if isinstance(index, slice):
            return [self[row] for row in range(*index.indices(len(self)))]
        if index not in self._cells:
            self._cells[index] = option_cells(self.options[index], self.report, self._language)
        return self._cells[index]


def _sort_keys(option: Option, rank: int) -> tuple[float | str, ...]:
    memory = option.prediction.memory if option.prediction is not None else None
    return (
        float(rank),
        option.title,
        math.inf if option.run_s is None else option.run_s,
        math.inf if memory is None else memory.total_bytes,
        option.purchase_usd or option.run_usd or 0.0,
        math.inf if option.horizon_usd is None else option.horizon_usd,
        option.obstacle or "",
    )


def option_points(table: OptionTable) -> tuple[OptionPoint, ...]:
    """Return the options of a table that can be drawn: those whose time and cost are known."""
    named: set[str] = set()
    points = []
    for row, option in enumerate(table.options):
        if option.run_s is None or option.run_s <= 0 or option.horizon_usd is None:
            continue
        kind = KINDS[option.tier]
        points.append(
            OptionPoint(
                row=row,
                kind=kind,
                time_s=option.run_s,
                cost=max(CHEAPEST, option.horizon_usd * table.report.currency_per_usd),
                is_feasible=option.feasible,
                is_chosen=row == table.chosen,
                label=option.title if kind not in named else "",
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
