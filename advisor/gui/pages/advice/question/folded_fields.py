"""Fields behind a button that folds them away: few know what they ask, and the button that asks stays in sight."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, bring_into_view, button, label


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
        self.fields = QWidget()
        self.fields.hide()
        self._captions: list[tuple[QLabel, QWidget, str, str]] = []
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignLeft)
        whole.addWidget(self.fields)
        self.grid = QGridLayout(self.fields)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setHorizontalSpacing(2 * GRID)
        self.grid.setVerticalSpacing(GRID)
        context.language_changed.connect(self.retranslate)

    def add_field(self, box: QWidget, name: str, hint: str, row: int, column: int) -> None:
        """Put a field and its name into the grid."""
        caption = label("body", wrap=False)
        caption.setBuddy(box)
        caption.setIndent(2 * GRID if column else 0)
        self.grid.addWidget(caption, row, column)
        self.grid.addWidget(box, row, column + 1)
        self._captions.append((caption, box, name, hint))

    def emit_changed(self, **facts: object) -> None:
        """Say what the user changed; not what the program fills in."""
        if not self._is_filling:
            self.changed.emit(facts)

    def _on_toggle(self) -> None:
        self.fields.setVisible(self.fields.isHidden())
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
        for caption, box, name, hint in self._captions:
            name_field(caption, box, _(name), _(hint))


def name_field(caption: QLabel, box: QWidget, name: str, hint: str) -> None:
    """Say what a field is called and what it asks: to those who see it, and to those who do not."""
    caption.setText(name)
    for widget in (caption, box):
        widget.setToolTip(hint)
    box.setAccessibleName(name)
    box.setAccessibleDescription(hint)
