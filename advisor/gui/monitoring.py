"""The thread that samples the sensors; a slow sensor never holds up painting."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QThread

from advisor.gui.threads import Problem, describe
from advisor.monitor import History

if TYPE_CHECKING:
    from advisor.monitor import Monitor


class MonitorThread(QThread):
    """Samples at an interval until it is stopped; the window reads ``history`` on its own timer.

    Attributes:
        history: The samples.
        interval_s: Between two samples.
        problem: Why sampling ended; None while all is well.
    """

    def __init__(self, make_monitor: "Callable[[], Monitor]", interval_s: float) -> None:
        super().__init__()
        self.setObjectName("monitor")
        self.history = History()
        self.interval_s = interval_s
        self.problem: Problem | None = None
        self._make_monitor = make_monitor
        self._may_rest = True
        self._wake = threading.Event()
        self._is_stopping = False

    def run(self) -> None:
        """Sample until stopped."""
        try:
            monitor = self._make_monitor()
            try:
                while not self._is_stopping:
                    monitor.may_rest = self._may_rest
                    self.history.append(monitor.sample())
                    self._wake.wait(self.interval_s)
                    self._wake.clear()
            finally:
                monitor.close()
        except Exception as error:  # noqa: BLE001 - whatever went wrong is shown on the page, never swallowed
            self.problem = describe(error)

    def set_interval(self, interval_s: float) -> None:
        """Sample at another interval from now on."""
        self.interval_s = interval_s
        self._wake.set()

    def watch(self, *, is_measuring: bool) -> None:
        """Keep every card in view while something is measured."""
        self._may_rest = not is_measuring

    def stop(self) -> None:
        """End as soon as the running sample is done."""
        self._is_stopping = True
        self._wake.set()
