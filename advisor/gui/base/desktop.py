"""Start programs of the desktop: what opens a file or a folder, and what shows a notification."""

import subprocess
import sys
from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from advisor.resource import system_environment

_LOOK_EVERY_MS = 200
_MOST_LOOKS = 150
"""Half a minute: a program that ends later, however, has shown what it was to show."""


class Opener(QObject):
    """Shows files and folders in the desktop's own programs.

    Signals:
        unopened: With a place that was not shown. ``xdg-open`` says so by how it ends, which may be seconds later.
    """

    unopened = Signal(str)

    def __init__(self, parent: QObject, platform: str = sys.platform) -> None:
        super().__init__(parent)
        self._platform = platform
        self._begun: subprocess.Popen[bytes] | None = None
        self._place = ""
        self._looks = 0
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_EVERY_MS)
        self._timer.timeout.connect(self._poll)

    @property
    def is_watching(self) -> bool:
        """Whether it is not known yet how the last one ended."""
        return self._timer.isActive()

    def open(self, place: str) -> None:
        """Show a file or a folder; whether it is shown is known later."""
        self._place = place
        self._timer.stop()
        if self._platform != "linux":
            self._on_ended(is_shown=QDesktopServices.openUrl(QUrl.fromLocalFile(place)))
            return
        try:
            # Not by Qt, which would hand on where this program's own libraries are, and end it with the window.
            self._begun = subprocess.Popen(
                ["xdg-open", place],
                env=system_environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            self._on_ended(is_shown=False)
            return
        self._looks = 0
        self._timer.start()

    def _poll(self) -> None:
        """See how it ended, without waiting for it: what it started may stay until the user closes it."""
        self._looks += 1
        status = None if self._begun is None else self._begun.poll()
        if status is not None or self._looks == _MOST_LOOKS:
            self._timer.stop()
            self._begun = None
            self._on_ended(is_shown=not status)

    def _on_ended(self, *, is_shown: bool) -> None:
        if not is_shown:
            self.unopened.emit(self._place)


def start(program: str, arguments: Sequence[str]) -> bool:
    """Start a program that is not part of this one, in the environment it would have without it."""
    environment = QProcessEnvironment()
    for name, value in system_environment().items():
        environment.insert(name, value)
    process = QProcess()
    process.setProgram(program)
    process.setArguments(list(arguments))
    process.setProcessEnvironment(environment)
    return cast(bool, process.startDetached())  # the stubs speak of a pair
