"""Take one sample of everything, and know what the sampling itself costs."""

import time
from collections.abc import Iterator, Sequence

from advisor.monitor.processes import CardUser
from advisor.monitor.source import AcceleratorReading, AcceleratorSource, Clock, HostSource, Missing
from advisor.records.base import Gap
from advisor.records.hardware.telemetry import TelemetrySample


class Monitor:
    """Samples a host and its accelerators; made, used and closed in one thread.

    Attributes:
        may_rest: Whether an idle card is left alone at times so that it can fall asleep; switched off while measuring.
        asks_users: Whether each sample also looks for the programs on the cards.
        users: Those programs; no part of a sample, so that no history and no report can hold them.
    """

    def __init__(
        self,
        host: HostSource,
        accelerators: Sequence[AcceleratorSource] = (),
        clock: Clock = time.monotonic,
        cost_clock: Clock = time.thread_time,
    ) -> None:
        self.may_rest = True
        self.asks_users = False
        self.users: tuple[CardUser, ...] = ()
        self._host = host
        self._accelerators = tuple(accelerators)
        self._clock = clock
        self._cost_clock = cost_clock
        self._last_s: float | None = None

    def sample(self) -> TelemetrySample:
        """Read all sensors now."""
        cost_start_s, now_s = self._cost_clock(), self._clock()
        host = self._host.sample(now_s)
        readings: list[AcceleratorReading] = []
        users: list[CardUser] = []
        gaps = [_gap("host", missing) for missing in host.missing]
        for source in self._accelerators:
            try:
                found = source.sample(now_s, may_rest=self.may_rest)
            # A driver can fail in ways nobody foresaw; the processor's graphs go on, and the reason is kept.
            except Exception as error:  # noqa: BLE001
                gaps.append(Gap(field="accelerators", reason="unreadable", detail=type(error).__name__))
                continue
            users.extend(_moved(source, len(readings)) if self.asks_users else ())
            readings.extend(found)
        self.users = tuple(users)
        for position, reading in enumerate(readings):
            gaps.extend(_gap(f"accelerators.{position}", missing) for missing in reading.missing)
        elapsed_s = None if self._last_s is None else now_s - self._last_s
        self._last_s = now_s
        cost_s = self._cost_clock() - cost_start_s
        return TelemetrySample(
            time_s=now_s,
            host=host.sample,
            accelerators=tuple(reading.sample for reading in readings),
            gaps=tuple(gaps),
            cost_ratio=cost_s / elapsed_s if elapsed_s else None,
            duration_s=self._clock() - now_s,
        )

    def close(self) -> None:
        """Let go of drivers and files."""
        for source in self._accelerators:
            source.close()


def _moved(source: AcceleratorSource, places: int) -> Iterator[CardUser]:
    """Yield the users of a source's cards, counted from the first card of all."""
    for user in source.users():
        yield CardUser(position=user.position + places, name=user.name, memory_bytes=user.memory_bytes)


def _gap(prefix: str, missing: Missing) -> Gap:
    return Gap(field=f"{prefix}.{missing.field}", reason=missing.reason, detail=missing.detail)


def make_monitor() -> Monitor:
    """Return a monitor of this computer."""
    from advisor.monitor.host import SystemSource
    from advisor.monitor.nvidia import NvidiaSource
    from advisor.monitor.sysfs import AmdSource, IntelSource

    return Monitor(SystemSource(), (NvidiaSource(), AmdSource(), IntelSource()))
