"""The first page: this computer in one line, the question, the running check, and in the same place the answer."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from advisor.gui.context import Context
from advisor.gui.models.computer import one_line
from advisor.gui.models.question import Question
from advisor.gui.pages.ask import AskPanel
from advisor.gui.pages.running import RunningPanel
from advisor.gui.widgets.basic import GRID, Card, Page, button, label
from advisor.gui.widgets.problem import ProblemCard
from advisor.locale import N_

if TYPE_CHECKING:
    from advisor.gui.models.progress import ProgressModel
    from advisor.gui.models.verdict import VerdictView
    from advisor.gui.pages.verdict import VerdictPanel
    from advisor.gui.threads import Problem
    from advisor.records.machine import Machine
    from advisor.records.report import Report


class AdvicePage(Page):
    """Question, progress and answer, one at a time.

    Signals:
        asked: The person wants this computer measured and the answer.
        concluded: The person wants the answer from what was measured before.
        file_chosen: With the path of a file that describes a job.
        cancelled: The person wants the check to stop.
        details_wanted: The person wants to see all about this computer.
        options_wanted: The person wants to see every option.
        measurements_wanted: The person wants to see what was measured.
    """

    asked = Signal()
    concluded = Signal()
    file_chosen = Signal(Path)
    cancelled = Signal()
    details_wanted = Signal()
    options_wanted = Signal()
    measurements_wanted = Signal()

    def __init__(self, context: Context, question: Question) -> None:
        super().__init__()
        self._context = context
        self._machine: Machine | None = None
        self._is_probing = True
        self.machine_title = label("muted")
        self.machine_line = label("strong", selectable=True)
        self.details = button("link", self.details_wanted.emit)
        self.problem = ProblemCard(context)
        self.notice = label("lead")
        self.ask = AskPanel(context, question)
        self.running = RunningPanel(context)
        self.verdict: VerdictPanel | None = None
        self._stack = _Stack()
        self._build()
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _build(self) -> None:
        card = Card(margin=2 * GRID)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.machine_title)
        words.addWidget(self.machine_line)
        row = QHBoxLayout()
        row.addLayout(words, 1)
        row.addWidget(self.details)
        card.body.addLayout(row)
        self.column.addWidget(card)
        self.column.addWidget(self.problem)
        self.column.addWidget(self.notice)
        self.notice.hide()
        self._stack.addWidget(self.ask)
        self._stack.addWidget(self.running)
        self.column.addWidget(self._stack)
        self.column.addStretch(1)
        self.ask.asked.connect(self.asked)
        self.ask.concluded.connect(self.concluded)
        self.ask.file_chosen.connect(self.file_chosen)
        self.running.cancelled.connect(self.cancelled)

    def show_machine(self, machine: "Machine") -> None:
        """Show what the probe found."""
        self._machine, self._is_probing = machine, False
        self.retranslate()

    def show_probe_failed(self, problem: "Problem") -> None:
        """Say that the probe failed."""
        self._is_probing = False
        self.problem.show_problem(problem, N_("This computer could not be looked at."))
        self.retranslate()

    def show_question(self, notice: str = "") -> None:
        """Show the question, with a word on what happened before."""
        self.notice.setText(notice)
        self.notice.setVisible(bool(notice))
        self._stack.show_only(self.ask)

    def show_running(self) -> None:
        """Show the progress of a check that begins."""
        self.problem.dismiss()
        self.notice.hide()
        self.running.begin()
        self._stack.show_only(self.running)
        self.running.cancel.setFocus()

    def show_progress(self, progress: "ProgressModel", *, is_stopping: bool) -> None:
        """Show how far the check is."""
        self.running.show_progress(progress, is_stopping=is_stopping)

    def show_report(self, report: "Report", view: "VerdictView") -> None:
        """Show the answer."""
        self.problem.dismiss()
        self.notice.hide()
        verdict = self.ensure_verdict()
        verdict.show_report(report, view)
        self._stack.show_only(verdict)
        self.verticalScrollBar().setValue(0)

    def ensure_verdict(self) -> "VerdictPanel":
        """Return the panel of the answer, making it at the first call."""
        if self.verdict is None:
            from advisor.gui.pages.verdict import VerdictPanel

            self.verdict = VerdictPanel(self._context)
            self.verdict.again_wanted.connect(self.show_question)
            self.verdict.options_wanted.connect(self.options_wanted)
            self.verdict.measurements_wanted.connect(self.measurements_wanted)
            self._stack.addWidget(self.verdict)
        return self.verdict

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setAccessibleName(_("Advice"))
        self.machine_title.setText(_("Your computer"))
        self.details.setText(_("Details"))
        self.details.setAccessibleDescription(_("Everything found out about this computer, and how"))
        if self._machine is not None:
            self.machine_line.setText(one_line(self._machine, self._context.language))
        elif self._is_probing:
            self.machine_line.setText(_("Looking at this computer …"))
        else:
            self.machine_line.setText(_("Not known"))
        self.details.setEnabled(self._machine is not None)


class _Stack(QStackedWidget):
    """A stack as high as the panel it shows, not as the highest one."""

    def show_only(self, panel: QWidget) -> None:
        """Show one panel."""
        for index in range(self.count()):
            each = self.widget(index)
            if each is not None:
                policy = each.sizePolicy()
                shown = each is panel
                policy.setVerticalPolicy(policy.Policy.Preferred if shown else policy.Policy.Ignored)
                each.setSizePolicy(policy)
        self.setCurrentWidget(panel)
        self.adjustSize()
