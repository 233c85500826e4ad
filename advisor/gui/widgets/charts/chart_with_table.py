"""A chart and its table twin: the same numbers, one key away."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QHBoxLayout, QHeaderView, QMenu, QStackedWidget, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, button, label
from advisor.gui.widgets.provenance_cells import ProvenanceCells
from advisor.gui.widgets.table import Origins, RowsModel, RowsView
from advisor.gui.widgets.value_menu import copy_table, value_menu


class ChartWithTable(QWidget):
    """A title, a chart made at its first showing, and a table of the same numbers.

    Attributes:
        plot: The chart; None until it is first shown.
        asked: Lets the table's numbers be asked.
    """

    def __init__(self, context: Context, make_plot: Callable[[], QWidget]) -> None:
        super().__init__()
        self._context = context
        self._make_plot = make_plot
        self._description = ""
        self.plot: QWidget | None = None
        self.title = label("strong")
        self.toggle = button("link", self.switch)
        self.rows = RowsModel()
        self.table = RowsView(self.rows)
        self.asked = ProvenanceCells(context, self.table, self.rows)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.table)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.toggle)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        column.addLayout(head)
        column.addWidget(self._stack, 1)
        context.language_changed.connect(self.retranslate)
        self._on_switched()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the chart; its table has menus of its own."""
        self.open_menu(event.globalPos())

    def open_menu(self, place: QPoint) -> QMenu:
        """Open a menu: the numbers as a table, here or on the clipboard."""
        menu = value_menu(self._context, self, "")
        menu.addAction(self.toggle.text(), self.switch)
        lines = self.rows.texts
        menu.addAction(self._context.gettext("Copy table"), lambda: copy_table(lines()))
        menu.popup(place)
        return menu

    @property
    def is_table(self) -> bool:
        """Whether the table is shown."""
        return self._stack.currentWidget() is self.table

    def ensure_plot(self) -> QWidget:
        """Return the chart, making it at the first call."""
        if self.plot is None:
            self.plot = self._make_plot()
            self._stack.insertWidget(0, self.plot)
            self._stack.setCurrentIndex(0)
            self._name()
            self._on_switched()
        return self.plot

    def switch(self) -> None:
        """Show the table instead of the chart, or back."""
        if self.plot is not None:
            self._stack.setCurrentWidget(self.plot if self.is_table else self.table)
            self._on_switched()

    def _on_switched(self) -> None:
        modes = QHeaderView.ResizeMode
        mode = modes.ResizeToContents if self.is_table else modes.Fixed  # a new theme asks each cell 30 times otherwise
        self.table.horizontalHeader().setSectionResizeMode(mode)
        self.retranslate()

    def describe(self, title: str, description: str) -> None:
        """Say what the chart shows, for those who see it and those who do not."""
        self.title.setText(title)
        self._description = description
        self._name()

    def show_rows(
        self,
        header: Sequence[str],
        rows: Sequence[tuple[str, ...]],
        numeric: frozenset[int] = frozenset(),
        origins: Origins | None = None,
    ) -> None:
        """Show the chart's numbers in the table, and where each comes from."""
        self.rows.show(header, rows, numeric=numeric, origins=origins)

    def _name(self) -> None:
        for widget in (self.plot, self.table):
            if widget is not None:
                widget.setAccessibleName(self.title.text() or self._context.gettext("Chart"))
                widget.setAccessibleDescription(self._description or self._context.gettext("Not drawn yet"))
                widget.setToolTip("")

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self._name()
        self.toggle.setText(_("As a chart") if self.is_table else _("As a table"))
        self.toggle.setAccessibleDescription(_("Shows the same numbers in another form (Ctrl+T)"))
        self.toggle.setEnabled(self.plot is not None)
