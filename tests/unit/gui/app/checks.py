"""A check that is held up in mid-run, for tests of what happens meanwhile."""

from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from tests.gui.conftest import WAIT_MS, settle
from tests.gui.samples import FakeBackend


def begin(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Begin a check that does not end by itself."""
    backend.hold.clear()
    window.check_flow.start_quick()
    qtbot.waitUntil(lambda: window.controllers.check_runner.is_running, timeout=WAIT_MS)


def end(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Let it end."""
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        backend.hold.set()
    settle()
