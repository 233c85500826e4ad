"""What was measured of the job itself is its prediction on this computer, and a hint for relatives of its device."""

from typing import Any

import msgspec
import pytest

from advisor.predict import calibrate, predict
from advisor.predict.timing.step_time import plain_step_s
from advisor.records.job.asked_job import JOB_PROGRAM, step_settings
from advisor.records.job.prediction import Prediction
from advisor.records.job.workload import Workload
from advisor.records.results.measured.job_terms import job_terms
from advisor.records.results.measured.measurement import Case, Condition, Measurement, Series
from tests.unit.predict.examples import CARD, IMAGES, workload

JOB = workload(input_kind="memory", batch_size=32)
STEP_S = 0.5


def measured(**details: float) -> Measurement:
    """Return the measured step of the job: half the batch took 0.3 s, all of it 0.5 s."""
    return Measurement(
        case=Case(
            id="job",
            program=JOB_PROGRAM,
            device="cuda:0",
            network=IMAGES.name,
            precision=JOB.precision,
            batch_size=32,
            options=step_settings(JOB, IMAGES),
        ),
        samples_s=(STEP_S,),
        median_s=STEP_S,
        iqr_s=0.0,
        peak_memory_bytes=3_000_000_000,
        details=details,
        series=(Series(x="batch_size", y="step_s", points=((16.0, 0.3), (32.0, STEP_S))),),
    )


def foretold(one: Measurement | None = None, device: Any = CARD, **changes: Any) -> Prediction:
    """Return the prediction of the job, changed, that the measurement corrects."""
    known = None if one is None else calibrate([one], CARD, {}, IMAGES)
    job: Workload = msgspec.structs.replace(JOB, **changes)
    return predict(IMAGES, job, device, calibration=known)


def test_the_measured_step_is_the_prediction() -> None:
    """Its time, its peak of memory, and a narrow interval; samples, epochs and loaders leave it as it is."""
    for changes in ({}, {"samples": 5, "epochs": 3.0}):
        found = foretold(measured(), **changes)
        assert found.time_per_step_s == pytest.approx(STEP_S, rel=0.05)
        assert (found.basis, found.basis_detail, found.confidence) == ("measured", ("job",), "good")
        assert found.memory_bytes == 3_000_000_000
        assert found.interval.high / found.interval.low < 1.35


@pytest.mark.parametrize(
    ("changed", "reaches"), [({}, True), ({"earlier_other_torch": 1.0}, False), ({"earlier_taken_ratio": 0.5}, False)]
)
def test_the_interval_reaches_to_an_undisturbed_earlier_check(changed: dict[str, float], reaches: bool) -> None:
    """What that measured, half as much again, is as true; disturbed, or of another torch, it says nothing."""
    found = foretold(measured(earlier_s=1.5 * STEP_S, **changed))
    assert found.time_per_step_s == pytest.approx(STEP_S, rel=0.05)
    assert (found.interval.high >= 1.5 * STEP_S) is reaches


def test_two_checks_that_contradict_each_other_are_less_sure_than_one() -> None:
    """A second, slower check was "fair" where the first was "rough": its range ended where the first had its guess."""
    alone, beside = foretold(measured()), foretold(measured(earlier_s=STEP_S / 1.24))
    assert beside.interval.low < STEP_S / 1.24 * 0.98
    assert beside.interval.high / beside.interval.low > alone.interval.high / alone.interval.low


@pytest.mark.parametrize(("device", "is_wider"), [("cpu", True), ("cuda:0", False)])
def test_a_processor_that_kept_no_pace_makes_its_step_less_sure(device: str, is_wider: bool) -> None:
    """A first check said 40 to 70 minutes, the second 35: its history knew that the pace varied."""
    one = measured(pace_deviation_ratio=0.18)
    terms = job_terms(msgspec.structs.replace(one, case=msgspec.structs.replace(one.case, device=device)))
    assert terms.get("pace", 0.0) == (0.18 if is_wider else 0.0)
    assert ("repeat" in terms) is not is_wider


def test_the_pace_of_the_check_whose_time_is_told_counts() -> None:
    """22 minutes (14 to 35) became 22 minutes (20 to 50) by measuring again beside a busy program."""
    load = Condition(kind="other_load", value=0.5, unit="ratio", when="during")
    slowed = measured(earlier_s=STEP_S / 2.2, earlier_pace_ratio=0.34, pace_deviation_ratio=0.9)
    slowed = msgspec.structs.replace(
        slowed, case=msgspec.structs.replace(slowed.case, device="cpu"), conditions=(load,)
    )
    assert job_terms(slowed)["pace"] == 0.34
    slower = msgspec.structs.replace(slowed, details={**slowed.details, "earlier_s": 2 * STEP_S})
    assert "pace" not in job_terms(slower), "its own time is told, and what others took is in its range"


@pytest.mark.parametrize(("earlier_s", "is_doubted"), [(STEP_S / 1.24, False), (STEP_S * 1.24, True)])
def test_what_others_slowed_now_does_not_contradict_a_shorter_time_before(earlier_s: float, is_doubted: bool) -> None:
    """It was told that "nothing tells which is right" beside a note that other programs slowed the check.

    A quiet check of 0.9 s before one of 3.3 s beside others gave a range of 5 minutes to 10 hours.
    """
    one = measured(earlier_s=earlier_s)
    load = Condition(kind="other_load", value=0.6, unit="ratio", when="during")
    slowed = msgspec.structs.replace(one, case=msgspec.structs.replace(one.case, device="cpu"), conditions=(load,))
    assert (job_terms(slowed)["earlier"] > 0) is is_doubted
    assert job_terms(one)["earlier"] > 0


@pytest.mark.parametrize(("batch", "step_s"), [(16, 0.3), (24, 0.4), (64, 0.9)])
def test_another_batch_lies_on_the_line_through_the_measured_ones(batch: int, step_s: float) -> None:
    """Still measured; less sure the further away."""
    found = foretold(measured(), batch_size=batch)

    assert found.time_per_step_s == pytest.approx(step_s, rel=0.05)
    assert found.basis == "measured"
    widths = [foretold(measured(), batch_size=size) for size in (32, 64, 256)]
    ratios = [one.interval.high / one.interval.low for one in widths]
    assert ratios == sorted(ratios)
    assert ratios[0] < ratios[-1]


@pytest.mark.parametrize("changes", [{"optimizer": "sgd"}, {"channels_last": True}, {"precision": "fp64"}])
def test_another_step_is_not_the_measured_one(changes: dict[str, Any]) -> None:
    """Another optimizer, layout or precision was not measured."""
    assert foretold(measured(), **changes).basis_detail != ("job",)


def test_a_relative_takes_over_half_of_it() -> None:
    """A device of the same architecture is corrected by the square root of what this one showed."""
    relative = msgspec.structs.replace(CARD, name="Relative")
    ratio = STEP_S / plain_step_s(IMAGES, JOB, CARD)
    plain, corrected = foretold(None, relative), foretold(measured(), relative)

    assert corrected.basis == "scaled"
    expected = plain_step_s(IMAGES, JOB, relative) * ratio**0.5
    copied = plain.time_per_step_s - plain_step_s(IMAGES, JOB, relative)
    assert corrected.time_per_step_s == pytest.approx(expected + copied, rel=0.02)


def test_what_was_worked_out_widens_the_interval() -> None:
    """A step of which a half was measured is less sure than one that was measured wholly."""
    whole, half = foretold(measured()), foretold(measured(measured_ratio=0.5))

    assert half.interval.high / half.interval.low > 1.25 * whole.interval.high / whole.interval.low
