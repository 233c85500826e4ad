"""One check of this computer at a time: the session's thread, its events, and its end."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from advisor.gui.backend import Backend
from advisor.gui.base.tasks import Background
from advisor.gui.base.threads import Problem
from advisor.gui.controllers.session_thread import SessionThread
from advisor.gui.models.measure import MeasureModel
from advisor.gui.models.phases import PhaseModel
from advisor.gui.models.progress import ProgressModel

if TYPE_CHECKING:
    from advisor.records.request import Request
    from advisor.records.results.report import Report

REDRAW_MS = 250
MOST_EVENTS_A_REDRAW = 2_000


class Check(QObject):
    """Runs a session and folds its events into models; the window only shows them.

    Signals:
        progressed: The models have changed; at most four times a second, so that the measurement keeps the processor.
        succeeded: With what ``finish`` made of the report.
        failed: With a ``Problem``.
        cancelled: The session ended because the user wanted it.
        ended: However it ended; comes last.

    Attributes:
        progress, measure: What the session has done so far.
        phases: Which test ran when, of this check and of those before it.
    """

    progressed = Signal()
    succeeded = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    ended = Signal()

    def __init__(self, backend: Backend, background: Background, finish: "Callable[[Report], object]") -> None:
        super().__init__()
        self._backend = backend
        self._background = background
        self._finish = finish
        self._thread: SessionThread | None = None
        self.progress = ProgressModel(time.monotonic)
        self.measure = MeasureModel()
        self.phases = PhaseModel()
        self._timer = QTimer(self)
        self._timer.setInterval(REDRAW_MS)
        self._timer.timeout.connect(self._take_events)

    @property
    def is_running(self) -> bool:
        """Whether a session runs."""
        return self._thread is not None

    @property
    def is_stopping(self) -> bool:
        """Whether the session was asked to end."""
        return self._thread is not None and self._thread.is_cancelled

    def start(self, request: "Request") -> None:
        """Run a session; nothing happens while one runs."""
        if self._thread is not None:
            return
        self.progress = ProgressModel(time.monotonic)
        self.measure.clear()
        thread = SessionThread(self._backend, request, self._finish)
        thread.succeeded.connect(self._on_succeeded)
        thread.failed.connect(self._on_failed)
        thread.finished.connect(self._on_finished)
        self._thread = thread
        self._background.watch(thread)
        self._timer.start()
        thread.start()

    def cancel(self) -> None:
        """Ask the session to end, if one runs."""
        if self._thread is not None and not self._thread.is_cancelled:
            self._thread.cancel()
            self.progressed.emit()

    def skip(self) -> None:
        """Give up the test that runs now and go on with the next."""
        if self._thread is not None:
            self._thread.control.skip()

    @property
    def is_paused(self) -> bool:
        """Whether the next test waits until somebody says to go on."""
        return self._thread is not None and self._thread.control.is_paused

    def pause(self, *, is_wanted: bool) -> None:
        """Wait before the next test, or go on; the test that runs is finished."""
        if self._thread is None:
            return
        if is_wanted:
            self._thread.control.pause()
        else:
            self._thread.control.resume()
        self.progressed.emit()

    def rest(self) -> None:
        """Take in nothing more, because the window closes."""
        self._timer.stop()

    def _take_events(self) -> None:
        if self._thread is None:
            return
        events = self._thread.events
        for _turn in range(min(len(events), MOST_EVENTS_A_REDRAW)):
            event = events.popleft()
            self.progress.take(event)
            self.measure.take(event)
            self.phases.take(event, time.monotonic())
        self.progressed.emit()

    def _take_all(self) -> None:
        while self._thread is not None and self._thread.events:
            self._take_events()

    def _on_succeeded(self, result: object) -> None:
        self._take_all()
        if self.is_stopping:
            self.cancelled.emit()
        else:
            self.succeeded.emit(result)

    def _on_failed(self, problem: Problem) -> None:
        self._take_all()
        if self.is_stopping:
            self.cancelled.emit()
        else:
            self.failed.emit(problem)

    def _on_finished(self) -> None:
        self._timer.stop()
        if self._thread is not None:
            self._thread.wait()
        self._thread = None
        self.measure.stop()
        self.phases.stop(time.monotonic())
        self.progressed.emit()
        self.ended.emit()
