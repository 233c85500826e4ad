"""Mean and peak of every sensor over a span of time."""

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from advisor.card_matching import THROTTLE, place_of
from advisor.records.base import Gap, Record
from advisor.records.hardware.machine import Framework
from advisor.records.hardware.telemetry import MetricSummary, MonitoredAccelerator, TelemetrySample, TelemetrySummary
from advisor.records.results.measured.measurement import Series

# Numbers of a sample that are not sensors.
_NO_METRIC = {"index", "is_asleep"}

_Weighted = tuple[TelemetrySample, float]
"""A sample with the seconds it stands for."""


def summarise(samples: Iterable[TelemetrySample], start_s: float, end_s: float) -> TelemetrySummary:
    """Return mean and peak of every sensor over the samples after ``start_s``, up to and including ``end_s``.

    A sample tells of the time since the one before it, so that a sample at the start itself is about what came before.

    Args:
        samples: In order of time; one before the start tells how long the first one inside stands for.
        start_s: On the samples' clock, as is ``end_s``.
        end_s: Not before the start.
    """
    inside = [one for one in _weighted(list(samples)) if start_s < one[0].time_s <= end_s]
    values: dict[str, list[tuple[float, float]]] = {}
    for sample, weight_s in inside:
        for name, value in _metrics(sample):
            values.setdefault(name, []).append((value, weight_s))
    values |= _throttles(inside)
    known: dict[str, MetricSummary | None] = {name: _summary(row) for name, row in values.items()}
    gaps = {gap.field: gap for sample, _ in inside for gap in sample.gaps if gap.field not in known}
    costs = [(sample.cost_ratio, weight_s) for sample, weight_s in inside if sample.cost_ratio is not None]
    reasons = {reason for sample, _ in inside for card in sample.accelerators for reason in card.throttle_reasons}
    return TelemetrySummary(
        start_s=start_s,
        end_s=end_s,
        count=len(inside),
        metrics=known | dict.fromkeys(gaps),
        gaps=tuple(gaps.values()),
        accelerators=_accelerators(inside),
        throttle_reasons=tuple(sorted(reasons)),
        cost_ratio=_summary(costs).mean if costs else None,
    )


def over_time(
    samples: Iterable[TelemetrySample], start_s: float, end_s: float, device: str, framework: Framework | None = None
) -> tuple[Series, ...]:
    """Return clock, temperature and power of a device over a span of time, those of them that are known.

    Args:
        samples: In order of time.
        start_s: On the samples' clock, as is ``end_s``; times count from here.
        end_s: Not before the start.
        device: torch's name, such as ``cpu`` or ``cuda:0``.
        framework: The torch that calls it so.
    """
    inside = [sample for sample in samples if start_s < sample.time_s <= end_s]
    found = []
    for name in ("clock_hz", "temperature_celsius", "power_w"):
        values = [
            (sample.time_s - start_s, _of_device(sample, device, name, framework or Framework())) for sample in inside
        ]
        points = tuple((at_s, value) for at_s, value in values if value is not None)
        if points:
            found.append(Series(x="time_s", y=name, points=points[:MOST_POINTS]))
    return tuple(found)


MOST_POINTS = 2000


def _of_device(sample: TelemetrySample, device: str, name: str, framework: Framework) -> float | None:
    if device == "cpu":
        value: float | None = getattr(sample.host, f"cpu_{name}")
        return value
    place = place_of(device, sample.accelerators, framework)
    return None if place is None else getattr(sample.accelerators[place], name)


def nothing_seen(start_s: float, end_s: float, gap: Gap) -> TelemetrySummary:
    """Return the summary of a span in which no sensor could be read, with the reason."""
    return TelemetrySummary(start_s=start_s, end_s=end_s, count=0, gaps=(gap,))


def _weighted(samples: Sequence[TelemetrySample]) -> Iterator[_Weighted]:
    """Yield each sample with the time since the one before; the very first stands for as long as the second."""
    spans_s = [max(later.time_s - sooner.time_s, 0.0) for sooner, later in pairwise(samples)]
    yield from zip(samples, [*spans_s[:1], *spans_s] or [1.0], strict=False)


def _summary(row: Sequence[tuple[float, float]]) -> MetricSummary:
    peak = max(value for value, _ in row)
    whole_s = math.fsum(weight_s for _, weight_s in row)
    if whole_s <= 0:  # a clock that stands still
        return MetricSummary(mean=math.fsum(value for value, _ in row) / len(row), peak=peak, count=len(row))
    mean = math.fsum(value * (weight_s / whole_s) for value, weight_s in row)
    return MetricSummary(mean=min(mean, peak), peak=peak, count=len(row))


def _accelerators(inside: Sequence[_Weighted]) -> tuple[MonitoredAccelerator, ...]:
    if not inside:
        return ()
    return tuple(
        MonitoredAccelerator(vendor=card.vendor, index=card.index, name=card.name)
        for card in inside[-1][0].accelerators
    )


def _metrics(sample: TelemetrySample) -> Iterator[tuple[str, float]]:
    yield from _numbers("host", sample.host)
    for position, accelerator in enumerate(sample.accelerators):
        yield from _numbers(f"accelerators.{position}", accelerator)


def _throttles(inside: Sequence[_Weighted]) -> dict[str, list[tuple[float, float]]]:
    """Return, for each card and reason that was seen, in which samples of the card it was there."""
    reasons = {
        (place, reason)
        for sample, _ in inside
        for place, card in enumerate(sample.accelerators)
        for reason in card.throttle_reasons
    }
    return {
        f"accelerators.{place}.{THROTTLE}{reason}": [
            (float(reason in sample.accelerators[place].throttle_reasons), weight_s)
            for sample, weight_s in inside
            if place < len(sample.accelerators) and not sample.accelerators[place].is_asleep
        ]
        for place, reason in sorted(reasons)
    }


def _numbers(prefix: str, record: Record) -> Iterator[tuple[str, float]]:
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if name not in _NO_METRIC and isinstance(value, (int, float)):
            yield f"{prefix}.{name}", float(value)
