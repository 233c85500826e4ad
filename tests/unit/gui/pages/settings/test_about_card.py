"""The licences of what the program brings along."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.pages.settings import about_card
from advisor.gui.pages.settings.about_card import AboutCard, licence_files


def test_licences_are_shown_where_there_are_some(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The installed program carries its licences; a checkout has none, and says only its own."""
    (tmp_path / "Qt.txt").write_text("GNU LESSER …", encoding="utf-8")
    monkeypatch.setattr(about_card, "resource_path", lambda *parts: tmp_path)
    assert [path.stem for path in licence_files()] == ["Qt"]
    about = AboutCard(window.context)
    qtbot.addWidget(about)
    assert not about.toggle.isHidden()
    about.toggle.click()
    assert about.texts.toPlainText() == "Qt\n\nGNU LESSER …"

    monkeypatch.setattr(about_card, "resource_path", lambda *parts: tmp_path / "none")
    assert licence_files() == []
