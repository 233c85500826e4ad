"""What two earlier checks answered, side by side."""

import msgspec

from advisor.gui.models.compared_answers import answers_sentence, line_with_answer
from advisor.gui.models.history import answer_text
from advisor.locale import language
from advisor.records.results.history_entry import Entry, Summary
from tests.unit.gui.plain import plain

EN = language("en")
SUMMARY = Summary(
    created_at="2026-11-28T10:56:24+00:00",
    cpu="AMD EPYC",
    job="article_cnn",
    workload="A photo classifier",
    samples=20_000,
    tier="this_computer",
    run_s=2295.0,
    low_s=1900.0,
    high_s=4096.0,
    suite="quick",
    measured=14,
    is_enough=True,
)


def entry(**changes: object) -> Entry:
    """Return an earlier check."""
    return Entry(id=1, summary=msgspec.structs.replace(SUMMARY, **changes))


def test_each_check_is_named_with_what_it_answered() -> None:
    """Answers, which is what one wants, were missing; then photos beside texts read as one job, 100 times slower."""
    said = plain(line_with_answer(entry(), EN))
    assert "· AMD EPYC · " in said
    assert said.endswith("20,000 examples · about 40 minutes (30 minutes to 1 hour 10 minutes)")
    rented = entry(tier="cloud", chosen="RTX A4000", run_s=900.0, is_enough=False)
    assert line_with_answer(rented, EN).endswith("· RTX A4000 · 15 minutes")
    assert "damaged" not in line_with_answer(Entry(id=2, label="mine"), EN)


def test_two_answers_to_one_question_are_told_first() -> None:
    """Times of other questions, or on other computers, say nothing of each other."""
    slow = entry(run_s=7896.0, high_s=9006.0)
    assert answers_sentence(entry(), entry(run_s=2484.0), EN) == "Both say about 40 minutes."
    assert answers_sentence(entry(), slow, EN) == "A says about 40 minutes, B about 2 hours."
    disturbed = entry(run_s=2484.0, taken_ratio=0.3)
    assert answers_sentence(entry(), disturbed, EN) == "", "its time is that of the quiet one"
    for other in (entry(samples=10), entry(tier="cloud"), entry(low_s=None), Entry(id=2)):
        assert answers_sentence(entry(), other, EN) == ""


def test_a_time_that_was_not_measured_in_a_check_says_so() -> None:
    """Beside a step of 3.14 s stood the 22 minutes of the quiet check before, as if it had measured them."""
    said = plain(line_with_answer(entry(taken_ratio=0.5, is_earlier=True), EN))
    assert said.endswith("about 40 minutes (30 minutes to 1 hour 10 minutes), by an earlier check")
    listed = plain(answer_text(msgspec.structs.replace(SUMMARY, taken_ratio=0.5, is_earlier=True), EN))
    assert listed.endswith(", by an earlier check")
