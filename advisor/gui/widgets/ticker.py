"""A text on a card that changes all the time: painted in place, so that no value lays out the page anew."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from advisor.gui.context import Context

_SMALL_RATIO = 12 / 14  # as small to body in the style sheet


class Ticker(QWidget):
    """One line of text, as wide as the widest it has shown."""

    def __init__(
        self, context: Context, *, is_bold: bool = False, is_left: bool = False, purpose: str = "text"
    ) -> None:
        super().__init__()
        self._context = context
        self._is_bold = is_bold
        self._purpose = purpose
        self._side = Qt.AlignmentFlag.AlignLeft if is_left else Qt.AlignmentFlag.AlignRight
        self._text = ""
        self._widest = 0
        self._drawn: QFont | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # else the card below is painted with it
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        context.theme_changed.connect(self.update)
        context.language_changed.connect(self._forget_width)

    def text(self) -> str:
        """Return what is shown."""
        return self._text

    def setText(self, text: str) -> None:
        """Show another text."""
        if text == self._text:
            return
        self._text = text
        width = QFontMetrics(self._font()).horizontalAdvance(text)
        if width > self._widest:
            self._widest = width
            self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the room for the widest text."""
        return QSize(self._widest + 2, QFontMetrics(self._font()).height())

    def minimumSizeHint(self) -> QSize:
        """Return the same: a value is never cut."""
        return self.sizeHint()

    def changeEvent(self, event: QEvent) -> None:
        """Measure again with another font."""
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self._drawn = None
            self._forget_width()
        super().changeEvent(event)

    def _font(self) -> QFont:
        if self._drawn is None:
            self.ensurePolished()
            self._drawn = QFont(self.font())
            self._drawn.setBold(self._is_bold)
            if self._purpose == "muted":
                self._drawn.setPixelSize(max(1, round(self.fontInfo().pixelSize() * _SMALL_RATIO)))
        return self._drawn

    def _forget_width(self) -> None:
        self._widest = QFontMetrics(self._font()).horizontalAdvance(self._text)
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the text at its side."""
        theme = self._context.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("surface"))
        painter.setFont(self._font())
        painter.setPen(theme.colour(self._purpose))
        painter.drawText(self.rect(), int(self._side | Qt.AlignmentFlag.AlignVCenter), self._text)
        painter.end()
