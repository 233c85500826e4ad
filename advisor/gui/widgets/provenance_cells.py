"""Cells of a table that can be asked where their numbers come from: by click, Enter or Space."""

from functools import partial

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPoint, QSize, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from advisor.gui.base.context import Context
from advisor.gui.widgets.number_label import Explanation, explain
from advisor.gui.widgets.table import CELL_PADDING, RowsModel, RowsView
from advisor.gui.widgets.value_menu import add_origin, add_rows, value_menu

Index = QModelIndex | QPersistentModelIndex
_UNDER_MOUSE = QStyle.StateFlag.State_MouseOver.value  # a number: flags are combined in Python, for each cell


class ProvenanceCells(QObject):
    """Lets the cells of a table explain themselves, where the table's rows were shown with their origins.

    A table whose rows are chosen by clicks leaves the mouse to that; its numbers are asked in the details of the row.
    """

    def __init__(self, context: Context, view: RowsView, rows: RowsModel, *, by_click: bool = True) -> None:
        super().__init__(view)
        self._context = context
        self._view = view
        self._rows = rows
        self._description = ""
        view.activated.connect(self.explain)
        key = QShortcut(QKeySequence(Qt.Key.Key_Space), view, context=Qt.ShortcutContext.WidgetShortcut)
        key.activated.connect(lambda: self.explain(view.currentIndex()))
        if by_click:
            view.clicked.connect(self.explain)
            view.setMouseTracking(True)
            view.setItemDelegate(_Underlined(rows, view))
            view.entered.connect(self._point)
            view.viewportEntered.connect(self._leave)
        view.menu_wanted.connect(self.open_menu)
        context.language_changed.connect(self._name)
        self._name()

    def open_menu(self, index: Index, place: QPoint) -> QMenu:
        """Open the menu of a cell: copy it, its row or all, ask what it is, open its source."""
        value = str(index.data() or "")
        menu = value_menu(self._context, self._view, value)
        add_rows(self._context, menu, self._rows.texts_at(index.row()), self._rows.texts)
        add_origin(
            self._context, menu, self._rows.origin_at(index), partial(self.explain, QPersistentModelIndex(index))
        )
        menu.popup(place)
        return menu

    def explain(self, index: Index) -> Explanation | None:
        """Open what is known about a cell below it and return it; None where nothing is known."""
        origin = self._rows.origin_at(index)
        if origin is None or self._view.findChild(Explanation) is not None:
            return None  # a double click asks twice
        return explain(self._context, origin, self._view.viewport(), self._view.visualRect(index))

    def _point(self, index: Index) -> None:
        """Show a hand over what can be asked."""
        if self._rows.origin_at(index) is None:
            self._view.viewport().unsetCursor()
        else:
            self._view.viewport().setCursor(Qt.CursorShape.PointingHandCursor)

    def _leave(self) -> None:
        """Show the usual pointer where there is no cell."""
        self._view.viewport().unsetCursor()

    def _name(self) -> None:
        _ = self._context.gettext
        self._rows.origin_hint = _("Shows where this number comes from")
        if self._view.accessibleDescription() in {"", self._description}:
            self._description = _("Enter on a number shows where it comes from")
            self._view.setAccessibleDescription(self._description)


class WrappedCells(QStyledItemDelegate):
    """Gives a row the height that its words need."""

    def __init__(self, view: RowsView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return what the text needs where it wraps: the style sheet's padding leaves it less than the column."""
        if self._view.wordWrap():
            option.rect.setWidth(option.rect.width() - CELL_PADDING)
        return super().sizeHint(option, index)


class _Underlined(WrappedCells):
    """Underlines the cell under the mouse where it can be asked."""

    def __init__(self, rows: RowsModel, view: RowsView) -> None:
        super().__init__(view)
        self._rows = rows

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Underline it."""
        super().initStyleOption(option, index)
        if option.state.value & _UNDER_MOUSE and self._rows.origin_at(index) is not None:
            option.font.setUnderline(True)
