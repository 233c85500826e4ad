"""The question before a check: what would spoil the measurement now, and whether to wait or to measure anyway."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, button, label
from advisor.probe.conditions import OTHER_LOAD_RATIO
from advisor.records.hardware.interference import Interference
from advisor.report.words.problems import DOUBTS, doubt_sentence

_WIDTH = 68 * GRID
_MANY_LOOKS = 100


class InterferenceDialog(QDialog):
    """What would spoil the measurement, and what to do about it."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._found: Interference | None = None
        self.is_waiting = False
        self._looks = 0
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
            widget.setMinimumWidth(_WIDTH)
            column.addWidget(widget)
        column.addLayout(row)
        self.waited.setDefault(True)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def show_interference(self, found: Interference) -> None:
        """Say what is in the way now, and which programs are."""
        self._found = found
        self._looks += self.is_waiting
        self.retranslate()

    def show_waiting(self) -> None:
        """Say that the check begins by itself."""
        self.is_waiting = True
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setWindowTitle(_("Before measuring"))
        reasons = tuple(self._sentences())
        is_quiet = self._found is not None and not reasons
        self.title.setText(
            _("Nothing slows this computer down any more.")
            if is_quiet
            else _("Something is slowing this computer down right now.")
        )
        self.reasons.setText("\n".join(reasons))
        self.reasons.setVisible(bool(reasons))
        self._keep_room()
        if is_quiet:
            self.effect.setText(_("The check can begin."))
        elif self.is_waiting:
            self.effect.setText(self._waiting(self._looks))
        else:
            self.effect.setText(_("You can measure anyway: the results then say what interfered."))
        self.wanted.setText(_("Measure") if is_quiet else _("Measure anyway"))
        self.waited.setText(_("Start when it's quiet"))
        self.waited.setEnabled(not self.is_waiting)
        self.waited.setVisible(not is_quiet)
        self.refused.setText(_("Cancel"))

    def _waiting(self, looks: int) -> str:
        """Return when the check begins, and how often that was tried: the same load looks like no look."""
        _ = self._context.gettext
        language = self._context.language
        text = language.ngettext("Waiting. Looked again {n} time.", "Waiting. Looked again {n} times.", looks)
        said = text.format(n=language.number(looks)) if looks else _("Waiting.")
        if self._found is None or all(one.kind != "other_load" for one in self._found.conditions):
            begins = _("The check begins by itself when this is over.")
        else:
            begins = _("The check begins as soon as other programs use less than {share} of the processor.")
        return f"{said} {begins.format(share=language.percent(OTHER_LOAD_RATIO))}"

    def _keep_room(self) -> None:
        """Leave the room that the longest text takes while it waits, so that no button moves under the pointer."""
        self.effect.ensurePolished()
        self.effect.setMinimumHeight(0)
        self.effect.setText(self._waiting(_MANY_LOOKS))
        self.effect.setMinimumHeight(self.effect.heightForWidth(_WIDTH))

    def _sentences(self) -> Iterator[str]:
        """Yield what is in the way now."""
        if self._found is not None:
            for one in self._found.conditions:
                if one.kind in DOUBTS:
                    yield doubt_sentence(one, self._found.programs, self._context.language)
