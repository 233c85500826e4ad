"""The user's own training script in the window: asked, run, watched, stopped, and answered for."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from advisor.errors import InputError
from advisor.gui.app.main_window import MainWindow
from advisor.gui.dialogs.script_dialog import ScriptDialog
from advisor.records.job.work import Network
from advisor.records.results.measured.watched import WatchedJob, WatchedScript, WatchedStep
from advisor.session.watched import WatchedAnswer
from advisor.watch.program import Progress
from tests.gui.conftest import WAIT_MS
from tests.gui.samples import FakeBackend, sample_report, with_job_measured

pytestmark = pytest.mark.slow
COMMAND = "python3 'my train.py' --epochs 3"


def job(*, is_seen: bool = True, status: int | None = None) -> WatchedJob:
    """Return what was seen of a script."""
    step = WatchedStep(steps=30, step_s=0.1, wait_s=0.04) if is_seen else None
    script = WatchedScript(ended="itself" if status else "enough", watched_s=9.0, step=step, status=status)
    work = Network(name="train.py", family="cnn", parameters=1000, trainable_parameters=1000, sample="image")
    return WatchedJob(script=script, network=work if is_seen else None)


@pytest.fixture
def dialog(window: MainWindow, qtbot: QtBot) -> ScriptDialog:
    """Return the dialog that the first page opens."""
    qtbot.mouseClick(window.advice.question_panel.script, Qt.MouseButton.LeftButton)
    found = window.script_flow.dialog
    assert found is not None
    return found


def press_run(dialog: ScriptDialog, window: MainWindow, qtbot: QtBot) -> None:
    """Type a command and run it."""
    assert not dialog.run.isEnabled()
    assert "runs your command" in dialog.consent.text()
    qtbot.keyClicks(dialog.command, COMMAND)
    qtbot.mouseClick(dialog.run, Qt.MouseButton.LeftButton)
    assert window.controllers.script.is_running
    assert dialog.stop.isVisible()


def test_enter_in_the_command_runs_it(window: MainWindow, dialog: ScriptDialog, qtbot: QtBot) -> None:
    """It opened the list of files, whose button comes first."""
    qtbot.keyClicks(dialog.command, COMMAND)
    qtbot.keyClick(dialog.command, Qt.Key.Key_Return)
    assert window.controllers.script.is_running
    dialog.reject()
    qtbot.waitUntil(lambda: not window.controllers.script.is_running, timeout=WAIT_MS)


def test_a_script_is_run_and_its_answer_shown(
    window: MainWindow, backend: FakeBackend, dialog: ScriptDialog, qtbot: QtBot
) -> None:
    """How far it is is said meanwhile; a check has to wait; then the answer is for the script's job."""
    backend.hold.clear()
    backend.script_progress = Progress(12.0, 18, 11)
    report = with_job_measured(sample_report())
    backend.script = WatchedAnswer(job=job(), report=report, last_line="")
    press_run(dialog, window, qtbot)
    qtbot.waitUntil(lambda: dialog.state.text() == "11 of 30 steps are timed", timeout=WAIT_MS)
    window.check_flow.start_quick()
    assert not window.controllers.check_runner.is_running
    backend.hold.set()
    qtbot.waitUntil(dialog.see_answer.isVisible, timeout=WAIT_MS)
    assert backend.commands == [["python3", "my train.py", "--epochs", "3"]]
    first = dialog.rows.itemAtPosition(0, 1)
    assert first is not None
    said = first.widget()
    assert isinstance(said, QLabel)
    assert said.text() == "100 ms"
    qtbot.mouseClick(dialog.see_answer, Qt.MouseButton.LeftButton)
    assert window.advice.shows_answer
    assert window.controllers.question.program == job().network
    assert window.answer_flow.report == report
    assert window.script_flow.dialog is None


def test_stop_ends_it_and_shows_what_was_seen(
    window: MainWindow, backend: FakeBackend, dialog: ScriptDialog, qtbot: QtBot
) -> None:
    """A script that failed shows the last line it printed, and there is no answer to go to."""
    backend.hold.clear()
    backend.script = WatchedAnswer(job=job(is_seen=False, status=1), report=None, last_line="EOFError: no input")
    press_run(dialog, window, qtbot)
    qtbot.mouseClick(dialog.stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.controllers.script.is_running, timeout=WAIT_MS)
    assert dialog.last_line.text().endswith("EOFError: no input")
    assert not dialog.see_answer.isVisible()
    assert dialog.run.isVisible()
    dialog.close()


def test_what_cannot_be_run_is_said_in_the_dialog(
    window: MainWindow, backend: FakeBackend, dialog: ScriptDialog, qtbot: QtBot
) -> None:
    """As is a quotation mark that is left open."""
    backend.script = InputError("There is no program '{program}'.", program="python3")
    press_run(dialog, window, qtbot)
    qtbot.waitUntil(dialog.problem.isVisible, timeout=WAIT_MS)
    assert "There is no program" in dialog.problem.sentence.text()
    shown = [each.text() for each in dialog.findChildren(QPushButton) if each.isVisible()]
    assert shown.count("Close") <= 1, "two of them, one for the message and one for the window"
    dialog.command.setText("python3 'x.py")
    qtbot.mouseClick(dialog.run, Qt.MouseButton.LeftButton)
    assert "quotation mark" in dialog.state.text()
    assert not window.controllers.script.is_running
    dialog.close()


def test_closing_the_dialog_ends_the_script(
    window: MainWindow, backend: FakeBackend, dialog: ScriptDialog, qtbot: QtBot
) -> None:
    """And nothing is shown of it."""
    backend.hold.clear()
    backend.script = WatchedAnswer(job=job(), report=sample_report(), last_line="")
    press_run(dialog, window, qtbot)
    dialog.close()
    qtbot.waitUntil(lambda: not window.controllers.script.is_running, timeout=WAIT_MS)
    assert not window.advice.shows_answer
