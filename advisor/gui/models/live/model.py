"""The sensors over time: which graphs there are, their curves, and the values at one moment of them."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from advisor.gui.models.live import words
from advisor.gui.models.live.axis_top import axis_top
from advisor.gui.models.live.thinning import Thinning
from advisor.locale import N_, Language
from advisor.monitor.timeline import Strip, Timeline
from advisor.records.hardware.telemetry import TelemetrySample
from advisor.units import GIB

Values = np.ndarray[tuple[int], np.dtype[np.float64]]

SPANS_S = (60.0, 300.0, 900.0, 3600.0)
DEFAULT_SPAN_S = 300.0
_COSTS_KEPT = 60
_LEAST_SHARE = 0.001

GRAPHS: tuple[tuple[str, str], ...] = (
    ("processor", N_("Processor")),
    ("memory", N_("Memory")),
    ("graphics", N_("Graphics card")),
    ("graphics_memory", N_("Graphics memory")),
    ("temperature", N_("Temperature")),
    ("power", N_("Power")),
    ("clock", N_("Clock of the graphics card")),
    ("disk", N_("Disk")),
    ("network", N_("Network")),
)
# Full-scale values: shares go to 100 %; the others grow with what was seen, from at least these.
_LEAST_FULL_SCALE = {"temperature": 100.0, "power": 50.0, "clock": 1.0, "disk": 10.0, "network": 1.0}


@dataclass(frozen=True, kw_only=True)
class Curve:
    """One sensor over time, in the unit of its graph.

    Attributes:
        values: At the times of ``LiveModel.drawn_s``; NaN where there was none.
        style: Number of its colour and dashes: the processor's is 0 and the n-th card's n, in every graph.
        highest: The highest of them; NaN where there is none at all.
        now: The value at the moment that is looked at; None where there is none.
        now_text: The same in words.
    """

    key: str
    label: str
    values: Values
    style: int
    highest: float
    now: float | None
    now_text: str


@dataclass(frozen=True, kw_only=True)
class Graph:
    """One graph.

    Attributes:
        now: The values at the moment that is looked at, in words.
        full_scale: Upper end of the axis, in ``unit``.
        missing: Why it, or a curve of it, is not there; empty where nothing is missing.
        curves: None of them where nothing could be read at all.
    """

    id: str
    title: str
    unit: str
    now: str
    full_scale: float
    missing: str
    curves: tuple[Curve, ...]


@dataclass(frozen=True)
class _Sensor:
    """A sensor: its graph, its field as gaps and columns name it, and how to get to the graph's unit."""

    graph: str
    field: str
    factor: float


_HOST_SENSORS = (
    _Sensor("processor", "host.cpu_ratio", 100.0),
    _Sensor("memory", "host.memory_used_bytes", 1 / GIB),
    _Sensor("temperature", "host.cpu_temperature_celsius", 1.0),
    _Sensor("power", "host.cpu_power_w", 1.0),
    _Sensor("disk", "host.disk_read_bytes_per_s", 1e-6),
    _Sensor("disk", "host.disk_written_bytes_per_s", 1e-6),
    _Sensor("network", "host.network_received_bytes_per_s", 1e-6),
    _Sensor("network", "host.network_sent_bytes_per_s", 1e-6),
)
_CARD_SENSORS = (
    ("graphics", "utilisation_ratio", 100.0),
    ("graphics_memory", "memory_used_bytes", 1 / GIB),
    ("temperature", "temperature_celsius", 1.0),
    ("power", "power_w", 1.0),
    ("clock", "clock_hz", 1e-9),
)


@cache
def _sensors(cards: int) -> tuple[_Sensor, ...]:
    of_cards = (
        _Sensor(graph, f"accelerators.{position}.{name}", factor)
        for position in range(cards)
        for graph, name, factor in _CARD_SENSORS
    )
    return (*_HOST_SENSORS, *of_cards)


@cache
def _fields(graph_id: str, cards: int) -> tuple[str, ...]:
    """Return every field a graph could show."""
    return tuple(sensor.field for sensor in _sensors(cards) if sensor.graph == graph_id)


class LiveModel:
    """What the live page shows: a span of the timeline up to its newest sample, thinned out for drawing.

    Attributes:
        timeline: Filled by whoever samples.
        span_s: How much of it is shown.
        end_s: Up to when; None: up to the newest sample, whatever comes.
        latest: The newest sample; None before the first.
        times_s: Of every sample within the span.
        drawn_s: Times of the points that are drawn, relative to the end of the span.
    """

    def __init__(self, timeline: Timeline | None = None, span_s: float = DEFAULT_SPAN_S) -> None:
        self.timeline = timeline if timeline is not None else Timeline()
        self.span_s = span_s
        self.end_s: float | None = None
        self.latest: TelemetrySample | None = None
        self._strip = self.timeline.since(math.inf)
        self._thinning = Thinning((), span_s)
        self._costs: deque[float] = deque(maxlen=_COSTS_KEPT)

    @property
    def times_s(self) -> Sequence[float]:
        """When each sample within the span was taken."""
        return self._strip.times_s

    @property
    def drawn_s(self) -> Values:
        """Times of the drawn points, 0 at the end of the span and negative before it."""
        return self._thinning.times_s - self.shown_to_s

    @property
    def shown_to_s(self) -> float:
        """The end of the span, on the monitor's clock; 0 before the first sample."""
        if self.end_s is not None:
            return self.end_s
        return self.latest.time_s if self.latest is not None else 0.0

    @property
    def earlier_s(self) -> float:
        """How much time before the span that ends now is kept as well; 0 where all is within it."""
        first_s = self.timeline.first_s
        if self.latest is None or math.isnan(first_s):
            return 0.0
        return max(0.0, self.latest.time_s - self.span_s - first_s)

    @property
    def back_s(self) -> float:
        """How long before the newest sample the span ends; 0 where it ends now."""
        return 0.0 if self.end_s is None or self.latest is None else max(0.0, self.latest.time_s - self.end_s)

    def scroll_back(self, back_s: float) -> None:
        """Show a span that ends some time before the newest sample and stays there; 0: follow the newest again."""
        if self.latest is None:
            return
        back_s = min(back_s, self.earlier_s)
        self.end_s = None if back_s <= 0 else self.latest.time_s - back_s
        self.show_sample(self.latest)

    def show_sample(self, latest: TelemetrySample) -> None:
        """Take over the span that ends with a sample that is on the timeline already, or the one looked back at."""
        if latest is not self.latest and latest.cost_ratio is not None:
            self._costs.append(latest.cost_ratio)
        self.latest = latest
        self._stay_on_timeline()
        end_s = self.shown_to_s
        self._strip = self.timeline.since(end_s - self.span_s, end_s)
        self._thinning = Thinning(self._strip.times_s, self.span_s)

    def _stay_on_timeline(self) -> None:
        """Move on with what is kept: what was looked back at is dropped after an hour."""
        if self.end_s is None or self.latest is None:
            return
        first_s = self.timeline.first_s
        if not math.isnan(first_s):
            self.end_s = max(self.end_s, first_s + self.span_s)
        if self.end_s >= self.latest.time_s:
            self.end_s = None

    def graphs(self, language: Language, at_s: float | None = None) -> tuple[Graph, ...]:
        """Return every graph, with the values of the newest sample or of a moment; none before the first sample.

        Args:
            language: Of the words.
            at_s: On the monitor's clock; None: now.
        """
        latest = self.latest
        if latest is None:
            return ()
        sensors = [sensor for sensor in _sensors(len(latest.accelerators)) if sensor.field in self._strip.columns]
        at = self.index_at(at_s)
        return tuple(self._graph(named, sensors, at, latest, language) for named in GRAPHS)

    def index_at(self, at_s: float | None) -> int:
        """Return which sample of the span is nearest to a moment; the newest where none is given."""
        times = self.times_s
        if at_s is None or not times:
            return len(times) - 1
        after = bisect_left(times, at_s)
        if after == 0 or after == len(times):
            return min(after, len(times) - 1)
        return after if times[after] - at_s < at_s - times[after - 1] else after - 1

    def cores_at(self, at_s: float | None = None) -> tuple[float, ...]:
        """Return how busy each core was at a moment, 0 to 1."""
        index = self.index_at(at_s)
        return tuple(percent / 100 for percent in self._strip.cores[index]) if index >= 0 else ()

    def _graph(
        self, named: tuple[str, str], sensors: Sequence[_Sensor], at: int, latest: TelemetrySample, language: Language
    ) -> Graph:
        graph_id, title = named
        curves = [
            self._curve(one, place, at, latest, language)
            for place, one in enumerate(sensor for sensor in sensors if sensor.graph == graph_id)
        ]
        shown = tuple(curve for curve in curves if not math.isnan(curve.highest))
        return Graph(
            id=graph_id,
            title=language.gettext(title),
            unit=words.unit(graph_id),
            now=_together(shown),
            full_scale=_full_scale(graph_id, shown, latest),
            missing=words.missing(graph_id, _fields(graph_id, len(latest.accelerators)), shown, latest, language),
            curves=shown,
        )

    def _curve(self, sensor: _Sensor, place: int, at: int, latest: TelemetrySample, language: Language) -> Curve:
        column = self._strip.columns[sensor.field]
        now = column[at] * sensor.factor if column else math.nan
        is_known = not math.isnan(now)
        values = self._thinning(column) * sensor.factor
        return Curve(
            key=sensor.field,
            label=words.label(sensor.field, latest, language),
            values=values,
            style=_style(sensor.field, place),
            highest=float(np.fmax.reduce(values, initial=math.nan)),  # a span looked back at may hold no sample
            now=now if is_known else None,
            now_text=words.value_text(sensor.graph, sensor.field, now, latest, language) if is_known else "",
        )

    def cost_text(self, language: Language, face_ratio: float | None = None) -> str:
        """Return what the monitor itself costs; empty before that is known.

        Args:
            language: Of the words.
            face_ratio: Processor time of this window with everything in it, as a share of one core.
        """
        if not self._costs:
            return ""
        share = _share(sum(self._costs) / len(self._costs), language)
        if face_ratio is None:
            return language.gettext("Reading the sensors takes {share} of one core.").format(share=share)
        text = language.gettext("Reading the sensors takes {share} of one core, this whole window {whole}.")
        return text.format(share=share, whole=_share(face_ratio, language))

    def table(self, language: Language) -> tuple[tuple[str, ...], Sequence[Sequence[str]]]:
        """Return header and rows with the graphs' numbers, newest first: a row a sample, a column a curve or a core."""
        curves = [(graph, curve) for graph in self.graphs(language) for curve in graph.curves]
        latest = self.latest
        cores = 0 if latest is None else len(latest.host.cores_ratio)
        header = (
            language.gettext("Seconds ago"),
            *(f"{g.title}, {curve.label}, {g.unit}" for g, curve in curves),
            *(f"{words.core_name(core, language)}, %" for core in range(cores)),
        )
        factors = {sensor.field: sensor.factor for sensor in _sensors(len(latest.accelerators) if latest else 0)}
        columns = [(self._strip.columns[curve.key], factors[curve.key]) for _graph, curve in curves]
        return header, _Rows(self._strip, latest.time_s if latest is not None else 0.0, columns, cores, language)


class _Rows(Sequence[Sequence[str]]):
    """Rows of the table, whose cells are put into words when they are seen."""

    def __init__(
        self,
        strip: Strip,
        newest_s: float,
        columns: Sequence[tuple[Sequence[float], float]],
        cores: int,
        language: Language,
    ) -> None:
        self._strip, self._newest_s, self._columns, self._language = strip, newest_s, columns, language
        self.width = 1 + len(columns) + cores

    def __len__(self) -> int:
        return len(self._strip.times_s)

    def __getitem__(self, index: int) -> Sequence[str]:  # type: ignore[override]  # single rows are all that is asked for
        if not 0 <= index < len(self):
            raise IndexError(index)
        return _Row(self, len(self) - 1 - index)

    def cell(self, position: int, column: int) -> str:
        """Return what stands in a column for the sample at a position."""
        if column == 0:
            return self._language.number(self._newest_s - self._strip.times_s[position], 1)
        if column <= len(self._columns):
            values, factor = self._columns[column - 1]
            value = values[position] * factor
            return "–" if math.isnan(value) else self._language.number(value, 1)
        cores, core = self._strip.cores[position], column - 1 - len(self._columns)
        return self._language.number(cores[core]) if core < len(cores) else "–"


class _Row(Sequence[str]):
    """One row of the table: of hundreds of columns a few are seen."""

    def __init__(self, rows: _Rows, position: int) -> None:
        self._rows, self._position = rows, position

    def __len__(self) -> int:
        return self._rows.width

    def __getitem__(self, column: int) -> str:  # type: ignore[override]  # single cells are all that is asked for
        if not 0 <= column < len(self):
            raise IndexError(column)
        return self._rows.cell(self._position, column)


def _share(ratio: float, language: Language) -> str:
    """Return a small share; what is there is not called nothing."""
    if 0.0 < ratio < _LEAST_SHARE:
        return language.gettext("less than {share}").format(share=language.percent(_LEAST_SHARE, 1))
    return language.percent(round(ratio, 3), 1)


def _style(name: str, place: int) -> int:
    return place if name.startswith("host.") else int(name.split(".")[1]) + 1


def _together(curves: Sequence[Curve]) -> str:
    """Return the values of all curves as one text."""
    if len(curves) == 1:
        return curves[0].now_text
    return " · ".join(f"{curve.label} {curve.now_text}" for curve in curves if curve.now_text)


def _full_scale(graph_id: str, curves: Sequence[Curve], latest: TelemetrySample) -> float:
    if graph_id in {"processor", "graphics"}:
        return 100.0
    highest = [curve.highest for curve in curves]
    if graph_id in {"memory", "graphics_memory"}:
        totals = [total for curve in curves if (total := words.total_gib(curve.key, latest)) is not None]
        return max(totals, default=0.0) or axis_top(highest, 1.0)
    return axis_top(highest, _LEAST_FULL_SCALE[graph_id])
