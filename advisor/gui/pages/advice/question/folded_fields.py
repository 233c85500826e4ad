"""Fields behind a button that folds them away: few know what they ask, and the button that asks stays in sight."""

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, bring_into_view, button, label

_MARK_WIDTH = 2 * GRID


class FoldedFields(QWidget):
    """A grid of named fields, folded away at first.

    Attributes:
        TITLE, ABOUT: What the button says, and what a screen reader adds to it; English, translated when shown.

    Signals:
        changed: Facts of the question and their new values.
    """

    TITLE, ABOUT = "", ""
    changed = Signal(dict)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._is_filling = False
        self.toggle = button("link", self._on_toggle)
        self.lead = label("muted")
        self.lead.hide()
        self.fields = QWidget()
        self.fields.hide()
        self._captions: list[tuple[QLabel, QWidget, str, str]] = []
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignLeft)
        whole.addWidget(self.lead)
        whole.addWidget(self.fields)
        self.grid = field_grid()
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.fields.setLayout(self.grid)
        context.language_changed.connect(self.retranslate)

    def add_field(self, box: QWidget, name: str, hint: str, row: int, column: int) -> None:
        """Put a field and its name into the grid."""
        caption = label("body", wrap=False)
        caption.setBuddy(box)
        self.grid.addWidget(caption, row, column)
        self.grid.addWidget(box, row, column + 1)
        self._captions.append((caption, box, name, hint))

    def emit_changed(self, **facts: object) -> None:
        """Say what the user changed; not what the program fills in."""
        if not self._is_filling:
            self.changed.emit(facts)

    def _on_toggle(self) -> None:
        for widget in (self.lead, self.fields):
            widget.setVisible(widget.isHidden())
        self._name_toggle()
        if self.fields.isVisible():
            bring_into_view(self)

    def _name_toggle(self) -> None:
        text = self._context.gettext(self.TITLE)
        self.toggle.setText(f"{'▸' if self.fields.isHidden() else '▾'}  {text}")
        self.toggle.setAccessibleName(text)
        self.toggle.setAccessibleDescription(self._context.gettext(self.ABOUT))

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self._name_toggle()
        self.lead.setText(_("Leave as it is what you do not know. Point at a name to read what it means."))
        for caption, box, name, hint in self._captions:
            name_field(caption, box, _(name), _(hint))


def field_grid() -> QGridLayout:
    """Return a grid for two fields a row, each with its caption before it and room for its mark behind it."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(GRID)
    grid.setVerticalSpacing(GRID)
    for column in (1, 4):
        grid.setColumnStretch(column, 1)
    for column in (2, 5):
        grid.setColumnMinimumWidth(column, _MARK_WIDTH)
    return grid


def align(grids: Iterable[QGridLayout]) -> None:
    """Let the fields of grids that stand below each other begin at one place: behind the longest of all captions."""
    made = list(grids)
    for column in (0, 3):
        captions = [one for grid in made for row in range(grid.rowCount()) if (one := _caption(grid, row, column))]
        widest = max((one.sizeHint().width() for one in captions), default=0)
        for grid in made:
            grid.setColumnMinimumWidth(column, widest)


def _caption(grid: QGridLayout, row: int, column: int) -> QLabel | None:
    item = grid.itemAtPosition(row, column)
    widget = None if item is None else item.widget()
    return widget if isinstance(widget, QLabel) else None


def name_field(caption: QLabel, box: QWidget, name: str, hint: str) -> None:
    """Say what a field is called and what it asks: to those who see it, and to those who do not."""
    caption.setText(name)
    for widget in (caption, box):
        widget.setToolTip(hint)
    box.setAccessibleName(name)
    box.setAccessibleDescription(hint)
