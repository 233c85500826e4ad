"""What holds on every page of a window with an answer: names, keyboard, words for screen readers, origins of numbers.

One window serves all tests of this file: they look at it, and change nothing that another would see.
"""

import re
from collections.abc import Iterator
from typing import cast

import pytest
from PySide6.QtCore import QAbstractAnimation, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QLabel,
    QProgressBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import PAGES, MainWindow
from advisor.gui.pages.advice.computer_card import ComputerCard
from advisor.gui.pages.advice.question.preset_button import PresetButton
from advisor.gui.pages.live.page import LivePage
from advisor.gui.pages.live.ticker import Ticker
from advisor.gui.widgets.number_label import Figure
from advisor.gui.widgets.table import RowsModel, RowsView
from tests.gui.conftest import WAIT_MS, settle
from tests.gui.test_accessibility import FOCUSABLE, MOST_STEPS, silent_controls, spoken_name, where
from tests.gui.test_window import CONTROLS, is_inner
from tests.gui.wheel import turn_wheel

QUANTITY = re.compile(
    r"\d[\d.,½]*\s?(%|[mµ]?s|min|h|seconds?|minutes?|hours?|days?|months?|[kMGT]i?B|k?Wh?|°C|[MG]Hz|[GT]FLOP)(?!\w)|\$\d"
)
NAME = re.compile(r"(RTX|GTX|GeForce)[\w ]* \d+ GB")  # the memory in a card's name is no number of ours

# The offscreen platform complains of every popup and of every window beside the first.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def controls(window: MainWindow) -> Iterator[QWidget]:
    """Yield the enabled controls of the open page that are on screen."""
    page = window.stack.currentWidget()
    assert page is not None
    for widget in page.findChildren(QWidget):
        if isinstance(widget, FOCUSABLE) and widget.isVisible() and widget.isEnabled() and not is_inner(widget):
            yield widget


def test_the_wheel_changes_no_field_of_any_page(visited: MainWindow) -> None:
    """Who scrolls past a list or a number wants nothing of it: no field of the window takes the wheel."""
    fields = [one for kind in (QComboBox, QAbstractSpinBox) for one in visited.findChildren(kind)]
    assert len(fields) > 30
    assert [type(one).__name__ for one in fields if turn_wheel(one)] == []


def test_every_control_has_a_name(visited: MainWindow) -> None:
    """A screen reader finds a name on every control of every page."""
    nameless = [
        f"{type(each).__name__} {each.objectName()} in {type(each.parentWidget()).__name__}"
        for each in visited.findChildren(QWidget)
        if isinstance(each, CONTROLS) and not is_inner(each)
        if not (each.accessibleName() or (isinstance(each, (QAbstractButton, QCheckBox)) and each.text()))
    ]
    assert nameless == []


def test_every_chart_has_a_name_and_a_description(visited: MainWindow) -> None:
    """A screen reader is told what each chart shows."""
    import pyqtgraph as pg

    from advisor.gui.pages.live.plot import LivePlot

    visited.stack.pages["live"].refresh()  # type: ignore[attr-defined]  # the live page

    charts = [chart for kind in (pg.GraphicsView, LivePlot) for chart in visited.findChildren(kind)]
    assert len(charts) > 5
    assert [type(each).__name__ for each in charts if not each.accessibleName()] == []


@pytest.mark.parametrize("name", PAGES)
def test_a_screen_reader_is_told_every_control(visited: MainWindow, name: str) -> None:
    """Each control of a page has a name in Qt's accessibility tree, and names in words, not in marks."""
    visited.stack.open(name)
    settle()
    page = visited.stack.currentWidget()
    assert page is not None
    assert spoken_name(page), "the page itself has no name"

    nameless = [
        where(each)
        for each in page.findChildren(QWidget)
        if isinstance(each, CONTROLS) and not is_inner(each) and each.isVisible()
        if not any(sign.isalnum() for sign in spoken_name(each))
    ]
    assert nameless == []


def test_labels_before_inputs_are_their_buddies(visited: MainWindow) -> None:
    """The label beside an input names it, so that the two are read together."""
    lonely = []
    for form in visited.findChildren(QFormLayout):
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
def test_tab_goes_through_a_page_and_back_to_its_start(visited: MainWindow, qtbot: QtBot, name: str) -> None:
    """Tab stops once at every control of a page, and at nothing else on it."""
    visited.stack.open(name)
    settle()
    wanted = set(controls(visited))
    visited.navigation.buttons[name].setFocus()
    start = QApplication.focusWidget()
    stops: list[QWidget] = []
    for _step in range(MOST_STEPS):
        qtbot.keyClick(QApplication.focusWidget() or visited, Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        if focused is None or focused is start:
            break
        stops.append(focused)

    assert QApplication.focusWidget() is start, "Tab does not come back"
    page = visited.stack.currentWidget()
    assert page is not None
    on_page = [one for one in stops if page.isAncestorOf(one)]
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
def test_every_control_shows_that_it_has_the_keyboard(visited: MainWindow, qtbot: QtBot, name: str) -> None:
    """A control looks different while it has the focus."""
    visited.stack.open(name)
    settle()
    alike = []
    for each in controls(visited):
        each.clearFocus()
        before = each.grab().toImage()
        each.setFocus(Qt.FocusReason.TabFocusReason)
        if each.hasFocus() and each.grab().toImage() == before:
            alike.append(where(each))
    assert alike == []


def test_nothing_moves_by_itself(visited: MainWindow) -> None:
    """There is no animation to be reduced: what moves is a bar of progress or a graph of what happens now."""
    running = [one for one in visited.findChildren(QAbstractAnimation) if one.state() == one.State.Running]
    # A bar that has just been hidden still counts as moving until Qt's next tick, which a busy machine gives late.
    assert [one for one in running if not isinstance(one.parent(), QProgressBar)] == []


@pytest.mark.parametrize("name", [name for name in PAGES if name not in {"history", "computer"}])
def test_no_number_is_an_orphan(visited: MainWindow, qtbot: QtBot, name: str) -> None:
    """On every page, each quantity in a text or a table can be asked where it comes from."""
    visited.stack.open(name)
    qtbot.wait(50)
    page = visited.stack.currentWidget()
    assert page is not None
    if name == "live":
        live = cast(LivePage, page)
        qtbot.waitUntil(lambda: live.cost.text() != "", timeout=WAIT_MS)
        found = [*unasked_labels(live), *unasked_cells(live)]
        live.switch()
        live.refresh()
        assert live.rows.rowCount() > 0
        found += unasked_cells(live)
        live.switch()
        assert found == []
        return
    assert [*unasked_labels(page), *unasked_cells(page)] == []


def unasked_labels(page: QWidget) -> Iterator[str]:
    """Yield the quantities of a page that stand in a label or a moving text and cannot be asked."""
    for each in page.findChildren(QLabel):
        inside = [parent for parent in (Figure, PresetButton, ComputerCard) if is_within(each, parent)]
        text = NAME.sub("", each.text())
        if each.isVisible() and not inside and QUANTITY.search(text):
            yield text
    for moving in page.findChildren(Ticker):
        if moving.isVisible() and QUANTITY.search(moving.text()) and not moving.is_asked:
            yield moving.text()


def unasked_cells(page: QWidget) -> Iterator[str]:
    """Yield the quantities of a page that stand in a table and cannot be asked; the first column holds names."""
    for view in page.findChildren(RowsView):
        model = cast(RowsModel, view.model())
        for row in range(min(60, model.rowCount())):
            for column in range(1, model.columnCount()):
                index = model.index(row, column)
                if QUANTITY.search(NAME.sub("", str(index.data()))) and model.origin_at(index) is None:
                    yield f"{view.accessibleName()}: {index.data()}"


def is_within(widget: QWidget, kind: type[QWidget]) -> bool:
    """Return whether a widget is part of one of a kind."""
    parent = widget.parentWidget()
    return parent is not None and (isinstance(parent, kind) or is_within(parent, kind))


def test_a_screen_reader_is_told_what_each_control_does(visited: MainWindow) -> None:
    """Each control, shown or not yet shown, has a description in words that its name does not already say."""
    assert silent_controls(visited) == []
