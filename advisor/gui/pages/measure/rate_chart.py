"""GFLOP/s against matrix size, one line a device and precision, named at its end."""

import math
from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QPointF

from advisor.gui.base.context import Context
from advisor.gui.models.measure import RateLine
from advisor.gui.widgets.charts.plot import Plot, Ticks, padded

_SYMBOLS = ("o", "s", "d", "t1", "+", "x")
_ROOM_FOR_NAMES = 0.42
_LEAST_DISTANCE = 0.07
_MARK_PX = 7
_LEAST_SPAN = math.log10(4)
_GAP = "\N{NO-BREAK SPACE}" * 2


class RateChart(Plot):
    """Lines of measured rates, empty marks where others disturbed a test; both axes logarithmic."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._lines: Sequence[RateLine] = ()
        self._items: list[tuple[pg.PlotDataItem, pg.TextItem]] = []

    def show_lines(self, lines: Sequence[RateLine], size_ticks: Ticks, rate_ticks: Ticks) -> None:
        """Show other lines."""
        self._lines = lines
        sizes = [math.log10(size) for line in lines for size, _rate in line.points]
        rates = [math.log10(rate) for line in lines for _size, rate in line.points]
        low, high = padded(min(sizes), max(sizes))
        high += _ROOM_FOR_NAMES * max(high - low, 0.5)
        middle = (min(rates) + max(rates)) / 2  # rates that differ by little are drawn as such
        bottom, top = padded(min(*rates, middle - _LEAST_SPAN / 2), max(*rates, middle + _LEAST_SPAN / 2), 0.1)
        self.set_scales(
            (low, high), (bottom, top), size_ticks, [tick for tick in rate_ticks if bottom <= tick[0] <= top]
        )
        self._draw()

    def apply_theme(self) -> None:
        """Put on the theme's colours."""
        super().apply_theme()
        if getattr(self, "_lines", ()):
            self._draw()

    def _draw(self) -> None:
        self._match(len(self._lines))
        theme = self._context.theme
        ends: list[float] = []
        bottom, top = self.view.viewRange()[1]
        apart = (top - bottom) * _LEAST_DISTANCE
        for position, (line, (curve, name)) in enumerate(zip(self._lines, self._items, strict=True)):
            colour = pg.mkColor(theme.series[position % len(theme.series)])
            xs = [math.log10(size) for size, _rate in line.points]
            ys = [math.log10(rate) for _size, rate in line.points]
            full, empty, pen = pg.mkBrush(colour), pg.mkBrush(theme.colour("surface")), self.pen(colour)
            brush = [empty if size in line.disturbed else full for size, _rate in line.points]
            curve.setData(xs, ys, pen=pen, symbolBrush=brush, symbolPen=pen)
            height = min([ys[-1], *(end - apart for end in ends)])
            ends.append(height)
            name.setText(f"{_GAP}{line.name}", color=colour)
            name.fill = pg.mkBrush(theme.colour("surface"))  # no line of the grid strikes it out
            name.setPos(QPointF(xs[-1], height))

    def _match(self, count: int) -> None:
        """Keep as many lines as there are to show."""
        while len(self._items) > count:
            for item in self._items.pop():
                self.erase(item)
        while len(self._items) < count:
            symbol = _SYMBOLS[len(self._items) % len(_SYMBOLS)]
            curve = pg.PlotDataItem(symbol=symbol, symbolSize=_MARK_PX, antialias=True)
            name = pg.TextItem(anchor=(0.0, 0.5))
            name.setFont(self.tick_font)
            name.setZValue(-1)  # the mark it stands beside lies on its ground
            self.draw(curve)
            self.draw(name)
            self._items.append((curve, name))
