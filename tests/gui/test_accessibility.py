"""What a screen reader and a keyboard find on every page, with and without an answer."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QScrollArea,
    QToolTip,
    QWidget,
)
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import PAGES, MainWindow
from advisor.gui.dialogs.export_dialog import ExportDialog
from advisor.gui.dialogs.shortcuts_dialog import SHORTCUTS
from advisor.gui.widgets.charts.chart_with_table import ChartWithTable
from tests.gui.conftest import WAIT_MS, settle, visit_all
from tests.gui.test_window import CONTROLS, is_inner

FOCUSABLE = (QAbstractButton, QComboBox, QAbstractSpinBox, QAbstractItemView, QLineEdit)
MOST_STEPS = 400

# The offscreen platform complains of every window beside the first.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def spoken_name(widget: QWidget) -> str:
    """Return what a screen reader calls a widget: Qt's own answer to it, not the attribute."""
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface is not None, widget
    return str(interface.text(QAccessible.Text.Name)).strip()


def spoken_description(widget: QWidget) -> str:
    """Return what a screen reader adds to a widget's name."""
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface is not None, widget
    return str(interface.text(QAccessible.Text.Description)).strip()


def where(widget: QWidget) -> str:
    """Return a widget's class and that of its parent."""
    return f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}"


def silent_controls(window: MainWindow) -> list[str]:
    """Return the named controls, shown or not, whose description is missing or only repeats the name."""
    return sorted(
        {
            f"{where(each)}: {spoken_name(each)}"
            for each in window.findChildren(QWidget)
            if isinstance(each, CONTROLS) and not is_inner(each) and spoken_name(each)
            if spoken_description(each) in {"", spoken_name(each)}
        }
    )


def test_before_an_answer_each_control_says_what_it_does(window: MainWindow) -> None:
    """Each control, shown or not yet shown, has a description in words that its name does not already say."""
    visit_all(window)
    settle()

    assert silent_controls(window) == []


def test_every_chart_has_a_twin_that_can_be_read(answered: MainWindow, qtbot: QtBot) -> None:
    """Each chart can be shown as a table by a button within reach of Tab; the table names its columns and its cells."""
    visit_all(answered)
    found = 0
    for name in PAGES:
        answered.stack.open(name)
        settle()
        page = answered.stack.currentWidget()
        assert page is not None
        for twin in [one for one in page.findChildren(ChartWithTable) if one.isVisible() and one.plot is not None]:
            found += 1
            assert twin.toggle.focusPolicy() & Qt.FocusPolicy.TabFocus
            if isinstance(twin.plot, QAbstractScrollArea):  # it is met as the chart, by name, not as what scrolls in it
                assert twin.plot.viewport().focusPolicy() == Qt.FocusPolicy.NoFocus
            if not twin.is_table:
                qtbot.keyClick(twin.toggle, Qt.Key.Key_Space)
            assert twin.table.isVisible()
            assert spoken_name(twin.table)
            model = twin.table.model()
            assert model.rowCount() > 0
            first = model.index(0, 0)
            assert str(model.data(first, Qt.ItemDataRole.AccessibleTextRole)).strip()
    assert found >= 2


def test_the_keys_are_listed_on_request(window: MainWindow, qtbot: QtBot) -> None:
    """F1, which the window names, lists every shortcut; Esc closes the list and stops nothing."""
    assert window.navigation.keys.text().startswith("F1")
    qtbot.keyClick(window, Qt.Key.Key_F1)
    dialog = window.findChild(QDialog)
    assert isinstance(dialog, QDialog)
    listed = [one.text() for one in dialog.findChildren(QLabel)]

    assert {keys for keys, _meaning in SHORTCUTS} <= set(listed)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    settle()
    assert window.findChild(QDialog) is None


def test_an_answer_is_shared_by_a_key(answered: MainWindow, qtbot: QtBot) -> None:
    """Every number is a stop of Tab: the button that does so was 31 of them away. Elsewhere the key does nothing."""
    control = Qt.KeyboardModifier.ControlModifier
    answered.stack.open("settings")
    qtbot.keyClick(answered, Qt.Key.Key_S, control)
    assert answered.findChild(QDialog) is None
    answered.stack.open("advice")
    qtbot.keyClick(answered, Qt.Key.Key_S, control)
    dialog = answered.findChild(QDialog)
    assert isinstance(dialog, ExportDialog)
    assert answered.advice.verdict is not None
    assert "Ctrl+S" in answered.advice.verdict.share.toolTip()
    dialog.close()


def test_a_copy_is_told_of_where_its_button_is_out_of_sight(answered: MainWindow, qtbot: QtBot) -> None:
    """Ctrl+C said so on the button alone."""
    page, copy = answered.advice, Qt.KeyboardModifier.ControlModifier
    QToolTip.hideText()
    page.scroll_up()
    settle()
    assert page.verdict is not None
    button = page.verdict.copy
    qtbot.waitUntil(lambda: not button.visibleRegion().isEmpty())
    qtbot.keyClick(answered, Qt.Key.Key_C, copy)
    assert QToolTip.text() == ""
    answered.resize(answered.minimumSize())
    settle()
    page.verticalScrollBar().setValue(page.verticalScrollBar().maximum())
    qtbot.keyClick(answered, Qt.Key.Key_C, copy)
    assert QToolTip.text() == "Copied"
    QToolTip.hideText()
    QGuiApplication.clipboard().clear()  # the offscreen platform ends badly with something on it


def test_every_page_has_its_key(window: MainWindow, qtbot: QtBot) -> None:
    """Ctrl with a number opens each page that is offered."""
    for position, name in enumerate(PAGES):
        if window.navigation.buttons[name].isEnabled():
            qtbot.keyClick(
                window, Qt.Key(Qt.Key.Key_0.value + (position + 1) % 10), Qt.KeyboardModifier.ControlModifier
            )
            assert window.stack.currentWidget() is window.stack.pages[name]


def test_what_gets_the_keyboard_is_scrolled_into_view(answered: MainWindow, qtbot: QtBot) -> None:
    """From the list of pages Tab went to what was scrolled away: nothing seen had the keyboard, typing was blind."""
    answered.resize(answered.minimumSize())
    scrolled = 0
    for position, name in enumerate(PAGES):
        answered.stack.open(name)
        settle()
        page = answered.stack.currentWidget()
        assert page is not None
        if not isinstance(page, QScrollArea) or page.verticalScrollBar().maximum() == 0:
            continue
        page.verticalScrollBar().setValue(page.verticalScrollBar().maximum())
        qtbot.keyClick(answered, Qt.Key(Qt.Key.Key_0.value + (position + 1) % 10), Qt.KeyboardModifier.ControlModifier)
        for _button in range(len(PAGES)):
            focus = answered.focusWidget()
            assert isinstance(focus, QWidget)
            if page.isAncestorOf(focus):
                break
            qtbot.keyClick(focus, Qt.Key.Key_Tab)
        settle()
        scrolled += 1
        assert page.isAncestorOf(focus)
        place = QRect(focus.mapTo(page.viewport(), QPoint()), focus.size())
        assert place.intersects(page.viewport().rect()), f"{name}: {spoken_name(focus)}"
    assert scrolled >= 3


def test_a_clicked_button_does_not_move_under_the_pointer(answered: MainWindow, qtbot: QtBot) -> None:
    """What is half out of sight and gets the keyboard by a click stays where it is until the click is over."""
    page, focus = answered.advice, answered.advice.computer.details
    answered.resize(answered.minimumSize())
    answered.navigation.buttons["advice"].setFocus()
    settle()
    whole = page.widget()
    assert whole is not None
    page.verticalScrollBar().setValue(focus.mapTo(whole, QPoint(0, focus.height() // 2)).y())
    before = page.verticalScrollBar().value()
    assert before > 0
    qtbot.mousePress(focus, Qt.MouseButton.LeftButton, pos=QPoint(5, focus.height() - 3))
    settle()
    assert focus.hasFocus()
    assert page.verticalScrollBar().value() == before
    qtbot.mouseRelease(page.viewport(), Qt.MouseButton.LeftButton)


@pytest.mark.parametrize(
    "key", [(Qt.Key.Key_F5, Qt.KeyboardModifier.NoModifier), (Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)]
)
def test_keys_that_start_the_check(window: MainWindow, qtbot: QtBot, key: tuple[Qt.Key, Qt.KeyboardModifier]) -> None:
    """F5 and Ctrl+R check the computer."""
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.keyClick(window, *key)
    assert window.answer_flow.report is not None
