"""The answer in sentences: what must be known to read it rightly."""

import msgspec
import pytest

from advisor.locale import language
from advisor.records.job.workload import Circumstances
from advisor.records.request import Observation
from advisor.records.results.measured.measurement import CaseFailure, Condition, FailureReason
from advisor.report.content.answer import answer, answer_notes
from advisor.session.forecast import conclude
from tests.unit.report import samples
from tests.unit.report.words.advice.test_verdict import with_measured_job

EN = language("en")


def test_a_check_in_which_nothing_could_be_measured_is_said_to_have_measured_nothing() -> None:
    """Its other programs alone would read as if times had been taken."""
    report = samples.enough()
    assert report.benchmark is not None
    empty = msgspec.structs.replace(report, benchmark=msgspec.structs.replace(report.benchmark, measurements=()))
    [note, *_others] = answer(empty, EN).notes
    assert note.text.startswith("Nothing was measured")
    assert not any(one.text.startswith("Nothing was measured") for one in answer(report, EN).notes)


@pytest.mark.parametrize(
    ("done", "reason", "said"),
    [
        (2, "no_time", "Only 2 of 10 tests were done; there was no time for the others."),
        (1, "no_time", "Only 1 of 10 tests was done; there was no time for the others."),
        (2, "cancelled", "Only 2 of 10 tests were done before the check was stopped."),
        (2, "not_supported", ""),
        (7, "no_time", ""),
    ],
)
def test_an_answer_of_few_tests_says_so(done: int, reason: FailureReason, said: str) -> None:
    """One that rested on 4 of 14 could not be told from one of all of them."""
    report = samples.enough()
    assert report.benchmark is not None
    ends = report.benchmark.measurements
    left_out = tuple(CaseFailure(case=one.case, reason=reason) for one in ends[done:])
    benchmark = msgspec.structs.replace(report.benchmark, measurements=ends[:done], failures=left_out)
    notes = answer(msgspec.structs.replace(report, benchmark=benchmark), language("en")).notes
    assert [one.text for one in notes if "tests" in one.text] == ([said] if said else [])


def test_a_measured_job_is_not_doubted_for_other_tests() -> None:
    """A quick check of two cores said in amber that 7 of 16 tests were done, beside a job that was measured whole."""
    report = with_measured_job(samples.enough())
    assert report.benchmark is not None
    left_out = tuple(CaseFailure(case=one.case, reason="no_time") for one in report.benchmark.measurements * 2)
    benchmark = msgspec.structs.replace(report.benchmark, failures=left_out)
    assert not any(
        "tests" in one.text for one in answer(msgspec.structs.replace(report, benchmark=benchmark), EN).notes
    )


def test_what_makes_a_time_less_sure_is_no_method() -> None:
    """It said "method: only 4 of 14 tests were done" behind the reliability."""
    report = samples.enough()
    assert report.benchmark is not None
    ends = report.benchmark.measurements
    left_out = tuple(CaseFailure(case=one.case, reason="no_time") for one in ends[2:])
    benchmark = msgspec.structs.replace(report.benchmark, measurements=ends[:2], failures=left_out)
    origin = answer(msgspec.structs.replace(report, benchmark=benchmark), language("en")).confidence.origin
    assert origin is not None
    said = "Only 2 of 10 tests were done; there was no time for the others."
    assert origin.inputs[0] == ("Why not more certain", said)
    assert "tests" not in origin.method


def test_a_time_from_specifications_rests_on_no_tests() -> None:
    """It said "the tests that this time rests on" beside "worked out from published specifications"."""
    said = answer(samples.slowed(0.9, 0.9), language("en"))
    notes = " ".join(note.text for note in said.notes)
    assert "Other programs used 90% of the processor during the tests of this computer" in notes
    assert "rests on" not in notes


def test_a_time_that_rests_on_an_earlier_check_says_so() -> None:
    """Beside a disturbed check stood a time of the quiet one before, without a word on which of them it was of."""
    seen = Observation(machine=samples.laptop(card=False), benchmark=samples.benchmark(card=False))
    report = conclude(seen, samples.ARTICLE_CNN, Circumstances())
    [trained] = [one for one in samples.benchmark(card=False).measurements if one.case.program == "train"]
    load = Condition(kind="other_load", value=0.5, unit="ratio", when="during")
    told = msgspec.structs.replace(trained, conditions=(load,), details={"earlier_s": trained.median_s / 3})
    others = [one for one in samples.benchmark(card=False).measurements if one is not trained]
    slowed = msgspec.structs.replace(samples.benchmark(card=False), measurements=(*others, told))
    disturbed = conclude(msgspec.structs.replace(seen, benchmark=slowed), samples.ARTICLE_CNN, Circumstances())
    said = "so this time rests on an earlier one"
    assert not any(said in one.text for one in answer_notes(report, EN))
    assert any(said in one.text for one in answer_notes(disturbed, EN))
