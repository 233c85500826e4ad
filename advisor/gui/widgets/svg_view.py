"""A chart of the report as it is printed, in the window: lines stay sharp at any size."""

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QWidget

_LEAST = QSize(240, 120)


class SvgView(QWidget):
    """Draws a picture of lines as large as there is room."""

    def __init__(self, svg: str = "") -> None:
        super().__init__()
        self._renderer = QSvgRenderer(self)
        if svg:
            self.show_svg(svg)

    def show_svg(self, svg: str) -> None:
        """Show another picture."""
        self._renderer.load(QByteArray(svg.encode()))
        self.update()

    def height_at(self, width: int) -> int:
        """Return how high the picture is at a width, both in pixels."""
        size = self._renderer.defaultSize()
        return round(width * size.height() / max(1, size.width()))

    def minimumSizeHint(self) -> QSize:
        """Return the smallest size at which it can be read."""
        return _LEAST

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint it in the middle, keeping its proportions."""
        size = self._renderer.defaultSize()
        if size.isEmpty():
            return
        shown = size.scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)
        left, top = (self.width() - shown.width()) / 2, (self.height() - shown.height()) / 2
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._renderer.render(painter, QRectF(left, top, shown.width(), shown.height()))
        painter.end()
