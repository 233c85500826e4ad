"""Fields behind a button that folds them away: few know what they ask, and the button that asks stays in sight."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.pages.advice.question.field_grid import FieldGrid, wrap_words
from advisor.gui.widgets.basic import button, label


class FoldedFields(QWidget):
    """A grid of named fields, folded away at first.

    Attributes:
        TITLE, ABOUT: What the button says, and what a screen reader adds to it; English, translated when shown.
        LEAD: What is said above the fields; empty: nothing.

    Signals:
        changed: Facts of the question and their new values.
    """

    TITLE, ABOUT, LEAD = "", "", ""
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
        self.grid = FieldGrid()
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.fields.setLayout(self.grid)
        self.grid.asked.hide()
        whole.addWidget(self.grid.asked)
        context.language_changed.connect(self.retranslate)

    def add_field(self, box: QWidget, name: str, hint: str, mark: QWidget | None = None) -> None:
        """Put a field and its name into the grid."""
        caption = label("body", wrap=False)
        self.grid.add(caption, box, mark)
        self._captions.append((caption, box, name, hint))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the words of the button go on in a second line where there is no room."""
        super().resizeEvent(event)
        wrap_words(self.toggle, self.width())

    def emit_changed(self, **facts: object) -> None:
        """Say what the user changed; not what the program fills in."""
        if not self._is_filling:
            self.changed.emit(facts)

    def _on_toggle(self) -> None:
        self.fields.setVisible(self.fields.isHidden())
        self.lead.setVisible(bool(self.LEAD) and not self.fields.isHidden())
        self.grid.asked.setVisible(not self.fields.isHidden())
        self._name_toggle()

    def fold(self) -> None:
        """Put the fields away."""
        if not self.fields.isHidden():
            self._on_toggle()

    def _name_toggle(self) -> None:
        text = self._context.gettext(self.TITLE)
        self.toggle.setText(f"{'▸' if self.fields.isHidden() else '▾'}  {text}")
        wrap_words(self.toggle, self.width())
        self.toggle.setAccessibleName(text)
        self.toggle.setAccessibleDescription(self._context.gettext(self.ABOUT))

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self._name_toggle()
        if self.LEAD:
            self.lead.setText(_(self.LEAD))
        for _caption, box, name, hint in self._captions:
            self.grid.name(box, _(name), _(hint))
