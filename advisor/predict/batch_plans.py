"""How the batch of a step is cut into parts and spread over devices so that it fits, and what each way takes."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from advisor.predict.memory import Footprint, safety_ratio, usable_bytes
from advisor.predict.timing.step_time import DEVICE_PARTS, step_times
from advisor.records.hardware.device import Device
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload


@dataclass(frozen=True)
class BatchPlan:
    """How one target would run the workload: how the batch is cut, and over how many devices the state is spread.

    Where nothing fits, the time is that of the whole batch on each device, and ``least_shards`` with ``micro_batch``
    what takes the least memory.
    """

    device: Device
    count: int
    batch: int
    micro_batch: int
    shards: int
    least_shards: int | None = None
    host_year: int | None = None

    @property
    def parts(self) -> int:
        """Into how many the batch of a device is cut."""
        return math.ceil(self.batch / self.micro_batch) if self.least_shards is None else 1

    def halves(self) -> Iterator[int]:
        """Yield the sizes of parts from the whole batch down to the one that fits."""
        size = self.batch
        while self.least_shards is None and size > self.micro_batch:
            yield size
            size = math.ceil(size / 2)
        yield size


def batch_plans(
    workload: Workload, device: Device, count: int, taken: Footprint, *, cut_batch: bool
) -> Iterator[BatchPlan]:
    """Yield the ways that fit: on each device the whole state or, with several, a share; else what comes nearest to it.

    A batch is cut in halves until a part fits. To apply a network whose layers are spread over devices, each batch
    passes through all of them, one after the other.
    """
    usable = usable_bytes(device)
    available = math.inf if usable is None else usable / safety_ratio()
    spreads = (1, count) if count > 1 else (1,)
    batches = {shards: _batch(workload, count, shards) for shards in spreads}
    fitting = [
        BatchPlan(device, count, batch, micro, shards)
        for shards, batch in batches.items()
        if (micro := _micro_batch(taken, batch, available, shards, cuts=cut_batch)) is not None
    ]
    if len(fitting) == 2 and fitting[0].micro_batch == fitting[1].micro_batch:
        fitting.pop()  # sharding costs more and gains nothing
    if fitting:
        yield from fitting
    elif cut_batch:
        yield BatchPlan(device, count, batches[1], 1, 1, least_shards=count)
    else:
        yield BatchPlan(device, count, batches[1], batches[1], 1)


def _batch(workload: Workload, count: int, shards: int) -> int:
    """Return how many samples of a step pass through each of ``count`` devices."""
    passes_all = shards > 1 and workload.task == "infer"
    return workload.batch_size if passes_all else max(1, math.ceil(workload.batch_size / count))


def _micro_batch(taken: Footprint, batch: int, available: float, shards: int, *, cuts: bool) -> int | None:
    micro = batch
    while taken.total(micro, shards) > available:
        if micro == 1 or not cuts:
            return None
        micro = math.ceil(micro / 2)
    return micro


def plan_times(network: Network, workload: Workload, plans: Sequence[BatchPlan]) -> list[dict[str, float]]:
    """Return the parts of the time of all micro-batches of a step, for each plan.

    Many small parts never take less than fewer large ones: the model lets small tensors profit from caches, which a
    program that could run the larger part would use as well.
    """
    rows: dict[int, list[int]] = defaultdict(list)
    for index, plan in enumerate(plans):
        for micro in plan.halves():
            rows[micro].append(index)
    results: list[dict[str, float]] = [{} for _ in plans]
    longest = [0.0] * len(plans)
    for micro in sorted(rows, reverse=True):
        some = [plans[index] for index in rows[micro]]
        years = [plan.host_year for plan in some]
        found = step_times(network, workload, [plan.device for plan in some], micro, years)
        for row, index in enumerate(rows[micro]):
            parts = found.of(row)
            repeats = math.ceil(plans[index].batch / micro)
            parts.update({name: parts[name] * repeats for name in DEVICE_PARTS})
            longest[index] = max(longest[index], _device_s(parts))
            results[index] = parts
    for index, parts in enumerate(results):
        slower = longest[index] / _device_s(parts)
        parts.update({name: parts[name] * slower for name in DEVICE_PARTS})
    return results


def _device_s(parts: dict[str, float]) -> float:
    return sum([parts[name] for name in DEVICE_PARTS])
