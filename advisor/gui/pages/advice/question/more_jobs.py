"""The ready-made jobs behind "Something else …": under the heading of their kind, and found by a word."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QGridLayout, QLineEdit, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.models.job.job_cards import Card, found_by
from advisor.gui.pages.advice.question.preset_button import COLUMNS, PresetButton
from advisor.gui.widgets.basic import GRID, clear, label


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
        self.buttons: list[PresetButton] = []
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
    def shown(self) -> list[PresetButton]:
        """The cards that are found, in their order; none while the list is folded."""
        return [made for made in self.buttons if not made.isHidden()] if self.isVisible() else []

    def show_jobs(self, cards: Sequence[Card]) -> None:
        """Show other jobs than before."""
        clear(self._grid)
        self._cards, self._titles = tuple(cards), []
        self.buttons = [self._add(card.preset_id or "") for card in cards]
        for made in self.buttons:
            made.setParent(self)  # what is shown without one is a window
        self.retranslate(cards)

    def retranslate(self, cards: Sequence[Card]) -> None:
        """Show the words of the jobs, which are the same ones in another language."""
        _ = self._context.gettext
        self._cards = tuple(cards)
        for made, card in zip(self.buttons, self._cards, strict=True):
            made.show_card(card)
        self.search.setPlaceholderText(_("Search these jobs, such as speech or YOLO"))
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
        for made, card in zip(self.buttons, self._cards, strict=True):
            self._grid.removeWidget(made)
            made.setVisible(found_by(card, wanted))
            if made.isHidden():
                continue
            if not wanted.strip() and card.group != group:
                group, row, place = card.group, row + 1, self._columns
                self._add_title(card.group, row)
            if place == self._columns:
                row, place = row + 1, 0
            self._grid.addWidget(made, row, place)
            place += 1
        self.none_found.setVisible(all(made.isHidden() for made in self.buttons) and bool(self.buttons))

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
