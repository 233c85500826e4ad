"""Measurements correct predictions of what was measured, and less those of what is only like it."""

from typing import Any

import msgspec
import pytest

from advisor.predict import calibrate, predict
from advisor.predict.timing.step_time import plain_step_s
from advisor.records.base import Interval
from advisor.records.job.prediction import Prediction
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import Case, Measurement
from tests.unit.predict.examples import CARD, IMAGES, workload

NETWORKS = {"images": IMAGES, "images_transfer": IMAGES}
JOB = workload(input_kind="memory")


def taken(program: str, median_s: float, **fields: Any) -> Measurement:
    """Return a measurement of the network."""
    known: dict[str, Any] = {"network": "images", "batch_size": 32} | fields
    label = "/".join(str(value) for value in (program, *known.values()))
    return Measurement(
        case=Case(id=label, program=program, device="cuda:0", **known),
        samples_s=(median_s,),
        median_s=median_s,
        iqr_s=0.0,
    )


def slowed(program: str, ratio: float, job: Workload = JOB, **fields: Any) -> Measurement:
    """Return a measurement that took so many times what is predicted for the job."""
    return taken(program, ratio * plain_step_s(IMAGES, job, CARD), **fields)


def foretold(job: Workload, *measurements: Measurement) -> Prediction:
    """Return the prediction of a job that the measurements correct."""
    return predict(IMAGES, job, CARD, calibration=calibrate(measurements, CARD, NETWORKS))


def width(interval: Interval) -> float:
    """Return how many times the lower end the upper one is."""
    return interval.high / interval.low


INFER = msgspec.structs.replace(JOB, task="infer", optimizer="none")
LAST = msgspec.structs.replace(JOB, channels_last=True)
CHANNELS_LAST = {"options": {"channels_last": True}}
MEASURED = (
    slowed("train", 2.0),
    slowed("train", 5.0, LAST, **CHANNELS_LAST),
    slowed("infer", 3.0, INFER),
)


@pytest.mark.parametrize(("job", "ratio"), [(JOB, 2.0), (LAST, 5.0), (INFER, 3.0)])
def test_each_task_and_layout_is_corrected_by_its_own_measurement(job: Workload, ratio: float) -> None:
    """Training by training, applying by applying, channels stored last by the same, in whatever order they ran."""
    for order in (MEASURED, MEASURED[::-1]):
        found, plain = foretold(job, *order), predict(IMAGES, job, CARD)
        assert found.basis == "measured"
        assert len(found.basis_detail) == 1
        device = {part.name: part.time_s for part in found.parts}
        bare = {part.name: part.time_s for part in plain.parts}
        assert device["compute"] == pytest.approx(ratio * bare["compute"])


def test_applying_a_network_does_not_measure_its_training() -> None:
    """It corrects it, like that of a relative, and leaves it less sure than a training of any other network does."""
    own = foretold(JOB, slowed("train", 2.0))
    other_task = foretold(JOB, slowed("infer", 3.0, INFER))
    assert (own.basis, other_task.basis) == ("measured", "scaled")
    assert width(own.interval) < width(other_task.interval)
    other_network = msgspec.structs.replace(JOB, network="unheard of")
    relative = foretold(other_network, slowed("train", 2.0), slowed("infer", 9.0, INFER))
    assert relative.basis == "scaled"
    assert width(own.interval) < width(relative.interval) < width(other_task.interval)
    assert all(case.startswith("train/") for case in relative.basis_detail)


def test_a_network_measured_under_another_name_counts_as_its_own() -> None:
    """The study's network with its new head does the work of the catalogue's."""
    assert foretold(JOB, slowed("train", 2.0, network="images_transfer")).basis == "measured"


def test_large_batches_count() -> None:
    """Of several batches the three largest do, whatever their order."""
    sizes = {1: 50.0, 32: 2.0, 64: 2.0, 128: 2.0}
    many = [
        slowed("train", ratio, msgspec.structs.replace(JOB, batch_size=batch), batch_size=batch)
        for batch, ratio in sizes.items()
    ]
    [factor] = calibrate(many[::-1], CARD, NETWORKS).factors
    assert factor.ratio == pytest.approx(2.0)
    assert len(factor.cases) == 3


@pytest.mark.parametrize("median_s", [0.0, -1.0])
def test_a_time_that_no_clock_tells_is_left_out(median_s: float) -> None:
    """A damaged file gives no correction instead of an error."""
    found = foretold(JOB, taken("train", median_s), taken("matmul", median_s, network="", size=2048))
    assert (found.basis, found.time_per_step_s) == ("modelled", predict(IMAGES, JOB, CARD).time_per_step_s)
