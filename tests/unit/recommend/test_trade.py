"""The answer beside its alternatives: who is named, what each gives up, and what is said of them."""

import msgspec
import pytest

from advisor.recommend.feasibility import Wishes, times_as_long
from advisor.recommend.ranking import Choice, choose
from advisor.recommend.trade import weigh
from advisor.records.base import Interval
from advisor.records.job.advice import Option, Reason, Trade, TradeRow
from advisor.records.job.best import best_of_each
from advisor.units import HOUR_S, MINUTE_S
from tests.unit.recommend.build import wishes
from tests.unit.report.samples import option

HERE = option("here/cpu", "this_computer", "p", 12 * HOUR_S, watts=60)  # 0.216 USD a run
BUY = option("buy/a", "single_gpu", "a", HOUR_S, purchase_usd=400)
RENT = option("rent/x/a", "cloud", "a", HOUR_S, usd_per_h=0.5)
SPOT = option("rent/x/s", "cloud", "a", HOUR_S, usd_per_h=0.1, spot=True)
QUICK = option("rent/x/b", "cloud", "b", 10 * MINUTE_S, usd_per_h=6.0)


def _trade(options: list[Option], asked: Wishes | None = None) -> tuple[Choice, Trade]:
    asked = asked or wishes()
    choice = choose(options, asked)
    trade = weigh(options, asked, choice)
    assert trade is not None
    return choice, trade


def _compared(trade: Trade) -> list[Reason]:
    return [reason for reason in trade.reasons if not reason.code.startswith("twice")]


def _codes(trade: Trade) -> list[str]:
    return [reason.code for reason in _compared(trade)]


def test_the_answer_leads_and_each_row_says_what_it_gives_up() -> None:
    """Staying waits longest; renting needs an account; buying costs at once; the spot machine may go away."""
    choice, trade = _trade([HERE, BUY, RENT, SPOT, QUICK])
    assert choice.option == HERE
    rows = {row.option: row for row in trade.rows}
    assert trade.rows[0].option == HERE.id
    assert rows[HERE.id].roles == ("recommended", "stay")
    assert rows[BUY.id].roles == ("buy",)
    assert rows[RENT.id].roles == ("rent",)
    assert rows[SPOT.id].roles == ("cheapest",)
    assert rows[QUICK.id].roles == ("quickest",)
    given_up = {name: {one.code for one in row.gives_up} for name, row in rows.items()}
    assert given_up[HERE.id] == {"takes_longer", "costs_more"}
    assert given_up[BUY.id] == {"takes_longer", "costs_more", "paid_at_once"}
    assert given_up[RENT.id] == {"takes_longer", "costs_more", "needs_account"}
    assert given_up[SPOT.id] == {"takes_longer", "needs_account", "interruptible"}
    assert given_up[QUICK.id] == {"costs_more", "needs_account"}


def test_a_machine_that_starts_for_longer_than_the_run_takes_is_not_the_quickest() -> None:
    """A run of three minutes has ended before a rented machine is there; how long that takes is said."""
    here = option("here/cpu", "this_computer", "p", 3 * MINUTE_S, watts=60)
    rent = msgspec.structs.replace(
        option("rent/x/a", "cloud", "a", MINUTE_S / 4, usd_per_h=0.01), before_s=5 * MINUTE_S, horizon_usd=0.001
    )
    _choice, trade = _trade([here, rent])
    rows = {row.option: row for row in trade.rows}
    assert rows[here.id].roles == ("recommended", "stay", "quickest")
    longer, *others = rows[rent.id].gives_up
    assert [one.code for one in others] == ["needs_account", "starts_late"]
    times = {"times": pytest.approx(315 / 180), "run_s": 315.0, "shortest_s": 180.0}
    assert longer.values == times | {"before_s": 300.0}, "with its start"


def test_a_start_counts_in_what_takes_longer() -> None:
    """A run of 17 seconds that starts after 12 minutes: staying for 5 hours takes 24 times as long, not 1,100."""
    here = option("here/cpu", "this_computer", "p", 5 * HOUR_S, watts=60)
    rent = msgspec.structs.replace(option("rent/x/a", "cloud", "a", 17.0, usd_per_h=0.5), before_s=720.0)
    _choice, trade = _trade([here, rent])
    [longer] = [one for row in trade.rows for one in row.gives_up if one.code == "takes_longer"]
    assert longer.values["times"] == pytest.approx(18_000 / 737) == times_as_long(here, rent)


def test_nothing_is_the_quickest_that_takes_longer_than_the_answer() -> None:
    """Several cards are the answer, for the others may be late; they cost many times the cheapest that is in time."""
    slow = option("rent/x/a", "cloud", "a", 40 * MINUTE_S, usd_per_h=0.1)
    slow = msgspec.structs.replace(slow, interval=Interval(low=20 * MINUTE_S, high=9 * HOUR_S))
    alike = msgspec.structs.replace(slow, id="rent/x/c", run_s=21 * MINUTE_S)
    sure = option("rent/x/b", "cloud", "b", 20 * MINUTE_S, usd_per_h=9.0)
    asked = wishes(deadline_s=HOUR_S)
    trade = weigh([sure, slow, alike], asked, Choice("cloud", sure))
    assert trade is not None
    rows = {row.option: row for row in trade.rows}
    assert rows[sure.id].roles == ("recommended", "rent", "quickest")


def test_weights_that_are_fetched_once_make_no_slower_card_a_gain() -> None:
    """Its result is there sooner the first time; computing takes longer and costs more."""
    here = option("here/cuda:0", "this_computer", "c", 4 * MINUTE_S, watts=60)
    here = msgspec.structs.replace(here, before_s=20 * MINUTE_S)
    _choice, trade = _trade([here, option("rent/x/a", "cloud", "a", 9 * MINUTE_S, usd_per_h=0.5)])
    assert [row.option for row in trade.rows] == [here.id]


def test_a_rent_that_saves_two_minutes_with_its_start_is_no_gain() -> None:
    """Four A100 for 34 seconds, after 11 minutes of start, were the rent to weigh against 14 minutes here."""
    here = option("here/cuda:0", "this_computer", "c", 14 * MINUTE_S, watts=60)
    rent = msgspec.structs.replace(option("rent/x/a", "cloud", "a", 34.0, usd_per_h=6.0), before_s=11 * MINUTE_S)
    choice, trade = _trade([here, rent])
    assert [row.option for row in trade.rows] == [here.id]
    ranked = [here, rent, option("rent/x/b", "cloud", "b", 8 * MINUTE_S, usd_per_h=0.5)]
    forged = msgspec.structs.replace(trade, rows=(*trade.rows, TradeRow(option=rent.id, roles=("rent",), busy_s=68.0)))
    able = [msgspec.structs.replace(one, feasible=True) for one in (ranked[0], ranked[2], ranked[1])]
    assert best_of_each(able, choice.option, forged)["cloud"].id == "rent/x/b", "its run alone was compared"


def test_who_has_a_better_card_buys_no_weaker_one_with_a_new_computer() -> None:
    """Beside an RTX 5060 Ti that waits for the processor an RTX 3050 in a new PC was offered: moving it would do."""
    here = option("here/cuda:0", "this_computer", "strong", 4 * HOUR_S, watts=60)
    weak = option("buy/weak", "single_gpu", "weak", HOUR_S, purchase_usd=843, host_usd=640)
    same = option("buy/strong", "single_gpu", "strong", 0.9 * HOUR_S, purchase_usd=1100, host_usd=640)
    best = option("buy/best", "single_gpu", "best", 0.5 * HOUR_S, purchase_usd=2600, host_usd=640)
    choice, trade = _trade([here, weak, same, best])
    assert choice.option == here
    assert [row.option for row in trade.rows if "buy" in row.roles] == [same.id]
    able = [msgspec.structs.replace(one, feasible=True) for one in (here, weak, same, best)]
    assert best_of_each(able, here, None)["single_gpu"].id == same.id
    _choice, trade = _trade([here, weak, best])
    assert [row.option for row in trade.rows if "buy" in row.roles] == [weak.id], "nobody sells what is here"


def test_hours_a_month_are_runs_times_hours() -> None:
    """Twelve hours twice a month."""
    _choice, trade = _trade([HERE, RENT])
    assert trade.rows[0].busy_s == pytest.approx(24 * HOUR_S)


def test_what_waiting_less_would_cost_is_said() -> None:
    """Twelve hours are a night; an hour elsewhere costs 48 x (0.50 - 0.216) USD more in two years."""
    _choice, trade = _trade([HERE, RENT])
    [said] = _compared(trade)
    assert said.code == "stay_overnight"
    assert said.values["extra_usd"] == pytest.approx(48 * (0.5 - 0.216))


def test_staying_though_a_rent_is_cheaper_and_quicker_is_said() -> None:
    """An hour at 0.10 USD against 0.216 USD of electricity."""
    _choice, trade = _trade([HERE, option("rent/x/c", "cloud", "c", HOUR_S, usd_per_h=0.1)])
    [said] = _compared(trade)
    assert said.code == "stay_though_dearer"
    assert (said.values["rival_usd"], said.values["chosen_usd"]) == (
        pytest.approx(48 * 0.1),
        pytest.approx(48 * 0.216),
    )


def test_minutes_are_not_worth_another_computer() -> None:
    """Who waits five minutes gains nothing from a machine that takes as long to start."""
    _choice, trade = _trade([option("here/cpu", "this_computer", "p", 5 * MINUTE_S), QUICK])
    assert trade.reasons == ()


@pytest.mark.parametrize(("runs", "said"), [(10.0, []), (20.0, ["load"]), (29.0, ["load"]), (61.0, None)], ids=str)
def test_a_computer_that_is_busy_for_days_is_said_to_be(runs: float, said: list[str] | None) -> None:
    """From a quarter of 730 hours on; beyond all of them it cannot be the answer."""
    choice, trade = _trade([HERE], wishes(runs_per_month=runs))
    if said is None:
        assert choice.relaxed
    else:
        assert _codes(trade) == said


def test_the_slow_end_of_the_interval_may_exceed_a_month() -> None:
    """Forty runs of twelve hours are 480 hours; at twice as long they are more than a month has."""
    vague = option("here/cpu", "this_computer", "p", 12 * HOUR_S, spread=2.0)
    _choice, trade = _trade([vague], wishes(runs_per_month=40.0))
    [said] = _compared(trade)
    assert said.code == "load_may_exceed"
    assert said.values["high_hours"] == pytest.approx(960, rel=0.01)


def test_a_computer_busy_half_of_all_hours_gives_way_to_what_is_cheaper_and_quicker() -> None:
    """Forty runs of twelve hours: rented at less than the electricity, in a twelfth of the time."""
    cheap = option("rent/x/c", "cloud", "c", HOUR_S, usd_per_h=0.1)
    often = wishes(runs_per_month=40.0)
    assert choose([HERE, cheap], often).option == cheap
    assert choose([HERE, cheap], wishes(runs_per_month=20.0)).option == HERE
    assert choose([HERE, RENT], often).option == HERE  # dearer than staying


def test_of_what_is_bought_or_rented_the_quick_and_the_cheap_are_compared() -> None:
    """Who must go elsewhere is told what haste costs, and why the cheapest is not the answer."""
    slow = option("rent/x/a", "cloud", "a", 3 * HOUR_S, usd_per_h=0.5)
    quick = option("rent/x/b", "cloud", "b", HOUR_S, usd_per_h=3.0)
    _choice, trade = _trade([HERE, slow, quick, SPOT], wishes(deadline_s=6 * HOUR_S))
    reasons = {one.code: one.values for one in trade.reasons}
    assert reasons.keys() == {"rather_quick", "rather_cheap", "twice"}
    assert reasons["rather_quick"]["option"] == quick.id
    assert (reasons["rather_cheap"]["option"], reasons["rather_cheap"]["why"]) == (SPOT.id, "interruptible")


def test_a_cluster_or_nothing_is_not_weighed() -> None:
    """There is nothing beside it."""
    assert weigh([HERE], wishes(), Choice("cluster", None)) is None
    assert weigh([], wishes(), Choice("this_computer", None)) is None


def test_beside_an_answer_that_cannot_be_late_others_give_that_up() -> None:
    """A cheaper purchase that is late if its data are loaded badly says so."""
    sure = option("rent/x/a", "cloud", "a", HOUR_S, usd_per_h=1.0)
    risky = option("buy/a", "single_gpu", "a", 2 * HOUR_S, purchase_usd=20)
    risky = msgspec.structs.replace(risky, interval=Interval(low=HOUR_S, high=20 * HOUR_S))
    asked = wishes(deadline_s=12 * HOUR_S)
    found = weigh([sure, risky], asked, Choice("cloud", sure))
    assert found is not None
    [row] = [row for row in found.rows if row.option == "buy/a"]
    assert "may_be_late" in {reason.code for reason in row.gives_up}


def test_nobody_buys_a_slower_card_to_save_electricity() -> None:
    """It is neither the best purchase beside a computer that is enough, nor what an overloaded one gives way to."""
    thrifty = option("buy/t", "single_gpu", "t", 13 * HOUR_S, purchase_usd=1.0)
    _choice, trade = _trade([HERE, thrifty])
    assert "buy" not in {role for row in trade.rows for role in row.roles}
    relief = option("rent/x/c", "cloud", "c", HOUR_S, usd_per_h=0.1)
    slow = option("rent/x/t", "cloud", "t", 13 * HOUR_S, usd_per_h=0.001)
    assert choose([HERE, relief, slow], wishes(runs_per_month=40.0)).option == relief


def test_a_card_that_no_framework_of_today_uses_is_no_alternative() -> None:
    """It would be the cheapest and the quickest, and nobody could run anything on it."""
    old = option("here/cuda:0", "this_computer", "K80", MINUTE_S, watts=10)
    _choice, trade = _trade([HERE, old, RENT], wishes(left_behind=frozenset({old.device})))
    assert old.id not in {row.option for row in trade.rows}


def test_a_quicker_purchase_is_measured_against_a_rent_with_its_start() -> None:
    """Four minutes instead of three and a half are no gain; instead of those and twelve of start they are."""
    late = msgspec.structs.replace(option("rent/x/a", "cloud", "a", 3.5 * MINUTE_S, usd_per_h=20.0), before_s=1e3)
    buy = option("buy/a", "single_gpu", "b", 4 * MINUTE_S, purchase_usd=100)
    _choice, trade = _trade([late, buy], wishes(deadline_s=HOUR_S))
    [quick] = [reason for reason in trade.reasons if reason.code == "rather_quick"]
    assert quick.values["chosen_before_s"] == 1e3


def test_who_waits_for_a_hard_disk_is_not_sold_a_card_alone() -> None:
    """The card is quicker because a new computer comes with it, and with a solid-state drive."""
    slow = option("here/cuda:0", "this_computer", "a", 20 * HOUR_S, watts=200)
    assert slow.prediction is not None
    slow = msgspec.structs.replace(slow, prediction=msgspec.structs.replace(slow.prediction, limit="disk"))
    new = msgspec.structs.replace(BUY, host_usd=300.0)
    for here, limit in ((slow, "disk"), (HERE, None)):
        _choice, trade = _trade([here, new])
        [sold] = [reason for reason in trade.reasons if reason.code == "stay_or_buy"]
        assert sold.values.get("limit") == limit


def test_what_is_named_before_the_load_is_not_named_again_after_it() -> None:
    """Who computes 250 of 730 hours hears of the load last, and of what is twice as fast once."""
    _choice, trade = _trade([HERE, RENT], wishes(runs_per_month=25.0))
    assert [one.code for one in trade.reasons] == ["stay_overnight", "twice", "load"]
    assert trade.reasons[1].values["is_named"]
