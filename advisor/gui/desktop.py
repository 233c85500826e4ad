"""Start programs of the desktop: what opens a file or a folder, and what shows a notification."""

import sys
from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QProcess, QProcessEnvironment, QUrl
from PySide6.QtGui import QDesktopServices

from advisor.resource import system_environment


def open_place(place: str, platform: str = sys.platform) -> bool:
    """Show a file or a folder in the desktop's own program; return whether that could be started."""
    if platform == "linux":
        # Not by Qt, which would hand on where this program's own libraries are.
        return start("xdg-open", [place])
    return QDesktopServices.openUrl(QUrl.fromLocalFile(place))


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
