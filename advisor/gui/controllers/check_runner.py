"""One check of this computer at a time: the session's thread, its events, and its end."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from advisor.gui.backend import Backend
from advisor.gui.base.tasks import BackgroundTasks, Problem, TaskThread
from advisor.gui.models.measure import MeasureModel
from advisor.gui.models.phases import PhaseModel
from advisor.gui.models.progress import ProgressModel
from advisor.gui.models.shown_answer import ShownAnswer
from advisor.records.events import Event
from advisor.records.request import Observation, Request, observation_of
from advisor.records.results.measured.measurement import Benchmark
from advisor.records.results.report import Report

REDRAW_MS = 250
MOST_EVENTS_A_REDRAW = 2_000


class SessionThread(TaskThread):
    """Run one session.

    Its signals carry only the end; events wait in a queue that the window empties on its own timer, so that a busy
    session never floods the painting thread.

    Attributes:
        events: Fills while the session runs.
        control: Cancels, skips and pauses.
    """

    def __init__(
        self,
        backend: Backend,
        request: Request,
        finish: Callable[[Report], ShownAnswer],
        known: Observation | None,
        *,
        is_rest: bool,
    ) -> None:
        self.events: deque[Event] = deque()
        self.control = backend.make_control()
        self.is_cancelled = False
        further = backend.measure_rest if is_rest else backend.measure_too
        run = backend.run_session if known is None else partial(further, known)
        super().__init__(lambda: finish(run(request, self.events.append, self.control)), "session")

    def cancel(self) -> None:
        """Ask the session to end."""
        self.is_cancelled = True
        self.control.cancel()


class CheckRunner(QObject):
    """Runs a session and folds its events into models; the window only shows them.

    Signals:
        progressed: The models have changed; at most four times a second, so that the measurement keeps the processor.
        succeeded: With the answer.
        failed: With what went wrong.
        cancelled: The session ended because the user wanted it.
        ended: However it ended; comes last.

    Attributes:
        progress, measure: What the session has done so far.
        phases: Which test ran when, of this check and of those before it.
        unfinished: What the last check saw, where it was ended before its time; None where nothing is left.
    """

    progressed = Signal()
    succeeded = Signal(ShownAnswer)
    failed = Signal(Problem)
    cancelled = Signal()
    ended = Signal()

    def __init__(self, backend: Backend, background: BackgroundTasks, finish: Callable[[Report], ShownAnswer]) -> None:
        super().__init__()
        self._backend = backend
        self._background = background
        self._finish = finish
        self._thread: SessionThread | None = None
        self._before: Benchmark | None = None
        self.progress = ProgressModel(time.monotonic)
        self.measure = MeasureModel()
        self.phases = PhaseModel()
        self.unfinished: Observation | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(REDRAW_MS)
        self._timer.timeout.connect(self._handle_events)

    @property
    def is_running(self) -> bool:
        """Whether a session runs."""
        return self._thread is not None

    @property
    def is_stopping(self) -> bool:
        """Whether the session was asked to end."""
        return self._thread is not None and self._thread.is_cancelled

    def start(self, request: Request, known: Observation | None = None, *, is_rest: bool = False) -> None:
        """Run a session; nothing happens while one runs.

        Args:
            request: The question.
            known: What an earlier check saw of this computer: then the question's job alone is measured.
            is_rest: Instead, what that check left out is.
        """
        if self._thread is not None:
            return
        self.progress = ProgressModel(time.monotonic)
        self._before = self.measure.benchmark
        self.measure.clear()
        thread = SessionThread(self._backend, request, self._finish, known, is_rest=is_rest)
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

    def toggle_pause(self) -> None:
        """Wait before the next test, or go on; the test that runs is finished."""
        if self._thread is None:
            return
        if self._thread.control.is_paused:
            self._thread.control.resume()
        else:
            self._thread.control.pause()
        self.progressed.emit()

    def shut_down(self) -> None:
        """Take in nothing more, because the window closes."""
        self._timer.stop()

    def _handle_events(self) -> None:
        if self._thread is None:
            return
        events = self._thread.events
        for _turn in range(min(len(events), MOST_EVENTS_A_REDRAW)):
            event = events.popleft()
            self.progress.handle_event(event)
            self.measure.handle_event(event)
            self.phases.handle_event(event, time.monotonic())
        self.progressed.emit()

    def _handle_all(self) -> None:
        while self._thread is not None and self._thread.events:
            self._handle_events()

    def _on_succeeded(self, answer: ShownAnswer) -> None:
        self._handle_all()
        report = answer.report
        self.unfinished = observation_of(report) if self._backend.is_unfinished(report.benchmark) else None
        if self.is_stopping:
            self.cancelled.emit()
        else:
            self.succeeded.emit(answer)

    def _on_failed(self, problem: Problem) -> None:
        self._handle_all()
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
        if self._before is not None and not self.measure.has_results:
            self.measure.show(self._before)  # ended before its first result: what the answer rests on stays
        self.phases.stop(time.monotonic())
        self.progressed.emit()
        self.ended.emit()
