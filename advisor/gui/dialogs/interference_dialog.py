"""The question before a check: what would spoil the measurement now, and whether to wait or to measure anyway."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, button, label
from advisor.probe import Interference
from advisor.report.words.problems import DOUBTS, doubt_sentence

_WIDTH = 68 * GRID


class InterferenceDialog(QDialog):
    """What would spoil the measurement, and what to do about it."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._found: Interference | None = None
        self.is_waiting = False
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.title = label("title")
        self.reasons = label("body")
        self.effect = label("muted")
        self.wanted = button("plain")
        self.waited = button("primary")
        self.refused = button("plain", self.reject)
        row = QHBoxLayout()
        row.addWidget(self.refused)
        row.addStretch(1)
        row.addWidget(self.wanted)
        row.addWidget(self.waited)
        column = QVBoxLayout(self)
        column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetFixedSize)  # as high as the texts are, at the set width
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 3 * GRID)
        column.setSpacing(2 * GRID)
        for widget in (self.title, self.reasons, self.effect):
            widget.setFixedWidth(_WIDTH)
            column.addWidget(widget)
        column.addLayout(row)
        self.waited.setDefault(True)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def show_interference(self, found: Interference) -> None:
        """Say what is in the way now, and which programs are."""
        self._found = found
        self.retranslate()

    def show_waiting(self) -> None:
        """Say that the check begins by itself."""
        self.is_waiting = True
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setWindowTitle(_("Before measuring"))
        self.title.setText(_("Measurements would be worse than this computer can do."))
        self.reasons.setText("\n".join(self._sentences()))
        self.effect.setText(
            _("Waiting. The check begins by itself when this is over.")
            if self.is_waiting
            else _("You can measure anyway: each result then says what was in the way.")
        )
        self.wanted.setText(_("Measure anyway"))
        self.waited.setText(_("Wait until it is over"))
        self.waited.setEnabled(not self.is_waiting)
        self.refused.setText(_("Do not measure"))

    def _sentences(self) -> Iterator[str]:
        """Yield what is in the way now."""
        if self._found is not None:
            for one in self._found.conditions:
                if one.kind in DOUBTS:
                    yield doubt_sentence(one, self._found.programs, self._context.language)
