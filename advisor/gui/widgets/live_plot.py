"""A plot of sensors over the last minutes."""

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg

from advisor.gui.context import Context
from advisor.gui.models.live import Curve, Graph
from advisor.gui.widgets.live_tile import curve_pen
from advisor.gui.widgets.plot import Plot

_FILL_ALPHA = 36


class LivePlot(Plot):
    """Curves that move from right to left; the axes change only when their range does."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, tick_px=11)
        self._items: list[pg.PlotCurveItem] = []
        self._scales: tuple[float, float, str, str] | None = None
        self.set_axis_width(44)
        self.setMinimumHeight(72)

    def dress(self) -> None:
        """Put on the theme's colours."""
        super().dress()
        for position, item in enumerate(getattr(self, "_items", ())):
            self._style(item, position, is_filled=len(self._items) == 1)

    def show_graph(self, graph: Graph, ages_s: Sequence[float], span_s: float) -> None:
        """Draw the curves; ``ages_s`` is how long ago each value was read."""
        self._set_axes(graph, span_s)
        self._match(len(graph.curves))
        x = -np.asarray(ages_s, dtype=np.float64)
        for item, curve in zip(self._items, graph.curves, strict=True):
            item.setData(x, _values(curve))

    def _match(self, count: int) -> None:
        """Keep as many curves as there are sensors."""
        if len(self._items) == count:
            return
        for item in self._items:
            self.erase(item)
        self._items = [pg.PlotCurveItem(connect="finite", antialias=False) for _ in range(count)]
        for position, item in enumerate(self._items):
            self._style(item, position, is_filled=count == 1)
            self.draw(item)

    def _style(self, item: pg.PlotCurveItem, position: int, *, is_filled: bool) -> None:
        pen = curve_pen(position, self._context.theme)
        item.setPen(pen)
        if is_filled:
            colour = pen.color()
            colour.setAlpha(_FILL_ALPHA)
            item.setFillLevel(0.0)
            item.setBrush(pg.mkBrush(colour))

    def _set_axes(self, graph: Graph, span_s: float) -> None:
        language = self._context.language
        scales = (graph.full_scale, span_s, graph.unit, language.code)
        if scales == self._scales:
            return
        self._scales = scales
        values = [0.0, graph.full_scale / 2, graph.full_scale]
        texts = [language.number(value, 1 if graph.full_scale < 4 else 0) for value in values]
        texts[-1] = f"{texts[-1]} {graph.unit}"
        minutes = language.gettext("{n} min ago").format(n=language.number(span_s / 60, 1))
        now = language.gettext("now")
        y_ticks = list(zip(values, texts, strict=True))
        self.set_scales(
            (-span_s, 0.0), (0.0, graph.full_scale * 1.12), [(-span_s * 0.88, minutes), (-span_s * 0.03, now)], y_ticks
        )


def _values(curve: Curve) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    return np.fromiter(curve.values, dtype=np.float64, count=len(curve.values))
