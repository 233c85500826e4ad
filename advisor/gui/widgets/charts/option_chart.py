"""Time against cost: every option a mark, the same four colours and shapes as everywhere."""

import math
from collections.abc import Callable, Sequence
from functools import partial

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QWheelEvent

from advisor.gui.base.context import Context
from advisor.gui.models.label_places import Box, Name, label_places, leader
from advisor.gui.models.options.chart_points import ROOM_RATIO, SYMBOLS, OptionPoint
from advisor.gui.widgets.charts.plot import Plot, Ticks, padded
from advisor.gui.widgets.table import plain_tip

_SMALL_SIZE, _PALE_SIZE, _SIZE, _CHOSEN_SIZE, _RING_SIZE = 6, 8, 11, 16, 24
_FAINT_ALPHA, _FAINT_EDGE = 50, 110
"""Of what another of its kind beats: nearly all rented machines end at one time, and lay in one heap."""
_LABEL_ALPHA = 200
_MOST_TITLE = 0.4
"""No more than that share of the height is kept free for the title of the costs."""
_CLOSEST = 5.0
"""How many times as large as the whole the chart can be drawn."""
_A_TURN = 0.8
"""By how much one notch of the wheel narrows what is seen."""
_LONGEST_NAME = 200
"""Pixels of a name at most: a processor's long one covered the marks beside it."""
_FAR_PX = 16
"""From here on a line leads from a mark to its name."""


class OptionChart(Plot):
    """Marks of options over time (across) and cost (up), both logarithmic.

    Signals:
        picked: With the row of the option whose mark is clicked.
    """

    picked = Signal(int)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._points: Sequence[OptionPoint] = ()
        self._hover: Callable[[int], str] = str
        self._labels: list[pg.TextItem] = []
        self._leaders = pg.PlotCurveItem(connect="pairs", antialias=True)
        self._cost_title = pg.TextItem(anchor=(0.0, 0.0))
        self._scatter = pg.ScatterPlotItem(hoverable=True, tip=self._tip, antialias=True)
        self._scatter.sigClicked.connect(self._on_clicked)
        self._ring = pg.ScatterPlotItem(antialias=True, pxMode=True)
        self._chosen_row: int | None = None
        self.draw(self._leaders)
        self.draw(self._scatter)
        self.draw(self._ring)
        self.draw(self._cost_title)
        self.view.sigResized.connect(self._on_resized)
        self._whole = ((0.0, 1.0), (0.0, 1.0))
        self._ends = ((0.0, 1.0), (0.0, 1.0))
        self._ticks: tuple[Ticks, Ticks] = ((), ())
        self.view.setMouseEnabled(x=True, y=True)
        self.view.sigRangeChanged.connect(lambda *_ranges: self._place_labels())

    def wheelEvent(self, event: object) -> None:
        """Look closer, or from farther away, with Ctrl; else leave the wheel to the page."""
        if isinstance(event, QWheelEvent) and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            factor = _A_TURN ** (event.angleDelta().y() / 120)
            place = self.view.mapSceneToView(self.mapToScene(event.position().toPoint()))
            self.view.scaleBy((factor, factor), center=place)
            event.accept()
        else:
            super().wheelEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show every mark again."""
        self.view.setRange(xRange=self._whole[0], yRange=self._whole[1], padding=0)
        event.accept()

    def show_points(
        self, points: Sequence[OptionPoint], hover: Callable[[int], str], time_ticks: Ticks, cost_ticks: Ticks
    ) -> None:
        """Show other options; ``hover`` says all about the option of a row."""
        self._points, self._hover = (), hover  # those of before have no place in the new ranges
        times = [math.log10(point.time_s) for point in points]
        costs = [math.log10(point.cost) for point in points]
        self._ends = (min(times), max(times)), (min(costs), max(costs))
        self._ticks = time_ticks, cost_ticks
        self._show_whole()
        self._points = points
        self._draw()

    def _show_whole(self) -> None:
        """Show every mark, the highest of them below the title of the costs."""
        (first, last), (low, high) = self._ends
        x_range, (bottom, top) = padded(first, last, ROOM_RATIO), padded(low, high, ROOM_RATIO)
        room_px = _size(self._cost_title)[1] + _CHOSEN_SIZE
        share = min(_MOST_TITLE, room_px / max(self.view.height(), 1.0))
        y_range = bottom, max(top, (high - share * bottom) / (1.0 - share))
        self._whole = (x_range, y_range)
        across, up = x_range[1] - x_range[0], y_range[1] - y_range[0]
        self.view.setLimits(
            xMin=x_range[0],
            xMax=x_range[1],
            yMin=y_range[0],
            yMax=y_range[1],
            minXRange=across / _CLOSEST,
            minYRange=up / _CLOSEST,
        )
        self.set_scales(x_range, y_range, *self._ticks)

    def _on_resized(self) -> None:
        """Keep the title clear of the marks where the chart has another height; who looks closer goes on doing so."""
        seen = [end for ends in self.view.viewRange() for end in ends]
        whole = [end for ends in self._whole for end in ends]
        if self._points and all(map(math.isclose, seen, whole)):
            self._show_whole()
        self._place_labels()

    def show_nothing(self) -> None:
        """Show no mark between the axes there are."""
        self._points = ()
        self._draw()

    def mark(self, row: int | None) -> None:
        """Draw a ring around the option of a row; None: around none."""
        self._chosen_row = row
        self._draw_ring()

    def _draw_ring(self) -> None:
        found = [point for point in self._points if point.row == self._chosen_row]
        places = [(math.log10(point.time_s), math.log10(point.cost)) for point in found]
        self._ring.setData(
            pos=places,
            size=_RING_SIZE,
            symbol="o",
            brush=None,
            pen=self.pen(self._context.theme.colour("text")),
        )

    def name_axes(self, bottom: str, left: str) -> None:
        """Title the axes; that of the cost lies flat in the corner, because a low chart has no room for it upright."""
        super().name_axes(bottom, "")
        self._axes["left"].showLabel(False)
        self.name_again = partial(self.name_axes, bottom, left)
        self._cost_title.setText(f"↑ {left}", color=self._context.theme.colour("muted"))
        self._cost_title.setFont(self.tick_font)
        self._cost_title.fill = pg.mkBrush(self._context.theme.colour("surface"))  # no line of the grid strikes it out
        self._place_labels()

    def apply_theme(self) -> None:
        """Put on the theme's colours."""
        super().apply_theme()
        if getattr(self, "_points", ()):
            self._draw()

    def _draw(self) -> None:
        theme = self._context.theme
        self._leaders.setPen(self.pen(theme.colour("muted")))
        spots = []
        for point in sorted(self._points, key=lambda one: (one.is_chosen, bool(one.label), one.is_unbeaten)):
            colour = theme.colour(point.kind)
            fill = QColor(colour)
            is_strong = point.is_chosen or bool(point.label) or point.is_unbeaten
            fill.setAlpha((255 if is_strong else _FAINT_ALPHA) if point.is_feasible else 0)
            edge = theme.colour("text" if point.is_chosen else point.kind)
            edge.setAlpha(255 if is_strong else _FAINT_EDGE)
            spots.append(
                {
                    "pos": (math.log10(point.time_s), math.log10(point.cost)),
                    "symbol": SYMBOLS[point.kind],
                    "size": _size_of(point),
                    "brush": pg.mkBrush(fill),
                    "pen": self.pen(edge),
                    "data": point,
                }
            )
        self._scatter.setData(spots)
        self._draw_ring()
        for item in self._labels:
            self.erase(item)
        self._labels = [self._label(point) for point in self._points if point.label]
        self._place_labels()

    def _label(self, point: OptionPoint) -> pg.TextItem:
        """Return a mark's name."""
        ground = self._context.theme.colour("surface")
        ground.setAlpha(_LABEL_ALPHA)
        metrics, most = QFontMetrics(self.tick_font), round(_LONGEST_NAME * self._context.text_scale)
        name = metrics.elidedText(point.label, Qt.TextElideMode.ElideRight, most)
        item = pg.TextItem(name, color=self._context.theme.colour("text"), fill=pg.mkBrush(ground), anchor=(0.0, 0.0))
        item.setFont(self.tick_font)
        self.draw(item)
        return item

    def _place_labels(self) -> None:
        """Put each name beside its mark where there is room; the table and the mark's tip name the others."""
        (low, high), (bottom, top) = self.view.viewRange()
        self._cost_title.setPos(QPointF(low, top))
        across, up = self.view.viewPixelSize()
        if not self._points or across <= 0 or up <= 0:
            return

        def place(point: OptionPoint) -> tuple[float, float]:
            return (math.log10(point.time_s) - low) / across, (top - math.log10(point.cost)) / up

        named = sorted(
            zip((one for one in self._points if one.label), self._labels, strict=True),
            key=lambda pair: not pair[0].is_chosen,
        )
        names = [Name(*place(point), *_size(item)) for point, item in named]
        area = Box(0.0, 0.0, (high - low) / across, (top - bottom) / up)
        found = label_places(
            names,
            area,
            marks=[place(point) for point in self._points],
            taken=[Box(0.0, 0.0, *_size(self._cost_title))],
        )
        ends: list[tuple[float, float]] = []
        for (_point, item), name, box in zip(named, names, found, strict=True):
            is_seen = area.holds(Box(name.x, name.y, 0.0, 0.0))
            item.setVisible(box is not None and is_seen)
            if box is None or not is_seen:
                continue
            item.setPos(QPointF(low + box.left * across, top - box.top * up))
            end = leader(name, box)
            if math.dist(end, (name.x, name.y)) > _FAR_PX:
                ends += [(name.x, name.y), end]
        self._leaders.setData([low + x * across for x, _y in ends], [top - y * up for _x, y in ends])

    def _on_clicked(self, _scatter: object, spots: Sequence[pg.SpotItem]) -> None:
        if len(spots):
            self.picked.emit(spots[0].data().row)

    def _tip(self, x: float, y: float, data: OptionPoint) -> str:
        return plain_tip(self._hover(data.row))


def _size_of(point: OptionPoint) -> int:
    """Return how large a mark is: what cannot be relied on is small, cheap as it may be."""
    if point.is_chosen:
        return _CHOSEN_SIZE
    if not point.is_dependable:
        return _SMALL_SIZE
    return _SIZE if point.is_unbeaten or point.label else _PALE_SIZE


def _size(item: pg.TextItem) -> tuple[float, float]:
    """Return the room a text takes, in pixels."""
    rect = item.textItem.boundingRect()
    return rect.width(), rect.height()
