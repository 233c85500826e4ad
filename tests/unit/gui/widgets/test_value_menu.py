"""Menus of values: what they copy, ask and open."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent, QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from advisor.gui.base.context import Context
from advisor.gui.pages.options.page import OptionsPage
from advisor.gui.widgets.number_label import Explanation, Figure
from advisor.gui.widgets.value_menu import address_of
from advisor.locale import language
from advisor.report.provenance.record import Provenance

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
ORIGIN = Provenance(title="Price of a card", value="$843", source="Shop, https://example.org/cards.")


@pytest.fixture
def figure(qapp: QApplication, qtbot: QtBot) -> Iterator[Figure]:
    """Return a number from a page that has an address."""
    made = Figure(Context(qapp, language("en"), "light"))
    qtbot.addWidget(made)
    made.show_value("$843 once", ORIGIN)
    made.show()
    yield made
    made.hide()


def press(menu: QMenu, text: str) -> None:
    """Choose an entry of a menu and close it."""
    next(action for action in menu.actions() if action.text() == text).trigger()
    menu.close()


def copied() -> str:
    """Return what is on the clipboard."""
    return QGuiApplication.clipboard().text()


def test_a_number_can_be_copied_asked_and_followed(figure: Figure, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its value alone is copied; its source is the page that it names."""
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    press(figure.open_menu(QPoint(0, 0)), "Copy value")
    assert copied() == "$843"
    press(figure.open_menu(QPoint(0, 0)), "Open its source")
    assert opened == ["https://example.org/cards"]
    press(figure.open_menu(QPoint(0, 0)), "What is this number?")
    explanation = figure.findChild(Explanation)
    assert explanation is not None
    explanation.close()


def test_what_names_no_page_offers_none() -> None:
    """Most numbers are measured here."""
    assert address_of(Provenance(title="", value="", source="/proc/cpuinfo")) == ""


def test_a_row_and_the_table_can_be_copied(options: OptionsPage) -> None:
    """By the pointer or the menu key; as lines with tabs, in the order that is shown, titles first."""
    options.table.setCurrentIndex(options.rows.index(0, 5))
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(0, 0), QPoint(0, 0))
    QApplication.sendEvent(options.table.viewport(), event)
    menu = options.table.findChild(QMenu)
    assert menu is not None
    assert "What is this number?" in [action.text() for action in menu.actions()]
    press(menu, "Copy row")
    assert copied().split("\t")[:2] == ["This computer", "GeForce RTX 2060 Laptop"]
    press(menu, "Copy table")
    lines = copied().splitlines()
    assert len(lines) == 1 + options.rows.rowCount()
    assert lines[0].split("\t")[1] == "Option"


def test_a_chart_gives_its_numbers(options: OptionsPage) -> None:
    """A right click on the drawing itself opens the menu of the chart."""
    plot = options.chart.plot
    assert plot is not None
    options.views[1].click()
    viewport = plot.viewport()  # type: ignore[attr-defined]  # a view of a scene
    middle = viewport.rect().center()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, middle, viewport.mapToGlobal(middle))
    QApplication.sendEvent(viewport, event)
    menu = options.chart.findChild(QMenu)
    assert menu is not None
    press(menu, "Copy table")
    assert copied().splitlines()[0].startswith("Answer\tOption")
    press(menu, "As a table")
    assert options.chart.is_table
