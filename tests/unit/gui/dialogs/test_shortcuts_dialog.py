"""The list of keys fits the screen, whatever the letters."""

from typing import cast

from PySide6.QtWidgets import QLabel, QPushButton

from advisor.gui.app.main_window import MainWindow
from advisor.gui.base.settings import TEXT_PERCENTS
from advisor.gui.dialogs.shortcuts_dialog import SHORTCUTS, ShortcutsDialog
from tests.gui.conftest import settle


def test_the_list_is_no_larger_than_the_screen_in_the_largest_letters(window: MainWindow) -> None:
    """Its words wrap and are scrolled: what closes it lay outside the screen."""
    window.context.set_text_percent(TEXT_PERCENTS[-1])
    opened = ShortcutsDialog(window.context, window)
    opened.show()
    settle()
    room = window.screen().availableSize()
    done = cast(QPushButton, opened.findChild(QPushButton))
    assert opened.width() <= room.width()
    assert opened.height() <= room.height()
    assert opened.rect().contains(done.geometry())
    shown = [one for one in opened.findChildren(QLabel) if one.wordWrap()]
    assert len(shown) > len(SHORTCUTS)
    assert all(one.height() >= one.heightForWidth(one.width()) for one in shown)
    opened.close()
    window.context.set_text_percent(100)
