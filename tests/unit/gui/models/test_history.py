"""Earlier checks in words: what cannot be compared is not."""

from typing import Any

import msgspec
import pytest

from advisor.gui.models.history import (
    answer_text,
    disturbed_sentence,
    history_row,
    is_comparable,
    job_text,
    last_answer,
    measured_text,
)
from advisor.gui.models.measure import MeasureModel
from advisor.locale import language
from advisor.records.base import Precision
from advisor.records.job.advice import Reason
from advisor.records.results.history_entry import Entry, Summary, summarise
from advisor.records.results.measured.measurement import Condition
from advisor.report.provenance.history import entry_figures
from advisor.report.words.advice.verdict import verdict_sentence
from advisor.report.words.labels import spoken_moment
from advisor.report.words.samples import samples_phrase
from tests.gui.samples import sample_report
from tests.unit.gui.plain import plain
from tests.unit.report import samples

EN = language("en")


@pytest.fixture(scope="module")
def summary() -> Summary:
    """Return the sample's check."""
    return summarise(sample_report())


def test_a_check_that_was_cut_short_is_not_compared(summary: Summary) -> None:
    """It has neither an answer to set beside others nor measurements enough."""
    cut = msgspec.structs.replace(summary, is_cancelled=True)
    nothing = msgspec.structs.replace(summary, suite="none")
    found = [is_comparable(Entry(id=1, summary=one)) for one in (summary, cut, nothing, None)]
    assert found == [True, False, False, False]
    assert (answer_text(cut, EN), answer_text(summary, EN) != "–") == ("–", True)


def test_a_report_from_elsewhere_is_not_about_this_computer(summary: Summary) -> None:
    """The answer of an imported report that its computer is enough does not say so of this one."""
    rows = [history_row(Entry(id=1, summary=summary, origin=origin), EN) for origin in ("here", "imported")]
    assert [row[4].partition(" · ")[0] for row in rows] == ["Enough", "RTX 2060 Laptop"]


def test_an_answer_in_the_list_keeps_room_for_its_time(summary: Summary) -> None:
    """A card is called by what tells it apart; with its maker's names the time beside it was cut off."""
    text = answer_text(
        msgspec.structs.replace(summary, chosen="NVIDIA GeForce RTX 4060", run_s=1320.0, is_enough=False), EN
    )
    assert plain(text) == "This computer · RTX 4060 · 22 minutes"


def test_a_moment_in_the_list_is_short_in_spanish_too() -> None:
    """A month's whole name would not leave room for the time of day in a small window."""
    spanish = language("es")
    long, short = (spoken_moment("2026-11-23T12:00:00+00:00", spanish, is_short=one) for one in (False, True))
    assert "noviembre" in long
    assert "nov" in short
    assert len(short) < len(long) - 8
    assert spoken_moment("once", spanish, is_short=True) == "once"


def test_a_disturbed_check_is_marked_in_the_list(summary: Summary) -> None:
    """The "Enough · 2½ hours" of a check that others disturbed looked as sure as a quiet one's "45 minutes"."""
    known: dict[str, Any] = {"is_enough": True, "tier": "this_computer", "run_s": 9000.0}
    quiet = msgspec.structs.replace(summary, **known, low_s=1800.0, high_s=10_800.0, taken_ratio=0.01)
    disturbed = msgspec.structs.replace(quiet, taken_ratio=0.5)
    kept_before = msgspec.structs.replace(disturbed, low_s=None, high_s=None)
    assert [plain(answer_text(one, EN)) for one in (quiet, disturbed, kept_before)] == [
        "Enough · 2½ hours",
        "⚠ Disturbed · Enough · 30 minutes to 3 hours (best guess: 2½ hours)",
        "⚠ Disturbed · Enough · 2½ hours",
    ]
    said = [disturbed_sentence(Entry(id=1, summary=one), EN) for one in (quiet, disturbed)]
    assert said == ["", "⚠ Disturbed: other programs used 50% of the processor while your job was tested."]


def test_the_shares_others_had_are_told_apart_as_the_answer_does() -> None:
    """Measure said 46 % on average and History 49 % of the same check; later the answer 28 % and History 8 %."""
    for report in (samples.slowed(0.53, 0.4), samples.slowed(0.2, 0.9)):
        assert report.benchmark is not None
        model = MeasureModel()
        model.show(report.benchmark)
        told, of_job = EN.percent(report.benchmark.load_ratio), EN.percent(summarise(report).taken_ratio)
        assert told != of_job
        of_list = disturbed_sentence(Entry(id=1, summary=summarise(report)), EN)
        assert of_list == (
            f"⚠ Disturbed: other programs used {of_job} of the processor while your job was tested, and {told} on "
            "average over the whole check."
        )
        assert f"used {told} of the processor on average" in model.disturbance((), EN)
    even = msgspec.structs.replace(summarise(samples.slowed(0.5, 0.0)), load_ratio=0.5)
    assert disturbed_sentence(Entry(id=1, summary=even), EN).endswith(
        "50% of the processor on average during the check."
    )


def test_a_check_says_why_tests_are_missing() -> None:
    """Only "9 of 14 tests" stood, without a word of why."""
    report = sample_report()
    assert report.benchmark is not None
    [failure, *_] = report.benchmark.failures
    late = msgspec.structs.replace(failure, reason="no_time")
    for reasons, said in (((late, late), "14 of 16 tests, no time for more"), ((late, failure), "14 of 16 tests")):
        benchmark = msgspec.structs.replace(report.benchmark, failures=reasons)
        one = summarise(msgspec.structs.replace(report, benchmark=benchmark))
        assert measured_text(one, EN) == said
        [_time, (tests, _origin)] = entry_figures(Entry(id=1, summary=one), EN)
        assert tests.endswith(f"14 of 16 (no time was left for {one.untimed})")


def test_a_summary_knows_how_disturbed_its_time_was() -> None:
    """Of a time of the processor the share while that was measured, of any other that of the whole check."""
    report = sample_report()
    assert report.benchmark is not None
    load = (Condition(kind="other_load", value=0.4, unit="ratio", when="during"),)
    loaded = tuple(msgspec.structs.replace(one, conditions=load) for one in report.benchmark.measurements)
    benchmark = msgspec.structs.replace(report.benchmark, measurements=loaded)
    assert summarise(msgspec.structs.replace(report, benchmark=benchmark)).taken_ratio == pytest.approx(0.4)
    assert summarise(msgspec.structs.replace(report, benchmark=None)).taken_ratio == 0.0
    found = summarise(report)
    assert found.low_s is not None
    assert found.high_s is not None
    assert found.run_s is not None
    assert found.low_s <= found.run_s <= found.high_s


def test_the_last_answer_says_the_verdict(summary: Summary) -> None:
    """A tier and a time were no answer to whether the computer is enough; one kept before that was known stays so."""
    enough = msgspec.structs.replace(summary, is_enough=True, run_s=1320.0)
    for one, said, listed in (
        (enough, "Classify my photos: your computer is enough, 22 minutes a run", "Enough · 22 minutes"),
        (
            msgspec.structs.replace(enough, is_enough=False, chosen=""),
            "Classify my photos: This computer · 22 minutes",
            "This computer · 22 minutes",
        ),
    ):
        assert plain(last_answer(Entry(id=1, summary=one), EN)[1]) == said
        assert plain(answer_text(one, EN)) == listed
    job = msgspec.structs.replace(sample_report().workload, samples=20_000)
    line = last_answer(Entry(id=1, summary=enough), EN, job)[1]
    assert plain(line) == "Classify my photos · 20,000 photos: your computer is enough, 22 minutes a run"


def test_who_can_wait_has_enough_in_the_list_as_in_the_answer() -> None:
    """Beside "Enough · 35 minutes" stood "This computer · EPYC · 35 minutes", which the answer calls enough too."""
    report = samples.enough()
    either = msgspec.structs.replace(report.advice, either=("this_computer", "cloud"))
    late = Reason(code="after_deadline", values={"default_deadline_s": 604_800.0})
    asked = Reason(code="after_deadline", values={"deadline_s": 3600.0})
    for advice, begin in (
        (report.advice, "Enough · "),
        (either, "Enough if you can wait · "),
        (msgspec.structs.replace(either, reasons=(late,)), "Enough if you can wait · "),
        (msgspec.structs.replace(either, reasons=(asked,)), "This computer · "),
    ):
        told = msgspec.structs.replace(report, advice=advice)
        one = summarise(told)
        assert answer_text(one, EN).startswith(begin), answer_text(one, EN)
        if begin != "This computer · ":
            assert verdict_sentence(told, EN).startswith("This laptop is enough")


def test_the_list_calls_photos_what_the_question_does() -> None:
    """The job had 20,000 photos on every page, and 20,000 examples here."""
    row = history_row(Entry(id=1, summary=summarise(sample_report())), EN)
    assert row[3].endswith(" photos"), row[3]
    assert row[3].endswith(samples_phrase(sample_report().workload, EN))


def test_the_doubt_of_an_answer_is_in_the_list_too() -> None:
    """The list said "Enough" of what was "probably enough" on the page, beside other programs."""
    one = summarise(samples.slowed(0.9, 0.9))
    assert answer_text(one, EN).startswith("⚠ Disturbed · Probably enough · ")
    assert answer_text(one, language("es")).startswith("⚠ Con interferencias · Probablemente basta · ")
    assert "your computer is probably enough, " in last_answer(Entry(id=1, summary=one), EN)[1]
    assert answer_text(msgspec.structs.replace(one, is_enough=False), EN).startswith("⚠ Disturbed · Not known yet · ")
    assert answer_text(summarise(samples.slowed(0.2, 0.2)), EN).startswith("⚠ Disturbed · Enough · ")


def test_who_must_wait_is_not_told_that_the_computer_is_enough() -> None:
    """The same tier is the answer where nothing is in time."""
    report = sample_report()
    late = Reason(code="after_deadline")
    advice = msgspec.structs.replace(report.advice, reasons=(*report.advice.reasons, late))
    reports = (report, msgspec.structs.replace(report, advice=advice))
    assert [summarise(one).is_enough for one in reports] == [True, False]


@pytest.mark.parametrize(
    ("precision", "said"),
    [("fp32", "Classify my photos"), ("amp", "Classify my photos · mixed precision"), ("", "Classify my photos")],
)
def test_a_format_that_is_not_the_jobs_own_is_told(precision: Precision, said: str) -> None:
    """22 minutes and 3 hours stood beside the same job, which had been asked in two formats."""
    summary = Summary(
        created_at="", cpu="", job="article_cnn", workload="CNN", tier="this_computer", precision=precision
    )
    assert job_text(summary, EN) == said
