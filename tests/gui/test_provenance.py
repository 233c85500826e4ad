"""Every number can be asked where it comes from; one window serves all tests of this file."""

from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from advisor.gui.app.main_window import MainWindow
from advisor.gui.pages.history.page import HistoryPage
from advisor.gui.pages.measure.page import MeasurePage
from advisor.gui.widgets.number_label import Explanation, Figure
from advisor.report.provenance.record import provenance_rows
from tests.gui.conftest import WAIT_MS, settle

# The offscreen platform complains of every popup.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def figures(window: MainWindow) -> list[Figure]:
    """Return the figures of the open page that are on screen."""
    settle()
    page = window.stack.currentWidget()
    assert page is not None
    return [one for one in page.findChildren(Figure) if one.isVisible()]


def opened(figure: Figure) -> Explanation:
    """Return the explanation that a figure has opened."""
    return cast(Explanation, figure.findChild(Explanation))


def texts(explanation: Explanation) -> list[str]:
    """Return what an explanation says."""
    return [one.text() for one in explanation.findChildren(QLabel)]


@pytest.mark.parametrize("page", ["advice", "computer", "options"])
def test_every_figure_explains_itself(visited: MainWindow, qtbot: QtBot, page: str) -> None:
    """Each figure of a page opens an explanation that says what the number is and what it rests on."""
    visited.stack.open(page)
    found = figures(visited)
    assert len(found) >= 3
    for figure in found:
        qtbot.mouseClick(figure, Qt.MouseButton.LeftButton)
        explanation = opened(figure)
        assert figure.origin is not None
        assert (figure.origin.title or figure.origin.value) in texts(explanation)
        assert provenance_rows(figure.origin, visited.context.language) or figure.origin.check
        explanation.close()
        settle()


def test_the_numbers_of_an_earlier_check_are_asked_below_the_list(visited: MainWindow, qtbot: QtBot) -> None:
    """A click on a row chooses the check; its numbers stand below, each to be asked."""
    visited.stack.open("history")
    history = cast(HistoryPage, visited.stack.currentWidget())
    qtbot.waitUntil(lambda: bool(history.chosen()), timeout=WAIT_MS)

    shown = [one.shown().replace("\N{NO-BREAK SPACE}", " ") for one in figures(visited)]

    assert shown == [
        "Time of one run on GeForce RTX 2060 Laptop: 3½ minutes (3 to 4 minutes)",
        "Tests with a result: 14 of 15",
    ]
    assert all(one.origin is not None and one.origin.method and one.origin.date for one in figures(visited))


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return])
def test_a_cell_is_asked_by_the_keyboard(visited: MainWindow, qtbot: QtBot, key: Qt.Key) -> None:
    """Space and Enter on a cell open what is known about it; a second time opens no second one."""
    visited.stack.open("measure")
    visited.activateWindow()  # an explanation that was closed leaves no window active, and keys go to the active one
    qtbot.waitUntil(visited.isActiveWindow, timeout=WAIT_MS)
    measure = cast(MeasurePage, visited.stack.currentWidget())
    measure.cases.setFocus()
    measure.cases.setCurrentIndex(measure.case_rows.index(0, 1))
    qtbot.keyClick(measure.cases, key)

    explanation = cast(Explanation, measure.cases.findChild(Explanation))

    assert "20\N{NO-BREAK SPACE}GFLOP/s" in texts(explanation)
    assert "measured here" in texts(explanation)
    explanation.close()
    settle()
    assert measure.cases.findChild(Explanation) is None


def test_a_cell_is_asked_by_a_click(visited: MainWindow, qtbot: QtBot) -> None:
    """A click on a test without result says why there is none."""
    visited.stack.open("measure")
    measure = cast(MeasurePage, visited.stack.currentWidget())
    view, rows = measure.cases, measure.case_rows
    failed = next(row for row in range(rows.rowCount()) if rows.index(row, 1).data() == "no result")
    view.scrollTo(rows.index(failed, 0))
    place = view.visualRect(rows.index(failed, 0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)

    explanation = cast(Explanation, view.findChild(Explanation))

    assert any("does not fit" in text for text in texts(explanation))
    explanation.close()
    settle()


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return])
def test_the_keyboard_opens_and_closes_it(visited: MainWindow, qtbot: QtBot, key: Qt.Key) -> None:
    """Space and Enter open an explanation, Esc closes it; nothing is left of it."""
    visited.stack.open("advice")
    visited.activateWindow()
    qtbot.waitUntil(visited.isActiveWindow, timeout=WAIT_MS)
    figure = figures(visited)[0]
    figure.setFocus()
    qtbot.keyClick(figure, key)
    explanation = opened(figure)
    assert explanation.isVisible()

    qtbot.keyClick(explanation, Qt.Key.Key_Escape)
    settle()

    assert opened(figure) is None


def test_it_can_be_copied(visited: MainWindow, qtbot: QtBot) -> None:
    """The clipboard holds the value, what it rests on and the command that checks it."""
    visited.stack.open("advice")
    figure = next(one for one in figures(visited) if one.origin is not None and one.origin.check)
    qtbot.mouseClick(figure, Qt.MouseButton.LeftButton)
    explanation = opened(figure)

    qtbot.mouseClick(explanation.copy, Qt.MouseButton.LeftButton)

    copied = QGuiApplication.clipboard().text()
    assert figure.origin is not None
    assert figure.origin.value in copied
    assert "$ advisor" in copied
    explanation.close()
    settle()


def test_an_explanation_stays_on_the_screen(visited: MainWindow, qtbot: QtBot) -> None:
    """A figure at the very corner of the screen is explained on the screen."""
    room = visited.screen().availableGeometry()
    place = visited.pos()
    visited.move(room.bottomRight())
    visited.stack.open("advice")
    figure = figures(visited)[-1]
    qtbot.mouseClick(figure, Qt.MouseButton.LeftButton)
    explanation = opened(figure)

    assert room.contains(explanation.geometry().center())
    assert explanation.geometry().bottom() <= room.bottom()
    assert explanation.geometry().right() <= room.right()
    explanation.close()
    visited.move(place)
    settle()
