"""What this computer's devices drew while they trained, as its own sensors said."""

from collections.abc import Iterator

from advisor.card_matching import framework_of, sensor_prefix
from advisor.records.hardware.machine import Framework
from advisor.records.hardware.telemetry import TelemetrySummary
from advisor.records.results.measured.measurement import Benchmark, Measurement

_PROGRAMS = frozenset({"train", "sustained"})


def measured_power_w(benchmark: Benchmark | None) -> dict[str, float]:
    """Return the mean power of each device while it trained, by torch's name of it; the highest of all its cases.

    Only devices whose sensors told it are in the result.
    """
    found: dict[str, float] = {}
    if benchmark is None:
        return found
    framework = framework_of(benchmark)
    for measurement in benchmark.measurements:
        for power_w in _power_w(measurement, framework):
            found[measurement.case.device] = max(power_w, found.get(measurement.case.device, 0.0))
    return found


def _power_w(measurement: Measurement, framework: Framework) -> Iterator[float]:
    telemetry = measurement.telemetry
    if measurement.case.program in _PROGRAMS and telemetry is not None:
        metric = telemetry.metrics.get(_field(measurement.case.device, telemetry, framework))
        if metric is not None and metric.mean > 0:
            yield metric.mean


def _field(device: str, telemetry: TelemetrySummary, framework: Framework) -> str:
    """Return the key of a device's power among the metrics; empty where no sensor is about it."""
    if device == "cpu":
        return "host.cpu_power_w"
    return f"{sensor_prefix(device, telemetry, framework)}.power_w"
