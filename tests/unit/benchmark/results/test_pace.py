"""How steady a computer was, and how far a repeat of its check would be apart."""

import math
import statistics

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.benchmark.results.pace import FEWEST, Pace, pace_of, with_pace
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.results.measured.measurement import Condition
from tests.unit.benchmark.paced import run_at, scattered

NORMAL = [statistics.NormalDist().inv_cdf((index + 0.5) / 99) for index in range(99)]
"""As many draws of a normal distribution as evenly as they can lie."""


def test_repeat_differs_as_two_draws_of_a_normal_distribution_do() -> None:
    """Its deviation, times the square root of two, times the 0.6745 within which half of all draws lie."""
    pace = pace_of(scattered(0.05))

    assert pace is not None
    assert pace.count == 99
    assert pace.median_s == pytest.approx(2e-4)
    assert pace.deviation_ratio == pytest.approx(0.05, rel=0.03)
    apart = [abs(one - other) * 0.05 for one in NORMAL for other in NORMAL]
    assert pace.repeat_ratio == pytest.approx(statistics.median(apart), rel=0.05)


def test_too_few_tries_say_nothing() -> None:
    """Reports of earlier versions have none; five are too few for quartiles."""
    assert pace_of(()) is None
    assert pace_of(run_at(*[None] * 20)) is None
    assert pace_of(run_at(*[1e-4] * (FEWEST - 1))) is None
    assert pace_of(run_at(*[1e-4] * FEWEST)) == Pace(count=FEWEST, fast_s=1e-4, median_s=1e-4, slow_s=1e-4)


def test_only_equal_threads_are_compared() -> None:
    """The product is slower on one core than on all; that is no change of pace."""
    pace = pace_of(run_at(*[1e-4] * 9) + run_at(*[2e-4] * 8, threads=1))

    assert pace is not None
    assert (pace.count, pace.slow_s) == (9, 1e-4)


def test_the_job_is_told_how_the_pace_varied() -> None:
    """It is measured within seconds; what else was measured, or a run that says nothing of its pace, stays as it is."""
    ran = scattered(0.05)
    job = msgspec.structs.replace(ran[0], case=msgspec.structs.replace(ran[0].case, program=JOB_PROGRAM))
    told = with_pace((job, *ran[1:]))
    assert told[0].details["pace_deviation_ratio"] == pytest.approx(0.05, rel=0.05)
    assert told[1:] == tuple(ran[1:])
    assert with_pace((job,)) == (job,)


def test_what_other_programs_slowed_is_no_pace_of_the_job() -> None:
    """Beside a busy program the product took a hundred times as long: a range reached to two weeks of 35 minutes."""
    busy = Condition(kind="other_load", value=0.3, unit="ratio", when="during")
    slowed = [msgspec.structs.replace(one, conditions=(busy,)) for one in run_at(*[1.6e-2] * 9)]
    job, *calm = scattered(0.05)
    job = msgspec.structs.replace(job, case=msgspec.structs.replace(job.case, program=JOB_PROGRAM))
    told = with_pace((job, *calm, *slowed))
    assert told[0].details["pace_deviation_ratio"] == pytest.approx(0.05, rel=0.05)
    assert with_pace((job, *slowed)) == (job, *slowed), "too few without them"


@given(st.lists(st.none() | st.floats(), max_size=30))
def test_anything_a_file_may_hold_is_survived(paces_s: list[float | None]) -> None:
    """Reports are read from files; nonsense there makes no nonsense here."""
    pace = pace_of(run_at(*paces_s))

    assert pace is None or (0 < pace.fast_s <= pace.median_s <= pace.slow_s and math.isfinite(pace.repeat_ratio))
