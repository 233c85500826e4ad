"""What an earlier check of the same job measured, in words."""

import datetime

import msgspec
import pytest

from advisor.locale import language
from advisor.records.results.measured.measurement import Condition
from advisor.report.words.advice.earlier_check import earlier_sentence
from tests.unit.gui.plain import plain
from tests.unit.report import samples
from tests.unit.report.words.advice.test_verdict import EN, undisturbed_job, with_measured_job

THEN = {"earlier_at": 1_795_161_600.0, "earlier_noise_ratio": 0.05, "earlier_s": 0.2}


def said(**details: float) -> str:
    """Return the sentence for a step of 0.25 s."""
    return earlier_sentence(with_measured_job(samples.enough(), THEN | details), EN)


def test_who_measures_for_the_first_time_reads_nothing() -> None:
    """Neither does who asks about something that was not measured."""
    assert earlier_sentence(with_measured_job(samples.enough()), EN) == ""
    assert earlier_sentence(samples.rent(), EN) == ""


def test_the_same_within_what_repeating_explains() -> None:
    """One short sentence."""
    assert said(earlier_s=0.245) == "Your check of Nov 20, 2026 measured the same, within 5%."


def test_equal_times_are_the_same_however_uneven_they_are() -> None:
    """710 ms beside 705 ms was too uneven to tell, and heat was named as its usual cause."""
    for details in ({"earlier_noise_ratio": 0.9}, {"earlier_noise_ratio": 5.0, "earlier_taken_ratio": 0.58}):
        assert said(**{"earlier_s": 0.252} | details) == "Your check of Nov 20, 2026 measured the same, within 3%."


def test_two_checks_of_one_day_are_told_apart_by_the_time() -> None:
    """On that day "Your check of Nov 27, 2026" might have been this one."""
    moment = datetime.datetime(2026, 11, 20, 9, 30).astimezone()
    report = with_measured_job(samples.enough(), {**THEN, "earlier_at": moment.timestamp()})
    assert report.benchmark is not None
    for hours, told in ((3, "Nov 20, 2026, 9:30\N{NARROW NO-BREAK SPACE}AM"), (48, "Nov 20, 2026")):
        started = (moment + datetime.timedelta(hours=hours)).isoformat()
        benchmark = msgspec.structs.replace(report.benchmark, started_at=started)
        text = plain(earlier_sentence(msgspec.structs.replace(report, benchmark=benchmark), EN))
        assert text.startswith(f"Your check of {told} measured 200 ms")


@pytest.mark.parametrize(
    ("details", "why"),
    [
        ({}, "Usual causes are heat"),
        ({"earlier_other_torch": 1.0}, "PyTorch was another version then."),
        ({"earlier_measured_ratio": 0.4, "measured_ratio": 0.6}, "Of a step 40% was measured then, and 60% now"),
    ],
)
def test_a_difference_is_told_with_its_reason(details: dict[str, float], why: str) -> None:
    """How much it is, what repeating explains, and what the two checks know of it."""
    text = said(**details)
    assert text.startswith("Your check of Nov 20, 2026 measured 200 ms a step, this one 250 ms: 25% more. A step that ")
    assert why in text
    assert "17% less" in said(earlier_s=0.3)
    assert "measured twice may differ by 5% anyway." in text
    assert "250 ms: 2.5 times as long. A step" in said(earlier_s=0.1), "150% more was no plain word"


def test_others_that_disturbed_the_check_are_the_cause_that_is_named() -> None:
    """Heat and a power setting were the usual causes, below a note that others had used 14 % of the processor."""
    report = undisturbed_job(with_measured_job(samples.slowed(0.0, 0.3), THEN))
    assert report.benchmark is not None
    share = EN.percent(report.benchmark.load_ratio)
    text = earlier_sentence(report, EN)
    assert f"other programs, which used {share} of the processor on average during this check." in text
    assert "heat" not in text


@pytest.mark.parametrize("details", [{"earlier_s": 0.33}, {"earlier_s": 2.5, "earlier_noise_ratio": 5.23}])
def test_checks_too_uneven_to_compare_are_not_called_the_same(details: dict[str, float]) -> None:
    """Two checks on a busy computer were told to have measured the same, within 523%."""
    text = said(**{"earlier_noise_ratio": 0.4} | details)
    assert text.startswith("Your check of Nov 20, 2026 measured ")
    assert "a step, this one 250 ms: too uneven to tell whether they differ. " in text
    assert "the same" not in text
    assert "523" not in text


@pytest.mark.parametrize(
    ("then", "now", "disturbed"), [(0.58, 0.0, "the earlier one"), (0.0, 0.4, "this one"), (0.58, 0.4, "both")]
)
def test_a_disturbed_check_differs_by_what_it_does(then: float, now: float, disturbed: str) -> None:
    """3.74 s beside 847 ms was "too uneven to tell whether they differ"."""
    report = with_measured_job(
        samples.enough(), THEN | {"earlier_s": 1.1, "earlier_noise_ratio": 5.23, "earlier_taken_ratio": then}
    )
    assert report.benchmark is not None
    load = (Condition(kind="other_load", value=now, unit="ratio"),)
    measurements = tuple(msgspec.structs.replace(one, conditions=load) for one in report.benchmark.measurements)
    benchmark = msgspec.structs.replace(report.benchmark, measurements=measurements)
    text = earlier_sentence(msgspec.structs.replace(report, benchmark=benchmark), EN)
    assert (
        f"1.1 s a step, this one 250 ms, 4.4 times apart: other programs disturbed {disturbed}, so the difference may "
        "be theirs. Other programs used "
    ) in text
    assert ("a step waits for the cores that they keep busy" in text) is (now > 0), "21 % cost 2.6 times the time"
    assert "too uneven" in said(earlier_s=0.26, earlier_noise_ratio=0.4, earlier_taken_ratio=0.58), "too little"


def test_what_a_disturbed_test_repeats_to_is_not_told() -> None:
    """A step "may differ by 38% anyway" beside 24 % in the comparison of the same checks, which leaves it out."""
    text = said(earlier_s=0.15, earlier_taken_ratio=0.3)
    assert "other programs disturbed the earlier one, so the difference may be theirs. " in text
    assert "Other programs used 30% of the processor during that test then, and 0% now." in text
    assert "anyway" not in text


def test_it_is_said_in_spanish_and_of_any_moment() -> None:
    """A report from elsewhere may name a moment that no calendar has."""
    report = with_measured_job(samples.enough(), THEN | {"earlier_at": 1e300})
    assert "comprobación" in earlier_sentence(report, language("es"))
