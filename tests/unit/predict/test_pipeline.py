"""How fast images arrive: what is known of the user's loader, and what its absence costs."""

import math

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.predict import input_rate, measured_images_per_s, predict, slow_disk
from advisor.predict.coefficients import input_coefficients, time_coefficients
from advisor.predict.money import data_bytes
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import Case, Measurement
from advisor.units import GIB, HOUR_S
from tests.unit.predict.examples import CARD, IMAGES, PROCESSOR, changed, workload

EACH = input_coefficients().plain_images_per_s
PHOTOS = workload(batch_size=32, input_kind="jpeg")


def with_loaders(loaders: int | None) -> Workload:
    """Return the job with so many loading processes."""
    return msgspec.structs.replace(PHOTOS, loaders=loaders)


def test_data_in_memory_needs_no_loader() -> None:
    """Nothing is decoded, so nothing is waited for."""
    assert input_rate(workload(input_kind="memory"), 8) is None


def test_an_unknown_loader_may_be_one_process_or_all_cores() -> None:
    """The best guess is that of all threads; the interval reaches down to one that loads large pictures."""
    found = input_rate(PHOTOS, 8)
    assert found is not None
    assert found.samples_per_s == pytest.approx(8 * EACH)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(EACH / input_coefficients().slower)
    assert found.waits == "perhaps"


@pytest.mark.parametrize(("loaders", "workers", "waits"), [(4, 4, "no"), (0, 1, "yes"), (100, 8, "no")])
def test_a_known_loader_is_no_faster_than_its_processes_and_the_cores(loaders: int, workers: int, waits: str) -> None:
    """Processes beyond the cores bring nothing; without any, the training program itself loads between two steps."""
    found = input_rate(with_loaders(loaders), 8)
    assert found is not None
    assert (found.samples_per_s, found.waits) == (pytest.approx(workers * EACH), waits)


def test_each_device_has_loaders_of_its_own() -> None:
    """Two processes for each of four devices are eight."""
    found = input_rate(with_loaders(2), 32, devices=4)
    assert found is not None
    assert found.workers == 8


def test_a_program_that_loads_between_two_steps_takes_both_times() -> None:
    """Without loading processes the device's time and the loader's add up; with them the shorter one hides."""
    alone, beside = (
        predict(IMAGES, job, CARD, input_rate=input_rate(job, 8)) for job in (with_loaders(0), with_loaders(1))
    )
    device_s = alone.time_per_step_s - 32 / EACH
    assert device_s == pytest.approx(predict(IMAGES, PHOTOS, CARD).time_per_step_s)
    assert beside.time_per_step_s == pytest.approx(max(device_s, 32 / EACH))


@given(st.none() | st.integers(0, 64), st.integers(1, 64), st.integers(1, 8))
def test_the_best_guess_lies_in_the_interval(loaders: int | None, cores: int, devices: int) -> None:
    """Whatever is known of the loader; and knowing less never makes the interval narrower above."""
    job = with_loaders(loaders)
    found = predict(IMAGES, job, CARD, input_rate=input_rate(job, cores, devices=devices))
    assert found.interval.low <= found.time_per_step_s <= found.interval.high
    unknown = predict(IMAGES, PHOTOS, CARD, input_rate=input_rate(PHOTOS, cores))
    if loaders is not None and devices == 1:
        assert found.interval.high <= unknown.interval.high * 1.3


def test_looking_at_data_without_learning_takes_time() -> None:
    """A validated batch is a third of a step on the device, and waits for its images like any other."""
    job = msgspec.structs.replace(with_loaders(1), validation_samples=320, epochs=2.0)
    found = predict(IMAGES, job, CARD, input_rate=input_rate(job, 1))
    assert job.validation_steps == 20
    assert found.validation_step_s == pytest.approx(32 / EACH)
    assert found.validation_interval is not None
    assert found.validation_step_s is not None
    assert found.validation_interval.low <= found.validation_step_s <= found.validation_interval.high
    assert predict(IMAGES, PHOTOS, CARD).validation_step_s is None


def loading(edge: int, workers: int, rate: float, *, augmented: bool = True) -> Measurement:
    """Return a measurement of the loader."""
    case = Case(
        id=f"input/{edge}/{augmented}/{workers}",
        program="input",
        device="cpu",
        size=edge,
        batch_size=32,
        options={"workers": workers, "augmented": augmented},
    )
    return Measurement(case=case, median_s=32 / rate, iqr_s=0.0, samples_s=(32 / rate,), items_per_s=rate)


def test_what_was_measured_here_counts() -> None:
    """The busy processor's rate a thread, at the nearest size; single processes and other images say nothing of it."""
    job = msgspec.structs.replace(PHOTOS, augmentation=True, image_size=160)
    taken = [
        loading(150, 1, 90.0),
        loading(150, 4, 200.0),
        loading(224, 4, 120.0),
        loading(224, 0, 400.0, augmented=False),
    ]
    assert measured_images_per_s(taken, job, 4) == pytest.approx(50.0)
    assert measured_images_per_s(taken, PHOTOS, 4) is None
    assert measured_images_per_s(taken, job, 16) is None
    assert measured_images_per_s([loading(150, 4, -200.0)], job, 4) is None
    found = input_rate(job, 4, images_per_s=50.0)
    assert found is not None
    assert (found.samples_per_s, found.basis) == (pytest.approx(200.0), "measured")


@pytest.mark.parametrize(
    ("cores", "workers", "counts"),
    [(6, 6, True), (6, 4, False), (12, 12, True), (20, 16, True), (20, 8, False), (2.5, 2, True), (0.5, 1, True)],
)
def test_a_loader_on_every_core_was_measured(cores: float, workers: int, counts: bool) -> None:
    """Whatever their number, and up to the most that are ever measured; no more is promised than was delivered."""
    job = msgspec.structs.replace(PHOTOS, augmentation=True, image_size=150)
    each = measured_images_per_s([loading(150, workers, 600.0)], job, cores)
    assert (each is not None) is counts
    if each is not None:
        rate = input_rate(job, cores, images_per_s=each)
        assert rate is not None
        assert rate.samples_per_s == pytest.approx(600.0)


def test_photos_are_copied_to_a_card_in_training_only() -> None:
    """4 bytes for each of three colours of each pixel; a processor has them, and inference is timed without."""
    small = msgspec.structs.replace(IMAGES, image_size=None)
    known, job = time_coefficients(), workload(batch_size=8)
    wait_s = 8 * 3 * 4 * 224**2 / known.copy_bytes_per_s
    for card, gain in (
        (changed(CARD, architecture="Turing"), 1.0),
        (changed(CARD, architecture="Ampere"), known.copy_gain),
    ):
        added = predict(IMAGES, job, card).time_per_step_s - predict(small, job, card).time_per_step_s
        assert math.isclose(added, wait_s / gain, rel_tol=1e-6)
    for other, device in ((job, PROCESSOR), (msgspec.structs.replace(job, task="infer"), CARD)):
        assert predict(IMAGES, other, device).time_per_step_s == predict(small, other, device).time_per_step_s


def test_a_hard_disk_delivers_files_one_by_one() -> None:
    """Ten million photos are 1.15 TB, which no main memory keeps: at 65 files a second an epoch takes 43 hours."""
    job = msgspec.structs.replace(PHOTOS, samples=10**7)
    disk = slow_disk(job, "hdd", data_bytes(job), 16 * GIB)
    found = input_rate(job, 16, disk=disk)
    assert found is not None
    assert found.is_of_disk
    assert job.samples / found.samples_per_s == pytest.approx(43 * HOUR_S, rel=0.01)
    assert found.interval is not None
    assert found.interval.high == 87.0


def test_what_fits_main_memory_is_read_from_the_disk_once() -> None:
    """Of five epochs one waits for the disk; a drive without a moving head counts for nothing."""
    job = msgspec.structs.replace(PHOTOS, samples=10_000, epochs=5.0)
    disk = slow_disk(job, "hdd", data_bytes(job), 16 * GIB)
    found = input_rate(job, 8, disk=disk)
    assert found is not None
    assert 1 / found.samples_per_s == pytest.approx(0.8 / (8 * EACH) + 0.2 / 65)
    assert slow_disk(job, "ssd", data_bytes(job), 0) is None
