"""What the sensors said at one moment, and over a span of time."""

from typing import Annotated

import msgspec

from advisor.records.base import Gap, Record
from advisor.records.hardware.machine import Vendor


class HostSample(Record, frozen=True, kw_only=True):
    """The computer at one moment; None where a sensor does not exist, fails, or has no earlier value to compare with.

    Attributes:
        cpu_ratio: Share of all cores that was busy since the sample before, 0 to 1.
        cores_ratio: The same for each core; empty before the second sample.
        memory_used_bytes: Main memory that is neither free nor given back on demand.
        disk_read_bytes_per_s, disk_written_bytes_per_s: Of all disks together.
        network_received_bytes_per_s, network_sent_bytes_per_s: Of all connections but the computer's own.
        cpu_temperature_celsius: Of the hottest processor package.
        cpu_power_w: Of all processor packages together.
        cpu_clock_hz: Mean over the cores, busy or not.
    """

    cpu_ratio: float | None = None
    cores_ratio: tuple[float, ...] = ()
    memory_used_bytes: int | None = None
    memory_total_bytes: int | None = None
    disk_read_bytes_per_s: float | None = None
    disk_written_bytes_per_s: float | None = None
    network_received_bytes_per_s: float | None = None
    network_sent_bytes_per_s: float | None = None
    cpu_temperature_celsius: float | None = None
    cpu_power_w: float | None = None
    cpu_clock_hz: float | None = None


class AcceleratorSample(Record, frozen=True, kw_only=True):
    """One accelerator at one moment.

    Attributes:
        index: Position among the accelerators of the same vendor, as the driver or the system counts.
        is_asleep: It is powered down, or was left alone so that it can power down; nothing was read then.
        utilisation_ratio: Share of the time in which it did anything at all, 0 to 1.
        clock_hz: Of the arithmetic units.
        throttle_reasons: Why its clock is held down: ``power_limit``, ``heat``, ``hardware_slowdown``,
            ``power_brake``, ``set_clocks``, ``sync_boost``.
    """

    vendor: Vendor
    index: int
    name: str
    is_asleep: bool = False
    utilisation_ratio: float | None = None
    memory_used_bytes: int | None = None
    memory_total_bytes: int | None = None
    temperature_celsius: float | None = None
    power_w: float | None = None
    power_limit_w: float | None = None
    clock_hz: float | None = None
    memory_clock_hz: float | None = None
    throttle_reasons: tuple[str, ...] = ()


class TelemetrySample(Record, frozen=True, kw_only=True):
    """All sensors at one moment.

    Attributes:
        time_s: On the monitor's clock, which only goes forward; only differences mean anything.
        gaps: What could not be read; fields such as ``host.cpu_power_w`` or ``accelerators.0.power_w``.
        cost_ratio: Processor time the monitor itself took since the sample before, as a share of one core.
        duration_s: How long it took to read everything.
    """

    time_s: float
    host: HostSample
    accelerators: tuple[AcceleratorSample, ...] = ()
    gaps: tuple[Gap, ...] = ()
    cost_ratio: float | None = None
    duration_s: float = 0.0


class MetricSummary(Record, frozen=True, kw_only=True):
    """One sensor over a span of time, in the unit of its field.

    Attributes:
        mean: Over time: each sample counts for the time since the one before it.
        peak: The highest sample.
        count: Samples that had a value.
    """

    mean: Annotated[float, msgspec.Meta(ge=-1e21, le=1e21)]
    peak: Annotated[float, msgspec.Meta(ge=-1e21, le=1e21)]
    count: int


class MonitoredAccelerator(Record, frozen=True, kw_only=True):
    """Which accelerator the metrics ``accelerators.N.…`` are about; N is its place in the tuple.

    Attributes:
        index: Position among the accelerators of the same vendor, as the driver or the system counts.
    """

    vendor: Vendor
    index: int
    name: str


class TelemetrySummary(Record, frozen=True, kw_only=True):
    """All sensors over a span of time.

    Attributes:
        start_s, end_s: On the monitor's clock; only their difference means anything.
        count: Samples within.
        metrics: By field, such as ``host.cpu_ratio`` or ``accelerators.0.temperature_celsius``; None where the sensor
            is known not to tell, without a key where nothing is known of it.
        gaps: Why, field by field, a metric is None; ``field`` is its key. ``telemetry`` stands for all of them.
        accelerators: What ``accelerators.0`` and so on are.
        throttle_reasons: All that were seen on any accelerator.
        cost_ratio: Processor time the sampling itself took, as a share of one core.
    """

    start_s: float
    end_s: float
    count: int
    metrics: dict[str, MetricSummary | None] = {}
    gaps: tuple[Gap, ...] = ()
    accelerators: tuple[MonitoredAccelerator, ...] = ()
    throttle_reasons: tuple[str, ...] = ()
    cost_ratio: float | None = None
