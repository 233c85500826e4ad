"""Differences between runs, and noise."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from advisor.benchmark.results.comparison import compare
from advisor.records.results.comparison import MOST_NOISE_RATIO, REPEATABILITY_RATIO
from advisor.records.results.measured.measurement import Benchmark, Case, Condition, Measurement


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


@given(st.lists(st.floats(min_value=0.5, max_value=2.0), min_size=12, max_size=12))
def test_the_usual_difference_leads_to_the_noise_of_the_pace(paces: list[float]) -> None:
    """The noise of a comparison, 46 %, could not be derived from the 17 and 14 % that it named."""
    names = {f"case{place}": 1.0 for place in range(6)}
    one, other = (
        msgspec.structs.replace(
            made,
            measurements=tuple(
                msgspec.structs.replace(m, pace_s=pace) for m, pace in zip(made.measurements, part, strict=True)
            ),
        )
        for made, part in ((benchmark(**names), paces[:6]), (benchmark(**names), paces[6:]))
    )
    found = compare(one, other)
    assert found.first_repeat_ratio is not None
    assert found.second_repeat_ratio is not None
    repeats = sorted((found.first_repeat_ratio, found.second_repeat_ratio))
    assert repeats[0] - 1e-9 <= found.usual_ratio <= repeats[1] + 1e-9
    assert abs(found.pace_noise_ratio - 2.965 * found.usual_ratio) < 0.001 * (1 + found.pace_noise_ratio)
