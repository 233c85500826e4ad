"""What devices and the computers around them draw from the socket: measured while they trained here, else as rated."""

from collections.abc import Iterator, Mapping

from advisor.card_matching import framework_of, sensor_prefix
from advisor.options.candidates import Candidate
from advisor.records.hardware.economics import Economics
from advisor.records.hardware.machine import ComputerKind, Framework
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


def socket_power_w(
    candidate: Candidate, economics: Economics, measured_w: Mapping[str, float] | None = None
) -> float | None:
    """Return what devices and the computers around them draw from the socket; None where nobody publishes it.

    What was measured here counts before what is rated, which is an upper bound of the real power. The computer around
    a busy card has busy cores, too; where the processor itself computes, only the rest of the computer comes on top.
    """
    if candidate.socket_w is not None:
        return candidate.socket_w
    of_each = (measured_w or {}).get(candidate.torch_device or "", candidate.device.power_w)
    if of_each is None:
        return None
    is_chip = candidate.device.device_class in ("cpu", "apple")
    around = economics.around[candidate.computer]
    around_w = around.beside_processor_w if is_chip else around.beside_card_w
    drawn = of_each * candidate.device_count + around_w * candidate.nodes + candidate.extra_w
    return drawn * economics.charge_ratio.value


def waiting_power_w(kind: ComputerKind, economics: Economics) -> float:
    """Return what a computer of some kind draws from the socket while it stands ready."""
    return economics.around[kind].waiting_w * economics.charge_ratio.value
