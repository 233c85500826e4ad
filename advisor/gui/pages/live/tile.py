"""One graph of the live page: title, present values with the style of their line, the plot, and what is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolTip, QWidget

from advisor.gui.base.context import Context
from advisor.gui.base.theme import Theme
from advisor.gui.models.live.model import Curve, Graph
from advisor.gui.pages.live.plot import LivePlot, Spans, Values, curve_pen
from advisor.gui.pages.live.ticker import Ticker
from advisor.gui.widgets.basic import GRID, Card, FlowLayout, label
from advisor.report.provenance.record import Provenance

MOST_VALUES = 4
"""Beside more curves than this only their names stand: the values are in the table of cards."""

Ask = Callable[[Graph, Curve], Provenance | None]


class LiveTile(Card):
    """A graph; without a plot where nothing can be read.

    Signals:
        plot_made: With the ``LivePlot``, which is made when there is something to draw.
    """

    plot_made = Signal(object)

    def __init__(self, context: Context, ask: Ask) -> None:
        super().__init__(margin=int(1.5 * GRID))
        self.body.setSpacing(GRID // 2)
        self._context = context
        self._ask = ask
        self._graph: Graph | None = None
        self._legend: list[LegendEntry] = []
        self._styled: tuple[int, ...] = ()
        self.plot: LivePlot | None = None
        self.title = label("strong")
        self.now = Ticker(context, is_bold=True)
        self.missing = label("muted")
        self.missing.hide()
        self._keys = FlowLayout(GRID)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.now)
        self.body.addLayout(head)
        self.body.addLayout(self._keys)
        self.body.addWidget(self.missing, 1, Qt.AlignmentFlag.AlignTop)
        self.setMinimumHeight(17 * GRID)
        self.now.answer_with(partial(self._origin, 0))
        context.theme_changed.connect(self._clear_styles)

    def show_graph(
        self, graph: Graph, drawn_s: Values, span_s: float, phases: Spans = (), ends_at_s: float | None = None
    ) -> None:
        """Show the state of a graph; see ``LivePlot.show_graph``."""
        self._graph = graph
        self.title.setText(graph.title)
        self.setAccessibleName(graph.title)
        is_single = len(graph.curves) <= 1
        self.now.setText(graph.now if is_single else "")
        if QAccessible.isActive():  # otherwise nobody hears it
            self.setAccessibleDescription(graph.now or graph.missing)
        if graph.missing != self.missing.text():
            self.missing.setText(graph.missing)
            self.missing.setVisible(bool(graph.missing))
        self._show_legend(graph)
        if graph.curves:
            self._ensure_plot(graph).show_graph(graph, drawn_s, span_s, phases, ends_at_s)
        if self.plot is not None and self.plot.isHidden() == bool(graph.curves):
            self.plot.setVisible(bool(graph.curves))

    def _origin(self, place: int) -> Provenance | None:
        """Return where the value of a curve comes from."""
        curves = () if self._graph is None else self._graph.curves
        return self._ask(self._graph, curves[place]) if self._graph is not None and place < len(curves) else None

    def show_line(self, at_s: float | None) -> None:
        """Draw a line at a moment, or none."""
        if self.plot is not None:
            self.plot.show_line(at_s)

    def _ensure_plot(self, graph: Graph) -> LivePlot:
        if self.plot is None:
            self.plot = LivePlot(self._context)
            self.plot_made.emit(self.plot)
            self.body.insertWidget(2, self.plot, 1)
            self.body.setStretchFactor(self.missing, 0)
        if self.plot.accessibleName() != graph.title:
            self.plot.setAccessibleName(graph.title)
            self.plot.setAccessibleDescription(graph.now)
        return self.plot

    def _show_legend(self, graph: Graph) -> None:
        """Say which line is which, where there are several."""
        curves = graph.curves if len(graph.curves) > 1 else ()
        while len(self._legend) < len(curves):
            entry = LegendEntry(self._context)
            entry.setParent(self)  # else it would be shown as a window of its own
            self._legend.append(entry)
        styles = tuple(curve.style for curve in curves)
        if styles != self._styled:
            for place, entry in enumerate(self._legend):
                entry.setVisible(place < len(curves))
                entry.text.answer_with(partial(self._origin, place) if len(curves) <= MOST_VALUES else None)
            for entry, curve in zip(self._legend, curves, strict=False):
                pen = curve_pen(curve.style, self._context.theme, is_alone=False)
                entry.key.setPixmap(_key_picture(pen, self.devicePixelRatioF()))
            self._styled = styles
        has_values = len(curves) <= MOST_VALUES
        for entry, curve in zip(self._legend, curves, strict=False):
            value = curve.now_text if has_values else ""
            entry.text.setText(f"{curve.label} {value}".strip())
        for entry in self._legend[self._keys.count() :]:  # not before: as wide as its words from the first moment
            self._keys.addWidget(entry)

    def _clear_styles(self) -> None:
        self._styled = ()


class LegendEntry(QWidget):
    """A piece of a line and what it stands for."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.key = QLabel()
        self.text = Ticker(context, is_left=True, purpose="muted")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GRID // 2)
        row.addWidget(self.key)
        row.addWidget(self.text)


def _key_picture(pen: QPen, ratio: float) -> QPixmap:
    pixmap = QPixmap(round(20 * ratio), round(8 * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    wide = QPen(pen)
    wide.setWidth(2)
    painter.setPen(wide)
    painter.drawLine(0, 4, 20, 4)
    painter.end()
    return pixmap


class CoreBars(QWidget):
    """One bar a core, as high as it is busy."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._ratios: tuple[float, ...] = ()
        self.setFixedHeight(2 * GRID)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # else everything below is painted with it
        context.theme_changed.connect(self.update)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def show_ratios(self, ratios: Iterable[float]) -> None:
        """Show how busy each core is."""
        self._ratios = tuple(ratios)
        if QAccessible.isActive():  # otherwise nobody hears it, and 256 cores take time to spell
            texts = (f"{i + 1}: {self._context.language.percent(ratio)}" for i, ratio in enumerate(self._ratios))
            self.setAccessibleDescription(", ".join(texts))
        self.update()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        self.setAccessibleName(self._context.gettext("Each core"))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say how busy the core under the pointer is."""
        if not self._ratios:
            return
        position = min(len(self._ratios) - 1, max(0, int(event.position().x() * len(self._ratios) / self.width())))
        share = self._context.language.percent(self._ratios[position])
        text = self._context.gettext("Core {n}: {share}").format(n=position + 1, share=share)
        QToolTip.showText(event.globalPosition().toPoint(), text, self)

    def sizeHint(self) -> QSize:
        """Return a small size."""
        return QSize(10 * GRID, 3 * GRID)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bars."""
        theme = self._context.theme
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour("surface"))
        self._paint_bars(painter, theme)
        painter.end()

    def _paint_bars(self, painter: QPainter, theme: Theme) -> None:
        if not self._ratios:
            return
        step = self.width() / len(self._ratios)
        gap = 2.0 if step > 6 else (1.0 if step > 3 else 0.0)
        idle, busy = theme.colour("sunken"), theme.colour_of(theme.series[0])
        for position, ratio in enumerate(self._ratios):
            whole = QRectF(position * step, 0, max(1.0, step - gap), self.height())
            painter.fillRect(whole, idle)
            whole.setTop(self.height() * (1 - ratio))
            painter.fillRect(whole, busy)
