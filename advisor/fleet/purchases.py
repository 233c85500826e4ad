"""What to buy or rent so that everybody who runs a job gets it in time: cards into what is here, computers, rent."""

import datetime
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from advisor.fleet.turns import in_time
from advisor.options.candidates import Candidate, list_candidates
from advisor.options.prediction import predict_options
from advisor.options.pricing import price_options
from advisor.records.hardware.machine import Machine
from advisor.records.job.advice import Option
from advisor.records.job.work import Network
from advisor.records.job.workload import Circumstances
from advisor.records.results.fleet import FleetJob, FleetPurchase

KEPT_WAYS = 5


class Place(NamedTuple):
    """A group of equal computers that are not enough for a job.

    Attributes:
        group: Its index.
        machine: One of them.
        lacking: How many are not enough.
    """

    group: int
    machine: Machine
    lacking: int


class Way(NamedTuple):
    """One thing on sale, and what it does for one job.

    Attributes:
        seats: People whose runs one of it ends by the deadline.
        kept_usd: For each of it, over the horizon: what is not paid by the run.
        run_usd: Of one run.
    """

    option: Option
    into: int | None
    at_most: int | None
    seats: int
    kept_usd: float
    run_usd: float

    @property
    def key(self) -> tuple[str, int | None]:
        """What tells it apart from other things on sale."""
        return self.option.id, self.into


def find_ways(
    job: FleetJob,
    network: Network,
    circumstances: Circumstances,
    *,
    places: Sequence[Place],
    anybody: Machine,
    today: datetime.date,
) -> tuple[Way, ...]:
    """Return everything on sale that ends a run of the job by its deadline.

    Args:
        job: The job.
        network: Its work.
        circumstances: Country, currency, horizon, budget, and whether data must stay.
        places: Computers a card could be put into.
        anybody: A computer of the room; what stands for itself does not depend on it.
        today: Decides what is still sold.
    """
    asked = msgspec.structs.replace(circumstances, runs_per_month=job.runs_per_month, deadline_s=job.deadline_s)
    found = [
        way
        for place in places
        for way in _ways(job, network, asked, _cards_for(place.machine, today))
        for way in [way._replace(into=place.group, at_most=place.lacking, seats=1)]
    ]
    others = [one for one in list_candidates(anybody, today) if _stands_alone(one)]
    found += _ways(job, network, asked, others)
    return tuple(found)


def _cards_for(machine: Machine, today: datetime.date) -> list[Candidate]:
    return [one for one in list_candidates(machine, today) if one.tier == "single_gpu" and one.is_in_this_computer]


def _stands_alone(candidate: Candidate) -> bool:
    """Return whether a way needs none of the computers that are here; what is rented is a dependable machine."""
    if candidate.tier == "single_gpu":
        return not candidate.is_in_this_computer
    return candidate.tier == "cloud" and candidate.offer is not None and candidate.offer.is_dependable


def _ways(job: FleetJob, network: Network, asked: Circumstances, candidates: Sequence[Candidate]) -> Iterator[Way]:
    predictions = predict_options(candidates, network, job.workload)
    options = price_options(candidates, predictions, job.workload, asked, parameters=network.parameters)
    for option in options:
        way = _way(option, job, asked)
        if way is not None:
            yield way


def _way(option: Option, job: FleetJob, asked: Circumstances) -> Way | None:
    memory = None if option.prediction is None else option.prediction.memory
    has_room = memory is None or memory.fits is not False
    if option.run_s is None or option.run_usd is None or option.horizon_usd is None or not has_room:
        return None
    if asked.data_must_stay and option.tier == "cloud":
        return None
    seats = in_time(option.run_s, job)
    if seats < 1:
        return None
    runs = asked.runs_per_month * asked.horizon_months
    kept = max(option.horizon_usd - runs * option.run_usd, 0.0)
    return Way(option, None, None, seats, kept, option.run_usd)


def bought(way: Way, people: int, job: FleetJob, circumstances: Circumstances) -> FleetPurchase | None:
    """Return so many of it that so many people get their runs; None where place or money does not suffice."""
    count = math.ceil(people / way.seats)
    if way.at_most is not None and count > way.at_most:
        return None
    runs = job.runs_per_month * circumstances.horizon_months * people
    return _purchase(way, count, way.kept_usd * _kept_count(way, count, people) + way.run_usd * runs, circumstances)


def _kept_count(way: Way, count: int, people: int) -> int:
    """Return for how many is paid what is not paid by the run: each person's data at a provider, each thing bought."""
    return people if way.option.tier == "cloud" else count


def _purchase(way: Way, count: int, horizon_usd: float, circumstances: Circumstances) -> FleetPurchase | None:
    option = way.option
    purchase_usd = option.purchase_usd * count
    spent = horizon_usd if option.tier == "cloud" else purchase_usd
    if circumstances.budget_usd is not None and spent > circumstances.budget_usd:
        return None
    assert option.run_s is not None, "looked at before"
    return FleetPurchase(
        tier=option.tier,
        option=option.id,
        title=option.title,
        into=way.into,
        count=count,
        seats=way.seats,
        run_s=option.run_s,
        purchase_usd=purchase_usd,
        horizon_usd=horizon_usd,
    )


def cheapest(purchases: Iterable[FleetPurchase]) -> tuple[FleetPurchase, ...]:
    """Return the cheapest over the horizon, of each device and kind but one, and of each kind the first at least."""
    best: dict[tuple[str, bool, str], FleetPurchase] = {}
    for one in sorted(purchases, key=_order):
        best.setdefault((one.tier, one.into is not None, one.title), one)
    ranked = sorted(best.values(), key=_order)
    firsts = {(one.tier, one.into is not None): one for one in reversed(ranked)}
    kept = [*ranked[:KEPT_WAYS], *(one for one in firsts.values() if one not in ranked[:KEPT_WAYS])]
    return tuple(sorted(kept, key=_order))


def _order(one: FleetPurchase) -> tuple[float, float, str, int]:
    return one.horizon_usd, one.purchase_usd, one.option, -1 if one.into is None else one.into


def shared(
    lacking: Mapping[int, int],
    ways: Mapping[int, Sequence[Way]],
    jobs: Sequence[FleetJob],
    circumstances: Circumstances,
) -> FleetPurchase | None:
    """Return the cheapest one thing that serves every job that lacks seats; None where nothing does all of them.

    Args:
        lacking: People without a seat, by job.
        ways: What is on sale for each job.
        jobs: All of them.
        circumstances: For horizon and budget.
    """
    by_key = {job: {way.key: way for way in ways[job] if way.into is None} for job in lacking}
    common = set.intersection(*(set(found) for found in by_key.values())) if by_key else set()
    found = []
    for key in sorted(common, key=str):
        each = {job: by_key[job][key] for job in lacking}
        # Jobs share a computer's hours: each takes its part of it.
        count = math.ceil(sum(people / each[job].seats for job, people in lacking.items()))
        most = max(each.values(), key=lambda way: way.option.run_s or 0.0)
        runs_usd = sum(
            each[job].run_usd * jobs[job].runs_per_month * circumstances.horizon_months * people
            for job, people in lacking.items()
        )
        kept = sum(each[job].kept_usd * people for job, people in lacking.items())
        is_rent = most.option.tier == "cloud"
        one = _purchase(most, count, runs_usd + (kept if is_rent else most.kept_usd * count), circumstances)
        if one is not None:
            found.append(one)
    return min(found, key=_order, default=None)
