"""The verdict for a room: seats, turns and money as one would work them out by hand."""

import datetime
import math
import random

import msgspec
import pytest

from advisor import wire
from advisor.catalog import devices, economics, find_workload
from advisor.fleet import advise_fleet
from advisor.predict.timing import step_time
from advisor.records.job.work import Network
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.results.fleet import FleetAdvice, FleetJob
from advisor.records.results.measured.measurement import Benchmark, Case, Measurement
from advisor.units import DAY_S, HOUR_S
from tests.unit.fleet.build import equals, machine, member

TODAY = datetime.date(2026, 11, 22)
HERE = Circumstances(country="ES", currency="EUR")


def _job(name: str = "article_cnn", *, hours: float = 2.0, people: int | None = None, runs: float = 4.0) -> FleetJob:
    workload = find_workload(name).workload
    return FleetJob(title=name, workload=workload, people=people, runs_per_month=runs, deadline_s=hours * HOUR_S)


def _advised(*jobs: FleetJob, circumstances: Circumstances = HERE) -> FleetAdvice:
    """The verdict for six processors and two computers with a card."""
    with_card = machine(card="NVIDIA GeForce RTX 3060")
    members = [*equals(6), member(20, of=with_card), member(21, of=with_card)]
    return advise_fleet(members, (), jobs, circumstances, TODAY)


def test_enough_is_who_ends_in_time() -> None:
    """A deadline between both kinds lets the ones with a card pass; the others take turns on them."""
    run_s = {one.name: one.cells[0].run_s or 0.0 for one in _advised(_job()).computers}
    within_h = 2.5 * run_s["pc-20"] / HOUR_S
    assert within_h * HOUR_S < run_s["pc-00"]
    found = _advised(_job(hours=within_h, people=7))
    assert {one.name for one in found.computers if one.cells[0].state == "enough"} == {"pc-20", "pc-21"}
    [need] = found.needs
    assert (need.people, need.seats, need.missing, need.rounds) == (7, 2, 7 - 2 * 2, 4)
    assert need.all_done_s == pytest.approx(4 * run_s["pc-20"])


def test_with_time_for_all_nothing_is_bought() -> None:
    """A month is enough for every computer."""
    found = _advised(_job(hours=24 * 30))
    assert found.is_complete
    assert (found.purchase_usd, found.horizon_usd, found.needs[0].ways) == (0.0, 0.0, ())


def test_whom_turns_serve_needs_nothing() -> None:
    """Five people on two computers that end two runs each within the time: four are served; with a third run, all."""
    run_s = max(one.cells[0].run_s or 0.0 for one in _advised(_job()).computers if one.name == "pc-20")
    [four] = _advised(_job(people=5, hours=2.5 * run_s / HOUR_S)).needs
    [all_five] = _advised(_job(people=5, hours=3.5 * run_s / HOUR_S)).needs
    assert (four.missing, all_five.missing, all_five.ways) == (1, 0, ())
    assert all_five.all_done_s == pytest.approx(3 * run_s)
    span = _advised(_job()).computers[-1].cells[0].interval
    assert span is not None
    assert all_five.all_done_interval is not None
    assert (all_five.all_done_interval.low, all_five.all_done_interval.high) == (
        pytest.approx(3 * span.low),
        pytest.approx(3 * span.high),
    )


def test_money_by_hand() -> None:
    """Paid once: cards times their price. Over the horizon: what renting costs for every run of everybody."""
    [need] = _advised(_job(people=12, hours=0.5)).needs
    for way in need.ways:
        assert way.count == math.ceil(need.missing / way.seats)
        assert way.run_s * way.seats <= 0.5 * HOUR_S
        if way.tier == "cloud":
            assert way.purchase_usd == 0
    costs = [way.horizon_usd for way in need.ways]
    assert costs == sorted(costs)
    twice = _advised(_job(people=16, hours=0.5)).needs[0]
    rents = {way.option: way for way in need.ways if way.tier == "cloud"}
    both = [(rents[way.option], way) for way in twice.ways if way.option in rents]
    assert both
    for one, other in both:  # rent is paid by the run and the person
        assert other.horizon_usd / one.horizon_usd == pytest.approx(twice.missing / need.missing)


def test_what_is_bought_costs_its_price_times_their_number() -> None:
    """Cards in each computer, their price, and the computer around them."""
    [need] = _advised(
        _job(people=60, hours=0.5), circumstances=msgspec.structs.replace(HERE, data_must_stay=True)
    ).needs
    cards = {device.name: device.price_usd for device in devices()}
    around_usd = economics().host_usd.value
    checked = 0
    for way in need.ways:
        count, _, name = way.option.removeprefix("buy/").rpartition("x ")
        price_usd = cards.get(name)
        if way.into is None and way.option.startswith("buy/") and price_usd is not None:
            assert way.purchase_usd == pytest.approx(way.count * (int(count or 1) * price_usd + around_usd))
            checked += 1
    assert checked


def test_data_that_must_stay_are_not_rented_for() -> None:
    """Only purchases remain."""
    found = _advised(_job(people=12, hours=0.5), circumstances=msgspec.structs.replace(HERE, data_must_stay=True))
    assert found.needs[0].ways
    assert all(way.tier == "single_gpu" for way in found.needs[0].ways)


def test_a_budget_limits_what_is_bought() -> None:
    """With one dollar nothing is bought, and the verdict says that it is incomplete."""
    poor = msgspec.structs.replace(HERE, budget_usd=1.0, data_must_stay=True)
    found = _advised(_job(people=12, hours=0.5), circumstances=poor)
    assert not found.needs[0].ways
    assert not found.is_complete


def test_a_card_is_put_into_no_more_computers_than_lack_one() -> None:
    """500 people do not share six places for a card."""
    found = _advised(_job(people=500, hours=0.5))
    assert all(way.into is None for way in found.needs[0].ways)


def test_one_thing_may_serve_several_jobs() -> None:
    """What serves all jobs is taken where it is cheaper than each job on its own."""
    jobs = (_job(people=16, hours=0.5), _job("bert_finetuning", people=60, hours=8.0))
    found = _advised(*jobs, circumstances=msgspec.structs.replace(HERE, data_must_stay=True))
    own_usd = sum(need.ways[0].horizon_usd for need in found.needs)
    assert found.horizon_usd <= own_usd * (1 + 1e-9)


def test_the_order_of_files_changes_nothing() -> None:
    """The same bytes for the same reports."""
    members = [*equals(12, slow=3), member(40, of=machine(card="NVIDIA GeForce RTX 3060"))]
    made = wire.encode(advise_fleet(members, (), (_job(),), HERE, TODAY))
    random.Random(1).shuffle(members)
    assert wire.encode(advise_fleet(members, (), (_job(),), HERE, TODAY)) == made


def test_equal_steps_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a room of equal computers each measured case; what it says is the same as for each computer by itself."""
    worked_out: list[str] = []
    own = step_time._step_times

    def counted(network: Network, workload: Workload, *more: object) -> object:
        worked_out.append(workload.id)
        return own(network, workload, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(step_time, "_step_times", counted)
    source = random.Random(3)
    members = [member(n, benchmark=_networks(source), of=machine(gib=15.5 + n / 1000)) for n in range(6)]
    together = advise_fleet(members, (), (_job(),), HERE, TODAY).computers
    assert [name for name in worked_out if name.startswith("train/")] == ["train/resnet50", "train/simple_cnn"]
    for one in members:
        [alone] = advise_fleet([one], (), (_job(),), HERE, TODAY).computers
        [same] = [computer for computer in together if computer.digest == one.digest]
        assert same.cells == alone.cells


def _networks(source: random.Random) -> Benchmark:
    """Return what a check measured of two networks, never twice the same."""
    taken = [
        Measurement(
            case=Case(id=f"train/{name}", program="train", device="cpu", precision="fp32", network=name, batch_size=8),
            samples_s=(time_s,),
            median_s=time_s,
            iqr_s=0.0,
        )
        for name in ("resnet50", "simple_cnn")
        for time_s in [source.uniform(1.0, 2.0)]
    ]
    return Benchmark(suite="quick", started_at="2026-11-22T10:00:00+00:00", wall_s=4.0, measurements=tuple(taken))


def test_too_large_a_job_fits_nothing_here() -> None:
    """A model of 70 billion parameters has no seat in a classroom."""
    [need] = _advised(_job("llm_70b_scratch", hours=24 * 365 * 50, people=1)).needs
    assert need.seats == 0


def test_a_month_has_only_so_many_hours() -> None:
    """Nobody is served by a computer that would have to work more hours a month than there are."""
    [need] = _advised(_job(people=8, hours=24 * 7, runs=2000.0)).needs
    for way in need.ways:
        assert way.run_s * 2000.0 * way.seats <= 31 * DAY_S
