"""The first page: this computer in one line, the question, the running check, and in the same place the answer."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.models.question import Question
from advisor.gui.models.subject import Subject
from advisor.gui.pages.advice.computer_card import ComputerCard
from advisor.gui.pages.advice.question_panel import AskPanel
from advisor.gui.widgets.basic import Page, bring_into_view, label
from advisor.gui.widgets.problem_card import ProblemCard
from advisor.gui.widgets.progress_panel import RunningPanel
from advisor.locale import N_

if TYPE_CHECKING:
    from advisor.gui.backend import Catalogue
    from advisor.gui.base.threads import Problem
    from advisor.gui.models.progress import ProgressModel
    from advisor.gui.models.verdict import VerdictView
    from advisor.gui.pages.advice.verdict_panel import VerdictPanel
    from advisor.records.hardware.machine import Machine
    from advisor.records.results.report import Report


class AdvicePage(Page):
    """Question, progress and answer, one at a time.

    Signals:
        asked: The user wants this computer measured and the answer.
        concluded: The user wants the answer from what was measured before.
        file_chosen: With the path of a file that describes a job.
        program_chosen: The user wants their own file run: path and function, kind of its samples, their size.
        data_chosen: With the file or folder of the user's data.
        cancelled: The user wants the check to stop.
        details_wanted: The user wants to see all about this computer.
        pretended: With the parts (``Pretence``) the user wants to hear about.
        back_wanted: The user wants to hear about this computer again.
        shared: The user wants to keep or share the answer.
        options_wanted: The user wants to see every option.
        measurements_wanted: The user wants to see what was measured.
    """

    asked = Signal()
    concluded = Signal()
    file_chosen = Signal(Path)
    program_chosen = Signal(str, str, int)
    data_chosen = Signal(Path)
    cancelled = Signal()
    details_wanted = Signal()
    pretended = Signal(object)
    back_wanted = Signal()
    shared = Signal()
    options_wanted = Signal()
    measurements_wanted = Signal()

    def __init__(self, context: Context, question: Question) -> None:
        super().__init__()
        self._context = context
        self._question = question
        self.computer = ComputerCard(context)
        self.machine_line = self.computer.line
        self.problem = ProblemCard(context)
        self.notice = label("lead")
        self._notice: Callable[[], str] = str
        self.ask = AskPanel(context, question)
        self.running = RunningPanel(context)
        self.verdict: VerdictPanel | None = None
        self._stack = _Stack()
        self._build()
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _build(self) -> None:
        self.column.addWidget(self.computer)
        self.column.addWidget(self.problem)
        self.column.addWidget(self.notice)
        self.notice.hide()
        self._stack.addWidget(self.ask)
        self._stack.addWidget(self.running)
        self.column.addWidget(self._stack)
        self.column.addStretch(1)
        self.computer.details_wanted.connect(self.details_wanted)
        self.computer.pretended.connect(self.pretended)
        self.computer.back_wanted.connect(self.back_wanted)
        self.ask.asked.connect(self.asked)
        self.ask.concluded.connect(self.concluded)
        self.ask.file_chosen.connect(self.file_chosen)
        self.ask.data.chosen.connect(self.data_chosen)
        self.ask.form.program.wanted.connect(self.program_chosen)
        self.running.cancelled.connect(self.cancelled)

    def show_machine(self, machine: "Machine") -> None:
        """Show what the probe found."""
        self.computer.show_machine(machine)

    def offer(self, catalogue: "Catalogue") -> None:
        """Offer what questions are made of."""
        self._question.networks = catalogue.networks
        self.computer.offer(catalogue.cards, catalogue.processors)

    def show_subject(self, subject: Subject | None) -> None:
        """Show which computer the answers are about."""
        self.computer.show_subject(subject)

    def show_probe_failed(self, problem: "Problem") -> None:
        """Say that the probe failed."""
        self.computer.show_machine(None)
        self.problem.show_problem(problem, N_("This computer could not be looked at."))

    def show_question(self, notice: Callable[[], str] = str) -> None:
        """Show the question, with a word on what happened before, said in the language of the moment."""
        self._say(notice)
        self.ask.show_question()
        self._stack.show_only(self.ask)

    def show_traced(self, problem: "Problem | None") -> None:
        """Show the network of the user's own file, or why there is none."""
        if problem is not None:
            self.ask.form.program.show_problem(problem)
            return
        self.problem.dismiss()  # such as of a check that had to wait for it
        self.ask.show_question()
        self.ask.form.program.show_taken()

    def show_data(self, problem: "Problem | None") -> None:
        """Show the job on the user's data, or why they are not taken."""
        self.ask.show_question()
        if problem is None:
            self.problem.dismiss()
        else:
            self.problem.show_problem(problem, N_("These data are not taken."))
            bring_into_view(self.problem)

    def show_unanswered(self, problem: "Problem") -> None:
        """Say that there is no answer; the one before stays where there is one."""
        before = N_("This question could not be answered. What stands below answers the one before.")
        self.problem.show_problem(problem, before if self.shows_answer else N_("This question could not be answered."))
        bring_into_view(self.problem)

    def _say(self, notice: Callable[[], str]) -> None:
        self._notice = notice
        self.notice.setText(notice())
        self.notice.setVisible(bool(self.notice.text()))

    def count_anew(self) -> None:
        """Show the question's money in its currency."""
        self.ask.form.retranslate()
        self.ask.show_question()
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
        self.computer.show_checking(is_checking=True)
        self._say(str)
        self.running.begin()
        self._stack.show_only(self.running)
        self.running.cancel.setFocus()

    def show_progress(self, progress: "ProgressModel", *, is_stopping: bool, is_paused: bool = False) -> None:
        """Show how far the check is."""
        self.running.show_progress(progress, is_stopping=is_stopping, is_paused=is_paused)

    def show_ended(self) -> None:
        """Let other computers be asked about again."""
        self.computer.show_checking(is_checking=False)

    def show_report(self, report: "Report", view: "VerdictView", programs: Sequence[str] = ()) -> None:
        """Show the answer, and the names of the programs that were in the way."""
        self.problem.dismiss()
        self._say(str)
        verdict = self.ensure_verdict()
        verdict.show_report(report, view, programs)
        if self._stack.currentWidget() is not verdict:
            self._stack.show_only(verdict)
            self.verticalScrollBar().setValue(0)

    def ensure_verdict(self) -> "VerdictPanel":
        """Return the panel of the answer, making it at the first call."""
        if self.verdict is None:
            from advisor.gui.pages.advice.verdict_panel import VerdictPanel

            self.verdict = VerdictPanel(self._context, self._question)
            self.verdict.again_wanted.connect(self.show_question)
            self.verdict.asked.connect(self.concluded)
            self.verdict.shared.connect(self.shared)
            self.verdict.options_wanted.connect(self.options_wanted)
            self.verdict.measurements_wanted.connect(self.measurements_wanted)
            self._stack.addWidget(self.verdict)
        return self.verdict

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setAccessibleName(_("Advice"))
        self._say(self._notice)


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
