"""What would change the answer is checked with the command of the option it leads to."""

import re

import msgspec
import pytest

from advisor.locale import language
from advisor.records.base import Interval
from advisor.records.job.advice import Flip
from advisor.records.results.diagnosis import Finding, Reading
from advisor.records.results.measured.measurement import Condition
from advisor.records.results.own_computer import best_here
from advisor.report.content.job_changes import free_speed, slowed
from advisor.report.provenance.predictions import of_time
from advisor.report.provenance.verdict import of_finding, of_flip
from advisor.report.words import quantities
from tests.unit.report import samples
from tests.unit.report.provenance.answers import JOBS, answer

EN = language("en")


def test_what_would_change_the_answer_is_checked_as_its_option_is() -> None:
    """The command of a flip is that of the option it leads to."""
    report = answer(JOBS["a preset"])
    option = next(
        one for one in report.advice.options if of_time(one, report, EN).check.startswith("advisor --predict")
    )
    flip = Flip(fact="budget_usd", now=1.0, then=2.0, tier=option.tier, option=option.id)

    report = msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, flips=(flip,)))

    assert of_flip(flip, report, EN).check == of_time(option, report, EN).check


def test_a_limit_is_explained_by_the_range_it_is_the_end_of() -> None:
    """The number of "in less than 8 hours: rent" was explained by the minutes that the rented card takes."""
    report = samples.slowed(0.6, 0.6)
    [flip] = [one for one in report.advice.flips if one.fact == "deadline_s"]
    found = of_flip(flip, report, EN)
    (own, own_time), (other, _time) = found.inputs
    assert (found.value, found.low, found.high, found.band) == ("8 hours", None, None, "")
    assert "Core i7-10750H" in own
    assert own_time.startswith("4 hours (35 minutes to 8 hours, in 80% of cases;")
    assert "RTX A4000" in other


def test_a_gain_shows_the_figures_it_comes_from() -> None:
    """The box of "up to 2.3 times as fast" named a matrix product, and no number."""
    seen = (
        Reading(name="other_ratio", value=0.57, unit="ratio", source="conditions"),
        Reading(name="times_seen", value=8.0, source="conditions"),
        Reading(name="cases", value=9.0, source="conditions"),
    )
    gain = Interval(low=1.0, high=2.3, coverage_ratio=0.8)
    found = Finding(kind="other_load", device="cpu", severity="serious", evidence=seen, gain=gain)
    report = msgspec.structs.replace(samples.enough(), findings=(found,))
    told = dict(of_finding(found, report, EN).inputs)
    assert "8 of 9 measurements, on average 57%" in told["What was seen"]
    assert told["At most"].startswith("2.3 = 1 ÷ (1 − 57%)")


def test_a_gain_that_was_predicted_is_not_called_measured() -> None:
    """Of a card that is only imagined it said "measured here", and nothing of where the most comes from."""
    readings = {"loader_samples_per_s": 200.0, "device_samples_per_s": 340.0, "waiting_ratio": 0.93}
    seen = tuple(Reading(name=name, value=value, source="prediction") for name, value in readings.items())
    gain = Interval(low=1.7, high=1 / (1 - 0.93))
    found = Finding(kind="input_bound", form="predicted", device="cuda:0", severity="serious", evidence=seen, gain=gain)
    imagined = msgspec.structs.replace(samples.rent(), advice=samples.cluster().advice, findings=(found,))
    told = of_finding(found, imagined, EN)
    assert (told.basis, told.date) == ("worked out from published specifications", "")
    assert dict(told.inputs)["At most"].startswith("14 = 1 ÷ (1 − 93%)")


def test_what_closing_programs_gains_rests_on_the_job_alone() -> None:
    """Other tests of the check, which others disturbed more, say nothing of it."""
    report = samples.slowed(0.6, 0.9)
    [said] = free_speed(report, EN)
    assert said.origin is not None
    assert "costs nothing. A run here may then take less, though hardly below" in said.text
    assert dict(said.origin.inputs)["At most"].startswith("6.2 = 1 ÷ (1 − 84%)")
    assert not tuple(free_speed(samples.slowed(0.2, 0.9), EN))
    assert (said.origin.value, said.origin.source) == (
        "up to about 6.2 times as fast",
        "conditions of the measurements",
    )


@pytest.mark.parametrize("job_ratio", [0.6, 0.67, 0.7, 0.735])
def test_a_factor_is_what_comes_out_of_the_share_beside_it(job_ratio: float) -> None:
    """It said 7.5 = 1 ÷ (1 − 87%), which is 7.7."""
    [said] = free_speed(samples.slowed(job_ratio, 0.5), EN)
    assert said.origin is not None
    told = re.match(r"([\d.]+) = 1 ÷ \(1 − ([\d.]+)%\)", dict(said.origin.inputs)["At most"])
    assert told is not None
    assert quantities.factor(1 / (1 - float(told[2]) / 100), EN) == told[1]


def test_a_range_that_begins_below_what_the_factor_leaves_says_why() -> None:
    """A range from 30 minutes stood beside 5½ hours that could be up to 7.5 times as fast, which is 44 minutes."""
    report = samples.slowed(0.735, 0.5)
    here = best_here(report)
    assert here is not None
    assert here.interval is not None
    assert here.run_s is not None
    factor = slowed(report)[1]
    assert here.interval.low < here.run_s / factor
    [said] = free_speed(report, EN)
    assert said.origin is not None
    time = dict(said.origin.inputs)["Time"]
    for time_s in (here.run_s / factor, here.interval.low):
        assert quantities.duration(time_s, EN) in time


def test_what_closing_programs_gains_is_not_counted_where_the_time_was_worked_out_without_them() -> None:
    """It would have been promised a second time: what is worked out has nobody else's share in it."""
    report = samples.slowed(0.9, 0.9)
    here = best_here(report)
    assert here is not None
    assert here.prediction is not None
    assert here.prediction.basis == "modelled"
    assert slowed(report)[1] == 1.0
    assert not tuple(free_speed(report, EN))


def test_a_card_that_computes_on_beside_others_gains_little() -> None:
    """Closing programs was to make it 2.5 times as fast, though the processor only starts its work."""
    report = samples.slowed(0.6, 0.6, card=True)
    here = min((one for one in report.advice.options if one.tier == "this_computer"), key=lambda one: one.run_s or 1e9)
    assert here.is_card
    assert 1.0 <= slowed(report)[1] < 2.5


def test_a_time_says_what_was_in_the_way_of_its_measurements() -> None:
    """The dialog promised it for each result; only the box of how sure it is kept that."""
    report = samples.enough()
    assert report.benchmark is not None
    case = report.benchmark.measurements[0].case.id
    seen = (Condition(kind="other_load", value=0.68, unit="ratio"), Condition(kind="on_battery"))
    measured = tuple(msgspec.structs.replace(one, conditions=seen) for one in report.benchmark.measurements)
    benchmark = msgspec.structs.replace(report.benchmark, measurements=measured)
    here = next(one for one in report.advice.options if one.tier == "this_computer" and one.prediction is not None)
    assert here.prediction is not None
    rests = msgspec.structs.replace(here.prediction, basis="measured", basis_detail=(case,))
    here = msgspec.structs.replace(here, prediction=rests)
    told = [text for _name, text in of_time(here, msgspec.structs.replace(report, benchmark=benchmark), EN).inputs]
    assert told[0].startswith("Other programs used 68% of the processor")
    assert told[0].endswith(" The laptop ran on its battery.")
    elsewhere = msgspec.structs.replace(here, tier="cloud")
    assert told[0] not in dict(of_time(elsewhere, report, EN).inputs).values()
