"""Join the matrix, the groups and what is on sale into the verdict for a room."""

import datetime
import statistics
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from advisor import __version__
from advisor.catalog import network_of
from advisor.fleet.groups import Pace, grouped, own_findings, paces
from advisor.fleet.matrix import cell
from advisor.fleet.purchases import Place, Way, bought, cheapest, find_ways, shared
from advisor.fleet.turns import in_time, take_turns
from advisor.options.pricing import currency_per_usd
from advisor.predict import remembering_steps
from advisor.records.base import Interval
from advisor.records.job.work import Network
from advisor.records.job.workload import Circumstances
from advisor.records.results.fleet import (
    FleetAdvice,
    FleetCell,
    FleetComputer,
    FleetGroup,
    FleetJob,
    FleetMember,
    FleetNeed,
    FleetPurchase,
    RefusedFile,
)


class _Seen(NamedTuple):
    """One computer with its answers, before it gets a place in a list."""

    member: FleetMember
    computer: FleetComputer


def advise_fleet(
    members: Sequence[FleetMember],
    refused: Sequence[RefusedFile],
    jobs: Sequence[FleetJob],
    circumstances: Circumstances,
    today: datetime.date,
) -> FleetAdvice:
    """Return the verdict for a room: the same for the same reports, whatever their order.

    Args:
        members: The computers; at least one.
        refused: Files that were left out.
        jobs: What they are to do.
        circumstances: Country, currency, horizon, budget, and whether data must stay, of all jobs.
        today: Decides what is still sold.
    """
    networks = [network_of(job.workload) for job in jobs]
    groups, seen = [], []
    with remembering_steps():
        for index, (kind, found) in enumerate(grouped(members).items()):
            ordered = _computers(index, sorted(found, key=lambda one: (one.label, one.digest)), jobs, networks)
            seen += ordered
            groups.append(_group(kind.title, kind.memory_bytes, ordered, len(jobs)))
    needs, ways = [], {}
    for number, job in enumerate(jobs):
        need, on_sale = _need(number, job, networks[number], seen, circumstances=circumstances, today=today)
        needs.append(need)
        ways[number] = on_sale
    lacking = {need.job: need.missing for need in needs if need.missing}
    one_for_all = shared(lacking, ways, jobs, circumstances) if len(lacking) > 1 else None
    chosen = _chosen(needs, one_for_all)
    return FleetAdvice(
        program_version=__version__,
        jobs=tuple(jobs),
        groups=tuple(groups),
        computers=tuple(one.computer for one in seen),
        refused=tuple(sorted(refused, key=lambda one: (one.digest, one.reason))),
        needs=tuple(needs),
        shared=one_for_all if one_for_all in chosen else None,
        purchase_usd=sum(one.purchase_usd for one in chosen),
        horizon_usd=sum(one.horizon_usd for one in chosen),
        is_complete=bool(chosen) or not lacking,
        horizon_months=circumstances.horizon_months,
        currency=circumstances.currency,
        units_per_usd=currency_per_usd(circumstances),
    )


def _computers(
    group: int, members: Sequence[FleetMember], jobs: Sequence[FleetJob], networks: Sequence[Network]
) -> list[_Seen]:
    pace = paces(members)
    healthy = [one for one in members if not pace[one.digest].is_slow]
    found = []
    for one in members:
        is_slow = pace[one.digest].is_slow
        cells = tuple(cell(one, job, network) for job, network in zip(jobs, networks, strict=True))
        found.append(_Seen(one, _computer(one, group, pace[one.digest], cells, healthy if is_slow else ())))
    return found


def _computer(
    member: FleetMember, group: int, pace: Pace, cells: tuple[FleetCell, ...], healthy: Sequence[FleetMember]
) -> FleetComputer:
    return FleetComputer(
        name=member.label or member.digest,
        digest=member.digest,
        group=group,
        is_measured=member.benchmark is not None and bool(member.benchmark.measurements),
        is_inventory=member.is_inventory,
        pace_ratio=pace.ratio,
        is_slow=pace.is_slow,
        causes=own_findings(member, healthy) if pace.is_slow else (),
        cells=cells,
    )


def _group(title: str, memory_bytes: float, seen: Sequence[_Seen], jobs: int) -> FleetGroup:
    runs = [[one.computer.cells[job].run_s for one in seen] for job in range(jobs)]
    times = [[time_s for time_s in found if time_s is not None] for found in runs]
    kinds = Counter(kind for one in seen for kind in set(one.member.findings) if kind != "nothing_wrong")
    return FleetGroup(
        title=title,
        memory_bytes=memory_bytes,
        members=len(seen),
        median_s=tuple(statistics.median(found) if found else None for found in times),
        spread_ratio=tuple(_spread(found) for found in times),
        findings=dict(sorted(kinds.items())),
    )


def _spread(times: Sequence[float]) -> float | None:
    if len(times) < 2:
        return None
    _, median, third = statistics.quantiles(times, n=4, method="inclusive")
    return third / median - 1


def _need(
    number: int,
    job: FleetJob,
    network: Network,
    seen: Sequence[_Seen],
    *,
    circumstances: Circumstances,
    today: datetime.date,
) -> tuple[FleetNeed, tuple[Way, ...]]:
    """Return what a job lacks, and everything on sale that ends it in time."""
    people = job.people or len(seen)
    able = [one for one in seen if one.computer.cells[number].state == "enough"]
    times = [time_s for one in able if (time_s := one.computer.cells[number].run_s) is not None]
    spans = [span for one in able if (span := one.computer.cells[number].interval) is not None]
    turns = take_turns(people, times)
    soonest = take_turns(people, [span.low for span in spans])
    latest = take_turns(people, [span.high for span in spans])
    missing = max(people - sum(max(in_time(time_s, job), 1) for time_s in times), 0)
    ways: tuple[Way, ...] = ()
    if missing:
        places, anybody = _places(number, seen), seen[0].member.machine
        ways = find_ways(job, network, circumstances, places=places, anybody=anybody, today=today)
    offered = (bought(way, missing, job, circumstances) for way in ways)
    return (
        FleetNeed(
            job=number,
            people=people,
            seats=len(able),
            rounds=None if turns is None else turns.rounds,
            all_done_s=None if turns is None else turns.all_done_s,
            all_done_interval=None
            if soonest is None or latest is None
            else Interval(low=soonest.all_done_s, high=latest.all_done_s),
            missing=missing,
            ways=cheapest(one for one in offered if one is not None),
        ),
        ways,
    )


def _places(job: int, seen: Sequence[_Seen]) -> list[Place]:
    """Return the groups with computers that are not enough for a job."""
    lacking: dict[int, list[FleetMember]] = {}
    for one in seen:
        if one.computer.cells[job].state != "enough":
            lacking.setdefault(one.computer.group, []).append(one.member)
    return [Place(group, found[0].machine, len(found)) for group, found in lacking.items()]


def _chosen(needs: Sequence[FleetNeed], one_for_all: FleetPurchase | None) -> tuple[FleetPurchase, ...]:
    """Return the cheapest set: each job's own, or one thing for all; nothing where a job cannot be helped."""
    lacking = [need for need in needs if need.missing]
    own = tuple(need.ways[0] for need in lacking if need.ways)
    is_own_complete = len(own) == len(lacking)
    if one_for_all is not None:
        own_usd = sum(one.horizon_usd for one in own)
        if not is_own_complete or one_for_all.horizon_usd < own_usd:
            return (one_for_all,)
    return own if is_own_complete else ()
