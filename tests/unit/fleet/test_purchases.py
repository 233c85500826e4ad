"""What is on sale for a job of the room, and how much of it so many people need."""

import datetime
import math

import pytest

from advisor.catalog import find_workload, network_of
from advisor.fleet.purchases import Way, bought, find_ways, shared
from advisor.records.job.workload import Circumstances
from advisor.records.results.fleet import FleetJob
from advisor.units import HOUR_S, MONTH_S
from tests.unit.fleet.build import machine

HERE = Circumstances(country="ES", currency="EUR")


def job(runs: float = 1.0, hours: float = 24.0 * 7) -> FleetJob:
    """Return a job that each user runs so often a month."""
    workload = find_workload("article_cnn").workload
    return FleetJob(title="x", workload=workload, runs_per_month=runs, deadline_s=hours * HOUR_S)


def ways(runs: float) -> tuple[Way, ...]:
    """Return what is on sale for it."""
    asked, today = job(runs), datetime.date(2026, 11, 22)
    return find_ways(asked, network_of(asked.workload), HERE, places=(), anybody=machine(), today=today)


def test_a_thing_serves_as_many_as_its_month_has_hours_for() -> None:
    """Of runs that take most of the month only so many fit, however late they may end."""
    longest_s = max(way.option.run_s or 0.0 for way in ways(1.0))
    runs = MONTH_S / longest_s / 2.5
    found = ways(runs)
    assert min(way.seats for way in found) == 2
    for way in found:
        assert way.option.run_s is not None
        in_time, in_month = 24 * 7 * HOUR_S / way.option.run_s, MONTH_S / (way.option.run_s * runs)
        assert way.seats == math.floor(min(in_time, in_month))


def test_jobs_that_share_a_thing_each_take_their_part_of_it() -> None:
    """Three of four seats for one job and three of four for another are one and a half things: two."""
    one = next(way for way in ways(1.0) if way.option.tier == "single_gpu")._replace(seats=4)
    found = shared({0: 3, 1: 3}, {0: (one,), 1: (one,)}, (job(), job()), HERE)
    assert found is not None
    assert found.count == 2
    assert found.purchase_usd == pytest.approx(2 * one.option.purchase_usd)


@pytest.mark.parametrize(("tier", "kept"), [("cloud", 6), ("single_gpu", 2)])
def test_what_is_not_paid_by_the_run(tier: str, kept: int) -> None:
    """Data at a provider are kept for each of six people, a thing is bought twice for three seats each."""
    one = next(way for way in ways(1.0) if way.option.tier == tier)._replace(seats=3, kept_usd=10.0, run_usd=0.0)
    found = bought(one, 6, job(), HERE)
    assert found is not None
    assert (found.count, found.horizon_usd) == (2, 10.0 * kept)
