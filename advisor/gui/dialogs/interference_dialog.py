"""The question before a check: what would spoil the measurement now, and whether to wait or to measure anyway.

It waits for an answer only; a check that waits for a quiet computer does so in a line above the pages.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, button, label
from advisor.records.hardware.interference import Interference
from advisor.report.words.problems import DOUBTS, doubt_sentence

_WIDTH = 68 * GRID


class InterferenceDialog(QDialog):
    """What would spoil the measurement, and what to do about it."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self.found = Interference()
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.title = label("title")
        self.reasons = label("body")
        self.effect = label("muted")
        self.wanted = button("plain")
        self.waited = button("primary", self.accept)
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
        for widget in (self.reasons, self.waited):  # no button moves under the pointer when they go
            policy = widget.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            widget.setSizePolicy(policy)
        for widget in (self.title, self.reasons, self.effect):
            widget.setMinimumWidth(_WIDTH)
            column.addWidget(widget)
        column.addLayout(row)
        for made in (self.refused, self.wanted):  # as high as the main one: one of them becomes that
            made.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Minimum)
        self.waited.setDefault(True)
        self.waited.setFocus()  # else the first button has it, which Enter then presses
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def show_interference(self, found: Interference) -> None:
        """Say what is in the way now, and which programs are."""
        self.found = found
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setWindowTitle(_("Before measuring"))
        reasons = tuple(self._sentences())
        is_quiet = not reasons
        self.title.setText(
            _("Nothing slows this computer down any more.")
            if is_quiet
            else _("Something is slowing this computer down right now.")
        )
        if reasons:  # the last ones keep their room once they are over, and no lines are given back before
            self.reasons.setText("\n".join(reasons))
            self.reasons.ensurePolished()
            self.reasons.setMinimumHeight(max(self.reasons.minimumHeight(), self.reasons.heightForWidth(_WIDTH)))
        self.reasons.setVisible(bool(reasons))
        self.effect.setText(
            _("The check can begin.")
            if is_quiet
            else _("You can measure anyway: the results then say what interfered.")
        )
        self.wanted.setText(_("Measure") if is_quiet else _("Measure anyway"))
        self.waited.setText(_("Start when it's quiet"))
        had_focus = self.waited.hasFocus()
        self.waited.setVisible(not is_quiet)
        _make(self.wanted, "primary" if is_quiet else "plain")
        if is_quiet and had_focus:  # Enter still does what the user would
            self.wanted.setFocus()
        self.refused.setText(_("Cancel"))

    def _sentences(self) -> Iterator[str]:
        """Yield what is in the way now."""
        for one in self.found.conditions:
            if one.kind in DOUBTS:
                yield doubt_sentence(one, self.found.programs, self._context.language)


def _make(made: QPushButton, role: str) -> None:
    """Let a button look like another role from now on."""
    if made.property("role") != role:
        made.setProperty("role", role)
        made.style().unpolish(made)
        made.style().polish(made)
