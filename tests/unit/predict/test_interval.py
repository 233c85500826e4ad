"""What is known of a program: the year of its framework, attention, compiling; and networks that were measured."""

from typing import Any

import msgspec
import pytest

from advisor.catalog import find_device
from advisor.predict import predict
from advisor.predict.coefficients import predicting_with, time_coefficients
from advisor.predict.interval import Knowledge, limits
from advisor.records.base import Z80
from advisor.records.job.prediction import Prediction
from tests.unit.predict.examples import CARD, IMAGES, changed, workload
from tests.unit.predict.programs import job, single_image


def width(found: Prediction) -> float:
    """Return how many times as long as the shortest time of the interval the longest is."""
    return found.interval.high / found.interval.low


def test_a_known_year_narrows_the_interval_and_old_software_is_slower() -> None:
    """Told, the year takes its term out of the interval; the oldest framework is the slowest.

    A batch is large enough not to wait for launches, of which old frameworks have more.
    """
    untold, new, old = (job(framework_year=year, batch_size=256) for year in (None, 2024, 2016))
    assert width(new) < width(untold)
    assert width(old) < width(untold)
    assert old.time_per_step_s > new.time_per_step_s


def test_a_measured_network_has_its_factor_and_a_narrower_interval() -> None:
    """Its time on an accelerator is its kernels' times its factor; without one, the interval is as for any other."""
    known = time_coefficients()
    full, half = known.networks["resnet50"]
    assert full is not None
    assert half is not None
    bare = msgspec.structs.replace(known, networks={}, cells={}, family_cells={})
    for precision, factor in (("fp32", full), ("amp", half)):
        with_factor = job(precision=precision)
        with predicting_with(bare):
            without = job(precision=precision)
        assert width(with_factor) < width(without)
        ratio = _device_s(with_factor) / _device_s(without)
        assert min(1.0, factor) <= ratio <= max(1.0, factor)


def _device_s(found: Prediction) -> float:
    return sum(part.time_s for part in found.parts if part.name in ("compute", "memory_bandwidth", "launch"))


def test_an_unmeasured_family_is_less_sure() -> None:
    """A family that no data set measured gets a wider interval than one that was."""
    known = predict(IMAGES, workload(), CARD)
    strange = predict(IMAGES, workload(), changed(CARD, architecture="unheard of"))
    assert strange.interval.high / strange.time_per_step_s > known.interval.high / known.time_per_step_s


@pytest.mark.parametrize(("method", "least"), [("qlora", 1.4), ("lora", 1.8), ("full", 1.8), ("scratch", 1.0)])
def test_which_program_tunes_a_language_model_is_not_told(method: str, least: float) -> None:
    """It said "13 to 18 hours, in 80% of cases", and half of the published figures lie outside of such a range."""
    plain = workload(method=method)
    writes = msgspec.structs.replace(IMAGES, is_language_model=True)
    known, tuned = predict(IMAGES, plain, CARD), predict(writes, plain, CARD)
    wider = width(tuned) > width(known)
    assert wider == (method != "scratch")
    assert tuned.interval.high / tuned.time_per_step_s > least
    assert tuned.time_per_step_s == known.time_per_step_s


def test_a_chip_beside_the_processor_is_less_sure() -> None:
    """It shares memory and power; whether programs use its units for short formats is known of NVIDIA's alone."""
    card = predict(IMAGES, workload(precision="amp"), CARD)
    nvidia = predict(IMAGES, workload(precision="amp"), changed(CARD, device_class="soc"))
    amd = predict(IMAGES, workload(precision="amp"), changed(CARD, device_class="soc", vendor="amd"))
    assert width(card) < width(nvidia) < width(amd)


def test_devices_together_are_less_sure_than_one() -> None:
    """How well they share a step was not measured."""
    spread = time_coefficients().spread
    for alone, together in zip(*(limits(spread, _known(device_count=count)) for count in (1, 4)), strict=True):
        assert together**2 - alone**2 == pytest.approx((Z80 * spread.scaling) ** 2)
    assert spread.scaling > 0


def _known(**others: Any) -> Knowledge:
    return Knowledge(
        device=CARD,
        workload=workload(),
        convolution_ratio=0.5,
        is_known_device=True,
        is_known_family=True,
        is_known_network=True,
        is_single_operation=False,
        **{"launch_ratio": 0.1, "device_count": 1, **others},
    )


def test_slow_launches_make_a_step_longer_than_quick_ones_make_it_shorter() -> None:
    """An RTX 4060 Ti under WSL 2 takes 2.3 times as long where launches were a quarter of the step (MatrixSP, 2025)."""
    spread = time_coefficients().spread
    for share in (0.1, 0.3, 0.6):
        shorter, longer = limits(spread, _known(launch_ratio=share))
        assert 1.05 * shorter < longer
    quick, slow = limits(spread, _known(launch_ratio=1.0))
    assert quick == pytest.approx(slow, rel=1e-6)
    assert slow == pytest.approx(Z80 * spread.launch, rel=0.05)
    assert limits(spread, _known(launch_ratio=0.0))[0] == limits(spread, _known(launch_ratio=0.0))[1]


def test_a_card_of_intel_is_as_unsure_as_a_radeon() -> None:
    """No job was measured on either; an Arc A380 takes 1.45 times as long as said.

    Source: artyom-beilis/pytorch_dlprim, benchmarks/v0.2.0/summary.md, 2024.
    """
    arc, radeon, plain = (
        width(predict(IMAGES, workload(), changed(find_device("Arc A380"), vendor=vendor)))
        for vendor in ("intel", "amd", "other")
    )
    assert arc >= 0.9 * radeon
    assert arc > plain


@pytest.mark.parametrize(("network", "published_ms"), [("yolo11n", 405.238), ("yolo11s", 1011.60)])
def test_an_arm_processor_that_nobody_measured_may_take_what_somebody_published(
    network: str, published_ms: float
) -> None:
    """PyTorch on a Raspberry Pi 5 (Ultralytics 8.3.39): inside the range there, three times as long as the guess."""
    found = single_image(network, "arm")
    assert found.interval.low <= published_ms / 1000 <= found.interval.high
    assert width(single_image(network, "amd")) < width(found) / 4
