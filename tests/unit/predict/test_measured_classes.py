"""A network that was not measured is the sum of its operations, as small problems of their classes took here."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.catalog import network, network_names
from advisor.predict import calibrate, predict
from advisor.predict.measured_classes import class_coefficients, summed_up
from advisor.predict.timing.class_times import class_times, curve_of, seconds_of
from advisor.records.channel import CaseResult
from advisor.records.job.prediction import Calibration, WorkClasses
from advisor.records.results.measurement import CLASSES_PROGRAM, Case, Measurement
from tests.unit.predict.examples import IMAGES, PROCESSOR, workload

RECORDED = Path(__file__).parents[2] / "data" / "work_classes" / "processor_fp32.json"
"""What one thread of an AMD EPYC with AVX2 took, 2026-11-22, torch 2.13."""
TRAINED = workload(input_kind="memory", batch_size=8, precision="fp32")


@cache
def recorded() -> Measurement:
    """Return the case as a processor answered it."""
    result = msgspec.json.decode(RECORDED.read_bytes(), type=CaseResult)
    case = Case(id="work_classes/fp32/cpu", program=CLASSES_PROGRAM, device="cpu", precision="fp32")
    [sum_s] = result.samples_s
    return Measurement(case=case, samples_s=(sum_s,), median_s=sum_s, iqr_s=0.0, series=result.series)


@cache
def calibration() -> Calibration:
    """Return what they say of a processor."""
    return calibrate([recorded()], PROCESSOR, {})


def seconds(name: str, batch: int, **changes: Any) -> float:
    """Return the sum for a network of the catalogue."""
    job = msgspec.structs.replace(TRAINED, network=name, batch_size=batch, **changes)
    times = class_times(network(name), job, calibration().classes[0].curves, batch, class_coefficients())
    assert times is not None
    return times.total


@pytest.mark.parametrize("name", [name for name in network_names() if network(name).operations])
def test_every_network_of_the_catalogue_is_summed_up(name: str) -> None:
    """All of its operations have a class; learning takes longer than applying, and two samples longer than one."""
    applied = seconds(name, 1, task="infer", optimizer="none")

    assert 0 < applied < seconds(name, 1) < seconds(name, 64)


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


@given(st.lists(st.tuples(st.floats(1, 1e12), st.floats(1e-9, 10)), min_size=1, max_size=6), st.floats(0, 1e13))
def test_more_work_never_takes_less_time(points: Sequence[tuple[float, float]], amount: float) -> None:
    """Whatever was measured, disturbed points among it."""
    curve = curve_of(points)

    assert 0 < seconds_of(curve, amount) <= seconds_of(curve, amount * 1.5 + 1) * (1 + 1e-9)


@given(
    st.sampled_from(["resnet50", "densenet121", "bert_base", "mobilenet_v2"]).filter(lambda n: n in network_names()),
    st.integers(1, 500),
)
def test_larger_batches_never_take_less_time(name: str, batch: int) -> None:
    """Narrow products become wide ones with the batch, and faster for it, but never fast enough to gain time."""
    assert seconds(name, batch) <= seconds(name, batch + 1) * (1 + 1e-9)


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
