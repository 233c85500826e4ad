"""A network that was not measured is the sum of its operations, as small problems of their classes took here."""

from typing import Any

import msgspec
import pytest

from advisor.predict import predict
from advisor.predict.measured.measured_classes import summed_up
from advisor.records.job.prediction import WorkClasses
from tests.unit.predict.examples import IMAGES, PROCESSOR, workload
from tests.unit.predict.measured.work_classes import calibration

TRAINED = workload(input_kind="memory", batch_size=8, precision="fp32")


def test_the_sum_is_the_prediction_on_the_same_device() -> None:
    """It is scaled from the measurement and says so, with an interval as wide as that of networks held out."""
    found = predict(IMAGES, TRAINED, PROCESSOR, calibration=calibration())
    expected = summed_up(calibration().classes, TRAINED, IMAGES, 8)

    assert expected is not None
    assert found.time_per_step_s == pytest.approx(expected.step_s)
    assert (found.basis, found.basis_detail) == ("scaled", ("work_classes/fp32/cpu",))
    assert found.interval.low < found.time_per_step_s < found.interval.high
    assert predict(IMAGES, TRAINED, PROCESSOR).basis == "modelled"


@pytest.mark.parametrize(
    "changes",
    [{"precision": "bf16"}, {"channels_last": True}, {"compiled": True}, {"method": "lora"}],
    ids=lambda changes: next(iter(changes)),
)
def test_what_was_not_measured_is_not_summed_up(changes: dict[str, Any]) -> None:
    """Another format or layout, a compiled program and adapters run other kernels."""
    assert summed_up(calibration().classes, msgspec.structs.replace(TRAINED, **changes), IMAGES, 8) is None


def test_a_class_without_measurement_leaves_the_model() -> None:
    """Where time was too short for the convolutions, a network with some is not summed up from the others."""
    [known] = calibration().classes
    others = {name: curve for name, curve in known.curves.items() if not name.startswith("conv")}

    assert summed_up([msgspec.structs.replace(known, curves=others)], TRAINED, IMAGES, 8) is None


def test_mixed_precision_takes_the_short_format() -> None:
    """Its products are those of bf16, and weights are converted besides."""
    [known] = calibration().classes
    short = msgspec.structs.replace(
        known, precision="bf16", curves={n: tuple((x, 2 * y) for x, y in c) for n, c in known.curves.items()}
    )
    mixed = msgspec.structs.replace(TRAINED, precision="amp")

    plain, slow = (summed_up(classes, job, IMAGES, 8) for classes, job in (([known], TRAINED), ([known, short], mixed)))
    assert plain is not None
    assert slow is not None
    assert slow.step_s > 2 * plain.step_s


def test_a_faster_computer_is_predicted_faster() -> None:
    """In proportion: nothing but what was measured is in the sum."""
    [known] = calibration().classes
    faster = WorkClasses(
        precision="fp32", curves={n: tuple((x, y / 3) for x, y in c) for n, c in known.curves.items()}, case="x"
    )
    one, other = (summed_up([classes], TRAINED, IMAGES, 8) for classes in (known, faster))

    assert one is not None
    assert other is not None
    assert one.step_s / other.step_s == pytest.approx(3)
