"""A text that changes all the time: painted in place, so that no value lays out the page again."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QTextLayout,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from advisor.gui.base.context import Context
from advisor.gui.widgets.number_label import Explanation, explain
from advisor.report.provenance.record import Provenance, has_number

_SMALL_RATIO = 12 / 14  # as small to body in the style sheet
_LEAST_LETTERS = 10  # of the height of a line: the narrowest a sentence gets


Ask = Callable[[], Provenance | None]


class Ticker(QWidget):
    """A line of text, as wide as the widest it has shown; a number in it can be asked where it comes from.

    Where it is a sentence, it wraps, and is as high as the widest it has shown needs at its width.
    """

    def __init__(
        self,
        context: Context,
        *,
        is_bold: bool = False,
        is_left: bool = False,
        is_sentence: bool = False,
        purpose: str = "text",
        ground: str = "surface",
    ) -> None:
        super().__init__()
        self._context = context
        self._ground = ground
        self._ask: Ask | None = None
        self._is_bold, self._is_sentence = is_bold, is_sentence
        self._purpose = purpose
        self._side = Qt.AlignmentFlag.AlignLeft if is_left else Qt.AlignmentFlag.AlignRight
        self._text = ""
        self._widest, self._most = 0, ""
        self._drawn: QFont | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # else the card below is painted with it
        policy = QSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        if is_sentence:
            policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
            policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        context.theme_changed.connect(self.update)
        context.language_changed.connect(self._measure_width)

    def text(self) -> str:
        """Return what is shown."""
        return self._text

    @property
    def is_asked(self) -> bool:
        """Whether what is shown can be asked."""
        return self._ask is not None and has_number(self._text)

    def answer_with(self, ask: Ask | None) -> None:
        """Let the number be asked by click, Enter and Space; None: not any more."""
        self._ask = ask
        self._allow()

    def _allow(self) -> None:
        policy = Qt.FocusPolicy.TabFocus if self.is_asked else Qt.FocusPolicy.NoFocus
        if self.focusPolicy() != policy:
            self.setFocusPolicy(policy)
            self.setCursor(Qt.CursorShape.PointingHandCursor if self.is_asked else Qt.CursorShape.ArrowCursor)

    def explain(self) -> Explanation | None:
        """Open what is known about the number and return it; None where nothing is."""
        origin = self._ask() if self._ask is not None and self.is_asked else None
        return None if origin is None else explain(self._context, origin, self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Answer a click."""
        if self.is_asked and event.button() == Qt.MouseButton.LeftButton:
            self.explain()
        else:
            super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Answer Enter and Space."""
        if self.is_asked and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self.explain()
        else:
            super().keyPressEvent(event)

    def setText(self, text: str) -> None:
        """Show another text."""
        if text == self._text:
            return
        self._text = text
        self._allow()
        if QAccessible.isActive():  # otherwise nobody hears it
            self.setAccessibleName(text)
            self.setAccessibleDescription(self._context.gettext("Shows where this number comes from"))
        width = QFontMetrics(self._font()).horizontalAdvance(text)
        if width > self._widest:
            self._widest, self._most = width, text
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the room for the widest text."""
        return QSize(self._widest + 2, QFontMetrics(self._font()).height() + 2)

    def minimumSizeHint(self) -> QSize:
        """Return the same: a value is never cut; of a sentence the room of some words."""
        hint = self.sizeHint()
        return QSize(min(hint.width(), _LEAST_LETTERS * hint.height()), hint.height()) if self._is_sentence else hint

    def heightForWidth(self, width: int) -> int:
        """Return the height of the widest text at a width."""
        return len(self._lines(self._most, width)) * QFontMetrics(self._font()).height() + 2

    def _lines(self, text: str, width: int) -> list[str]:
        """Return a text in the lines it takes at a width; one where it does not wrap."""
        if not self._is_sentence:
            return [text]
        layout, found = QTextLayout(text, self._font()), []
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            found.append(text[line.textStart() : line.textStart() + line.textLength()].rstrip())
        layout.endLayout()
        return found

    def changeEvent(self, event: QEvent) -> None:
        """Measure again with another font."""
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self._drawn = None
            self._measure_width()
        super().changeEvent(event)

    def _font(self) -> QFont:
        if self._drawn is None:
            self.ensurePolished()
            self._drawn = QFont(self.font())
            self._drawn.setBold(self._is_bold)
            if self._purpose == "muted":
                self._drawn.setPixelSize(max(1, round(self.fontInfo().pixelSize() * _SMALL_RATIO)))
        return self._drawn

    def _measure_width(self) -> None:
        self._widest, self._most = QFontMetrics(self._font()).horizontalAdvance(self._text), self._text
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text at its side."""
        theme = self._context.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour(self._ground))
        painter.setFont(self._font())
        painter.setPen(theme.colour(self._purpose))
        lines = self._lines(self._text, self.width())
        rows = self._rows(len(lines))
        for row, line in zip(rows, lines, strict=True):
            painter.drawText(row, int(self._side | Qt.AlignmentFlag.AlignVCenter), line)
        if self.is_asked and self.hasFocus():
            painter.setPen(QPen(theme.colour("accent"), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        elif self.is_asked:
            painter.setPen(QPen(theme.colour("strong_border"), 1, Qt.PenStyle.DotLine))
            for row, line in zip(rows, lines, strict=True):
                self._underline(painter, row, line)
        painter.end()

    def _rows(self, count: int) -> list[QRect]:
        """Return the place of each line: below each other, and as high together as there is room."""
        height = self.height() // max(1, count)
        return [QRect(0, position * height, self.width(), height) for position in range(count)]

    def _underline(self, painter: QPainter, row: QRect, line: str) -> None:
        """Paint the dotted line of what can be asked."""
        width = QFontMetrics(self._font()).horizontalAdvance(line)
        left = 0 if self._side == Qt.AlignmentFlag.AlignLeft else self.width() - width
        painter.drawLine(left, row.bottom(), left + width, row.bottom())
