"""The computer the answers are about, in one line; and the way to another graphics card and back."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCompleter, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from advisor.gui.context import Context
from advisor.gui.models.computer import one_line
from advisor.gui.models.subject import Subject, subject_title
from advisor.gui.widgets.basic import GRID, Card, button, label

if TYPE_CHECKING:
    from advisor.records.machine import Machine

_SHOWN_NAMES = 10


class ComputerCard(Card):
    """One computer in a line.

    Signals:
        details_wanted: The person wants to see all about this computer.
        pretended: With the name of a graphics card.
        back_wanted: The person wants to hear about this computer again.
    """

    details_wanted = Signal()
    pretended = Signal(str)
    back_wanted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(margin=int(1.5 * GRID))
        self._context = context
        self._machine: Machine | None = None
        self._subject: Subject | None = None
        self._is_probing = True
        self._cards: tuple[str, ...] = ()
        self.title = label("muted")
        self.line = label("strong", selectable=True)
        self.pretend = button("link", self._toggle)
        self.pretend.setCheckable(True)
        self.details = button("link", self.details_wanted.emit)
        self.back = button("plain", self.back_wanted.emit)
        self.name = QLineEdit()
        self.name.setMaxLength(80)
        self.caption = label("body", wrap=False)
        self.caption.setBuddy(self.name)
        self.show_answer = button("plain", self._on_pretend)
        self.hint = label("muted")
        self.panel = QWidget()
        self._build()
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _build(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self.line)
        row = QHBoxLayout()
        row.setSpacing(2 * GRID)
        row.addLayout(words, 1)
        for widget in (self.back, self.pretend, self.details):
            row.addWidget(widget)
        self.body.addLayout(row)
        asked = QHBoxLayout()
        asked.addWidget(self.caption)
        asked.addWidget(self.name, 1)
        asked.addWidget(self.show_answer)
        column = QVBoxLayout(self.panel)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID // 2)
        column.addLayout(asked)
        column.addWidget(self.hint)
        self.body.addWidget(self.panel)
        self.panel.hide()
        self.name.returnPressed.connect(self._on_pretend)
        self.name.textChanged.connect(lambda _text: self._allow())

    def show_machine(self, machine: "Machine | None") -> None:
        """Show what the probe found; None: nothing."""
        self._machine, self._is_probing = machine, False
        self.retranslate()

    def show_subject(self, subject: Subject | None) -> None:
        """Show which computer the answers are about; None: this one, not measured yet."""
        self._subject = subject
        self.retranslate()

    def offer(self, cards: Sequence[str]) -> None:
        """Offer the names of cards to pretend; only these are taken."""
        self._cards = tuple(cards)
        completer = QCompleter(list(self._cards), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setMaxVisibleItems(_SHOWN_NAMES)
        self.name.setCompleter(completer)
        self._allow()

    def _toggle(self) -> None:
        is_open = self.panel.isHidden()
        self.panel.setVisible(is_open)
        self.pretend.setChecked(is_open)
        if is_open:
            self.name.setFocus()

    def _allow(self) -> None:
        self.show_answer.setEnabled(self._card() is not None)

    def _card(self) -> str | None:
        """Return the card whose name is written; names must match whole, but for capitals."""
        wanted = self.name.text().strip().casefold()
        return next((card for card in self._cards if card.casefold() == wanted), None)

    def _on_pretend(self) -> None:
        card = self._card()
        if card is not None:
            self.panel.hide()
            self.pretend.setChecked(False)
            self.pretended.emit(card)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        is_own = self._subject is None or self._subject.is_own
        machine = self._machine if self._subject is None else self._subject.observation.machine
        self.title.setText(subject_title(self._subject, self._context.language))
        if machine is not None:
            self.line.setText(one_line(machine, self._context.language))
        else:
            self.line.setText(_("Looking at this computer …") if self._is_probing else _("Not known"))
        self.details.setText(_("Details"))
        self.details.setAccessibleDescription(_("Everything found out about this computer, and how"))
        self.details.setEnabled(self._machine is not None)
        self.details.setVisible(is_own)
        self.back.setText(_("Back to my computer"))
        self.back.setAccessibleDescription(_("Answers for this computer as it is again"))
        self.back.setVisible(not is_own)
        self.pretend.setText(_("With another card?"))
        self.pretend.setAccessibleDescription(_("What would the answer be if this computer had another graphics card?"))
        self.pretend.setEnabled(self._machine is not None)
        self.caption.setText(_("What if this computer had this card?"))
        self.name.setPlaceholderText(_("such as GeForce RTX 4060 Laptop"))
        self.name.setAccessibleName(_("Graphics card to pretend"))
        self.name.setAccessibleDescription(_("Write a part of the name and choose one of the list"))
        self.show_answer.setText(_("Show the answer"))
        self.show_answer.setAccessibleDescription(_("Works out the answer for this computer with that card"))
        self.hint.setText(_("Processor, memory and disk stay as they are. Nothing is measured."))
        self._mark(is_own=is_own)

    def _mark(self, *, is_own: bool) -> None:
        """Look different while the answers are not about this computer."""
        name = "card" if is_own else "notice_card"
        if self.objectName() != name:
            self.setObjectName(name)
            self.style().unpolish(self)
            self.style().polish(self)
