"""The window: navigation, pages, and the threads behind them. Paints on timers; never waits."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QWidget

from advisor.errors import AdvisorError
from advisor.gui.background import Background, end_children, load_plots, load_session
from advisor.gui.check import Check
from advisor.gui.context import Context
from advisor.gui.models.question import Question
from advisor.gui.monitoring import MonitorThread
from advisor.gui.navigation import Navigation
from advisor.gui.pages.advice import AdvicePage
from advisor.gui.services import Catalogue, Services
from advisor.gui.settings import Settings
from advisor.gui.threads import Problem, describe
from advisor.gui.widgets.basic import single_shot
from advisor.locale import N_

if TYPE_CHECKING:
    from advisor.gui.models.verdict import VerdictView
    from advisor.records.machine import Machine
    from advisor.records.report import Report

    Answer = tuple[Report, VerdictView]

PAGES = ("advice", "computer", "measure", "live", "options", "settings")
PREPARE_MS = 300
LOAD_PLOTS_MS = 50
STOP_TIMEOUT_MS = 15_000


class MainWindow(QMainWindow):
    """Everything the person sees.

    Signals:
        answered: A check ended with a report.
        stopped: A check ended, however.

    Attributes:
        stop_timeout_ms: How long closing waits for the session before it ends the processes by force.
    """

    answered = Signal(object)
    stopped = Signal()

    def __init__(self, services: Services, context: Context, settings: Settings) -> None:
        super().__init__()
        self.services = services
        self.context = context
        self.settings = settings
        self.machine: Machine | None = None
        self.report: Report | None = None
        self.question = Question()
        self.catalogue: Catalogue | None = None
        self.background = Background()
        self.check = Check(services, self.background, self._put)
        self.monitor = MonitorThread(services.make_monitor, settings.interval_s)
        self.pages: dict[str, QWidget] = {}
        self._is_started = False
        self.stop_timeout_ms = STOP_TIMEOUT_MS
        self.setMinimumSize(QSize(960, 600))
        self.resize(1200, 800)
        self.navigation = Navigation(context, PAGES)
        self._stack = QStackedWidget()
        self.advice = AdvicePage(context, self.question)
        self.pages["advice"] = self.advice
        self._stack.addWidget(self.advice)
        self._build()
        self._preparing = single_shot(self, PREPARE_MS, self._prepare_answer)
        self._loading = single_shot(self, LOAD_PLOTS_MS, load_plots)
        context.language_changed.connect(self.retranslate)
        self.retranslate()
        self.open_page("advice")

    def _build(self) -> None:
        centre = QWidget()
        row = QHBoxLayout(centre)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.navigation)
        row.addWidget(self._stack, 1)
        self.setCentralWidget(centre)
        self.navigation.offer("options", is_offered=False)
        self.navigation.chosen.connect(self.open_page)
        self.advice.asked.connect(self.start_check)
        self.advice.concluded.connect(self.conclude)
        self.advice.file_chosen.connect(self.open_job)
        self.advice.cancelled.connect(self.check.cancel)
        self.advice.running.skipped.connect(self.check.skip)
        self.check.progressed.connect(self._show_progress)
        self.check.succeeded.connect(self._on_report)
        self.check.failed.connect(self._on_failed)
        self.check.cancelled.connect(self._say_stopped)
        self.check.ended.connect(self._on_check_ended)
        self.advice.details_wanted.connect(lambda: self.open_page("computer"))
        self.advice.options_wanted.connect(lambda: self.open_page("options"))
        self.advice.measurements_wanted.connect(lambda: self.open_page("measure"))
        self._add_action("Ctrl+Return", self.start_check)
        self._add_action("Escape", self.check.cancel)
        self._add_action("Ctrl+T", self._switch_twin)
        for position, name in enumerate(PAGES):
            self._add_action(f"Ctrl+{position + 1}", partial(self._open_by_key, name))
        self._add_action("Ctrl+Q", self.close)

    def _add_action(self, keys: str, slot: Callable[[], object]) -> None:
        action = QAction(self)
        action.setShortcut(QKeySequence(keys))
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.triggered.connect(lambda _checked=False: slot())
        self.addAction(action)

    # --- pages ---

    def open_page(self, name: str) -> None:
        """Show a page, making it at its first visit."""
        if name not in self.pages:
            page = self._make_page(name)
            self.pages[name] = page
            self._stack.addWidget(page)
        self._stack.setCurrentWidget(self.pages[name])
        self.navigation.mark(name)

    def _open_by_key(self, name: str) -> None:
        opener = self.navigation.buttons[name]
        if not opener.isHidden():
            self.open_page(name)
            opener.setFocus()

    @property
    def current_page(self) -> QWidget | None:
        """The page that is shown."""
        return self._stack.currentWidget()

    def _make_page(self, name: str) -> QWidget:
        makers: dict[str, Callable[[], QWidget]] = {
            "computer": self._make_computer_page,
            "measure": self._make_measure_page,
            "live": self._make_live_page,
            "options": self._make_options_page,
            "settings": self._make_settings_page,
        }
        return makers[name]()

    def _make_computer_page(self) -> QWidget:
        from advisor.gui.pages.computer import ComputerPage

        page = ComputerPage(self.context)
        page.show_machine(self.machine)
        return page

    def _make_measure_page(self) -> QWidget:
        from advisor.gui.pages.measure import MeasurePage

        page = MeasurePage(self.context, self.check.measure)
        page.asked.connect(self.start_check)
        page.cancelled.connect(self.check.cancel)
        page.redraw(is_checking=self.check.is_running)
        return page

    def _make_live_page(self) -> QWidget:
        from advisor.gui.pages.live import LivePage

        page = LivePage(self.context, self.monitor, self.settings.interval_s)
        page.interval_chosen.connect(self._on_interval)
        return page

    def _make_options_page(self) -> QWidget:
        from advisor.gui.pages.options import OptionsPage

        page = OptionsPage(self.context)
        if self.report is not None:
            page.show_report(self.report)
        return page

    def _make_settings_page(self) -> QWidget:
        from advisor.gui.pages.settings import SettingsPage

        page = SettingsPage(self.context, self.settings)
        page.region_changed.connect(self.set_region)
        if self.catalogue is not None:
            page.show_catalogue(self.catalogue)
        return page

    def _on_interval(self, interval_s: float) -> None:
        self.settings.interval_s = interval_s
        self.settings.save()
        self.monitor.set_interval(interval_s)

    def _redraw_pages(self) -> None:
        """Hand what is new to the pages that show it."""
        from advisor.gui.pages.measure import MeasurePage

        page = self.pages.get("measure")
        if isinstance(page, MeasurePage):
            page.redraw(is_checking=self.check.is_running)

    def _switch_twin(self) -> None:
        """Show every chart of the open page as a table, or back."""
        from advisor.gui.pages.live import LivePage
        from advisor.gui.widgets.twin import TwinChart

        page = self._stack.currentWidget()
        if isinstance(page, LivePage):
            page.switch()
        elif page is not None:
            for twin in page.findChildren(TwinChart):
                twin.switch()

    # --- looking at this computer ---

    def showEvent(self, event: QShowEvent) -> None:
        """Start the work behind the window once it is on screen, so that it appears early."""
        super().showEvent(event)
        if not self._is_started:
            self._is_started = True
            self.advice.ask.focus_first()
            QTimer.singleShot(0, self._start_background)

    def _start_background(self) -> None:
        self.background.run(self.services.load_catalogue, "catalogue", self._on_catalogue, self._on_catalogue_failed)
        self.background.run(self.services.probe_machine, "probe", self._on_probed, self.advice.show_probe_failed)
        self.background.watch(self.monitor)
        self.monitor.start()
        self.background.run(load_session, "loading", self._on_session_loaded, self._on_load_failed)

    def _on_session_loaded(self) -> None:
        self._loading.start()  # not before: both need numpy, and one would wait for the other's import

    def _on_load_failed(self, problem: Problem) -> None:
        self.advice.problem.show_problem(problem, N_("A part of the program cannot be loaded."))

    def _on_catalogue(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.question.presets = catalogue.presets
        self.set_region(self.settings.currency, self.settings.country)
        self.advice.ask.show_presets()
        page = self.pages.get("settings")
        if page is not None:
            page.show_catalogue(catalogue)  # type: ignore[attr-defined]  # the page of this name

    def _on_catalogue_failed(self, problem: Problem) -> None:
        self.advice.problem.show_problem(problem, N_("The ready-made jobs cannot be read."))

    def set_region(self, currency: str, country: str) -> None:
        """Count in a currency and with a country's electricity, or in dollars where they are not known."""
        known = self.catalogue.usd_per_unit if self.catalogue is not None else {}
        countries = self.catalogue.countries if self.catalogue is not None else ()
        currency = currency if currency in known else "USD"
        country = country if country in countries else "US"
        self.question.set_region(currency, country, known.get(currency, 1.0))
        self.advice.ask.form.retranslate()
        self.advice.ask.show_question()

    def open_job(self, path: Path) -> None:
        """Take the job a person's file describes."""
        try:
            preset = self.services.read_workload(path)
        except AdvisorError as error:
            self.advice.problem.show_problem(describe(error), N_("This file is not taken."))
            return
        self.advice.problem.dismiss()
        self.question.take(preset)
        self.advice.ask.show_question()

    def conclude(self) -> None:
        """Answer the question from what was measured before."""
        report, workload = self.report, self.question.workload
        if report is None or workload is None or self.check.is_running:
            return
        from advisor.session.request import Observation

        circumstances = self.question.circumstances
        seen = Observation(machine=report.machine, benchmark=report.benchmark, is_simulated=report.is_simulated)
        self.background.run(
            lambda: self._put(self.services.conclude(seen, workload, circumstances)),
            "conclusion",
            self._show_answer,
            self._on_failed,
        )

    def _on_probed(self, machine: "Machine") -> None:
        self.machine = machine
        self.advice.show_machine(machine)
        self._show_machine_page()

    def _show_machine_page(self) -> None:
        from advisor.gui.pages.computer import ComputerPage

        page = self.pages.get("computer")
        if isinstance(page, ComputerPage):
            page.show_machine(self.machine)

    # --- the check ---

    def start_check(self) -> None:
        """Measure this computer and answer the question."""
        if self.check.is_running or self.question.workload is None:
            return
        from advisor.session.request import Request

        self.check.start(Request(workload=self.question.workload, circumstances=self.question.circumstances))
        self.monitor.watch(is_measuring=True)
        self.advice.show_running()
        self._show_progress()
        self._preparing.start()

    def _show_progress(self) -> None:
        self.advice.show_progress(self.check.progress, is_stopping=self.check.is_stopping)
        self._redraw_pages()

    def _prepare_answer(self) -> None:
        """Make what the answer needs while the person waits, a piece at a time."""
        if self.advice.verdict is None:
            self.advice.ensure_verdict()
            self._preparing.start()
        elif self.advice.verdict.chart.plot is None:
            self.advice.verdict.chart.ensure_plot()
            self._preparing.start()
        else:
            self._prepare_measure_page()

    def _prepare_measure_page(self) -> None:
        from advisor.gui.pages.measure import MeasurePage

        page = self.pages.get("measure")
        if isinstance(page, MeasurePage):
            page.chart.ensure_plot()

    def _put(self, report: "Report") -> "Answer":
        """Return a report with its words; called in the thread that made it, so that painting does not wait."""
        from advisor.gui.models.verdict import verdict_view

        return report, verdict_view(report, self.context.language)

    def _on_report(self, answer: "Answer") -> None:
        report = answer[0]
        self.machine = report.machine
        self.advice.show_machine(report.machine)
        if report.benchmark is not None:
            self.check.measure.show(report.benchmark)
        self._show_machine_page()
        self._show_answer(answer)

    def _show_answer(self, answer: "Answer") -> None:
        report, view = answer
        self.report = report
        self.advice.show_report(report, view)
        self.advice.ask.show_measured(is_measured=report.benchmark is not None)
        self._show_options(report)
        self.answered.emit(report)

    def _show_options(self, report: "Report") -> None:
        from advisor.gui.pages.options import OptionsPage

        self.navigation.offer("options", is_offered=bool(report.advice.options))
        page = self.pages.get("options")
        if isinstance(page, OptionsPage):
            page.show_report(report)

    def _on_failed(self, problem: Problem) -> None:
        self.advice.show_question()
        self.advice.problem.show_problem(problem, N_("The check ended before its time."))

    def _say_stopped(self) -> None:
        _ = self.context.gettext
        progress = self.check.progress
        text = _("Stopped after {done} of {all} tests. Nothing is running any more.")
        self.advice.show_question(text.format(done=progress.finished_count, all=progress.planned_count))

    def _on_check_ended(self) -> None:
        self.monitor.watch(is_measuring=False)
        self.stopped.emit()

    # --- the end ---

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop everything that runs; no process is left behind."""
        self.check.rest()
        self._preparing.stop()
        self._loading.stop()
        if self.advice.verdict is not None:
            self.advice.verdict.rest()
        self.hide()
        self.check.cancel()
        self.monitor.stop()
        if not self.background.wait(self.stop_timeout_ms):
            end_children()
        super().closeEvent(event)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self.context.gettext
        self.setWindowTitle(_("Is my computer enough?"))
