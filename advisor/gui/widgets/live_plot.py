"""A plot of sensors over the last minutes, with the tests that ran shaded and a line where the pointer is."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QRectF, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter

from advisor.gui.context import Context
from advisor.gui.models.live import Graph
from advisor.gui.widgets.live_tile import curve_pen
from advisor.gui.widgets.plot import Plot
from advisor.locale import Language
from advisor.units import MINUTE_S

if TYPE_CHECKING:
    import numpy as np

    Values = np.ndarray[tuple[int], np.dtype[np.float64]]

_AXIS_WIDTH = 54
_ROOM_FOR_NOW = 14
_HEADROOM = 1.12
_NOW_SHARE = 0.02  # a little left of the end, so that the word has room
_MARKED_SHARES = {300.0: (0.8, 0.4)}
_THIRDS = (2 / 3, 1 / 3)  # round for a minute, a quarter of an hour, an hour
_BAND_ALPHA, _EDGE_ALPHA = 26, 110

Spans = Sequence[tuple[float, float]]


class LivePlot(Plot):
    """Curves that move from right to left; the axes change only when their range does.

    Signals:
        pointed: With the time under the pointer, in seconds before now (negative); None when it has left.
    """

    pointed = Signal(object)

    def __init__(self, context: Context) -> None:
        super().__init__(context, tick_px=11)
        self._items: list[Line] = []
        self._frame = QRectF()
        self._styles: tuple[int, ...] = ()
        self._scales: tuple[float, float, str, str] | None = None
        self._bands = Bands(self._band_colour())
        self._line = pg.PlotCurveItem(antialias=False)
        self._line.hide()
        self.draw(self._bands)
        self.draw(self._line)
        self.set_axis_width(_AXIS_WIDTH)
        self.make_room(_ROOM_FOR_NOW)
        self.setMinimumHeight(66)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)

    def dress(self) -> None:
        """Put on the theme's colours."""
        super().dress()
        self._styles = ()
        if hasattr(self, "_bands"):
            self._bands.colour = self._band_colour()
            self._line.setPen(self.pen(self._context.theme.colour("text")))

    def _band_colour(self) -> QColor:
        colour = self._context.theme.colour("accent")
        colour.setAlpha(_BAND_ALPHA)
        return colour

    def show_graph(self, graph: Graph, drawn_s: "Values", span_s: float, phases: Spans = ()) -> None:
        """Draw the curves.

        Args:
            graph: What to draw.
            drawn_s: Time of each value, 0 now and negative before.
            span_s: Width of the axis.
            phases: Beginning and end of each test, on the same axis.
        """
        self._set_axes(graph, span_s)
        self._match(tuple(curve.style for curve in graph.curves))
        self._bands.show_spans(phases, graph.full_scale * _HEADROOM)
        for item, curve in zip(self._items, graph.curves, strict=True):
            item.setData(drawn_s, curve.values)

    def show_line(self, at_s: float | None) -> None:
        """Draw a line at a moment, or none."""
        if at_s is not None and self._scales is not None:
            self._line.setPen(self.pen(self._context.theme.colour("text")))
            self._line.setData([at_s, at_s], [0.0, self._scales[0] * _HEADROOM])
        self._line.setVisible(at_s is not None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell the time under the pointer."""
        place = self.view.mapSceneToView(self.mapToScene(event.position().toPoint()))
        low = self.view.viewRange()[0][0]
        self.pointed.emit(place.x() if low <= place.x() <= 0.0 else None)

    def leaveEvent(self, event: QEvent) -> None:
        """Tell that the pointer has left."""
        super().leaveEvent(event)
        self.pointed.emit(None)

    def _match(self, styles: tuple[int, ...]) -> None:
        """Keep as many curves as there are sensors, each in its own style."""
        if styles == self._styles:
            return
        self._styles = styles
        while len(self._items) > len(styles):
            self.erase(self._items.pop())
        while len(self._items) < len(styles):
            item = Line(self._frame)
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
        x_ticks = [
            (-span_s * share, ago_text(span_s * share, language)) for share in _MARKED_SHARES.get(span_s, _THIRDS)
        ]
        x_ticks.append((-span_s * _NOW_SHARE, language.gettext("now")))
        y_ticks = list(zip(values, texts, strict=True))
        self.set_scales((-span_s, 0.0), (0.0, graph.full_scale * _HEADROOM), x_ticks, y_ticks)
        self._frame.setRect(-span_s, 0.0, span_s, graph.full_scale * _HEADROOM)
        for item in self._items:
            item.prepareGeometryChange()


class Line(pg.PlotCurveItem):  # type: ignore[misc]  # pyqtgraph ships no types
    """A curve that takes the whole graph for its bounds: working them out at every value costs more than drawing."""

    def __init__(self, frame: QRectF) -> None:
        self._frame = frame
        super().__init__(connect="finite", antialias=False)

    def boundingRect(self) -> QRectF:
        """Return the graph."""
        return self._frame

    def viewRangeChanged(self, *_rest: object) -> None:
        """Keep the bounds, which the graph sets."""


class Bands(pg.GraphicsObject):  # type: ignore[misc]  # pyqtgraph ships no types
    """Spans of time as a ground behind the curves, each with a line where it begins."""

    def __init__(self, colour: QColor) -> None:
        super().__init__()
        self.colour = colour
        self._rectangles: tuple[QRectF, ...] = ()
        self.setZValue(-20)

    def show_spans(self, spans: Spans, height: float) -> None:
        """Show other spans."""
        rectangles = tuple(QRectF(first, 0.0, last - first, height) for first, last in spans)
        if rectangles != self._rectangles:
            self.prepareGeometryChange()
            self._rectangles = rectangles
            self.update()

    def boundingRect(self) -> QRectF:
        """Return what is painted on."""
        whole = QRectF()
        for rectangle in self._rectangles:
            whole = whole.united(rectangle)
        return whole

    def paint(self, painter: QPainter, *_rest: object) -> None:
        """Paint the spans."""
        edge = QColor(self.colour)
        edge.setAlpha(_EDGE_ALPHA)
        pen = pg.mkPen(edge, width=1)
        for rectangle in self._rectangles:
            painter.fillRect(rectangle, self.colour)
            painter.setPen(pen)
            painter.drawLine(rectangle.topLeft(), rectangle.bottomLeft())


def ago_text(time_s: float, language: Language) -> str:
    """Return how long ago something was, as an axis says it."""
    if time_s < MINUTE_S:
        return f"−{language.number(time_s)}\N{NO-BREAK SPACE}s"
    return f"−{language.number(time_s / MINUTE_S, 1)}\N{NO-BREAK SPACE}min"
