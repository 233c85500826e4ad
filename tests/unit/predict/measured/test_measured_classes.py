"""A network that was not measured is the sum of its operations, as small problems of their classes took here."""

from typing import Any

import msgspec
import pytest

from advisor.predict import calibrate, predict
from advisor.predict.measured.measured_classes import measured_classes, summed_up
from advisor.records.base import Precision
from advisor.records.job.prediction import WorkClasses
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import Case, Measurement
from tests.unit.predict.examples import IMAGES, PROCESSOR, workload
from tests.unit.predict.measured.work_classes import calibration, without_instructions

TRAINED = workload(input_kind="memory", batch_size=8, precision="fp32")
TRAINED_HERE = Measurement(
    case=Case(
        id="train/images/fp32/8/cpu", program="train", network=IMAGES.name, precision="fp32", batch_size=8, device="cpu"
    ),
    samples_s=(0.2,),
    median_s=0.2,
    iqr_s=0.0,
)


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


def test_a_format_computed_in_software_is_many_times_slower_also_where_its_time_ran_out() -> None:
    """A network in bf16 took 54 times as long as in fp32 on such a processor, and was told 1.5 times."""
    classes = tuple(measured_classes(without_instructions()))
    full, short = (summed_up(classes, job, IMAGES, 8) for job in (TRAINED, _in(TRAINED, "bf16")))
    mixed = summed_up(classes, _in(TRAINED, "amp", is_default=False), IMAGES, 8)
    missing = set(classes[0].curves) - set(classes[1].curves)

    assert full is not None
    assert short is not None
    assert mixed is not None
    assert missing, "its time ended before all classes were measured"
    assert min(short.step_s, mixed.step_s) > 4 * full.step_s
    assert short.sigma > 1.5 * full.sigma, "what was not measured is a guess"


def test_where_too_few_classes_had_time_a_short_format_is_told_by_32_bit() -> None:
    """Beside a busy program half of the classes had no time: 35 minutes in mixed precision were told of three hours."""
    full, short = measured_classes(without_instructions())
    few = [
        msgspec.structs.replace(one, curves={n: c for n, c in one.curves.items() if n.startswith("gemm")})
        for one in (full, short)
    ]
    [network] = calibrate([TRAINED_HERE], PROCESSOR, {IMAGES.name: IMAGES}).factors
    known = msgspec.structs.replace(calibration(), factors=(network,), classes=tuple(few))
    asked = _in(TRAINED, "bf16")
    found, plain = (predict(IMAGES, job, PROCESSOR, calibration=known) for job in (asked, TRAINED))

    assert summed_up(few, asked, IMAGES, 8) is None
    assert found.time_per_step_s > 3 * plain.time_per_step_s
    assert found.basis_detail == (TRAINED_HERE.case.id, "work_classes/bf16/cpu")
    assert found.interval.high / found.interval.low > 2 * plain.interval.high / plain.interval.low
    unasked = predict(IMAGES, _in(TRAINED, "amp", is_default=True), PROCESSOR, calibration=known)
    assert unasked.time_per_step_s < 2 * plain.time_per_step_s, "nobody chose it, so it is computed in 32 bit"


def test_mixed_precision_that_nobody_chose_is_left_out_on_such_a_processor() -> None:
    """As the job's own test leaves it out there; where bf16 is the faster one, it is taken."""
    classes = tuple(measured_classes(without_instructions()))
    asked = _in(TRAINED, "amp", is_default=True)
    assert summed_up(classes, asked, IMAGES, 8) == summed_up(classes, TRAINED, IMAGES, 8)
    assert summed_up(classes[:1], asked, IMAGES, 8) == summed_up(classes, TRAINED, IMAGES, 8)
    faster = {name: tuple((x, y / 2) for x, y in curve) for name, curve in classes[0].curves.items()}
    short = msgspec.structs.replace(classes[1], curves=faster)
    found = summed_up((classes[0], short), asked, IMAGES, 8)
    assert found is not None
    assert found.case == short.case


def _in(job: Workload, precision: Precision, *, is_default: bool = False) -> Workload:
    return msgspec.structs.replace(job, precision=precision, precision_is_default=is_default)


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
