"""Mean and peak of every sensor over a span of time."""

import math
from collections.abc import Iterable

from advisor.records.base import Record
from advisor.records.telemetry import MetricSummary, TelemetrySample, TelemetrySummary

# Numbers of a sample that are not sensors.
_NO_METRIC = {"index", "is_asleep"}


def summarise(samples: Iterable[TelemetrySample], start_s: float, end_s: float) -> TelemetrySummary:
    """Return mean and peak of every sensor over the samples from ``start_s`` to ``end_s``, ends included."""
    inside = [sample for sample in samples if start_s <= sample.time_s <= end_s]
    values: dict[str, list[float]] = {}
    reasons: set[str] = set()
    for sample in inside:
        for name, value in _metrics(sample):
            values.setdefault(name, []).append(value)
        for accelerator in sample.accelerators:
            reasons.update(accelerator.throttle_reasons)
    metrics = {
        name: MetricSummary(mean=math.fsum(row) / len(row), peak=max(row), count=len(row))
        for name, row in values.items()
    }
    return TelemetrySummary(
        start_s=start_s, end_s=end_s, count=len(inside), metrics=metrics, throttle_reasons=tuple(sorted(reasons))
    )


def _metrics(sample: TelemetrySample) -> Iterable[tuple[str, float]]:
    yield from _numbers("host", sample.host)
    for position, accelerator in enumerate(sample.accelerators):
        yield from _numbers(f"accelerators.{position}", accelerator)


def _numbers(prefix: str, record: Record) -> Iterable[tuple[str, float]]:
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if name not in _NO_METRIC and isinstance(value, (int, float)):
            yield f"{prefix}.{name}", float(value)
