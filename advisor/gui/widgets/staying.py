"""What somebody clicks stays under the pointer while what stands above it becomes higher or lower."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QScrollArea

_TURNS = 5
"""So often the event loop comes round until new widgets are shown, words wrapped, and heights taken from them."""


class Staying(QObject):
    """Scrolls an area by as much as what is being looked at is moved; nothing is painted meanwhile."""

    def __init__(self, area: QScrollArea) -> None:
        super().__init__(area)
        self._area = area
        self._top: Callable[[], int] = int
        self._wanted = self._left = 0
        self._turn = QTimer(self, interval=0)
        self._turn.timeout.connect(self._follow)

    def hold(self, top: Callable[[], int]) -> None:
        """Keep something where it is seen now, until what is changed next has found its place.

        Args:
            top: Returns how far below the area's upper edge that is.
        """
        self._top, self._wanted, self._left = top, top(), _TURNS
        self._area.viewport().setUpdatesEnabled(False)
        self._turn.start()

    def _follow(self) -> None:
        bar = self._area.verticalScrollBar()
        bar.setValue(bar.value() + self._top() - self._wanted)
        self._left -= 1
        if not self._left:
            self._turn.stop()
            self._area.viewport().setUpdatesEnabled(True)
