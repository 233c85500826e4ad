"""The thread that samples the sensors; a slow sensor never holds up painting."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QThread

from advisor.gui.base.tasks import Problem, describe
from advisor.monitor.timeline import Timeline

if TYPE_CHECKING:
    from advisor.monitor.monitor import Monitor
    from advisor.monitor.processes import CardUser
    from advisor.records.hardware.telemetry import TelemetrySample

RETRY_S = 15.0


class SensorThread(QThread):
    """Samples at an interval until it is stopped; the window reads what it keeps on its own timer.

    Attributes:
        latest: The newest; None before the first.
        timeline: The last hour.
        users: The programs on the cards, while somebody wants to know.
        interval_s: Between two samples.
        problem: Why nothing can be sampled at the moment; None while all is well.
        retry_s: After so long, sampling is tried again.
    """

    def __init__(self, make_monitor: Callable[[], Monitor], interval_s: float) -> None:
        super().__init__()
        self.setObjectName("monitor")
        self.latest: TelemetrySample | None = None
        self.timeline = Timeline()
        self.users: tuple[CardUser, ...] = ()
        self.interval_s = interval_s
        self.problem: Problem | None = None
        self.retry_s = RETRY_S
        self._make_monitor = make_monitor
        self._may_rest = True
        self._asks_users = False
        self._wake = threading.Event()
        self._is_stopping = False

    def run(self) -> None:
        """Sample until stopped; after a failure, begin again some time later."""
        while not self._is_stopping:
            try:
                self._sample_on()
            except BaseException as error:  # noqa: BLE001 - shown on the page; Qt's process dies of a SystemExit here
                self.problem = describe(error)
                self._wait(self.retry_s)

    def _sample_on(self) -> None:
        monitor = self._make_monitor()
        try:
            while not self._is_stopping:
                monitor.may_rest, monitor.asks_users = self._may_rest, self._asks_users
                sample = monitor.sample()
                self.users = monitor.users
                self.timeline.append(sample)
                self.latest = sample
                self.problem = None
                self._wait(self.interval_s)
        finally:
            monitor.close()

    def _wait(self, time_s: float) -> None:
        self._wake.wait(time_s)
        self._wake.clear()

    def set_interval(self, interval_s: float) -> None:
        """Sample at another interval from now on."""
        self.interval_s = interval_s
        self._wake.set()

    def watch(self, *, is_measuring: bool) -> None:
        """Keep every card in view while something is measured."""
        self._may_rest = not is_measuring

    def ask_users(self, *, is_wanted: bool) -> None:
        """Look for the programs on the cards too, while somebody wants to see them."""
        self._asks_users = is_wanted

    def stop(self) -> None:
        """End as soon as the running sample is done."""
        self._is_stopping = True
        self._wake.set()
