"""What a training step waits for: arithmetic or memory traffic.

Source of the method: S. Williams, A. Waterman, D. Patterson, "Roofline: An Insightful Visual Performance Model for
Multicore Architectures", Communications of the ACM 52(4), 2009. A step's products need at least FLOP / (attainable
FLOP/s), its parameters and what passes between its layers at least bytes / (bytes/s); the two follow one another, so
both count. What remains is neither.
"""

from collections.abc import Iterator
from typing import NamedTuple

from advisor.benchmark.diagnosis.inputs import (
    Curve,
    Inputs,
    bandwidth,
    curves,
    faster,
    finding,
    gain_between,
    has_card,
    plateau,
    positive,
    quotient,
    trained,
)
from advisor.records.base import Interval
from advisor.records.results.diagnosis import Finding, Reading, RemedyCode
from advisor.records.results.measured.measurement import Measurement

LIMIT_RATIO = 0.5
"""A part of a step is its limit where it alone takes more than half of it: without it the rate would double."""

BATCH_TIMES = 1.3
"""Larger batches help where they make each sample this much faster.

By Little's law (work in flight = rate x latency) a device that is busy gains nothing from more work in flight. 1.3
keeps clear of spread and of better-filled products.
"""

SHORTER_TIMES = 1.1
"""A shorter number format is recommended from this measured gain on; less is within the spread of measurements."""


class Step(NamedTuple):
    """A measured training step and the least its parts need.

    Attributes:
        product: Rate that large products settle at here.
        traffic: Memory bandwidth, where known.
        moved_bytes: Read and written by everything that hardly computes.
        compute_ratio, traffic_ratio: Share of the step that products and parameter traffic need at those rates.
    """

    measured: Measurement
    product: Reading
    traffic: Reading | None
    moved_bytes: float
    compute_ratio: float
    traffic_ratio: float | None

    @property
    def device(self) -> str:
        """Return torch's name of the device."""
        return self.measured.case.device

    @property
    def explained_ratio(self) -> float:
        """Return the share that the hardware's own limits explain."""
        return self.compute_ratio + (self.traffic_ratio or 0.0)

    @property
    def evidence(self) -> tuple[Reading | None, ...]:
        """Return the numbers that place the step under its roofline."""
        case = self.measured.case
        ridge = None if self.traffic is None else quotient(self.product.value, self.traffic.value)
        intensity = quotient(case.flop_per_iteration, self.moved_bytes)
        return (
            Reading(name="step_s", value=self.measured.median_s, unit="s", source=case.id),
            share_reading("compute_ratio", self.compute_ratio, case.id),
            self.product,
            None if self.traffic_ratio is None else share_reading("traffic_ratio", self.traffic_ratio, case.id),
            self.traffic,
            _intensity("intensity_flop_per_byte", intensity, case.id),
            _intensity("ridge_flop_per_byte", ridge, self.product.source),
        )


def share_reading(name: str, value: float, source: str) -> Reading:
    """Return the share of a step that a part of it takes."""
    return Reading(name=name, value=min(value, 1.0), unit="ratio", source=source)


def _intensity(name: str, value: float | None, source: str) -> Reading | None:
    return None if value is None else Reading(name=name, value=value, unit="flop_per_byte", source=source)


def step_of(inputs: Inputs, device: str) -> Step | None:
    """Return the device's training step in fp32 with the least its parts need; None where a number is missing."""
    product = plateau(inputs, device)
    traffic = bandwidth(inputs, device)
    for measured in trained(inputs, device) if product is not None else ():
        case = measured.case
        needed_s = None if product is None else quotient(case.flop_per_iteration, product.value)
        compute = quotient(needed_s, measured.median_s)
        if product is not None and compute is not None:
            moved = moved_bytes(inputs, measured)
            moving_s = None if traffic is None else quotient(moved, traffic.value)
            return Step(measured, product, traffic, moved, compute, quotient(moving_s, measured.median_s))
    return None


def moved_bytes(inputs: Inputs, measured: Measurement) -> float:
    """Return what a step moves while it hardly computes: its parameters, and what passes between its layers.

    What products and convolutions move, they move while they compute; it adds nothing to their own time.
    """
    case = measured.case
    known = inputs.traffic.get(case.network)
    between = 0.0 if known is None else known.other_per_sample * case.batch_size + known.other_fixed
    return (case.bytes_per_iteration or 0.0) + between


def _steps(inputs: Inputs) -> Iterator[Step]:
    yield from (step for device in inputs.devices if (step := step_of(inputs, device)) is not None)


def compute_bound(inputs: Inputs) -> Iterator[Finding]:
    """Yield devices whose step is mostly arithmetic: the sound state, in which a faster device is faster."""
    for step in _steps(inputs):
        if step.compute_ratio < LIMIT_RATIO or step.compute_ratio < (step.traffic_ratio or 0.0):
            continue
        shorter, gain = _shorter_format(inputs, step)
        remedies: list[RemedyCode] = ["shorter_format"] if shorter is not None else []
        remedies += more_arithmetic(inputs, step.measured)
        evidence = (*step.evidence, shorter)
        yield finding("compute_bound", step.device, evidence, gain=gain, severity="none", remedies=remedies)


def more_arithmetic(inputs: Inputs, measured: Measurement) -> list[RemedyCode]:
    """Return what does the arithmetic of a step faster; nothing where this computer's card was not faster."""
    case = measured.case
    if case.device != "cpu":
        return ["faster_device"]
    if not has_card(inputs):
        return ["graphics_card"]
    alike = (
        m
        for device in inputs.devices
        if device != "cpu"
        for m in trained(inputs, device)
        if (m.case.network, m.case.batch_size) == (case.network, case.batch_size)
    )
    return ["use_card"] if any(m.median_s < measured.median_s for m in alike) else []


def _shorter_format(inputs: Inputs, step: Step) -> tuple[Reading | None, Interval | None]:
    """Return the fastest shorter format that is worth it, and its gain; where no step was measured, from products."""
    if not _in_shorter_formats(inputs, step.measured):
        return _shorter_products(inputs, step)
    return shorter_format(inputs, step.measured)


def shorter_format(inputs: Inputs, measured: Measurement) -> tuple[Reading | None, Interval | None]:
    """Return the fastest measured shorter format of the same step that is worth it, and its gain."""
    best = min(_in_shorter_formats(inputs, measured), key=lambda m: m.median_s, default=None)
    times = None if best is None else quotient(measured.median_s, best.median_s)
    if best is None or times is None or times < SHORTER_TIMES:
        return None, None
    reading = Reading(name="shorter_times", value=times, unit="times", source=best.case.id)
    return reading, faster(measured, best)


def _in_shorter_formats(inputs: Inputs, measured: Measurement) -> list[Measurement]:
    case = measured.case
    return [
        m
        for m in trained(inputs, case.device, None)
        if m.case.precision in {"amp", "tf32", "bf16", "fp16"}
        and (m.case.network, m.case.batch_size, m.case.size) == (case.network, case.batch_size, case.size)
        and m.case.options.get("channels_last") == case.options.get("channels_last")
    ]


def _shorter_products(inputs: Inputs, step: Step) -> tuple[Reading | None, Interval | None]:
    """Return how much faster products alone are in a shorter format, and what that can gain at most.

    Source: G. Amdahl, "Validity of the single processor approach", AFIPS 1967: only the products' share becomes faster.
    """
    rates = [rate for precision in ("bf16", "fp16") if (rate := plateau(inputs, step.device, precision)) is not None]
    best = max(rates, key=lambda rate: rate.value, default=None)
    times = None if best is None else quotient(best.value, step.product.value)
    if best is None or times is None or times < SHORTER_TIMES:
        return None, None
    share = min(step.compute_ratio, 1.0)
    most = quotient(1.0, 1.0 - share + share / times)
    return Reading(name="shorter_times", value=times, unit="times", source=best.source), gain_between(1.0, most)


def bandwidth_bound(inputs: Inputs) -> Iterator[Finding]:
    """Yield devices whose step mostly moves parameters to and from memory."""
    for step in _steps(inputs):
        share = step.traffic_ratio
        if share is None or share < LIMIT_RATIO or share <= step.compute_ratio:
            continue
        batches, gain = larger_batch(inputs, step)
        shorter, shorter_gain = shorter_format(inputs, step.measured)
        remedies: list[RemedyCode] = ["larger_batch"] if batches or _may_share_traffic(inputs, step) else []
        if shorter is not None or not _in_shorter_formats(inputs, step.measured):
            remedies.append("shorter_format")
        evidence = (*step.evidence, *batches, shorter)
        yield finding("bandwidth_bound", step.device, evidence, gain=gain or shorter_gain, severity="none",
                      remedies=(*remedies, "faster_memory"))  # fmt: skip


def _may_share_traffic(inputs: Inputs, step: Step) -> bool:
    """Return whether larger batches may help though none was measured: most traffic is once a step, parameters'."""
    case = step.measured.case
    is_swept = any(one.network == case.network for one in curves(inputs, "batch_size", "items_per_s", step.device))
    return not is_swept and (case.bytes_per_iteration or 0.0) >= LIMIT_RATIO * step.moved_bytes


def larger_batch(inputs: Inputs, step: Step) -> tuple[tuple[Reading, ...], Interval | None]:
    """Return what shows that a larger batch makes each sample faster, and by how much; nothing where none does."""
    case = step.measured.case
    for curve in curves(inputs, "batch_size", "items_per_s", step.device):
        found = _rise(curve, case.batch_size)
        if found is not None and curve.network == case.network:
            now, best = found
            # No batch makes a sample faster than its arithmetic takes.
            most = min(quotient(best[1], now[1]) or 1.0, quotient(1.0, step.compute_ratio) or 1.0)
            return _batch_readings(curve, now, best), gain_between(1.0, most)
    return (), None


_Point = tuple[float, float]


def _rise(curve: Curve, batch_size: int) -> tuple[_Point, _Point] | None:
    """Return (batch, rate) at a batch size and at the best larger one; None where the rate does not rise."""
    points = sorted(curve.points)
    at_or_above = [(batch, rate) for batch, rate in points if batch >= batch_size]
    if not at_or_above:
        return None
    now, best = at_or_above[0], max(at_or_above, key=lambda point: point[1])
    times = quotient(best[1], now[1])
    return (now, best) if times is not None and times >= BATCH_TIMES else None


def _batch_readings(curve: Curve, now: _Point, best: _Point) -> tuple[Reading, ...]:
    return (
        Reading(name="now_batch", value=now[0], source=curve.case_id),
        Reading(name="now_samples_per_s", value=now[1], unit="samples_per_s", source=curve.case_id),
        Reading(name="best_batch", value=best[0], source=curve.case_id),
        Reading(name="best_samples_per_s", value=best[1], unit="samples_per_s", source=curve.case_id),
    )


def attained(inputs: Inputs, device: str) -> Reading | None:
    """Return the share of a step that the hardware's own limits explain; None where it was not measured."""
    step = step_of(inputs, device)
    if step is None or positive(step.explained_ratio) is None:
        return None
    return share_reading("explained_ratio", step.explained_ratio, step.measured.case.id)
