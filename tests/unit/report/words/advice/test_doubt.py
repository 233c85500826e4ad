"""Why a time is not more certain: the one thing that makes its range wide."""

import msgspec
import pytest

from advisor.locale import language
from advisor.records.base import Interval
from advisor.records.job.advice import Option
from advisor.records.job.prediction import confidence_of
from advisor.records.results.own_computer import best_here
from advisor.records.results.report import Report
from advisor.report.content.answer import answer
from advisor.report.provenance.predictions import of_time
from advisor.report.words.advice.doubt import asks_for_data, doubt_sentence
from tests.unit.report import samples
from tests.unit.report.words.advice.test_verdict import undisturbed_job, with_measured_job

EN, ES = language("en"), language("es")
WIDE = 1.25
"""How far the ends of a fair range lie."""


def ranged(report: Report, *, width: float, fed: float | None = None, batch: int = 16) -> tuple[Report, Option]:
    """Return the report with the range of this computer's time as wide as is said, and the option."""
    here = best_here(report)
    assert here is not None
    assert here.run_s is not None
    assert here.prediction is not None
    step_s = here.prediction.time_per_step_s
    prediction = msgspec.structs.replace(
        here.prediction,
        batch_size=batch,
        interval=around(step_s, width),
        fed_interval=None if fed is None else around(step_s, fed),
    )
    changed = msgspec.structs.replace(here, prediction=prediction, interval=around(here.run_s, width))
    options = tuple(changed if one.id == here.id else one for one in report.advice.options)
    return msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, options=options)), changed


def around(guess: float, width: float) -> Interval:
    """Return a range around a guess."""
    return Interval(low=guess / width, high=guess * width)


@pytest.mark.parametrize(
    ("details", "said"),
    [
        ({}, "No two runs take exactly as long"),
        ({"earlier_s": 0.2}, "An earlier check of this job measured another time"),
        ({"earlier_s": 0.2, "earlier_taken_ratio": 0.4}, "No two runs take exactly as long"),
        ({"measured_ratio": 0.2}, "Only a part of a step was measured"),
        ({"measured_batch": 1.0}, "measured with another batch"),
    ],
)
def test_the_largest_term_of_a_measured_job_is_told(details: dict[str, float], said: str) -> None:
    """A disturbed earlier check makes nothing wider, and is not named."""
    report, here = ranged(with_measured_job(samples.enough(), details), width=WIDE)
    assert said in doubt_sentence(here, report, EN)
    assert doubt_sentence(here, report, ES) not in {"", doubt_sentence(here, report, EN)}


def test_another_batch_than_the_measured_one_is_told() -> None:
    """A batch of 512 lies five doublings from what was measured."""
    report, here = ranged(with_measured_job(samples.enough()), width=WIDE, batch=512)
    assert "measured with another batch" in doubt_sentence(here, report, EN)


def test_photos_that_were_not_measured_are_told_where_they_make_a_range_wide() -> None:
    """After a quiet check "rough (45 minutes to 1 hour 10 minutes)" had no cause: without loading it was fair."""
    report = with_measured_job(samples.enough())
    report = msgspec.structs.replace(report, workload=msgspec.structs.replace(report.workload, loaders=12))
    rough, here = ranged(report, width=1.4, fed=1.16)
    assert doubt_sentence(here, rough, EN).startswith("How large your photos are is not known")
    assert asks_for_data(here, rough)
    asked = msgspec.structs.replace(rough, workload=msgspec.structs.replace(rough.workload, loaders=None))
    assert doubt_sentence(here, asked, EN).startswith("How your program loads its photos is not known")
    as_wide, here = ranged(report, width=1.4, fed=1.39)
    assert doubt_sentence(here, as_wide, EN).startswith("No two runs")
    assert not asks_for_data(here, as_wide)


def test_data_are_asked_for_also_where_other_programs_widened_a_range_more() -> None:
    """The tip to name the folder of the photos went away with a disturbed check."""
    report = samples.slowed(0.3, 0.3)
    report = msgspec.structs.replace(report, workload=msgspec.structs.replace(report.workload, loaders=12))
    rough, here = ranged(report, width=2.0, fed=1.6)
    assert doubt_sentence(here, rough, EN).startswith("Other programs")
    assert asks_for_data(here, rough)
    as_wide, here = ranged(report, width=2.0, fed=1.9)
    assert not asks_for_data(here, as_wide)


def test_a_good_time_has_no_doubt() -> None:
    """Neither in its explanation nor on the answer."""
    report, here = ranged(samples.enough(), width=1.1)
    assert doubt_sentence(here, report, EN) == ""
    assert "Why not more certain" not in dict(of_time(here, report, EN).inputs)


def test_every_time_that_is_not_good_says_why_once() -> None:
    """Of all options, after a quiet check and after one that others disturbed."""
    for report in (samples.enough(), samples.rent(), samples.slowed(0.3, 0.3), samples.slowed(0.9, 0.9)):
        wide = [
            one
            for one in report.advice.options
            if one.run_s and one.interval is not None and confidence_of(one.run_s, one.interval) != "good"
        ]
        assert wide
        for one in wide:
            said = doubt_sentence(one, report, EN)
            assert said
            assert sum(said in text for _name, text in of_time(one, report, EN).inputs) == 1
        assert answer(report, EN).doubt or report.advice.chosen not in {one.id for one in wide}


def test_others_that_disturbed_other_tests_are_told_in_the_explanation() -> None:
    """The photos and the spread of the repetitions were to blame, and 14 % in others' hands was not named."""
    report, here = ranged(undisturbed_job(with_measured_job(samples.slowed(0.0, 0.3))), width=WIDE)
    rows = dict(of_time(here, report, EN).inputs)
    assert rows["What interfered"].startswith("Other programs used ")
    assert "on average during the check." in rows["What interfered"]
    assert rows["Why not more certain"].endswith("Other programs also disturbed the check.")
    quiet, here = ranged(with_measured_job(samples.enough()), width=WIDE)
    assert "other programs" not in str(of_time(here, quiet, EN).inputs).casefold()


def test_what_others_took_is_told_where_it_widened_the_range() -> None:
    """It stands in the explanation already, as what was in the way."""
    report = samples.slowed(0.3, 0.3)
    here = best_here(report)
    assert here is not None
    said = doubt_sentence(here, report, EN)
    assert said.startswith("Other programs used 30% of the processor")
    rows = dict(of_time(here, report, EN).inputs)
    assert said in rows["What interfered"]
    assert "Why not more certain" not in rows
