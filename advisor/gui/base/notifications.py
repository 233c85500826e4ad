"""A word to a user who looks elsewhere: a check has ended. Nothing leaves the computer."""

import shutil
import sys

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QSystemTrayIcon, QWidget

from advisor.gui.base import desktop
from advisor.gui.base.timers import single_shot

_SHOWN_MS = 10_000
Way = str
"""``freedesktop``, ``tray`` or ``none``."""


def find_way() -> Way:
    """Return how this desktop takes a notification.

    Check: ``notify-send advisor hello``
    """
    if sys.platform == "linux" and shutil.which("notify-send") is not None:
        return "freedesktop"
    if QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages():
        return "tray"
    return "none"


class Notifier(QObject):
    """Says something on the desktop, and marks the window in the list of windows.

    Attributes:
        way: How; found at the first time.
        said: How often something was said.
        last: What was said last.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._icon: QSystemTrayIcon | None = None
        self._hiding = single_shot(self, _SHOWN_MS, self._hide)
        self.way: Way | None = None
        self.said = 0
        self.last = ""

    def notify(self, title: str, text: str) -> None:
        """Say something, unless the user looks at the window anyway."""
        if self._window.isActiveWindow():
            return
        self.said += 1
        self.last = text
        QApplication.alert(self._window)
        if self.way is None:
            self.way = find_way()
        if self.way == "freedesktop":
            desktop.start("notify-send", ["--app-name=advisor", "--icon=advisor", "--", title, text])
        elif self.way == "tray":
            self._notify_in_tray(title, text)

    def shut_down(self) -> None:
        """Take the icon away, because the window closes."""
        self._hiding.stop()
        self._hide()

    def _notify_in_tray(self, title: str, text: str) -> None:
        if self._icon is None:
            self._icon = QSystemTrayIcon(QApplication.windowIcon(), self)
            self._icon.messageClicked.connect(self._window.activateWindow)
        self._icon.show()  # a message needs an icon, which goes again with it
        self._icon.showMessage(title, text, QApplication.windowIcon(), _SHOWN_MS)
        self._hiding.start()

    def _hide(self) -> None:
        if self._icon is not None:
            self._icon.hide()
