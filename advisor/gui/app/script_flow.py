"""The user's own training script: joins its dialog, what runs it, and the answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from advisor.errors import InputError
from advisor.gui.app.answer_flow import AnswerFlow
from advisor.gui.app.page_stack import PageStack
from advisor.gui.base.context import Context
from advisor.gui.base.tasks import Problem, describe
from advisor.gui.controllers.controllers import Controllers
from advisor.gui.controllers.script_watcher import SeenScript

if TYPE_CHECKING:
    from advisor.gui.dialogs.script_dialog import ScriptDialog


class ScriptFlow(QObject):
    """Runs the user's script for them.

    Attributes:
        dialog: None while nobody asks.
    """

    def __init__(self, controllers: Controllers, context: Context, answers: AnswerFlow, stack: PageStack) -> None:
        super().__init__()
        self._controllers = controllers
        self._context = context
        self._answers = answers
        self._stack = stack
        self._seen: SeenScript | None = None
        self.dialog: ScriptDialog | None = None
        controllers.script.progressed.connect(self._on_progress)
        controllers.script.ended.connect(self._on_ended)
        controllers.script.failed.connect(self._on_failed)

    def ask(self) -> None:
        """Ask which command is to be run."""
        from advisor.gui.dialogs.script_dialog import ScriptDialog

        self._seen = None
        self.dialog = ScriptDialog(self._context, self._stack.window())
        self.dialog.wanted.connect(self._run)
        self.dialog.stopped.connect(self._controllers.script.stop)
        self.dialog.finished.connect(self._on_closed)
        self.dialog.open()

    def ask_about(self, script: Path) -> None:
        """Ask whether a script is to be run, and how."""
        self.ask()
        assert self.dialog is not None
        self.dialog.set_script(script)

    def _run(self, command: list[str], folder: Path | None) -> None:
        script, check = self._controllers.script, self._controllers.check_runner
        if check.is_running or script.is_running:
            reason = InputError("Something else is being measured; wait for its end.")
            self._on_failed(describe(reason))
            return
        subject = self._controllers.advice.subject
        known = subject.observation if subject is not None and subject.is_own else None
        script.start(command, folder or Path.home(), self._controllers.question.circumstances, known)

    def _on_progress(self, progress: object) -> None:
        if self.dialog is not None:
            self.dialog.show_progress(progress)  # type: ignore[arg-type]  # a signal's object

    def _on_ended(self, seen: SeenScript) -> None:
        if self.dialog is not None:
            self._seen = seen
            self.dialog.show_seen(seen.job, seen.last_line, is_answered=seen.answer is not None)

    def _on_failed(self, problem: Problem) -> None:
        if self.dialog is not None:
            self.dialog.show_problem(problem)

    def _on_closed(self, result: int) -> None:
        dialog, self.dialog = self.dialog, None
        seen, self._seen = self._seen, None
        if dialog is not None:
            dialog.deleteLater()
        if result and seen is not None and seen.answer is not None and seen.job.network is not None:
            self._answers.show_watched(seen.job.network, seen.answer)
