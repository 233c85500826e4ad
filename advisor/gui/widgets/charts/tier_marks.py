"""The four answers as marks: each colour always with its own shape."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QWidget

from advisor.gui.base.context import Context
from advisor.gui.base.theme import Theme

MARK_PX = 12
_BAR_PX = 6
_LIGHT_RATIO = 0.4


def kind_mark(kind: str, theme: Theme, ratio: float, size: int = MARK_PX) -> QPixmap:
    """Return the mark of ``here`` (circle), ``buy`` (square), ``rent`` (diamond), ``cluster`` (triangle); or a ring."""
    pixmap = QPixmap(round(size * ratio), round(size * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _draw_mark(painter, kind, theme, float(size))
    painter.end()
    return pixmap


def _draw_mark(painter: QPainter, kind: str, theme: Theme, edge: float) -> None:
    if not kind:
        painter.setPen(QPen(theme.colour("muted"), edge / 6))
        painter.drawEllipse(QRectF(edge / 6, edge / 6, edge * 2 / 3, edge * 2 / 3))
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.colour(kind))
    if kind == "here":
        painter.drawEllipse(QRectF(1, 1, edge - 2, edge - 2))
    elif kind == "buy":
        painter.drawRect(QRectF(1.5, 1.5, edge - 3, edge - 3))
    else:
        painter.drawPolygon(_outline(kind, edge))


def _outline(kind: str, edge: float) -> QPolygonF:
    middle = edge / 2
    if kind == "rent":
        corners = [(middle, 0.0), (edge, middle), (middle, edge), (0.0, middle)]
    else:
        corners = [(middle, 1.0), (edge, edge - 1), (0.0, edge - 1)]
    return QPolygonF([QPointF(x, y) for x, y in corners])


def kind_icon(kind: str, theme: Theme, ratio: float) -> QIcon:
    """Return the mark as an icon, of the same colour in a chosen row: colours tell the answers apart."""
    icon, mark = QIcon(), kind_mark(kind, theme, ratio)
    for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):
        icon.addPixmap(mark, mode)
    return icon


class ShareBar(QWidget):
    """A share of a whole as a bar in the colour of an answer; the figure it draws stands beside it in words.

    Attributes:
        share: Of the run.
        start_share: Of what passes before it, which is drawn lighter.
    """

    def __init__(self, context: Context, kind: str, share: float, start_share: float = 0.0) -> None:
        super().__init__()
        self._context = context
        self._kind = kind
        self.share = share
        self.start_share = start_share
        self.setFixedHeight(_BAR_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the whole, the share with its start, and the share over it, which is never narrower than a dot."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        colour = self._context.theme.colour(self._kind)
        lighter = QColor(colour)
        lighter.setAlphaF(_LIGHT_RATIO)
        for brush, share in (
            (self._context.theme.colour("grid"), 1.0),
            (lighter, self.share + self.start_share if self.start_share else 0.0),
            (colour, self.share),
        ):
            painter.setBrush(brush)
            width = max(float(_BAR_PX), share * self.width())
            painter.drawRoundedRect(QRectF(0, 0, width, _BAR_PX), _BAR_PX / 2, _BAR_PX / 2)
