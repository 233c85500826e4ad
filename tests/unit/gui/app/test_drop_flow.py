"""Anything dropped on the window is told, and taken only after a word."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.pages.advice.drop_card import DropCard
from advisor.history import History
from advisor.wire import encode
from tests.gui.conftest import WAIT_MS, Opener, settle
from tests.gui.samples import FakeBackend, sample_report
from tests.unit.session.given.test_dropped import MODEL, NOTEBOOK

pytestmark = pytest.mark.slow


def drop(window: MainWindow, qtbot: QtBot, path: Path) -> DropCard:
    """Drop a file or folder on the window, and wait until something is said of it."""
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(path))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(1, 1), Qt.DropAction.CopyAction, files, buttons, keys))
    card = window.advice.drop
    qtbot.waitUntil(lambda: not card.is_looking, timeout=WAIT_MS)
    settle()
    return card


def test_what_was_dropped_is_taken_after_a_word(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """A job becomes the question once its button is pressed, a language model as well, and each only then."""
    question = window.controllers.question
    before = question.workload
    (tmp_path / "mine.toml").write_text('[workload]\nnetwork = "resnet50"\nsamples = 777\n', encoding="utf-8")
    card = drop(window, qtbot, tmp_path / "mine.toml")
    assert card.title.text() == "mine.toml describes a job: 777 examples · 10 epochs"
    assert question.workload is before
    assert card.first.hasFocus()
    qtbot.keyClick(card.first, Qt.Key.Key_Return)
    assert question.workload is not None
    assert question.workload.samples == 777
    assert card.isHidden()

    (tmp_path / "config.json").write_text(json.dumps(MODEL), encoding="utf-8")
    card = drop(window, qtbot, tmp_path / "config.json")
    assert "language model" in card.title.text()
    card.refuse.click()
    assert question.workload.samples == 777
    drop(window, qtbot, tmp_path / "config.json").first.click()
    assert question.own_network is not None
    assert question.workload.method == "qlora"


def test_the_folder_of_an_encoder_becomes_the_question(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """All of it is trained, as such networks are."""
    folder = tmp_path / "my-vit"
    folder.mkdir()
    (folder / "config.json").write_text('{"model_type": "vit"}', encoding="utf-8")
    card = drop(window, qtbot, folder)
    assert "describes a network with" in card.title.text()
    card.first.click()
    question = window.controllers.question
    assert question.own_network is not None
    assert question.own_network.parameters == 86_389_248
    assert question.workload is not None
    assert question.workload.method == "full"


def test_code_waits_for_its_own_button(window: MainWindow, backend: FakeBackend, qtbot: QtBot, tmp_path: Path) -> None:
    """A Python file is named where it would be run, as a network or as a script; neither drop nor button runs it."""
    (tmp_path / "net.py").write_text("def make_net():\n    return None\n", encoding="utf-8")
    card = drop(window, qtbot, tmp_path / "net.py")
    assert card.title.text() == "net.py is a Python file with a function make_net() that seems to make a network."
    card.first.click()
    program = window.advice.question_panel.form.program
    assert program.isVisible()
    assert (program.function.text(), program.chosen.text()) == ("make_net", "net.py")

    drop(window, qtbot, tmp_path / "net.py").second.click()
    dialog = window.script_flow.dialog
    assert dialog is not None
    assert "net.py" in dialog.command.text()
    dialog.reject()
    assert backend.ran == []


def test_what_cannot_be_taken_says_what_to_do(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """A notebook has its way out; what is nothing is refused in a sentence, and the card goes."""
    (tmp_path / "a.ipynb").write_text(json.dumps(NOTEBOOK), encoding="utf-8")
    card = drop(window, qtbot, tmp_path / "a.ipynb")
    assert card.title.text() == "a.ipynb is a notebook with 1 cell of code."
    assert "Executable Script" in card.text.text()
    assert not card.first.isVisible()
    card.refuse.click()

    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    card = drop(window, qtbot, tmp_path / "notes.txt")
    assert card.isHidden()
    assert window.advice.problem.sentence.text().startswith("notes.txt is nothing this program can use.")


def test_a_report_goes_into_the_history(kept: History, open_window: Opener, qtbot: QtBot, tmp_path: Path) -> None:
    """The report of another computer is there, on the page that shows it."""
    window = open_window()
    (tmp_path / "other.json").write_bytes(encode(sample_report()))
    card = drop(window, qtbot, tmp_path / "other.json")
    with qtbot.waitSignal(window.controllers.history.imported, timeout=WAIT_MS):
        card.first.click()
    assert window.stack.currentWidget() is window.stack.pages["history"]
    assert len(kept.entries()) == 1


def test_no_field_takes_the_path_of_a_file(window: MainWindow) -> None:
    """A file dropped on a field of the first page goes to the window, and the field keeps what is in it."""
    fields: list[QLineEdit | QPlainTextEdit] = [
        *window.advice.findChildren(QLineEdit),
        *window.advice.findChildren(QPlainTextEdit),
    ]
    writable = [field for field in fields if not field.isReadOnly()]
    assert len(writable) > 5
    assert [field.accessibleName() for field in writable if field.acceptDrops()] == []


def test_nothing_is_looked_at_during_a_check(
    window: MainWindow, backend: FakeBackend, qtbot: QtBot, tmp_path: Path
) -> None:
    """Counting a folder would spoil what is measured."""
    backend.hold.clear()
    window.check_flow.start_quick()
    assert drop(window, qtbot, tmp_path).isHidden()
    assert window.advice.problem.sentence.text().startswith("A check runs;")
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        backend.hold.set()
