"""Titles of tables, and widths that follow the letters."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.gui.base.context import Context
from advisor.gui.widgets.block_table import BlockTable, two_lines
from advisor.locale import language
from advisor.report.content.blocks import Table


@pytest.mark.parametrize(
    ("title", "split"),
    [("Error", "Error"), ("In the interval", "In the\ninterval"), ("Ununterbrochen", "Ununterbrochen")],
)
def test_long_titles_take_two_lines(title: str, split: str) -> None:
    """Columns are as wide as their numbers, not as their titles."""
    assert two_lines(title) == split


def test_columns_follow_the_size_of_the_letters(qapp: QApplication, qtbot: QtBot) -> None:
    """Who chooses larger texts in Settings sees whole numbers at once."""
    context = Context(qapp, language("en"), "light")
    context.apply_theme()
    table = BlockTable(context, Table(("Model", "Memory"), (("A", "1,234 GB"),), numeric=frozenset({1})))
    qtbot.addWidget(table)
    table.resize(900, 200)
    table.show()
    before = table.columnWidth(1)
    context.set_text_percent(175)
    after = table.columnWidth(1)
    context.set_text_percent(100)
    assert after > 1.2 * before
    table.hide()


@pytest.fixture
def context(qapp: QApplication) -> Context:
    """Return a context whose theme is worn."""
    made = Context(qapp, language("en"), "light")
    made.apply_theme()
    return made


def shown(qtbot: QtBot, context: Context, table: Table, width: int) -> BlockTable:
    """Return a table as a page of a width shows it."""
    made = BlockTable(context, table)
    qtbot.addWidget(made)
    made.resize(width, 200)
    made.show()
    made.fit()
    return made


def test_what_matters_least_goes_first(qtbot: QtBot, context: Context) -> None:
    """Of two columns that may go, the last one does where one is enough, and both come back with the room."""
    cells = ("a" * 20, "1" * 11, "2" * 11, "3" * 11)
    table = Table(("Name", "One", "Two", "Three"), (cells,), numeric=frozenset({1, 2, 3}), minor=frozenset({2, 3}))
    made = shown(qtbot, context, table, 2000)
    whole = made.horizontalHeader().length()
    assert not any(made.isColumnHidden(n) for n in range(4))
    made.resize(sum(made.wanted_widths()[:3]) + 2 * made.frameWidth() + 10, 200)
    made.fit()
    assert [made.isColumnHidden(n) for n in range(4)] == [False, False, False, True]
    made.resize(whole + 100, 200)
    made.fit()
    assert not any(made.isColumnHidden(n) for n in range(4))


def test_words_below_numbers_may_wrap(qtbot: QtBot, context: Context) -> None:
    """A column of numbers gives way like one of texts where long words stand in it, and else keeps its width."""
    words = "a rather long remark on the number that stands above it, in many words"
    wide = shown(qtbot, context, Table(("Name", "Cost"), (("a", f"$1\n{words}"),), numeric=frozenset({1})), 300)
    assert wide.columnWidth(1) < wide.wanted_widths()[1]
    numbers = shown(qtbot, context, Table(("Name", "Cost"), (("a" * 99, "$1,000"),), numeric=frozenset({1})), 300)
    assert numbers.columnWidth(1) == numbers.wanted_widths()[1]


def test_a_table_that_is_wider_than_its_page_has_room_for_its_bar(qtbot: QtBot, context: Context) -> None:
    """Else the bar would cover the last row."""
    cells = tuple("1" * 11 for _ in range(8))
    table = Table(tuple("abcdefgh"), (cells,), numeric=frozenset(range(8)))
    heights = [shown(qtbot, context, table, width).height() for width in (2000, 200)]
    made = shown(qtbot, context, table, 200)
    assert heights[1] == heights[0] + made.horizontalScrollBar().sizeHint().height()
