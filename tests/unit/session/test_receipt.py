"""What came of an answer: from the user's word, from measuring again, and how answers held together."""

import msgspec
import pytest

from advisor.errors import InputError
from advisor.records.base import Interval
from advisor.records.results.history_entry import Entry
from advisor.records.results.receipt import Receipt
from advisor.records.results.report import Report
from advisor.report.content.options.best import best_options
from advisor.session import receipt as receipts
from advisor.session.receipt import again, find_option, measured_again, told, track_record
from tests.gui.samples import sample_report, with_job_measured

REPORT = sample_report()
CHOSEN = find_option(REPORT, "here")


def made(ratio: float, how: str = "told", option: str = "here/cuda:0") -> Receipt:
    """Return a receipt of an answer of 100 s, 80 to 120, that took so many times as long."""
    return Receipt(
        checked_at="2026-11-20T08:00:00+00:00",
        option=option,
        title="RTX 2060",
        how=how,  # type: ignore[arg-type]
        said_s=100.0,
        interval=Interval(low=80.0, high=120.0, coverage_ratio=0.8),
        true_s=100.0 * ratio,
    )


def rerun(factor: float, **changes: object) -> Report:
    """Return a later check of the same job, whose time here is another."""
    report = with_job_measured(REPORT)
    options = tuple(
        msgspec.structs.replace(one, run_s=one.run_s * factor) if one.run_s is not None else one
        for one in report.advice.options
    )
    advice = msgspec.structs.replace(report.advice, options=options)
    return msgspec.structs.replace(report, advice=advice, **changes)


def test_what_was_told_stands_beside_what_was_said() -> None:
    """The receipt has the answer's time and interval, and the ratio of the two."""
    assert CHOSEN.run_s is not None
    found = told(CHOSEN, CHOSEN.run_s * 1.5)

    assert (found.said_s, found.interval, found.how) == (CHOSEN.run_s, CHOSEN.interval, "told")
    assert found.ratio == pytest.approx(1.5)
    assert not found.holds


@pytest.mark.parametrize("true_s", [0.0, -3.0, float("inf"), float("nan")])
def test_no_time_at_all_is_refused(true_s: float) -> None:
    """Nothing takes none, or for ever."""
    with pytest.raises(InputError):
        told(CHOSEN, true_s)


@pytest.mark.parametrize(("ratio", "holds"), [(0.8, True), (1.2, True), (0.79, False), (1.21, False)])
def test_an_answer_holds_up_to_the_ends_of_its_interval(ratio: float, holds: bool) -> None:
    """What was said is the interval, not its middle."""
    assert made(ratio).holds is holds


def test_an_option_is_found_by_a_part_of_its_name() -> None:
    """``here`` is this computer; a name is a part of another option's; anything else is refused."""
    assert find_option(REPORT, "aquí").tier == "this_computer"
    other = next(one for one in REPORT.advice.options if one.tier != "this_computer" and one.run_s is not None)
    assert find_option(REPORT, other.title.upper()).title == other.title
    with pytest.raises(InputError, match="no time"):
        find_option(REPORT, "a steam engine")


def test_the_recommended_option_is_offered_first() -> None:
    """Then this computer and the best of the other answers, each with a time."""
    offered = best_options(REPORT)

    assert offered[0].id == REPORT.advice.chosen
    assert any(one.tier == "this_computer" for one in offered)
    assert all(one.run_s is not None for one in offered)
    assert len({one.id for one in offered}) == len(offered)


def test_a_later_check_says_what_came_of_the_answer() -> None:
    """The same computer, the same job: its new time is the true one, by a step and not by a run."""
    found = measured_again(REPORT, rerun(1.1))

    assert found.how == "measured"
    assert found.ratio == pytest.approx(1.1)


def test_another_computer_says_nothing() -> None:
    """A processor that is another one makes it another computer."""
    cpu = msgspec.structs.replace(REPORT.machine.host.cpu, name="Another one")
    machine = msgspec.structs.replace(REPORT.machine, host=msgspec.structs.replace(REPORT.machine.host, cpu=cpu))

    with pytest.raises(InputError, match="not the computer"):
        measured_again(REPORT, rerun(1.0, machine=machine))


def test_a_job_that_was_not_measured_says_nothing() -> None:
    """A prediction is no proof of another prediction."""
    with pytest.raises(InputError, match="could not be measured"):
        measured_again(REPORT, REPORT)


def test_a_busy_computer_does_not_judge_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """What other programs took would be held against it."""
    monkeypatch.setattr(receipts, "_taken_ratio", lambda *_arguments: 0.3)
    with pytest.raises(InputError, match="Other programs"):
        measured_again(REPORT, rerun(1.1))


def test_what_cannot_be_asked_again_is_said() -> None:
    """A described computer is not there, and a file of the user's is not kept."""
    assert again(REPORT).workload == REPORT.workload
    with pytest.raises(InputError, match="described"):
        again(msgspec.structs.replace(REPORT, is_simulated=True))
    own = msgspec.structs.replace(REPORT.workload, network="model.py:build")
    with pytest.raises(InputError, match="Python file"):
        again(msgspec.structs.replace(REPORT, workload=own))


def test_the_record_counts_hits() -> None:
    """Seven of nine held, and the median of how far off they were is that of all of them."""
    off = (0.0, 0.02, -0.04, 0.05, 0.08, -0.1, 0.15, 0.5, -0.6)
    entries = [Entry(id=place, receipts=(made(1 + one),)) for place, one in enumerate(off)]
    found = track_record([*entries, Entry(id=99), Entry(id=100, origin="imported", receipts=(made(5.0),))])

    assert found is not None
    assert (found.count, found.held, found.told) == (9, 7, 9)
    assert found.median_off == pytest.approx(0.08)


def test_a_whole_run_counts_before_a_step() -> None:
    """Of one option, what was told takes the place of what was measured, whichever came last."""
    found = track_record([Entry(id=1, receipts=(made(2.0), made(1.0, "measured")))])

    assert found is not None
    assert (found.count, found.held, found.told) == (1, 0, 1)


def test_no_record_without_a_true_time() -> None:
    """Nobody looked, so nothing is claimed."""
    assert track_record([Entry(id=1)]) is None
