"""What a screen reader and a keyboard find on every page, with and without an answer."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFormLayout,
    QLabel,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import PAGES, MainWindow
from advisor.gui.dialogs.shortcuts_dialog import SHORTCUTS
from advisor.gui.widgets.chart_with_table import ChartWithTable
from tests.gui.conftest import WAIT_MS, settle
from tests.gui.test_window import CONTROLS, is_inner, visit_all

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


def controls(window: MainWindow) -> Iterator[QWidget]:
    """Yield the enabled controls of the open page that are on screen."""
    page = window.stack.currentWidget()
    assert page is not None
    for widget in page.findChildren(QWidget):
        if isinstance(widget, FOCUSABLE) and widget.isVisible() and widget.isEnabled() and not is_inner(widget):
            yield widget


@pytest.mark.parametrize("name", PAGES)
def test_a_screen_reader_is_told_every_control(answered: MainWindow, name: str) -> None:
    """Each control of a page has a name in Qt's accessibility tree, and names in words, not in marks."""
    answered.stack.open(name)
    settle()
    page = answered.stack.currentWidget()
    assert page is not None
    assert spoken_name(page), "the page itself has no name"

    nameless = [
        where(each)
        for each in page.findChildren(QWidget)
        if isinstance(each, CONTROLS) and not is_inner(each) and each.isVisible()
        if not any(sign.isalnum() for sign in spoken_name(each))
    ]
    assert nameless == []


@pytest.mark.parametrize("state", ["window", "answered"])
def test_a_screen_reader_is_told_what_each_control_does(
    request: pytest.FixtureRequest, state: str, qtbot: QtBot
) -> None:
    """Each control, shown or not yet shown, has a description in words that its name does not already say."""
    shown: MainWindow = request.getfixturevalue(state)
    visit_all(shown)
    settle()
    silent = sorted(
        {
            f"{where(each)}: {spoken_name(each)}"
            for each in shown.findChildren(QWidget)
            if isinstance(each, CONTROLS) and not is_inner(each) and spoken_name(each)
            if spoken_description(each) in {"", spoken_name(each)}
        }
    )
    assert not silent, "\n".join(silent)


def test_labels_before_inputs_are_their_buddies(answered: MainWindow) -> None:
    """The label beside an input names it, so that the two are read together."""
    visit_all(answered)
    lonely = []
    for form in answered.findChildren(QFormLayout):
        for row in range(form.rowCount()):
            item = form.itemAt(row, QFormLayout.ItemRole.FieldRole)
            field = item.widget() if item is not None else None
            words = form.labelForField(field) if field is not None else None
            if (
                isinstance(field, FOCUSABLE)
                and isinstance(words, QLabel)
                and words.text()
                and words.buddy() is not field
            ):
                lonely.append(words.text())
    assert lonely == []


@pytest.mark.parametrize("name", PAGES)
def test_tab_goes_through_a_page_and_back_to_its_start(answered: MainWindow, qtbot: QtBot, name: str) -> None:
    """Tab stops once at every control of a page, and at nothing else on it."""
    answered.stack.open(name)
    settle()
    wanted = set(controls(answered))
    answered.navigation.buttons[name].setFocus()
    start = QApplication.focusWidget()
    stops: list[QWidget] = []
    for _step in range(MOST_STEPS):
        qtbot.keyClick(QApplication.focusWidget() or answered, Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        if focused is None or focused is start:
            break
        stops.append(focused)

    assert QApplication.focusWidget() is start, "Tab does not come back"
    opened = answered.stack.currentWidget()
    assert opened is not None
    on_page = [one for one in stops if opened.isAncestorOf(one)]
    exclusive = {one for one in wanted if _is_in_group_of_radio(one)}
    missed = [where(one) for one in wanted - set(on_page) - exclusive]
    assert missed == []
    assert [where(one) for one in on_page if not one.isVisible()] == []


def _is_in_group_of_radio(widget: QWidget) -> bool:
    """Return whether a button is of an exclusive group, of which Tab visits the chosen one and arrows the others."""
    if not isinstance(widget, QAbstractButton) or not widget.isCheckable():
        return False
    group = widget.group()
    return widget.autoExclusive() or (group is not None and group.exclusive())


@pytest.mark.parametrize("name", PAGES)
def test_every_control_shows_that_it_has_the_keyboard(answered: MainWindow, qtbot: QtBot, name: str) -> None:
    """A control looks different while it has the focus."""
    answered.stack.open(name)
    settle()
    alike = []
    for each in controls(answered):
        each.clearFocus()
        before = each.grab().toImage()
        each.setFocus(Qt.FocusReason.TabFocusReason)
        if each.hasFocus() and each.grab().toImage() == before:
            alike.append(where(each))
    assert alike == []


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
    """F1 lists every shortcut; Esc closes the list and stops nothing."""
    qtbot.keyClick(window, Qt.Key.Key_F1)
    dialog = window.findChild(QDialog)
    assert isinstance(dialog, QDialog)
    listed = [one.text() for one in dialog.findChildren(QLabel)]

    assert {keys for keys, _meaning in SHORTCUTS} <= set(listed)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    settle()
    assert window.findChild(QDialog) is None


def test_every_page_has_its_key(window: MainWindow, qtbot: QtBot) -> None:
    """Ctrl with a number opens each page that is offered."""
    for position, name in enumerate(PAGES):
        if window.navigation.buttons[name].isEnabled():
            qtbot.keyClick(
                window, Qt.Key(Qt.Key.Key_0.value + (position + 1) % 10), Qt.KeyboardModifier.ControlModifier
            )
            assert window.stack.currentWidget() is window.stack.pages[name]


@pytest.mark.parametrize(
    "key", [(Qt.Key.Key_F5, Qt.KeyboardModifier.NoModifier), (Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier)]
)
def test_keys_that_start_the_check(window: MainWindow, qtbot: QtBot, key: tuple[Qt.Key, Qt.KeyboardModifier]) -> None:
    """F5 and Ctrl+R check the computer."""
    with qtbot.waitSignal(window.check_flow.ended, timeout=WAIT_MS):
        qtbot.keyClick(window, *key)
    assert window.answer_flow.report is not None
