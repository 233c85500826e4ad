"""A table of the report inside a page: as high as its rows, as wide as the page; long texts wrap before it scrolls."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHeaderView

from advisor.gui.widgets.basic import GRID
from advisor.gui.widgets.table import RowsModel, RowsView
from advisor.report.blocks import Table

_LONG_TITLE = 9
_WORDY = 12
_WIDEST = 60 * GRID
_LEAST_TEXT = 18 * GRID


class BlockTable(RowsView):
    """The page scrolls, not the table."""

    def __init__(self, table: Table, name: str) -> None:
        rows = RowsModel()
        super().__init__(rows)
        rows.setParent(self)
        self._table = table
        header = tuple(map(two_lines, table.header))
        rows.show(header, table.rows, numeric=table.numeric, bold=table.marked)
        self.setWordWrap(True)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(name or ", ".join(cell for cell in table.header if cell))
        head = self.horizontalHeader()
        head.setVisible(any(table.header))
        head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        head.setStretchLastSection(False)
        self.width_changed.connect(self.fit)
        self.fit()

    def fit(self) -> None:
        """Share out the width there is, and be as high as the rows then need."""
        for column, width in enumerate(self._widths(self.viewport().width())):
            self.setColumnWidth(column, width)
        self.resizeRowsToContents()
        head = self.horizontalHeader().sizeHint() if any(self._table.header) else QSize(0, 0)
        self.setFixedHeight(self.verticalHeader().length() + head.height() + 2 * GRID)

    def _widths(self, room: int) -> list[int]:
        """Return the columns' widths: what the contents want; texts get less where room is short, or the rest."""
        head = self.horizontalHeader()
        columns = range(len(self._table.header))
        wanted = [min(_WIDEST, max(self.sizeHintForColumn(n) + GRID // 2, head.sectionSizeHint(n))) for n in columns]
        texts = [n for n in columns if n not in self._table.numeric or self._is_wordy(n)]
        excess = sum(wanted) - room
        if excess <= 0 and texts:
            wanted[texts[0]] -= excess
        for n in sorted(texts, key=lambda n: -wanted[n]):
            less = min(max(0, excess), max(0, wanted[n] - _LEAST_TEXT))
            wanted[n] -= less
            excess -= less
        return wanted

    def _is_wordy(self, column: int) -> bool:
        """Say whether a column of numbers has words below them."""
        return any(len(line) > _WORDY for row in self._table.rows for line in row[column].split("\n"))


def two_lines(title: str) -> str:
    """Return a column's title on two lines where it is long."""
    blanks = [place for place, letter in enumerate(title) if letter == " "]
    if len(title) <= _LONG_TITLE or not blanks:
        return title
    middle = min(blanks, key=lambda place: abs(2 * place - len(title)))
    return f"{title[:middle]}\n{title[middle + 1 :]}"
