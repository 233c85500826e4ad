"""What is kept of a check, also of one that was stopped."""

from pathlib import Path

from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.history import History
from tests.gui.conftest import WAIT_MS, Opener
from tests.gui.samples import FakeBackend
from tests.unit.gui.pages.history.opened import open_history


def test_a_stopped_check_is_kept_too(kept: History, window: MainWindow, backend: FakeBackend, qtbot: QtBot) -> None:
    """What was measured before the user stopped is not lost."""
    backend.hold.clear()
    window.check_flow.start_quick()
    qtbot.waitUntil(lambda: "of 15" in window.advice.progress_panel.count.text(), timeout=WAIT_MS)
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.controllers.check_runner.cancel()

    open_history(window, qtbot, 1)


def test_a_check_is_kept_when_the_window_closes(
    kept: History, open_window: Opener, backend: FakeBackend, qtbot: QtBot
) -> None:
    """Closing in mid-run keeps what was measured until then."""
    backend.hold.clear()
    window = open_window()
    window.check_flow.start_quick()
    qtbot.waitUntil(lambda: "of 15" in window.advice.progress_panel.count.text(), timeout=WAIT_MS)
    window.close()

    assert len(kept.entries()) == 1


def test_where_nothing_can_be_kept_the_check_still_answers(
    backend: FakeBackend, open_window: Opener, tmp_path: Path, qtbot: QtBot
) -> None:
    """In a place that cannot be written to, the answer comes all the same, with a sentence about the history."""
    (tmp_path / "file").write_text("in the way")
    backend.history = History(tmp_path / "file" / "history.sqlite3")
    window = open_window()
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()

    assert window.advice.verdict is not None
    assert window.advice.verdict.isVisible()
    qtbot.waitUntil(window.problem.isVisible, timeout=WAIT_MS)
    assert "cannot be used" in window.problem.sentence.text()
