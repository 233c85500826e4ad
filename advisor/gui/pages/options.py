"""Every option that was compared: time against cost as a chart, and all of them in a table."""

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from advisor.gui.context import Context
from advisor.gui.models.options import OptionTable, cost_ticks, option_header, option_points, options_of, time_ticks
from advisor.gui.widgets.basic import GRID, Card, Page, label
from advisor.gui.widgets.kind import kind_icon
from advisor.gui.widgets.table import RowsModel, RowsView
from advisor.gui.widgets.twin import TwinChart
from advisor.locale import N_
from advisor.report import quantities

if TYPE_CHECKING:
    from advisor.gui.widgets.option_chart import OptionChart
    from advisor.records.report import Report

FILTERS: tuple[tuple[str | None, str], ...] = (
    (None, N_("All")),
    ("here", N_("This computer")),
    ("buy", N_("Buy")),
    ("rent", N_("Rent")),
    ("cluster", N_("Cluster")),
)
_NUMERIC = frozenset({2, 3, 4, 5})


class OptionsPage(Page):
    """The options of the last answer."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._report: Report | None = None
        self._kind: str | None = None
        self.title = label("display")
        self.count = label("lead")
        self.chart = TwinChart(context, self._make_plot)
        self.rows = RowsModel()
        self.table = RowsView(self.rows)
        self.table.setSortingEnabled(True)
        self.filters: list[QPushButton] = []
        self._group = QButtonGroup(self)
        self._build()
        context.language_changed.connect(self.retranslate)
        context.theme_changed.connect(self.retranslate)

    def _build(self) -> None:
        self.column.addWidget(self.title)
        self.column.addWidget(self.count)
        self.chart_card = Card()
        self.chart.setMinimumHeight(320)
        self.chart_card.body.addWidget(self.chart)
        self.column.addWidget(self.chart_card)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        for position, (_kind, _text) in enumerate(FILTERS):
            made = QPushButton()
            made.setCheckable(True)
            made.setProperty("role", "filter")
            made.setCursor(Qt.CursorShape.PointingHandCursor)
            self._group.addButton(made, position)
            self.filters.append(made)
            row.addWidget(made)
        row.addStretch(1)
        self.filters[0].setChecked(True)
        self._group.idClicked.connect(self._on_filter)
        self.column.addLayout(row)
        self.table.setMinimumHeight(420)
        self.column.addWidget(self.table)

    def _make_plot(self) -> QWidget:
        from advisor.gui.widgets.option_chart import OptionChart

        plot = OptionChart(self._context)
        plot.picked.connect(self._on_picked)
        return cast(QWidget, plot)

    def show_report(self, report: "Report") -> None:
        """Show a report's options."""
        self._report = report
        self.retranslate()

    def _on_filter(self, identifier: int) -> None:
        self._kind = FILTERS[identifier][0]
        self._show()

    def _on_picked(self, source: int) -> None:
        row = self.rows.row_of(source)
        if row is not None:
            self.table.selectRow(row)
            self.table.scrollTo(self.rows.index(row, 0))

    def _show(self) -> None:
        if self._report is None:
            return
        options = OptionTable(self._report, self._context.language, options_of(self._report, self._kind))
        self._show_chart(options)
        self._show_table(options)

    def _show_table(self, options: OptionTable) -> None:
        header = option_header(options.report, self._context.language)
        self.rows.show(header, options, numeric=_NUMERIC, keys=options.keys, bold=options.chosen)
        self.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.table.resizeColumnsToContents()

    def _show_chart(self, options: OptionTable) -> None:
        _ = self._context.gettext
        language = self._context.language
        points = option_points(options)
        self.chart_card.setVisible(bool(points))
        if not points:
            return
        months = quantities.months(options.report.circumstances.horizon_months, language)
        cost = _("Cost in {months} (logarithmic)").format(months=months)
        self.chart.describe(
            _("Time against cost"),
            _("Each mark is one option; down and left is better. Hollow marks do not meet your wishes."),
        )
        self.chart.show_rows(option_header(options.report, language), options, _NUMERIC)
        plot = cast("OptionChart", self.chart.ensure_plot())
        plot.name_axes(_("Time of one run (logarithmic)"), cost)
        plot.show_points(
            points, options.hover, time_ticks(points, language), cost_ticks(points, options.report, language)
        )

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setAccessibleName(_("Options"))
        self.title.setText(_("Options"))
        for made, (kind, text) in zip(self.filters, FILTERS, strict=True):
            made.setText(_(text))
            if kind is not None:
                made.setIcon(kind_icon(kind, self._context.theme, self.devicePixelRatioF()))
        self.table.setAccessibleName(_("Options"))
        self.table.setAccessibleDescription(_("Every option that was compared; choose a column's title to sort"))
        if self._report is not None:
            total = len(self._report.advice.options)
            text = self._context.language.ngettext("{n} option was compared.", "{n} options were compared.", total)
            self.count.setText(text.format(n=self._context.language.number(total)))
        self._show()
