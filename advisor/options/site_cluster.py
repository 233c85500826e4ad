"""The site's own cluster as ways to get a job done: as many nodes as were measured, and as many as one may have."""

import itertools
import math
import statistics
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from advisor.catalog import find_device
from advisor.errors import InputError
from advisor.options.candidates import Candidate
from advisor.options.own_devices import cpu_device
from advisor.predict.coefficients import link_coefficients
from advisor.predict.link_fit import exchange_over
from advisor.records.hardware.device import Device
from advisor.records.hardware.machine import Machine
from advisor.records.results.scaling import MeasuredLink, ScalingLevel, ScalingStep, SiteCluster, SiteLimits

FIT_SIGMA = 0.1
"""Of a step told by the fitted line: measured ones were met within 15 % (``make test-scale``)."""
UNKNOWN_DRIFT = 0.35
"""Half of the logarithm of two: a switch that is full leaves twice the nodes half the rate, and whether it is full
nobody has seen."""
_HIDDEN = 0.95
"""From this share on an exchange was hidden whole, and might have been longer."""
_USUAL_BYTES = 1e8
"""Of gradients, by which lines of different levels are compared: ResNet-50 in fp32."""


def site_candidates(cluster: SiteCluster, machine: Machine) -> tuple[Candidate, ...]:
    """Return one node of the cluster, each number of nodes that was measured together, and what it has beyond.

    Raises:
        InputError: Its devices differ, or nothing was measured that tells of a step.
        UnknownNameError: The catalogue does not have them.
    """
    device = _device(cluster, machine)
    ranks = cluster.scaling.ranks
    per_node = max(1, len(ranks) // max(1, len(cluster.scaling.nodes)))
    is_processor = device.device_class == "cpu"
    joined = list(_links(cluster, per_node, is_processor=is_processor))
    if not joined:
        raise InputError("In the file of your nodes no two exchanged messages of several sizes.")
    limits = cluster.scaling.limits or SiteLimits()
    if limits.nodes is not None and (cluster.nodes or 1) > limits.nodes:
        raise InputError("Your cluster gives a job {count} nodes at most.", count=limits.nodes)
    cores = (limits.cores or machine.host.cpu.usable_cores) if is_processor else None
    ways = [_Way(1, 1, None), *joined]
    return tuple(_candidate(cluster, device, way, cores) for way in ways)


class _Way(NamedTuple):
    nodes: int
    devices: int
    link: MeasuredLink | None


def _device(cluster: SiteCluster, machine: Machine) -> Device:
    """Return the device of each worker; nodes without a card are taken to have this computer's processor."""
    titles = {rank.title for rank in cluster.scaling.ranks if rank.device != "cpu"}
    if not titles:
        own = cpu_device(machine)
        limits = cluster.scaling.limits
        limit = own.memory_bytes if limits is None or limits.memory_bytes is None else limits.memory_bytes
        return msgspec.structs.replace(own, memory_bytes=limit)
    if len(titles) > 1:
        names = ", ".join(sorted(titles))
        raise InputError("The nodes of the file have different cards ({names}); measure each kind.", names=names)
    return find_device(titles.pop())


def _candidate(cluster: SiteCluster, device: Device, way: _Way, cores: float | None) -> Candidate:
    return Candidate(
        id=f"site/{'' if cores is None else 'cpu/'}{way.nodes}x{way.devices // way.nodes}",
        tier="cluster",
        title=device.name if way.devices == 1 else f"{way.devices} × {device.name}",
        device=device,
        device_count=way.devices,
        nodes=way.nodes,
        cpu_cores=None if cores is None else cores * way.nodes,
        is_site=True,
        link=way.link,
        node_usd_per_h=cluster.node_usd_per_h,
        wait_s=cluster.queue_s,
        job_limit_s=None if cluster.scaling.limits is None else cluster.scaling.limits.job_s,
    )


def _links(cluster: SiteCluster, per_node: int, *, is_processor: bool) -> Iterator[_Way]:
    """Yield nodes, devices and what joins them, for whole nodes that were measured, then for as many as there are."""
    levels = [one for one in cluster.scaling.levels if one.link is not None and _is_whole(one, per_node)]
    levels = [one for one in levels if one.nodes > 1 or not is_processor]
    behind = behind_ratio([step for level in levels for step in level.steps])
    for level in levels:
        assert level.link is not None, "just now"
        yield _Way(level.nodes, level.ranks, MeasuredLink(line=level.link, behind_ratio=behind, sigma=FIT_SIGMA))
    most = max(levels, key=lambda one: one.nodes, default=None)
    if most is None or most.link is None or cluster.nodes is None or cluster.nodes <= most.nodes:
        return
    sigma = math.hypot(FIT_SIGMA, _drift(levels) * math.log2(cluster.nodes / most.nodes))
    link = MeasuredLink(line=most.link, behind_ratio=behind, sigma=sigma)
    yield _Way(cluster.nodes, cluster.nodes * per_node, link)


def _is_whole(level: ScalingLevel, per_node: int) -> bool:
    return level.ranks == level.nodes * per_node


def behind_ratio(steps: Sequence[ScalingStep]) -> float:
    """Return the share of the computing behind which exchange was seen to hide; the usual one where nothing tells."""
    told = [
        (step.hidden_ratio, step.hidden_ratio * step.exchange_s / step.alone_s)
        for step in steps
        if step.exchange_s and step.hidden_ratio is not None
    ]
    partly = [ratio for hidden, ratio in told if hidden < _HIDDEN]
    if partly:
        return statistics.median(partly)
    least = max((ratio for _, ratio in told), default=0.0)
    return max(least, link_coefficients().hidden_ratio)


def _drift(levels: Sequence[ScalingLevel]) -> float:
    """Return by how much (of the logarithm) the line of half as many nodes misses an exchange of the next level.

    Where only one number of nodes was measured nobody knows; then the spread of published clusters holds.
    """
    joined = sorted((one for one in levels if one.nodes > 1), key=lambda one: one.nodes)
    missed = [
        abs(math.log(exchange_over(b.link, _USUAL_BYTES, b.ranks) / exchange_over(a.link, _USUAL_BYTES, b.ranks)))
        for a, b in itertools.pairwise(joined)
        if a.link is not None and b.link is not None
    ]
    return max(missed, default=UNKNOWN_DRIFT)
