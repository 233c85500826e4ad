"""A number that can be asked where it comes from: by click, Enter or Space."""

from __future__ import annotations

import re
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QPainter,
    QPaintEvent,
    QPen,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from advisor.gui.base.context import Context
from advisor.gui.widgets.basic import GRID, NO_LIMIT, button, label
from advisor.gui.widgets.value_menu import add_origin, value_menu
from advisor.report.provenance.record import Provenance, behind, has_number, provenance_rows

_WIDTH = 56 * GRID
_NAME_WIDTH = 17 * GRID
_LEAST_ROOM = 30 * GRID


_NUMBER = re.compile(
    r"(?<!\S)[(“«±]?(?P<number>(?P<currency>[A-Z]{1,3}[$€£¥]|S/|[A-Z]{3,4}\u00a0|[^\s\w])?(?P<digits>\d\S*))"
)
"""With the sign of its currency, which may have letters: MX$14,200, S/310, USD 843 with a space that does not break."""
_NAME = re.compile(
    r"(?!L\d$)[A-Z][A-Z\d]+|GNU/Linux|Windows|macOS|Debian|Ubuntu|Fedora|Llama|Gemma|Falcon|Phi"
    r"|Xeon|Bronze|Silver|Gold|Platinum|Core|Ultra|Pentium|Celeron|Ryzen|Threadripper|Athlon|Opteron|Radeon|Arc|Gaudi"
)
"""A word before a number that is part of a name, such as RTX 3060; the size of a cache is none: L2 2 MB."""
_MONTH = r"(?:jan|ene|feb|mar|apr|abr|may|jun|jul|aug|ago|sep|oct|nov|dec|dic)[a-z]*\.?"
_DATE = re.compile(
    rf"\b(?:\d{{1,2}}\s(?:de\s)?)?{_MONTH}\s(?:de\s)?(?:\d{{1,2}},\s)?\d{{4}}\b"
    r"|\b\d{4}-\d\d-\d\d\b|\b\d{1,2}:\d\d\b",
    re.IGNORECASE,
)
"""A day, or a time of day: whoever reads on is not to take it for a figure."""
_NO_HUNDREDTHS = re.compile(r"[.,]00$")
_LETTER = re.compile(r"[A-Za-z]")
"""In a number it makes a name of it, such as 8x7B: units stand apart."""


def number_spans(text: str) -> list[tuple[int, int]]:
    """Return from where to where the numbers of a sentence go; those of names are none: RTX 3060, Qwen3 8B."""
    spans = []
    for found in _NUMBER.finditer(text):
        before = text[: found.start()].split()
        is_name = _LETTER.search(found["digits"]) or (before and _NAME.fullmatch(before[-1]))
        if not is_name:
            start, end = found.span("number")
            spans.append((start, start + len(text[start:end].rstrip(".,;:!?)”»"))))
    return spans


def asked_spans(text: str, origin: Provenance) -> list[tuple[int, int]]:
    """Return from where to where the numbers of a sentence go that its explanation tells of; else all but its dates."""
    every, dates = number_spans(text), [found.span() for found in _DATE.finditer(text)]
    spans = [one for one in every if not any(start < one[1] and one[0] < end for start, end in dates)] or every
    known = (origin.value, origin.band, *(said for _name, said in origin.inputs))
    told = {_whole(said[start:end]) for said in known for start, end in number_spans(said)}
    return [(start, end) for start, end in spans if _whole(text[start:end]) in told] or spans


def _whole(number: str) -> str:
    """Return a number without hundredths that are none: the parts of a sum have them, the sum in a sentence not."""
    return _NO_HUNDREDTHS.sub("", number)


class _Words(QLabel):
    """Words with a dotted line under each number that can be asked.

    Attributes:
        spans: From where to where these numbers go.

    Signals:
        letters_changed: They are larger or smaller now.
    """

    letters_changed = Signal()

    def __init__(self, role: str) -> None:
        super().__init__()
        self.setProperty("role", role)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.spans: list[tuple[int, int]] = []

    def changeEvent(self, event: QEvent) -> None:
        """Tell when the letters have another size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.letters_changed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the words, then the lines under the numbers."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(QPen(self.palette().placeholderText().color(), 1, Qt.PenStyle.DotLine))
        for start, end, below in self._lines():
            painter.drawLine(QPointF(start, below), QPointF(end, below))
        painter.end()

    def _lines(self) -> list[tuple[float, float, float]]:
        """Return where the lines begin and end, and how far down, with the words laid out as the label does."""
        layout = QTextLayout(self.text(), self.font())
        layout.setTextOption(QTextOption(self.alignment()))
        room, leading, height = self.contentsRect(), self.fontMetrics().leading(), 0.0
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(room.width())
            line.setPosition(QPointF(0, height))
            height += line.height() + leading
        layout.endLayout()
        top = room.top() + max(0.0, (room.height() - height + leading) / 2)
        found = []
        for first, last in self.spans:
            line = layout.lineForTextPosition(first)
            end = min(last, line.textStart() + line.textLength())
            below = top + line.y() + line.ascent() + 2
            found.append((_x_of(line, first), _x_of(line, end), below))
        return found


def _x_of(line: QTextLine, position: int) -> float:
    """Return how far to the right a letter of a line stands; the binding gives the letter as well."""
    place: Any = line.cursorToX(position)
    return float(place[0] if isinstance(place, tuple) else place)


class Figure(QPushButton):
    """A value as a flat button; it opens what is known about the value's origin.

    The text wraps where the figure is made to, so that a whole sentence can be asked too; its numbers are underlined.
    """

    def __init__(self, context: Context, *, role: str = "body", wrap: bool = False) -> None:
        super().__init__()
        self._context = context
        self.origin: Provenance | None = None
        self.setProperty("role", "statement" if wrap else "figure")
        self.setAutoDefault(True)  # Enter presses it
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._words = _Words(role) if wrap else label(role, wrap=False)
        if isinstance(self._words, _Words):
            self._words.letters_changed.connect(self._hug)
        self._words.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._room = QVBoxLayout(self)
        self._room.setContentsMargins(*((2, 2, 2, 2) if role == "chip" else (0, 0, 2, 1)))  # a chip hides the frame
        self._room.addWidget(self._words)
        horizontal = QSizePolicy.Policy.Preferred if wrap else QSizePolicy.Policy.Maximum
        self.setSizePolicy(horizontal, QSizePolicy.Policy.Minimum)
        self.clicked.connect(lambda _checked=False: self.explain())

    def show_value(self, text: str, origin: Provenance) -> None:
        """Show a value, or a sentence around it, and know where it comes from."""
        _ = self._context.gettext
        self.origin = behind(text, origin)
        if isinstance(self._words, _Words):
            self._words.spans = asked_spans(text, self.origin)
        self._words.setText(text)
        self._hug()
        self.setAccessibleName(text)
        asked = _("Shows where this number comes from")
        self.setAccessibleDescription(asked if origin.title in text else f"{origin.title}. {asked}")
        self.setToolTip(origin.basis)

    def set_wrap(self, *, is_wrapped: bool) -> None:
        """Let a value go on in a second line where it has too little room for one, or not."""
        self._words.setWordWrap(is_wrapped)
        policy = QSizePolicy.Policy.Preferred if is_wrapped else QSizePolicy.Policy.Maximum
        self.setSizePolicy(policy, QSizePolicy.Policy.Minimum)
        self.setMaximumWidth(NO_LIMIT)
        self._hug()

    def _hug(self) -> None:
        """Be no wider than the words, so that the line below them ends where they do."""
        if not self._words.wordWrap() or not self._words.text():
            return
        self._words.ensurePolished()  # its font; once shown, a change of size would come too late for the page
        self._words.setWordWrap(False)
        self.setMaximumWidth(self._room.sizeHint().width() + GRID)
        self._words.setWordWrap(True)

    def shown(self) -> str:
        """Return the text that is shown."""
        return self._words.text()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the number."""
        self.open_menu(event.globalPos())

    def open_menu(self, place: QPoint) -> QMenu:
        """Open a menu: copy the number, ask what it is, open its source."""
        origin = self.origin
        value = origin.value if origin is not None and origin.value else self.shown()
        menu = value_menu(self._context, self, value)
        add_origin(self._context, menu, origin, self.explain)
        menu.popup(place)
        return menu

    def explain(self) -> Explanation | None:
        """Open the explanation below the number and return it; None where nothing is known."""
        if self.origin is None:
            return None
        return explain(self._context, self.origin, self)

    def sizeHint(self) -> QSize:
        """Return what the words need."""
        return self._room.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Return what the words need at least."""
        return self._room.minimumSize()


def at_left(figure: Figure) -> QHBoxLayout:
    """Return a row in which a figure takes the width its words need, at the left."""
    row = QHBoxLayout()
    row.setSpacing(0)
    row.addWidget(figure, 1)
    row.addStretch(0)
    return row


class Statement(QWidget):
    """A sentence that wraps; one with a number in it can be asked where that comes from.

    Attributes:
        figure: The sentence, where it can be asked; None before the first such.
    """

    def __init__(self, context: Context, role: str = "body") -> None:
        super().__init__()
        self._context = context
        self._role = role
        self._plain: QLabel | None = None
        self.figure: Figure | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    def show_text(self, text: str, origin: Provenance | None) -> Statement:
        """Show a sentence, and return itself."""
        is_asked = origin is not None and has_number(text)
        if origin is not None and is_asked:
            self._asked().show_value(text, origin)
        else:
            self._unasked().setText(text)
        for made, is_shown in ((self.figure, is_asked), (self._plain, not is_asked)):
            if made is not None:
                made.setVisible(is_shown)
        return self

    def text(self) -> str:
        """Return the sentence."""
        if self.figure is not None and not self.figure.isHidden():
            return self.figure.shown()
        return "" if self._plain is None else self._plain.text()

    def _asked(self) -> Figure:
        if self.figure is None:
            self.figure = Figure(self._context, role=self._role, wrap=True)
            self._column.addLayout(at_left(self.figure))
        return self.figure

    def _unasked(self) -> QLabel:
        if self._plain is None:
            self._plain = label(self._role, selectable=True)
            self._column.addWidget(self._plain)
        return self._plain


class Explanation(QFrame):
    """What is known about one number; closed by Esc or a click elsewhere."""

    def __init__(self, context: Context, origin: Provenance, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("explanation")
        self._context = context
        self._origin = origin
        _ = context.gettext
        self.setAccessibleName(_("Where this number comes from"))
        self.copy = button("link", self._copy)
        self.done = button("link", self.close)
        self.copy.setText(_("Copy"))
        self.done.setText(_("Close"))
        self.body = QScrollArea()  # what is known may be more than the window is high
        self._actions = QHBoxLayout()
        self._column = QVBoxLayout()
        self._build()

    def _build(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        whole.setSpacing(GRID)
        known = QWidget()
        known.setLayout(self._column)
        self._build_known()
        self.body.setFrameShape(QFrame.Shape.NoFrame)
        self.body.setWidgetResizable(True)
        self.body.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.body.setWidget(known)
        for shown in (self.body.viewport(), known):
            shown.setAutoFillBackground(False)  # else it has the window's colour, not that of the explanation
        whole.addWidget(self.body, 1)
        self._actions.addWidget(self.copy)
        self._actions.addStretch(1)
        self._actions.addWidget(self.done)
        whole.addLayout(self._actions)

    def _build_known(self) -> None:
        column = self._column
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GRID)
        if self._origin.title:
            column.addWidget(_line("muted", self._origin.title))
        column.addWidget(_line("title" if self._origin.title else "strong", self._origin.value))
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * GRID)
        grid.setVerticalSpacing(GRID // 2)
        grid.setColumnMinimumWidth(0, round(_NAME_WIDTH * self._context.text_scale))
        grid.setColumnStretch(1, 1)
        rows = provenance_rows(self._origin, self._context.language)
        for position, (name, text) in enumerate(rows):
            grid.addWidget(_line("muted", name), position, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(_line("body", text), position, 1)
        column.addLayout(grid)
        if self._origin.check:
            column.addWidget(_line("muted", self._context.gettext("To check it, in a terminal:")))
            column.addWidget(_line("code", self._origin.check))

    def as_text(self) -> str:
        """Return all of it as lines, to be pasted elsewhere."""
        rows = provenance_rows(self._origin, self._context.language)
        head = ": ".join(filter(None, (self._origin.title, self._origin.value)))
        lines = [head, *(f"{name}: {text}" for name, text in rows)]
        return "\n".join([*lines, f"$ {self._origin.check}"] if self._origin.check else lines)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.as_text())
        self.copy.setText(self._context.gettext("Copied"))

    def open_below(self, anchor: QWidget, place: QRect) -> None:
        """Open under a part of a widget, or above it, always within its window, and take the keyboard."""
        self.ensurePolished()
        room = _room_around(anchor).adjusted(0, 0, -GRID, -GRID)
        width = min(round(_WIDTH * self._context.text_scale), room.width())
        if self._height(width) > room.height():  # large letters in a small window
            width = min(2 * width, room.width())
        self.setFixedSize(width, min(self._height(width), room.height()))
        around = QRect(anchor.mapToGlobal(place.topLeft()), place.size())
        self.move(_beside(around, self.size(), room))
        self.show()
        self.done.setFocus(Qt.FocusReason.PopupFocusReason)

    def _height(self, width: int) -> int:
        """Return how high all that is known is with the actions, at a width."""
        frame = self.contentsMargins()
        margins = 4 * GRID + frame.left() + frame.right(), 4 * GRID + frame.top() + frame.bottom()
        known = self._column.totalHeightForWidth(width - margins[0])
        return known + GRID + self._actions.sizeHint().height() + margins[1]


def explain(context: Context, origin: Provenance, anchor: QWidget, place: QRect | None = None) -> Explanation:
    """Open what is known about a number under a widget, or under a part of it such as a table's cell."""
    opened = Explanation(context, origin, anchor)
    opened.open_below(anchor, anchor.rect() if place is None else place)
    return opened


def _room_around(anchor: QWidget) -> QRect:
    """Return the window's content, below its title bar, on the screen; all of the screen where that is little."""
    window, screen = anchor.window(), anchor.screen().availableGeometry()
    while (owner := window.parentWidget()) is not None:  # a dialog is small
        window = owner.window()
    content = QRect(window.mapToGlobal(QPoint(0, 0)), window.size()) & screen
    return content if min(content.width(), content.height()) >= _LEAST_ROOM else screen


def _beside(around: QRect, size: QSize, room: QRect) -> QPoint:
    gap = GRID // 2
    below, above = around.bottom() + gap, around.top() - gap - size.height()
    top = below if below + size.height() <= room.bottom() or above < room.top() else above
    x = max(room.left(), min(around.left(), room.right() - size.width()))
    return QPoint(x, max(room.top(), min(top, room.bottom() - size.height())))


def _line(role: str, text: str) -> QLabel:
    made = label(role, selectable=True)
    made.setText(text)
    return made
