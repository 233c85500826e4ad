"""A plot of sensors over the last minutes, with the tests that ran shaded and a line where the pointer is.

Painted by hand: axes and grid once into a picture, the curves over it as lines of one pixel. A scene of pyqtgraph's
items costs five times as much at every refresh, and this one refreshes all day.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from pyqtgraph.functions import arrayToQPolygonF
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from advisor.gui.base.context import Context
from advisor.gui.base.theme import Theme
from advisor.gui.models.live.model import Graph
from advisor.gui.models.live.words import clock_text
from advisor.locale import Language
from advisor.units import MINUTE_S

Values = np.ndarray[tuple[int], np.dtype[np.float64]]

_AXIS_WIDTH = 54
_ROOM_FOR_NOW = 14
_TICK_PX = 11
_GAP = 4
_HEADROOM = 1.12
_NOW_SHARE = 0.02  # a little left of the end, so that the word has room
_MARKED_SHARES = {300.0: (0.8, 0.4)}
_THIRDS = (2 / 3, 1 / 3)  # round for a minute, a quarter of an hour, an hour
_BAND_ALPHA, _EDGE_ALPHA = 26, 110
_NOTCH, _NOTCHES_A_SPAN = 120, 10  # Qt counts one notch of a wheel as 120

Spans = Sequence[tuple[float, float]]


LINE_STYLES = (
    Qt.PenStyle.SolidLine,
    Qt.PenStyle.DashLine,
    Qt.PenStyle.DotLine,
    Qt.PenStyle.DashDotLine,
    Qt.PenStyle.DashDotDotLine,
)


def curve_pen(style: int, theme: Theme, *, is_alone: bool) -> QPen:
    """Return the pen of a curve: its own colour, and among others its own dashes."""
    colour = theme.series[style % len(theme.series)]
    dashes = LINE_STYLES[0 if is_alone else style % len(LINE_STYLES)]
    pen = QPen(theme.colour_of(colour), 1, dashes)
    pen.setCosmetic(True)  # one pixel wide, whatever the scale of the plot; without it a line is stretched and slow
    return pen


@dataclass(frozen=True)
class Scales:
    """Where times and values lie, in pixels of the widget.

    Attributes:
        area: What the curves are painted in.
        span_s: Time between its left end and its right one.
        full_scale: Value at its upper end.
    """

    area: QRectF
    span_s: float
    full_scale: float

    def x(self, time_s: float | Values) -> float | Values:
        """Return the place of a time, 0 at the right end and negative before."""
        return self.area.right() + time_s * (self.area.width() / self.span_s)

    def y(self, value: float | Values) -> float | Values:
        """Return the place of a value."""
        return self.area.bottom() - value * (self.area.height() / self.full_scale)

    def point(self, time_s: float, value: float) -> QPointF:
        """Return the place of a value at a time."""
        return QPointF(float(self.x(time_s)), float(self.y(value)))

    def time_s(self, x: float) -> float:
        """Return the time at a place."""
        return (x - self.area.right()) * self.span_s / self.area.width()


class LivePlot(QWidget):
    """Curves that move from right to left; axes and grid are painted again only when they change.

    Signals:
        pointed: With the time under the pointer, in seconds before the right end (negative); None when it has left.
        dragged: With how many seconds further back the user has pulled the curves.
        zoomed: The user wants to see more time (True) or less.
    """

    pointed = Signal(object)
    dragged = Signal(float)
    zoomed = Signal(bool)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._graph: Graph | None = None
        self._drawn_s: Values = np.empty(0)
        self._span_s = MINUTE_S
        self._phases: Spans = ()
        self._line_s: float | None = None
        self._ends_at_s: float | None = None
        self._dragged_at: float | None = None
        self._ground: QPixmap | None = None
        self._scales: Scales | None = None
        self._pens: dict[tuple[int, bool], QPen] = {}
        self.setMinimumSize(160, 66)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        context.theme_changed.connect(self._clear_cache)
        context.language_changed.connect(self._clear_cache)

    def sizeHint(self) -> QSize:
        """Return a small size; the layout gives what there is."""
        return QSize(240, 100)

    @property
    def scales(self) -> Scales:
        """Where times and values lie at the moment."""
        if self._scales is None:
            metrics = QFontMetrics(self._tick_font())
            below = metrics.height() + _GAP
            area = QRectF(self.rect()).adjusted(self._axis_width(metrics), 1, -_ROOM_FOR_NOW, -below)
            full_scale = self._graph.full_scale if self._graph is not None else 1.0
            self._scales = Scales(area, self._span_s, full_scale * _HEADROOM)
        return self._scales

    def _axis_width(self, metrics: QFontMetrics) -> int:
        """Return the room of the left axis: the same in all graphs, but for rates of four figures."""
        ticks = [] if self._graph is None else value_ticks(self._graph, self._context.language)
        return max([_AXIS_WIDTH, *(metrics.horizontalAdvance(text) + 2 * _GAP for _value, text in ticks)])

    def show_graph(
        self, graph: Graph, drawn_s: Values, span_s: float, phases: Spans = (), ends_at_s: float | None = None
    ) -> None:
        """Draw the curves.

        Args:
            graph: What to draw.
            drawn_s: Time of each value, 0 at the right end and negative before.
            span_s: Width of the axis.
            phases: Beginning and end of each test, on the same axis.
            ends_at_s: Time of day at the right end, in seconds since 1970, where that is not now.
        """
        known, axis = self._graph, (self._span_s, self._ends_at_s)
        if known is None or (known.full_scale, known.unit, *axis) != (graph.full_scale, graph.unit, span_s, ends_at_s):
            self._ground = self._scales = None
        self._ends_at_s = ends_at_s
        self._graph, self._drawn_s, self._span_s, self._phases = graph, drawn_s, span_s, phases
        self.update()

    def show_line(self, at_s: float | None) -> None:
        """Draw a line at a moment, or none."""
        if at_s != self._line_s:
            self._line_s = at_s
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the curves."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._dragged_at = event.position().x()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of them."""
        self._dragged_at = None
        self.unsetCursor()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl; move along the time with Shift or a wheel that goes sideways; else let the page scroll."""
        turned, keys = event.angleDelta(), event.modifiers()
        if keys & Qt.KeyboardModifier.ControlModifier and turned.y():
            self.zoomed.emit(turned.y() < 0)
        elif turned.x() or keys & Qt.KeyboardModifier.ShiftModifier:
            self.dragged.emit((turned.x() or turned.y()) / _NOTCH * self._span_s / _NOTCHES_A_SPAN)
        else:
            event.ignore()
            return
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell the time under the pointer, or how far the curves were pulled."""
        if self._dragged_at is not None:
            x = event.position().x()
            self.dragged.emit((x - self._dragged_at) * self._span_s / self.scales.area.width())
            self._dragged_at = x
        time_s = self.scales.time_s(event.position().x())
        self.pointed.emit(time_s if -self._span_s <= time_s <= 0.0 else None)

    def leaveEvent(self, event: QEvent) -> None:
        """Tell that the pointer has left."""
        super().leaveEvent(event)
        self.pointed.emit(None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the axes out again."""
        super().resizeEvent(event)
        self._ground = self._scales = None

    def changeEvent(self, event: QEvent) -> None:
        """Paint the axes again with another font."""
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self._clear_cache()

    def _clear_cache(self) -> None:
        """Paint axes, grid and pens again."""
        self._ground = self._scales = None
        self._pens.clear()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the axes from their picture, and the curves over it."""
        painter = QPainter(self)
        scales = self.scales
        painter.drawPixmap(0, 0, self._ground_of(scales))
        painter.setClipRect(scales.area)
        self._paint_phases(painter, scales)
        if self._graph is not None:
            self._paint_curves(painter, scales, self._graph)
        if self._line_s is not None:
            painter.setPen(self._context.theme.colour("text"))
            painter.drawLine(scales.point(self._line_s, 0.0), scales.point(self._line_s, scales.full_scale))
        painter.end()

    def _paint_curves(self, painter: QPainter, scales: Scales, graph: Graph) -> None:
        xs = scales.x(self._drawn_s)
        for curve in graph.curves:
            painter.setPen(self._pen(curve.style, is_alone=len(graph.curves) == 1))
            for line in unbroken_lines(xs, scales.y(curve.values)):
                painter.drawPolyline(line)

    def _paint_phases(self, painter: QPainter, scales: Scales) -> None:
        """Paint the tests as a ground behind the curves, each with a line where it begins."""
        if not self._phases:
            return
        colour = self._context.theme.colour("accent")
        edge = QColor(colour)
        colour.setAlpha(_BAND_ALPHA)
        edge.setAlpha(_EDGE_ALPHA)
        painter.setPen(edge)
        for first_s, last_s in self._phases:
            band = QRectF(scales.point(first_s, scales.full_scale), scales.point(last_s, 0.0))
            painter.fillRect(band, colour)
            painter.drawLine(band.topLeft(), band.bottomLeft())

    def _pen(self, style: int, *, is_alone: bool) -> QPen:
        if (style, is_alone) not in self._pens:
            self._pens[style, is_alone] = curve_pen(style, self._context.theme, is_alone=is_alone)
        return self._pens[style, is_alone]

    # --- axes ---

    def _ground_of(self, scales: Scales) -> QPixmap:
        """Return the picture of axes and grid, in the size of the moment."""
        ratio = self.devicePixelRatioF()
        if self._ground is None or self._ground.devicePixelRatio() != ratio:
            self._ground = QPixmap(self.size() * ratio)
            self._ground.setDevicePixelRatio(ratio)
            self._ground.fill(self._context.theme.colour("surface"))
            painter = QPainter(self._ground)
            painter.setFont(self._tick_font())
            self._paint_axes(painter, scales)
            painter.end()
        return self._ground

    def _paint_axes(self, painter: QPainter, scales: Scales) -> None:
        if self._graph is None:
            return
        theme, area = self._context.theme, scales.area
        line, word = QPen(theme.colour("grid")), QPen(theme.colour("muted"))
        painter.setPen(line)
        painter.drawLine(area.topLeft(), area.bottomLeft())
        height = QFontMetrics(painter.font()).height()
        for value, text in value_ticks(self._graph, self._context.language):
            y = float(scales.y(value))
            painter.setPen(line)
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(word)
            room = QRectF(0.0, y - height / 2, area.left() - _GAP, height)
            painter.drawText(room, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), text)
        for time_s, text in time_ticks(self._span_s, self._context.language, self._ends_at_s):
            half = QFontMetrics(painter.font()).horizontalAdvance(text) / 2
            middle = min(float(scales.x(time_s)), self.width() - half)  # "now" is whole in large letters, too
            room = QRectF(middle - _AXIS_WIDTH, area.bottom() + _GAP, 2 * _AXIS_WIDTH, height)
            painter.drawText(room, int(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop), text)

    def _tick_font(self) -> QFont:
        font = QFont(self.font())
        font.setPixelSize(round(_TICK_PX * self._context.text_scale))
        return font


def unbroken_lines(xs: float | Values, ys: float | Values) -> Iterator[QPolygonF]:
    """Yield the pieces of a curve between which there is no value."""
    all_x, all_y = np.asarray(xs), np.asarray(ys)
    if math.isfinite(float(np.add.reduce(all_y))):  # no gap: the sum of any would be none
        yield arrayToQPolygonF(all_x, all_y)
        return
    is_there = np.isfinite(all_y)
    breaks = np.flatnonzero(np.diff(is_there)) + 1
    pieces = zip(np.split(all_x, breaks), np.split(all_y, breaks), np.split(is_there, breaks), strict=True)
    for piece_x, piece_y, there in pieces:
        if there.any():
            yield arrayToQPolygonF(piece_x, piece_y)


def value_ticks(graph: Graph, language: Language) -> list[tuple[float, str]]:
    """Return the marked values of a graph with their words; the highest with its unit."""
    values = [0.0, graph.full_scale / 2, graph.full_scale]
    texts = [language.number(value, 1 if graph.full_scale < 4 else 0) for value in values]
    texts[-1] = (
        language.percent(graph.full_scale / 100) if graph.unit == "%" else f"{texts[-1]}\N{NO-BREAK SPACE}{graph.unit}"
    )
    return list(zip(values, texts, strict=True))


def time_ticks(span_s: float, language: Language, ends_at_s: float | None = None) -> list[tuple[float, str]]:
    """Return the marked times of a span with their words: how long ago, or times of day where it does not end now."""
    shares = _MARKED_SHARES.get(span_s, _THIRDS)
    if ends_at_s is not None:
        return [(-span_s * share, clock_text(ends_at_s - span_s * share, language)) for share in shares]
    marked = [(-span_s * share, ago_text(span_s * share, language)) for share in shares]
    return [*marked, (-span_s * _NOW_SHARE, language.gettext("now"))]


def ago_text(time_s: float, language: Language) -> str:
    """Return how long ago something was, as an axis says it."""
    if time_s < MINUTE_S:
        return f"−{language.number(time_s)}\N{NO-BREAK SPACE}s"
    return f"−{language.number(time_s / MINUTE_S, 1)}\N{NO-BREAK SPACE}min"
