"""The sensors over time: which graphs there are, their curves, their present values, and why one is missing."""

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from advisor.locale import N_, Language
from advisor.records.telemetry import AcceleratorSample, HostSample, TelemetrySample
from advisor.report.trouble import GAP_REASONS
from advisor.units import GIB

SHOWN_SAMPLES = 300

GRAPHS: tuple[tuple[str, str], ...] = (
    ("processor", N_("Processor")),
    ("memory", N_("Memory")),
    ("graphics", N_("Graphics card")),
    ("graphics_memory", N_("Graphics memory")),
    ("temperature", N_("Temperature")),
    ("power", N_("Power")),
    ("disk", N_("Disk")),
    ("network", N_("Network")),
)
THROTTLES: dict[str, str] = {
    "power_limit": N_("held back by its power limit"),
    "heat": N_("held back by heat"),
    "hardware_slowdown": N_("held back by its hardware"),
    "power_brake": N_("held back by the power supply"),
    "set_clocks": N_("held at a set clock"),
    "sync_boost": N_("held back by another card"),
}
# Full-scale values: shares go to 100 %; the others grow with what was seen, from at least these.
_LEAST_FULL_SCALE = {"temperature": 100.0, "power": 50.0, "disk": 10.0, "network": 1.0}
_UNITS = {"temperature": "°C", "power": "W", "disk": "MB/s", "network": "MB/s"}


@dataclass
class Curve:
    """One sensor over time, in the unit of its graph; NaN where it had no value.

    Attributes:
        style: Number of its colour and dashes: the processor's is 0 and the n-th card's n, in every graph.
    """

    key: str
    label: str
    values: deque[float]
    style: int
    now_text: str = ""

    @property
    def now(self) -> float | None:
        """Return the present value; None where there is none."""
        value = self.values[-1] if self.values else math.nan
        return None if math.isnan(value) else value


@dataclass(frozen=True, kw_only=True)
class Graph:
    """One graph.

    Attributes:
        now: The present values in words.
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
    """A sensor of a sample: its graph, its field as gaps name it, and how to read it in the graph's unit."""

    graph: str
    field: str
    read: Callable[[TelemetrySample], float | None]


def _host(graph: str, name: str, factor: float) -> _Sensor:
    return _Sensor(graph, f"host.{name}", lambda sample: _scaled(sample.host, name, factor))


def _card(graph: str, name: str, position: int, factor: float) -> _Sensor:
    def read(sample: TelemetrySample) -> float | None:
        return _scaled(sample.accelerators[position], name, factor) if position < len(sample.accelerators) else None

    return _Sensor(graph, f"accelerators.{position}.{name}", read)


def _scaled(record: HostSample | AcceleratorSample, name: str, factor: float) -> float | None:
    value = getattr(record, name)
    return None if value is None else value * factor


_HOST_SENSORS = (
    _host("processor", "cpu_ratio", 100.0),
    _host("memory", "memory_used_bytes", 1 / GIB),
    _host("temperature", "cpu_temperature_celsius", 1.0),
    _host("power", "cpu_power_w", 1.0),
    _host("disk", "disk_read_bytes_per_s", 1e-6),
    _host("disk", "disk_written_bytes_per_s", 1e-6),
    _host("network", "network_received_bytes_per_s", 1e-6),
    _host("network", "network_sent_bytes_per_s", 1e-6),
)
_LABELS = {
    "host.cpu_ratio": N_("all cores"),
    "host.memory_used_bytes": N_("in use"),
    "host.cpu_temperature_celsius": N_("processor"),
    "host.cpu_power_w": N_("processor"),
    "host.disk_read_bytes_per_s": N_("read"),
    "host.disk_written_bytes_per_s": N_("written"),
    "host.network_received_bytes_per_s": N_("received"),
    "host.network_sent_bytes_per_s": N_("sent"),
}


def _sensors(sample: TelemetrySample) -> Iterator[_Sensor]:
    yield from _HOST_SENSORS
    for position in range(len(sample.accelerators)):
        yield _card("graphics", "utilisation_ratio", position, 100.0)
        yield _card("graphics_memory", "memory_used_bytes", position, 1 / GIB)
        yield _card("temperature", "temperature_celsius", position, 1.0)
        yield _card("power", "power_w", position, 1.0)


class LiveModel:
    """Keeps every sensor's latest values; each sample is looked at once.

    Attributes:
        times_s: When the samples were taken, on the monitor's clock.
        capacity: How many samples are kept.
    """

    def __init__(self, capacity: int = SHOWN_SAMPLES) -> None:
        self.times_s: deque[float] = deque(maxlen=capacity)
        self.capacity = capacity
        self._values: dict[str, deque[float]] = {}
        self._latest: TelemetrySample | None = None
        self._costs: deque[float] = deque(maxlen=capacity)

    @property
    def latest(self) -> TelemetrySample | None:
        """Return the newest sample."""
        return self._latest

    def take(self, samples: Iterable[TelemetrySample]) -> None:
        """Account for new samples, oldest first."""
        for sample in samples:
            for sensor in _sensors(sample):
                if sensor.field not in self._values:
                    self._values[sensor.field] = deque([math.nan] * len(self.times_s), maxlen=self.capacity)
            self._append(sample)

    def _append(self, sample: TelemetrySample) -> None:
        read = {sensor.field: sensor.read(sample) for sensor in _sensors(sample)}
        for name, values in self._values.items():
            value = read.get(name)
            values.append(math.nan if value is None else value)
        self.times_s.append(sample.time_s)
        self._latest = sample
        if sample.cost_ratio is not None:
            self._costs.append(sample.cost_ratio)

    def graphs(self, language: Language) -> tuple[Graph, ...]:
        """Return every graph; none before the first sample."""
        latest = self._latest
        if latest is None:
            return ()
        sensors = list(_sensors(latest))
        return tuple(self._graph(graph_id, title, sensors, latest, language) for graph_id, title in GRAPHS)

    def _graph(
        self, graph_id: str, title: str, sensors: list[_Sensor], latest: TelemetrySample, language: Language
    ) -> Graph:
        own = [sensor for sensor in sensors if sensor.graph == graph_id]
        curves = [
            Curve(one.field, _label(one.field, latest, language), self._values[one.field], _style(one.field, place))
            for place, one in enumerate(own)
        ]
        shown = [curve for curve in curves if not all(map(math.isnan, curve.values))]
        return Graph(
            id=graph_id,
            title=language.gettext(title),
            unit=_unit(graph_id),
            now=_now(graph_id, shown, latest, language),
            full_scale=_full_scale(graph_id, shown, latest),
            missing=_missing(graph_id, curves, latest, language),
            curves=tuple(shown),
        )

    def cost_text(self, language: Language) -> str:
        """Return what the monitor itself costs; empty before that is known."""
        if not self._costs:
            return ""
        share = language.percent(sum(self._costs) / len(self._costs), 1)
        return language.gettext("Reading the sensors takes {share} of one core.").format(share=share)

    def table(self, language: Language) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
        """Return header and rows with the graphs' numbers, newest first: one row a sample, one column a curve."""
        columns = [(graph, curve) for graph in self.graphs(language) for curve in graph.curves]
        header = (language.gettext("Seconds ago"), *(f"{g.title}, {curve.label}, {g.unit}" for g, curve in columns))
        newest = self.times_s[-1] if self.times_s else 0.0
        rows = []
        for position in range(len(self.times_s) - 1, -1, -1):
            cells = [curve.values[position] for _graph, curve in columns]
            texts = ["–" if math.isnan(value) else language.number(value, 1) for value in cells]
            rows.append((language.number(newest - self.times_s[position], 1), *texts))
        return header, tuple(rows)


def _unit(graph_id: str) -> str:
    if graph_id in {"processor", "graphics"}:
        return "%"
    return _UNITS.get(graph_id, "GB")


def _style(name: str, place: int) -> int:
    return place if name.startswith("host.") else int(name.split(".")[1]) + 1


def _label(name: str, latest: TelemetrySample, language: Language) -> str:
    if name in _LABELS:
        return language.gettext(_LABELS[name])
    position = int(name.split(".")[1])
    return card_name(latest.accelerators[position], latest, language)


def card_name(card: AcceleratorSample, latest: TelemetrySample, language: Language) -> str:
    """Return what a card is called in a graph: its short name, or its number where there are several of the same."""
    twins = [other.index for other in latest.accelerators if other.name == card.name]
    if len(twins) > 1:
        return language.gettext("card {n}").format(n=twins.index(card.index) + 1)
    return card.name.removeprefix("NVIDIA ").removeprefix("AMD ").strip() or language.gettext("graphics card")


def _now(graph_id: str, curves: Sequence[Curve], latest: TelemetrySample, language: Language) -> str:
    """Put the present values into words, such as "42 %" or "3.1 of 16 GB", and return them together."""
    for curve in curves:
        curve.now_text = "" if curve.now is None else _value_text(graph_id, curve, curve.now, latest, language)
    if len(curves) == 1:
        return curves[0].now_text
    return " · ".join(f"{curve.label} {curve.now_text}" for curve in curves if curve.now_text)


def _value_text(graph_id: str, curve: Curve, value: float, latest: TelemetrySample, language: Language) -> str:
    _ = language.gettext
    if graph_id in {"memory", "graphics_memory"}:
        total = _total_gib(curve.key, latest)
        used = language.number(value, 1)
        if total is not None:
            return _("{used} of {total} GB").format(used=used, total=language.number(total, 0 if total >= 10 else 1))
        return f"{used}\N{NO-BREAK SPACE}GB"
    if graph_id in {"processor", "graphics"}:
        return language.percent(value / 100)
    digits = 1 if graph_id in {"disk", "network"} and value < 10 else 0
    return f"{language.number(value, digits)}\N{NO-BREAK SPACE}{_UNITS[graph_id]}"


def _total_gib(key: str, latest: TelemetrySample) -> float | None:
    if key.startswith("host."):
        total = latest.host.memory_total_bytes
    else:
        total = latest.accelerators[int(key.split(".")[1])].memory_total_bytes
    return None if total is None else total / GIB


def _full_scale(graph_id: str, curves: Sequence[Curve], latest: TelemetrySample) -> float:
    if graph_id in {"processor", "graphics"}:
        return 100.0
    if graph_id in {"memory", "graphics_memory"}:
        totals = [total for curve in curves if (total := _total_gib(curve.key, latest)) is not None]
        return max(totals, default=1.0)
    seen = max((value for curve in curves for value in curve.values if not math.isnan(value)), default=0.0)
    return round_up(max(seen, _LEAST_FULL_SCALE[graph_id]))


def round_up(value: float) -> float:
    """Return the next value of the form 1, 2 or 5 times a power of ten."""
    step = 1.0
    while step < value:
        step *= 10
    return next(step * part for part in (0.1, 0.2, 0.5, 1.0) if step * part >= value)


def _missing(graph_id: str, curves: Iterable[Curve], latest: TelemetrySample, language: Language) -> str:
    """Return why the graph or some of its curves are not there."""
    _ = language.gettext
    if graph_id in {"graphics", "graphics_memory"} and not latest.accelerators:
        return _("No graphics card was found in this computer.")
    gaps = {gap.field: gap for gap in latest.gaps}
    reasons: dict[str, list[str]] = {}
    for curve in curves:
        gap = gaps.get(curve.key)
        if gap is not None and curve.now is None:
            reasons.setdefault(_(GAP_REASONS[gap.reason]), []).append(curve.label)
    text = _("{sensor}: not available ({reason}).")
    texts = [text.format(sensor=", ".join(dict.fromkeys(names)), reason=reason) for reason, names in reasons.items()]
    return " ".join(_sentence(text) for text in texts)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def throttle_text(latest: TelemetrySample, language: Language) -> str:
    """Return which cards are held back, and by what; empty where none is."""
    texts = []
    for card in latest.accelerators:
        reasons = [language.gettext(THROTTLES[code]) for code in card.throttle_reasons if code in THROTTLES]
        if reasons:
            texts.append(f"{card_name(card, latest, language)}: {', '.join(reasons)}")
    return " · ".join(texts)


def sleep_text(latest: TelemetrySample, language: Language) -> str:
    """Return that a card sleeps and is left alone; empty where none does."""
    asleep = [card_name(card, latest, language) for card in latest.accelerators if card.is_asleep]
    if not asleep:
        return ""
    return language.gettext("{card} is asleep and is not woken by this page.").format(card=", ".join(asleep))
