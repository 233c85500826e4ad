"""Before a measurement: look for what would spoil it, and start it once nothing does or the user wants it."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from advisor.gui.backend import Backend
from advisor.gui.base.settings import Settings
from advisor.gui.base.tasks import BackgroundTasks, Problem
from advisor.gui.base.timers import single_shot
from advisor.records.hardware.interference import Interference
from advisor.report.words.problems import DOUBTS

LOOK_AGAIN_MS = 4000


class Preflight(QObject):
    """Looks at the computer before each check; lets it start at once where nothing is in the way.

    Signals:
        interference_found: With the ``Interference`` that would spoil the measurement, after each look; with one
            that would not, once that is over.
        began: The check that waited begins by itself.
        waits: A check waits from now on.
        settled: The check that waited has started or never will.
    """

    interference_found = Signal(object)
    began = Signal()
    waits = Signal()
    settled = Signal()

    def __init__(self, backend: Backend, background: BackgroundTasks, settings: Settings) -> None:
        super().__init__()
        self._backend = backend
        self._background = background
        self._settings = settings
        self._start: Callable[[], None] | None = None
        self._waits_since: float | None = None
        self._is_told = False
        self._is_shut_down = False
        self._again = single_shot(self, LOOK_AGAIN_MS, self._inspect)

    def ask(self, start: Callable[[], None], *, waits: bool = False) -> None:
        """Call ``start`` as soon as nothing speaks against a check, or the user wants it all the same.

        A check that waits gives way: while it does, the user may have come to want another.

        Args:
            start: Begins the check.
            waits: The user wants it only when nothing is in the way, and is not asked.
        """
        if self.is_waiting:
            self.cancel()
        if self._start is not None:
            return
        if not self._settings.warns_before and not waits:
            start()
            return
        self._start, self._waits_since, self._is_told = start, time.monotonic() if waits else None, False
        if waits:
            self.waits.emit()
        self._inspect()

    @property
    def is_waiting(self) -> bool:
        """Whether the check begins by itself once nothing is in the way."""
        return self._start is not None and self._waits_since is not None

    @property
    def waited_s(self) -> float:
        """How long the check has waited, s."""
        return 0.0 if self._waits_since is None else time.monotonic() - self._waits_since

    def proceed(self) -> None:
        """Start the check whatever is in the way."""
        start = self._start
        self.cancel()
        if start is not None and not self._is_shut_down:
            start()

    def wait(self) -> None:
        """Start the check once nothing is in the way."""
        self._waits_since = time.monotonic()
        self.waits.emit()
        self._again.start()

    def cancel(self) -> None:
        """Give the check up that waits."""
        self._again.stop()
        if self._start is not None:
            self._start = None
            self.settled.emit()

    def shut_down(self) -> None:
        """Start nothing more, because the window closes."""
        self._is_shut_down = True
        self.cancel()

    def _inspect(self) -> None:
        if self._start is not None:
            self._background.run(self._backend.find_interference, "conditions", self._on_found, self._on_failed)

    def _on_found(self, found: Interference) -> None:
        if self._start is None or self._is_shut_down:
            return
        is_quiet = not any(one.kind in DOUBTS for one in found.conditions)
        if is_quiet and (self.is_waiting or not self._is_told):
            self._begin()
            return
        self._is_told = True
        self.interference_found.emit(found)
        self._again.start()

    def _on_failed(self, _problem: Problem) -> None:
        """Measure: whatever keeps the computer from being looked at does not keep it from being measured."""
        self._begin()

    def _begin(self) -> None:
        if self.is_waiting:
            self.began.emit()
        self.proceed()
