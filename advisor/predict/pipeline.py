"""How many images per second a processor can decode, resize and augment for the devices."""

from collections.abc import Sequence

from advisor.predict.coefficients import input_coefficients
from advisor.predict.own_data import MeasuredLoading, own_data_rate
from advisor.records.base import Interval
from advisor.records.job.prediction import InputRate
from advisor.records.job.workload import Workload
from advisor.records.results.measurement import Measurement

_MOST_LOADERS = 16
"""Processes that a suite prepares images with, at most."""


def input_rate(
    workload: Workload,
    cores: float,
    *,
    devices: int = 1,
    images_per_s: float | None = None,
    own: MeasuredLoading | None = None,
    is_here: bool = True,
) -> InputRate | None:
    """Return what the processor delivers; None where nothing has to be decoded.

    Where the user did not say how images are loaded, the rate is that of all hardware threads, and the interval
    reaches down to what frameworks do unless told otherwise: one loading process for each device, which PyTorch even
    runs between two steps. The interval also covers pictures of a megapixel (slower) and small ones (faster).

    Args:
        workload: Says how its images are loaded, if anybody knows.
        cores: Hardware threads there are.
        devices: Devices that are fed, each by a program of its own.
        images_per_s: What one thread was measured to deliver of such images; None: as published.
        own: What was measured of the user's own files; None: nothing.
        is_here: Whether the processor is the one that was measured.
    """
    if own is not None and workload.input_kind in ("jpeg", "files"):
        return own_data_rate(workload, own, cores, devices=devices, is_here=is_here)
    if workload.input_kind != "jpeg":
        return None
    constants = input_coefficients()
    usual = constants.augmented_images_per_s if workload.augmentation else constants.plain_images_per_s
    each = usual if images_per_s is None else images_per_s
    threads = max(cores, 1.0)
    asked = threads if workload.loaders is None else float(max(workload.loaders, 1) * devices)
    workers = min(asked, threads)
    fewest = min(float(devices), threads) if workload.loaders is None else workers
    return InputRate(
        samples_per_s=each * workers,
        interval=Interval(low=each * fewest / constants.slower, high=each * workers * constants.faster),
        workers=workers,
        waits="perhaps" if workload.loaders is None else "yes" if workload.loaders == 0 else "no",
        basis="modelled" if images_per_s is None else "measured",
    )


def measured_images_per_s(measurements: Sequence[Measurement], workload: Workload, cores: float) -> float | None:
    """Return what one hardware thread prepares a second while all of them do; None where that was not measured here.

    Of the measured sizes of images the one nearest to the workload's counts. More threads than a suite loads with are
    taken to deliver no more than those did.
    """
    loaded = [one for one in measurements if one.case.program == "input" and (one.items_per_s or 0.0) > 0]
    most = max((_workers(one) for one in loaded), default=0)
    alike = [
        one
        for one in loaded
        if (one.case.options.get("augmented") is True) == workload.augmentation and _workers(one) == most
    ]
    nearest = min(alike, key=lambda one: abs(one.case.size - (workload.image_size or 0)), default=None)
    if nearest is None or nearest.items_per_s is None or most < min(int(cores), _MOST_LOADERS):
        return None
    return nearest.items_per_s / max(cores, 1.0)


def _workers(one: Measurement) -> int:
    count = one.case.options.get("workers")
    return count if isinstance(count, int) else 0
