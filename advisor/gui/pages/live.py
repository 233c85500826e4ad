"""The sensors of this computer as they move."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from advisor.gui.context import Context
from advisor.gui.models.live import GRAPHS, Graph, LiveModel, sleep_text, throttle_text
from advisor.gui.widgets.basic import GRID, Card, Page, button, label
from advisor.gui.widgets.live_tile import CoreBars, LiveTile
from advisor.gui.widgets.problem import ProblemCard
from advisor.gui.widgets.table import RowsModel, RowsView
from advisor.locale import N_

if TYPE_CHECKING:
    from advisor.gui.monitoring import MonitorThread

INTERVALS_S = (0.25, 0.5, 1.0, 2.0, 5.0)
_COLUMNS = 2


class LivePage(Page):
    """Graphs of every sensor, or a table of the same numbers.

    Signals:
        interval_chosen: With the seconds between two samples.
    """

    interval_chosen = Signal(float)

    def __init__(self, context: Context, monitor: "MonitorThread", interval_s: float) -> None:
        super().__init__()
        self.context = context
        self._monitor = monitor
        self._taken = 0
        self.model = LiveModel()
        self.title = label("display")
        self.interval_label = label("body", wrap=False)
        self.interval = QComboBox()
        self.pause = button("plain", self._toggle_pause)
        self.pause.setCheckable(True)
        self.toggle = button("plain", self.switch)
        self.problem = ProblemCard(context)
        self.waiting = label("lead")
        self.tiles: dict[str, LiveTile] = {}
        self.cores = CoreBars(context)
        self.absent = Card(margin=int(1.5 * GRID))
        self.absent_title = label("strong")
        self.absent_text = label("lead", selectable=True)
        self.absent.body.addWidget(self.absent_title)
        self.absent.body.addWidget(self.absent_text)
        self._placed: tuple[str, ...] = ()
        self.rows = RowsModel()
        self.table = RowsView(self.rows)
        self.remarks = label("muted")
        self._stack = QStackedWidget()
        self._build(interval_s)
        self._timer = QTimer(self)
        self._timer.setInterval(round(1000 * interval_s))
        self._timer.timeout.connect(self.refresh)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    def _build(self, interval_s: float) -> None:
        for value in INTERVALS_S:
            self.interval.addItem("", value)
        self.interval.setCurrentIndex(min(range(len(INTERVALS_S)), key=lambda i: abs(INTERVALS_S[i] - interval_s)))
        self.interval.activated.connect(self._on_interval)
        head = QHBoxLayout()
        head.setSpacing(GRID)
        head.addWidget(self.title, 1)
        for widget in (self.interval_label, self.interval, self.pause, self.toggle):
            head.addWidget(widget)
        self.column.addLayout(head)
        self.column.addWidget(self.problem)
        self.column.addWidget(self.waiting)
        self._stack.addWidget(self._grid())
        self._stack.addWidget(self.table)
        self.column.addWidget(self._stack, 1)
        self.column.addWidget(self.remarks)

    def _grid(self) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(int(1.5 * GRID))
        self._tiles = QGridLayout()
        self._tiles.setSpacing(int(1.5 * GRID))
        for name, _title in GRAPHS:
            self.tiles[name] = LiveTile(self.context)
            self.tiles[name].setParent(holder)
            self.tiles[name].hide()
        for number in range(_COLUMNS):
            self._tiles.setColumnStretch(number, 1)
        self.tiles["processor"].body.addWidget(self.cores)
        column.addLayout(self._tiles, 1)
        column.addWidget(self.absent)
        self.absent.hide()
        return holder

    def _place(self, names: tuple[str, ...]) -> None:
        """Put the tiles that have something to draw beside each other."""
        if names == self._placed:
            return
        self._placed = names
        for name, tile in self.tiles.items():
            self._tiles.removeWidget(tile)
            tile.setVisible(name in names)
        for position, name in enumerate(names):
            self._tiles.addWidget(self.tiles[name], position // _COLUMNS, position % _COLUMNS)

    def _show_absent(self, graphs: tuple[Graph, ...]) -> None:
        """Say which graphs are not there, and why."""
        texts = [f"{graph.title}: {graph.missing}" for graph in graphs if graph.missing]
        self.absent_text.setText("\n".join(texts))
        self.absent.setVisible(bool(texts))

    @property
    def is_table(self) -> bool:
        """Whether the table is shown."""
        return self._stack.currentWidget() is self.table

    def switch(self) -> None:
        """Show the table instead of the graphs, or back."""
        self._stack.setCurrentIndex(0 if self.is_table else 1)
        self.retranslate()

    def showEvent(self, event: QShowEvent) -> None:
        """Redraw while the page is seen."""
        super().showEvent(event)
        self.refresh()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Rest while nobody looks."""
        super().hideEvent(event)
        self._timer.stop()

    def refresh(self) -> None:
        """Take in new samples and draw them."""
        new = self._monitor.history.count - self._taken
        if new > 0:
            self._taken += new
            self.model.take(self._monitor.history.last(new))
        if self._monitor.problem is not None:
            self.problem.show_problem(self._monitor.problem, N_("The sensors cannot be read."))
        if not self.pause.isChecked():
            self._draw()

    def _draw(self) -> None:
        latest = self.model.latest
        self.waiting.setVisible(latest is None and self._monitor.problem is None)
        if latest is None:
            return
        language = self.context.language
        if self.is_table:
            header, rows = self.model.table(language)
            self.rows.show(header, rows, numeric=frozenset(range(len(header))))
        else:
            ages = [latest.time_s - time_s for time_s in self.model.times_s]
            span_s = max(60.0, self.model.capacity * self._monitor.interval_s)
            graphs = self.model.graphs(language)
            drawn = tuple(graph for graph in graphs if graph.curves)
            self._place(tuple(graph.id for graph in drawn))
            self._show_absent(tuple(graph for graph in graphs if not graph.curves))
            for graph in drawn:
                self.tiles[graph.id].show_graph(graph, ages, span_s)
            self.cores.show_ratios(latest.host.cores_ratio)
        texts = (self.model.cost_text(language), sleep_text(latest, language), throttle_text(latest, language))
        self.remarks.setText("  ·  ".join(text for text in texts if text))

    def _on_interval(self) -> None:
        interval_s = float(self.interval.currentData())
        self._timer.setInterval(round(1000 * interval_s))
        self.interval_chosen.emit(interval_s)

    def _toggle_pause(self) -> None:
        self.retranslate()
        if not self.pause.isChecked():
            self._draw()

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self.context.gettext
        language = self.context.language
        self.setAccessibleName(_("Live"))
        self.title.setText(_("Live"))
        self.interval_label.setText(_("Every"))
        self.interval.setAccessibleName(_("Time between two samples"))
        for position, value in enumerate(INTERVALS_S):
            self.interval.setItemText(position, _("{n} s").format(n=language.number(value, 2)))
        self.pause.setText(_("Go on") if self.pause.isChecked() else _("Pause"))
        self.pause.setAccessibleDescription(_("Stops the graphs; sampling goes on"))
        self.toggle.setText(_("As a chart") if self.is_table else _("As a table"))
        self.toggle.setAccessibleDescription(_("Shows the same numbers in another form (Ctrl+T)"))
        self.table.setAccessibleName(_("Live"))
        self.table.setAccessibleDescription(_("The latest values of every sensor, newest first"))
        self.absent_title.setText(_("Not available"))
        self.waiting.setText(_("Reading the sensors for the first time …"))
        self._draw()
