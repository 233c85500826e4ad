"""A table of the report inside a page: as high as its rows, as wide as the page; long texts wrap before it scrolls."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID
from advisor.gui.widgets.provenance_cells import ProvenanceCells, WrappedCells
from advisor.gui.widgets.table import Origins, RowsModel, RowsView
from advisor.report.content.blocks import Table

_LONG_TITLE = 9
_WORDY = 12
_LEAST_TEXT = 18 * GRID


class BlockTable(RowsView):
    """The page scrolls, not the table; but where its rows are there to be chosen from, it scrolls by itself."""

    def __init__(
        self,
        context: Context,
        table: Table,
        name: str = "",
        origins: Origins | None = None,
        *,
        is_list: bool = False,
    ) -> None:
        rows = RowsModel()
        super().__init__(rows)
        rows.setParent(self)
        self._rows = rows
        self._is_list = is_list
        ProvenanceCells(context, self, rows, by_click=not is_list)
        self.setWordWrap(True)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        if is_list:
            self.setItemDelegate(WrappedCells(self))
        else:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().setResizeContentsPrecision(-1)  # every row: such a table has few
        self.show_table(table, name, origins)
        self.width_changed.connect(self.fit)

    def show_table(self, table: Table, name: str = "", origins: Origins | None = None) -> None:
        """Show another table."""
        self._table = table
        self._rows.show(table.header, table.rows, numeric=table.numeric, bold=table.marked, origins=origins)
        self.setAccessibleName(name or ", ".join(cell for cell in table.header if cell))
        self.horizontalHeader().setVisible(any(table.header))
        self.fit()

    def fit(self) -> None:
        """Share out the width there is, and be as high as the rows then need."""
        self._title_columns()
        self.share_width(self._texts(), self._leave_out())
        self._join_titles()
        self.resizeRowsToContents()
        if self._is_list:
            self.scrollTo(self.currentIndex())  # other widths are other heights, and a list began at its top again
            return
        head = self.horizontalHeader().sizeHint() if any(self._table.header) else QSize(0, 0)
        is_wider = self.horizontalHeader().length() > self.viewport().width()
        bar = self.horizontalScrollBar().sizeHint().height() if is_wider else 0
        self.setFixedHeight(self.verticalHeader().length() + head.height() + bar + 2 * self.frameWidth())

    def _title_columns(self) -> None:
        """Let long titles stand on one line where there is room for all, else on two."""
        for column in self._table.minor:
            self.setColumnHidden(column, False)
        self._rows.retitle(self._table.header)
        if sum(self.wanted_widths()) > self.viewport().width():
            self._rows.retitle(tuple(map(two_lines, self._table.header)))

    def _join_titles(self) -> None:
        """Let those titles stand on one line whose columns are wide enough for it anyway."""
        broken = [str(self._rows.headerData(n, Qt.Orientation.Horizontal)) for n in range(len(self._table.header))]
        self._rows.retitle(self._table.header)
        head = self.horizontalHeader()
        fits = [head.sectionSizeHint(n) <= self.columnWidth(n) for n in range(len(broken))]
        self._rows.retitle(
            [flat if one else two for flat, two, one in zip(self._table.header, broken, fits, strict=True)]
        )

    def _leave_out(self) -> list[int]:
        """Hide what matters less where there is not room for all, the last first; return what the columns want."""
        wanted = self.wanted_widths()
        texts = self._texts()
        least = sum(min(width, _LEAST_TEXT) if n in texts else width for n, width in enumerate(wanted))
        for column in sorted(self._table.minor, reverse=True):
            if least <= self.viewport().width():
                break
            self.setColumnHidden(column, True)
            least -= wanted[column]
            wanted[column] = 0
        return wanted

    def _texts(self) -> list[int]:
        """Return the columns whose contents may wrap."""
        columns = range(len(self._table.header))
        return [n for n in columns if n not in self._table.numeric or self._is_wordy(n)]

    def _is_wordy(self, column: int) -> bool:
        """Return whether a column of numbers has words below them."""
        return any(len(line) > _WORDY for row in self._table.rows for line in row[column].split("\n"))


def two_lines(title: str) -> str:
    """Return a column's title on two lines where it is long."""
    blanks = [place for place, letter in enumerate(title) if letter == " "]
    if len(title) <= _LONG_TITLE or not blanks:
        return title
    middle = min(blanks, key=lambda place: abs(2 * place - len(title)))
    return f"{title[:middle]}\n{title[middle + 1 :]}"
