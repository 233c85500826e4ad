"""Keeping, buying and renting over the months, by hand arithmetic."""

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.recommend.cost_over_time import cost_over_time, spent_usd
from advisor.records.job.advice import CostOverTime, Option, Trade, TradeRole, TradeRow
from advisor.records.job.prediction import CostPart
from advisor.units import HOUR_S, MONTH_S
from tests.unit.recommend.build import wishes
from tests.unit.report.samples import option

HERE = option("here/cpu", "this_computer", "p", 10 * HOUR_S, watts=100)  # 1 kWh, 0.30 USD a run
BUY = option("buy/a", "single_gpu", "a", HOUR_S, purchase_usd=400, watts=100)  # 240 after resale, 0.03 USD a run
RENT = option("rent/x/a", "cloud", "a", HOUR_S, usd_per_h=0.53)
ROLES: tuple[tuple[TradeRole, Option], ...] = (("stay", HERE), ("buy", BUY), ("rent", RENT))


def _lines(named: tuple[tuple[TradeRole, Option], ...] = ROLES, runs: float = 2.0) -> CostOverTime:
    trade = Trade(rows=tuple(TradeRow(option=one.id, roles=(role,), busy_s=1.0) for role, one in named))
    found = cost_over_time([one for _role, one in named], wishes(runs_per_month=runs, priced_runs=24 * runs), trade)
    assert found is not None
    return found


def test_buying_is_cheaper_than_keeping_where_the_saved_electricity_has_paid_for_it() -> None:
    """240 USD at 0.27 saved a run are 889 runs, 37 a month for two years; renting never is the cheapest."""
    found = _lines()
    [crossing] = found.crossings
    assert crossing.runs_per_month == pytest.approx(240 / 0.27 / 24)
    assert crossing.usd == pytest.approx(240 / 0.27 * 0.30)  # the same as without buying
    assert (crossing.below, crossing.above) == ("keep", "buy")
    assert found.most_runs_per_month == pytest.approx(1.3 * 240 / 0.27 / 24)


def test_renting_and_buying_cross_where_no_computer_is_kept() -> None:
    """240 USD at 0.50 saved a run are 480 runs, 20 a month."""
    [crossing] = _lines(ROLES[1:]).crossings
    assert crossing.runs_per_month == pytest.approx(20.0)
    assert crossing.usd == pytest.approx(480 * 0.53)
    assert (crossing.below, crossing.above) == ("rent", "buy")


def test_lines_are_money_at_runs_a_month() -> None:
    """At none the purchase less resale; at two a month 48 runs more."""
    buy = next(line for line in _lines().lines if line.role == "buy")
    assert buy.points[0] == (0.0, pytest.approx(240.0))
    assert buy.points[1] == (2.0, pytest.approx(240 + 48 * 0.03))
    assert buy.by_month[0] == (0.0, 400.0)
    assert buy.by_month[6] == (12.0, pytest.approx(400 + 24 * 0.03))
    assert buy.by_month[12] == (24.0, pytest.approx(240 + 48 * 0.03))


def test_what_is_free_brings_no_money_where_nothing_is_fetched() -> None:
    """A network of no bytes uses nothing of the download that is free: its rent alone is paid."""
    free = CostPart(kind="download", fixed_usd=-216.0, least_usd=0.0, unit_usd=0.09)
    rented = msgspec.structs.replace(RENT, cost_parts=(*RENT.cost_parts, free))
    rent = _lines((("stay", HERE), ("rent", rented))).lines[1]
    assert rent.by_month[12] == (24.0, pytest.approx(48 * 0.53))
    assert rent.by_month[6] == (12.0, pytest.approx(24 * 0.53))


def test_a_computer_ends_where_the_month_ends() -> None:
    """Ten hours a run leave room for 73 a month; whoever asks for 50 sees the others go on to 200."""
    found = _lines(runs=50.0)
    keep, _buy, rent = found.lines
    assert keep.most_runs_per_month == pytest.approx(73.05)
    assert keep.points[-1][0] == pytest.approx(73.05)
    assert rent.most_runs_per_month is None
    assert rent.points[-1][0] == 200.0


def test_storage_that_never_ends_costs_no_more() -> None:
    """A dollar a run for storage, at most 24: the line bends at one run a month."""
    stored = CostPart(kind="storage", run_usd=1.0, most_usd=24.0)
    kept = msgspec.structs.replace(RENT, cost_parts=(*RENT.cost_parts, stored))
    rent = _lines((ROLES[0], ("rent", kept))).lines[1]
    assert rent.points[1] == (1.0, pytest.approx(24 * 1.53))
    assert rent.points[2] == (2.0, pytest.approx(24 + 48 * 0.53))


def test_one_line_alone_is_nothing_to_compare() -> None:
    """Nor is an answer without alternatives."""
    assert cost_over_time([HERE], wishes(), None) is None


@settings(max_examples=60, deadline=None)
@given(watts=st.floats(5, 2000), price=st.floats(10, 5000), rent=st.floats(0.05, 30), hours=st.floats(0.1, 100))
def test_below_and_above_a_crossing_another_is_the_cheapest(
    watts: float, price: float, rent: float, hours: float
) -> None:
    """Whatever the prices: just beside each crossing its two sides are what it says."""
    named: tuple[tuple[TradeRole, Option], ...] = (
        ("stay", option("here/cpu", "this_computer", "p", hours * HOUR_S, watts=watts)),
        ("buy", option("buy/a", "single_gpu", "a", hours * HOUR_S / 5, purchase_usd=price, watts=300)),
        ("rent", option("rent/x/a", "cloud", "a", hours * HOUR_S / 6, usd_per_h=rent)),
    )
    by_role = {"keep": named[0][1], "buy": named[1][1], "rent": named[2][1]}
    for crossing in _lines(named).crossings:
        for role, runs in (
            (crossing.below, crossing.runs_per_month * 0.999),
            (crossing.above, crossing.runs_per_month * 1.001),
        ):
            able = [o for o in by_role.values() if o.offer or runs <= MONTH_S / (o.run_s or 1)]
            least = min(spent_usd(one, runs, 24) for one in able)
            assert spent_usd(by_role[role], runs, 24) <= least + 1e-6 + 0.01 * abs(least)
