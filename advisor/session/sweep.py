"""A table of jobs on devices: every prediction a row, in one fixed order, of which a shard is every n-th."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from advisor.catalog import devices, network_of
from advisor.catalog.learned import learned_calibrations
from advisor.options.pricing import run_time
from advisor.predict import Target, predict_many
from advisor.records.hardware.device import Device
from advisor.records.job.prediction import Prediction
from advisor.records.job.workload import Workload

DEVICE_COUNTS = (1, 2, 4, 8)
COLUMNS = (
    "job",
    "device",
    "devices",
    "batch_size",
    "precision",
    "step_s",
    "low_s",
    "high_s",
    "run_h",
    "memory_bytes",
    "fits",
    "efficiency",
    "device_usd",
    "basis",
)


class Shard(NamedTuple):
    """The part of a table that this process makes: ``number`` (from 1) of ``of``."""

    number: int = 1
    of: int = 1


WHOLE = Shard()


def sweep(jobs: Sequence[tuple[str, Workload]], shard: Shard = WHOLE) -> Iterator[tuple[str | float | int, ...]]:
    """Yield a row for each job, device of the catalogue and number of devices that can be predicted.

    All shards together are the whole table, each row once.

    Args:
        jobs: What each is called, and the job.
        shard: Which rows: every ``of``-th, from ``number`` on.
    """
    learned = learned_calibrations()
    places = [
        (device, Target(device, count, learned.get(device.name))) for device in devices() for count in DEVICE_COUNTS
    ]
    for place, (title, workload) in enumerate(jobs):
        first = (shard.number - 1 - place * len(places)) % shard.of
        mine = places[first :: shard.of]
        if not mine:
            continue
        found = predict_many(network_of(workload), workload, [target for _, target in mine])
        for (device, _), prediction in zip(mine, found, strict=True):
            if prediction is not None:
                yield _row(title, device, prediction, workload)


def _row(title: str, device: Device, found: Prediction, workload: Workload) -> tuple[str | float | int, ...]:
    run_s, _ = run_time(found, workload)
    fits = None if found.memory is None else found.memory.fits
    return (
        title,
        device.name,
        found.device_count,
        found.batch_size,
        found.precision,
        f"{found.time_per_step_s:.6g}",
        f"{found.interval.low:.6g}",
        f"{found.interval.high:.6g}",
        f"{run_s / 3600:.6g}",
        "" if found.memory_bytes is None else f"{found.memory_bytes:.0f}",
        "" if fits is None else "yes" if fits else "no",
        f"{found.scaling_efficiency_ratio:.4g}",
        "" if device.price_usd is None else f"{device.price_usd * found.device_count:.0f}",
        found.basis,
    )
