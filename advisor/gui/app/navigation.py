"""The list of pages at the left edge."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QPushButton, QToolTip, QVBoxLayout

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, label, tinted_icon
from advisor.locale import N_

ICON_PX = 20
LEAST_WIDTH = 24 * GRID

TITLES = {
    "advice": N_("Advice"),
    "computer": N_("This computer"),
    "measure": N_("Measure"),
    "live": N_("Live"),
    "options": N_("Options"),
    "models": N_("Language models"),
    "history": N_("History"),
    "fleet": N_("Many computers"),
    "accuracy": N_("How sure?"),
    "settings": N_("Settings"),
}


def page_key(position: int) -> str:
    """Return the key of a page: Ctrl with 1 to 9, then 0."""
    return f"Ctrl+{(position + 1) % 10}"


class Navigation(QFrame):
    """One button a page; the last one stands apart at the bottom.

    Signals:
        chosen: With the name of the page.
    """

    chosen = Signal(str)

    def __init__(self, context: Context, pages: Sequence[str]) -> None:
        super().__init__()
        self.setObjectName("navigation")
        self._context = context
        self.buttons: dict[str, QPushButton] = {}
        self._group = QButtonGroup(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(int(1.5 * GRID), 3 * GRID, int(1.5 * GRID), 2 * GRID)
        column.setSpacing(GRID // 2)
        for position, name in enumerate(pages):
            if position == len(pages) - 1:
                column.addStretch(1)
            made = QPushButton()
            made.setCheckable(True)
            made.clicked.connect(lambda _checked=False, page=name: self.chosen.emit(page))
            made.installEventFilter(self)
            self._group.addButton(made)
            self.buttons[name] = made
            column.addWidget(made)
        self.keys = label("muted")
        self.keys.setContentsMargins(int(1.5 * GRID), 0, 0, 0)
        column.addWidget(self.keys)
        context.language_changed.connect(self.retranslate)
        context.theme_changed.connect(self.repaint_icons)
        self.retranslate()
        self.repaint_icons()

    def mark(self, page: str) -> None:
        """Show which page is open."""
        self.buttons[page].setChecked(True)

    def offer(self, page: str, *, is_offered: bool) -> None:
        """Let a page be opened, or say why not yet."""
        self.buttons[page].setEnabled(is_offered)
        self.retranslate()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self._context.gettext
        self.setAccessibleName(_("Pages"))
        for position, (name, made) in enumerate(self.buttons.items()):
            made.setText(f"  {_(TITLES[name])}")
            made.setAccessibleName(_(TITLES[name]))
            keys = f"{_(TITLES[name])} ({page_key(position)})"
            made.setToolTip(keys if made.isEnabled() else _("After the first answer"))
        self.keys.setText(_("F1: keyboard shortcuts"))
        self._fit()

    def _fit(self) -> None:
        """Be as wide as the longest title needs."""
        margins = self.contentsMargins().left() + self.contentsMargins().right() + 3 * GRID
        longest = max(made.sizeHint().width() for made in self.buttons.values())
        self.setFixedWidth(max(LEAST_WIDTH, longest + margins))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Say at once, at a click on a page that is not offered yet, what it waits for; draw no frame after a click."""
        if isinstance(watched, QPushButton) and isinstance(event, QFocusEvent) and event.gotFocus():
            _frame(watched, event.reason())
        if isinstance(watched, QPushButton) and isinstance(event, QMouseEvent) and not watched.isEnabled():
            QToolTip.showText(event.globalPosition().toPoint(), watched.toolTip(), watched)
        return bool(super().eventFilter(watched, event))

    def event(self, event: QEvent) -> bool:
        """Fit once the style is known, which is before the window lays itself out for the first time."""
        is_done = bool(super().event(event))
        if event.type() == QEvent.Type.Polish:
            self._fit()
        return is_done

    def repaint_icons(self) -> None:
        """Paint the icons in the theme's colours, as large as the letters beside them."""
        theme = self._context.theme
        size = round(ICON_PX * self._context.text_scale)
        for name, made in self.buttons.items():
            made.setIcon(
                tinted_icon(name, theme.colour("muted"), theme.colour("accent"), size, self.devicePixelRatioF())
            )
            made.setIconSize(QSize(size, size))
        self._fit()  # texts may have another size with it


def _frame(made: QPushButton, reason: Qt.FocusReason) -> None:
    """Draw the frame that says where the keyboard is only for who uses it; back in the window, as it was before."""
    is_clicked = reason == Qt.FocusReason.MouseFocusReason
    if reason != Qt.FocusReason.ActiveWindowFocusReason and bool(made.property("clicked_on")) != is_clicked:
        made.setProperty("clicked_on", is_clicked)
        made.style().polish(made)
