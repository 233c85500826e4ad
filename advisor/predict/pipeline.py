"""How many images per second a processor can decode, resize and augment for the devices."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from advisor.predict.coefficients import input_coefficients
from advisor.predict.own_data_loading import MeasuredLoading, own_data_rate
from advisor.records.base import Interval
from advisor.records.job.prediction import InputRate
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import Measurement

_MOST_LOADERS = 16
"""Processes that a suite prepares images with, at most."""
_DISK_FILES_PER_S: Final = (50.0, 65.0, 87.0)
"""Files that a hard disk delivers a second, one here and one there: least, usual, most.

A disk of 7,200 rpm seeks for 8.5 ms and waits half a turn, 4.2 ms: 79 reads a second (Seagate, BarraCuda data sheet,
DS1900). Several loaders let it sort its way, a tenth more; where the file system's entries are no longer in memory, two
files take three reads."""


class SlowDisk(NamedTuple):
    """A hard disk the samples come from.

    Attributes:
        cold_ratio: Share of the samples that it has to deliver; the others are kept in memory.
    """

    cold_ratio: float

    @property
    def samples_per_s(self) -> float:
        """What it usually delivers."""
        return _DISK_FILES_PER_S[1]


def slow_disk(workload: Workload, kind: str | None, size_bytes: float, memory_bytes: float) -> SlowDisk | None:
    """Return the disk where it is one with a moving head, and single files come from it; None where it counts little.

    Args:
        workload: The job.
        kind: Of the disk.
        size_bytes: Of the data.
        memory_bytes: In which the system keeps what was read once.
    """
    if kind != "hdd" or workload.input_kind != "jpeg":
        return None
    return SlowDisk(1.0 if size_bytes > memory_bytes else min(1.0, 1.0 / workload.epochs))


def input_rate(
    workload: Workload,
    cores: float,
    *,
    devices: int = 1,
    images_per_s: float | None = None,
    own: MeasuredLoading | None = None,
    is_here: bool = True,
    disk: SlowDisk | None = None,
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
        disk: What holds the loading back, where nothing was measured of the files themselves.
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
    rate = InputRate(
        samples_per_s=each * workers,
        interval=Interval(low=each * fewest / constants.slower, high=each * workers * constants.faster),
        workers=workers,
        waits="perhaps" if workload.loaders is None else "yes" if workload.loaders == 0 else "no",
        basis="modelled" if images_per_s is None else "measured",
    )
    return rate if disk is None else _behind(disk, rate)


def _behind(disk: SlowDisk, rate: InputRate) -> InputRate:
    """Return what arrives of samples that a disk delivers: the slower of the two, as long as it has to."""
    cold, known = disk.cold_ratio, rate.interval or Interval(low=rate.samples_per_s, high=rate.samples_per_s)
    low, usual, high = (
        1.0 / ((1.0 - cold) / warm + cold / min(warm, files))
        for warm, files in zip((known.low, rate.samples_per_s, known.high), _DISK_FILES_PER_S, strict=True)
    )
    slowed = msgspec.structs.replace(rate, samples_per_s=usual, interval=Interval(low=low, high=high), basis="modelled")
    return msgspec.structs.replace(slowed, is_of_disk=usual < rate.samples_per_s)


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
