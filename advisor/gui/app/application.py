"""Start the window: screen, application, icon and settings."""

import gc
import linecache
import os
import signal
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QFontMetrics, QIcon
from PySide6.QtWidgets import QApplication

from advisor.crash import FaultLog, collect_faults
from advisor.gui.app.crash_net import CrashNet, report_crash
from advisor.gui.app.display_check import drawing_problem, drop_nonsense, screen_problem
from advisor.gui.app.main_window import MainWindow
from advisor.gui.backend import Backend
from advisor.gui.base.context import Context
from advisor.gui.base.settings import Settings, load_settings
from advisor.resource import resource_path

ICON_SIZES = (16, 24, 32, 48, 64, 128, 256)
_PULSE_MS = 500
_ENDING_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""Ctrl-C, the end of the session, and the end of the terminal it was started from; Windows has not all of them."""
_SWITCH_INTERVAL_S = 0.001  # a fifth of Python's own: painting takes the interpreter many times a picture


def run(argv: list[str], language_code: str | None = None) -> int:
    """Open the window, stay until it is closed, and return the exit status.

    Args:
        argv: Options of Qt.
        language_code: Of the texts from now on; None leaves it to the settings.
    """
    settings = load_settings(settings_path(), language_code)
    drop_nonsense(os.environ)
    problem = screen_problem(os.environ, settings.spoken())
    if problem is not None:
        sys.stderr.write(f"{problem}\n")
        return 1
    application = make_application(argv)
    # The list of families names some even where there is none; every letter would then be a box.
    has_letters = QFontMetrics(application.font()).inFont("a")
    has_screen = bool(application.screens())  # a framebuffer that is not there has none
    problem = drawing_problem(has_screen=has_screen, has_letters=has_letters, language=settings.spoken())
    if problem is not None:
        sys.stderr.write(f"{problem}\n")
        return 1
    ended_badly = collect_faults()
    with watched():
        return _stay(application, settings, ended_badly)


def _stay(application: QApplication, settings: Settings, ended_badly: Path | None) -> int:
    window = open_window(application, Backend(), settings)
    sys.excepthook = CrashNet(window)
    if ended_badly is not None:
        report_crash(window, ended_badly)
    for number in _ENDING_SIGNALS:
        signal.signal(number, lambda *_signal: QTimer.singleShot(0, window, window.end))  # not amid what is being done
    # Python handles a signal only when it runs; this lets it run even while nothing happens in the window.
    pulse = QTimer()
    pulse.timeout.connect(lambda: None)
    pulse.start(_PULSE_MS)
    status = application.exec()
    if window.isVisible():  # nobody closed it: the screen is gone
        window.close()
    return status


@contextmanager
def watched() -> Iterator[None]:
    """Keep what ends the program before its time for the next start; without a log folder there is only stderr."""
    try:
        log = FaultLog()
    except OSError:
        yield
        return
    try:
        yield
    except Exception:
        log.write(traceback.format_exc())
        log.close(is_orderly=False)
        raise
    log.close()


def make_application(argv: list[str]) -> QApplication:
    """Return the application with its name, icon and style."""
    sys.setswitchinterval(_SWITCH_INTERVAL_S)
    gc.freeze()  # Qt's classes stay: looking for garbage among them takes a twentieth of the time to the first picture
    linecache.clearcache()  # PySide looks for its name in the source of whatever is imported: 8 MiB of lines are kept
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


def open_window(application: QApplication, backend: Backend, settings: Settings) -> MainWindow:
    """Return the window, shown."""
    context = Context(application, settings.spoken(), settings.theme, settings.language, settings.text_percent)
    window = MainWindow(backend, context, settings)
    context.apply_theme()  # not before: every widget would be styled again with each parent it gets
    window.show()
    return window


def settings_path() -> Path:
    """Return the file that keeps the user's choices."""
    from platformdirs import user_config_path

    return user_config_path("advisor", appauthor=False) / "window.ini"
