"""What is measured: the rates of matrix products as they come, and every test with its state and result."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import cast

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.base.tasks import Problem
from advisor.gui.models.job.question import Question
from advisor.gui.models.measure import (
    MeasureModel,
    RateLine,
    case_header,
    cells_of,
    disturbed_rates_sentence,
    rate_table,
    rate_ticks,
    size_ticks,
    sizes_of,
    with_notes,
)
from advisor.gui.models.progress import ProgressModel
from advisor.gui.pages.measure.rate_chart import RateChart
from advisor.gui.widgets.basic import GRID, Card, FlowLayout, Page, bring_into_view, button, label
from advisor.gui.widgets.charts.chart_with_table import ChartWithTable
from advisor.gui.widgets.number_label import Statement
from advisor.gui.widgets.problem_card import ProblemCard
from advisor.gui.widgets.progress_panel import ProgressPanel
from advisor.gui.widgets.provenance_cells import ProvenanceCells
from advisor.gui.widgets.report_blocks import ReportBlocks
from advisor.gui.widgets.table import RowsModel, RowsView
from advisor.locale import N_, Language
from advisor.records.results.measured.measurement import Case
from advisor.report.content.blocks import LEAST_POINTS
from advisor.report.provenance.measurements import of_run
from advisor.report.provenance.record import Provenance
from advisor.report.words import quantities
from advisor.units import MINUTE_S

PREVIEW = (
    N_("What the check does"),
    N_("It looks at what could spoil a measurement: battery, heat, other programs, little free memory."),
    N_("It multiplies matrices of growing size on the processor and on each graphics card: how fast is arithmetic?"),
    N_("It trains a small image network for a few seconds: how long does one step take?"),
    N_("Every test runs in a process of its own. If one fails, the others go on, and the reason is said."),
)


_WAITS = N_("A check already waits for a quiet moment, in the line above")
SUITES: tuple[tuple[str, str], ...] = (
    ("quick", N_("Quick, up to {minutes} min: enough for an answer")),
    ("full", N_("Full, up to {minutes} min: every test")),
)


class MeasurePage(Page):
    """The measurements.

    Signals:
        check_wanted: The user wants to measure now, with the suite ``quick`` or ``full``.
        trace_wanted: With a profile case and the file its trace goes to.
        answer_wanted: The user wants to see what follows from the measurements.

    Attributes:
        rest: Button: measure what the last check left out.
        progress_panel: Progress, pause, skip and cancel, while a check runs.
        is_tracing: Whether a trace is being written.
    """

    check_wanted = Signal(str)
    trace_wanted = Signal(Case, Path)
    answer_wanted = Signal()

    def __init__(self, context: Context, model: MeasureModel, question: Question | None = None) -> None:
        super().__init__()
        self.context = context
        self._model = model
        self._question = question
        self._version = -1
        self._running_at: int | None = None
        self._running_width = 0
        self._is_checking = False
        self.is_tracing = False
        self.title = label("display")
        self.status = Statement(context, "lead")
        self.result = Statement(context, "title")
        self.answer = button("plain", self.answer_wanted.emit)
        self.disturbed = Statement(context, "warning")
        self.start = button("primary", lambda: self.check_wanted.emit(self.suite))
        self.rest = button("plain")
        self.rest.hide()
        self._has_rest = False
        self.progress_panel = ProgressPanel(context, has_results=False)
        self.suites: dict[str, QPushButton] = {}
        self._group = QButtonGroup(self)
        self.chart = ChartWithTable(context, self._make_plot)
        self.case_rows = RowsModel()
        self.cases = RowsView(self.case_rows)
        ProvenanceCells(context, self.cases, self.case_rows)
        self._places: tuple[int, ...] = ()
        self.cases_title = label("strong")
        self.cases.setWordWrap(True)
        self.cases.width_changed.connect(self._fit_table)
        self.cases.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.cases.horizontalHeader().setStretchLastSection(False)
        self.chart_card = Card()
        self.chart_marks = label("muted")
        self.cases_card = Card()
        self.blocks: ReportBlocks | None = None
        self.trace = button("plain", self._choose_trace)
        self.trace_status = label("muted")
        self._traced: Callable[[Language], str] | None = None
        self.trace_problem = ProblemCard(context)
        self._build()
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _build(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.rest)
        head.addWidget(self.start)
        self.column.addLayout(head)
        self.column.addWidget(self.status)
        self.column.addWidget(self._result_card())
        self.column.addLayout(self._suite_row())
        self.column.addWidget(self.progress_panel)
        self.column.addWidget(self._preview())
        self.cases_card.body.addWidget(self.cases_title)
        self.cases_card.body.addWidget(self.cases)
        self.column.addWidget(self.cases_card)
        self.chart.setMinimumHeight(300)
        self.chart_card.body.addWidget(self.chart)
        self.chart_card.body.addWidget(self.chart_marks)
        self.column.addWidget(self.chart_card)
        self._found = QVBoxLayout()
        self.column.addLayout(self._found)
        tracing = QHBoxLayout()
        tracing.addWidget(self.trace)
        tracing.addWidget(self.trace_status, 1)
        self.column.addLayout(tracing)
        self.column.addWidget(self.trace_problem)
        self.column.addStretch(1)

    def _result_card(self) -> Card:
        """Return what the measurements say of the job, and where their answer is."""
        self.result_card = Card()
        self.use = label("body")
        row = QHBoxLayout()
        row.addWidget(self.answer)
        row.addStretch(1)
        for part in (self.result, self.use, self.disturbed):
            self.result_card.body.addWidget(part)
        self.result_card.body.addLayout(row)
        return self.result_card

    def _suite_row(self) -> FlowLayout:
        row = FlowLayout(GRID)
        for suite, _text in SUITES:
            made = QPushButton()
            made.setCheckable(True)
            made.setProperty("role", "filter")
            made.setCursor(Qt.CursorShape.PointingHandCursor)
            self._group.addButton(made)
            self.suites[suite] = made
            row.addWidget(made)
        self.suites["quick"].setChecked(True)
        return row

    @property
    def suite(self) -> str:
        """How much the user wants to measure."""
        return "full" if self.suites["full"].isChecked() else "quick"

    def _preview(self) -> Card:
        """Return what the check will do, shown until there is something measured."""
        self.preview = Card()
        self._preview_texts = [label("title"), *(label("body") for _row in PREVIEW[1:])]
        for text in self._preview_texts:
            self.preview.body.addWidget(text)
        return self.preview

    def _make_plot(self) -> QWidget:
        return cast(QWidget, RateChart(self.context))

    def redraw(self, *, is_checking: bool) -> None:
        """Show what has changed since the last time."""
        if self._version == self._model.version and self._is_checking == is_checking:
            self._show_running()
            return
        self._version, self._is_checking = self._model.version, is_checking
        self._show()

    def show_waiting(self, *, is_waiting: bool) -> None:
        """Begin no second check while one waits for a quiet computer."""
        for made in (self.start, self.rest):
            made.setEnabled(not is_waiting)
            made.setToolTip(self.context.gettext(_WAITS) if is_waiting else "")

    def offer_rest(self, *, is_offered: bool) -> None:
        """Offer to go on with a check that was ended before its time, or not."""
        self._has_rest = is_offered
        self.rest.setVisible(is_offered and not self._is_checking)

    def _show(self) -> None:
        _ = self.context.gettext
        language = self.context.language
        rows = self._model.rows(language)
        self.start.setVisible(not self._is_checking)
        self.rest.setVisible(self._has_rest and not self._is_checking)
        self.start.setText(_("Measure again") if rows else _("Check my computer"))
        self.progress_panel.setVisible(self._is_checking)
        for made in self.suites.values():
            made.setVisible(not self._is_checking)
        self._show_status()
        self.cases_card.setVisible(bool(rows))
        self.preview.setVisible(not rows)
        cells, self._places = with_notes(rows, language, is_checking=self._is_checking)
        notes = frozenset(place for place in range(1, len(cells)) if self._places[place] == self._places[place - 1])
        running = next((self._places.index(n) for n, row in enumerate(rows) if row.state == "running"), None)
        self.case_rows.show(
            case_header(language), cells, numeric=frozenset({2}), bold=running, notes=notes, origins=self._origin
        )
        self._running_at, self._running_width = running, 0
        self._fit_table()
        lines = self._model.lines(language)
        has_curve = len(sizes_of(lines)) >= LEAST_POINTS
        self.chart_card.setVisible(has_curve)
        self.chart_marks.setText(disturbed_rates_sentence(lines, language))
        self.chart_marks.setVisible(bool(self.chart_marks.text()))
        if has_curve:
            header, table = rate_table(lines, language)
            self.chart.show_rows(header, table, frozenset(range(len(header))), partial(self._rate_origin, lines))
            plot = cast(RateChart, self.chart.ensure_plot())
            plot.name_axes(_("Matrix size (logarithmic)"), _("GFLOP/s (logarithmic)"))
            plot.show_lines(lines, size_ticks(lines, language), rate_ticks(lines, language))
        self._show_found()

    def _origin(self, row: int, _column: int) -> Provenance | None:
        return self._model.origin(self._places[row], self.context.language)

    def _rate_origin(self, lines: tuple[RateLine, ...], row: int, column: int) -> Provenance | None:
        """Return where a rate in the chart's table comes from: one row a size, one column a line after the first."""
        line = lines[max(0, column - 1)]
        return self._model.rate_origin(line, sizes_of(lines)[row], self.context.language)

    def _show_found(self) -> None:
        """Show what the finished run found, group by group, as the report does."""
        benchmark = self._model.benchmark
        if benchmark is not None and self.blocks is None:
            self.blocks = ReportBlocks(self.context)
            self._found.addWidget(self.blocks)
        if self.blocks is not None:
            from advisor.report.content.measured import measured_groups

            self.blocks.setVisible(benchmark is not None)
            if benchmark is not None:
                self.blocks.show_blocks(measured_groups(benchmark, self.context.language, beside_tests=True))
        is_offered = self._model.profiled() is not None
        self.trace.setVisible(is_offered)
        self.trace_status.setVisible(is_offered)

    def show_progress(self, progress: ProgressModel, *, is_stopping: bool, is_paused: bool) -> None:
        """Show how far a check is."""
        if self.isVisible():
            self.progress_panel.workload = None if self._question is None else self._question.workload
            self.progress_panel.show_progress(progress, is_stopping=is_stopping, is_paused=is_paused)

    # --- the trace ---

    def choose_file(self) -> str:
        """Ask where the trace goes; empty where the user does not want one."""
        title = self.context.gettext("Save where the time goes: names of operations and times, nothing else")
        return QFileDialog.getSaveFileName(self, title, "advisor-trace.json", "JSON (*.json)")[0]

    def _choose_trace(self) -> None:
        case = self._model.profiled()
        path = self.choose_file() if case is not None else ""
        if path and not self._is_checking:  # one may have begun while the user chose
            self._show_tracing(
                lambda language: language.gettext("Running a few steps under the profiler …"), is_on=True
            )
            self.trace_problem.dismiss()
            self.trace_wanted.emit(case, Path(path))

    def show_trace_ended(self, words: Callable[[Language], str]) -> None:
        """Say how writing a trace went, in the language of the moment."""
        self._show_tracing(words, is_on=False)

    def show_trace_failed(self, problem: Problem) -> None:
        """Say why a trace could not be written."""
        self._show_tracing(None, is_on=False)
        self.trace_problem.show_problem(problem, N_("The trace could not be written."))
        bring_into_view(self.trace_problem)

    def _show_tracing(self, words: Callable[[Language], str] | None, *, is_on: bool) -> None:
        self.is_tracing, self._traced = is_on, words
        self.trace.setEnabled(not is_on)
        self._name_trace()

    def _name_trace(self) -> None:
        self.trace_status.setText("" if self._traced is None else self._traced(self.context.language))

    def _show_running(self) -> None:
        """Show how far the running case is; everything else stays."""
        running = self._model.running_row(self.context.language)
        if running is not None and self._running_at is not None:
            self.case_rows.change_row(self._running_at, cells_of(running))
            needed = self.cases.sizeHintForIndex(self.case_rows.index(self._running_at, 1)).width()
            if needed > max(self.cases.columnWidth(1), self._running_width):
                self._running_width = needed  # not at each sample, which would cost the measurement's time
                self._fit_table()

    def _show_status(self) -> None:
        """Say what this page is for or how long the last check took, and what its results say of the job."""
        _ = self.context.gettext
        language, benchmark = self.context.language, self._model.benchmark
        origin = None if benchmark is None else of_run(benchmark, language)
        if self._is_checking:
            status = _("The check is running. Results appear here as they come in.")
        elif self._model.is_empty:
            status = _(
                "How fast is this computer really? An answer based on that is more certain than one from data sheets."
            )
        elif benchmark is None:
            status = (
                _("The check ended early; what was measured until then is kept.")
                if self._model.has_results
                else _("The check ended before its first result.")
            )
        else:
            status = _("How fast this computer really is. The last check took {time}.").format(
                time=quantities.duration(benchmark.wall_s, language)
            )
        self.status.show_text(status, origin)
        self.result_card.setVisible(benchmark is not None and not self._is_checking)
        if benchmark is not None:
            self._show_result(origin)

    def _show_result(self, origin: Provenance | None) -> None:
        """Say how fast the job ran, that the answer counts with it, and what was in the way."""
        _ = self.context.gettext
        language = self.context.language
        workload = None if self._question is None else self._question.workload
        sentence, source = self._model.job_sentence(workload, language)
        self.result.show_text(sentence, source)
        self.result.setVisible(bool(sentence))
        self.use.setText(self._model.use_sentence(workload, language))
        programs = self._model.programs_of(self._model.benchmark)
        disturbed = self._model.disturbance(programs, language)
        self.disturbed.show_text(disturbed, origin)
        self.disturbed.setVisible(bool(disturbed))

    def _fit_table(self) -> None:
        """Be as high as the rows are; the page scrolls, not the table."""
        if self.case_rows.rowCount() == 0:
            return
        if self.cases.share_width((0,)):
            self.cases.share_width((0, 1))  # a narrow window, or large letters: results may wrap as well
        self.cases.fit_notes(self.case_rows)
        rows = range(self.case_rows.rowCount())
        self.cases.fit_heights((0, 1), but={row for row in rows if row in self.case_rows.notes or self._is_short(row)})
        head = self.cases.horizontalHeader().sizeHint().height()
        self.cases.setFixedHeight(self.cases.verticalHeader().length() + head + GRID)

    def _is_short(self, row: int) -> bool:
        """Return whether the name and the result of a test have room in one line."""
        cells = (self.case_rows.index(row, column) for column in range(2))
        return all(self.cases.sizeHintForIndex(one).width() <= self.cases.columnWidth(one.column()) for one in cells)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self.context.gettext
        self.setAccessibleName(_("Measure"))
        self.title.setText(_("Measure"))
        self._name_suites()
        self.rest.setText(_("Go on with the rest"))
        self.rest.setAccessibleDescription(_("Measures what this check left out; what was measured is kept"))
        self.start.setAccessibleDescription(_("Measures this computer; you can pause, skip and cancel"))
        self._name_trace()
        self.trace.setText(_("Save a trace …"))
        self.trace.setAccessibleDescription(_("Runs a few steps again and writes a file that ui.perfetto.dev opens"))
        self.answer.setText(_("See the answer"))
        self.answer.setAccessibleDescription(_("Opens the page Advice"))
        self.cases_title.setText(_("Every test: its typical result, and how much repeats varied (±)"))
        self.cases.setAccessibleName(_("Tests"))
        self.cases.setAccessibleDescription(_("Every test with its state and result"))
        for text, words in zip(self._preview_texts, PREVIEW, strict=True):
            text.setText(_(words))
        self.chart.describe(
            _("Speed of matrix products"),
            _("Higher is faster. Small matrices leave the hardware idle; the plateau is what it can do."),
        )
        self._show()

    def _name_suites(self) -> None:
        """Say honestly how long each suite takes."""
        from advisor.benchmark.planning.schedule import FULL_S, QUICK_S

        longest_s = {"quick": QUICK_S, "full": FULL_S}
        for suite, text in SUITES:
            minutes = self.context.language.number(longest_s[suite] / MINUTE_S)
            self.suites[suite].setText(self.context.gettext(text).format(minutes=minutes))
            self.suites[suite].setAccessibleDescription(self.context.gettext("How much the next check measures"))
