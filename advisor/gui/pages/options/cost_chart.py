"""Runs a month across, money over the horizon up, a line for each way, and a handle that is dragged along them."""

from collections.abc import Sequence
from itertools import pairwise

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent

from advisor.gui.base.context import Context
from advisor.gui.models.options.chart_points import SYMBOLS
from advisor.gui.pages.options.cost_lines import ShownLine
from advisor.gui.widgets.charts.plot import Plot, Ticks

_STEPS = 100
"""Key presses from one end of the chart to the other."""
_ROOM_RATIO = 1.12
_EDGE_RATIO = 0.03
"""Room beyond the ends of the axes, so that their marks keep their words."""
_MARK_SIZE = 11
_MANY_RUNS = 20
"""From here on nobody asks for parts of a run."""


class CostChart(Plot):
    """Lines over runs a month; the handle moves by mouse, arrow keys, and the wheel once the chart has the focus.

    Signals:
        moved: With the runs a month at the handle.

    Attributes:
        runs: Where the handle stands.
    """

    moved = Signal(float)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.SizeHorCursor)
        self.runs = 0.0
        self._least, self._most = 0.0, 1.0
        self._lines: Sequence[ShownLine] = ()
        self._curves: list[pg.PlotCurveItem] = []
        self._handle = pg.InfiniteLine(angle=90, movable=False)
        self._marks = pg.ScatterPlotItem(antialias=True, pxMode=True)
        self.draw(self._handle)
        self.draw(self._marks)

    def show_lines(
        self,
        lines: Sequence[ShownLine],
        runs: float,
        axes: tuple[float, float],
        run_ticks: Ticks,
        cost_ticks: Ticks,
    ) -> None:
        """Show other lines, with the handle at ``runs``: it stays where the user puts it.

        Args:
            lines: With those that lie above the chart.
            runs: A month.
            axes: Up to how many runs a month, and up to what cost.
            run_ticks: Marks of the axis of runs.
            cost_ticks: Marks of the axis of costs.
        """
        most, highest = axes
        self._lines, self._most = lines, most
        self._least = min(runs, most / _STEPS)  # what was asked can stand there, however seldom it is
        top = max(highest, 0.01)
        self.set_scales(
            (-_EDGE_RATIO * most, most * (1 + _EDGE_RATIO)),
            (-_EDGE_RATIO * top, top * _ROOM_RATIO),
            run_ticks,
            cost_ticks,
        )
        self._draw()
        self.move_to(runs)

    def apply_theme(self) -> None:
        """Put on the theme's colours."""
        super().apply_theme()
        if getattr(self, "_lines", ()):
            self._draw()
            self._draw_handle()

    def _draw(self) -> None:
        for curve in self._curves:
            self.erase(curve)
        self._curves = []
        for line in self._lines:
            xs, ys = [runs for runs, _cost in line.points], [cost for _runs, cost in line.points]
            curve = pg.PlotCurveItem(xs, ys, antialias=True, pen=self.pen(self._context.theme.colour(line.kind)))
            self.draw(curve)
            self._curves.append(curve)

    def move_to(self, runs: float) -> None:
        """Put the handle at so many runs a month, as far as the chart goes."""
        self.runs = min(max(runs, self._least), self._most)
        self._draw_handle()
        self.moved.emit(self.runs)

    def _draw_handle(self) -> None:
        self._handle.setPen(self.pen(self._context.theme.colour("text")))
        self._handle.setPos(self.runs)
        spots = []
        for line in self._lines:
            cost = _height(line, self.runs)
            if cost is not None:
                brush = pg.mkBrush(self._context.theme.colour(line.kind))
                spots.append(
                    {
                        "pos": (self.runs, cost),
                        "symbol": SYMBOLS[line.kind],
                        "size": _MARK_SIZE,
                        "brush": brush,
                        "pen": None,
                    }
                )
        self._marks.setData(spots)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Bring the handle to the pointer."""
        self._follow(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the handle."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._follow(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Leave the handle where it is."""
        event.accept()

    def _follow(self, event: QMouseEvent) -> None:
        place = self.view.mapSceneToView(QPointF(self.mapToScene(event.position().toPoint())))
        self.move_to(round(place.x()) if self._most >= _MANY_RUNS else place.x())
        event.accept()

    def wheelEvent(self, event: object) -> None:
        """Move the handle where the chart has the focus; else the page scrolls."""
        if isinstance(event, QWheelEvent) and self.hasFocus():
            self._step(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the handle with arrows, page keys, Home and End."""
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Down: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: 1,
            Qt.Key.Key_PageDown: -10,
            Qt.Key.Key_PageUp: 10,
            Qt.Key.Key_Home: -_STEPS,
            Qt.Key.Key_End: _STEPS,
        }
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self._step(step)

    def _step(self, count: int) -> None:
        self.move_to(self.runs + count * self._most / _STEPS)


def _height(line: ShownLine, runs: float) -> float | None:
    """Return a line's money at so many runs a month; None beyond its end."""
    for (x0, y0), (x1, y1) in pairwise(line.points):
        if x0 <= runs <= x1 and x1 > x0:
            return y0 + (y1 - y0) * (runs - x0) / (x1 - x0)
    return None
