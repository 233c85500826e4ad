"""The page of options: the chosen one, its details, and when buying pays."""

from typing import cast

from advisor.gui.pages.options.page import OptionsPage
from advisor.gui.widgets.option_chart import OptionChart
from advisor.records.results.report import Report
from tests.gui.conftest import settle
from tests.unit.gui.pages.options.shown import facts


def test_the_recommended_option_is_chosen_and_explained(options: OptionsPage) -> None:
    """The page opens on the answer: its row, a ring around its mark, its details."""
    assert options.details_title.text() == "GeForce RTX 2060 Laptop"
    assert "measured here" in facts(options)
    plot = cast(OptionChart, options.chart.plot)
    assert len(plot._ring.points()) == 1
    assert options.table.selectionModel().selectedRows()[0].row() == 0


def test_nothing_left_is_said(options: OptionsPage) -> None:
    """A search without result is a sentence, not an empty table and chart."""
    options.filter.search.setText("no such thing")

    assert options.nothing.isVisible()
    assert not options.table.isVisible()
    assert not options.chart_card.isVisible()
    assert not options.details.isVisible()
    options.filter.search.clear()
    assert options.table.isVisible()


def test_when_buying_pays(options: OptionsPage, real_report: Report) -> None:
    """Where the answer is to buy or rent, the costs of both are drawn over the months, with a table twin."""
    assert not options.break_even_card.isVisible()
    options.show_report(real_report)
    settle()
    assert options.break_even_card.isVisible()
    assert options.break_even.plot is not None
    assert options.break_even.rows.rowCount() > 0
    options.break_even.switch()
    assert options.break_even.is_table


def test_an_option_can_be_chosen_by_its_name(options: OptionsPage) -> None:
    """Other pages can lead to one option."""
    options.choose("here/cpu")
    assert options.details_title.text() == "Core i7-10750H"
    options.choose("no such option")
    assert options.details_title.text() == "Core i7-10750H"


def test_options_stand_beside_each_other(options: OptionsPage) -> None:
    """Up to three chosen rows are told in columns; a fourth is left out."""
    options.filter.rows.setCurrentIndex(options.filter.rows.findData("each"))
    options.filter.changed.emit()
    options.table.selectAll()
    settle()
    assert options.table.model().rowCount() > 3
    assert options.details_title.text() == "Beside each other"
    assert sum(name in facts(options) for name in [row[1] for row in options._options or ()]) == 3
    assert not options.chart_card.isVisible()
    assert not options.costs.isVisible()
    options.table.selectRow(0)
    assert options.chart_card.isVisible() or options.costs.isVisible()
    assert options.details_title.text() == "GeForce RTX 2060 Laptop"
