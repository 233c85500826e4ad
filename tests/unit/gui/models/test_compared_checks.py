"""Two checks side by side: one verdict for the whole, and each test is told by what noise leaves of it."""

import math
from typing import Any

import msgspec
import pytest

from advisor.gui.models.compared_checks import ComparedView, compared_view
from advisor.locale import language
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.results.comparison import ComparedCase, Comparison
from tests.gui.samples import sample_report
from tests.unit.gui.plain import plain

EN = language("en")


def shown(*tests: tuple[float, float, float], taken: dict[int, float] | None = None, **rest: Any) -> ComparedView:
    """Return two checks in words, from what a test took in either and its noise.

    Args:
        tests: Of them the first is the job where ``rest`` says so.
        taken: Which share of the processor others had in B during a test, by its place.
        rest: Of the comparison; ``has_job``: the first test is that of the job; ``once``: places of tests that were
            timed once.
    """
    benchmark = sample_report().benchmark
    assert benchmark is not None
    case = msgspec.structs.replace(benchmark.measurements[0].case, device="cpu")
    job = msgspec.structs.replace(case, program=JOB_PROGRAM) if rest.pop("has_job", False) else case
    once = rest.pop("once", ())
    cases = tuple(
        ComparedCase(
            case=case if place else job,
            first_s=first_s,
            second_s=second_s,
            speed_ratio=first_s / second_s,
            noise_ratio=noise_ratio,
            is_beyond_noise=noise_ratio <= 1 and abs(math.log(first_s / second_s)) > math.log1p(noise_ratio),
            second_taken_ratio=(taken or {}).get(place, 0.0),
            is_once=place in once,
        )
        for place, (first_s, second_s, noise_ratio) in enumerate(tests)
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
    assert ("12 times as slow" in view.summary) == bool(marked)


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
    assert view.summary == "In 2 tests A and B are the same."


def test_tests_that_all_went_one_way_are_one_verdict_with_what_noise_explains() -> None:
    """A comparison could tell nothing in any of 14 rows, and no figure in it led to its noise of 46 %."""
    pace: dict[str, Any] = {"first_repeat_ratio": 0.17, "second_repeat_ratio": 0.14, "pace_noise_ratio": 0.46}
    tests = [(1.0, 0.85, 0.46)] * 14
    view = shown(*tests, **pace)
    assert view.summary == (
        "B took less time in all 14 tests: it was about 18% faster. That may be chance: the computer's pace changed by "
        "as much."
    )
    assert view.rows[0][3:] == ("18% faster, may be chance",), "noise is told once, above the table"
    assert view.chance == (
        "A small calculation, timed before each test, took uneven times in both checks. Repeated, the time of a test "
        "may differ by up to 46% by chance."
    )
    one = shown((1.0, 0.5, 0.46), *tests, **pace)
    assert one.summary.endswith("about 18% faster. Only in 1, in bold, is that more than chance.")
    assert one.marked == {0}
    assert "by 46% to 60% by chance, depending on the test" in shown((1.0, 0.85, 0.6), *tests, **pace).chance


def test_a_pace_beyond_all_bounds_has_no_figure() -> None:
    """A repeat was said to differ by 473 %, of a check with another program beside a half of it."""
    view = shown((1.0, 1.2, 9.0), first_repeat_ratio=4.73, second_repeat_ratio=0.02, pace_noise_ratio=9.0)
    assert view.chance == (
        "A small calculation, timed before each test, took uneven times in A. The times of the small tests tell hardly "
        "anything."
    )
    some = shown((1.0, 1.2, 9.0), (1.0, 1.2, 0.1))
    assert some.chance.endswith("may differ by 10% by chance, and some by more than their own time.")


def test_noise_of_steady_checks_is_that_of_the_tests_themselves() -> None:
    """No pace is blamed that did not change."""
    view = shown(*[(1.0, 1.24, 0.85)] * 5)
    assert view.summary.endswith("about 24% slower. That may be chance: the times of each test vary by as much.")
    assert view.rows[0][3] == "24% slower, may be chance"
    assert view.chance == "Repeated, the time of a test may differ by up to 85% by chance."


def test_every_difference_is_one_of_speed() -> None:
    """Below "▼ 3.1 times as slow" stood "perhaps 3% less", of what was not said."""
    view = shown((1.0, 3.1, 0.1), (1.0, 1.2, 0.1), (1.2, 1.0, 0.1), (1.04, 1.0, 0.1), (1.0, 3.6, 0.9), (1.0, 1.7, 1.6))
    assert [row[3] for row in view.rows] == [
        "▼ 3.1 times as slow",
        "▼ 20% slower",
        "▲ 20% faster",
        "4% faster, may be chance",
        "▼ 3.6 times as slow",
        "perhaps 1.7 times as slow, too noisy to tell",
    ]


def test_what_can_be_told_is_counted_apart_from_what_cannot() -> None:
    """Tests too uneven to tell stood among "the others differ by no more than noise"."""
    tests = (2.0, 1.0, 0.1), (1.0, 1.0, 0.1), (1.0, 1.08, 0.1), (1.2, 1.0, 1.6), (9.0, 1.0, 1.6)
    assert shown(*tests, second_taken_ratio=0.58).summary == (
        "In 1 of 5 tests B is about 2 times as fast. In 2 they are the same or differ by no more than may be chance. "
        "In 2 the times are too uneven to tell. Other programs disturbed B."
    )
    assert shown((1.0, 2.0, 0.1), (1.0, 3.0, 0.1)).summary == "In all 2 tests B is about 2 times as slow."
    assert shown(*tests[:3]).summary.endswith(
        "In the other 2 they are the same or differ by no more than may be chance."
    )


def test_a_count_has_its_noun() -> None:
    """It was left open of what "In 2 they are the same" and "In 6 the times are too uneven to tell" spoke."""
    assert shown((1.0, 1.0, 0.1), (1.0, 1.08, 0.1), (1.2, 1.0, 1.6)).summary == (
        "In 2 of 3 tests A and B are the same or differ by no more than may be chance. In 1 the times are too uneven "
        "to tell."
    )


def test_what_disturbed_the_job_comes_first_and_its_rows_tell_nothing() -> None:
    """Beside a check of which others had 28 % during the job, every row had a noise of ±97 % and the job ▼ 3.5."""
    tests = (0.76, 2.66, 0.98), (0.19, 0.2, 0.97), (1.4, 1.4, 0.97)
    view = shown(*tests, has_job=True, taken={0: 0.28}, second_taken_ratio=0.08)
    assert view.summary == (
        "Other programs used 28% of the processor while B measured your job, so its times cannot be compared: measure "
        "again in a quiet moment. In 2 undisturbed tests A and B differ by no more than may be chance."
    )
    assert (view.disturbed, view.marked) == ({0}, set())
    assert view.rows[0][3] == "disturbed in B"
    assert view.names == (
        "one",
        "other · other programs used 28% of the processor while your job was tested, and 8% on average over the whole "
        "check",
    )
    assert "disturbed" not in view.header
    every = shown(*tests, has_job=True, taken={0: 0.2, 1: 0.4, 2: 0.6}, second_taken_ratio=0.4)
    assert every.summary == (
        "Other programs used 40% of the processor during B, so the two cannot be compared: measure again in a quiet "
        "moment."
    )
    assert every.chance == ""


def test_the_job_is_told_before_the_tests() -> None:
    """What the user asks about is the job; a disturbed test of little weight is named last."""
    tests = (1.0, 1.3, 0.1), (1.0, 1.0, 0.1), (1.0, 1.02, 0.1)
    assert shown(*tests, has_job=True, taken={2: 0.3}).summary == (
        "Your job is 30% slower in B. In 1 of 2 undisturbed tests B is about 30% slower. In the other one they are the "
        "same or differ by no more than may be chance. Other programs disturbed B: what is in grey cannot be compared."
    )
    assert shown((1.0, 1.0, 0.1), has_job=True).summary == "Your job takes the same time in both."
    assert shown((1.0, 1.05, 0.1), has_job=True).summary == "Your job is 5% slower in B, which may be chance."


def test_tests_of_one_side_say_why_the_other_has_none() -> None:
    """That "5 tests were done in one of them only" said neither in which nor why."""
    view = shown(
        (1.0, 1.0, 0.1), only_first=("a", "b", "c"), only_second=("d",), reasons={"a": "no_time", "b": "no_time"}
    )
    assert view.left_over == (
        "2 tests were done in A only: no time was left in B. 1 test was done in A only: B had another job or plan. "
        "1 test was done in B only: A had another job or plan."
    )
    assert "B got no result there" in shown((1.0, 1.0, 0.1), only_first=("a",), reasons={"a": "crashed"}).left_over


def test_a_test_timed_once_is_not_called_faster() -> None:
    """An unchanged computer was "1.7 times as fast" in bold, with an arrow."""
    view = shown((1.0, 1 / 1.7, 1.0), (1.0, 1.0, 0.03), (1.0, 0.1, 1.0), once=(0, 2))
    assert [row[3] for row in view.rows] == ["timed once: cannot be told", "same", "▲ 10 times as fast"]
    assert view.marked == {2}
    assert "1 test was timed once, which cannot tell." in view.summary
    assert "1.7" not in view.summary
    assert "may differ by up to 3%" in plain(view.chance)
    assert "only a difference of more than 2 times is told" in plain(view.chance)
    alone = shown((1.0, 1 / 1.7, 1.0), once=(0,))
    assert alone.summary == "1 test was timed once, which cannot tell."
    assert alone.chance.startswith("No repeat says")
    assert "timed once" not in shown((1.0, 1.0, 0.03)).chance
