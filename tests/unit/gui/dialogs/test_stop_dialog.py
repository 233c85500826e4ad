"""A long check is not given up by a slip."""

from typing import cast

import msgspec
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.pages.measure.page import MeasurePage
from advisor.records.events import BenchmarkPlanned
from tests.gui.conftest import WAIT_MS, settle
from tests.gui.samples import FakeBackend, sample_events
from tests.unit.gui.app.checks import begin, end

# What the off-screen platform says of every dialog.


@pytest.fixture
def running(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> MainWindow:
    """Return a window in the middle of a check of twelve minutes."""
    backend.events = tuple(
        msgspec.structs.replace(event, budget_s=700.0) if isinstance(event, BenchmarkPlanned) else event
        for event in sample_events()[:8]
    )
    begin(window, backend, qtbot)
    qtbot.waitUntil(lambda: window.controllers.check_runner.progress.is_long, timeout=WAIT_MS)
    return window


def test_escape_asks_before_it_stops_a_long_check(running: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Esc opens a question that Esc closes; the check goes on until the user says to stop it."""
    qtbot.keyClick(running, Qt.Key.Key_Escape)
    dialog = running.check_flow.stop_dialog
    assert dialog is not None
    assert "of 15 tests are finished" in dialog.state.text()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert running.check_flow.stop_dialog is None
    assert not running.controllers.check_runner.is_stopping

    qtbot.keyClick(running, Qt.Key.Key_Escape)
    assert running.check_flow.stop_dialog is not None
    with qtbot.waitSignal(running.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(running.check_flow.stop_dialog.stop, Qt.MouseButton.LeftButton)
    assert "Stopped" in running.advice.notice.text()


def test_nothing_is_said_to_be_kept_before_the_first_result(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """Of none of 15 tests the question said "They are kept in the history", and Measure that they are kept."""
    planned = next(one for one in sample_events() if isinstance(one, BenchmarkPlanned))
    backend.events = (msgspec.structs.replace(planned, budget_s=700.0),)
    begin(window, backend, qtbot)
    qtbot.waitUntil(lambda: window.controllers.check_runner.progress.is_long, timeout=WAIT_MS)
    window.stack.open("measure")
    window.check_flow.ask_to_stop()
    dialog = window.check_flow.stop_dialog
    assert dialog is not None
    assert dialog.state.text() == "No test is finished yet: nothing is kept."
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.mouseClick(dialog.stop, Qt.MouseButton.LeftButton)
    settle()
    page = cast(MeasurePage, window.stack.pages["measure"])
    assert page.status.text() == "The check ended before its first result."


def test_escape_on_another_page_leaves_the_check_alone(window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Meant for what stood on Language models, it ended a check of a minute that was not in sight."""
    begin(window, backend, qtbot)
    for name, stops in (("models", False), ("settings", False), ("advice", True)):
        window.stack.open(name)
        settle()
        qtbot.keyClick(window, Qt.Key.Key_Escape)
        assert window.controllers.check_runner.is_stopping is stops
    end(window, backend, qtbot)


def test_the_window_asks_before_it_closes_on_a_long_check(
    running: MainWindow, backend: FakeBackend, qtbot: QtBot
) -> None:
    """Closing keeps the window until the user says so; then nothing is left running."""
    assert not running.close()
    dialog = running.check_flow.stop_dialog
    assert dialog is not None
    qtbot.mouseClick(dialog.go_on, Qt.MouseButton.LeftButton)
    assert running.isVisible()

    running.close()
    assert running.check_flow.stop_dialog is not None
    qtbot.mouseClick(running.check_flow.stop_dialog.stop, Qt.MouseButton.LeftButton)
    assert not running.isVisible()
    assert not running.controllers.background.is_running()


def test_a_question_that_is_over_closes(running: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """Where the check ends by itself meanwhile, there is nothing left to ask."""
    qtbot.keyClick(running, Qt.Key.Key_Escape)
    end(running, backend, qtbot)
    settle()
    assert running.check_flow.stop_dialog is None
