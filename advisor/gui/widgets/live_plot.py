"""A plot of sensors over the last minutes."""

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg

from advisor.gui.context import Context
from advisor.gui.models.live import Curve, Graph
from advisor.gui.widgets.live_tile import curve_pen
from advisor.gui.widgets.plot import Plot
from advisor.locale import Language
from advisor.units import MINUTE_S

_AXIS_WIDTH = 54
_ROOM_FOR_NOW = 14
_HEADROOM = 1.12
_NOW_SHARE = 0.02  # a little left of the end, so that the word has room


class LivePlot(Plot):
    """Curves that move from right to left; the axes change only when their range does."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, tick_px=11)
        self._items: list[pg.PlotCurveItem] = []
        self._styles: tuple[int, ...] = ()
        self._scales: tuple[float, float, str, str] | None = None
        self.set_axis_width(_AXIS_WIDTH)
        self.make_room(_ROOM_FOR_NOW)
        self.setMinimumHeight(66)

    def dress(self) -> None:
        """Put on the theme's colours."""
        super().dress()
        self._styles = ()

    def show_graph(self, graph: Graph, ages_s: Sequence[float], span_s: float) -> None:
        """Draw the curves; ``ages_s`` is how long ago each value was read."""
        self._set_axes(graph, span_s)
        self._match(tuple(curve.style for curve in graph.curves))
        x = -np.asarray(ages_s, dtype=np.float64)
        for item, curve in zip(self._items, graph.curves, strict=True):
            item.setData(x, _values(curve))

    def _match(self, styles: tuple[int, ...]) -> None:
        """Keep as many curves as there are sensors, each in its own style."""
        if styles == self._styles:
            return
        self._styles = styles
        while len(self._items) > len(styles):
            self.erase(self._items.pop())
        while len(self._items) < len(styles):
            item = pg.PlotCurveItem(connect="finite", antialias=False)
            self.draw(item)
            self._items.append(item)
        for item, style in zip(self._items, styles, strict=True):
            item.setPen(curve_pen(style, self._context.theme, is_alone=len(styles) == 1))

    def _set_axes(self, graph: Graph, span_s: float) -> None:
        language = self._context.language
        scales = (graph.full_scale, span_s, graph.unit, language.code)
        if scales == self._scales:
            return
        self._scales = scales
        values = [0.0, graph.full_scale / 2, graph.full_scale]
        texts = [language.number(value, 1 if graph.full_scale < 4 else 0) for value in values]
        texts[-1] = f"{texts[-1]} {graph.unit}"
        x_ticks = [(-span_s * share, ago_text(span_s * share, language)) for share in (0.8, 0.4)]
        x_ticks.append((-span_s * _NOW_SHARE, language.gettext("now")))
        y_ticks = list(zip(values, texts, strict=True))
        self.set_scales((-span_s, 0.0), (0.0, graph.full_scale * _HEADROOM), x_ticks, y_ticks)


def ago_text(time_s: float, language: Language) -> str:
    """Return how long ago something was, as an axis says it."""
    if time_s < MINUTE_S:
        return f"−{language.number(time_s)}\N{NO-BREAK SPACE}s"
    return f"−{language.number(time_s / MINUTE_S, 1)}\N{NO-BREAK SPACE}min"


def _values(curve: Curve) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    return np.fromiter(curve.values, dtype=np.float64, count=len(curve.values))
