"""The sensors of this computer as they move."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QGridLayout, QHBoxLayout, QMenu, QStackedWidget, QVBoxLayout, QWidget

from advisor.gui.base.context import Context
from advisor.gui.base.images import png_bytes
from advisor.gui.base.tasks import BackgroundTasks, Problem
from advisor.gui.controllers.sensor_thread import SensorThread
from advisor.gui.models.live.export import csv_bytes
from advisor.gui.models.live.model import GRAPHS, SPANS_S, Curve, Graph, LiveModel
from advisor.gui.models.live.provenance import of_cost, of_curve, of_sensor
from advisor.gui.models.live.words import absences, ago_phrase, core_name, sleep_text, throttle_text
from advisor.gui.models.phases import PhaseModel
from advisor.gui.pages.live.card_tables import LiveCards
from advisor.gui.pages.live.plot import LivePlot
from advisor.gui.pages.live.ticker import Ticker
from advisor.gui.pages.live.tile import CoreBars, LiveTile
from advisor.gui.pages.live.time_bar import TimeBar, wall_s
from advisor.gui.widgets.basic import DATA_WIDTH, GRID, Card, FlowLayout, Page, button, label
from advisor.gui.widgets.fields import ChoiceBox
from advisor.gui.widgets.problem_card import ProblemCard
from advisor.gui.widgets.provenance_cells import ProvenanceCells
from advisor.gui.widgets.table import RowsModel, RowsView
from advisor.locale import N_, Language
from advisor.records.hardware.telemetry import TelemetrySample
from advisor.report.formats.write import write_bytes
from advisor.report.provenance.record import Provenance
from advisor.units import HOUR_S, MINUTE_S

INTERVALS_S = (0.25, 0.5, 1.0, 2.0, 5.0)
_NARROW_PX, _WIDE_PX = 480, 1280  # at the desktop's own size of letters
_GAP = int(1.5 * GRID)
_WEIGH_EVERY_S = 5.0
"""The sentence on what the window costs is laid out again with each value, and would itself cost too much."""


class LivePage(Page):
    """Graphs of every sensor, or a table of the same numbers.

    Signals:
        interval_chosen: With the seconds between two samples.
    """

    interval_chosen = Signal(float)

    def __init__(
        self,
        context: Context,
        monitor: SensorThread,
        interval_s: float,
        phases: PhaseModel | None = None,
        background: BackgroundTasks | None = None,
    ) -> None:
        super().__init__(DATA_WIDTH)
        self._background = background if background is not None else BackgroundTasks()
        self.context = context
        self._monitor = monitor
        self._phases = phases if phases is not None else PhaseModel()
        self._seen: TelemetrySample | None = None
        self._said: Problem | None = None
        self._pointed_s: float | None = None
        self._cost_from = (time.monotonic(), time.process_time())
        self._face_ratio: float | None = None
        self.model = LiveModel(monitor.timeline)
        self.title = label("display")
        self.purpose = label("lead")
        self.span_label = label("body", wrap=False)
        self.span = ChoiceBox()
        self.interval_label = label("body", wrap=False)
        self.interval = ChoiceBox()
        self.pause = button("plain", self._toggle_pause)
        self.pause.setCheckable(True)
        self.toggle = button("plain", self.switch)
        self.save = button("plain")
        self.problem = ProblemCard(context)
        self.waiting = label("lead")
        self.moment = label("muted")
        self.saved = label("lead")
        self.saved.hide()
        self.time_bar = TimeBar(context, self.model)
        self.time_bar.moved.connect(self._draw)
        self.tiles: dict[str, LiveTile] = {}
        self.cores, self.cores_title = CoreBars(context), label("muted", wrap=False)
        self.cards = LiveCards(context)
        self.absent = Card(margin=_GAP)
        self.absent_title = label("strong")
        self.absent_text = label("lead", selectable=True)
        self.absent.body.addWidget(self.absent_title)
        self.absent.body.addWidget(self.absent_text)
        self._placed: tuple[int, tuple[str, ...]] = (0, ())
        self.rows = RowsModel()
        self.table = RowsView(self.rows)
        ProvenanceCells(context, self.table, self.rows)
        self.cost = Ticker(context, is_left=True, is_sentence=True, purpose="muted", ground="window")
        self.cost.answer_with(lambda: of_cost(self.cost.text(), self.context.language))
        self.remarks = label("muted")
        self._stack = QStackedWidget()
        self._build(interval_s)
        self._timer = QTimer(self)
        self._timer.setInterval(round(1000 * interval_s))
        self._timer.timeout.connect(self.refresh)
        context.language_changed.connect(self.retranslate)
        self.retranslate()

    # --- building ---

    def _build(self, interval_s: float) -> None:
        for value in INTERVALS_S:
            self.interval.addItem("", value)
        self.interval.setCurrentIndex(min(range(len(INTERVALS_S)), key=lambda i: abs(INTERVALS_S[i] - interval_s)))
        self.interval.activated.connect(self._on_interval)
        for span_s in SPANS_S:
            self.span.addItem("", span_s)
        self.span.setCurrentIndex(self.span.findData(self.model.span_s))
        self.span.activated.connect(self._on_span)
        self._save_menu = QMenu(self)
        self.save_numbers = self._save_menu.addAction("", self._save_csv)
        self.save_picture = self._save_menu.addAction("", self._save_png)
        self.save.setMenu(self._save_menu)
        controls = FlowLayout(GRID)
        for widget in (
            self.span_label,
            self.span,
            self.interval_label,
            self.interval,
            self.pause,
            self.toggle,
            self.save,
        ):
            controls.addWidget(widget)
        self.column.addWidget(self.title)
        self.column.addWidget(self.purpose)
        self.column.addLayout(controls)
        self.column.addWidget(self.problem)
        self.column.addWidget(self.waiting)
        self.column.addWidget(self.saved)
        self.column.addWidget(self.moment)
        self.column.addWidget(self.time_bar)
        self.graphs = self._grid()
        self._stack.addWidget(self.graphs)
        self._stack.addWidget(self.table)
        self.column.addWidget(self._stack, 1)
        self.column.addWidget(self.remarks)
        self.column.addWidget(self.cost)

    def _grid(self) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_GAP)
        self._tiles = QGridLayout()
        self._tiles.setSpacing(_GAP)
        for name, _title in GRAPHS:
            tile = LiveTile(self.context, self._origin)
            tile.setParent(holder)
            tile.hide()
            tile.plot_made.connect(self._on_plot_made)
            self.tiles[name] = tile
        self.tiles["processor"].body.insertLayout(1, self._cores_line())  # above: the graphs end at one height
        column.addLayout(self._tiles, 1)
        column.addWidget(self.cards)
        column.addWidget(self.absent)
        self.absent.hide()
        return holder

    def _cores_line(self) -> QHBoxLayout:
        """Return the bars of the cores behind their name."""
        line = QHBoxLayout()
        line.setSpacing(GRID)
        line.addWidget(self.cores_title)
        line.addWidget(self.cores, 1)
        return line

    def _place(self, names: tuple[str, ...]) -> None:
        """Put the tiles that have something to draw beside each other."""
        is_even = len(names) == 4  # two rows of two; beside three, the fourth would be alone
        room = self.viewport().width() / self.context.text_scale
        columns = 1 if room < _NARROW_PX else 3 if room >= _WIDE_PX and not is_even else 2
        if (columns, names) == self._placed:
            return
        self._placed = (columns, names)
        for name, tile in self.tiles.items():
            self._tiles.removeWidget(tile)
            tile.setVisible(name in names)
        for position, name in enumerate(names):
            is_last = position == len(names) - 1
            width = columns - position % columns if is_last else 1
            self._tiles.addWidget(self.tiles[name], position // columns, position % columns, 1, width)
        for number in range(3):
            self._tiles.setColumnStretch(number, 1 if number < columns else 0)

    def _show_absent(self, graphs: tuple[Graph, ...]) -> None:
        """Say which graphs are not there, and why."""
        text = absences((graph.title, graph.missing) for graph in graphs if graph.missing)
        if text != self.absent_text.text():
            self.absent_text.setText(text)
        if self.absent.isHidden() == bool(text):
            self.absent.setVisible(bool(text))

    # --- looking ---

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
        self._monitor.ask_users(is_wanted=True)
        self._cost_from = (time.monotonic(), time.process_time())
        self.refresh()
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """Rest while nobody looks."""
        super().hideEvent(event)
        self._timer.stop()
        self._monitor.ask_users(is_wanted=False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put more graphs beside each other where there is room."""
        super().resizeEvent(event)
        self._place(self._placed[1])

    def refresh(self) -> None:
        """Draw what is new."""
        self._show_problem()
        latest = self._monitor.latest
        if self.pause.isChecked() or latest is None or latest is self._seen:
            return
        self._seen = latest
        self._weigh()
        self.model.show_sample(latest)
        self._draw()

    def _weigh(self) -> None:
        """Work out what this window costs since the page was opened or this was last asked."""
        now = (time.monotonic(), time.process_time())
        if now[0] - self._cost_from[0] >= _WEIGH_EVERY_S:
            ratio = (now[1] - self._cost_from[1]) / (now[0] - self._cost_from[0])
            known = self._face_ratio
            self._face_ratio = ratio if known is None else 0.5 * known + 0.5 * ratio
            self._cost_from = now

    def _show_problem(self) -> None:
        """Say why there are no samples, until there are some again."""
        problem = self._monitor.problem
        if problem is self._said:
            return
        self._said = problem
        if problem is None:
            self.problem.dismiss()
        else:
            self.problem.show_problem(problem, N_("The sensors cannot be read."))

    def _draw(self) -> None:
        latest = self.model.latest
        self.waiting.setVisible(latest is None and self._monitor.problem is None)
        if latest is None:
            return
        language = self.context.language
        self.time_bar.follow()
        if self.is_table:
            self._show_table(language)
        else:
            self._draw_graphs()
        self.cost.setText(self.model.cost_text(language, self._face_ratio))
        texts = (sleep_text(latest, language), throttle_text(latest, language))
        self._remark("  ·  ".join(text for text in texts if text))

    def _show_table(self, language: Language) -> None:
        header, rows = self.model.table(language)
        if not self.rows.renew(header, rows):
            self.rows.show(header, rows, numeric=frozenset(range(len(header))), origins=self._cell_origin)
            self.table.fit_columns()

    def _remark(self, text: str) -> None:
        if text != self.remarks.text():
            self.remarks.setText(text)
        self.remarks.setVisible(bool(text))

    def _origin(self, graph: Graph, curve: Curve) -> Provenance | None:
        """Return where the value of a curve comes from."""
        latest = self.model.latest
        return None if latest is None else of_curve(graph, curve, latest, self.context.language)

    def _cell_origin(self, row: int, column: int) -> Provenance | None:
        """Return where a value of the table comes from: after that of the time, one column a curve, then one a core."""
        language, latest = self.context.language, self.model.latest
        curves = [(graph, curve) for graph in self.model.graphs(language) for curve in graph.curves]
        if 0 < column <= len(curves):
            return self._origin(*curves[column - 1])
        if latest is None or column == 0:
            return None
        title = core_name(column - 1 - len(curves), language)
        value = f"{self.rows.index(row, column).data()}\N{NO-BREAK SPACE}%"
        return of_sensor(title, value, "host.cpu_ratio", latest, language)

    def _draw_graphs(self) -> None:
        latest = self.model.latest
        if latest is None:
            return
        end_s = self.model.shown_to_s
        at_s = None if self._pointed_s is None else end_s + self._pointed_s
        graphs = self.model.graphs(self.context.language, at_s)
        drawn = tuple(graph for graph in graphs if graph.curves)
        self._place(tuple(graph.id for graph in drawn))
        self._show_absent(tuple(graph for graph in graphs if not graph.curves))
        drawn_s, span_s = self.model.drawn_s, self.model.span_s
        spans = self._phases.spans(end_s - span_s, end_s)
        phases = tuple((first - end_s, last - end_s) for first, last in spans)
        ends_at_s = None if self.model.end_s is None else float(round(wall_s(end_s)))
        for graph in drawn:
            self.tiles[graph.id].show_graph(graph, drawn_s, span_s, phases, ends_at_s)
        self.cores.show_ratios(self.model.cores_at(at_s))
        self.cards.show_sample(latest, self._monitor.users)
        self._show_moment(at_s, has_phases=bool(phases))
        if not drawn and not self.model.times_s:
            self._set_moment(self.context.gettext("Nothing was sampled in this time."))

    def _show_moment(self, at_s: float | None, *, has_phases: bool) -> None:
        """Say which moment the values are of, and what was being measured then."""
        _ = self.context.gettext
        latest = self.model.latest
        if at_s is None or latest is None:
            paused = _("Paused. The sensors are still read.") if self.pause.isChecked() else ""
            hint = _("Point at a graph to see the values of a moment.")
            shaded = _("Shaded: the tests of a check.") if has_phases else ""
            self._set_moment("  ·  ".join(part for part in (paused, hint, shaded) if part))
            return
        text = ago_phrase(latest.time_s - at_s, self.context.language)
        doing = self._phases.phrase_at(at_s, self.context.language)
        self._set_moment("  ·  ".join(part for part in (text, doing) if part))

    def _set_moment(self, text: str) -> None:
        if text != self.moment.text():
            self.moment.setText(text)

    def _on_plot_made(self, plot: LivePlot) -> None:
        plot.pointed.connect(self._on_pointed)
        plot.dragged.connect(self._on_dragged)
        plot.zoomed.connect(self._on_zoomed)

    def _on_dragged(self, seconds: float) -> None:
        self.time_bar.scroll_back(self.model.back_s + seconds)

    def _on_pointed(self, ago_s: float | None) -> None:
        """Show the values of the moment under the pointer, in every graph."""
        self._pointed_s = ago_s
        for tile in self.tiles.values():
            tile.show_line(ago_s)
        if self.model.latest is not None:
            self._draw_graphs()

    # --- choosing ---

    def _on_interval(self) -> None:
        interval_s = float(self.interval.currentData())
        self._timer.setInterval(round(1000 * interval_s))
        self.interval_chosen.emit(interval_s)

    def show_interval(self, interval_s: float) -> None:
        """Show what was chosen elsewhere."""
        self.interval.setCurrentIndex(max(0, self.interval.findData(interval_s)))
        self._timer.setInterval(round(1000 * interval_s))

    def _on_span(self) -> None:
        self.model.span_s = float(self.span.currentData())
        self.model.scroll_back(self.model.back_s)
        self._draw()

    def _on_zoomed(self, is_wider: bool) -> None:
        """Show the next longer or shorter span."""
        place = self.span.currentIndex() + (1 if is_wider else -1)
        if 0 <= place < self.span.count():
            self.span.setCurrentIndex(place)
            self._on_span()

    def _toggle_pause(self) -> None:
        self.saved.hide()
        self.retranslate()
        if not self.pause.isChecked():
            self.refresh()

    # --- saving ---

    def choose_file(self, name: str, kinds: str) -> str:
        """Ask where to save; empty where the user does not want to."""
        _ = self.context.gettext
        title = _("Save sensor values and times; nothing else is in the file")
        return QFileDialog.getSaveFileName(self, title, name, kinds)[0]

    def _save_csv(self) -> None:
        path = self.choose_file("advisor-live.csv", "CSV (*.csv)")
        if path:
            self.save_csv(Path(path))

    def save_csv(self, path: Path) -> None:
        """Write the numbers of the last hour."""
        strip = self.model.timeline.since(-HOUR_S if self.model.latest is None else self.model.latest.time_s - HOUR_S)
        phases = copy.deepcopy(self._phases)
        self._write(path, lambda: csv_bytes(strip, phases))

    def _write(self, path: Path, make: Callable[[], bytes]) -> None:
        """Write a file whole or not at all, away from the painting thread."""
        self.saved.hide()
        self.problem.dismiss()

        def write() -> Path:
            write_bytes(path, make())
            return path

        self._background.run(write, "saving", self._on_saved, self._on_not_saved)

    def _on_saved(self, path: Path) -> None:
        self.saved.setText(self.context.gettext("Saved as {file}.").format(file=path.name))
        self.saved.show()

    def _on_not_saved(self, problem: Problem) -> None:
        self.problem.show_problem(problem, N_("The file could not be written."))

    def _save_png(self) -> None:
        path = self.choose_file("advisor-live.png", "PNG (*.png)")
        if path:
            self.save_png(Path(path))

    def save_png(self, path: Path) -> None:
        """Write a picture of the graphs as they are shown."""
        picture = self.graphs.grab().toImage()  # a pixmap belongs to the painting thread
        self._write(path, lambda: png_bytes(picture))

    # --- words ---

    def retranslate(self) -> None:
        """Set the texts in the language of the moment."""
        _ = self.context.gettext
        language = self.context.language
        self.setAccessibleName(_("Live"))
        self.title.setText(_("Live"))
        self.purpose.setText(
            _("What this computer does right now. While you train, it shows what is busy and what waits.")
        )
        self.cores_title.setText(_("Each core"))
        self.span_label.setText(_("Time shown"))
        self.span.setAccessibleName(_("How much time is shown"))
        for position, value in enumerate(SPANS_S):
            self.span.setItemText(position, _span_text(value, language))
        self.span.setAccessibleDescription(_("From one minute to an hour"))
        self.interval_label.setText(_("Every"))
        self.interval.setAccessibleDescription(_("More often costs a little more"))
        self.interval.setAccessibleName(_("Time between two samples"))
        for position, value in enumerate(INTERVALS_S):
            self.interval.setItemText(position, _("{n} s").format(n=language.number(value, 2)))
        self.pause.setText(_("Go on") if self.pause.isChecked() else _("Pause"))
        self.pause.setAccessibleDescription(_("Stops the graphs; sampling goes on"))
        self.toggle.setText(_("As a chart") if self.is_table else _("As a table"))
        self.toggle.setAccessibleDescription(_("Shows the same numbers in another form (Ctrl+T)"))
        self.save.setText(_("Save"))
        self.save.setAccessibleDescription(_("Writes the numbers or a picture of the graphs into a file"))
        self.saved.hide()  # said in the language before
        self.save_numbers.setText(_("Numbers of the last hour (CSV)"))
        self.save_picture.setText(_("Picture of the graphs (PNG)"))
        self.table.setAccessibleName(_("Live"))
        self.table.setAccessibleDescription(_("The latest values of every sensor, newest first"))
        self.absent_title.setText(_("Not available"))
        self.waiting.setText(_("Reading the sensors for the first time …"))
        self._draw()


def _span_text(span_s: float, language: Language) -> str:
    """Return how long a span is: in minutes, a whole hour as such."""
    if span_s >= HOUR_S:
        return language.ngettext("{n} hour", "{n} hours", round(span_s / HOUR_S)).format(
            n=language.number(span_s / HOUR_S)
        )
    text = language.ngettext("{n} minute", "{n} minutes", round(span_s / MINUTE_S))
    return text.format(n=language.number(span_s / MINUTE_S))
