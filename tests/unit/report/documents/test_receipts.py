"""Earlier answers and what came of them, as plain text."""

import msgspec
import pytest

from advisor.locale import language
from advisor.records.results.history_entry import Entry, Summary, summarise
from advisor.records.results.receipt import TrackRecord
from advisor.report.documents.receipts import receipt_text, receipts_text
from advisor.report.provenance.history import entry_figures
from advisor.report.words.labels import basis_phrase
from tests.unit.report import samples
from tests.unit.report.words.advice.test_verdict import with_measured_job
from tests.unit.session.test_receipt import made

EN = language("en")


def entry(number: int, summary: Summary | None) -> Entry:
    """Return an earlier check."""
    return Entry(id=number, label="mine", origin="here", summary=summary, receipts=(made(1.0),))


def test_each_answer_is_a_line_and_the_newest_is_asked_about() -> None:
    """What is damaged has none and is named by its number; an answer without a time says no time."""
    known = Summary(
        created_at="2026-11-02T10:00:00Z", cpu="x", workload="Photos", tier="cloud", chosen="L4", run_s=90.0
    )
    text = receipts_text([entry(7, known), entry(6, None)], None, EN).replace("\N{NO-BREAK SPACE}", " ")
    lines = text.splitlines()

    assert lines[0].startswith("   7  ")
    assert all(part in lines[0] for part in ("mine", "Photos", "L4", "1½ minutes", "yes"))
    unread = "Unreadable, because damaged or written by another version: 6."
    assert lines[1:4] == [unread, "", "No answer was looked at again yet."]
    assert "--was-it-true 7 --took" in lines[4]
    assert receipts_text([entry(6, None)], None, EN) == unread
    assert receipts_text([], None, EN) == "The history is empty."


def test_a_job_with_other_numbers_is_called_as_people_call_its_network() -> None:
    """Such a job has the name of its network for a title in every language: lines said "article_cnn"."""
    name = "article_cnn"
    changed = Summary(
        created_at="2026-11-24T09:09:00Z",
        cpu="x",
        workload=name,
        titles={"en": name},
        tier="this_computer",
        chosen="EPYC",
        run_s=39600.0,
    )
    text = receipts_text([entry(1, changed)], None, EN)
    assert "Plain photo network (CNN)" in text
    assert name not in text
    assert name not in str(entry_figures(entry(1, changed), EN))


@pytest.mark.parametrize(("count", "lines"), [(1, 0), (2, 1)])
def test_one_answer_is_no_record(count: int, lines: int) -> None:
    """How answers held is told from the second one on."""
    record = TrackRecord(count=count, held=1, told=count, median_off=0.2)
    alone, beside = (receipt_text(made(1.0), one, EN).splitlines() for one in (None, record))

    assert len(beside) == len(alone) + lines


def test_a_time_of_the_past_rests_on_what_its_answer_said() -> None:
    """History said of 50 minutes that they were scaled, the answer that they were measured."""
    report = with_measured_job(samples.enough())
    [(_text, origin), *_others] = entry_figures(entry(1, summarise(report)), EN)
    assert origin.basis == basis_phrase("measured", EN)
    before = msgspec.structs.replace(summarise(report), basis=None)
    assert entry_figures(entry(1, before), EN)[0][1].basis == basis_phrase("scaled", EN)
