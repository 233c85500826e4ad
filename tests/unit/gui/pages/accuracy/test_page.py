"""How sure are we: words defined once, each set with its chart and table, the articles, and a damaged file."""

from typing import cast

import msgspec
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from advisor.catalog import load_validation
from advisor.errors import CatalogError
from advisor.gui.app.main_window import MainWindow
from advisor.gui.pages.accuracy.page import AccuracyPage
from advisor.gui.widgets.block_table import BlockTable
from advisor.gui.widgets.charts.chart_with_table import ChartWithTable
from advisor.records.results.validation import Validation
from advisor.report.content.answer import answer
from tests.gui.conftest import Opener, settle
from tests.gui.test_pages import cells, labels, page


def test_the_words_are_defined_and_every_set_has_a_row(window: MainWindow) -> None:
    """Good, fair and rough are said with their figures; every published set stands in a table and in a chart."""
    sure = cast(AccuracyPage, page(window, "accuracy"))
    texts = labels(sure)
    assert "Good: eight times in ten, the true time is within 15% of ours." in texts
    assert sure.verdict.text()
    assert [each.isVisible() for each in sure.leads] == [True] * 2 + [False] * 3, "the rest is told beside the tables"

    found = load_validation()
    assert [twin.plot is not None for twin in sure.blocks.findChildren(ChartWithTable)] == [True]  # the picture
    assert not sure.details.isVisible()
    sure.unfold.click()
    settle()
    assert all(each.isVisible() for each in sure.leads)
    tables = [table for table in sure.findChildren(BlockTable) if table.isVisible()]
    assert sum(len(cells(table)) for table in tables) >= len(found.rows) + len(found.articles)
    twins = sure.findChildren(ChartWithTable)
    assert sum(twin.rows.rowCount() for twin in twins) >= len(found.rows)
    assert all(twin.plot is not None and twin.plot.accessibleDescription() for twin in twins)


def test_what_was_asked_last_is_told_first(answered: MainWindow, qtbot: QtBot) -> None:
    """The page speaks of the kind of job of the answer, also of one that comes later."""
    sure = cast(AccuracyPage, page(answered, "accuracy"))
    assert "which train an image network" in sure.verdict.text()
    flow = answered.answer_flow
    assert flow.report is not None
    texts = msgspec.structs.replace(
        flow.report.workload, input_kind="text", image_size=None, sequence_length=128, method="full"
    )
    flow.answered.emit(msgspec.structs.replace(flow.report, workload=texts))
    assert "with texts or language models" in sure.verdict.text()


def test_how_sure_the_last_answer_is_stands_first(answered: MainWindow) -> None:
    """The page spoke of all predictions, and not of the one that had been read."""
    sure = cast(AccuracyPage, page(answered, "accuracy"))
    report = answered.answer_flow.report
    assert report is not None
    said = answer(report, answered.context.language)
    shown = [each.text() for each in sure.answer_said]
    assert shown[:2] == [said.facts[0].text, said.confidence.text]
    assert sure.answer_card.isVisible()
    assert sure.answer_said[2].isVisible() is bool(said.doubt)


def test_without_an_answer_none_is_spoken_of(window: MainWindow) -> None:
    """The page is there before the first check."""
    assert not cast(AccuracyPage, page(window, "accuracy")).answer_card.isVisible()


def test_tables_fit_the_page(open_window: Opener, qtbot: QtBot) -> None:
    """At the smallest width no table needs to scroll sideways by more than a column."""
    window = open_window(size=(1024, 640))
    sure = cast(AccuracyPage, page(window, "accuracy"))
    sure.unfold.click()
    settle()

    for table in sure.findChildren(BlockTable):
        if table.isVisible():
            assert table.horizontalHeader().length() <= 1.2 * table.viewport().width()
            assert table.verticalHeader().length() <= table.height()


def test_another_language_rewrites_everything(window: MainWindow) -> None:
    """No heading of the page stays behind."""
    sure = cast(AccuracyPage, page(window, "accuracy"))
    window.context.set_language("es")
    settle()

    titles = [each.text() for each in sure.findChildren(QLabel) if each.property("role") in {"title", "display"}]
    assert titles
    assert all("⟦" in title for title in titles)


def test_figures_that_cannot_be_read_are_a_sentence(window: MainWindow) -> None:
    """A damaged file leaves the definitions and says what is wrong."""

    def fail() -> Validation:
        raise CatalogError("{file} cannot be read: {reason}.", file="validation.json", reason="no")

    made = AccuracyPage(window.context, fail, tuple)
    assert not made.problem.isHidden()
    assert "validation.json" in made.problem.sentence.text()
    assert made.words[0].text()
    made.deleteLater()


def test_a_theme_chosen_elsewhere_is_worn_when_the_page_is_seen(window: MainWindow) -> None:
    """Its pictures are drawn for a theme; nobody waits for those of a page that is not seen."""
    sure = cast(AccuracyPage, page(window, "accuracy"))
    [drawn] = sure.blocks.findChildren(ChartWithTable)
    window.stack.open("advice")
    window.context.set_theme("dark")
    settle()
    assert isValid(drawn)
    window.stack.open("accuracy")
    settle()
    assert not isValid(drawn)
    assert len(sure.blocks.findChildren(ChartWithTable)) == 1
