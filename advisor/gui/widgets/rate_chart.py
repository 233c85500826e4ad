"""GFLOP/s against matrix size, one line a device and precision, named at its end."""

import math
from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QPointF

from advisor.gui.context import Context
from advisor.gui.models.measure import RateLine
from advisor.gui.widgets.plot import Plot, Ticks, padded

_SYMBOLS = ("o", "s", "d", "t1", "+", "x")
_ROOM_FOR_NAMES = 0.42
_GAP = "\N{NO-BREAK SPACE}" * 2


class RateChart(Plot):
    """Lines of measured rates; both axes logarithmic."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._lines: Sequence[RateLine] = ()
        self._items: list[pg.GraphicsObject] = []

    def show_lines(self, lines: Sequence[RateLine], size_ticks: Ticks, rate_ticks: Ticks) -> None:
        """Show other lines."""
        self._lines = lines
        sizes = [math.log10(size) for line in lines for size, _rate in line.points]
        rates = [math.log10(rate) for line in lines for _size, rate in line.points]
        low, high = padded(min(sizes), max(sizes))
        high += _ROOM_FOR_NAMES * max(high - low, 0.5)
        bottom, top = padded(min(rates), max(rates), 0.1)
        self.set_scales(
            (low, high), (bottom, top), size_ticks, [tick for tick in rate_ticks if bottom <= tick[0] <= top]
        )
        self._draw()

    def dress(self) -> None:
        """Put on the theme's colours."""
        super().dress()
        if getattr(self, "_lines", ()):
            self._draw()

    def _draw(self) -> None:
        for item in self._items:
            self.erase(item)
        self._items = []
        theme = self._context.theme
        ends: list[float] = []
        bottom, top = self.view.viewRange()[1]
        apart = (top - bottom) * 0.07
        for position, line in enumerate(self._lines):
            colour = pg.mkColor(theme.series[position % len(theme.series)])
            xs = [math.log10(size) for size, _rate in line.points]
            ys = [math.log10(rate) for _size, rate in line.points]
            curve = pg.PlotDataItem(
                xs,
                ys,
                pen=self.pen(colour),
                symbol=_SYMBOLS[position % len(_SYMBOLS)],
                symbolSize=7,
                symbolBrush=pg.mkBrush(colour),
                symbolPen=self.pen(colour),
                antialias=True,
            )
            self.draw(curve)
            height = min([ys[-1], *(end - apart for end in ends)])
            ends.append(height)
            name = pg.TextItem(f"{_GAP}{line.name}", color=colour, anchor=(0.0, 0.5))
            name.setFont(self.tick_font)
            name.setPos(QPointF(xs[-1], height))
            self.draw(name)
            self._items += [curve, name]
