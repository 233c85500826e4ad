"""Compare two benchmarks case by case, and tell a difference from noise."""

import math

from advisor.benchmark.results.pace import IQR_TO_DEVIATION, undisturbed_pace
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.results.comparison import (
    MOST_NOISE_RATIO,
    ONCE_RATIO,
    REPEATABILITY_RATIO,
    ComparedCase,
    Comparison,
)
from advisor.records.results.measured.job_terms import REPEAT_SIGMA
from advisor.records.results.measured.measurement import Benchmark, Measurement, load_ratio

_DEVIATIONS = 2.0


def compare(first: Benchmark, second: Benchmark) -> Comparison:
    """Return the cases both have measured, in the first's order, and what only one has."""
    ours = {measurement.case.id: measurement for measurement in first.measurements}
    theirs = {measurement.case.id: measurement for measurement in second.measurements}
    both = [name for name in ours if name in theirs]
    paces = undisturbed_pace(first.measurements), undisturbed_pace(second.measurements)
    pace_noise_ratio = _DEVIATIONS * math.hypot(*(0.0 if pace is None else pace.deviation_ratio for pace in paces))
    failures = (*first.failures, *second.failures)
    return Comparison(
        cases=tuple(_compared(ours[name], theirs[name], pace_noise_ratio) for name in both),
        only_first=tuple(name for name in ours if name not in theirs),
        only_second=tuple(name for name in theirs if name not in ours),
        first_taken_ratio=first.load_ratio,
        second_taken_ratio=second.load_ratio,
        first_repeat_ratio=None if paces[0] is None else paces[0].repeat_ratio,
        second_repeat_ratio=None if paces[1] is None else paces[1].repeat_ratio,
        pace_noise_ratio=pace_noise_ratio,
        reasons={one.case.id: one.reason for one in failures if one.case.id in ours.keys() ^ theirs.keys()},
    )


def _compared(one: Measurement, other: Measurement, pace_noise_ratio: float) -> ComparedCase:
    is_once = min(len(one.samples_s), len(other.samples_s)) == 1 and one.case.program != JOB_PROGRAM
    least_ratio = ONCE_RATIO if is_once else REPEATABILITY_RATIO
    noise_ratio = max(least_ratio, math.hypot(_noise_ratio(one), _noise_ratio(other), pace_noise_ratio))
    speed_ratio = one.median_s / other.median_s
    return ComparedCase(
        case=one.case,
        first_s=one.median_s,
        second_s=other.median_s,
        speed_ratio=speed_ratio,
        noise_ratio=noise_ratio,
        is_beyond_noise=noise_ratio <= MOST_NOISE_RATIO and abs(math.log(speed_ratio)) > math.log1p(noise_ratio),
        first_taken_ratio=load_ratio((one,)),
        second_taken_ratio=load_ratio((other,)),
        is_once=is_once,
    )


def _noise_ratio(measurement: Measurement) -> float:
    """Return the relative uncertainty of a median, from the spread of its samples; of a job's single one as known."""
    if len(measurement.samples_s) == 1 and measurement.case.program == JOB_PROGRAM:
        return _DEVIATIONS * REPEAT_SIGMA
    deviation_s = measurement.iqr_s / IQR_TO_DEVIATION
    # Source: standard error of a median, 1.2533 sigma / sqrt(n), for normal samples.
    error_s = 1.2533 * deviation_s / math.sqrt(len(measurement.samples_s))
    return _DEVIATIONS * error_s / measurement.median_s
