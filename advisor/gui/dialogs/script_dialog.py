"""The user's own training script: which command, what running it means, how far it is, and what was seen."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.base.tasks import Problem
from advisor.gui.models.job.script_command import command_for, words_of
from advisor.gui.widgets.basic import GRID, button, clear, label
from advisor.gui.widgets.problem_card import ProblemCard
from advisor.locale import N_
from advisor.records.results.measured.watched import WatchedJob
from advisor.watch.program import Progress

_WIDTH = 84 * GRID
_VALUE_WIDTH = 58 * GRID
_MOST_LETTERS = 160


class ScriptDialog(QDialog):
    """Asks for the command, runs it after the user's word, and shows what was seen.

    Signals:
        wanted: Run this command, in this folder (None: the home folder).
        stopped: End it.

    Attributes:
        see_answer: Button: close this and show the answer for the script's job.
    """

    wanted = Signal(list, object)
    stopped = Signal()

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._script: Path | None = None
        self._is_running = False
        self._progress: Progress | None = None
        self._seen: WatchedJob | None = None
        self._last_line = ""
        self._is_answered = False
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.title = label("title")
        self.consent = label("warning")
        self.command_label = label("body", wrap=False)
        self.command = QLineEdit()
        self.command_label.setBuddy(self.command)
        self.choose = button("plain", self._on_choose)
        self.state = label("body")
        self.problem = ProblemCard(context)
        self.rows = QGridLayout()
        self.last_line = label("muted", selectable=True)
        self.run = button("primary", self._on_run)
        self.stop = button("plain", self._on_stop)
        self.run.setDefault(True)  # what Enter in the command presses; else it is the first button there is
        self.see_answer = button("primary", self.accept)
        self.refuse = button("plain", self.reject)
        self._build()
        self.command.textEdited.connect(lambda _text: self._allow())
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _build(self) -> None:
        typed, last = QHBoxLayout(), QHBoxLayout()
        typed.addWidget(self.command_label)
        typed.addWidget(self.command, 1)
        typed.addWidget(self.choose)
        last.addWidget(self.refuse)
        last.addStretch(1)
        for one in (self.stop, self.run, self.see_answer):
            last.addWidget(one)
        self.rows.setHorizontalSpacing(2 * GRID)
        self.rows.setColumnStretch(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 3 * GRID)
        column.setSpacing(int(1.5 * GRID))
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)  # as high as the texts are, at the set width
        for words in (self.title, self.consent, self.state, self.last_line):
            words.setMinimumWidth(_WIDTH)
        column.addWidget(self.title)
        column.addWidget(self.consent)
        column.addLayout(typed)
        column.addWidget(self.state)
        self.problem.close_button.hide()  # that of the window stands below
        column.addWidget(self.problem)
        column.addLayout(self.rows)
        column.addWidget(self.last_line)
        column.addStretch(1)
        column.addLayout(last)

    # --- what the user does ---

    def _on_choose(self) -> None:
        _ = self._context.gettext
        name, _kind = QFileDialog.getOpenFileName(self, _("Choose a Python file"), "", _("Python (*.py)"))
        if name:
            self.set_script(Path(name))

    def set_script(self, path: Path) -> None:
        """Name a script; nothing of it is run or read before the user says so."""
        self._script = path
        self.command.setText(command_for(path))
        self.problem.dismiss()
        self._allow()
        self.run.setFocus()

    def _on_run(self) -> None:
        _ = self._context.gettext
        try:
            words = words_of(self.command.text())
        except ValueError:
            self.state.setText(_("A quotation mark in the command is not closed."))
            return
        self._is_running, self._progress, self._seen, self._last_line = True, None, None, ""
        self._is_answered = False
        self.problem.dismiss()
        self.retranslate()
        is_named = self._script is not None and self._script.name in self.command.text()
        self.wanted.emit(words, self._script.parent if self._script is not None and is_named else None)

    def _on_stop(self) -> None:
        self.stop.setEnabled(False)
        self.stopped.emit()

    def done(self, result: int) -> None:
        """Close; a script that still runs is ended."""
        if self._is_running:
            self.stopped.emit()
        super().done(result)

    # --- what happens ---

    def show_progress(self, progress: Progress) -> None:
        """Say how far it is."""
        if self._is_running:
            self._progress = progress
            self._show_state()

    def show_seen(self, job: WatchedJob, last_line: str, *, is_answered: bool) -> None:
        """Show what was seen, and where it has an answer the way to it."""
        self._is_running, self._seen = False, job
        self._last_line = last_line if job.script.status else ""
        self._is_answered = is_answered
        self.retranslate()
        (self.see_answer if is_answered else self.run).setFocus()

    def show_problem(self, problem: Problem) -> None:
        """Say why it was not run."""
        self._is_running = False
        self.problem.show_problem(problem, N_("Your script was not run."))
        self.retranslate()

    # --- words ---

    def _allow(self) -> None:
        self.run.setEnabled(bool(self.command.text().strip()) and not self._is_running)
        self.command.setEnabled(not self._is_running)
        self.choose.setEnabled(not self._is_running)
        self.stop.setVisible(self._is_running)
        self.stop.setEnabled(self._is_running)
        self.run.setVisible(not (self._is_running or self._is_answered))
        self.see_answer.setVisible(self._is_answered and not self._is_running)

    def _show_state(self) -> None:
        from advisor.report.words.quantities import duration  # once there is something to say
        from advisor.watch.injected.loop_watcher import TIMED

        _ = self._context.gettext
        progress, language = self._progress, self._context.language
        if not self._is_running:
            self.state.setText("")
        elif progress is None:
            self.state.setText(_("Your script starts …"))
        elif not progress.steps:
            time = duration(progress.elapsed_s, language)
            self.state.setText(_("no training step was seen yet, after {time}").format(time=time))
        elif not progress.timed:
            self.state.setText(_("the first training steps were seen; they warm up"))
        else:
            count = language.number(min(progress.timed, TIMED))
            self.state.setText(_("{n} of {all} steps are timed").format(n=count, all=language.number(TIMED)))

    def _show_rows(self) -> None:
        clear(self.rows)
        if self._seen is None:
            return
        from advisor.report.documents.watched import watched_rows

        for row, (name, value) in enumerate(watched_rows(self._seen, self._context.language)):
            said, found = label("muted", wrap=False), label("body", selectable=True)
            said.setText(name)
            found.setText(value)
            found.setFixedWidth(_VALUE_WIDTH)
            self.rows.addWidget(said, row, 0, Qt.AlignmentFlag.AlignTop)
            self.rows.addWidget(found, row, 1)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setWindowTitle(_("My own training script"))
        self.title.setText(self.windowTitle())
        self.consent.setText(
            _(
                "This runs your command as it is, and watches its training steps from inside. Nothing leaves this "
                "computer. It is ended after some 30 steps, or after 3 minutes. Choose only a script that you trust."
            )
        )
        self.command_label.setText(_("Command"))
        self.command.setPlaceholderText("python3 train.py")
        self.command.setAccessibleName(self.command_label.text())
        self.command.setAccessibleDescription(_("As in a terminal; a script that asks something gets no answer"))
        self.choose.setText(_("Choose a Python file …"))
        self.run.setText(_("Run it"))
        self.run.setAccessibleDescription(self.consent.text())
        self.stop.setText(_("Stop"))
        self.stop.setAccessibleDescription(_("Ends your script; what was seen so far is shown"))
        self.see_answer.setText(_("Show the answer"))
        self.refuse.setText(_("Close"))
        last = self._last_line[:_MOST_LETTERS]
        self.last_line.setText(_("The last line it printed: {line}").format(line=last) if last else "")
        self.last_line.setVisible(bool(last))
        self._show_state()
        self._show_rows()
        self._allow()
