"""The options as rows of a table, with where each number comes from."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import overload

from advisor.gui.models.options.beside_pick import WEIGHED, beside_pick
from advisor.gui.models.options.details import compared, with_providers_page
from advisor.locale import N_, Language
from advisor.records.job.advice import Option
from advisor.records.results.report import Report
from advisor.report.content.options.option_rows import option_row
from advisor.report.provenance.beside import of_whole_time
from advisor.report.provenance.money import of_cost, of_instead, of_price
from advisor.report.provenance.predictions import of_memory
from advisor.report.provenance.record import Provenance, has_number
from advisor.report.provenance.verdict import of_quantity
from advisor.report.words import quantities
from advisor.report.words.advice.verdict import chosen_option
from advisor.report.words.labels import price_title

_FIRST_NUMBER, _MEMORY, _WHY_NOT = 2, 3, 6
_PRICE, _TOTAL = 4, 5
_SHORT_REMARKS = {
    "delivered_late": N_("delivered too late"),
    "does_not_fit": N_("does not fit"),
    "interruptible": N_("may be interrupted"),
    "less_supported": N_("fewer programs run on it"),
    "less_supported/no_cuda": N_("no CUDA"),
    "less_supported/old_card": N_("not in the usual PyTorch"),
    "marketplace": N_("other people's machine"),
    "may_miss_deadline": N_("may be too late"),
    "misses_deadline": N_("too late"),
    "over_budget": N_("over budget"),
}
"""Of long remarks what a cell has room for: none of their figures may be cut. Tip and details say them whole."""


def option_header(report: Report, language: Language) -> tuple[str, ...]:
    """Return the titles of the table's columns."""
    _ = language.gettext
    months = quantities.months(report.circumstances.horizon_months, language)
    return (
        _("Answer"),
        _("Option"),
        _("Time with start"),
        _("Memory"),
        price_title(report, language),
        _("Cost in {months}").format(months=months),
        _("Cost, speed beside our pick"),
    )


def header_tips(language: Language) -> dict[int, str]:
    """Return what the title of a column says when the mouse rests there."""
    _ = language.gettext
    return {
        _PRICE: _("Purchases: prices in the United States, without tax. Rents: as they are listed."),
        _WHY_NOT: _("What it costs more or less than our pick, and how many times as fast it is."),
    }


def option_cells(option: Option, report: Report, language: Language) -> tuple[str, ...]:
    """Return an option's row."""
    row = option_row(option, report, language)
    codes = (*(f"{option.obstacle}/{name}" for name in option.obstacle_values), option.obstacle)
    short = next((_SHORT_REMARKS[code] for code in codes if code in _SHORT_REMARKS), None)
    remark = row.remark if short is None else language.gettext(short)
    beside = beside_pick(option, report, language, is_cell=True) or remark
    time = row.time
    if option.run_s is not None and option.obstacle != "does_not_fit":
        time = quantities.short_duration(option.done_s if row.start else option.run_s, language)
    return (row.tier, row.title, time, row.memory, row.cost, row.horizon, beside)


class OptionTable(Sequence[tuple[str, ...]]):
    """Options as rows, best first; a row is put into words when it is first seen.

    Attributes:
        report: Where they are from.
        language: Of the rows.
        options: The options, in the order of the rows.
        keys: What each row is sorted by, column by column.
        alike: Further options of a row, by the id of the one that stands for them.
    """

    def __init__(
        self,
        report: Report,
        language: Language,
        options: Sequence[Option] | None = None,
        alike: Mapping[str, Sequence[Option]] | None = None,
    ) -> None:
        self.report = report
        self.alike = alike or {}
        self.options = list(report.advice.options if options is None else options)
        self.keys = [_sort_keys(option, rank) for rank, option in enumerate(self.options)]
        self.language = language
        self._cells: dict[int, tuple[str, ...]] = {}

    @cached_property
    def chosen(self) -> int | None:
        """The row of the recommended option, None where it is not among them."""
        wanted = self.report.advice.chosen
        return next((row for row, option in enumerate(self.options) if option.id == wanted), None)

    def origin(self, row: int, column: int) -> Provenance | None:
        """Return where the number in a cell comes from."""
        option = self.options[row]
        if not has_number(self[row][column]) or column < _FIRST_NUMBER:
            return None
        if column == _MEMORY:
            return of_memory(option, self.report, self.language)
        chosen = chosen_option(self.report)
        if column == _WHY_NOT and chosen is not None and option.obstacle in WEIGHED:
            return of_instead(option, chosen, self.report, self.language)
        if column == _WHY_NOT:
            return of_quantity(option.obstacle_values, option, self.report, self.language)
        origin = {_PRICE: of_price, _TOTAL: of_cost}.get(column, of_whole_time)
        found = origin(option, self.report, self.language)
        return with_providers_page(found, option) if column in {_PRICE, _TOTAL} else found

    def hover(self, row: int) -> str:
        """Return all about an option in a few lines."""
        _answer, title, time, memory, cost, _horizon, _remark = self[row]
        return "\n".join(line for line in (title, f"{time} · {cost}", memory, self.tip(row, _WHY_NOT)) if line)

    def tip(self, row: int, column: int) -> str:
        """Return what a cell says where it has room: of a remark all of it."""
        option = self.options[row]
        return compared(option, self.report, self.language) if column == _WHY_NOT else self[row][column]

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
            self._cells[index] = self._worded(self.options[index])
        return self._cells[index]

    def _worded(self, option: Option) -> tuple[str, ...]:
        """Return an option's row, with how many others share it behind its name."""
        answer, title, *rest = option_cells(option, self.report, self.language)
        count = len(self.alike.get(option.id, ()))
        if count:
            text = self.language.gettext("{option} (+{n} alike)")
            title = text.format(option=title, n=self.language.number(count))
        return (answer, title, *rest)


def second_line(table: OptionTable, row: int, columns: Sequence[int], language: Language) -> str:
    """Return what a row says in some columns, price, cost and comparison, in one line."""
    months = quantities.months(table.report.circumstances.horizon_months, language)
    said = [table[row][column] for column in columns]
    if _TOTAL in columns and (cost := table[row][_TOTAL]) != "–":
        said[columns.index(_TOTAL)] = language.gettext("{cost} in {months}").format(cost=cost, months=months)
    return " · ".join(text for text in said if text not in {"", "–"})


def _sort_keys(option: Option, rank: int) -> tuple[float | str, ...]:
    memory = option.prediction.memory if option.prediction is not None else None
    return (
        float(rank),
        option.title,
        option.done_s,
        math.inf if memory is None else memory.total_bytes,
        option.purchase_usd or option.run_usd or 0.0,
        math.inf if option.horizon_usd is None else option.horizon_usd,
        option.obstacle or "",
    )
