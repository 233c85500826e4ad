"""What the user drops on the window: looked at, told, and taken where they agree."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QDropEvent

from advisor.errors import InputError
from advisor.gui.app.answer_flow import AnswerFlow
from advisor.gui.app.page_stack import PageStack
from advisor.gui.app.script_flow import ScriptFlow
from advisor.gui.base.tasks import Problem, describe
from advisor.gui.controllers.controllers import Controllers
from advisor.gui.pages.advice.page import AdvicePage
from advisor.locale import N_
from advisor.records.dropped import Dropped, DroppedKind


class DropFlow(QObject):
    """Joins what is dropped, what recognises it, and the pages that can use it."""

    def __init__(
        self, controllers: Controllers, advice: AdvicePage, stack: PageStack, answers: AnswerFlow, scripts: ScriptFlow
    ) -> None:
        super().__init__()
        self._controllers = controllers
        self._page = advice
        self._stack = stack
        self._answers = answers
        self._scripts = scripts
        self._path: Path | None = None
        advice.drop.wanted.connect(self._take)

    def take_event(self, event: QDropEvent) -> None:
        """Look at what was dropped; of several things at the first."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.look_at(paths[0])

    def look_at(self, path: Path) -> None:
        """Find out what a file or folder is; looking would disturb a check."""
        self._stack.open("advice")
        if self._controllers.check_runner.is_running:
            reason = InputError("A check runs; wait for its end or cancel it, then drop it again.")
            self._page.problem.show_problem(describe(reason), N_("What you dropped was not looked at."))
            return
        self._page.problem.dismiss()
        self._path = path
        self._page.show_dropping(path.name)
        recognise = partial(self._controllers.backend.recognise, path)
        self._controllers.background.run(recognise, "dropped", self._on_recognised, self._on_failed)

    def _on_recognised(self, dropped: Dropped) -> None:
        if dropped.path == self._path and self._page.drop.is_looking:
            self._page.drop.show_dropped(dropped)

    def _on_failed(self, problem: Problem) -> None:
        if self._page.drop.is_looking:
            self._page.drop.dismiss()
            self._page.problem.show_problem(problem, N_("What you dropped cannot be used."))

    def _take(self, dropped: Dropped, kind: DroppedKind) -> None:
        """Do what the user agreed to."""
        if kind in ("jobs", "reports"):
            self._open_fleet(dropped.path)
        elif kind == "report":
            self._stack.open("history")
            self._controllers.history.read_file(dropped.path)
        elif kind == "script":
            self._scripts.ask_about(dropped.path)
        else:
            self._ask(dropped, kind)

    def _ask(self, dropped: Dropped, kind: DroppedKind) -> None:
        """Put it into the question."""
        question, panel = self._controllers.question, self._page.question_panel
        if kind == "network":
            self._page.show_question()
            panel.show_own_program(dropped.path, dropped.function)
            return
        if dropped.cluster is not None:
            self._controllers.advice.take_cluster(dropped.cluster)
        elif kind == "data" and dropped.found is not None:
            self._controllers.advice.take_data(dropped.found)
        elif dropped.preset is not None and dropped.network is not None:
            question.load_seen(dropped.network, dropped.preset.workload)
        elif dropped.preset is not None:
            question.load_file(dropped.preset)
        if not self._page.problem.isVisible():
            self._page.show_question()
            panel.start.setFocus()

    def _open_fleet(self, path: Path) -> None:
        from advisor.gui.pages.fleet.page import FleetPage

        self._stack.open("fleet")
        page = self._stack.pages["fleet"]
        assert isinstance(page, FleetPage)
        page.take(path)
