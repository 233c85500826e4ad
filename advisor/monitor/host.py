"""Sample the computer itself: cores, memory, disks, network, and temperature and power of the processor."""

import sys
from collections.abc import Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

from advisor.monitor.processor_sensors import MeanClock, PackagePower, PackageTemperature
from advisor.monitor.source import HIGHEST_BYTES_PER_S, Files, HostReading, Missings
from advisor.records.hardware.telemetry import HostSample

_SHORTEST_SPAN_S = 0.02
_LOOPBACK = ("lo", "Loopback Pseudo-Interface 1", "lo0")
# Shares are rounded to a thousandth, so that an hour of 256 cores shares 1001 numbers instead of holding a million.
_RATIOS = tuple(step / 1000 for step in range(1001))


class SystemSource:
    """Reads the host through psutil and the kernel's files.

    Check: ``top`` (cores), ``free -b`` (memory), ``iostat`` (disks), ``sensors`` (temperature).
    """

    def __init__(
        self,
        system: ModuleType | SimpleNamespace | None = None,
        files: Files | None = None,
        *,
        is_linux: bool | None = None,
    ) -> None:
        self._system: Any = system if system is not None else _psutil()
        self._files = files or Files()
        self._is_linux = sys.platform == "linux" if is_linux is None else is_linux
        self._temperature = PackageTemperature(self._files)
        self._power = PackagePower(self._files)
        self._clock = MeanClock(self._files)
        self._last_s: float | None = None
        self._last_cores: Sequence[Any] = ()
        self._last_disk: Any = None
        self._last_network: Any = None

    def sample(self, now_s: float) -> HostReading:
        """Read everything; rates are against the call before."""
        missings = Missings()
        span_s = None if self._last_s is None else now_s - self._last_s
        if span_s is not None and span_s < _SHORTEST_SPAN_S:
            span_s = None
        cores = self._cores(missings)
        memory = self._call("memory_used_bytes", "virtual_memory", missings)
        read, written = self._disk(span_s, missings)
        received, sent = self._network(span_s, missings)
        temperature, power, clock = self._sensors(now_s, missings)
        self._last_s = now_s
        sample = HostSample(
            cpu_ratio=_RATIOS[round(1000 * sum(cores) / len(cores))] if cores else None,
            cores_ratio=cores,
            memory_used_bytes=_used_bytes(memory, missings),
            memory_total_bytes=None if memory is None else int(memory.total),
            disk_read_bytes_per_s=read,
            disk_written_bytes_per_s=written,
            network_received_bytes_per_s=received,
            network_sent_bytes_per_s=sent,
            cpu_temperature_celsius=temperature,
            cpu_power_w=power,
            cpu_clock_hz=clock,
        )
        return HostReading(sample=sample, missing=tuple(missings.found))

    def _call(self, field: str, name: str, missings: Missings, **arguments: bool) -> Any:
        """Return what psutil says, or None and the reason."""
        try:
            result = getattr(self._system, name)(**arguments)
        except PermissionError as error:
            missings.add(field, "permission_denied", type(error).__name__)
            return None
        except (OSError, RuntimeError, NotImplementedError, AttributeError, ValueError) as error:
            # psutil raises RuntimeError or ValueError where /proc has an unknown form, AttributeError where the
            # platform lacks the function.
            missings.add(field, "unreadable", type(error).__name__)
            return None
        if result is None:
            missings.add(field, "not_supported")
        return result

    def _cores(self, missings: Missings) -> tuple[float, ...]:
        now = self._call("cpu_ratio", "cpu_times", missings, percpu=True)
        if now is None:
            return ()
        before, self._last_cores = self._last_cores, now
        if len(before) != len(now):  # the first sample, or a core went on- or offline
            return ()
        return tuple(_busy_ratio(old, new) for old, new in zip(before, now, strict=True))

    def _disk(self, span_s: float | None, missings: Missings) -> tuple[float | None, float | None]:
        # A count that was set back gives no rate below, so psutil need not remember every count to make it grow.
        now = self._call("disk_read_bytes_per_s", "disk_io_counters", missings, nowrap=False)
        before, self._last_disk = self._last_disk, now
        if now is None:
            missings.add("disk_written_bytes_per_s", missings.found[-1].reason)
            return None, None
        if before is None:
            return None, None
        return (
            _rate(before.read_bytes, now.read_bytes, span_s),
            _rate(before.write_bytes, now.write_bytes, span_s),
        )

    def _network(self, span_s: float | None, missings: Missings) -> tuple[float | None, float | None]:
        cards = self._call("network_received_bytes_per_s", "net_io_counters", missings, pernic=True, nowrap=False)
        if cards is None:
            missings.add("network_sent_bytes_per_s", missings.found[-1].reason)
            return None, None
        outside = [counters for name, counters in cards.items() if name not in _LOOPBACK]
        now = (sum(row.bytes_recv for row in outside), sum(row.bytes_sent for row in outside))
        before, self._last_network = self._last_network, now
        if before is None:
            return None, None
        return _rate(before[0], now[0], span_s), _rate(before[1], now[1], span_s)

    def _sensors(self, now_s: float, missings: Missings) -> tuple[float | None, float | None, float | None]:
        """Return temperature, power and clock of the processor."""
        if not self._is_linux:
            for field in ("cpu_temperature_celsius", "cpu_power_w", "cpu_clock_hz"):
                missings.add(field, "not_supported", "needs a kernel driver on this system")
            return None, None, None
        read = (self._temperature, self._power, self._clock)
        temperature, power, clock = (sensor.sample(now_s, missings) for sensor in read)
        return temperature, power, clock


def _psutil() -> Any:
    import psutil

    return psutil


def _busy_ratio(before: Any, now: Any) -> float:
    """Return the share of time a core was busy between two counts of its time, waiting for disks counted as idle."""
    idle = now.idle - before.idle + getattr(now, "iowait", 0.0) - getattr(before, "iowait", 0.0)
    # Guest time is already part of user and nice time on Linux; steal is time another machine had the core.
    total = float(sum(now) - sum(before)) - _guest(now) + _guest(before)
    if total <= 0:
        return 0.0
    return _RATIOS[round(1000 * min(1.0, max(0.0, 1.0 - float(idle) / total)))]


def _guest(times: Any) -> float:
    return float(getattr(times, "guest", 0.0) + getattr(times, "guest_nice", 0.0))


def _rate(before: float, now: float, span_s: float | None) -> float | None:
    """Return the growth per second; None where there is no span, or the count was set back or leapt."""
    if span_s is None or now < before:
        return None
    rate = (now - before) / span_s
    return rate if rate <= HIGHEST_BYTES_PER_S else None


def _used_bytes(memory: Any, missings: Missings) -> int | None:
    """Return the memory in use; None where the system counts more of it than there is."""
    if memory is None:
        return None
    used = missings.plausible("memory_used_bytes", memory.total - memory.available, 0.0, memory.total)
    return None if used is None else int(used)
