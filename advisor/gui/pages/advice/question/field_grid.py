"""A grid of named fields: two a row, one where there is no room, or each below its name where letters are large.

What a field asks is said in a line below the grid while the keyboard is in it: below every field it made the form two
screens long, and only where somebody points hardly anybody read it. What decides what to put in stays below its field.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QGridLayout, QLabel, QWidget

from advisor.gui.widgets.basic import GRID, label

_MARK_WIDTH = 2 * GRID
_ONE_LINE = "\N{NO-BREAK SPACE}"
"""Words that take the room of a line, and say nothing."""


class Shape(Enum):
    """How fields stand, from the widest to the narrowest."""

    PAIRS = auto()
    SINGLES = auto()
    BELOW = auto()

    @property
    def sides(self) -> int:
        """How many fields stand side by side."""
        return 2 if self is Shape.PAIRS else 1


@dataclass(frozen=True, kw_only=True)
class _Cell:
    """A field with its caption and its mark; a check box has its words in itself.

    Attributes:
        hint: What stands below it.
        is_row: Whether it has a row of its own.
    """

    box: QWidget
    hint: QLabel
    caption: QLabel | None = None
    mark: QWidget | None = None
    is_row: bool = False


class FieldGrid(QGridLayout):
    """Fields with their captions before or above them, and room for their marks behind them.

    Attributes:
        asked: What the field asks in which the keyboard is, for a place below the grid; its room is kept, so that
            nothing moves.
    """

    def __init__(self) -> None:
        super().__init__()
        self._cells: list[_Cell] = []
        self._shape = Shape.PAIRS
        self.setHorizontalSpacing(GRID)
        self.setVerticalSpacing(GRID // 4)  # of a field and what stands below it; the next one stands further below
        self.asked = label("muted")
        self.asked.setText(_ONE_LINE)
        cast(QApplication, QApplication.instance()).focusChanged.connect(self._on_focus)

    def add(self, caption: QLabel, box: QWidget, mark: QWidget | None = None, *, is_row: bool = False) -> None:
        """Append a field; one with long words in a row of its own."""
        caption.setBuddy(box)
        self._cells.append(_Cell(box=box, hint=_hint(), caption=caption, mark=mark, is_row=is_row))
        self.place()

    def add_check(self, box: QAbstractButton, *, is_row: bool = False) -> None:
        """Append a field that is its own caption."""
        self._cells.append(_Cell(box=box, hint=_hint(), is_row=is_row))
        self.place()

    def name(self, box: QWidget, name: str, hint: str, shown: str = "") -> None:
        """Say what a field is called and what it asks: to those who see it, and to those who do not.

        Args:
            box: The field.
            name: What it is called.
            hint: What it asks.
            shown: What stands below it; empty: nothing.
        """
        cell = next(cell for cell in self._cells if cell.box is box)
        cell.hint.setText(shown)
        cell.hint.setVisible(bool(shown) and not _is_left_out(box))
        if cell.caption is not None:
            cell.caption.setText(name)
            cell.caption.setToolTip(hint)
        if isinstance(box, QAbstractButton):
            box.setText(name)
        box.setToolTip(hint)
        box.setAccessibleName(name)
        box.setAccessibleDescription(hint)

    def offer(self, box: QWidget, *, is_asked: bool) -> None:
        """Show a field and its caption where the job has it, and leave no gap where it has not."""
        cell = next(cell for cell in self._cells if cell.box is box)
        if is_asked == _is_left_out(box):
            for widget in filter(None, (box, cell.caption)):
                widget.setVisible(is_asked)
            self.place()

    def boxes(self) -> list[QWidget]:
        """Return the fields that are asked."""
        return [cell.box for cell in self._shown()]

    def hint_of(self, box: QWidget) -> str:
        """Return what stands below a field."""
        return next(cell.hint.text() for cell in self._cells if cell.box is box)

    def _on_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Say what a field asks while the keyboard is in it."""
        found = next((cell.box for cell in self._cells if new is not None and _holds(cell.box, new)), None)
        hint = "" if found is None else found.accessibleDescription().partition("\n")[0]
        self.asked.setText(f"{found.accessibleName()}: {hint}" if found is not None and hint else _ONE_LINE)
        height = max(self.asked.minimumHeight(), self.asked.heightForWidth(self.asked.width()))
        self.asked.setMinimumHeight(height)  # kept: else what is below would move away from the pointer

    def put_first(self, boxes: Sequence[QWidget]) -> None:
        """Let fields stand before those that were added earlier."""
        self._cells.sort(key=lambda cell: cell.box not in boxes)
        self.place()

    def set_shape(self, shape: Shape, captions: Sequence[int]) -> None:
        """Let the fields stand so, with captions as wide as those of other grids."""
        if shape is not self._shape:
            self.asked.setMinimumHeight(0)
        self._shape = shape
        for column in (0, 3):
            side = column // 3
            is_used = side < shape.sides
            self.setColumnMinimumWidth(column, captions[side] if is_used and shape is not Shape.BELOW else 0)
            self.setColumnStretch(column + 1, int(is_used))
            self.setColumnMinimumWidth(column + 2, _MARK_WIDTH if is_used else 0)
        self.place()

    def place(self) -> None:
        """Put each field into the next free place: one that is not asked leaves none empty."""
        sides, number = self._shape.sides, 0
        for row in range(self.rowCount()):
            self.setRowMinimumHeight(row, 0)  # else the rows of a narrower shape gape below the last field
        for cell in self._cells:
            if _is_left_out(cell.box):
                cell.hint.hide()
        for cell in self._shown():
            if cell.is_row:
                number += -number % sides
            self._put(cell, number // sides, 3 * (number % sides))
            number += sides if cell.is_row else 1

    def _put(self, cell: _Cell, row: int, column: int) -> None:
        row *= 3  # a caption may stand above, and what it asks stands below
        span = 3 * self._shape.sides if cell.is_row else 3
        if cell.caption is None:
            self.addWidget(cell.box, row + 1, column, 1, span if cell.is_row else 2)
            self._explain(cell, row + 2, column, span if cell.is_row else 2)
            return
        is_below = self._shape is Shape.BELOW
        self.addWidget(cell.caption, row if is_below else row + 1, column, 1, 2 if is_below else 1)
        first, width = (column, span - 1) if is_below else (column + 1, span - 2)
        self.addWidget(cell.box, row + 1, first, 1, width)
        self._explain(cell, row + 2, first, width)
        if cell.mark is not None:
            self.addWidget(cell.mark, row + 1, column + span - 1)

    def _explain(self, cell: _Cell, row: int, column: int, span: int) -> None:
        self.setRowMinimumHeight(row, GRID)  # the next field stands further below also where nothing is said here
        self.addWidget(cell.hint, row, column, 1, span, Qt.AlignmentFlag.AlignTop)
        cell.hint.setVisible(bool(cell.hint.text()))

    def _shown(self) -> list[_Cell]:
        return [cell for cell in self._cells if not _is_left_out(cell.box)]

    def fit_checks(self, width: int) -> None:
        """Wrap the words of check boxes that are wider than there is room."""
        for cell in self._cells:
            if isinstance(cell.box, QAbstractButton):
                wrap_words(cell.box, width if cell.is_row else width // self._shape.sides)

    def widths(self, sides: int) -> list[tuple[int, int]]:
        """Return, of each side, what its captions and what its fields need."""
        needed = [(0, 0)] * sides
        shown = self._shown()
        named = [cell for cell in shown if not cell.is_row]
        # a field in a row of its own begins where those of the first side do
        placed = [*enumerate(named), *((0, cell) for cell in shown if cell.is_row)]
        for number, cell in placed:
            if cell.caption is not None:
                cell.caption.ensurePolished()
                cell.box.ensurePolished()
                before, behind = needed[number % sides]
                width = max(cell.box.minimumSizeHint().width(), cell.box.minimumWidth())
                needed[number % sides] = (max(before, cell.caption.sizeHint().width()), max(behind, width))
        return needed


def _hint() -> QLabel:
    made = label("muted")
    made.setContentsMargins(0, 0, 0, GRID)
    return made


def _holds(box: QWidget, one: QWidget) -> bool:
    return box is one or box.isAncestorOf(one)


def _is_left_out(box: QWidget) -> bool:
    """Return whether somebody hid a field: one that has not been shown yet counts as hidden, too."""
    return box.isHidden() and box.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)


def arrange(grids: Iterable[FieldGrid], width: int) -> None:
    """Let the fields of grids that stand below each other begin at one place, in the widest shape there is room for."""
    made = list(grids)
    shape = next((one for one in Shape if least_width(made, one) <= width), Shape.BELOW)
    captions = [before for before, _behind in _widths(made, shape)]
    for grid in made:
        grid.set_shape(shape, captions)
        grid.fit_checks(width)


def least_width(grids: Iterable[FieldGrid], shape: Shape) -> int:
    """Return the least width of grids that stand below each other."""
    needed = _widths(list(grids), shape)
    if shape is Shape.BELOW:
        return max(max(before, behind + GRID + _MARK_WIDTH) for before, behind in needed)
    return sum(before + behind + _MARK_WIDTH + 2 * GRID for before, behind in needed) + GRID * (len(needed) - 1)


def _widths(grids: list[FieldGrid], shape: Shape) -> list[tuple[int, int]]:
    """Return, of each side, the widest caption and the widest field of all grids."""
    sides = zip(*(grid.widths(shape.sides) for grid in grids), strict=True)
    return [(max(before for before, _behind in side), max(behind for _before, behind in side)) for side in sides]


def wrap_words(made: QAbstractButton, width: int) -> None:
    """Let the words of a button go on in further lines where they are wider than there is room: Qt would cut them."""
    made.ensurePolished()
    metrics = made.fontMetrics()
    own = metrics.size(Qt.TextFlag.TextShowMnemonic, made.text()).width()
    room = width - (made.sizeHint().width() - own)
    lines: list[str] = []
    for word in made.text().replace("\n", " ").split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and metrics.horizontalAdvance(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    text = "\n".join(lines)
    if text != made.text():
        made.setText(text)
