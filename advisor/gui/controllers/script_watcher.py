"""The user's own training script, watched while it runs: its thread, how far it is, and its end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from advisor.gui.backend import Backend
from advisor.gui.base.tasks import BackgroundTasks, Problem
from advisor.gui.models.shown_answer import ShownAnswer
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.measured.watched import WatchedJob
from advisor.records.results.report import Report


@dataclass(frozen=True, kw_only=True)
class SeenScript:
    """What came of watching: the job, its answer where its operations were seen, and the script's last line."""

    job: WatchedJob
    answer: ShownAnswer | None
    last_line: str


class ScriptWatcher(QObject):
    """Runs a script in a thread.

    Signals:
        progressed: With the ``Progress``, twice a second.
        ended: With the ``SeenScript``.
        failed: It could not be started.
    """

    progressed = Signal(object)
    ended = Signal(SeenScript)
    failed = Signal(Problem)

    def __init__(self, backend: Backend, background: BackgroundTasks, finish: Callable[[Report], ShownAnswer]) -> None:
        super().__init__()
        self._backend = backend
        self._background = background
        self._finish = finish
        self._stop: threading.Event | None = None

    @property
    def is_running(self) -> bool:
        """Whether a script runs."""
        return self._stop is not None

    def start(
        self, command: Sequence[str], folder: Path | None, circumstances: Circumstances, known: Observation | None
    ) -> None:
        """Run a command in a folder, because the user said so; nothing happens while one runs."""
        if self._stop is not None:
            return
        stop = self._stop = threading.Event()

        def watch() -> SeenScript:
            found = self._backend.watch_script(
                command, folder, circumstances, known, announce=self.progressed.emit, stop=stop
            )
            answer = None if found.report is None else self._finish(found.report)
            return SeenScript(job=found.job, answer=answer, last_line=found.last_line)

        self._background.run(watch, "script", self._on_ended, self._on_failed)

    def stop(self) -> None:
        """End the script; what was seen so far is told."""
        if self._stop is not None:
            self._stop.set()

    def _on_ended(self, seen: SeenScript) -> None:
        self._stop = None
        self.ended.emit(seen)

    def _on_failed(self, problem: Problem) -> None:
        self._stop = None
        self.failed.emit(problem)
