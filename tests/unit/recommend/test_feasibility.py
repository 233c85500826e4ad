"""One option at a time: can it be the answer, and if not, why not."""

import msgspec
import pytest

from advisor.recommend.feasibility import (
    cost,
    is_fetching,
    is_owned,
    longest_s,
    obstacle,
    obstacle_values,
    outlay,
)
from advisor.records.job.advice import Option
from advisor.units import DAY_S, GIB, HOUR_S, MONTH_S
from tests.unit.recommend.build import wishes
from tests.unit.report.samples import option

HERE = option("here/cpu", "this_computer", "p", HOUR_S)
BUY = option("buy/a", "single_gpu", "a", HOUR_S, purchase_usd=400)
RENT = option("rent/x/a", "cloud", "a", HOUR_S, usd_per_h=1.0)


@pytest.mark.parametrize("one", [HERE, BUY, RENT])
def test_what_meets_every_wish_has_no_obstacle(one: Option) -> None:
    """Fits, in time, in budget: it can be the answer."""
    assert obstacle(one, wishes(budget_usd=1000.0)) is None


def test_data_that_must_stay_rules_out_what_is_rented_only() -> None:
    """Owned hardware keeps the data; the cloud does not."""
    strict = wishes(data_must_stay=True)
    assert obstacle(RENT, strict) == "data_must_stay"
    assert obstacle(BUY, strict) is None
    assert obstacle(HERE, strict) is None


def test_what_does_not_fit_says_by_how_much() -> None:
    """The obstacle carries needed and available memory."""
    small = option("here/cuda:0", "this_computer", "a", HOUR_S, needed_gib=14, memory_gib=6)
    assert obstacle(small, wishes()) == "does_not_fit"
    assert obstacle_values("does_not_fit", small, wishes()) == {
        "needed_bytes": 14 * GIB,
        "available_bytes": 6 * GIB,
    }


def test_unknown_memory_is_no_obstacle() -> None:
    """Where nobody knows the device's memory, the option stays, and its confidence tells."""
    assert obstacle(option("buy/a", "single_gpu", "a", 1.0, memory_gib=None, purchase_usd=9), wishes()) is None


def test_a_smaller_batch_may_fit() -> None:
    """Where the user accepts a batch up to the largest that fits, the option is feasible."""
    small = option("here/cuda:0", "this_computer", "a", HOUR_S, needed_gib=14, memory_gib=6)
    assert obstacle(small, wishes(batch_size=8)) is None
    assert obstacle(small, wishes(batch_size=9)) == "does_not_fit"


def test_nothing_fits_smaller_where_the_largest_batch_is_unknown() -> None:
    """Without an estimate of the largest batch, no smaller one is promised."""
    small = option("here/cuda:0", "this_computer", "a", HOUR_S, needed_gib=14, memory_gib=6)
    assert small.prediction is not None
    assert small.prediction.memory is not None
    memory = msgspec.structs.replace(small.prediction.memory, largest_batch=None)
    unknown = msgspec.structs.replace(small, prediction=msgspec.structs.replace(small.prediction, memory=memory))
    assert obstacle(unknown, wishes(batch_size=1)) == "does_not_fit"


def test_the_deadline_counts_to_the_second() -> None:
    """A run that ends at the deadline is in time, one that ends after it is not."""
    assert obstacle(HERE, wishes(deadline_s=HOUR_S)) is None
    assert obstacle(HERE, wishes(deadline_s=HOUR_S - 1)) == "misses_deadline"
    assert obstacle_values("misses_deadline", HERE, wishes(deadline_s=9.0)) == {"run_s": HOUR_S, "deadline_s": 9.0}


def test_an_owned_machine_has_only_so_many_hours() -> None:
    """More work than a month has hours needs another machine; rented ones run side by side."""
    busy = wishes(runs_per_month=1000.0)
    assert obstacle(HERE, busy) == "too_many_runs"
    assert obstacle(BUY, busy) == "too_many_runs"
    assert obstacle(RENT, busy) is None
    assert obstacle_values("too_many_runs", HERE, busy) == {"busy_s": 1000 * HOUR_S, "month_s": MONTH_S}


def test_without_a_time_nothing_is_promised() -> None:
    """An option whose time is unknown cannot be the answer."""
    unknown = option("buy/a", "single_gpu", "a", None, purchase_usd=9)
    assert obstacle(unknown, wishes()) == "not_predicted"
    assert obstacle_values("not_predicted", unknown, wishes()) == {}


def test_without_a_price_nothing_is_bought() -> None:
    """An unknown price is an obstacle elsewhere, and none for what the user owns."""
    for one, expected in ((BUY, "price_unknown"), (HERE, None)):
        assert obstacle(msgspec.structs.replace(one, horizon_usd=None), wishes()) == expected


def test_the_budget_is_the_purchase_or_the_rent_over_the_horizon() -> None:
    """What must be laid out, not what comes back by resale."""
    assert outlay(BUY, wishes()) == 400
    assert outlay(RENT, wishes()) == 48
    assert obstacle(BUY, wishes(budget_usd=399.0)) == "over_budget"
    assert obstacle(RENT, wishes(budget_usd=47.0)) == "over_budget"
    assert obstacle(RENT, wishes(budget_usd=48.0)) is None
    assert obstacle_values("over_budget", BUY, wishes(budget_usd=9.0)) == {"outlay_usd": 400, "budget_usd": 9.0}


def test_costs_follow_the_number_of_runs() -> None:
    """A cost over the horizon, worked out for one number of runs, is right for another."""
    assert cost(RENT, wishes()) == pytest.approx(48.0)
    assert cost(RENT, wishes(runs_per_month=4.0)) == pytest.approx(96.0)
    assert cost(BUY, wishes(runs_per_month=0.0)) == pytest.approx(240.0)


def test_what_cannot_run_the_job_stays_out() -> None:
    """An obstacle set before judging is kept."""
    barred = msgspec.structs.replace(RENT, obstacle="not_supported")
    assert obstacle(barred, wishes()) == "not_supported"


def test_owned_is_what_stands_at_the_persons_place() -> None:
    """This computer and purchases are owned, offers are not."""
    assert is_owned(HERE)
    assert is_owned(BUY)
    assert not is_owned(RENT)


def test_a_day_is_enough_for_an_hour() -> None:
    """The units of deadline and run agree."""
    assert obstacle(HERE, wishes(deadline_s=DAY_S)) is None


def test_a_rented_machine_starts_and_gets_the_data_before_the_deadline_runs_out() -> None:
    """Of 2 hours allowed, a run of one leaves one for the start and the upload; what is owned has neither."""
    late = msgspec.structs.replace(RENT, before_s=1.5 * HOUR_S)
    asked = wishes(deadline_s=2 * HOUR_S)
    assert obstacle(RENT, asked) is None
    assert obstacle(late, asked) == "misses_deadline"
    assert obstacle_values("misses_deadline", late, asked) == {"done_s": 2.5 * HOUR_S, "deadline_s": 2 * HOUR_S}
    assert obstacle(HERE, asked) is None


def test_what_is_fetched_counts_against_the_deadline() -> None:
    """The result from a provider, and, for a single run at one's own place, the weights; each says so."""
    rent = msgspec.structs.replace(
        option("rent/x/a", "cloud", "a", HOUR_S, usd_per_h=1.0), before_s=600.0, after_s=3600.0
    )
    asked = wishes(deadline_s=2 * HOUR_S)
    assert rent.done_s == 2 * HOUR_S + 600.0
    assert obstacle(rent, asked) == "misses_deadline"
    assert obstacle_values("misses_deadline", rent, asked)["done_s"] == 2 * HOUR_S + 600.0
    here = msgspec.structs.replace(option("here/cpu", "this_computer", "p", HOUR_S), before_s=2 * HOUR_S)
    assert is_fetching(here)
    assert obstacle_values("misses_deadline", here, asked) == {"fetched_s": 3 * HOUR_S, "deadline_s": 2 * HOUR_S}
    assert not is_fetching(rent)
    assert longest_s(msgspec.structs.replace(rent, interval=None)) == float("inf")
