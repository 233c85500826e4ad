"""The window: its parts, what joins them, its place and its end. Paints on timers; never waits."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QByteArray, QSize
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QMainWindow, QToolTip, QVBoxLayout, QWidget

from advisor.errors import OutputError
from advisor.gui.app.answer_flow import AnswerFlow
from advisor.gui.app.check_flow import CheckFlow
from advisor.gui.app.drop_flow import DropFlow
from advisor.gui.app.navigation import TITLES, Navigation, page_key
from advisor.gui.app.page_stack import PageStack
from advisor.gui.app.page_wiring import PageWiring
from advisor.gui.app.receipt_flow import ReceiptFlow
from advisor.gui.app.script_flow import ScriptFlow
from advisor.gui.backend import Backend
from advisor.gui.base.context import Context
from advisor.gui.base.notifications import Notifier
from advisor.gui.base.settings import Settings
from advisor.gui.base.tasks import Problem, load_plots, load_session
from advisor.gui.base.timers import single_shot
from advisor.gui.controllers.controllers import Controllers
from advisor.gui.dialogs import shortcuts_dialog
from advisor.gui.pages.advice.page import AdvicePage
from advisor.gui.widgets.basic import GRID, lay_out, show_focused
from advisor.gui.widgets.problem_card import ProblemCard
from advisor.locale import N_
from advisor.records.results.report import Report

if TYPE_CHECKING:
    from advisor.gui.pages.advice.verdict_panel import VerdictPanel

PAGES = tuple(TITLES)
DEFAULT_SIZE = QSize(1200, 800)
LEAST_SIZE = QSize(960, 600)
_FRAME = QSize(2 * GRID, 5 * GRID)
"""What a desktop puts around a window, its title bar above all, which nobody knows before it is shown."""
_LAST_SHOWN = 0.99
"""Of a check that still runs: beside "almost done" stood "100 %"."""
LOAD_PLOTS_MS = 50
START_UNSEEN_MS = 500
"""How long the work behind the window waits for its first picture, which a minimized one has not."""


class MainWindow(QMainWindow):
    """Everything the user sees.

    Attributes:
        controllers: What works behind the window.
        advice: The first page.
        stack: All pages.
        check_flow, answer_flow, receipt_flow, script_flow, drop_flow: Join controllers and pages for a check, an
            answer, what came of an earlier one, the user's script, and what is dropped.
    """

    def __init__(self, backend: Backend, context: Context, settings: Settings) -> None:
        super().__init__()
        self.context = context
        self.settings = settings
        self.controllers = Controllers(backend, context, settings)
        self.notifier = Notifier(self)
        self._is_started = self._is_ending = False
        self.setMinimumSize(LEAST_SIZE.boundedTo(self.screen().availableSize()))
        self.navigation = Navigation(context, PAGES, settings)
        self._restore_place()
        self.problem = ProblemCard(context)
        self.advice = AdvicePage(context, self.controllers.question)
        self.stack = PageStack("advice", self.advice)
        self.check_flow = CheckFlow(self.controllers, context, self.advice, self.stack)
        self.answer_flow = AnswerFlow(self.controllers, context, self.advice, self.stack)
        self.receipt_flow = ReceiptFlow(self.controllers, context, self.check_flow)
        self.script_flow = ScriptFlow(self.controllers, context, self.answer_flow, self.stack)
        self.drop_flow = DropFlow(self.controllers, self.advice, self.stack, self.answer_flow, self.script_flow)
        self._wiring = PageWiring(context, self.controllers, self.check_flow, self.answer_flow)
        self.stack.makers = self._wiring.makers
        self._wiring.follow_waiting(self.advice.question_panel.show_waiting)
        self._wiring.answer_wanted.connect(lambda: self.stack.open("advice"))
        self._build()
        self._connect_question()
        self._connect_answer()
        self._bind_keys()
        cast(QApplication, QApplication.instance()).focusChanged.connect(self._on_focus)
        settings.on_unkept = self._show_settings_not_kept
        self._starting = single_shot(self, START_UNSEEN_MS, self._start_background)
        self._loading = single_shot(self, LOAD_PLOTS_MS, load_plots)
        context.language_changed.connect(self.retranslate)
        self.retranslate()
        self.stack.open("advice")

    # --- its place and its parts ---

    def _restore_place(self) -> None:
        """Be where the window was when it was last closed; Qt brings it back onto a screen that is there."""
        kept = QByteArray.fromHex(self.settings.geometry.encode())
        if kept.isEmpty() or not self.restoreGeometry(kept):
            self.resize(DEFAULT_SIZE.boundedTo(self.screen().availableSize() - _FRAME))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the list of pages as much room as there is for it."""
        super().resizeEvent(event)
        self.navigation.fit_into(event.size().width())

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
        column.addWidget(self.check_flow.waiting)
        column.addWidget(self.stack, 1)
        row.addLayout(column, 1)
        self.setCentralWidget(centre)
        self.navigation.offer("options", is_offered=False)
        self.setAcceptDrops(True)

    def _connect_question(self) -> None:
        """Join the parts of the first page that are there from the beginning with what answers them."""
        advice, check = self.advice, self.controllers.check_runner
        self.navigation.chosen.connect(self.stack.open)
        self.stack.opened.connect(self.navigation.mark)
        advice.question_panel.asked.connect(self.check_flow.start_quick)
        advice.question_panel.concluded.connect(self.answer_flow.conclude)
        advice.question_panel.script.clicked.connect(self.script_flow.ask)
        advice.question_panel.file_chosen.connect(self.answer_flow.open_job)
        advice.question_panel.form.program.wanted.connect(self.controllers.advice.trace)
        advice.question_panel.form.program.stop.clicked.connect(self.controllers.advice.stop_trace)
        advice.computer.panel.wanted.connect(self.answer_flow.pretend)
        advice.computer.panel.worth_wanted.connect(self.answer_flow.ask_worth)
        advice.computer.back.clicked.connect(self.answer_flow.go_back)
        advice.computer.details.clicked.connect(lambda: self.stack.open("computer"))
        advice.progress_panel.cancel.clicked.connect(check.cancel)
        advice.progress_panel.skip.clicked.connect(check.skip)
        advice.progress_panel.pause.clicked.connect(check.toggle_pause)

    def _connect_answer(self) -> None:
        """Join the answer, which is made when it is first needed, and what tells of it elsewhere."""
        self.advice.verdict_made.connect(self._on_verdict_made)
        self.answer_flow.answered.connect(self._offer_options)
        self.answer_flow.past_shown.connect(self.receipt_flow.show_past)
        self.answer_flow.withdrawn.connect(self._on_withdrawn)
        self.check_flow.ended.connect(self._notify)
        self.controllers.check_runner.progressed.connect(self._name_window)
        self.check_flow.ended.connect(self._name_window)
        self.controllers.history.failed.connect(self._on_history_failed)
        self.controllers.history.set_aside.connect(self._on_history_set_aside)

    def _on_verdict_made(self, verdict: VerdictPanel) -> None:
        self.receipt_flow.take_card(verdict.receipt)
        verdict.job.edited.connect(self.answer_flow.conclude)
        verdict.measure_too.clicked.connect(self.check_flow.measure_too)
        verdict.check_again.clicked.connect(self.check_flow.start_quick)
        verdict.when_quiet.clicked.connect(self.check_flow.start_when_quiet)
        verdict.share.clicked.connect(self.answer_flow.export_answer)
        verdict.options_wanted.connect(lambda: self.stack.open("options"))
        verdict.measurements.clicked.connect(lambda: self.stack.open("measure"))

    def _offer_options(self, report: Report) -> None:
        self.navigation.offer("options", is_offered=bool(report.advice.options))

    def _on_withdrawn(self) -> None:
        self.navigation.offer("options", is_offered=False)
        if self.stack.currentWidget() is self.stack.pages.get("options"):
            self.stack.open("advice")

    def _bind_keys(self) -> None:
        shortcuts_dialog.bind(self, shortcuts_dialog.CHECK_KEYS, self.check_flow.start_quick)
        shortcuts_dialog.bind(self, shortcuts_dialog.STOP_KEYS, self.check_flow.stop_by_key)
        shortcuts_dialog.bind(self, shortcuts_dialog.TWIN_KEYS, self.stack.switch_charts)
        shortcuts_dialog.bind(self, shortcuts_dialog.HELP_KEYS, self._show_shortcuts)
        shortcuts_dialog.bind(self, shortcuts_dialog.CLOSE_KEYS, self.close)
        copying = shortcuts_dialog.bind(self, shortcuts_dialog.COPY_KEYS, self._copy_answer)
        self.stack.opened.connect(lambda name: copying.setEnabled(name == "advice"))  # tables have their own
        shortcuts_dialog.bind(self, shortcuts_dialog.SHARE_KEYS, self._share_answer)
        for position, name in enumerate(PAGES):
            shortcuts_dialog.bind(self, (page_key(position),), partial(self._open_by_key, name))

    def _copy_answer(self) -> None:
        """Copy what is selected, or the answer where nothing is."""
        focus = self.focusWidget()
        if isinstance(focus, QLabel) and focus.hasSelectedText():
            QGuiApplication.clipboard().setText(focus.selectedText())
        elif self.advice.shows_answer and self.advice.verdict is not None:
            self.advice.verdict.copy_answer()
            if self.advice.verdict.copy.visibleRegion().isEmpty():  # scrolled away; nothing else would say so
                place = self.advice.mapToGlobal(self.advice.rect().center())
                QToolTip.showText(place, self.advice.verdict.copy.text(), self)

    def _share_answer(self) -> None:
        if self.stack.currentWidget() is self.advice and self.advice.shows_answer:
            self.answer_flow.export_answer()

    def _on_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        show_focused(before, now)

    def _show_shortcuts(self) -> None:
        shortcuts_dialog.ShortcutsDialog(self.context, self).open()

    def _open_by_key(self, name: str) -> None:
        opener = self.navigation.buttons[name]
        if opener.isEnabled():
            self.stack.open(name)
            opener.setFocus()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        self._name_window()

    def _name_window(self, _ending: str = "") -> None:
        """Say in the title what the program is, and how far a check is."""
        check = self.controllers.check_runner
        title = self.context.gettext("Is my computer enough?")
        fraction = check.progress.fraction if check.is_running else None
        share = "" if fraction is None else f"{self.context.language.percent(min(fraction, _LAST_SHOWN))} · "
        self.setWindowTitle(f"{share}{title}")

    # --- what is dropped ---

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files and folders of this computer."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Say what was dropped and ask what to do with it."""
        self.drop_flow.take_event(event)

    # --- the start ---

    def showEvent(self, event: QShowEvent) -> None:
        """Have everything in its place in the first picture; start the work behind the window also where none comes.

        What the work imports would take Python from the thread that paints.
        """
        super().showEvent(event)
        if not self._is_started:
            self._is_started = True
            self.advice.question_panel.focus_first()
            lay_out()  # else the first picture has parts where they do not stay
            self._starting.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Let the work behind the window begin right after its first picture."""
        super().paintEvent(event)
        if self._starting.isActive():
            self._starting.start(0)

    def _start_background(self) -> None:
        self.controllers.start()
        self.controllers.background.run(load_session, "loading", self._on_session_loaded, self._on_load_failed)

    def _on_session_loaded(self) -> None:
        self._loading.start()  # not before: both need numpy, and one would wait for the other's import

    def _on_load_failed(self, problem: Problem) -> None:
        self.advice.problem.show_problem(problem, N_("A part of the program cannot be loaded."))

    # --- what is said across pages ---

    def _show_settings_not_kept(self) -> None:
        """Say once that choices last as long as the window only."""
        self.settings.on_unkept = None
        error = OutputError("Your settings are not kept: their file cannot be written.")
        problem = Problem(error=error, details=str(self.settings.path))
        self.problem.show_problem(problem, N_("What you choose holds until this window is closed."))

    def _notify(self, ending: str) -> None:
        if self.settings.notifies:
            self.notifier.notify(self.context.gettext("Is my computer enough?"), ending)

    def _on_history_failed(self, problem: Problem) -> None:
        if self.stack.currentWidget() is not self.stack.pages.get("history"):
            self.problem.show_problem(problem, N_("The history cannot be used."))

    def _on_history_set_aside(self, name: str) -> None:
        from advisor.gui.pages.history.page import HistoryPage

        self.stack.open("history")
        page = self.stack.pages["history"]
        assert isinstance(page, HistoryPage)
        page.show_set_aside(name)

    # --- the end ---

    def end(self) -> None:
        """Close, whatever runs."""
        self._is_ending = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop everything that runs, after a word where a long check does; no process is left behind."""
        if not self._is_ending and self.check_flow.is_long:
            event.ignore()
            self.check_flow.ask_to_stop(self.end, is_closing=True)
            return
        self._keep_place()
        self.controllers.shut_down()
        self.notifier.shut_down()
        self.check_flow.shut_down()
        self._starting.stop()
        self._loading.stop()
        if self.advice.verdict is not None:
            self.advice.verdict.shut_down()
        self.hide()
        self.controllers.stop()
        super().closeEvent(event)
