"""The settings' cards: what is asked before it is done, and what went wrong."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.base import desktop
from advisor.gui.pages.settings.kept_data_card import ConfirmButton, KeepingCard
from advisor.gui.pages.settings.page import SettingsPage
from advisor.gui.pages.settings.prices_card import PricesCard
from advisor.history import History
from advisor.records.hardware.device import RefreshResult
from tests.gui.conftest import WAIT_MS, Opener, settle
from tests.gui.samples import FakeBackend
from tests.gui.test_pages import page


def card_of(window: MainWindow, kind: type) -> object:
    """Open the settings and return a card of them."""
    settings = cast(SettingsPage, page(window, "settings"))
    return settings.findChild(kind)


def say_yes(asking: ConfirmButton, qtbot: QtBot) -> None:
    """Ask for something and agree."""
    assert asking.yes.isHidden()
    qtbot.mouseClick(asking.offer, Qt.MouseButton.LeftButton)
    assert asking.question.text()
    qtbot.mouseClick(asking.yes, Qt.MouseButton.LeftButton)


def test_deleting_the_history_is_asked_first(answered: MainWindow, qtbot: QtBot, backend: FakeBackend) -> None:
    """Every check is gone for good after agreeing, and the history's page shows it."""
    qtbot.waitUntil(lambda: len(backend.history.entries()) == 1, timeout=WAIT_MS)
    keeping = cast(KeepingCard, card_of(answered, KeepingCard))
    say_yes(keeping.asking, qtbot)
    qtbot.waitUntil(lambda: keeping.outcome.text() == "The history is deleted.", timeout=WAIT_MS)

    assert backend.history.entries() == ()


def test_what_can_be_done_with_what_is_kept_stands_in_one_line(window: MainWindow) -> None:
    """Deleting stood alone in a second line, in a room that has place for three."""
    keeping = cast(KeepingCard, card_of(window, KeepingCard))
    settle()
    places = [made.mapTo(keeping, QPoint()) for made in (keeping.data, keeping.logs, keeping.asking.offer)]
    assert len({place.y() for place in places}) == 1
    assert [place.x() for place in places] == sorted(place.x() for place in places)


def test_folders_open_in_the_desktops_program(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The folder of the data is opened; where it is not there yet, the nearest one above."""
    opened: list[str] = []
    monkeypatch.setattr(desktop.Opener, "open", lambda _self, place: opened.append(place))
    keeping = cast(KeepingCard, card_of(window, KeepingCard))
    keeping.open_folder(tmp_path / "not" / "there")
    qtbot.mouseClick(keeping.data, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(keeping.logs, Qt.MouseButton.LeftButton)

    assert opened[0] == str(tmp_path)
    assert len(opened) == 3
    assert all(Path(each).is_dir() for each in opened)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Qt opens files")
@pytest.mark.parametrize("script", ["exit 3", "kill -9 $$"])
def test_a_folder_that_cannot_be_opened_is_named(
    window: MainWindow, qtbot: QtBot, opener: Callable[[str], None], tmp_path: Path, script: str
) -> None:
    """Where the desktop's program fails, the path stands there to be copied, also in another language."""
    opener(script)
    keeping = cast(KeepingCard, card_of(window, KeepingCard))
    keeping.open_folder(tmp_path)
    qtbot.waitUntil(lambda: not keeping.outcome.isHidden(), timeout=WAIT_MS)
    assert keeping.outcome.text() == f"It could not be opened; it is here: {tmp_path}"
    window.context.set_language("es")
    assert str(tmp_path) in keeping.outcome.text()

    opener(f'touch "{tmp_path}/opened"')
    keeping.open_folder(tmp_path)
    assert keeping.outcome.isHidden()
    qtbot.waitUntil((tmp_path / "opened").exists, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: not keeping._opener.is_watching, timeout=WAIT_MS)  # a program left running is a warning


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Qt opens files")
def test_a_desktop_without_such_a_program_is_named_at_once(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where there is no desktop at all, such as on a bare server, the path stands there too."""
    monkeypatch.setenv("PATH", str(tmp_path))
    keeping = cast(KeepingCard, card_of(window, KeepingCard))
    keeping.open_folder(tmp_path)
    assert str(tmp_path) in keeping.outcome.text()


def test_what_cannot_be_deleted_or_renewed_is_said_with_details(
    open_window: Opener, backend: FakeBackend, tmp_path: Path, qtbot: QtBot
) -> None:
    """Faults of both cards can be copied, and stay when the language changes."""

    def fail() -> RefreshResult:
        raise ValueError("no such list")

    backend.refresh_prices = fail  # type: ignore[method-assign]
    (tmp_path / "file").write_text("in the way")
    backend.history = History(tmp_path / "file" / "history.sqlite3")
    window = open_window()
    prices, keeping = cast(PricesCard, card_of(window, PricesCard)), cast(KeepingCard, card_of(window, KeepingCard))
    say_yes(prices.asking, qtbot)
    say_yes(keeping.asking, qtbot)
    qtbot.waitUntil(lambda: not prices.problem.isHidden() and not keeping.problem.isHidden(), timeout=WAIT_MS)
    assert prices.problem.sentence.text() == "The prices could not be renewed."
    assert keeping.problem.advice.text() == "The history could not be deleted."

    window.context.set_language("es")
    assert "The history could not be deleted." in keeping.problem.advice.text()
    prices.problem.copy_button.click()
    assert "ValueError: no such list" in QGuiApplication.clipboard().text()
