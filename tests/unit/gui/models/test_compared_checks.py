"""Two checks side by side: one verdict for the whole, and each test is told by what noise leaves of it."""

import math
from typing import Any

import pytest

from advisor.gui.models.compared_checks import ComparedView, compared_view
from advisor.locale import language
from advisor.records.results.comparison import ComparedCase, Comparison
from tests.gui.samples import sample_report

EN = language("en")


def shown(*tests: tuple[float, float, float], **rest: Any) -> ComparedView:
    """Return two checks in words, from what a test took in either and its noise."""
    benchmark = sample_report().benchmark
    assert benchmark is not None
    cases = tuple(
        ComparedCase(
            case=benchmark.measurements[0].case,
            first_s=first_s,
            second_s=second_s,
            speed_ratio=first_s / second_s,
            noise_ratio=noise_ratio,
            is_beyond_noise=noise_ratio <= 1 and abs(math.log(first_s / second_s)) > math.log1p(noise_ratio),
        )
        for first_s, second_s, noise_ratio in tests
    )
    return compared_view(("one", "other"), Comparison(cases=cases, **rest), EN)


@pytest.mark.parametrize(
    ("noise_ratio", "difference", "marked"),
    [(0.1, "▼ 12 times as slow", {0}), (4.99, "perhaps 12 times as slow, too noisy to tell", set())],
)
def test_noise_larger_than_the_times_tells_nothing(noise_ratio: float, difference: str, marked: set[int]) -> None:
    """Twelve times as slow beside a noise of five times is no difference that could be told."""
    view = shown((1.0, 12.0, noise_ratio))
    assert (view.rows[0][3], view.marked) == (difference, marked)
    assert ("slower" in view.summary) == bool(marked)


def test_a_disturbed_check_is_not_said_to_make_no_difference() -> None:
    """Rows of 268 and 26.2 microseconds stood under "No difference beyond noise in any of the 7 tests."."""
    tests = (268e-6, 26.2e-6, 1.59), (25.8e-6, 26.9e-6, 1.59)
    view = shown(*tests, first_taken_ratio=0.58)
    assert view.summary == (
        "These two checks cannot be compared: their times are too uneven to tell which is faster. "
        "Other programs disturbed A."
    )
    assert [row[3] for row in view.rows] == ["perhaps 10 times as fast, too noisy to tell", "too noisy to tell"]
    both = shown(*tests, first_taken_ratio=0.58, second_taken_ratio=0.3)
    assert both.summary.endswith("Other programs disturbed both checks.")


def test_times_that_are_equal_are_the_same_however_noisy() -> None:
    """188 beside 186 milliseconds was "too noisy to tell", as was 26.4 beside 25.9 microseconds."""
    view = shown((0.188, 0.186, 1.57), (26.4e-6, 25.9e-6, 0.46))
    assert [row[3] for row in view.rows] == ["same", "same"]
    assert view.summary == "A and B are the same in all 2 tests."


def test_tests_that_all_went_one_way_are_one_verdict_with_what_noise_explains() -> None:
    """A comparison could tell nothing in any of 14 rows, and no figure in it led to its noise of 46 %."""
    pace: dict[str, Any] = {"first_repeat_ratio": 0.17, "second_repeat_ratio": 0.14, "pace_noise_ratio": 0.46}
    tests = [(1.0, 0.85, 0.46)] * 14
    view = shown(*tests, **pace)
    assert view.summary == (
        "B took less time in all 14 tests: it was about 18% faster. That may be chance: the changing pace alone makes "
        "them differ by about 16%, and at times by 46%."
    )
    assert view.rows[0][3:] == ("perhaps 18% faster",), "one figure for all needs no column"
    assert "differ by about 16% as a rule" in view.noise
    assert "more than three times that, 46%." in view.noise
    assert "pace changed during the check, so that a repeat would differ by about 17%" in view.names[0]
    one = shown((1.0, 0.5, 0.46), *tests, **pace)
    assert one.summary.endswith("about 18% faster. Only in 1, in bold, is that more than noise.")
    assert one.marked == {0}
    mixed = shown((1.0, 0.85, 0.6), *tests, **pace)
    assert [row[4] for row in mixed.rows[:2]] == ["±60%", "±46%"]
    assert mixed.noise.endswith("It is more where the times of a test vary by themselves, too.")


def test_a_pace_beyond_all_bounds_has_no_figure() -> None:
    """A repeat was said to differ by 473 %, of a check with another program beside a half of it."""
    view = shown((1.0, 1.2, 9.0), first_repeat_ratio=4.73, second_repeat_ratio=0.02, pace_noise_ratio=9.0)
    assert view.names[0].endswith("changed so much during the check that a repeat would tell something else")
    assert view.noise == "Noise: the pace of A or B changed so much (above) that their times tell hardly anything."


def test_noise_of_steady_checks_is_that_of_the_tests_themselves() -> None:
    """No pace is blamed that did not change."""
    view = shown(*[(1.0, 1.24, 0.85)] * 5)
    assert view.summary.endswith("about 24% slower. That may be chance: the times of each test vary by as much.")
    assert view.rows[0][3] == "perhaps 24% slower"
    assert "pace" not in view.noise
    assert view.noise.endswith("It is ±85% for each test.")


def test_every_difference_is_one_of_speed() -> None:
    """Below "▼ 3.1 times as slow" stood "perhaps 3% less", of what was not said."""
    view = shown((1.0, 3.1, 0.1), (1.0, 1.2, 0.1), (1.2, 1.0, 0.1), (1.04, 1.0, 0.1), (1.0, 3.6, 0.9), (1.0, 1.7, 1.6))
    assert [row[3] for row in view.rows] == [
        "▼ 3.1 times as slow",
        "▼ 20% slower",
        "▲ 20% faster",
        "perhaps 4% faster",
        "▼ 3.6 times as slow",
        "perhaps 1.7 times as slow, too noisy to tell",
    ]


def test_what_can_be_told_is_counted_apart_from_what_cannot() -> None:
    """Tests too uneven to tell stood among "the others differ by no more than noise"."""
    tests = (2.0, 1.0, 0.1), (1.0, 1.0, 0.1), (1.0, 1.08, 0.1), (1.2, 1.0, 1.6), (9.0, 1.0, 1.6)
    assert shown(*tests, second_taken_ratio=0.58).summary == (
        "Of 5 tests: B is faster in 1, the same in 1, a difference that may be chance in 1, too uneven to tell in 2. "
        "Other programs disturbed B."
    )
    assert shown((1.0, 2.0, 0.1), (1.0, 3.0, 0.1)).summary == "B is slower in all 2 tests."
