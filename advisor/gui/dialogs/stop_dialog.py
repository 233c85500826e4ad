"""The question before a long check is ended, by a key or with the window."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.models.progress import ProgressModel
from advisor.gui.widgets.basic import GRID, button, label

_WIDTH = 56 * GRID


class StopDialog(QDialog):
    """Says what would be kept; the check goes on unless the user says otherwise.

    Attributes:
        is_closing: The window is to be closed with the check.
    """

    def __init__(self, context: Context, parent: QWidget, *, is_closing: bool) -> None:
        super().__init__(parent)
        self._context = context
        self._progress: ProgressModel | None = None
        self.is_closing = is_closing
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.title = label("title")
        self.state = label("body")
        self.stop = button("plain", self.accept)
        self.go_on = button("primary", self.reject)
        row = QHBoxLayout()
        row.addWidget(self.stop)
        row.addStretch(1)
        row.addWidget(self.go_on)
        column = QVBoxLayout(self)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 3 * GRID)
        column.setSpacing(2 * GRID)
        for widget in (self.title, self.state):
            widget.setMinimumWidth(_WIDTH)
            column.addWidget(widget)
        column.addLayout(row)
        self.go_on.setDefault(True)
        self.go_on.setFocus()
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def show_progress(self, progress: ProgressModel) -> None:
        """Say how far the check is."""
        self._progress = progress
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        language = self._context.language
        self.setWindowTitle(_("The check is not finished"))
        self.title.setText(_("Stop measuring and close?") if self.is_closing else _("Stop measuring?"))
        if self._progress is not None:
            done, planned = self._progress.finished_count, self._progress.planned_count
            text = (
                _("{done} of {all} tests are finished. They are kept in the history; the others are not made.")
                if done
                else _("No test is finished yet: nothing is kept.")
            )
            self.state.setText(text.format(done=language.number(done), all=language.number(planned)))
        self.stop.setText(_("Stop and close") if self.is_closing else _("Stop"))
        self.go_on.setText(_("Keep measuring"))
