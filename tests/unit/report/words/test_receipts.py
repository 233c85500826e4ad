"""What came of an answer, in words."""

import pytest

from advisor.locale import language
from advisor.records.results.receipt import TrackRecord
from advisor.report.words import quantities
from advisor.report.words.receipts import (
    difference_phrase,
    receipt_mark,
    receipt_sentences,
    receipt_sign,
    record_sentence,
)
from tests.unit.session.test_receipt import made

EN, ES = language("en"), language("es")


@pytest.mark.parametrize(
    ("time_s", "text"),
    [(9600, "2 h 40 min"), (3599.7, "1 h"), (200, "3 min 20 s"), (90_000, "1 d 1 h"), (0.25, "250 ms"), (7200, "2 h")],
)
def test_a_told_time_is_said_as_it_was_told(time_s: float, text: str) -> None:
    """Not rounded as predictions are."""
    assert quantities.clock_time(time_s).replace("\N{NO-BREAK SPACE}", " ") == text


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (1.0, "just as said"),
        (1.08, "8% longer than said"),
        (0.9, "10% shorter than said"),
        (3.0, "3 times as long as said"),
    ],
)
def test_the_difference_is_said_as_people_say_it(ratio: float, text: str) -> None:
    """Percent, and times from twice as long on."""
    assert difference_phrase(made(ratio), EN) == text


def test_the_sentences_say_who_found_out_and_whether_it_held() -> None:
    """A whole run and a step are not confused."""
    whole, step = (" ".join(receipt_sentences(made(1.1, how), EN)) for how in ("told", "measured"))

    assert "you said that one run took" in whole
    assert "The answer held: the true time lies in its range (10% longer than said)." in whole
    assert "a step of the job was measured again" in step
    assert "La respuesta no acertó" in " ".join(receipt_sentences(made(1.5), ES))


def test_the_mark_of_an_answer_is_that_of_its_whole_run() -> None:
    """Where both are known, what was told counts; nothing is said where nobody looked."""
    assert receipt_mark((made(1.5), made(1.0, "measured")), EN) == "no: 50% longer than said"
    assert receipt_mark((), EN) == ""


@pytest.mark.parametrize(("ratio", "text"), [(1.08, "yes, +8%"), (0.5, "no, \N{MINUS SIGN}50%"), (3.1, "no, ×3.1")])
def test_a_narrow_column_has_room_for_it(ratio: float, text: str) -> None:
    """The sign says whether it took longer."""
    assert receipt_sign((made(ratio),), EN) == text
    assert receipt_sign((), EN) == ""


def test_the_record_says_what_was_expected_too() -> None:
    """Hits and misses, the median, and that eight of ten should hold."""
    said = record_sentence(TrackRecord(count=9, held=7, told=6, median_off=0.08), EN)

    assert said.startswith("7 of 9 predictions held; the median was 8% off the best guess. It holds where")
    assert "eight of ten" in said
    assert "3 of them were checked by measuring a step again" in said
