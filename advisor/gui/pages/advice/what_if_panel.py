"""Is another part worth it, and what would the answer be with it: a graphics card, memory, a class of processors."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QStringListModel, Qt, Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.models.names import card_line, card_named
from advisor.gui.models.subject import Pretence
from advisor.gui.widgets.basic import GRID, Card, FlowLayout, button, clear, label
from advisor.gui.widgets.fields import ChoiceBox, NumberBox, completer_of
from advisor.gui.widgets.number_label import Statement
from advisor.locale import N_, Language
from advisor.report.content.blocks import Paragraph
from advisor.units import GIB

_LEAST_GB, _MOST_GB = 1, 2048
_LEAST_LETTERS = 10
_QUESTIONS = (
    ("memory", N_("More memory?")),
    ("cores", N_("More processor cores?")),
    ("disk", N_("A faster disk?")),
    ("second_card", N_("A second card?")),
    ("", N_("What helps most?")),
)
"""Kinds of parts (``PartKind``), with the question of each; empty: every part there is."""
_FORMS = {
    "laptop": N_("laptop, {cores} cores (as {name})"),
    "desktop": N_("desktop, {cores} cores (as {name})"),
}


class WhatIfPanel(QWidget):
    """Fields for what one pretends; what is left as it is comes from this computer.

    Signals:
        wanted: With a ``Pretence`` the user wants to hear about.
        worth_wanted: With the card or part of which the user asks whether it is worth it; empty: each part there is.

    Attributes:
        questions: Buttons: ask of parts that have no name.
        verdict, told: What is said of a part: in a word, and why.
    """

    wanted = Signal(Pretence)
    worth_wanted = Signal(str)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._cards: tuple[str, ...] = ()
        self._processors: tuple[tuple[str, str, int], ...] = ()
        self.title = label("strong")
        self.card_caption, self.memory_caption, self.processor_caption = (label("body", wrap=False) for _n in range(3))
        self.card = QLineEdit()
        self.card.setMaxLength(80)
        self.card.setAcceptDrops(False)  # a file is for the window, not its path for the field
        self.card.setClearButtonEnabled(True)
        self.memory = NumberBox(context, _LEAST_GB - 1, _MOST_GB)
        self.memory.set_unit("GB")
        self.processor = ChoiceBox()
        self.processor.addItem("", "")
        self.processor.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.processor.setMinimumContentsLength(_LEAST_LETTERS)  # else its longest name widens the page
        self.show_answer = button("primary", self._on_wanted)
        self.ask_worth = button("plain", self._on_worth)
        self.questions = [button("plain", partial(self._ask, part)) for part, _text in _QUESTIONS]
        self.verdict, self.told = label("title", selectable=True), _Told(context)
        self.whole = label("strong")
        self._answer = Card("chip", margin=int(1.5 * GRID))
        self._answer.body.setSpacing(GRID // 2)
        self._answer.hide()
        self._has_answer = self._is_asking = False
        self._weighed = ""
        self.hint, self.fault = label("muted"), label("error")
        self.fault.hide()
        self._build()
        self.card.returnPressed.connect(self._on_return)
        self.card.textChanged.connect(self._on_typed)
        self.memory.valueChanged.connect(lambda _value: self._allow())
        self.processor.currentIndexChanged.connect(lambda _index: self._allow())
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _build(self) -> None:
        rows = (
            (self.card_caption, self.card),
            (self.memory_caption, self.memory),
            (self.processor_caption, self.processor),
        )
        for caption, field in rows:
            caption.setBuddy(field)
        first = _row(self.card_caption, self.card, self.ask_worth)
        first.setStretch(1, 1)
        self._asked = QWidget()
        flow = FlowLayout()
        self._asked.setLayout(flow)
        for made in self.questions:
            flow.addWidget(made)
        others = _row(*(widget for row in rows[1:] for widget in row))
        others.setStretch(1, 1)
        others.setStretch(3, 2)
        self._answer.body.addWidget(self.verdict)
        self._answer.body.addWidget(self.told)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, GRID, 0, 0)
        column.setSpacing(GRID)
        column.addWidget(self.title)
        column.addLayout(first)
        column.addWidget(self.fault)
        column.addWidget(self._asked)
        column.addWidget(self._answer)
        column.addSpacing(GRID)
        column.addWidget(self.whole)
        column.addLayout(others)
        last = _row(self.hint, self.show_answer)
        last.setStretch(0, 1)
        self.hint.setMinimumWidth(20 * GRID)  # it wraps: its own least width keeps it in two lines
        column.addLayout(last)

    def offer(self, cards: Sequence[str], processors: Sequence[tuple[str, str, int]]) -> None:
        """Offer the names of cards and processors to pretend; only these are taken."""
        self._cards, self._processors = tuple(cards), tuple(processors)
        self.card.setCompleter(completer_of(_Cards(self._cards, self._context, self), self))
        while self.processor.count() > 1:
            self.processor.removeItem(1)
        for name, _form, _cores in self._processors:
            self.processor.addItem("", name)
        self.retranslate()

    @property
    def _is_written(self) -> bool:
        return bool(self.card.text().strip())

    @property
    def pretence(self) -> Pretence | None:
        """What the user pretends; None while a card is written that is none."""
        card = card_named(self.card.text(), self._cards)
        if self._is_written and not card:
            return None
        memory = int(self.memory.value()) * GIB if self.memory.value() >= _LEAST_GB else None
        return Pretence(card=card, memory_bytes=memory, processor=self.processor.currentData() or "")

    def _allow(self) -> None:
        _ = self._context.gettext
        pretence = self.pretence
        self.show_answer.setEnabled(pretence is not None and not pretence.is_nothing)
        self._say_how()
        self.ask_worth.setEnabled(pretence is not None and self._is_written)
        for made in (self.ask_worth, self._asked, self.whole):
            made.setVisible(self._has_answer)  # else there is nothing to compare with, and one thing to be had
        self.title.setText(_("Is another part worth it?") if self._has_answer else self.whole.text())

    def _say_how(self) -> None:
        """Say what the answer is for; and below the name of a card, where none is called that."""
        _ = self._context.gettext
        written = self.card.text().strip().casefold()
        self.fault.setText(_("No graphics card is called that. Type a part of its name and choose from the list."))
        self.fault.setVisible(self.pretence is None and not any(written in name.casefold() for name in self._cards))
        text = _(
            "Uses the card above, if any; everything else stays as it is (if you choose a laptop part, the answer is "
            "for a laptop). Nothing is measured."
        )
        if not self._has_answer:
            text = _(
                "What you leave out stays as it is (if you choose a laptop part, the answer is for a laptop). Nothing "
                "is measured."
            )
        self.hint.setText(text)

    def show_answered(self, *, has_answer: bool, has_card: bool | None = None) -> None:
        """Let it be asked whether a part is worth it, once there is an answer to compare with; forget the last word.

        Args:
            has_answer: Whether there is one.
            has_card: Whether its computer has a first card to add a second to; None: as before.
        """
        self._has_answer, self._is_asking = has_answer, False
        if has_card is not None:
            for made, (part, _text) in zip(self.questions, _QUESTIONS, strict=True):
                made.setVisible(part != "second_card" or has_card)
        self._answer.hide()
        self._allow()

    @property
    def shows_worth(self) -> bool:
        """Whether it is said of a part whether it is worth it."""
        return not self._answer.isHidden() and not self._is_asking

    def show_worth(self, verdict: str, lines: Sequence[Sequence[Paragraph]]) -> None:
        """Say whether it is worth it, and in a line what each part would bring; not once another card is written."""
        self._is_asking = False
        if self.card.text() == self._weighed:
            self._show(verdict, lines)

    def _show(self, verdict: str, lines: Sequence[Sequence[Paragraph]]) -> None:
        self.verdict.setText(verdict)
        self.told.show_lines(lines)
        self.told.setVisible(bool(lines))
        self._answer.show()

    def _on_typed(self, text: str) -> None:
        """Take away what was said while another card stood there."""
        if text != self._weighed:
            self._answer.hide()
        self._allow()

    def _on_worth(self) -> None:
        pretence = self.pretence
        if pretence is not None:
            self.card.setText(pretence.card)  # whole, so that it is seen which was understood
            self._ask(pretence.card)

    def _ask(self, part: str) -> None:
        """Ask of a part, unless another is being weighed; what was pressed keeps the keyboard."""
        if not self._is_asking:
            self._is_asking, self._weighed = True, self.card.text()
            self._show(self._context.gettext("Working it out …"), ())
            self.worth_wanted.emit(part)

    def _on_return(self) -> None:
        """Do what the button beside the field does, or the only one there is; Enter first chooses of offered names."""
        completer = self.card.completer()
        offered = None if completer is None else completer.popup()
        if offered is None or not offered.isVisible():
            if self._has_answer and self._is_written:
                self._on_worth()
            else:
                self._on_wanted()

    def _on_wanted(self) -> None:
        pretence = self.pretence
        if pretence is not None and not pretence.is_nothing:
            self.card.setText(pretence.card)
            self.wanted.emit(pretence)

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.whole.setText(_("The whole answer for a computer with other parts"))
        for made, (_part, text) in zip(self.questions, _QUESTIONS, strict=True):
            made.setText(_(text))
            made.setAccessibleDescription(_("Says in a sentence whether this would make the job of the answer faster"))
        self.card.setPlaceholderText(_("Type part of a name, such as RTX 4060"))
        for caption, field, text, description in (
            (
                self.card_caption,
                self.card,
                _("Graphics card"),
                _("Write the name, or a part of it and choose from the list"),
            ),
            (self.memory_caption, self.memory, _("Memory (RAM)"), _("In GB; 0 leaves it as it is")),
            (
                self.processor_caption,
                self.processor,
                _("Processor"),
                _("A class of processors, with the one of the catalogue that stands for it"),
            ),
        ):
            caption.setText(text)
            field.setAccessibleName(_("What if: {part}").format(part=text))
            field.setAccessibleDescription(description)
            field.setToolTip(description)
        self.memory.setSpecialValueText(_("as it is"))
        self.processor.setItemText(0, _("as it is"))
        for place, row in enumerate(self._processors, start=1):
            self.processor.setItemText(place, _processor_text(row, self._context.language))
        self.show_answer.setText(_("Show the answer"))
        self.show_answer.setAccessibleDescription(_("Works out the answer for this computer with those parts"))
        self.ask_worth.setText(_("Is it worth it?"))
        self.ask_worth.setAccessibleDescription(_("Hours saved, price, and what is better for the money"))
        self.ask_worth.setToolTip(self.ask_worth.accessibleDescription())
        self._allow()


class _Told(QWidget):
    """Lines of sentences, of which each number can be asked where it comes from."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._lines: list[list[Statement]] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(GRID // 2)
        self._grid.setColumnStretch(1, 1)

    def show_lines(self, lines: Sequence[Sequence[Paragraph]]) -> None:
        """Show them; with a mark before each where they are several."""
        clear(self._grid)
        self._lines = [[Statement(self._context).show_text(text, origin) for text, origin in line] for line in lines]
        row = 0
        for line in self._lines:
            if len(lines) > 1:
                mark = label("body", wrap=False)
                mark.setText("•")
                self._grid.addWidget(mark, row, 0, Qt.AlignmentFlag.AlignTop)
            for sentence in line:
                self._grid.addWidget(sentence, row, 1)
                row += 1

    def text(self) -> str:
        """Return what is shown."""
        return "\n".join(" ".join(one.text() for one in line) for line in self._lines)


def _row(*widgets: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setSpacing(int(1.5 * GRID))
    for widget in widgets:
        row.addWidget(widget)
    return row


def _processor_text(row: tuple[str, str, int], language: Language) -> str:
    name, form, cores = row
    return language.gettext(_FORMS[form]).format(cores=language.number(cores), name=name)


class _Cards(QStringListModel):
    """Names of cards, each shown with what tells it from its namesakes; what is shown is looked up, not all of them."""

    def __init__(self, names: Sequence[str], context: Context, parent: QWidget) -> None:
        super().__init__(list(names), parent)
        self._context = context

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the name with memory and year to be seen, and the name alone to be written."""
        if role != Qt.ItemDataRole.DisplayRole:
            return super().data(index, role)
        return card_line(str(super().data(index, Qt.ItemDataRole.EditRole)), self._context.language)
