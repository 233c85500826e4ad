"""What the rules look at: the measurements by what they tell, whatever case they come from. Knows no threshold."""

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from advisor.benchmark.results.statistics import plateau_flop_per_s
from advisor.card_matching import training_cards
from advisor.records.base import Interval
from advisor.records.hardware.machine import Machine
from advisor.records.hardware.telemetry import TelemetrySummary
from advisor.records.results.diagnosis import (
    Finding,
    FindingKind,
    Outlook,
    PublishedRates,
    Reading,
    RemedyCode,
    Severity,
    StepTraffic,
)
from advisor.records.results.measured.measurement import Benchmark, CaseFailure, Condition, ConditionKind, Measurement

EDGES = {
    "article_cnn": 150,
    "densenet121": 224,
    "densenet121_frozen": 224,
    "densenet121_transfer": 224,
    "resnet50": 224,
    "simple_cnn": 28,
}
"""Image edge of the networks that are measured, where the case does not say it."""

SERIOUS_TIMES = 2.0
MODERATE_TIMES = 1.15
"""Gains from which on a finding is serious, or more than slight: 15 % is the error of a good prediction."""

BEYOND = 1e60
"""No quantity of a computer, in SI units, is larger, nor its inverse smaller."""

ENDS_RATIO = 0.1
FEWEST_POINTS = 3
"""The beginning and the end of a curve over time are the medians of this share of it, and of no fewer points."""

SETTLING = 2
"""Points of a curve over time that do not count: kernels are chosen and clocks rise."""


BUSY_RATIO = 0.2
"""Other programs that take this share of the processor make rates of different moments incomparable."""
SCATTERED_RATIO = 0.25
"""So does a spread (interquartile range over median) this wide.

Source: torch.utils.benchmark, ``common.py``: above 25 % it calls a measurement likely unreliable.
"""

DISTURBANCES: frozenset[ConditionKind] = frozenset({"on_battery", "power_saver", "other_load", "throttled"})
"""Conditions under which a measurement says nothing against the hardware itself."""


class Inputs(NamedTuple):
    """Everything a rule may look at.

    Attributes:
        published: What the catalogue says, by torch's name of the device.
        outlooks: Predictions of the user's job, one for each device of this computer.
        kernels: Operations one training step of a network starts on an accelerator, by its name.
        traffic: What one training step of a network moves to and from memory, by its name.
    """

    machine: Machine
    benchmark: Benchmark | None = None
    published: Mapping[str, PublishedRates] = {}
    outlooks: Sequence[Outlook] = ()
    kernels: Mapping[str, float] = {}
    traffic: Mapping[str, StepTraffic] = {}

    @property
    def telemetry(self) -> Mapping[str, TelemetrySummary]:
        """Return what the sensors said during each case, by its id."""
        return {m.case.id: m.telemetry for m in self.measurements if m.telemetry is not None}

    @property
    def measurements(self) -> tuple[Measurement, ...]:
        """Return what was measured."""
        return () if self.benchmark is None else self.benchmark.measurements

    @property
    def quiet(self) -> tuple[Measurement, ...]:
        """Return what was measured while little else went on: rates that may be compared with each other."""
        return tuple(m for m in self.measurements if is_quiet(m))

    @property
    def failures(self) -> tuple[CaseFailure, ...]:
        """Return the cases without result."""
        return () if self.benchmark is None else self.benchmark.failures

    @property
    def devices(self) -> tuple[str, ...]:
        """Return the devices that were measured, in order."""
        return tuple(dict.fromkeys(m.case.device for m in self.measurements))


def is_quiet(measured: Measurement) -> bool:
    """Return whether a measurement may be compared with others: no other load to speak of, no wide scatter."""
    limits: dict[ConditionKind, float] = {
        "other_load": BUSY_RATIO,
        "stolen_time": BUSY_RATIO,
        "unstable": SCATTERED_RATIO,
    }
    return all((one.value or 0.0) < limits[one.kind] for one in measured.conditions if one.kind in limits)


class Curve(NamedTuple):
    """A series of a measurement, free of points that are no positive numbers, with the case it comes from."""

    case_id: str
    device: str
    network: str
    points: tuple[tuple[float, float], ...]


def positive(value: float | None) -> float | None:
    """Return the value if it is a positive number of this world: reports read from files may hold anything."""
    try:
        number = float(value or 0)
    except OverflowError:
        return None
    return number if 1 / BEYOND < number < BEYOND else None


def quotient(one: float | None, other: float | None) -> float | None:
    """Return one over the other; None unless both and the result are finite and positive."""
    dividend, divisor = positive(one), positive(other)
    return None if dividend is None or divisor is None else positive(dividend / divisor)


def finding(
    kind: FindingKind,
    device: str,
    evidence: Sequence[Reading | None],
    *,
    form: str = "",
    network: str = "",
    gain: Interval | None = None,
    severity: Severity | None = None,
    remedies: Sequence[RemedyCode] = (),
) -> Finding:
    """Return a finding; its severity follows from the gain unless it is given. Readings that are None are left out."""
    return Finding(
        kind=kind,
        form=form,
        device=device,
        network=network,
        severity=severity or severity_of(gain),
        evidence=tuple(one for one in evidence if one is not None),
        gain=gain,
        remedies=tuple(dict.fromkeys(remedies)),
    )


def severity_of(gain: Interval | None) -> Severity:
    """Return how bad it is, by the middle of what fixing it would gain."""
    if gain is None:
        return "slight"
    middle = math.sqrt(gain.low) * math.sqrt(gain.high)
    return "serious" if middle >= SERIOUS_TIMES else "moderate" if middle >= MODERATE_TIMES else "slight"


def gain_between(low: float | None, high: float | None) -> Interval | None:
    """Return a gain from the least to the most, never below 1; None where the most is unknown."""
    most = positive(high)
    if most is None or most < 1:
        return None
    return Interval(low=min(max(positive(low) or 1.0, 1.0), most), high=most)


def faster(slow: Measurement, fast: Measurement) -> Interval | None:
    """Return how many times as fast the second is, from the quartiles of both."""
    return gain_between(
        quotient(slow.median_s - slow.iqr_s / 2, fast.median_s + fast.iqr_s / 2),
        quotient(slow.median_s + slow.iqr_s / 2, fast.median_s - fast.iqr_s / 2),
    )


def is_virtual(machine: Machine) -> bool:
    """Return whether the computer is a part of a larger one."""
    return machine.host.isolation in {"virtual_machine", "container"}


def has_card(inputs: Inputs) -> bool:
    """Return whether there is a graphics card to train on, measured or only found; what JAX uses may be no card."""
    is_measured = any(device != "cpu" and not device.startswith("xla") for device in inputs.devices)
    return is_measured or any(True for _card in training_cards(inputs.machine))


def conditions(inputs: Inputs, kind: ConditionKind) -> list[tuple[str, Condition]]:
    """Return the conditions of a kind with the case they belong to; ``before`` for those of the whole run."""
    if inputs.benchmark is None:
        return []
    found = [("before", one) for one in inputs.benchmark.conditions if one.kind == kind]
    return found + [(m.case.id, one) for m in inputs.measurements for one in m.conditions if one.kind == kind]


def trained(inputs: Inputs, device: str, precision: str | None = "fp32") -> list[Measurement]:
    """Return the training cases of a device that were not disturbed, the article's network first."""
    found = [
        m
        for m in inputs.quiet
        if m.case.program == "train"
        and m.case.device == device
        and positive(m.median_s) is not None
        and precision in {None, m.case.precision}
    ]
    return sorted(found, key=lambda m: m.case.network != "article_cnn")


def plateau(inputs: Inputs, device: str, precision: str = "fp32") -> Reading | None:
    """Return the rate that large products settle at."""
    if not any(m.case.device == device and m.flop_per_s is not None for m in inputs.quiet):
        return None
    rate = positive(plateau_flop_per_s(inputs.quiet, device, precision))
    if rate is None:
        return None
    return Reading(name="product_flop_per_s", value=rate, unit="flop_per_s", source=f"matmul/{precision}/*/{device}")


def bandwidth(inputs: Inputs, device: str) -> Reading | None:
    """Return the memory bandwidth of a device: the best measured, else the published one."""
    measured = [one for one in _traffic(inputs, "bandwidth") if one[0].case.device == device]
    if measured:
        best, rate = max(measured, key=lambda one: one[1])
        return Reading(name="bandwidth_bytes_per_s", value=rate, unit="bytes_per_s", source=best.case.id)
    published = inputs.published.get(device)
    known = None if published is None else positive(published.bandwidth_bytes_per_s)
    if known is None:
        return None
    return Reading(name="bandwidth_bytes_per_s", value=known, unit="bytes_per_s", source="catalogue")


def measured_bandwidth(inputs: Inputs, device: str) -> Reading | None:
    """Return the best memory bandwidth that was measured with nothing else going on."""
    return _undisturbed(inputs, "bandwidth", "bandwidth_bytes_per_s", device)


def link(inputs: Inputs, device: str) -> Reading | None:
    """Return the best rate of copies between main memory and a card, measured with nothing else going on."""
    return _undisturbed(inputs, "transfer", "link_bytes_per_s", device)


def _undisturbed(inputs: Inputs, program: str, name: str, device: str) -> Reading | None:
    """Return the best rate of a program; what was disturbed is no evidence against the hardware."""
    found = [
        (rate, m.case.id)
        for m, rate in _traffic(inputs, program)
        if m.case.device == device and not any(one.kind in DISTURBANCES for one in m.conditions)
    ]
    if not found:
        return None
    rate, case_id = max(found)
    return Reading(name=name, value=rate, unit="bytes_per_s", source=case_id)


def _traffic(inputs: Inputs, program: str) -> list[tuple[Measurement, float]]:
    rates = [
        (m, positive(m.details.get("bytes_per_s")) or quotient(m.case.bytes_per_iteration, m.median_s))
        for m in inputs.quiet
        if m.case.program == program
    ]
    return [(m, rate) for m, rate in rates if rate is not None]


def curves(inputs: Inputs, x: str, y: str | None = None, device: str | None = None) -> list[Curve]:
    """Return the series of ``y`` over ``x`` that were not disturbed; without ``y``, of any rate."""
    found = []
    for m in inputs.quiet:
        for series in m.series:
            is_wanted = series.y == y if y is not None else series.y.endswith("_per_s")
            if series.x == x and is_wanted and device in {None, m.case.device}:
                points = tuple((a, b) for a, b in series.points if 0 <= a < BEYOND and positive(b) is not None)
                if points:
                    found.append(Curve(m.case.id, m.case.device, m.case.network, points))
    return found


def ends(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the middle of the first and of the last part of a curve."""
    settled = points[SETTLING:] if len(points) > SETTLING + 2 * FEWEST_POINTS else points
    count = max(FEWEST_POINTS, round(len(settled) * ENDS_RATIO))
    first, last = ([value for _, value in part] for part in (settled[:count], settled[-count:]))
    return statistics.median(first), statistics.median(last)
