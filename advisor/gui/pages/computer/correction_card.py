"""Is this wrong? A graphics card as the user knows it, instead of what was found."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit

from advisor.errors import AdvisorError
from advisor.gui.base.context import Context
from advisor.gui.base.tasks import Problem
from advisor.gui.widgets.basic import GRID, Card, FlowLayout, button, label
from advisor.gui.widgets.fields import ChoiceBox, NumberBox
from advisor.records.hardware.machine import Machine
from advisor.units import GIB

_MOST_GIB = 1024.0
_FURTHER = -1


class CorrectionCard(Card):
    """Name and memory of a graphics card by hand.

    Signals:
        corrected: With every card set by hand, such as ``0=RTX 3060:12GB``; none of them goes back to what was found.
    """

    corrected = Signal(object)

    def __init__(self, context: Context, overrides: Sequence[str] = ()) -> None:
        super().__init__()
        self._context = context
        self._overrides = self._understood = tuple(overrides)
        self._machine: Machine | None = None
        self._error: AdvisorError | None = None
        self.toggle = button("link", self._on_toggle)
        self.which_label = label("body", wrap=False)
        self.which = ChoiceBox()
        self.name_label = label("body", wrap=False)
        self.name = QLineEdit()
        self.memory_label = label("body", wrap=False)
        self.memory = NumberBox(context, most=_MOST_GIB, decimals=1)
        self.memory.set_unit("GB")
        self.use = button("primary", self._on_use)
        self.back = button("plain", self._on_back)
        self.trouble = label("error")
        self.state = label("muted")
        self._build()
        self.which.activated.connect(self._show_card)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _build(self) -> None:
        form = QGridLayout()
        form.setHorizontalSpacing(2 * GRID)
        self._fields = (
            (self.which_label, self.which),
            (self.name_label, self.name),
            (self.memory_label, self.memory),
        )
        for row, (words, field) in enumerate(self._fields):
            words.setBuddy(field)
            form.addWidget(words, row, 0)
            form.addWidget(field, row, 1)
        form.setColumnStretch(1, 1)
        actions = FlowLayout(GRID)
        actions.addWidget(self.use)
        actions.addWidget(self.back)
        self.body.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.addWidget(self.state)
        self.body.addLayout(form)
        self.body.addWidget(self.trouble)
        self.body.addLayout(actions)
        self._open(is_open=False)

    def show_machine(self, machine: Machine) -> None:
        """Offer the cards that were found, and one that was not."""
        self._machine, self._understood = machine, self._overrides
        self.retranslate()
        self._show_card()

    def show_problem(self, problem: Problem) -> None:
        """Say why a correction is not taken; those before it stay."""
        self._error = problem.error
        self._overrides = self._understood
        self.retranslate()

    def _open(self, *, is_open: bool) -> None:
        for words, field in self._fields:
            words.setVisible(is_open)
            field.setVisible(is_open)
        self.use.setVisible(is_open)
        self.back.setVisible(is_open or bool(self._overrides))

    def _on_toggle(self) -> None:
        self._open(is_open=self.use.isHidden())
        if not self.use.isHidden():
            self.name.setFocus()

    def _show_card(self) -> None:
        """Begin with what was found of the chosen card."""
        place = self.which.currentData()
        self._name_memory()
        cards = self._machine.accelerators if self._machine is not None else ()
        card = cards[place] if place is not None and 0 <= place < len(cards) else None
        self.name.setText("" if card is None else card.name)
        self.memory.setValue(0.0 if card is None or card.memory_bytes is None else card.memory_bytes / GIB)

    def _name_memory(self) -> None:
        """Say whose memory it is where none is written."""
        _ = self._context.gettext
        is_further = self.which.currentData() == _FURTHER
        self.memory.setSpecialValueText(_("as its name says") if is_further else _("as found"))

    def _on_use(self) -> None:
        place = self.which.currentData()
        memory = f":{self.memory.value():g}GB" if self.memory.value() else ""
        text = f"{self.name.text().strip()}{memory}"
        own = text if place in {None, _FURTHER} else f"{place}={text}"
        kept = tuple(one for one in self._overrides if not (place != _FURTHER and one.startswith(f"{place}=")))
        self._apply((*kept, own))

    def _on_back(self) -> None:
        self._apply(())
        self._open(is_open=False)

    def _apply(self, overrides: tuple[str, ...]) -> None:
        self._error = None
        self._overrides = overrides
        self.retranslate()
        self.corrected.emit(overrides)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.toggle.setText(_("Is this wrong?"))
        self.toggle.setAccessibleDescription(_("Lets you set name and memory of a graphics card by hand"))
        self.which_label.setText(_("Graphics card"))
        self.which.setAccessibleDescription(_("The one that was recognised wrongly"))
        self.which.setAccessibleName(_("Graphics card"))
        chosen = self.which.currentIndex()
        self.which.clear()
        for place, card in enumerate(self._machine.accelerators if self._machine is not None else ()):
            self.which.addItem(card.name, place)
        self.which.addItem(_("One that was not found"), _FURTHER)
        self.which.setCurrentIndex(max(0, min(chosen, self.which.count() - 1)))
        self._name_memory()
        self.name_label.setText(_("Its name"))
        self.name.setAccessibleName(_("Its name"))
        self.name.setPlaceholderText(_("such as GeForce RTX 4060 Laptop"))
        self.memory_label.setText(_("Its memory"))
        self.memory.setAccessibleDescription(_("As printed on its box; 0 means as its name says"))
        self.memory.setAccessibleName(_("Its memory"))
        self.use.setText(_("Use this"))
        self.use.setAccessibleDescription(_("Answers for the card as you describe it"))
        self.back.setText(_("Back to what was found"))
        self.back.setAccessibleDescription(_("Forgets what you set by hand"))
        self.back.setVisible(bool(self._overrides) or not self.use.isHidden())
        self.trouble.setText("" if self._error is None else self._error.sentence(_))
        self.trouble.setVisible(self._error is not None)
        text = _("Set by hand: {cards}. Answers then say that they are for the computer you described.")
        cards = ", ".join(one.partition("=")[2] or one for one in self._overrides)
        self.state.setText(text.format(cards=cards) if self._overrides else "")
        self.state.setVisible(bool(self._overrides))
