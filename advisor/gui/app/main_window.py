"""The window: what is seen, and who hears of what. Paints on timers; never waits."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSize, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from advisor.errors import AdvisorError, InputError, OutputError
from advisor.gui.app.check_flow import Checking
from advisor.gui.app.navigation import TITLES, Navigation
from advisor.gui.app.page_registry import PageMakers
from advisor.gui.app.page_stack import PageStack
from advisor.gui.backend import Backend, Catalogue
from advisor.gui.base.context import Context
from advisor.gui.base.notifications import Notifier
from advisor.gui.base.settings import Settings
from advisor.gui.base.tasks import load_plots, load_session
from advisor.gui.base.threads import Problem, describe
from advisor.gui.base.timers import single_shot
from advisor.gui.controllers.controllers import Workings
from advisor.gui.controllers.machine_controller import Looking
from advisor.gui.dialogs import shortcuts_dialog
from advisor.gui.pages.advice.page import AdvicePage
from advisor.gui.widgets.basic import GRID
from advisor.gui.widgets.problem_card import ProblemCard
from advisor.locale import N_

if TYPE_CHECKING:
    from advisor.gui.controllers.controllers import Answer
    from advisor.gui.models.subject import Pretence
    from advisor.records.hardware.machine import Machine
    from advisor.records.results.history_entry import Entry
    from advisor.records.results.report import Report

PAGES = tuple(TITLES)
DEFAULT_SIZE = QSize(1200, 800)
LEAST_SIZE = QSize(960, 600)
LOAD_PLOTS_MS = 50


class MainWindow(QMainWindow):
    """Everything the user sees.

    Signals:
        answered: A check ended with a report.
        stopped: A check ended, however.

    Attributes:
        report: Of the last answer; None before the first.
    """

    answered = Signal(object)
    stopped = Signal()

    def __init__(self, backend: Backend, context: Context, settings: Settings) -> None:
        super().__init__()
        self.context = context
        self.settings = settings
        self.report: Report | None = None
        self._take_workings(Workings(backend, context, settings))
        self.notifier = Notifier(self)
        self._is_started = False
        self.setMinimumSize(LEAST_SIZE.boundedTo(self.screen().availableSize()))
        self._take_place()
        self.navigation = Navigation(context, PAGES)
        self.problem = ProblemCard(context)
        self.advice = AdvicePage(context, self.question)
        self._makers = PageMakers(context, self.workings, self.looking, lambda: self.report)
        self._stack = PageStack("advice", self.advice, self._makers.makers)
        self.checking = Checking(self.workings, context, self.advice, self._stack)
        self._build()
        self._connect_pages()
        self._connect_workings()
        self._bind_keys()
        settings.on_unkept = self._say_unkept
        self._loading = single_shot(self, LOAD_PLOTS_MS, load_plots)
        context.language_changed.connect(self.retranslate)
        self.retranslate()
        self.open_page("advice")

    def _take_workings(self, workings: Workings) -> None:
        self.workings = workings
        self.backend = workings.backend
        self.question = workings.question
        self.background = workings.background
        self.archive = workings.archive
        self.check = workings.check
        self.advising = workings.advising
        self.monitor = workings.monitor
        self.readiness = workings.readiness
        self.looking = Looking(workings)

    @property
    def machine(self) -> "Machine | None":
        """This computer, as last seen."""
        return self.looking.machine

    # --- its place and its parts ---

    def _take_place(self) -> None:
        """Be where the window was when it was last closed; Qt brings it back onto a screen that is there."""
        kept = QByteArray.fromHex(self.settings.geometry.encode())
        if kept.isEmpty() or not self.restoreGeometry(kept):
            self.resize(DEFAULT_SIZE.boundedTo(self.screen().availableSize()))

    def _keep_place(self) -> None:
        self.settings.geometry = self.saveGeometry().toHex().toStdString()
        self.settings.save()

    def _build(self) -> None:
        centre = QWidget()
        row = QHBoxLayout(centre)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.navigation)
        column = QVBoxLayout()
        column.setSpacing(0)
        banner = QVBoxLayout()
        banner.addWidget(self.problem)
        room = (4 * GRID, 3 * GRID, 4 * GRID, 0)
        self.problem.appeared.connect(lambda is_there: banner.setContentsMargins(*(room if is_there else (0, 0, 0, 0))))
        banner.setContentsMargins(0, 0, 0, 0)
        column.addLayout(banner)
        column.addWidget(self._stack, 1)
        row.addLayout(column, 1)
        self.setCentralWidget(centre)
        self.navigation.offer("options", is_offered=False)

    def _connect_pages(self) -> None:
        """Hear what the user wants."""
        self.navigation.chosen.connect(self.open_page)
        self._stack.opened.connect(self.navigation.mark)
        self._makers.check_wanted.connect(self.start_check)
        self._makers.region_chosen.connect(self.set_region)
        self._makers.electricity_chosen.connect(self._on_electricity)
        self._makers.interval_chosen.connect(self._on_interval)
        advice = self.advice
        advice.asked.connect(self.start_check)
        advice.concluded.connect(self.conclude)
        advice.pretended.connect(self.pretend)
        advice.shared.connect(self.share)
        advice.back_wanted.connect(self.go_back)
        advice.file_chosen.connect(self.open_job)
        advice.program_chosen.connect(self.advising.trace)
        advice.data_chosen.connect(self.advising.find_data)
        advice.cancelled.connect(self.check.cancel)
        advice.running.skipped.connect(self.check.skip)
        advice.running.paused.connect(lambda is_wanted: self.check.pause(is_wanted=is_wanted))
        advice.details_wanted.connect(lambda: self.open_page("computer"))
        advice.options_wanted.connect(lambda: self.open_page("options"))
        advice.measurements_wanted.connect(lambda: self.open_page("measure"))

    def _connect_workings(self) -> None:
        """Hear what came of it."""
        self.looking.found.connect(self._on_found)
        self.looking.not_found.connect(self.advice.show_probe_failed)
        self.looking.offered.connect(self._on_catalogue)
        self.looking.not_offered.connect(self._on_catalogue_failed)
        self.advising.answers.answered.connect(self._show_answer)
        self.advising.failed.connect(self.advice.show_unanswered)
        self.advising.traced.connect(self.advice.show_traced)
        self.advising.data_found.connect(self.advice.show_data)
        self.advising.subject_changed.connect(self._show_subject)
        self.check.succeeded.connect(self._on_report)
        self.checking.refused.connect(self._refuse)
        self.checking.ended.connect(self._on_check_ended)
        self.archive.opened.connect(self._look_back)
        self.archive.fetched.connect(lambda fetched: self.share(fetched[1][0]))
        self.archive.failed.connect(self._on_history_failed)
        self.archive.set_aside.connect(self._on_history_set_aside)

    def _bind_keys(self) -> None:
        shortcuts_dialog.bind(self, shortcuts_dialog.CHECK_KEYS, self.start_check)
        shortcuts_dialog.bind(self, shortcuts_dialog.STOP_KEYS, self.check.cancel)
        shortcuts_dialog.bind(self, shortcuts_dialog.TWIN_KEYS, self._stack.switch_twins)
        shortcuts_dialog.bind(self, shortcuts_dialog.HELP_KEYS, self._list_shortcuts)
        shortcuts_dialog.bind(self, shortcuts_dialog.CLOSE_KEYS, self.close)
        for position, name in enumerate(PAGES):
            shortcuts_dialog.bind(self, (f"Ctrl+{position + 1}",), partial(self._open_by_key, name))

    def _list_shortcuts(self) -> None:
        shortcuts_dialog.ShortcutDialog(self.context, self).open()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self.context.gettext
        self.setWindowTitle(_("Is my computer enough?"))

    def _say_unkept(self) -> None:
        """Say once that choices last as long as the window only."""
        self.settings.on_unkept = None
        error = OutputError("Your settings are not kept: their file cannot be written.")
        problem = Problem(error=error, details=str(self.settings.path))
        self.problem.show_problem(problem, N_("What you choose holds until this window is closed."))

    # --- pages ---

    @property
    def pages(self) -> dict[str, QWidget]:
        """The pages that were opened so far."""
        return self._stack.pages

    @property
    def current_page(self) -> QWidget | None:
        """The page that is shown."""
        return self._stack.currentWidget()

    def open_page(self, name: str) -> None:
        """Show a page."""
        self._stack.open(name)
        if self.check.is_running:
            self.checking.show_progress()

    def _open_by_key(self, name: str) -> None:
        opener = self.navigation.buttons[name]
        if not opener.isHidden():
            self.open_page(name)
            opener.setFocus()

    def _on_electricity(self, usd_per_kwh: float | None) -> None:
        self.question.change_circumstances(electricity_usd_per_kwh=usd_per_kwh)
        self._count_anew()

    def _on_interval(self, interval_s: float) -> None:
        self.settings.interval_s = interval_s
        self.settings.save()
        self.monitor.set_interval(interval_s)

    # --- looking at this computer ---

    def showEvent(self, event: QShowEvent) -> None:
        """Start the work behind the window once it is on screen, so that it appears early."""
        super().showEvent(event)
        if not self._is_started:
            self._is_started = True
            self.advice.ask.focus_first()
            QTimer.singleShot(0, self._start_background)

    def _start_background(self) -> None:
        self.looking.begin()
        self.workings.watch_sensors()
        self.archive.load()
        self.background.run(load_session, "loading", self._on_session_loaded, self._on_load_failed)

    def _on_session_loaded(self) -> None:
        self._loading.start()  # not before: both need numpy, and one would wait for the other's import

    def _on_load_failed(self, problem: Problem) -> None:
        self.advice.problem.show_problem(problem, N_("A part of the program cannot be loaded."))

    def _on_catalogue(self, catalogue: Catalogue) -> None:
        self.advice.offer(catalogue)
        self.set_region(self.settings.currency, self.settings.country)
        self.advice.ask.show_presets()

    def _on_catalogue_failed(self, problem: Problem) -> None:
        self.advice.problem.show_problem(problem, N_("The ready-made jobs cannot be read."))

    def set_region(self, currency: str, country: str) -> None:
        """Count in a currency and with a country's electricity, or in dollars where they are not known."""
        self.looking.set_region(currency, country)
        self._count_anew()

    def _count_anew(self) -> None:
        """Show money as it counts now, in the question and in the answer that is seen."""
        self.advice.count_anew()
        if self.advice.shows_answer:
            self.conclude()

    def _on_found(self, machine: "Machine") -> None:
        self.advising.know(machine)
        self.advice.show_machine(machine)

    # --- questions ---

    def open_job(self, path: Path) -> None:
        """Take the job a user's file describes."""
        try:
            preset = self.backend.read_workload(path)
        except AdvisorError as error:
            self.advice.problem.show_problem(describe(error), N_("This file is not taken."))
            return
        self.advice.problem.dismiss()
        self.question.take_file(preset)
        self.advice.ask.show_question()

    def conclude(self) -> None:
        """Answer the question from what was measured before."""
        if not self.check.is_running:
            self.advising.ask()

    def pretend(self, pretence: "Pretence") -> None:
        """Answer the question for this computer with other parts."""
        if not self.check.is_running:
            self.advising.pretend(pretence)

    def go_back(self) -> None:
        """Speak of this computer again, instead of a pretended or an earlier one."""
        if self.check.is_running:
            return
        self.advising.back()
        if self.advising.needs_no_check:
            self.conclude()
        else:
            self.advice.show_question()

    def _show_subject(self) -> None:
        self.advice.show_subject(self.advising.subject)
        self.advice.ask.show_measured(is_measured=self.advising.needs_no_check)

    # --- the check ---

    def start_check(self, suite: str = "quick") -> None:
        """Measure this computer and answer the question, as soon as nothing speaks against it."""
        self.checking.start(suite)

    def _refuse(self, reason: Problem, intent: str) -> None:
        """Say on the first page why what the user wanted does not happen."""
        self.advice.problem.show_problem(reason, intent)
        self.open_page("advice")

    def _on_check_ended(self, ending: str) -> None:
        if self.settings.notifies:
            self.notifier.say(self.windowTitle(), ending)
        self.stopped.emit()

    # --- answers ---

    def _on_report(self, answer: "Answer") -> None:
        report, view = answer
        self.checking.ending = " ".join((view.answer.headline.text, *(said.text for said in view.answer.sentences[:1])))
        self.advising.take(report)
        if report.benchmark is not None:
            self.check.measure.show(report.benchmark)
        self.looking.take(report.machine)
        self.question.take_over(report)  # it may have been changed meanwhile
        self._show_answer(answer)
        if self.question.circumstances != report.circumstances:  # such as the currency, in the settings
            self.advising.ask()

    def _show_answer(self, answer: "Answer") -> None:
        report, view = answer
        self.report = report
        self.advice.show_report(report, view, self.check.measure.programs_of(report.benchmark))
        self._show_options(report)
        self.answered.emit(report)

    def _show_options(self, report: "Report") -> None:
        from advisor.gui.pages.options.page import OptionsPage

        self.navigation.offer("options", is_offered=bool(report.advice.options))
        page = self.pages.get("options")
        if isinstance(page, OptionsPage):
            page.show_report(report)

    def share(self, report: "Report | None" = None) -> None:
        """Show what a report would hold, this one or that of the last answer, and write it where the user says."""
        from advisor.gui.dialogs.export_dialog import ShareDialog

        chosen = report if report is not None else self.report
        if chosen is not None:
            ShareDialog(self.context, self.background, chosen, self).open()

    # --- the history ---

    def _look_back(self, opened: "tuple[Entry, Answer]") -> None:
        """Show the answer of an earlier check, and ask about its computer from now on."""
        entry, answer = opened
        if self.check.is_running:
            reason = InputError("A check runs; wait for its end or cancel it, then open the earlier one.")
            self._refuse(describe(reason), N_("The earlier check was not opened."))
            return
        self.advising.look_back(answer[0], entry.label)
        self._show_answer(answer)
        self.open_page("advice")

    def _on_history_failed(self, problem: Problem) -> None:
        if self.current_page is not self.pages.get("history"):
            self.problem.show_problem(problem, N_("The history cannot be used."))

    def _on_history_set_aside(self, name: str) -> None:
        from advisor.gui.pages.history.page import HistoryPage

        self.open_page("history")
        page = self.pages["history"]
        assert isinstance(page, HistoryPage)
        page.show_set_aside(name)

    # --- the end ---

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop everything that runs; no process is left behind."""
        self._keep_place()
        self.workings.rest()
        self.notifier.rest()
        self.checking.rest()
        self._loading.stop()
        if self.advice.verdict is not None:
            self.advice.verdict.rest()
        self.hide()
        self.workings.end()
        super().closeEvent(event)
