"""Start the window: application, icon, settings, services."""

import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from advisor.gui.context import Context
from advisor.gui.settings import Settings, load_settings
from advisor.gui.window import MainWindow
from advisor.resource import resource_path

if TYPE_CHECKING:
    from advisor.gui.services import Services

ICON_SIZES = (16, 24, 32, 48, 64, 128, 256)


def run(argv: list[str]) -> int:
    """Open the window, stay until it is closed, and return the exit status."""
    from advisor.gui.core import core_services

    application = make_application(argv)
    settings = load_settings(settings_path())
    window = open_window(application, core_services(), settings)
    signal.signal(signal.SIGINT, lambda *_signal: window.close())
    # Python handles a signal only when it runs; this lets it run even while nothing happens in the window.
    pulse = QTimer()
    pulse.timeout.connect(lambda: None)
    pulse.start(500)
    return application.exec()


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
