"""Parts of the computer, judged by the answer."""

import msgspec
import pytest

from advisor.gui.models.computer_judgement import Judgement, judgements
from advisor.locale import language
from advisor.records.job.advice import Reason
from advisor.records.job.prediction import MemoryEstimate, Prediction
from advisor.records.job.workload import Circumstances
from advisor.records.results.report import Report
from advisor.units import GIB
from tests.unit.gui.plain import plain
from tests.unit.report import samples

EN, ES = language("en"), language("es")


def _said(report: Report, **prediction: object) -> dict[str, Judgement]:
    """Return the judgements where this computer's fastest way is predicted so, by part."""
    advice = report.advice
    here = min(
        (one for one in advice.options if one.tier == "this_computer"), key=lambda one: one.run_s or float("inf")
    )
    assert isinstance(here.prediction, Prediction)
    changed = msgspec.structs.replace(here, prediction=msgspec.structs.replace(here.prediction, **prediction))
    options = tuple(changed if one.id == here.id else one for one in advice.options)
    answer = msgspec.structs.replace(report, advice=msgspec.structs.replace(advice, options=options))
    return {one.part: one for one in judgements(answer, EN)}


def test_what_the_time_goes_to_is_good_where_the_computer_is_enough() -> None:
    """The card that trains is told its limit, and is no reason to buy."""
    said = _said(samples.enough(), limit="compute")
    assert said["card"].is_good
    assert "arithmetic" in said["card"].text


def test_beside_other_programs_it_is_only_probably_good() -> None:
    """A tick and "Good enough; most of its time goes to …" stood beside "probably enough" in the answer."""
    doubted = samples.slowed(0.9, 0.9)
    said = _said(doubted, limit="compute")
    assert said["processor"].text.startswith("Probably good enough for your last question")
    assert said["processor"].is_good is None, "a tick stood beside what nobody knows"
    assert said["card"].is_good is None
    assert said["card"].text == "Your last question probably does not need one."
    late = msgspec.structs.replace(
        doubted, advice=msgspec.structs.replace(doubted.advice, reasons=(Reason(code="after_deadline"),))
    )
    untold = _said(late, limit="compute")
    assert "will be known" in untold["processor"].text
    assert untold["processor"].is_good is None
    assert "card" not in untold
    sure = _said(samples.slowed(0.2, 0.2), limit="compute")
    assert sure["processor"].text.startswith("Good enough")
    assert sure["card"].text == "Your last question does not need one."


def test_what_is_too_slow_at_its_best_is_told_beside_other_programs() -> None:
    """It "could not be told" of nine months where an hour is allowed; and nothing was said of the missing card."""
    said = _said(samples.slowed(0.9, 0.9, Circumstances(deadline_s=120.0)), limit="compute")
    assert said["processor"].text == "Too slow for your last question, however fast it is without other programs."
    assert said["processor"].is_good is False
    assert said["card"].text == "Your last question needs one."
    assert said["card"].is_good is False


@pytest.mark.parametrize(
    ("limit", "part"), [("input", "processor"), ("disk", "memory"), ("compute", "processor"), ("launch", "processor")]
)
def test_the_part_that_takes_the_time_holds_a_slow_computer_back(limit: str, part: str) -> None:
    """Loading points to the processor, reading to the disk, arithmetic to what trains."""
    said = _said(samples.rent(), limit=limit)
    assert not said[part].is_good
    assert said[part].text.startswith("Holds you back")


def test_memory_is_judged_by_what_the_job_takes() -> None:
    """Both numbers are the reason."""
    said = _said(samples.rent(), limit="unknown", memory=_estimate(20 * GIB, 8 * GIB))
    assert list(said) == ["memory"]
    assert not said["memory"].is_good
    assert plain(said["memory"].text).endswith("it takes 20 GB, and there are 8 GB.")
    assert _said(samples.rent(), limit="unknown", memory=_estimate(2 * GIB, 8 * GIB))["memory"].is_good


def test_memory_that_others_hold_is_said_beside_what_the_job_takes() -> None:
    """19 of 24 GB stood as enough, with a tick, beside 17 GB that were free."""
    report = samples.rent()
    held = msgspec.structs.replace(report.machine.host.memory, available_bytes=GIB)
    host = msgspec.structs.replace(report.machine.host, memory=held)
    report = msgspec.structs.replace(report, machine=msgspec.structs.replace(report.machine, host=host))
    said = _said(report, limit="unknown", memory=_estimate(2 * GIB, 8 * GIB))["memory"]
    assert plain(said.text).endswith("once you close other programs: it takes 2 GB of 8 GB, and 1 GB are free now.")


def test_nothing_is_said_of_what_is_not_known() -> None:
    """No limit, no memory: no word; and without this computer among the options none at all."""
    assert _said(samples.rent(), limit="unknown", memory=None) == {}
    bare = samples.rent()
    options = tuple(one for one in bare.advice.options if one.tier != "this_computer")
    assert (
        judgements(msgspec.structs.replace(bare, advice=msgspec.structs.replace(bare.advice, options=options)), ES)
        == ()
    )


def _estimate(total: float, available: float) -> MemoryEstimate:
    return msgspec.structs.replace(MEMORY, total_bytes=total, available_bytes=available)


MEMORY = next(
    one.prediction.memory
    for one in samples.rent().advice.options
    if one.prediction is not None and one.prediction.memory is not None
)


def test_no_card_is_no_fault_where_the_computer_is_enough_without() -> None:
    """That none was found left open whether one is missing."""
    report = samples.enough()
    bare = msgspec.structs.replace(report, machine=msgspec.structs.replace(report.machine, accelerators=()))
    assert _said(bare)["card"] == Judgement(part="card", text="Your last question does not need one.", is_good=True)
    lacking = samples.rent()
    lacking = msgspec.structs.replace(lacking, machine=msgspec.structs.replace(lacking.machine, accelerators=()))
    assert "card" not in _said(lacking, limit="input")
