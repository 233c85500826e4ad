"""What is measured: the rates of matrix products as they come, and every test with its state and result."""

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QWidget

from advisor.gui.context import Context
from advisor.gui.models.measure import CaseRow, MeasureModel, case_header, rate_table, rate_ticks, size_ticks
from advisor.gui.widgets.basic import GRID, Card, Page, button, label
from advisor.gui.widgets.table import RowsModel, RowsView
from advisor.gui.widgets.twin import TwinChart
from advisor.locale import N_

if TYPE_CHECKING:
    from advisor.gui.widgets.rate_chart import RateChart

PREVIEW = (
    N_("What the check does"),
    N_("It looks at what could spoil a measurement: battery, heat, other programs, little free memory."),
    N_("It multiplies matrices of growing size on the processor and on each graphics card: how fast is arithmetic?"),
    N_("It trains the article's small image network for a few seconds: how long does one step take?"),
    N_("Every test runs in a process of its own. If one fails, the others go on, and the reason is said."),
)


class MeasurePage(Page):
    """The measurements.

    Signals:
        asked: The person wants to measure now.
        cancelled: The person wants the measuring to stop.
    """

    asked = Signal()
    cancelled = Signal()

    def __init__(self, context: Context, model: MeasureModel) -> None:
        super().__init__()
        self._context = context
        self._model = model
        self._version = -1
        self._running_at: int | None = None
        self._is_checking = False
        self.title = label("display")
        self.status = label("lead")
        self.start = button("primary", self.asked.emit)
        self.cancel = button("plain", self.cancelled.emit)
        self.chart = TwinChart(context, self._make_plot)
        self.case_rows = RowsModel()
        self.cases = RowsView(self.case_rows)
        self.cases_title = label("strong")
        self.cases.setWordWrap(True)
        self.cases.width_changed.connect(self._fit_table)
        self.cases.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.cases.horizontalHeader().setStretchLastSection(False)
        self.chart_card = Card()
        self.cases_card = Card()
        self._build()
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _build(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.start)
        head.addWidget(self.cancel)
        self.column.addLayout(head)
        self.column.addWidget(self.status)
        self.chart.setMinimumHeight(300)
        self.chart_card.body.addWidget(self.chart)
        self.column.addWidget(self.chart_card)
        self.column.addWidget(self._preview())
        self.cases_card.body.addWidget(self.cases_title)
        self.cases_card.body.addWidget(self.cases)
        self.column.addWidget(self.cases_card)
        self.column.addStretch(1)

    def _preview(self) -> Card:
        """Return what the check will do, shown until there is something measured."""
        self.preview = Card()
        self._preview_texts = [label("title"), *(label("body") for _row in PREVIEW[1:])]
        for text in self._preview_texts:
            self.preview.body.addWidget(text)
        return self.preview

    def _make_plot(self) -> QWidget:
        from advisor.gui.widgets.rate_chart import RateChart

        return cast(QWidget, RateChart(self._context))

    def redraw(self, *, is_checking: bool) -> None:
        """Show what has changed since the last time."""
        if self._version == self._model.version and self._is_checking == is_checking:
            self._show_running()
            return
        self._version, self._is_checking = self._model.version, is_checking
        self._show()

    def _show(self) -> None:
        _ = self._context.gettext
        language = self._context.language
        rows = self._model.rows(language)
        self.start.setVisible(not self._is_checking)
        self.start.setText(_("Measure again") if rows else _("Check my computer"))
        self.cancel.setVisible(self._is_checking)
        self.status.setText(self._status_text())
        self.cases_card.setVisible(bool(rows))
        self.preview.setVisible(not rows)
        cells, notes = _with_notes(rows)
        running = next((cells.index(_cells(row)) for row in rows if row.state == "running"), None)
        self.case_rows.show(case_header(language), cells, numeric=frozenset({2}), bold=running, notes=notes)
        self._running_at = running
        self._fit_table()
        lines = self._model.lines(language)
        self.chart_card.setVisible(bool(lines))
        if lines:
            header, table = rate_table(lines, language)
            self.chart.show_rows(header, table, frozenset(range(len(header))))
            plot = cast("RateChart", self.chart.ensure_plot())
            plot.name_axes(_("Matrix size (logarithmic)"), _("GFLOP/s (logarithmic)"))
            plot.show_lines(lines, size_ticks(lines, language), rate_ticks(lines, language))

    def _show_running(self) -> None:
        """Show how far the running case is; everything else stays."""
        running = self._model.running_row(self._context.language)
        if running is not None and self._running_at is not None:
            self.case_rows.change_row(self._running_at, _cells(running))

    def _status_text(self) -> str:
        _ = self._context.gettext
        if self._is_checking:
            return _("The check is running. Each result appears here as soon as it is there.")
        if self._model.is_empty:
            return _("Nothing has been measured yet. The check takes about 45 s; nothing leaves this computer.")
        return _("Median of at least seven samples each; the spread is half the range of the middle half of them.")

    def _fit_table(self) -> None:
        """Be as high as the rows are; the page scrolls, not the table."""
        if self.case_rows.rowCount() == 0:
            return
        self.cases.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.cases.fit_notes(self.case_rows)
        rows = self.cases.verticalHeader().length()
        self.cases.setFixedHeight(rows + self.cases.horizontalHeader().sizeHint().height() + 2 * GRID)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setAccessibleName(_("Measure"))
        self.title.setText(_("Measurements"))
        self.cancel.setText(_("Cancel"))
        self.cases_title.setText(_("Tests"))
        self.cases.setAccessibleName(_("Tests"))
        self.cases.setAccessibleDescription(_("Every test with its state and result"))
        for text, words in zip(self._preview_texts, PREVIEW, strict=True):
            text.setText(_(words))
        self.chart.describe(
            _("Speed of matrix products"),
            _("Higher is faster. Small matrices leave the hardware idle; the plateau is what it can do."),
        )
        self._show()


def _cells(row: CaseRow) -> tuple[str, ...]:
    return row.title, row.result, row.spread


def _with_notes(rows: tuple[CaseRow, ...]) -> tuple[list[tuple[str, ...]], frozenset[int]]:
    """Return the table's rows, each remark in a row of its own below its case, and which rows are remarks."""
    cells: list[tuple[str, ...]] = []
    notes = set()
    for row in rows:
        cells.append(_cells(row))
        if row.remark:
            notes.add(len(cells))
            cells.append((row.remark, "", ""))
    return cells, frozenset(notes)
