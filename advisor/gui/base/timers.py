"""Timers that belong to an object and end with it."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


def single_shot(parent: QObject, delay_ms: int, slot: Callable[[], object]) -> QTimer:
    """Return a timer that calls a slot once, some time after it is started."""
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(delay_ms)
    timer.timeout.connect(slot)
    return timer
