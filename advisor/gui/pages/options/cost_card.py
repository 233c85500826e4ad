"""The chart of keeping, buying and renting, with what it says at the handle in words under it."""

from __future__ import annotations

from itertools import zip_longest
from math import ceil
from typing import cast

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetricsF, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from advisor.gui.base.context import Context
from advisor.gui.pages.options.cost_chart import CostChart
from advisor.gui.pages.options.cost_lines import (
    KINDS_OF_ROLES,
    buying_phrase,
    costs_at,
    lines_of,
    list_phrase,
    runs_phrase,
)
from advisor.gui.widgets.basic import GRID, Card, FlowLayout, label, no_higher_than_there_is_room
from advisor.gui.widgets.charts.chart_with_table import ChartWithTable
from advisor.gui.widgets.charts.tier_marks import kind_mark
from advisor.locale import Language
from advisor.records.results.report import Report
from advisor.report.charts import svg_axes
from advisor.report.charts.cost_lines import above_the_chart, cost_lines
from advisor.report.words import quantities

_LEAST_HEIGHT = 180
"""Of title, axes and lines; what the lines say stands below them."""


class CostCard(Card):
    """Runs a month against money, with a handle to drag.

    Attributes:
        said: Of how many runs the costs are: those where the handle stands.
        costs: What each way costs there, the cheapest first, behind the mark of its line.
        more: From where on buying pays, and of how many runs the list is where the handle stands elsewhere.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(margin=2 * GRID)
        self._context = context
        self._report: Report | None = None
        self.chart = ChartWithTable(context, self._make_plot)
        no_higher_than_there_is_room(self.chart.table)
        self.said = label("muted", wrap=False)
        self.costs = [_MarkedText() for _line in KINDS_OF_ROLES]
        self.more = label("muted")
        below = FlowLayout(int(1.5 * GRID))
        for part in (self.said, *self.costs):
            below.addWidget(part)
        self.body.addWidget(self.chart, 1)
        self.body.addLayout(below)
        self.body.addWidget(self.more)

    def _make_plot(self) -> QWidget:
        plot = CostChart(self._context)
        plot.moved.connect(self._on_moved)
        return cast(QWidget, plot)

    def show_report(self, report: Report) -> bool:
        """Show a report's lines; return whether it has any."""
        language = self._context.language
        self.chart.setMinimumHeight(round(_LEAST_HEIGHT * self._context.text_scale))
        found = cost_lines(report, language)
        over_time = report.advice.cost_over_time
        if found is None or over_time is None:
            self._report = None
            return False
        plot = cast(CostChart, self.chart.ensure_plot())
        runs = plot.runs if report is self._report else report.circumstances.runs_per_month
        self._report = report
        self.chart.describe(found.title, found.description)
        self.chart.show_rows(
            found.table.header,
            found.table.rows,
            found.table.numeric,
            lambda row, column: found.table.origins[row][column],
        )
        lines = lines_of(report, language)
        above = above_the_chart([line.points for line in lines])
        months = quantities.months(report.circumstances.horizon_months, language)
        gettext = language.gettext
        plot.name_axes_flat(gettext("Runs a month"), gettext("Cost in {months}").format(months=months))
        most = over_time.most_runs_per_month
        highest = max(cost for place, line in enumerate(lines) if place not in above for _runs, cost in line.points)
        plot.show_lines(lines, runs, (most, highest), *_ticks(most, highest, report, language))
        return True

    def _on_moved(self, runs: float) -> None:
        if self._report is None or self.chart.plot is None:
            return
        language = self._context.language
        self.said.setText(runs_phrase(runs, language))
        costs = costs_at(self._report, runs, language)
        for made, cost in zip_longest(self.costs, costs):
            made.setVisible(cost is not None)
            if cost is not None:
                made.show_text(kind_mark(cost.kind, self._context.theme, self.devicePixelRatioF()), cost.text)
        more = (buying_phrase(self._report, language), list_phrase(self._report, runs, language))
        self.more.setText(" ".join(filter(None, more)) or " ")  # else what stands below moves with the handle
        self.chart.plot.setAccessibleDescription(" ".join((self.said.text(), "; ".join(cost.text for cost in costs))))


class _MarkedText(QWidget):
    """A text behind a mark."""

    def __init__(self) -> None:
        super().__init__()
        self._mark, self.text = QLabel(), label("body", selectable=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        row.addWidget(self._mark)
        row.addWidget(self.text, 1)

    def sizeHint(self) -> QSize:
        """Return what it needs in one line; words that may wrap ask for less."""
        # in fractions of a pixel, as the label lays it out: a whole number may be one too few, and the cost wraps away
        words = ceil(QFontMetricsF(self.text.font()).horizontalAdvance(self.text.text())) + 1
        return QSize(self._mark.sizeHint().width() + GRID + words, self.text.heightForWidth(words))

    def show_text(self, mark: QPixmap, text: str) -> None:
        """Show another mark and text."""
        self._mark.setPixmap(mark)
        self.text.setText(text)


def _ticks(
    most: float, highest: float, report: Report, language: Language
) -> tuple[list[tuple[float, str]], list[tuple[float, str]]]:
    """Return round places of both axes, with their words."""
    across = svg_axes.Scale(0.0, most, 0.0, 1.0, is_log=False)
    up = svg_axes.Scale(0.0, max(highest, 0.01), 0.0, 1.0, is_log=False)
    currency = report.circumstances.currency
    return (
        [(value, language.number(value, 2)) for value in svg_axes.steps(across)],
        [(value, quantities.money(value, currency, language)) for value in svg_axes.steps(up, most=4)],
    )
