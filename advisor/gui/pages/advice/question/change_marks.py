"""Dots beside fields that differ from the job as it was taken over; a click takes the one change back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QPushButton, QSizePolicy, QWidget

from advisor.gui.base.context import Context
from advisor.gui.models.job.question import Question

NETWORK_NAMES: tuple[str, ...] = (
    "network",
    "layers",
    "id",
    "title",
    "image_size",
    "sequence_length",
    "columns",
    "method",
    "input_kind",
    "steps_per_epoch",
)
SIZE_NAMES: tuple[str, ...] = ("image_size", "sequence_length", "columns")
_NETWORK = frozenset({"network", "layers"})


class ChangeMark(QPushButton):
    """The dot beside one field."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__("●")
        self.names = tuple(names)
        self.setProperty("role", "mark")
        policy = QSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        self.hide()


class ChangeMarks(QObject):
    """The dots of a form.

    Signals:
        wanted_back: A change was taken back.
    """

    wanted_back = Signal()

    def __init__(self, context: Context, question: Question, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._question = question
        self.by_field: dict[QWidget, ChangeMark] = {}

    def add(self, box: QWidget, names: Sequence[str]) -> ChangeMark:
        """Return a dot for a field that writes these facts of the question."""
        mark = ChangeMark(names)
        mark.clicked.connect(lambda _checked=False: self._take_back(mark, box))
        self.by_field[box] = mark
        return mark

    def name(self, box: QWidget, text: str, was: str = "") -> None:
        """Say what a field is called, and what it held in the example where that is known."""
        mark = self.by_field[box]
        _ = self._context.gettext
        said = _("{field}: changed from the example, where it was {was}") if was else _("{field} was changed")
        mark.setAccessibleName(said.format(field=text, was=was))
        mark.setAccessibleDescription(_("Undoes this change"))
        mark.setToolTip(f"{mark.accessibleName()}. {mark.accessibleDescription()}.")

    def show_changes(self) -> None:
        """Show a dot beside each field that was changed."""
        changed = self._question.changed
        is_other_network = bool(changed & _NETWORK)
        for mark in self.by_field.values():
            shown_by = _NETWORK if mark.names == NETWORK_NAMES else frozenset(mark.names)
            is_shown = bool(changed & shown_by) and not (is_other_network and mark.names == SIZE_NAMES)
            mark.setVisible(is_shown)

    def _take_back(self, mark: ChangeMark, box: QWidget) -> None:
        box.setFocus()  # else the dot, as it goes, hands the keyboard to the field behind, which explains itself
        self._question.reset(*mark.names)
        self.wanted_back.emit()


class UndoKeys(QObject):
    """Leaves Ctrl+Z to the form while nothing is being written into the field that has the keyboard."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys of undo and redo from a field that has nothing of its own to undo."""
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        line = watched if isinstance(watched, QLineEdit) else watched.findChild(QLineEdit)
        if line is None:
            return False
        is_undo = event.matches(QKeySequence.StandardKey.Undo) and not line.isUndoAvailable()
        is_redo = event.matches(QKeySequence.StandardKey.Redo) and not line.isRedoAvailable()
        if is_undo or is_redo:
            event.ignore()
            return True
        return False

    def watch(self, ground: QWidget) -> None:
        """Watch every field on a widget."""
        for line in ground.findChildren(QLineEdit):
            line.installEventFilter(self)
            parent = line.parentWidget()
            if parent is not None:
                parent.installEventFilter(self)
