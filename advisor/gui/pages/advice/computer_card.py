"""The computer the answers are about, in one line; and the way to one with other parts and back."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout

from advisor.gui.base.context import Context
from advisor.gui.models.computer import one_line
from advisor.gui.models.subject import Subject, subject_title
from advisor.gui.pages.advice.what_if_panel import WhatIfPanel
from advisor.gui.widgets.basic import GRID, Card, button, label
from advisor.records.hardware.machine import Machine

_NARROW = 600  # pixels below which less stands side by side


class ComputerCard(Card):
    """One computer in a line.

    Attributes:
        panel: Where other parts are pretended.
        change: What the pretended parts change.
        details, back: Buttons: see all about this computer, hear about this computer again.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(margin=int(1.5 * GRID))
        self._context = context
        self._machine: Machine | None = None
        self._subject: Subject | None = None
        self._is_probing = True
        self._is_checking = False
        self.title = label("muted")
        self.line = label("strong", selectable=True)
        self.change = label("body", selectable=True)
        self.change.hide()
        self.pretend = button("link", self._toggle)
        self.pretend.setCheckable(True)
        self.details = button("link")
        self.back = button("plain")
        self.panel = WhatIfPanel(context)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._build()
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _build(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self.line)
        ways = QHBoxLayout()
        ways.setSpacing(2 * GRID)
        for widget in (self.back, self.pretend, self.details):
            ways.addWidget(widget)
        self._row.setSpacing(2 * GRID)
        self._row.addLayout(words, 1)
        self._row.addLayout(ways)
        self._row.setAlignment(ways, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.body.addLayout(self._row)
        self.body.addWidget(self.change)
        self.body.addWidget(self.panel)
        self.panel.hide()
        self.panel.wanted.connect(lambda: self._open(is_open=False))
        self._context.theme_changed.connect(self._turn)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put what can be pressed below the computer's name where letters have little room."""
        super().resizeEvent(event)
        self._turn()

    def _turn(self) -> None:
        is_narrow = self.width() < _NARROW * self._context.text_scale
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.TopToBottom if is_narrow else direction.LeftToRight)

    def show_machine(self, machine: Machine | None) -> None:
        """Show what the probe found; None: nothing."""
        self._machine, self._is_probing = machine, False
        self.retranslate()

    def show_subject(self, subject: Subject | None) -> None:
        """Show which computer the answers are about; None: this one, not measured yet."""
        self._subject = subject
        self.retranslate()

    def show_change(self, sentence: str) -> None:
        """Say what the pretended parts change; empty: there is nothing to say."""
        self.change.setText(sentence)
        self.change.setVisible(bool(sentence))

    def show_checking(self, *, is_checking: bool) -> None:
        """Keep to this computer while it is measured: another one would take the place of the running check."""
        self._is_checking = is_checking
        self._open(is_open=self.pretend.isChecked() and not is_checking)
        self.retranslate()

    def offer(self, cards: Sequence[str], processors: Sequence[tuple[str, str, int]] = ()) -> None:
        """Offer the names of cards and processors to pretend; only these are taken."""
        self.panel.offer(cards, processors)

    def _toggle(self) -> None:
        self._open(is_open=self.panel.isHidden())
        if self.pretend.isChecked():
            self.panel.card.setFocus()
            self.panel.card.selectAll()  # what is written takes the place of the card asked about before

    def _open(self, *, is_open: bool) -> None:
        self.panel.setVisible(is_open)
        self.pretend.setChecked(is_open)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        subject = None if self._is_checking else self._subject  # only this computer can be measured
        is_own = subject is None or subject.is_own
        machine = self._machine if subject is None else subject.observation.machine
        self.title.setText(subject_title(subject, self._context.language))
        if machine is not None:
            self.line.setText(one_line(machine, self._context.language))
        else:
            self.line.setText(_("Looking at this computer …") if self._is_probing else _("Not known"))
        self.details.setText(_("About this computer"))
        self.details.setAccessibleDescription(_("Everything found out about this computer, and how"))
        self.details.setEnabled(self._machine is not None)
        self.details.setVisible(is_own)
        self.back.setText(_("Back to my computer"))
        self.back.setAccessibleDescription(_("Answers for this computer as it is again"))
        self.back.setVisible(not is_own)
        self.back.setEnabled(not self._is_checking)
        self.pretend.setText(_("What if …?"))
        self.pretend.setAccessibleDescription(
            _("What would the answer be with another graphics card, memory or processor?")
        )
        self.pretend.setEnabled(self._machine is not None and not self._is_checking)
        for way in (self.pretend, self.back):
            waiting = _("Not while a check runs: wait for its end, or cancel it")
            way.setToolTip(waiting if self._is_checking else way.accessibleDescription())
        self._mark(is_own=is_own)

    def _mark(self, *, is_own: bool) -> None:
        """Look different while the answers are not about this computer."""
        name = "card" if is_own else "notice_card"
        if self.objectName() != name:
            self.setObjectName(name)
            self.style().unpolish(self)
            self.style().polish(self)
