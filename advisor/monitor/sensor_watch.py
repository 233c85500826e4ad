"""Sample the sensors while a suite runs, in the form the runner asks for it."""

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import Self

from advisor.monitor.monitor import Monitor, make_monitor
from advisor.monitor.summary import nothing_seen, over_time, summarise
from advisor.records.base import Gap
from advisor.records.hardware.machine import Framework
from advisor.records.hardware.telemetry import TelemetrySample, TelemetrySummary
from advisor.records.results.measured.measurement import Series

INTERVAL_S = 1.0
"""Between two samples of the sensors. One takes about a thousandth of it on one core; each summary says how much."""
SHORTEST_S = 0.2
"""A shorter rest of a case gets no sample of its own: counters of processor time advance in hundredths of a second."""
KEPT_SAMPLES = 3600
"""The latest of them: one hour."""
PATIENCE_S = 0.5
"""So long a case waits for a sample at its beginning and at its end; a driver that hangs must not hold it up."""


class SensorWatch:
    """Samples the sensors in a thread of its own, so that a slow one never holds up a measurement.

    A sample is taken as a case begins, from which what follows is counted, then one every second, and one as it ends.
    """

    def __init__(self, make: Callable[[], Monitor] = make_monitor, interval_s: float = INTERVAL_S) -> None:
        self._make = make
        self._interval_s = interval_s
        self._samples: deque[TelemetrySample] = deque(maxlen=KEPT_SAMPLES)
        self._changed = threading.Condition()
        self._is_wanted = False
        self._is_closing = False
        self._problem = ""
        self._start_s = time.monotonic()
        self._thread = threading.Thread(target=self._run, name="sensors", daemon=True)

    def __enter__(self) -> Self:
        try:
            self._thread.start()
        except RuntimeError as error:  # the system has no thread left to give: what is measured goes without sensors
            self._problem = str(error)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        if self._thread.ident is not None:
            self._thread.join(PATIENCE_S)

    def begin(self) -> None:
        """Count from now on."""
        self._sample_now()
        self._start_s = max(self._newest_s(), self._start_s)

    def end(self) -> TelemetrySummary:
        """Return what the sensors said since the beginning, or why they said nothing."""
        newest_s = self._newest_s()
        if newest_s <= self._start_s or time.monotonic() - newest_s >= SHORTEST_S:
            self._sample_now()
        end_s = time.monotonic()
        found = summarise(tuple(self._samples.copy()), self._start_s, end_s)
        if found.count:
            return found
        gap = Gap(field="telemetry", reason="unreadable" if self._problem else "timeout", detail=self._problem)
        return nothing_seen(self._start_s, end_s, gap)

    def series(self, device: str, framework: Framework | None = None) -> tuple[Series, ...]:
        """Return clock, temperature and power of a device since the beginning."""
        return over_time(tuple(self._samples.copy()), self._start_s, time.monotonic(), device, framework)

    def _sample_now(self) -> None:
        """Have a sample taken, and wait for it."""
        now_s = time.monotonic()
        with self._changed:
            self._is_wanted = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._newest_s() >= now_s or bool(self._problem), PATIENCE_S)

    def _newest_s(self) -> float:
        return self._samples[-1].time_s if self._samples else -math.inf

    def _run(self) -> None:
        try:
            monitor = self._make()
            monitor.may_rest = False  # what is measured is awake
            try:
                self._sample_until_closed(monitor)
            finally:
                monitor.close()
        # Sensors are an addition: without them the measurements still stand, and each says what was wrong.
        except Exception as error:  # noqa: BLE001
            with self._changed:
                self._problem = type(error).__name__
                self._changed.notify_all()

    def _sample_until_closed(self, monitor: Monitor) -> None:
        while True:
            with self._changed:
                self._is_wanted = False
            sample = monitor.sample()
            with self._changed:
                self._samples.append(sample)
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._is_wanted or self._is_closing, self._interval_s)
                if self._is_closing:
                    return
