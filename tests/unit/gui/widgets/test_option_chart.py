"""The chart of options and its table move together."""

from typing import cast

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from advisor.gui.pages.options.page import OptionsPage
from advisor.gui.widgets.option_chart import OptionChart
from tests.gui.conftest import settle
from tests.unit.gui.pages.options.shown import facts


def test_choosing_a_row_moves_the_ring(options: OptionsPage, qtbot: QtBot) -> None:
    """Down in the table marks another dot and explains why that option lost."""
    plot = cast(OptionChart, options.chart.plot)
    before = plot._ring.points()[0].pos()
    options.table.setFocus()
    with qtbot.waitSignal(options.chosen) as chosen:
        qtbot.keyClick(options.table, Qt.Key.Key_Down)
    settle()

    assert chosen.args == ["rent/runpod/l4"]
    assert plot._ring.points()[0].pos() != before
    assert "costs $1.20 more" in facts(options)


def test_choosing_a_mark_selects_its_row(options: OptionsPage) -> None:
    """A click on a mark is a click on its row."""
    cast(OptionChart, options.chart.plot).picked.emit(2)

    assert options.details_title.text() == "GeForce RTX 5060 Ti 16 GB"
