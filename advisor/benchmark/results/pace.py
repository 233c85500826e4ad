"""How steady the computer itself was while a suite ran, and how far a repeat would hence be apart. Pure.

Before each case the worker times one small product that is always the same. What it takes varies with the pace of the
computer alone, so its scatter over a run tells what no single case can: how much of a difference between two runs
comes from repeating.
"""

import math
import statistics
from collections import Counter
from collections.abc import Sequence

import msgspec

from advisor.records.base import Record
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.results.measured.measurement import DISTURBED_RATIO, Measurement, load_ratio

FEWEST = 6
"""Fewer tries say little of quartiles."""
_LONGEST_S = 1e6
"""A report from a file may hold anything."""

# Of a normal distribution with deviation 1: the distance of its quartiles, and the median of a value's distance from 0.
IQR_TO_DEVIATION = 1.349
_MEDIAN_DISTANCE = 0.6745


class Pace(Record, frozen=True, kw_only=True):
    """What the product took over a run.

    Attributes:
        count: How often it was timed.
        fast_s: First quartile.
        median_s: Median.
        slow_s: Third quartile.
    """

    count: int
    fast_s: float
    median_s: float
    slow_s: float

    @property
    def deviation_ratio(self) -> float:
        """Standard deviation over the median, from the quartiles."""
        return (self.slow_s - self.fast_s) / IQR_TO_DEVIATION / self.median_s

    @property
    def repeat_ratio(self) -> float:
        """By how much, in the median over its cases, a repeat of the run is expected to differ.

        Each case is measured at a pace drawn twice, once in either run, and two draws differ by the square root of two
        deviations.
        """
        return _MEDIAN_DISTANCE * math.sqrt(2) * self.deviation_ratio


def pace_of(measurements: Sequence[Measurement]) -> Pace | None:
    """Return how steady the computer was; None where too few cases know.

    Only cases with equally many threads are counted, for the product uses as many.
    """
    threads = Counter(one.case.threads for one in measurements if one.pace_s is not None).most_common(1)
    tries = [
        one.pace_s
        for one in measurements
        if one.pace_s is not None and 0 < one.pace_s < _LONGEST_S and one.case.threads == threads[0][0]
    ]
    if len(tries) < FEWEST:
        return None
    fast_s, median_s, slow_s = statistics.quantiles(tries, n=4, method="inclusive")
    return Pace(count=len(tries), fast_s=fast_s, median_s=median_s, slow_s=slow_s)


def undisturbed_pace(measurements: Sequence[Measurement]) -> Pace | None:
    """Return how steady a computer was by itself: what others took meanwhile is told of the tests it slowed."""
    return pace_of([one for one in measurements if load_ratio((one,)) < DISTURBED_RATIO])


def with_pace(measurements: Sequence[Measurement]) -> tuple[Measurement, ...]:
    """Return the measurements; those of the job tell in their details how the pace varied: ``pace_deviation_ratio``.

    What other programs slowed is told by itself, and says nothing of the pace that the job meets without them.
    """
    pace = undisturbed_pace(measurements)
    if pace is None:
        return tuple(measurements)
    known = {"pace_deviation_ratio": pace.deviation_ratio}
    return tuple(
        msgspec.structs.replace(one, details=one.details | known) if one.case.program == JOB_PROGRAM else one
        for one in measurements
    )
