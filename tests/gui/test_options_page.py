"""The page of options: filters, the ring around the chosen mark, its details, and when buying pays."""

from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from advisor.catalog import preset
from advisor.gui.app.main_window import MainWindow
from advisor.gui.pages.options.page import OptionsPage
from advisor.gui.widgets.option_chart import OptionChart
from advisor.records.request import Observation
from advisor.records.results.report import Report
from advisor.session.forecast import conclude
from tests.gui.conftest import Opener, settle
from tests.gui.samples import FakeBackend, sample_report


@pytest.fixture(scope="module")
def real_report() -> Report:
    """Return a real answer over the whole catalogue, for a job where buying pays off some day."""
    sample, job = sample_report(), preset("llm_7b_lora")
    seen = Observation(machine=sample.machine, benchmark=sample.benchmark)
    return conclude(seen, job.workload, job.circumstances)


@pytest.fixture
def options(answered: MainWindow) -> OptionsPage:
    """Return the page over the sample's five options."""
    answered.stack.open("options")
    settle()
    return cast(OptionsPage, answered.stack.currentWidget())


def titles(page: OptionsPage) -> list[str]:
    """Return the options of the table from top to bottom."""
    return [str(page.rows.data(page.rows.index(row, 1))) for row in range(page.rows.rowCount())]


def facts(page: OptionsPage) -> str:
    """Return what the details say."""
    return "\n".join(each.text() for each in page.details.findChildren(QLabel) if not each.isHidden())


def test_the_recommended_option_is_chosen_and_explained(options: OptionsPage) -> None:
    """The page opens on the answer: its row, a ring around its mark, its details."""
    assert options.details_title.text() == "GeForce RTX 2060 Laptop"
    assert "measured here" in facts(options)
    plot = cast(OptionChart, options.chart.plot)
    assert len(plot._ring.points()) == 1
    assert options.table.selectionModel().selectedRows()[0].row() == 0


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


def test_search_and_money_narrow_the_list(options: OptionsPage, qtbot: QtBot) -> None:
    """Words, a limit of money and the kind of answer work together; the count says how many are left."""
    options.filter.search.setText("rtx")
    assert titles(options) == ["GeForce RTX 2060 Laptop", "GeForce RTX 5060 Ti 16 GB"]
    options.filter.money.setValue(100)
    assert titles(options) == ["GeForce RTX 2060 Laptop"]
    assert options.count.text() == "5 options were compared. 1 is shown."

    options.filter.search.clear()
    options.filter.money.setValue(0)
    qtbot.mouseClick(options.filters[3], Qt.MouseButton.LeftButton)
    assert titles(options) == ["L4"]


def test_nothing_left_is_said(options: OptionsPage) -> None:
    """A search without result is a sentence, not an empty table and chart."""
    options.filter.search.setText("no such thing")

    assert options.nothing.isVisible()
    assert not options.table.isVisible()
    assert not options.chart_card.isVisible()
    assert not options.details.isVisible()
    options.filter.search.clear()
    assert options.table.isVisible()


def test_the_filter_stays_when_the_answer_changes(options: OptionsPage, real_report: Report) -> None:
    """Another answer, as in what-if, keeps what the user asked for; the makers are those of its options."""
    options.filter.search.setText("RTX 4090")
    options.show_report(real_report)
    settle()

    assert titles(options)
    assert all("4090" in title for title in titles(options))
    assert [options.filter.vendor.itemText(row) for row in range(options.filter.vendor.count())][:2] == [
        "Any maker",
        "AMD",
    ]


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


def test_search_has_a_key(open_window: Opener, backend: FakeBackend, options: OptionsPage, qtbot: QtBot) -> None:
    """Ctrl+F goes to the search."""
    qtbot.keyClick(options.table, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)

    assert options.filter.search.hasFocus()


def test_an_option_can_be_chosen_by_its_name(options: OptionsPage) -> None:
    """Other pages can lead to one option."""
    options.choose("here/cpu")
    assert options.details_title.text() == "Core i7-10750H"
    options.choose("no such option")
    assert options.details_title.text() == "Core i7-10750H"
