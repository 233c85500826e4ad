"""The first page: this computer in one line, the question, the running check, and in the same place the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QMargins, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from advisor.gui.backend import Catalogue
from advisor.gui.base.context import Context
from advisor.gui.base.tasks import Problem
from advisor.gui.models.job.question import Question
from advisor.gui.models.progress import ProgressModel
from advisor.gui.models.shown_answer import ShownAnswer
from advisor.gui.pages.advice.computer_card import ComputerCard
from advisor.gui.pages.advice.drop_card import DropCard
from advisor.gui.pages.advice.question.question_panel import QuestionPanel
from advisor.gui.widgets.basic import GRID, Page, bring_into_view, button, label, lay_out
from advisor.gui.widgets.problem_card import ProblemCard
from advisor.gui.widgets.progress_panel import ProgressPanel
from advisor.locale import N_

if TYPE_CHECKING:
    from advisor.gui.pages.advice.verdict_panel import VerdictPanel


class AdvicePage(Page):
    """Question, progress and answer, one at a time.

    Signals:
        verdict_made: With the ``VerdictPanel``, which is made when it is first needed.

    Attributes:
        computer, question_panel, progress_panel: Its parts.
        verdict: The answer; None before it is needed.
    """

    verdict_made = Signal(object)

    def __init__(self, context: Context, question: Question) -> None:
        super().__init__()
        self._context = context
        self._question = question
        self.computer = ComputerCard(context)
        self.machine_line = self.computer.line
        self.problem = ProblemCard(context)
        self.drop = DropCard(context)
        self.notice = label("lead")
        self._notice: Callable[[], str] = str
        self.take_back = button("link")
        self.take_back.hide()
        self.question_panel = QuestionPanel(context, question)
        self.progress_panel = ProgressPanel(context)
        self.verdict: VerdictPanel | None = None
        self._stack, self._pinned = _Stack(), _PinnedBar(self)
        self._build()
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _build(self) -> None:
        self.column.addWidget(self.computer)
        self.column.addWidget(self.problem)
        self.column.addWidget(self.drop)
        said = QHBoxLayout()
        said.addWidget(self.notice, 1)
        said.addWidget(self.take_back, 0, Qt.AlignmentFlag.AlignTop)
        self.column.addLayout(said)
        self.notice.hide()
        self._stack.addWidget(self.question_panel)
        self._stack.addWidget(self.progress_panel)
        self.column.addWidget(self._stack)
        self.column.addStretch(1)
        self.question_panel.job.turned.connect(self._pin)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the question fill the height."""
        super().resizeEvent(event)
        self.question_panel.give_room(self.height())
        self.question_panel.turn_asking()
        self._pinned.place(self.column_margins)

    def _show_only(self, panel: QWidget) -> None:
        self._stack.show_only(panel)
        self._pin()

    def _pin(self) -> None:
        """Keep the button that asks in sight below the open form, which is higher than the window."""
        panel = self.question_panel
        is_pinned = self._stack.currentWidget() is panel and not panel.form.isHidden()
        if is_pinned == self._pinned.isHidden():
            panel.lend_asking(self._pinned.row if is_pinned else None)
            self._pinned.setVisible(is_pinned)
            self._pinned.place(self.column_margins)
            panel.turn_asking()

    def offer(self, catalogue: Catalogue) -> None:
        """Offer what questions are made of."""
        self._question.networks, self._question.parameters = catalogue.networks, catalogue.parameters
        self.computer.offer(catalogue.cards, catalogue.processors)

    def show_probe_failed(self, problem: Problem) -> None:
        """Say that the probe failed."""
        self.computer.show_machine(None)
        self.problem.show_problem(problem, N_("This computer could not be looked at."))

    def show_question(self, notice: Callable[[], str] = str, *, is_replaced: bool = False) -> None:
        """Show the question, with a word on what happened before, said in the language of the moment.

        Args:
            notice: The word.
            is_replaced: The program itself put it in the place of another, which the user can have back.
        """
        self._show_notice(notice)
        self.take_back.setVisible(is_replaced)
        self.question_panel.show_question()
        self._show_only(self.question_panel)

    def show_dropping(self, file: str) -> None:
        """Say that what was dropped is being looked at."""
        self.drop.show_looking(file)
        bring_into_view(self.drop)

    def show_traced(self) -> None:
        """Show the network of the user's own file."""
        self.problem.dismiss()  # such as of a check that had to wait for it
        self.question_panel.show_question()
        self.question_panel.form.program.show_loaded()

    def show_data_refused(self, problem: Problem) -> None:
        """Say why the user's data are not taken."""
        self.question_panel.show_question()
        self.problem.show_problem(problem, N_("These data are not taken."))

    def show_unanswered(self, problem: Problem) -> None:
        """Say that there is no answer; the one before stays where there is one."""
        before = N_("This question could not be answered. What is shown below answers the one before.")
        self.problem.show_problem(problem, before if self.shows_answer else N_("This question could not be answered."))

    def _show_notice(self, notice: Callable[[], str]) -> None:
        self._notice = notice
        self.notice.setText(notice())
        self.notice.setVisible(bool(self.notice.text()))
        if self.notice.isHidden():
            self.take_back.hide()

    def refresh_money(self) -> None:
        """Show the question's money in its currency."""
        self.question_panel.form.retranslate()
        self.question_panel.show_question()
        if self.verdict is not None:
            self.verdict.job.form.retranslate()
            self.verdict.job.show_question()

    @property
    def shows_answer(self) -> bool:
        """Whether the answer is what is seen."""
        return self.verdict is not None and self._stack.currentWidget() is self.verdict

    def show_running(self) -> None:
        """Show the progress of a check that begins."""
        self.problem.dismiss()
        self.drop.dismiss()
        self.computer.show_checking(is_checking=True)
        self._show_notice(str)
        self.progress_panel.start()
        self._show_only(self.progress_panel)
        self.progress_panel.cancel.setFocus()

    def show_progress(self, progress: ProgressModel, *, is_stopping: bool, is_paused: bool = False) -> None:
        """Show how far the check is."""
        self.progress_panel.workload = self._question.workload
        self.progress_panel.show_progress(progress, is_stopping=is_stopping, is_paused=is_paused)

    def show_ended(self) -> None:
        """Let other computers be asked about again."""
        self.computer.show_checking(is_checking=False)

    def show_report(self, answer: ShownAnswer, programs: Sequence[str] = (), *, keeps_notice: bool = False) -> None:
        """Show the answer, and the names of the programs that were in the way; the word on what was before may stay."""
        if not keeps_notice:
            self.problem.dismiss()
            self._show_notice(str)
        verdict = self.ensure_verdict()
        verdict.show_report(answer.report, answer.view, programs)
        if self._stack.currentWidget() is not verdict:
            verdict.job.open_form(is_open=False)  # the answer is what is wanted now
            self._show_only(verdict)
            self.read_from_top()

    def read_from_top(self) -> None:
        """Show the answer from its beginning, also where the page is opened only now.

        The headline takes the keyboard: what had it before may stand far below, and would be brought into view.
        """
        self.ensure_verdict().headline.setFocus()
        self.scroll_up()

    def scroll_up(self) -> None:
        """Show the page from its beginning."""
        lay_out()
        self.verticalScrollBar().setValue(0)

    def ensure_verdict(self) -> VerdictPanel:
        """Return the panel of the answer, making it at the first call."""
        if self.verdict is None:
            from advisor.gui.pages.advice.verdict_panel import VerdictPanel

            self.verdict = VerdictPanel(self._context, self._question)
            self.verdict.again.clicked.connect(self._on_again)
            self.verdict.name_data.clicked.connect(self._on_data_wanted)
            self.verdict.job.form.program_wanted.connect(self._on_program_wanted)
            self._stack.addWidget(self.verdict)
            self.verdict_made.emit(self.verdict)
        return self.verdict

    def _on_again(self) -> None:
        self.computer.panel.show_answered(has_answer=True)  # what was said of a part belongs to the answer left
        self.show_question()
        self.question_panel.job.put_away()
        self.question_panel.focus_first()  # else Qt moves the keyboard on to whatever comes next, and the page with it
        QTimer.singleShot(0, self, self.scroll_up)

    def _on_data_wanted(self) -> None:
        """Let the user choose the folder of the data; the question then shows what lies there, and asks again."""
        if (path := self.question_panel.data.ask()) is not None:
            self.show_question()
            self.question_panel.data.choose_path(path)
            bring_into_view(self.question_panel.asking)

    def _on_program_wanted(self) -> None:
        """Go where a Python file is chosen and run."""
        self.show_question()
        self.question_panel.show_own_program()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setAccessibleName(_("Advice"))
        self._show_notice(self._notice)
        self.take_back.setText(_("Undo"))
        self.take_back.setAccessibleDescription(_("Brings back the question that was replaced"))


class _PinnedBar(QWidget):
    """A bar along the lower edge of a page, below what scrolls.

    Attributes:
        row: What is in it.
    """

    def __init__(self, page: Page) -> None:
        super().__init__(page)
        self._page = page
        self.setObjectName("pinned_bar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.row = QHBoxLayout(self)
        self._kept_free = 0
        self.hide()

    def place(self, sides: QMargins) -> None:
        """Lie across the page, as far from its sides as all else is, and leave the rest to what scrolls."""
        bar = self._page.width() - self._page.viewport().width()
        self.row.setContentsMargins(sides.left(), GRID, sides.right() + bar, GRID)
        height = 0 if self.isHidden() else self.sizeHint().height()
        if height != self._kept_free:
            self._kept_free = height
            self._page.keep_free_below(height)
        self.setGeometry(0, self._page.height() - height, self._page.width(), height)


class _Stack(QWidget):
    """Panels in one place, of which one is shown; as large as that one, which a QStackedWidget is not."""

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._panels: list[QWidget] = []

    def addWidget(self, panel: QWidget) -> None:
        """Add a panel; the first one is shown."""
        self._column.addWidget(panel)
        panel.setVisible(not self._panels)
        self._panels.append(panel)

    def currentWidget(self) -> QWidget | None:
        """Return the panel that is shown."""
        return next((panel for panel in self._panels if not panel.isHidden()), None)

    def show_only(self, panel: QWidget) -> None:
        """Show one panel."""
        for each in self._panels:
            if each is not panel:
                each.hide()
        panel.show()
