"""The user's own data in the window: chosen, told in a line, and part of the check."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.worker.data.photos import make_photos
from tests.gui.conftest import WAIT_MS
from tests.gui.samples import FakeBackend


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """Return a folder of forty photos, more than a batch."""
    [photo] = make_photos(1)
    for number in range(40):
        (tmp_path / f"{number}.jpg").write_bytes(photo)
    return tmp_path


def chosen(window: MainWindow, qtbot: QtBot, path: Path) -> None:
    """Choose a file or folder, and wait for what is said of it."""
    row = window.advice.question_panel.data
    row.choose_path(path)
    assert not row.choose.isEnabled()
    qtbot.waitUntil(row.choose.isEnabled, timeout=WAIT_MS)


def test_a_chosen_folder_becomes_the_jobs_data(
    window: MainWindow, qtbot: QtBot, backend: FakeBackend, photos: Path
) -> None:
    """Forty photos are said, are the job's samples, and go with the check."""
    chosen(window, qtbot, photos)
    assert "40 images (jpeg)" in window.advice.question_panel.data.state.text()
    assert window.controllers.question.workload is not None
    assert window.controllers.question.workload.samples == 40
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        window.check_flow.start_quick()
    [asked] = backend.requests
    assert asked.found is not None
    assert asked.found.data.files == 40


def test_the_answer_leads_to_the_folder_that_would_make_it_surer(
    answered: MainWindow, qtbot: QtBot, photos: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That naming their folder helps led nowhere; who chooses none keeps the answer."""
    advice = answered.advice
    verdict, row = advice.verdict, advice.question_panel.data
    assert verdict is not None
    for name, is_left in (("", False), (str(photos), True)):
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_, chosen=name: chosen)
        verdict.name_data.click()
        qtbot.waitUntil(row.choose.isEnabled, timeout=WAIT_MS)
        assert advice.shows_answer is not is_left
    assert "40 images (jpeg)" in row.state.text()


def test_data_that_are_none_are_refused_in_a_sentence(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """An empty folder leaves the job as it was."""
    before = window.controllers.question.workload
    chosen(window, qtbot, tmp_path)
    assert window.controllers.question.workload == before
    assert window.advice.problem.isVisibleTo(window.advice)
    assert window.advice.question_panel.data.choose.isEnabled()


def test_another_ready_made_job_has_no_data(window: MainWindow, qtbot: QtBot, photos: Path) -> None:
    """What was chosen for one job is not taken for another."""
    chosen(window, qtbot, photos)
    window.controllers.question.choose("simple_cnn")
    window.advice.question_panel.show_question()
    assert window.advice.question_panel.data.state.text() == ""
