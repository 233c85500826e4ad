"""Samples to numbers: medians, spreads, rates, the plateau of a curve, the ratio of two devices. Pure."""

import statistics
from collections.abc import Iterable, Sequence

from advisor.records.channel import CaseResult
from advisor.records.hardware.telemetry import TelemetrySummary
from advisor.records.results.measured.measurement import Case, Condition, Measurement

UNSTABLE_RATIO = 0.1
"""A spread (interquartile range over median) above this is called unstable.

Source: torch.utils.benchmark, ``common.py``: it warns of a noisy measurement above 10 %.
"""
PLATEAU_SIZES = 3
"""The plateau of a curve is taken over this many of its largest sizes."""


def summarise(
    case: Case,
    result: CaseResult,
    *,
    conditions: Sequence[Condition] = (),
    peak_flop_per_s: float | None = None,
    telemetry: TelemetrySummary | None = None,
) -> Measurement:
    """Return the measurement of a case.

    Args:
        case: What was measured.
        result: What the worker sent.
        conditions: What may have spoiled it; a spread that is too wide is added here.
        peak_flop_per_s: Theoretical peak of the device in the case's precision, where that is known.
        telemetry: What the sensors said meanwhile.
    """
    median_s = statistics.median(result.samples_s)
    spread_s = interquartile_range(result.samples_s)
    flop_per_s = None if case.flop_per_iteration is None else case.flop_per_iteration / median_s
    return Measurement(
        case=case,
        samples_s=result.samples_s,
        median_s=median_s,
        iqr_s=spread_s,
        iterations_per_sample=result.iterations_per_sample,
        items_per_iteration=result.items_per_iteration,
        parameters=result.parameters,
        flop_per_s=flop_per_s,
        items_per_s=result.items_per_iteration / median_s,
        peak_ratio=flop_per_s / peak_flop_per_s if flop_per_s and peak_flop_per_s else None,
        peak_memory_bytes=result.peak_memory_bytes,
        conditions=(*conditions, *_instability(median_s, spread_s)),
        details=result.details,
        series=result.series,
        profile=result.profile,
        telemetry=telemetry,
        pace_s=result.pace_s,
    )


def interquartile_range(samples: Sequence[float]) -> float:
    """Return the distance between the first and the third quartile; 0 for a single sample."""
    if len(samples) < 2:
        return 0.0
    first, _, third = statistics.quantiles(samples, n=4, method="inclusive")
    return third - first


def _instability(median_s: float, spread_s: float) -> tuple[Condition, ...]:
    ratio = spread_s / median_s
    if ratio <= UNSTABLE_RATIO:
        return ()
    return (Condition(kind="unstable", value=ratio, unit="ratio", when="during"),)


def matmul_curve(measurements: Iterable[Measurement], device: str, precision: str) -> tuple[Measurement, ...]:
    """Return the matrix products of one device and precision, smallest first."""
    chosen = [
        m
        for m in measurements
        if m.case.program == "matmul" and m.case.device == device and m.case.precision == precision
    ]
    return tuple(sorted(chosen, key=lambda m: m.case.size))


def plateau_flop_per_s(measurements: Iterable[Measurement], device: str, precision: str) -> float | None:
    """Return the rate that large matrix products settle at: the median over the three largest sizes.

    Not the highest rate of the curve: that is the luckiest sample, or a size that just fits a cache. None without any
    product of that device and precision.
    """
    curve = matmul_curve(measurements, device, precision)
    rates = [m.flop_per_s for m in curve[-PLATEAU_SIZES:] if m.flop_per_s is not None]
    return statistics.median(rates) if rates else None


def speed_up_ratio(measurements: Iterable[Measurement], device: str, network: str = "article_cnn") -> float | None:
    """Return how many times faster an accelerator trains a network than the processor does, both in fp32.

    None where one of them was not measured with the same batch.
    """
    trained = [m for m in measurements if m.case.program == "train" and m.case.network == network]
    by_key = {(m.case.device, m.case.batch_size): m for m in trained if m.case.precision == "fp32"}
    for (name, batch_size), measurement in by_key.items():
        processor = by_key.get(("cpu", batch_size))
        if name == device and processor is not None:
            return processor.median_s / measurement.median_s
    return None
