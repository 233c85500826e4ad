"""What makes the measured time of a job unsure: each term by itself, for whoever adds them up or tells the largest."""

import math
from typing import Literal

from advisor.records.base import Z80
from advisor.records.results.measured.measurement import (
    Measurement,
    is_slowed,
    quiet_earlier_s,
    undisturbed_s,
)

JobTerm = Literal["repeat", "pace", "earlier", "scatter", "batch", "part"]

REPEAT_SIGMA = 0.10
"""Standard deviation of the logarithm of a program's own loop over the measured step, where nothing else disturbs.

Plain loops of seven networks, repeated within a minute on an otherwise idle virtual machine of two cores, were 13 %
apart in the median (``tools/jobs/bench_jobs.py --quick``, November 2026): a step cannot be surer than its own
repetition.
"""
LINE_SIGMA = 0.06
"""For each doubling of the batch beyond those that were measured."""
_UNMEASURED_SIGMA = 0.35
"""Of the share of a step that was worked out and not measured."""
_QUARTILES_OF_SIGMA = 1.349


def job_terms(one: Measurement) -> dict[JobTerm, float]:
    """Return standard deviations of the logarithm of a job's measured step.

    ``repeat`` is another run of the program over the step, ``earlier`` what an earlier check of the step measured: each
    of both checks may be off by the former, so that one that contradicts another is less sure than it was alone.
    ``pace`` takes the place of ``repeat`` where the computer's own changed by more during the check.
    """
    extrapolated = one.case.batch_size / max(one.details.get("measured_batch", float(one.case.batch_size)), 1.0)
    pace = _pace_sigma(one)
    first: dict[JobTerm, float] = {"pace": pace} if pace > REPEAT_SIGMA else {"repeat": REPEAT_SIGMA}
    return {
        **first,
        "earlier": _earlier_sigma(one),
        "scatter": one.iqr_s / one.median_s / _QUARTILES_OF_SIGMA,
        "batch": LINE_SIGMA * math.log2(max(extrapolated, 1.0)),
        "part": _UNMEASURED_SIGMA * (1.0 - one.details.get("measured_ratio", 1.0)),
    }


def _pace_sigma(one: Measurement) -> float:
    """Return how the pace of a processor varied in the check; of one that others slowed, the interval says it already.

    A step measured within seconds may have met the fast moments alone, or the slow ones; a training meets both. Where
    the time of an earlier check is told, it is the pace of that one: the range does not narrow by being disturbed.
    """
    if one.case.device != "cpu":
        return 0.0
    if undisturbed_s(one) < one.median_s:
        return one.details.get("earlier_pace_ratio", 0.0)
    return 0.0 if is_slowed(one) else one.details.get("pace_deviation_ratio", 0.0)


def _earlier_sigma(one: Measurement) -> float:
    """Return the deviation with which an interval reaches to what an undisturbed earlier check measured.

    Others never make a computer faster: what they slowed now says nothing against a shorter time before, which is the
    one that is told then, and how much longer the step takes beside them is in the interval already.
    """
    earlier_s = quiet_earlier_s(one)
    if earlier_s is None or (is_slowed(one) and earlier_s < one.median_s):
        return 0.0  # it says nothing of a repeat
    return abs(math.log(one.median_s / earlier_s)) / Z80
