"""Plots in the house style, over pyqtgraph; imported only where a plot is shown, because pyqtgraph loads slowly.

Pens have width 1, because wider antialiased lines cost 20 to 400 times as much; grids are a few single lines, because
pyqtgraph's own grid costs ten times the curves; nothing redraws by itself.
"""

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QFont

from advisor.gui.context import Context

Ticks = Sequence[tuple[float, str]]
_MARGIN_RATIO = 0.06


class Plot(pg.PlotWidget):  # type: ignore[misc]  # pyqtgraph ships no types
    """A plot without menus, frames and mouse gestures, in the theme's colours."""

    def __init__(self, context: Context, *, tick_px: int = 12) -> None:
        super().__init__(background=None)
        self._context = context
        self._grid = pg.PlotCurveItem(connect="pairs", antialias=False)
        self._grid.setZValue(-10)
        self.addItem(self._grid, ignoreBounds=True)
        item = self.getPlotItem()
        item.setMenuEnabled(False)
        item.hideButtons()
        item.setMouseEnabled(x=False, y=False)
        item.getViewBox().setDefaultPadding(0)
        self.setFrameShape(self.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._tick_font = QFont(self.font())
        self._tick_font.setPixelSize(tick_px)
        for side in ("left", "bottom"):
            axis = item.getAxis(side)
            axis.setStyle(tickFont=self._tick_font, tickLength=0, hideOverlappingLabels=True)
        self.dress()
        context.theme_changed.connect(self.dress)

    def dress(self) -> None:
        """Put on the theme's colours."""
        theme = self._context.theme
        self.setBackground(theme.colour("surface"))
        for side in ("left", "bottom"):
            axis = self.getPlotItem().getAxis(side)
            axis.setPen(pg.mkPen(theme.colour("grid"), width=1))
            axis.setTextPen(pg.mkPen(theme.colour("muted")))
        self._grid.setPen(pg.mkPen(theme.colour("grid"), width=1))

    def sizeHint(self) -> QSize:
        """Return a small size; the layout gives what there is."""
        return QSize(240, 120)

    def minimumSizeHint(self) -> QSize:
        """Return the smallest size at which the axes can be read."""
        return QSize(160, 80)

    def wheelEvent(self, event: object) -> None:
        """Leave the wheel to the page, which scrolls."""
        event.ignore()  # type: ignore[attr-defined]  # Qt hands a QWheelEvent

    def name_axes(self, bottom: str, left: str) -> None:
        """Title the axes."""
        item = self.getPlotItem()
        style = {"color": self._context.theme.colours["muted"], "font-size": f"{self._tick_font.pixelSize()}px"}
        for side, text in (("bottom", bottom), ("left", left)):
            item.getAxis(side).setLabel(text or None, **style)
            item.getAxis(side).showLabel(bool(text))

    def set_scales(self, x: tuple[float, float], y: tuple[float, float], x_ticks: Ticks, y_ticks: Ticks) -> None:
        """Set the ranges and the marks of the axes, with a line at each mark of the left one."""
        item = self.getPlotItem()
        self.setXRange(*x, padding=0)
        self.setYRange(*y, padding=0)
        item.getAxis("bottom").setTicks([list(x_ticks)])
        item.getAxis("left").setTicks([list(y_ticks)])
        xs = [end for _ in y_ticks for end in x]
        ys = [value for value, _text in y_ticks for _ in range(2)]
        self._grid.setData(xs, ys)

    def pen(self, colour: QColor) -> object:
        """Return a pen of width 1."""
        return pg.mkPen(colour, width=1)


def padded(low: float, high: float, ratio: float = _MARGIN_RATIO) -> tuple[float, float]:
    """Return a range with a little room at both ends."""
    room = (high - low) * ratio or 0.5
    return low - room, high + room
