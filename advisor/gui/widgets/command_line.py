"""A command in a line of its own that is copied with one click."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, button, label


class CommandLine(QWidget):
    """What to type, as it is typed, and a button that copies it."""

    def __init__(self, context: Context, command: str) -> None:
        super().__init__()
        self._context = context
        self.command = label("code", selectable=True)
        self.command.setText(command)
        self.copy = button("link", self._copy)
        self.copy.setText(context.gettext("Copy"))
        self.copy.setAccessibleDescription(command)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID)
        row.addWidget(self.command, 1)
        row.addWidget(self.copy, 0, Qt.AlignmentFlag.AlignTop)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.command.text())
        self.copy.setText(self._context.gettext("Copied"))
