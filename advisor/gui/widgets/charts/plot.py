"""Plots in the house style, over pyqtgraph; imported only where a plot is shown, because pyqtgraph loads slowly.

Pens have width 1, because wider antialiased lines cost 20 to 400 times as much; grids are a few single lines, because
pyqtgraph's own grid costs ten times the curves; nothing redraws by itself.
"""

from collections.abc import Callable, Sequence
from functools import partial

import pyqtgraph as pg
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QGraphicsGridLayout

from advisor.gui.base.context import Context

Ticks = Sequence[tuple[float, str]]
_MARGIN_RATIO = 0.06
_TICK_PX = 12


class Plot(pg.GraphicsView):  # type: ignore[misc]  # pyqtgraph ships no types
    """A plot without menus, frames and mouse gestures, in the theme's colours.

    Made of a view and two axes only: pyqtgraph's PlotWidget builds menus nobody sees, 14 ms and 15 hidden windows each;
    this takes 2.6 ms.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(background=None)
        self._context = context
        self.view = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0)
        self._axes = {side: pg.AxisItem(side) for side in ("left", "bottom")}
        self._title: pg.LabelItem | None = None
        self.name_again: Callable[[], None] = lambda: None
        self._grid = pg.PlotCurveItem(connect="pairs", antialias=False)
        self._grid.setZValue(-10)
        self.view.addItem(self._grid, ignoreBounds=True)
        self._lay_out()
        self.setFrameShape(self.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)  # else a screen reader meets it twice, once nameless
        self.tick_font = QFont(self.font())
        self.apply_theme()
        context.theme_changed.connect(self.apply_theme)

    def _lay_out(self) -> None:
        holder = pg.GraphicsWidget()
        layout = self._layout = QGraphicsGridLayout()
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addItem(self._axes["left"], 1, 0)
        layout.addItem(self.view, 1, 1)
        layout.addItem(self._axes["bottom"], 2, 1)
        holder.setLayout(layout)
        for axis in self._axes.values():
            axis.linkToView(self.view)
        self.setCentralItem(holder)

    def apply_theme(self) -> None:
        """Put on the theme's colours, and the size of its words."""
        theme = self._context.theme
        self.setBackground(theme.colour("surface"))
        self.tick_font.setPixelSize(round(_TICK_PX * self._context.text_scale))
        for axis in self._axes.values():
            axis.setStyle(tickFont=self.tick_font, tickLength=0, hideOverlappingLabels=True)
            axis.setPen(pg.mkPen(theme.colour("grid"), width=1))
            axis.setTextPen(pg.mkPen(theme.colour("muted")))
        self._grid.setPen(pg.mkPen(theme.colour("grid"), width=1))
        self.name_again()

    def sizeHint(self) -> QSize:
        """Return a small size; the layout gives what there is."""
        return QSize(240, 100)

    def minimumSizeHint(self) -> QSize:
        """Return the smallest size at which the axes can be read."""
        return QSize(160, 66)

    def wheelEvent(self, event: object) -> None:
        """Leave the wheel to the page, which scrolls."""
        event.ignore()  # type: ignore[attr-defined]  # Qt hands a QWheelEvent

    def name_axes(self, bottom: str, left: str) -> None:
        """Title the axes."""
        style = {"color": self._context.theme.colours["muted"], "font-size": f"{self.tick_font.pixelSize()}px"}
        for side, text in (("bottom", bottom), ("left", left)):
            self._axes[side].setLabel(text, **style)
        self.name_again = partial(self.name_axes, bottom, left)  # titles keep the size of letters they were set in

    def name_axes_flat(self, bottom: str, left: str) -> None:
        """Title the axes, the left one flat above it: a low plot has no room for it upright."""
        self.name_axes(bottom, "")
        self._axes["left"].showLabel(False)
        if self._title is None:
            self._title = pg.LabelItem(justify="left")
            self._layout.addItem(self._title, 0, 0, 1, 2)
        size = f"{self.tick_font.pixelSize()}px"
        self._title.setText(f"↑ {left}", color=self._context.theme.colours["muted"], size=size)
        self.name_again = partial(self.name_axes_flat, bottom, left)

    def set_scales(self, x: tuple[float, float], y: tuple[float, float], x_ticks: Ticks, y_ticks: Ticks) -> None:
        """Set the ranges and the marks of the axes, with a line at each mark of the left one."""
        self.view.setXRange(*x, padding=0)
        self.view.setYRange(*y, padding=0)
        self._axes["bottom"].setTicks([list(x_ticks)])
        self._axes["left"].setTicks([list(y_ticks)])
        xs = [end for _ in y_ticks for end in x]
        ys = [value for value, _text in y_ticks for _ in range(2)]
        self._grid.setData(xs, ys)

    def draw(self, item: object) -> None:
        """Add an item that does not change the ranges."""
        self.view.addItem(item, ignoreBounds=True)

    def erase(self, item: object) -> None:
        """Remove an item."""
        self.view.removeItem(item)

    @staticmethod
    def pen(colour: QColor) -> object:
        """Return a pen of width 1."""
        return pg.mkPen(colour, width=1)


def padded(low: float, high: float, ratio: float = _MARGIN_RATIO) -> tuple[float, float]:
    """Return a range with a little room at both ends."""
    room = (high - low) * ratio or 0.5
    return low - room, high + room
