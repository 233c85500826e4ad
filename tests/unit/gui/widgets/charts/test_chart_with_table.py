"""A chart's table costs nothing while nobody sees it, and is as wide as its texts when somebody does."""

from typing import SupportsIndex, overload

from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from advisor.gui.base.context import Context
from advisor.gui.widgets.charts.chart_with_table import ChartWithTable
from advisor.locale import language
from tests.gui.conftest import WAIT_MS, settle

Row = tuple[str, ...]


class CountedRows(list[Row]):
    """Rows that know how often one of them was read."""

    reads = 0

    @overload
    def __getitem__(self, place: SupportsIndex) -> Row: ...
    @overload
    def __getitem__(self, place: slice) -> list[Row]: ...
    def __getitem__(self, place: SupportsIndex | slice) -> Row | list[Row]:
        """Return a row, and count it."""
        self.reads += 1
        return super().__getitem__(place)


def test_a_new_theme_reads_no_cell_of_a_table_that_is_not_seen(qapp: QApplication, qtbot: QtBot) -> None:
    """Qt asks the cells of columns that follow their contents some thirty times each at a change of the theme."""
    context = Context(qapp, language("en"), "light")
    context.apply_theme()
    twin = ChartWithTable(context, QWidget)
    qtbot.addWidget(twin)
    twin.ensure_plot()
    with qtbot.waitExposed(twin, timeout=WAIT_MS):
        twin.show()
    rows = CountedRows([("a name that is rather long for a column", "1"), ("another", "2")])
    twin.show_rows(("Name", "Value"), rows)
    settle()

    rows.reads = 0
    context.set_theme("dark")
    settle()
    assert rows.reads == 0

    twin.switch()
    settle()
    assert twin.table.columnWidth(0) >= twin.table.fontMetrics().horizontalAdvance(rows[0][0])
    context.deleteLater()


def test_the_table_is_there_and_back_once_there_is_a_chart(qapp: QApplication, qtbot: QtBot) -> None:
    """Before, there is nothing to go back to; whoever hears the window hears what the chart shows."""
    twin = ChartWithTable(Context(qapp, language("en"), "light"), QWidget)
    qtbot.addWidget(twin)
    twin.describe("Time", "How long each option takes")
    assert twin.is_table
    assert not twin.toggle.isEnabled()
    plot = twin.ensure_plot()
    assert twin.toggle.isEnabled()
    seen = []
    for _ in range(3):
        seen.append(twin.is_table)
        twin.switch()
    assert seen == [False, True, False]
    for widget in (plot, twin.table):
        assert (widget.accessibleName(), widget.accessibleDescription()) == ("Time", "How long each option takes")
