"""The chart of options and its table move together."""

import dataclasses
from typing import cast

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from pytestqt.qtbot import QtBot

from advisor.gui.pages.options.page import OptionsPage
from advisor.gui.widgets.charts.option_chart import OptionChart
from advisor.records.results.report import Report
from tests.gui.conftest import settle
from tests.unit.gui.pages.options.shown import facts


def test_choosing_a_row_moves_the_ring(options: OptionsPage, qtbot: QtBot) -> None:
    """Down in the table marks another dot and explains why that option lost."""
    plot = cast(OptionChart, options.chart.plot)
    before = plot._ring.points()[0].pos()
    options.table.setFocus()
    qtbot.keyClick(options.table, Qt.Key.Key_Down)
    settle()

    assert plot._ring.points()[0].pos() != before
    assert "+\N{WORD JOINER}$0.90, 1.8× as fast" in facts(options)


def test_choosing_a_mark_selects_its_row(options: OptionsPage) -> None:
    """A click on a mark is a click on its row."""
    cast(OptionChart, options.chart.plot).picked.emit(2)

    assert options.details_title.text() == "GeForce RTX 5060 Ti 16 GB"


def test_the_wheel_looks_closer_with_ctrl_alone(options: OptionsPage, qtbot: QtBot) -> None:
    """Without Ctrl the wheel is the page's; a double click shows every mark again."""
    options.views[1].click()
    settle()
    plot = cast(OptionChart, options.chart.plot)
    whole = plot.view.viewRange()

    def turn(keys: Qt.KeyboardModifier) -> bool:
        middle = QPointF(plot.viewport().rect().center())
        event = QWheelEvent(
            middle, middle, QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton, keys, Qt.ScrollPhase.NoScrollPhase, False
        )
        plot.wheelEvent(event)
        return event.isAccepted()

    assert not turn(Qt.KeyboardModifier.NoModifier)
    assert plot.view.viewRange() == whole
    assert turn(Qt.KeyboardModifier.ControlModifier)
    (low, high), _up = plot.view.viewRange()
    assert high - low < whole[0][1] - whole[0][0]
    qtbot.mouseDClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    for now, before in zip(plot.view.viewRange(), whole, strict=True):
        assert now == pytest.approx(before)


@pytest.mark.parametrize("height", [150, 320])
def test_no_mark_lies_under_the_title(options: OptionsPage, real_report: Report, height: int) -> None:
    """In large letters the title of the costs lay on the dearest marks of a low chart."""
    options._context.set_text_percent(175)
    options.show_report(real_report)
    options.views[1].click()
    plot = cast(OptionChart, options.chart.plot)
    plot.setFixedHeight(height)
    covered = []
    for kind in options.filters:
        kind.click()
        for _turn in range(3):
            settle()
        title = plot._cost_title.mapRectToDevice(plot._cost_title.boundingRect())
        places = [plot.view.mapViewToDevice(spot.pos()) for spot in plot._scatter.points()]
        covered += [place for place in places if place.y() < title.bottom()]
    options._context.set_text_percent(100)  # the application keeps its letters for the tests that follow
    assert covered == []


def test_a_long_name_is_cut(options: OptionsPage, real_report: Report) -> None:
    """A processor's name of forty letters covered the marks beside its own; the tip has all of it."""
    options.show_report(real_report)
    options.views[1].click()
    settle()
    plot = cast(OptionChart, options.chart.plot)
    item = plot._label(dataclasses.replace(plot._points[0], label="AMD Ryzen Threadripper PRO 7995WX 96-Cores"))
    assert item.textItem.toPlainText().endswith("…")
    assert item.boundingRect().width() < 220
    plot.removeItem(item)
