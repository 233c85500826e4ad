"""The list of pages."""

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.base.settings import load_settings
from tests.gui.conftest import settle


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_click_on_a_page_that_must_wait_says_for_what(window: MainWindow) -> None:
    """Before the first answer nothing happened, and only who let the mouse rest there was told why."""
    made = window.navigation.buttons["options"]
    assert not made.isEnabled()
    place, left = QPointF(made.rect().center()), Qt.MouseButton.LeftButton
    press = QMouseEvent(
        QEvent.Type.MouseButtonPress,
        place,
        QPointF(made.mapToGlobal(made.rect().center())),
        left,
        left,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(made, press)

    assert QToolTip.text() == "After the first answer"
    QToolTip.hideText()


def test_a_click_leaves_no_frame_of_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    """The frame around the page that is open said where the keyboard is, to somebody who had used the mouse."""
    made = window.navigation.buttons["settings"]
    qtbot.mouseClick(made, Qt.MouseButton.LeftButton)
    settle()
    assert made.isChecked()
    middle, accent = made.height() // 2, window.context.theme.colour("accent").name()
    assert made.grab().toImage().pixelColor(0, middle).name() != accent
    made.clearFocus()
    made.setFocus(Qt.FocusReason.TabFocusReason)
    assert made.grab().toImage().pixelColor(0, middle).name() == accent, "the keyboard has its frame"


def test_titles_fold_away_where_they_take_too_much_of_the_window(window: MainWindow) -> None:
    """At 175 % they took a third of a small window; icons stay, with names and tips, and what is asked for is kept."""
    pages = window.navigation
    wide = pages.width()
    assert not pages.is_folded
    window.context.set_text_percent(175)
    window.resize(1024, 700)
    settle()
    assert pages.is_folded
    assert pages.width() < 0.12 * window.width()
    assert {made.text() for made in pages.buttons.values()} == {""}
    assert pages.buttons["history"].accessibleName() == "History"
    assert pages.buttons["history"].toolTip().startswith("History (")
    pages.fold.click()
    settle()
    assert not pages.is_folded
    assert pages.buttons["history"].text().strip() == "History"
    assert load_settings(window.settings.path).pages_folded is False
    window.context.set_text_percent(100)
    settle()
    assert pages.width() == wide
    pages.fold.click()
    assert pages.is_folded
    assert load_settings(window.settings.path).pages_folded is True
    assert pages.fold.accessibleName() == "Show the titles of the pages"
