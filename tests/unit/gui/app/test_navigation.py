"""The list of pages."""

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QToolTip

from advisor.gui.app.main_window import MainWindow


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
