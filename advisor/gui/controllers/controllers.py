"""All controllers of one window, made together and ended together."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from advisor.gui.backend import Backend
from advisor.gui.base.context import Context
from advisor.gui.base.settings import Settings
from advisor.gui.base.tasks import BackgroundTasks, deliver, stop_children
from advisor.gui.controllers.advice_controller import AdviceController
from advisor.gui.controllers.check_runner import CheckRunner
from advisor.gui.controllers.history_controller import HistoryController
from advisor.gui.controllers.machine_controller import MachineController
from advisor.gui.controllers.preflight import Preflight
from advisor.gui.controllers.script_watcher import ScriptWatcher
from advisor.gui.controllers.sensor_thread import SensorThread
from advisor.gui.models.job.question import Question
from advisor.gui.models.shown_answer import ShownAnswer
from advisor.records.results.report import Report

STOP_TIMEOUT_MS = 15_000


class Controllers(QObject):
    """The question, the computer, the check, the answers, the history and the sensors of one window.

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
        self.background = BackgroundTasks()
        self.history = HistoryController(backend, self.background, self._with_view)
        self.check_runner = CheckRunner(backend, self.background, self._keep)
        self.advice = AdviceController(backend, self.background, self.question, self._with_view)
        self.script = ScriptWatcher(backend, self.background, self._keep)
        self.machine = MachineController(backend, self.background, self.question, settings)
        self.sensor_thread = SensorThread(backend.make_monitor, settings.interval_s)
        self.preflight = Preflight(backend, self.background, settings)
        self.stop_timeout_ms = STOP_TIMEOUT_MS
        self.machine.found.connect(self.advice.set_machine)

    def start(self) -> None:
        """Look at this computer, sample its sensors and list the history from now on."""
        self.machine.start()
        self.background.watch(self.sensor_thread)
        self.sensor_thread.start()
        self.history.load()

    def _with_view(self, report: Report) -> ShownAnswer:
        """Return a report with its words; called in the thread that made it, so that painting does not wait."""
        from advisor.gui.models.verdict import verdict_view

        return ShownAnswer(report=report, view=verdict_view(report, self._context.language))

    def _keep(self, report: Report) -> ShownAnswer:
        """Put a check into the history, also one that was stopped, and return it with its words.

        Called in the session's thread, so that it is kept even if the window closes meanwhile.
        """
        if report.benchmark is not None and report.benchmark.measurements:
            self.history.keep_now(report)
        return self._with_view(report)

    def shut_down(self) -> None:
        """Take in nothing more, because the window closes."""
        self.check_runner.shut_down()
        self.preflight.shut_down()
        self.advice.answers.discard_pending()
        self.advice.stop_trace()
        self.script.stop()

    def stop(self) -> None:
        """Stop everything that runs and wait for it; no process is left behind."""
        self.check_runner.cancel()
        self.closing.emit()
        self.sensor_thread.stop()
        if not self.background.wait(self.stop_timeout_ms):
            stop_children()
        # What the threads said last: a check that was broken off is kept in the history, in a thread of its own.
        deliver()
        self.background.wait(self.stop_timeout_ms)
        self.background.close()
