"""A chart of the report as it is printed, in the window: lines stay sharp at any size."""

import re

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QWidget

_LEAST = QSize(240, 120)
_LEAST_GROWTH = 0.02
_LETTERS = re.compile(r"font-size: ([\d.]+)px")


class SvgView(QWidget):
    """Draws a picture of lines as large as there is room.

    Attributes:
        text_growth: So many times larger the letters may become where the picture is made smaller; as many as it has
            room for.
    """

    def __init__(self, svg: str = "", *, text_growth: float = 1.0) -> None:
        super().__init__()
        self.text_growth = text_growth
        self._svg = ""
        self._grown = 1.0
        self._renderer = QSvgRenderer(self)
        if svg:
            self.show_svg(svg)

    def show_svg(self, svg: str) -> None:
        """Show another picture."""
        self._svg = svg
        self._load()

    def _load(self) -> None:
        self._renderer.load(QByteArray(with_letters(self._svg, self._grown).encode()))
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the letters readable where the picture is made smaller."""
        super().resizeEvent(event)
        shown = self._shown()
        if shown.isEmpty() or self.text_growth <= 1.0:
            return
        grown = min(self.text_growth, max(1.0, self._renderer.defaultSize().width() / shown.width()))
        if abs(grown - self._grown) > _LEAST_GROWTH:
            self._grown = grown
            self._load()

    def _shown(self) -> QSize:
        """Return how large the picture is shown."""
        return self._renderer.defaultSize().scaled(self.size(), Qt.AspectRatioMode.KeepAspectRatio)

    def height_at(self, width: int) -> int:
        """Return how high the picture is at a width, both in pixels."""
        size = self._renderer.defaultSize()
        return round(width * size.height() / max(1, size.width()))

    def minimumSizeHint(self) -> QSize:
        """Return the smallest size at which it can be read."""
        return _LEAST

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint it in the middle, keeping its proportions."""
        shown = self._shown()
        if shown.isEmpty():
            return
        left, top = (self.width() - shown.width()) / 2, (self.height() - shown.height()) / 2
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._renderer.render(painter, QRectF(left, top, shown.width(), shown.height()))
        painter.end()


def with_letters(svg: str, times: float) -> str:
    """Return a picture with larger letters."""
    return _LETTERS.sub(lambda found: f"font-size: {times * float(found[1]):.4g}px", svg)
