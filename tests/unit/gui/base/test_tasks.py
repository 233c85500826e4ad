"""A problem and the log it names."""

import subprocess
import sys
import threading
from collections.abc import Callable
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from advisor.gui.app.main_window import MainWindow
from advisor.gui.base.tasks import BackgroundTasks, Problem, TaskThread, deliver
from tests.gui.conftest import WAIT_MS


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Qt opens files")
def test_a_log_that_cannot_be_opened_is_named(window: MainWindow, qtbot: QtBot, opener: Callable[[str], None]) -> None:
    """Where the desktop opens no file, its path stands beside the problem until the next one."""
    opener("exit 4")
    window.problem.show_problem(Problem(error=None, details="x", file="/var/log/crash.txt"), "It went wrong.")
    assert window.problem.unopened.isHidden()
    window.problem.file_button.click()
    qtbot.waitUntil(lambda: not window.problem.unopened.isHidden(), timeout=WAIT_MS)
    assert window.problem.unopened.text().endswith("/var/log/crash.txt")
    window.problem.show_problem(Problem(error=None, details="y"), "Again.")
    assert window.problem.unopened.isHidden()


@pytest.mark.parametrize(("ended", "is_done"), [("_DeadlockError", True), ("RuntimeError", False)])
def test_what_an_import_in_another_thread_stopped_is_done_again(ended: str, *, is_done: bool, qtbot: QtBot) -> None:
    """The window once began with "This computer could not be looked at": two threads had loaded one package."""
    error = type(ended, (RuntimeError,), {})
    calls: list[None] = []

    def task() -> str:
        calls.append(None)
        if len(calls) == 1:
            raise error("deadlock detected by _ModuleLock")
        return "done"

    thread = TaskThread(task, "probe")
    with qtbot.waitSignal(thread.succeeded if is_done else thread.failed, timeout=WAIT_MS):
        thread.start()
    thread.wait()
    assert len(calls) == (2 if is_done else 1)


def test_a_task_cannot_end_the_program(qtbot: QtBot) -> None:
    """Of a SystemExit that leaves a thread of Qt's, PySide ends the process while others still run."""
    thread = TaskThread(lambda: sys.exit(0), "probe")
    with qtbot.waitSignal(thread.failed, timeout=WAIT_MS) as failed:
        thread.start()
    thread.wait()
    assert "SystemExit" in failed.args[0].details


def test_what_ends_after_the_window_is_not_told(qtbot: QtBot) -> None:
    """A history that was read while the window closed once spoke to a button that was gone."""
    hold, told = threading.Event(), Mock()
    background = BackgroundTasks()

    class Page(QObject):
        """What would be told."""

        def tell(self, result: object) -> None:
            """Note it."""
            told(result)

    page = Page()
    background.run(lambda: "early", "early", page.tell, page.tell)
    assert background.wait(WAIT_MS)
    background.run(lambda: hold.wait(60), "late", page.tell, page.tell)
    background.close()
    told.assert_called_once_with("early")
    background.run(lambda: "never", "never", page.tell, page.tell)
    hold.set()
    assert background.wait(WAIT_MS)
    deliver()
    background.close()
    told.assert_called_once_with("early")


def test_the_end_does_not_stumble_over_who_is_gone(qtbot: QtBot) -> None:
    """A preview was still being made when its dialog was deleted, and then the window closed."""
    hold, told = threading.Event(), Mock()
    background = BackgroundTasks()

    class Dialog(QObject):
        """What would be told."""

        def tell(self, result: object) -> None:
            """Note it."""
            told(result)

    dialog = Dialog()
    background.run(lambda: hold.wait(60), "preview", dialog.tell, dialog.tell)
    delete(dialog)
    try:
        background.close()
    finally:
        hold.set()
    assert background.wait(WAIT_MS)
    told.assert_not_called()


def test_qt_makes_its_classes_at_once() -> None:
    """Those that are made when they are first asked for crashed one start in some two hundred."""
    code = "import advisor.gui\nfrom PySide6 import QtWidgets\nprint('QWizard' in vars(QtWidgets))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"
