"""Turns, as one would work them out on paper."""

import pytest

from advisor.catalog import find_workload
from advisor.fleet.turns import in_time, take_turns
from advisor.records.results.fleet import FleetJob
from advisor.units import MONTH_S


def _job(deadline_s: float, runs: float = 1.0) -> FleetJob:
    workload = find_workload("article_cnn").workload
    return FleetJob(title="x", workload=workload, runs_per_month=runs, deadline_s=deadline_s)


@pytest.mark.parametrize(
    ("people", "times", "rounds", "done_s"),
    [
        (1, [60.0], 1, 60.0),
        (20, [300.0] * 4, 5, 1500.0),
        (21, [300.0] * 4, 6, 1800.0),
        (4, [60.0, 600.0], 4, 240.0),  # the slow one is not waited for
        (12, [60.0, 600.0], 11, 660.0),  # 660 s: eleven and one
        (3, [0.1, 0.1, 0.1], 1, 0.1),
    ],
)
def test_the_last_is_done(people: int, times: list[float], rounds: int, done_s: float) -> None:
    """Nobody takes a slow computer whom a quick one serves sooner."""
    found = take_turns(people, times)
    assert found is not None
    assert (found.rounds, found.all_done_s) == (rounds, pytest.approx(done_s))


def test_without_a_computer_there_is_no_turn() -> None:
    """Nor without people."""
    assert take_turns(5, []) is None
    assert take_turns(0, [60.0]) is None


def test_runs_of_a_month_count() -> None:
    """By the deadline ten people; a month has no room for more than two who each take a third of it."""
    assert in_time(60.0, _job(600.0)) == 10
    assert in_time(MONTH_S / 30, _job(MONTH_S, runs=10.0)) == 3
