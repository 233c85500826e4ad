"""A ready-made job as a card with a picture and plain words."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout

from advisor.gui.base.context import Context
from advisor.gui.models.job.job_cards import Card
from advisor.gui.widgets.basic import GRID, label, picture

_BY_KEY = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason)
PICTURE_PX = 40
COLUMNS = 3
_TALL = 14 * GRID


class PresetButton(QPushButton):
    """One card of "Can my computer do it?"; exactly one is checked.

    Signals:
        stepped: An arrow key asks for the card so many places on.
    """

    stepped = Signal(int)

    def __init__(self, context: Context, preset_id: str | None) -> None:
        super().__init__()
        self.preset_id = preset_id
        self._context = context
        self._picture_name = ""
        self.setProperty("role", "preset")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click chooses; it leaves no frame
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._picture = QLabel()
        self._title = label("strong")
        self._description = label("muted")
        self._build()
        self.toggled.connect(self.paint_picture)

    def _build(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addStretch(1)
        words.addWidget(self._title)
        words.addWidget(self._description)
        words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        row.setSpacing(2 * GRID)
        row.addWidget(self._picture)
        row.addLayout(words, 1)
        self._picture.setFixedSize(PICTURE_PX, PICTURE_PX)
        for inner in (self._picture, self._title, self._description):
            inner.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let arrow keys go from card to card without choosing one, as Qt would."""
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -COLUMNS,
            Qt.Key.Key_Down: COLUMNS,
        }
        step = steps.get(Qt.Key(event.key())) if event.key() in steps else None
        if step is None:
            super().keyPressEvent(event)
        else:
            self.stepped.emit(step)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show a frame where the keyboard came by a key."""
        super().focusInEvent(event)
        self._frame(event.reason() in _BY_KEY)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the frame away."""
        super().focusOutEvent(event)
        self._frame(False)

    def _frame(self, is_framed: bool) -> None:
        if bool(self.property("framed")) != is_framed:
            self.setProperty("framed", is_framed)
            self.style().polish(self)

    def set_tall(self, *, is_tall: bool) -> None:
        """Take more height, where the window has it."""
        self.setMinimumHeight(_TALL if is_tall else 0)

    def show_card(self, card: Card) -> None:
        """Show a job's picture and words."""
        self._picture_name = card.picture
        self._title.setText(card.title)
        self._description.setText(card.description)
        self._description.setVisible(bool(card.description))
        self.setAccessibleName(card.title)
        self.setAccessibleDescription(card.description or self._context.gettext("A ready-made job"))
        self.paint_picture()

    def paint_picture(self) -> None:
        """Paint the picture in the theme's colours."""
        if not self._picture_name:
            return
        colour = self._context.theme.colour("accent" if self.isChecked() else "muted")
        self._picture.setPixmap(picture(self._picture_name, colour, PICTURE_PX, self.devicePixelRatioF()))

    def sizeHint(self) -> QSize:
        """Return a size that holds two lines of each text."""
        line = self.fontMetrics().lineSpacing()
        return QSize(30 * GRID, max(11 * GRID, 4 * line + 3 * GRID))

    def minimumSizeHint(self) -> QSize:
        """Return the same height, at any width down to a readable one."""
        return QSize(22 * GRID, self.sizeHint().height())
