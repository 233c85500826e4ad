"""What works behind the window, in threads of its own: nothing here is seen, and nothing here knows a page."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal

from advisor.gui.backend import Backend
from advisor.gui.base.context import Context
from advisor.gui.base.settings import Settings
from advisor.gui.base.tasks import Background, end_children
from advisor.gui.controllers.advice_controller import Advising
from advisor.gui.controllers.check_runner import Check
from advisor.gui.controllers.history_controller import Archive
from advisor.gui.controllers.preflight import Readiness
from advisor.gui.controllers.sensor_thread import MonitorThread
from advisor.gui.models.question import Question

if TYPE_CHECKING:
    from advisor.gui.models.verdict import VerdictView
    from advisor.records.results.report import Report

    Answer = tuple[Report, VerdictView]

STOP_TIMEOUT_MS = 15_000


class Workings(QObject):
    """The question, the check, the answers, the history and the sensors of one window.

    Signals:
        closing: What runs is to end.

    Attributes:
        stop_timeout_ms: How long the end waits for the session before it ends the processes by force.
    """

    closing = Signal()

    def __init__(self, backend: Backend, context: Context, settings: Settings) -> None:
        super().__init__()
        self._context = context
        self.backend = backend
        self.settings = settings
        self.question = Question()
        self.background = Background()
        self.archive = Archive(backend, self.background, self._put)
        self.check = Check(backend, self.background, self._keep)
        self.advising = Advising(backend, self.background, self.question, self._put)
        self.monitor = MonitorThread(backend.make_monitor, settings.interval_s)
        self.readiness = Readiness(backend, self.background, context, settings)
        self.stop_timeout_ms = STOP_TIMEOUT_MS

    def watch_sensors(self) -> None:
        """Sample from now on."""
        self.background.watch(self.monitor)
        self.monitor.start()

    def _put(self, report: "Report") -> "Answer":
        """Return a report with its words; called in the thread that made it, so that painting does not wait."""
        from advisor.gui.models.verdict import verdict_view

        return report, verdict_view(report, self._context.language)

    def _keep(self, report: "Report") -> "Answer":
        """Put a check into the history, also one that was stopped, and return it with its words.

        Called in the session's thread, so that it is kept even if the window closes meanwhile.
        """
        if report.benchmark is not None and report.benchmark.measurements:
            self.archive.keep_now(report)
        return self._put(report)

    def rest(self) -> None:
        """Take in nothing more, because the window closes."""
        self.check.rest()
        self.readiness.rest()
        self.advising.answers.forget()

    def end(self) -> None:
        """Stop everything that runs and wait for it; no process is left behind."""
        self.check.cancel()
        self.closing.emit()
        self.monitor.stop()
        if not self.background.wait(self.stop_timeout_ms):
            end_children()
        # What the threads said last: a check that was broken off is kept in the history, in a thread of its own.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.MetaCall)
        self.background.wait(self.stop_timeout_ms)
