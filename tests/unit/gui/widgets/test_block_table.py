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
