"""Differences between runs, and noise."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.benchmark.results.comparison import compare
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.results.comparison import MOST_NOISE_RATIO, REPEATABILITY_RATIO
from advisor.records.results.measured.measurement import Benchmark, Case, CaseFailure, Condition, Measurement


def benchmark(**medians_s: float) -> Benchmark:
    """Return a benchmark with one measurement of small spread for each name."""
    return Benchmark(
        suite="quick",
        started_at="2026-11-21T00:00:00+00:00",
        wall_s=1.0,
        measurements=tuple(
            Measurement(
                case=Case(id=name, program="matmul"),
                samples_s=(median_s,) * 9,
                median_s=median_s,
                iqr_s=median_s * 0.01,
            )
            for name, median_s in medians_s.items()
        ),
    )


def test_a_faster_second_machine_is_seen() -> None:
    """Half the time is twice the speed, and more than noise."""
    [case] = compare(benchmark(a=2.0), benchmark(a=1.0)).cases

    assert case.speed_ratio == 2.0
    assert case.is_beyond_noise


def test_a_difference_that_repeating_causes_is_noise() -> None:
    """Two percent is less than repeated runs differ by."""
    [case] = compare(benchmark(a=1.00), benchmark(a=1.02)).cases

    assert not case.is_beyond_noise


def test_what_others_took_is_the_share_that_is_told_of_the_whole_check() -> None:
    """One check had three shares: 37% of the job's test, 44% on average, and here 49%, the median of some tests."""
    quiet, busy = benchmark(a=1.0, c=1.0), benchmark(a=1.0, b=1.0, c=1.0)
    shares = (0.1, 0.2, 0.6)
    rows = tuple(
        msgspec.structs.replace(one, conditions=(Condition(kind="other_load", value=share, unit="ratio"),))
        for one, share in zip(busy.measurements, shares, strict=True)
    )
    busy = msgspec.structs.replace(busy, measurements=rows)
    found = compare(quiet, busy)
    assert (found.first_taken_ratio, found.second_taken_ratio) == (0.0, busy.load_ratio)
    assert abs(busy.load_ratio - 0.3) < 1e-9


def test_times_that_vary_by_their_own_size_tell_no_difference() -> None:
    """Twelve times as long was called certain beside noise of 250 %."""
    first = benchmark(a=1.0)
    uneven = (msgspec.structs.replace(first.measurements[0], iqr_s=4.0),)
    [case] = compare(msgspec.structs.replace(first, measurements=uneven), benchmark(a=12.0)).cases

    assert case.finding == "noisy"
    assert not case.is_beyond_noise


def test_cases_of_one_side_are_named() -> None:
    """Nothing is dropped silently."""
    comparison = compare(benchmark(a=1.0, b=1.0), benchmark(b=1.0, c=1.0))

    assert (comparison.only_first, comparison.only_second) == (("a",), ("c",))


@given(st.floats(min_value=1e-6, max_value=1e3), st.floats(min_value=1e-6, max_value=1e3))
def test_swapping_the_sides_inverts_the_ratio(one_s: float, other_s: float) -> None:
    """Neither side is privileged, not even in what counts as noise."""
    [there] = compare(benchmark(a=one_s), benchmark(a=other_s)).cases
    [back] = compare(benchmark(a=other_s), benchmark(a=one_s)).cases

    assert abs(there.speed_ratio * back.speed_ratio - 1) < 1e-9
    assert there.is_beyond_noise == back.is_beyond_noise
    assert there.noise_ratio >= REPEATABILITY_RATIO


def test_uneven_times_are_not_called_the_same() -> None:
    """935 ms and 1.16 s stood as "no difference" beside noise of 85 %."""
    first = benchmark(a=1.0)
    uneven = (msgspec.structs.replace(first.measurements[0], iqr_s=0.8),)
    [case] = compare(msgspec.structs.replace(first, measurements=uneven), benchmark(a=1.24)).cases

    assert case.noise_ratio < MOST_NOISE_RATIO
    assert not case.is_beyond_noise
    assert case.finding == "chance"


def test_a_test_knows_what_others_took_meanwhile_and_why_it_has_no_counterpart() -> None:
    """A job that others had 28 % of the processor during was "3.5 times as slow"; "5 tests" lacked without a word."""
    first, second = benchmark(job=1.0, small=1.0, left=1.0, other=1.0), benchmark(job=3.5, small=1.0)
    others = (Condition(kind="other_load", value=0.28, unit="ratio", when="during"),)
    job, small = second.measurements
    second = msgspec.structs.replace(
        second,
        measurements=(msgspec.structs.replace(job, conditions=others), small),
        failures=(CaseFailure(case=Case(id="left", program="matmul"), reason="no_time"),),
    )
    found = compare(first, second)

    assert [case.disturbed for case in found.cases] == ["B", ""]
    assert [case.finding for case in found.cases] == ["disturbed", "same"]
    assert found.only_first == ("left", "other")
    assert found.reasons == {"left": "no_time"}


def test_a_card_computes_on_beside_other_programs() -> None:
    """What others take of the processor spoils no time of a card."""
    one = benchmark(a=1.0)
    others = (Condition(kind="other_load", value=0.3, unit="ratio", when="during"),)
    [row] = one.measurements
    case = msgspec.structs.replace(row.case, device="cuda:0")
    one = msgspec.structs.replace(one, measurements=(msgspec.structs.replace(row, case=case, conditions=others),))
    assert compare(one, one).cases[0].disturbed == ""


def test_the_pace_of_a_check_is_not_that_of_its_disturbed_tests() -> None:
    """Others slowed five tests of one check, and no time of either check was said to tell anything, not the job's."""
    quiet = benchmark(**dict.fromkeys("abcdefghijkl", 1.0))
    steady = tuple(msgspec.structs.replace(one, pace_s=1e-4) for one in quiet.measurements)
    load = (Condition(kind="other_load", value=0.5, unit="ratio", when="during"),)
    busy = tuple(msgspec.structs.replace(one, pace_s=1e-3, conditions=load) for one in steady[:5])
    disturbed = msgspec.structs.replace(quiet, measurements=(*busy, *steady[5:]))
    quiet = msgspec.structs.replace(quiet, measurements=steady)
    assert compare(quiet, disturbed).pace_noise_ratio == 0.0
    assert compare(quiet, disturbed).second_repeat_ratio == 0.0


@pytest.mark.parametrize(
    ("times", "finding"),
    [(1.0, "same"), (1.29, "once"), (1 / 1.7, "once"), (1.95, "once"), (2.1, "faster"), (0.2, "slower")],
)
def test_a_test_timed_once_has_no_known_noise(times: float, finding: str) -> None:
    """On an unchanged computer such tests were "29 % faster" and, in bold, "1.7 times as fast"."""
    first, second = benchmark(a=1.0), benchmark(a=1.0 / times)
    [row] = second.measurements
    once = msgspec.structs.replace(
        second, measurements=(msgspec.structs.replace(row, samples_s=(1.0 / times,), iqr_s=0.0),)
    )
    assert compare(first, once).cases[0].finding == finding
    assert compare(once, first).cases[0].finding == {"faster": "slower", "slower": "faster"}.get(finding, finding)
    assert compare(first, second).cases[0].finding in ("faster", "slower", "same"), "repeated, it is told"


def test_of_a_job_timed_once_it_is_known_how_far_runs_are_apart() -> None:
    """Loops of seven networks were 13 % apart in the median."""

    def job(time_s: float) -> Benchmark:
        case = Case(id="job", program=JOB_PROGRAM)
        one = Measurement(case=case, samples_s=(time_s,), median_s=time_s, iqr_s=0.0)
        return msgspec.structs.replace(benchmark(), measurements=(one,))

    findings = [compare(job(1.0), job(1.0 / times)).cases[0].finding for times in (1.0, 1.2, 1.4)]
    assert findings == ["same", "chance", "faster"]
