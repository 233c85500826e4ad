"""The ready-made jobs behind "Something else …": under the heading of their kind, and found by a word."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QGridLayout, QLineEdit, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.models.job.job_cards import Card, found_by
from advisor.gui.pages.advice.question.preset_button import COLUMNS, PresetButton
from advisor.gui.widgets.basic import GRID, clear, label

_MOST_FOUND = 12
"""Language models of one family, in all sizes."""


class MoreJobs(QWidget):
    """All other jobs as cards.

    Args:
        context: Language and theme.
        add: Makes the card of a job, whose click is heard elsewhere.
    """

    def __init__(self, context: Context, add: Callable[[str], PresetButton]) -> None:
        super().__init__()
        self._context = context
        self._add = add
        self._cards: tuple[Card, ...] = ()
        self._titles: list[QWidget] = []
        self._made: dict[str | None, PresetButton] = {}
        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        self.search.setAcceptDrops(False)  # a file is for the window, not its path for the field
        self.none_found = label("muted")
        self.none_found.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(int(1.5 * GRID))
        column.addWidget(self.search)
        column.addWidget(self.none_found)
        self._grid, self._columns = card_grid(), COLUMNS
        column.addLayout(self._grid)
        self.search.textChanged.connect(self._place)

    @property
    def buttons(self) -> list[PresetButton]:
        """The cards that were made, in their order."""
        return [self._made[card.preset_id] for card in self._cards if card.preset_id in self._made]

    @property
    def shown(self) -> list[PresetButton]:
        """The cards that are found, in their order; none while the list is folded."""
        return [made for made in self.buttons if not made.isHidden()] if self.isVisible() else []

    def show_jobs(self, cards: Sequence[Card]) -> None:
        """Show other jobs than before."""
        clear(self._grid)
        self._cards, self._titles, self._made = tuple(cards), [], {}
        for card in cards:
            if not card.is_only_found:
                self._make(card)
        self.retranslate(cards)

    def _make(self, card: Card) -> None:
        made = self._add(card.preset_id or "")
        made.setParent(self)  # what is shown without one is a window
        QWidget.setTabOrder([self.search, *self._made.values()][-1], made)
        self._made[card.preset_id] = made
        made.show_card(card)

    def retranslate(self, cards: Sequence[Card]) -> None:
        """Show the words of the jobs, which are the same ones in another language."""
        _ = self._context.gettext
        self._cards = tuple(cards)
        for card in self._cards:
            if card.preset_id in self._made:
                self._made[card.preset_id].show_card(card)
        self.search.setPlaceholderText(_("Search these jobs, such as speech, YOLO or Llama"))
        self.search.setAccessibleName(_("Search these jobs"))
        self.none_found.setText(_("None of these jobs has that word. Your own numbers can be given below."))
        self._place()

    def _place(self) -> None:
        """Lay the cards that are found out under their headings; where a word is searched, without."""
        for title in self._titles:
            self._grid.removeWidget(title)
            title.deleteLater()
        self._titles = []
        wanted = self.search.text()
        row, place, group = -1, self._columns, None
        for card in self._found(wanted):
            made = self._made[card.preset_id]
            if not wanted.strip() and card.group != group:
                group, row, place = card.group, row + 1, self._columns
                self._add_title(card.group, row)
            if place == self._columns:
                row, place = row + 1, 0
            self._grid.addWidget(made, row, place)
            place += 1
        self.none_found.setVisible(all(made.isHidden() for made in self.buttons) and bool(self.buttons))

    def _found(self, wanted: str) -> list[Card]:
        """Return the cards that have the words, and hide the others; of what is shown only then, the first few."""
        found = [card for card in self._cards if found_by(card, wanted)]
        many = [card for card in found if card.is_only_found]
        found = [card for card in found if card not in many[_MOST_FOUND:]]
        for card in found:
            if card.preset_id not in self._made:
                self._make(card)
        for made in self.buttons:
            self._grid.removeWidget(made)
            made.setVisible(any(made.preset_id == card.preset_id for card in found))
        return found

    def set_columns(self, count: int) -> None:
        """Put so many cards side by side."""
        self._columns = count
        set_columns(self._grid, count)
        self._place()

    def _add_title(self, text: str, row: int) -> None:
        made = label("strong")
        made.setText(text)
        self._titles.append(made)
        self._grid.addWidget(made, row, 0, 1, COLUMNS)
        made.show()


def card_grid() -> QGridLayout:
    """Return a layout of equal columns for cards."""
    grid = QGridLayout()
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setSpacing(int(1.5 * GRID))
    set_columns(grid, COLUMNS)
    return grid


def set_columns(grid: QGridLayout, count: int) -> None:
    """Share the width of a grid of cards among so many columns."""
    for column in range(COLUMNS):
        grid.setColumnStretch(column, int(column < count))
        grid.setColumnMinimumWidth(column, int(column < count))
