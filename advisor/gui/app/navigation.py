"""The list of pages at the left edge."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QMouseEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QPushButton, QToolTip, QVBoxLayout

from advisor.gui.base.context import Context
from advisor.gui.base.settings import Settings
from advisor.gui.widgets.basic import GRID, button, label, tinted_icon
from advisor.locale import N_

ICON_PX = 20
LEAST_WIDTH = 24 * GRID
_MOST_SHARE = 0.26
"""Of a window that is narrow for its letters: titles that take more of it are folded away, and their icons stay."""

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

    Attributes:
        fold: Button: leaves the icons alone, or brings their titles back; what was chosen is kept.
        is_folded: Whether icons stand alone.
    """

    chosen = Signal(str)

    def __init__(self, context: Context, pages: Sequence[str], settings: Settings) -> None:
        super().__init__()
        self.setObjectName("navigation")
        self._context, self._settings = context, settings
        self._room, self.is_folded = 0, False
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
        self.fold = button("fold_pages", self._on_fold)
        foot = QHBoxLayout()
        foot.setSpacing(0)
        foot.addWidget(self.keys, 1)
        foot.addWidget(self.fold)
        column.addLayout(foot)
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
            made.setAccessibleName(_(TITLES[name]))
            keys = f"{_(TITLES[name])} ({page_key(position)})"
            made.setToolTip(keys if made.isEnabled() else _("After the first answer"))
        self.keys.setText(_("F1: keyboard shortcuts"))
        self.fold.setAccessibleDescription(_("Makes the list of pages narrow or wide; it stays so"))
        self._fit()

    def fit_into(self, width: int) -> None:
        """Leave room for the pages of a window of such a width."""
        self._room = width
        self._fit()

    def _on_fold(self) -> None:
        self._settings.pages_folded = not self.is_folded
        self._settings.save()
        self._fit()

    def _fit(self) -> None:
        """Be as wide as the longest title needs, or as the icons where the window is narrow for that."""
        _ = self._context.gettext
        for name, made in self.buttons.items():
            made.setText(f"  {_(TITLES[name])}")
        whole = max(LEAST_WIDTH, self._needed())
        asked = self._settings.pages_folded
        self.is_folded = 0 < self._room < whole / _MOST_SHARE if asked is None else asked
        if self.is_folded:
            for made in self.buttons.values():
                made.setText("")
        self.setFixedWidth(self._needed() if self.is_folded else whole)
        self.keys.setVisible(not self.is_folded)
        said = _("Show the titles of the pages") if self.is_folded else _("Leave the icons of the pages alone")
        self.fold.setAccessibleName(said)
        self.fold.setToolTip(said)
        self._draw(self.fold, "unfold-pages" if self.is_folded else "fold-pages")

    def _needed(self) -> int:
        """Return the width that the widest button needs with what stands on it now."""
        margins = self.contentsMargins().left() + self.contentsMargins().right() + 3 * GRID
        return margins + max(made.sizeHint().width() for made in self.buttons.values())

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
        for name, made in self.buttons.items():
            self._draw(made, name)
        self._fit()  # texts may have another size with it

    def _draw(self, made: QPushButton, name: str) -> None:
        theme, size = self._context.theme, round(ICON_PX * self._context.text_scale)
        made.setIcon(tinted_icon(name, theme.colour("muted"), theme.colour("accent"), size, self.devicePixelRatioF()))
        made.setIconSize(QSize(size, size))


def _frame(made: QPushButton, reason: Qt.FocusReason) -> None:
    """Draw the frame that says where the keyboard is only for who uses it; back in the window, as it was before."""
    is_clicked = reason == Qt.FocusReason.MouseFocusReason
    if reason != Qt.FocusReason.ActiveWindowFocusReason and bool(made.property("clicked_on")) != is_clicked:
        made.setProperty("clicked_on", is_clicked)
        made.style().polish(made)
