"""The keys of the window, and the card that lists them."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, button, label
from advisor.locale import N_

_FRAME = 8 * GRID  # of a window: its title and what is around

CHECK_KEYS = ("F5", "Ctrl+R", "Ctrl+Return")
HELP_KEYS = ("F1", "?")
STOP_KEYS = ("Escape",)
TWIN_KEYS = ("Ctrl+T",)
CLOSE_KEYS = ("Ctrl+Q",)
COPY_KEYS = ("Ctrl+C",)
SHARE_KEYS = ("Ctrl+S",)

SHORTCUTS = (
    ("Ctrl+1 … 9, 0", N_("Open a page")),
    (N_("F5, Ctrl+R, Ctrl+Enter"), N_("Check my computer")),
    ("Esc", N_("Stop the check")),
    ("Ctrl+T", N_("Show a chart as a table, and back")),
    ("Tab", N_("To the next control; Shift+Tab to the one before")),
    (N_("Enter, Space"), N_("On a number: where it comes from")),
    ("Ctrl+Z", N_("In a question: undo the last change; Ctrl+Shift+Z does it again")),
    ("Ctrl+F", N_("In the options: search")),
    ("F2", N_("In the history: name the check")),
    (N_("Del"), N_("In the history: delete the chosen checks")),
    ("Ctrl+C", N_("On the answer: copy it, where nothing is selected")),
    ("Ctrl+S", N_("On the answer: save or share it; in that window: save")),
    (N_("Ctrl+wheel"), N_("On the chart of options: zoom; drag to move it, double click to see all")),
    (N_("Ctrl+wheel"), N_("On a live graph: more or less time; with Shift: earlier or later")),
    ("F1, ?", N_("This list")),
    ("Ctrl+Q", N_("Close the window")),
)


def bind(window: QWidget, keys: tuple[str, ...], slot: Callable[[], object]) -> QAction:
    """Let keys do something, wherever in the window they are pressed, and return what can be disabled."""
    action = QAction(window)
    action.setShortcuts([QKeySequence(one) for one in keys])
    action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
    action.triggered.connect(lambda _checked=False: slot())
    window.addAction(action)
    return action


class ShortcutsDialog(QDialog):
    """Every key that does something in the window."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        _ = context.gettext
        self.setWindowTitle(_("Keyboard"))
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * GRID, 3 * GRID, 3 * GRID, 2 * GRID)
        column.setSpacing(2 * GRID)
        title = label("title")
        title.setText(_("Keyboard"))
        column.addWidget(title)
        self._keys = _Keys(context)
        self._area = area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(self._keys)
        column.addWidget(area, 1)
        row = QHBoxLayout()
        row.addStretch(1)
        done = button("plain", self.close)
        done.setText(_("Close"))
        row.addWidget(done)
        column.addLayout(row)
        self._fit(parent.screen().availableSize())

    def _fit(self, room: QSize) -> None:
        """Be as large as the words, or as the screen: then they wrap, and are scrolled."""
        self.ensurePolished()
        sides = 6 * GRID + self._area.verticalScrollBar().sizeHint().width()
        width = min(self._keys.widest() + sides, room.width() - 4 * GRID)
        around = self.sizeHint().height() - self._area.sizeHint().height()
        height = around + self._keys.heightForWidth(width - sides)
        self.resize(width, min(height, room.height() - _FRAME))


class _Keys(QWidget):
    """Keys, and beside each what it does."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        _ = context.gettext
        self._form = QFormLayout(self)
        self._form.setContentsMargins(0, 0, 0, 0)
        self._form.setHorizontalSpacing(4 * GRID)
        self._form.setVerticalSpacing(GRID)
        self._meanings: list[QLabel] = []
        for keys, meaning in SHORTCUTS:
            name, words = label("strong", wrap=False), label("body")
            name.setText(_(keys))
            words.setText(_(meaning))
            self._form.addRow(name, words)
            self._meanings.append(words)

    def widest(self) -> int:
        """Return the width in which no words wrap."""
        for words in self._meanings:
            words.setWordWrap(False)
        width = self._form.sizeHint().width()
        for words in self._meanings:
            words.setWordWrap(True)
        return width
