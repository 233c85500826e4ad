"""Start the window: screen, application, icon, settings, services, and a net for errors nobody caught."""

import os
import signal
import sys
import traceback
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from advisor.crash import write_crash_log
from advisor.gui.context import Context
from advisor.gui.screen import screen_problem
from advisor.gui.settings import Settings, load_settings
from advisor.gui.threads import Problem
from advisor.gui.window import MainWindow
from advisor.locale import N_
from advisor.resource import resource_path

if TYPE_CHECKING:
    from advisor.gui.services import Services

ICON_SIZES = (16, 24, 32, 48, 64, 128, 256)
_PULSE_MS = 500


def run(argv: list[str]) -> int:
    """Open the window, stay until it is closed, and return the exit status."""
    from advisor.gui.core import core_services

    settings = load_settings(settings_path())
    problem = screen_problem(os.environ, settings.spoken())
    if problem is not None:
        sys.stderr.write(f"{problem}\n")
        return 1
    application = make_application(argv)
    window = open_window(application, core_services(), settings)
    sys.excepthook = CrashNet(window)
    signal.signal(signal.SIGINT, lambda *_signal: window.close())
    # Python handles a signal only when it runs; this lets it run even while nothing happens in the window.
    pulse = QTimer()
    pulse.timeout.connect(lambda: None)
    pulse.start(_PULSE_MS)
    return application.exec()


class CrashNet:
    """Takes every error that nobody caught: it is logged in the log folder and said in the window, each kind once."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._seen: set[str] = set()

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Log an error and show it."""
        if issubclass(kind, KeyboardInterrupt):
            self._window.close()
            return
        details = "".join(traceback.format_exception(kind, error, trace))
        if details in self._seen:
            return
        self._seen.add(details)
        place = write_crash_log(details)
        sys.stderr.write(details)
        problem = Problem(error=None, details=f"{place}\n\n{details}")
        self._window.advice.problem.show_problem(problem, N_("Something in the window went wrong."))


def make_application(argv: list[str]) -> QApplication:
    """Return the application with its name, icon and style."""
    application = QApplication([sys.argv[0], *argv])
    application.setApplicationName("advisor")
    application.setDesktopFileName("advisor")
    application.setStyle("Fusion")
    application.setWindowIcon(application_icon())
    return application


def application_icon() -> QIcon:
    """Return the program's icon."""
    icon = QIcon()
    for size in ICON_SIZES:
        icon.addFile(str(resource_path("icons", f"advisor-{size}.png")))
    return icon


def open_window(application: QApplication, services: "Services", settings: Settings) -> MainWindow:
    """Return the window, shown."""
    context = Context(application, settings.spoken(), settings.theme)
    window = MainWindow(services, context, settings)
    context.dress()
    window.show()
    return window


def settings_path() -> Path:
    """Return the file that keeps the person's choices."""
    from platformdirs import user_config_path

    return user_config_path("advisor", appauthor=False) / "window.ini"
