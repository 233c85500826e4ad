"""Keep an hour of every sensor in columns, which graphs are drawn from; filled by one thread and read by another.

Must not know what is drawn. An hour at four samples a second of eight cards and 256 cores takes about 8 MiB.
"""

import math
import threading
from array import array
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from advisor.records.hardware.telemetry import TelemetrySample
from advisor.units import HOUR_S

MOST_SAMPLES = 14_400
"""One hour, four times a second."""
_TRIM_EVERY = 256
# No sensor says anything beyond these, in any unit; a source that lets nonsense through must not spoil a graph's axis.
_LEAST, _MOST = -1e3, 1e16

HOST_FIELDS = (
    "cpu_ratio",
    "memory_used_bytes",
    "disk_read_bytes_per_s",
    "disk_written_bytes_per_s",
    "network_received_bytes_per_s",
    "network_sent_bytes_per_s",
    "cpu_temperature_celsius",
    "cpu_power_w",
)
CARD_FIELDS = (
    "utilisation_ratio",
    "memory_used_bytes",
    "temperature_celsius",
    "power_w",
    "clock_hz",
    "memory_clock_hz",
)


@dataclass(frozen=True, kw_only=True)
class Strip:
    """A span of time, copied out.

    Attributes:
        times_s: When each sample was taken, on the monitor's clock.
        columns: Values by field, such as ``host.cpu_ratio`` or ``accelerators.0.power_w``; NaN where there was none.
        cores: Each core's percentage, one byte a core, for each sample.
    """

    times_s: "array[float]"
    columns: "dict[str, array[float]]"
    cores: tuple[bytes, ...]


class Timeline:
    """The last hour of every sensor.

    Attributes:
        span_s: What is older is dropped.
        most: So many samples are kept at most, a few hundred more between two trims.
    """

    def __init__(self, span_s: float = HOUR_S, most: int = MOST_SAMPLES) -> None:
        self.span_s = span_s
        self.most = most
        self._lock = threading.Lock()
        self._times_s = array("d")
        self._columns: dict[str, array[float]] = {}
        self._cores: deque[bytes] = deque()
        self._appended = 0

    def __len__(self) -> int:
        """Return how many samples are kept."""
        return len(self._times_s)

    def append(self, sample: TelemetrySample) -> None:
        """Take in a sample."""
        values = dict(_values(sample))
        cores = bytes(round(100 * ratio) for ratio in sample.host.cores_ratio)
        with self._lock:
            for name in values.keys() - self._columns.keys():
                self._columns[name] = array("f", [math.nan]) * len(self._times_s)
            for name, column in self._columns.items():
                column.append(values.get(name, math.nan))
            self._times_s.append(sample.time_s)
            self._cores.append(cores)
            self._appended += 1
            if self._appended % _TRIM_EVERY == 0:
                self._trim(sample.time_s)

    @property
    def first_s(self) -> float:
        """When the oldest sample that is kept was taken; NaN before the first."""
        with self._lock:
            return self._times_s[0] if self._times_s else math.nan

    def since(self, start_s: float, end_s: float = math.inf) -> Strip:
        """Return a copy of the samples from a moment on, up to another."""
        with self._lock:
            first = bisect_left(self._times_s, start_s)
            last = bisect_right(self._times_s, end_s)
            return Strip(
                times_s=self._times_s[first:last],
                columns={name: column[first:last] for name, column in self._columns.items()},
                cores=tuple(islice(self._cores, first, last)),
            )

    def _trim(self, now_s: float) -> None:
        """Drop what is too old or too much, and sensors that have said nothing for the whole span."""
        count = max(bisect_left(self._times_s, now_s - self.span_s), len(self._times_s) - self.most)
        if count <= 0:
            return
        del self._times_s[:count]
        for column in self._columns.values():
            del column[:count]
        for _turn in range(count):
            self._cores.popleft()
        silent = [name for name, column in self._columns.items() if all(map(math.isnan, column))]
        for name in silent:
            del self._columns[name]


def _values(sample: TelemetrySample) -> Iterator[tuple[str, float]]:
    for name in HOST_FIELDS:
        value = getattr(sample.host, name)
        if value is not None and _LEAST <= value <= _MOST:
            yield f"host.{name}", value
    for position, card in enumerate(sample.accelerators):
        for name in CARD_FIELDS:
            value = getattr(card, name)
            if value is not None and _LEAST <= value <= _MOST:
                yield f"accelerators.{position}.{name}", value
