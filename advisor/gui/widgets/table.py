"""Tables of texts: a Qt model over rows, and a view in the house style."""

from __future__ import annotations

import html
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, cast

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFont, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem, QTableView

from advisor.report.provenance.record import Provenance

Origins = Callable[[int, int], Provenance | None]
Tips = Callable[[int, int], str]

_NO_PARENT = QModelIndex()
_MEASURED_ROWS = 20
CELL_PADDING, _LINE_PADDING = 16, 14
_ENOUGH = 10_000
_BOLDER = 1.15
"""How much wider a text in bold may be."""
# As numbers: a flag is combined in Python, and each cell is asked for it again and again.
_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
_WIDEST_TEXT, _LEAST_TEXT = 480, 132  # the least: a long word such as "recomendado" in bold
Index = QModelIndex | QPersistentModelIndex


def plain_tip(text: str) -> str:
    """Return a text that Qt shows as it is when the mouse rests: names in reports from elsewhere may look like HTML."""
    if "<" not in text:
        return text
    lines = html.escape(text).replace("\n", "<br>")
    return f"<span>{lines}</span>"


class RowsModel(QAbstractTableModel):
    """Rows of texts, with numbers to sort by where a column has them; a row is asked for when it is seen.

    Attributes:
        notes: Rows that are remarks on the row before.
        origin_hint: What a screen reader says of a cell that can be asked where its number comes from.
        header_tips: What the title of a column says when the mouse rests there, and to a screen reader.
    """

    def __init__(self) -> None:
        super().__init__()
        self._header: tuple[str, ...] = ()
        self._rows: Sequence[Sequence[str]] = ()
        self._keys: Sequence[tuple[float | str, ...]] = ()
        self._order: list[int] = []
        self._numeric: frozenset[int] = frozenset()
        self._bold: frozenset[int] = frozenset()
        self._origins: Origins | None = None
        self._tips: Tips | None = None
        self._quiet: frozenset[int] = frozenset()
        self.notes: frozenset[int] = frozenset()
        self.origin_hint = ""
        self.header_tips: Mapping[int, str] = {}

    def show(
        self,
        header: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        numeric: frozenset[int] = frozenset(),
        keys: Sequence[tuple[float | str, ...]] = (),
        bold: int | frozenset[int] | None = None,
        notes: frozenset[int] = frozenset(),
        quiet: frozenset[int] = frozenset(),
        origins: Origins | None = None,
        tips: Tips | None = None,
    ) -> None:
        """Show other rows.

        Args:
            header: Titles of the columns.
            rows: Texts.
            numeric: Columns aligned to the right.
            keys: What each row is sorted by, column by column; without them the order stays.
            bold: Row, or rows, that stand out.
            notes: Rows that are remarks on the row before: their first cell goes over all columns, in a quiet colour.
            quiet: Rows in that colour too, that tell nothing.
            origins: Where the number in a row and column comes from; None where there is none to ask.
            tips: What is said of a row and column when the mouse rests there; None: the text itself.
        """
        self.beginResetModel()
        self._header, self._rows, self._numeric = tuple(header), rows, numeric
        self._keys, self.notes, self._origins, self._tips = keys, notes, origins, tips
        self._quiet = quiet | notes
        self._bold = bold if isinstance(bold, frozenset) else frozenset(() if bold is None else (bold,))
        self._order = list(range(len(rows)))
        self.endResetModel()

    def renew(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
        """Show other texts in the same columns; rows come and go at the end, and the current cell stays in its place.

        Returns:
            False where the columns are others: then nothing has changed.
        """
        if tuple(header) != self._header:
            return False
        before, now = len(self._rows), len(rows)
        if now > before:
            self.beginInsertRows(_NO_PARENT, before, now - 1)
        elif now < before:
            self.beginRemoveRows(_NO_PARENT, now, before - 1)
        self._rows, self._order = rows, list(range(now))
        if now > before:
            self.endInsertRows()
        elif now < before:
            self.endRemoveRows()
        if min(before, now):
            self.dataChanged.emit(self.index(0, 0), self.index(min(before, now) - 1, len(self._header) - 1))
        return True

    def retitle(self, header: Sequence[str]) -> None:
        """Show other titles over the same columns."""
        if tuple(header) != self._header:
            self._header = tuple(header)
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(header) - 1)

    def change_row(self, row: int, cells: tuple[str, ...]) -> None:
        """Show other texts in one row; nothing happens where they are the same."""
        source = self._order[row] if row < len(self._order) else None
        if source is None or self._rows[source] == cells:
            return
        self._rows = [*self._rows[:source], cells, *self._rows[source + 1 :]]
        self.dataChanged.emit(self.index(row, 0), self.index(row, len(self._header) - 1))

    def texts_at(self, row: int) -> tuple[str, ...]:
        """Return the texts of the row at a place."""
        return tuple(self._rows[self._order[row]])

    def texts(self) -> list[tuple[str, ...]]:
        """Return the titles and all rows, in the order they are shown."""
        return [self._header, *(self.texts_at(row) for row in range(len(self._order)))]

    def row_of(self, source: int) -> int | None:
        """Return where a row stands after sorting."""
        return self._order.index(source) if source in self._order else None

    def source_of(self, row: int) -> int:
        """Return which of the rows that were shown stands at a place after sorting."""
        return self._order[row]

    def outstanding(self, column: int, width: Callable[[str], int]) -> list[int]:
        """Return where the widest text of a column stands, and the rows in bold, which are wider than they measure."""
        if not self._order:
            return []
        texts = {str(self._rows[source][column]): row for row, source in enumerate(self._order)}
        return [texts[max(texts, key=width)], *(row for row, source in enumerate(self._order) if source in self._bold)]

    def origin_at(self, index: Index) -> Provenance | None:
        """Return where the number in a cell comes from."""
        if self._origins is None or not index.isValid():
            return None
        return self._origins(self._order[index.row()], index.column())

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        """Return how many rows there are."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        """Return how many columns there are."""
        return 0 if parent.isValid() else len(self._header)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return what a cell shows."""
        if not index.isValid():
            return None
        source, column = self._order[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._rows[source][column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(self._rows[source][column] if self._tips is None else self._tips(source, column))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            title = " ".join(self._header[column].split())
            return f"{title}: {self._rows[source][column]}" if title else self._rows[source][column]
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return self.origin_hint if self.origin_at(index) is not None else ""
        return self._appearance(source, column, role)

    def _appearance(self, source: int, column: int, role: int) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column in self._numeric else _LEFT
        if role == Qt.ItemDataRole.ForegroundRole and source in self._quiet:
            return QGuiApplication.palette().placeholderText()
        if role == Qt.ItemDataRole.FontRole and source in self._bold:
            font = QFont()
            font.setBold(True)
            return font
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a column's title."""
        if orientation != Qt.Orientation.Horizontal or section >= len(self._header):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._header[section]
        if role in {Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole}:
            return self.header_tips.get(section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in self._numeric else _LEFT
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column's keys."""
        if not self._keys or not 0 <= column < len(self._header):
            return
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        sources = [self._order[index.row()] for index in before]
        is_falling = order == Qt.SortOrder.DescendingOrder
        self._order.sort(key=lambda source: self._keys[source][column], reverse=is_falling)
        # What is selected, and the current cell, go where their rows go.
        row_of = {source: row for row, source in enumerate(self._order)}
        pairs = zip(sources, before, strict=True)
        self.changePersistentIndexList(before, [self.index(row_of[source], index.column()) for source, index in pairs])
        self.layoutChanged.emit()


def levelled(wanted: Sequence[int], room: int, least: int = _LEAST_TEXT) -> list[int]:
    """Return widths that fit into a room: the widest are cut to one level, and what is left over goes to the first."""
    widths = list(wanted)
    left = room
    for done, place in enumerate(sorted(range(len(wanted)), key=lambda place: wanted[place])):
        widths[place] = max(min(wanted[place], least), min(wanted[place], left // (len(wanted) - done)))
        left -= widths[place]
    if widths and left > 0:
        widths[0] += left
    return widths


class RowsView(QTableView):
    """A table of a ``RowsModel``: whole rows, no grid, the keyboard moves through it and Tab leaves it.

    Signals:
        width_changed: Texts that wrap need other heights.
        menu_wanted: With a cell and the place on the screen where its menu is to open.
    """

    width_changed = Signal()
    menu_wanted = Signal(QModelIndex, QPoint)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Tell which cell a menu is wanted for: that under the pointer, or the current one where a key asks."""
        is_by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if is_by_key else self.indexAt(event.pos())
        if index.isValid():
            below = self.viewport().mapToGlobal(self.visualRect(index).bottomLeft())
            self.menu_wanted.emit(index, below if is_by_key else event.globalPos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell when the width changes."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.width_changed.emit()

    def changeEvent(self, event: QEvent) -> None:
        """Tell when the letters have another size: their texts need other widths, too."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_line()
            self.width_changed.emit()

    def _fit_line(self) -> None:
        """Make rows as high as a line of the letters of the moment."""
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + _LINE_PADDING)

    def share_width(self, texts: Sequence[int], wanted: Sequence[int] = ()) -> bool:
        """Share out the width there is: what the contents want; texts get less where room is short, or the rest.

        Args:
            texts: Columns whose contents may wrap; the first takes what is left over.
            wanted: What ``wanted_widths`` just returned, where it was asked.

        Returns:
            Whether a text got less than it wants.
        """
        self.horizontalHeader().setStretchLastSection(False)
        wanted = wanted or self.wanted_widths()
        seen = [n for n in texts if n < len(wanted) and wanted[n]]
        room = self.viewport().width() - sum(width for n, width in enumerate(wanted) if n not in seen)
        most = [wanted[n] for n in seen]
        if sum(most) > room:  # a column with few long texts gives way to one in which all are long
            most = [min(wanted[n], max(_LEAST_TEXT, self._usual_width(n))) for n in seen]
            for place, column in enumerate(seen):  # what is left then goes back, to the first as far as it wants
                most[place] += max(0, min(wanted[column] - most[place], room - sum(most)))
        least = _LEAST_TEXT
        if seen and len(seen) == sum(map(bool, wanted)):  # all may wrap: none needs to be scrolled to
            least = min(least, room // len(seen))
        widths = dict(enumerate(wanted)) | dict(zip(seen, levelled(most, room, least), strict=True))
        for column, width in widths.items():
            if width:
                self.setColumnWidth(column, width)
        return any(widths[n] < wanted[n] for n in seen)

    def fit_rows(self, texts: Sequence[int]) -> None:
        """Share out the width, with two lines a row where a text has to wrap; all rows are as high, however many."""
        is_short = self.share_width(texts)
        line = self.fontMetrics().height()
        self.verticalHeader().setDefaultSectionSize((2 * line if is_short else line) + CELL_PADDING)

    def fit_heights(self, columns: Sequence[int], always: Container[int] = (), *, but: Container[int] = ()) -> None:
        """Make each row as high as its texts in these columns need; only those wider than their column are asked.

        Args:
            columns: In which texts may go on in further lines.
            always: Of these, those that are asked in every row: what they draw is more than their text.
            but: Rows that stay as they are.
        """
        model, asked = self.model(), QStyleOptionViewItem()
        self.initViewItemOption(asked)
        line = self.verticalHeader().defaultSectionSize()
        advance, widths = self.fontMetrics().horizontalAdvance, {n: self.columnWidth(n) for n in columns}
        for row in range(model.rowCount()):
            if row in but:
                continue
            needed = line
            for column, width in widths.items():
                index = model.index(row, column)
                if width and (column in always or _BOLDER * advance(str(index.data())) + 2 * CELL_PADDING > width):
                    asked.rect = QRect(0, 0, width - CELL_PADDING, _ENOUGH)  # the style adds it to what it returns
                    needed = max(needed, self.itemDelegateForIndex(index).sizeHint(asked, index).height())
            if self.rowHeight(row) != needed:
                self.setRowHeight(row, needed)

    def whole_height(self) -> int:
        """Return the height at which all rows are seen, once their columns are fitted."""
        header, rows = self.horizontalHeader(), self.verticalHeader()
        bar = self.horizontalScrollBar().sizeHint().height() if header.length() > self.viewport().width() else 0
        return int(header.sizeHint().height() + rows.length() + bar + 2 * self.frameWidth())

    def fit_columns(self) -> None:
        """Make each column as wide as its contents are now, and leave it so: at each value it would cost too much."""
        for column, width in enumerate(self.wanted_widths()):
            self.setColumnWidth(column, width)

    def wanted_widths(self) -> list[int]:
        """Return the width each column wants for its contents; 0 for a hidden one."""
        header = self.horizontalHeader()
        columns = range(header.count())
        widths = (max(self.sizeHintForColumn(n), header.sectionSizeHint(n)) for n in columns)
        return [0 if self.isColumnHidden(n) else min(_WIDEST_TEXT, width) for n, width in enumerate(widths)]

    def whole_widths(self) -> list[int]:
        """Return the width in which every text of a column stands whole, those far down as well.

        Only the longest text and what is bold are asked for the room they take: of all of them that takes too long.
        """
        model, header = cast(RowsModel, self.model()), self.horizontalHeader()
        asked = QStyleOptionViewItem()
        self.initViewItemOption(asked)
        widths = []
        for column in range(header.count()):
            rows = model.outstanding(column, self.fontMetrics().horizontalAdvance)
            indexes = [model.index(row, column) for row in rows]
            needed = [self.itemDelegateForIndex(index).sizeHint(asked, index).width() for index in indexes]
            widths.append(max([header.sectionSizeHint(column), *needed]))
        return widths

    def _usual_width(self, column: int) -> int:
        """Return the width in which half of a column's texts stand without wrapping."""
        model, metrics = self.model(), self.fontMetrics()
        texts = (str(model.index(row, column).data()) for row in range(min(_MEASURED_ROWS, model.rowCount())))
        widths = sorted(metrics.boundingRect(QRect(), 0, text).width() for text in texts)
        usual = widths[len(widths) // 2] + 2 * CELL_PADDING if widths else 0
        return max(usual, self.horizontalHeader().sectionSizeHint(column))

    def fit_notes(self, model: RowsModel) -> None:
        """Let each remark go over all columns, as high as its words need; every other row is one line high."""
        self.clearSpans()
        line = self.verticalHeader().defaultSectionSize()
        width = max(1, self.viewport().width() - 2 * CELL_PADDING)
        for row in range(model.rowCount()):
            height = line
            if row in model.notes:
                self.setSpan(row, 0, 1, model.columnCount())
                text = str(model.data(model.index(row, 0)))
                room = QRect(0, 0, width, _ENOUGH)
                height = self.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, text).height() + CELL_PADDING
            self.setRowHeight(row, max(line, height))

    def __init__(self, model: RowsModel) -> None:
        super().__init__()
        self.setModel(model)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        header.setResizeContentsPrecision(_MEASURED_ROWS)
        self._fit_line()
