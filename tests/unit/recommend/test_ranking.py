"""The choice: cheapest feasible, this computer first, ties named, a cluster only where nothing else will do."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.recommend.feasibility import cost, latest_s, longest_s, obstacle
from advisor.recommend.near_ties import either
from advisor.recommend.ranking import Choice, cheapest, choose, late_values, may_miss, ranked
from advisor.records.base import Interval
from advisor.records.job.advice import Option, Tier
from advisor.units import DAY_S, HOUR_S
from tests.unit.recommend.build import wishes
from tests.unit.report.samples import option

SLOW_HERE = option("here/cpu", "this_computer", "p", 30 * HOUR_S)
CARD_HERE = option("here/cuda:0", "this_computer", "c", 2 * HOUR_S)
BUY = option("buy/a", "single_gpu", "a", 2 * HOUR_S, purchase_usd=400)
RENT = option("rent/x/a", "cloud", "a", 3 * HOUR_S, usd_per_h=0.5)
SPOT = option("rent/x/spot", "cloud", "a", 3 * HOUR_S, usd_per_h=0.1, spot=True)
CLUSTER = option("cluster/x/16", "cluster", "h", HOUR_S, usd_per_h=900, count=128)


def test_this_computer_comes_first_when_it_meets_the_wishes() -> None:
    """What is owned and in time wins over anything, even over a cheaper hour elsewhere."""
    cheap = option("rent/x/b", "cloud", "b", 60.0, usd_per_h=0.001)
    assert choose([cheap, BUY, SLOW_HERE], wishes()) == Choice("this_computer", SLOW_HERE)


def test_the_faster_device_of_this_computer_is_named() -> None:
    """Of processor and card, the faster one is the answer."""
    assert choose([SLOW_HERE, CARD_HERE], wishes()).option == CARD_HERE


def test_elsewhere_the_cheapest_that_meets_the_wishes_wins() -> None:
    """Rent for few runs, a purchase for many."""
    options = [SLOW_HERE, BUY, RENT]
    assert choose(options, wishes(deadline_s=12 * HOUR_S)).option == RENT
    many = wishes(deadline_s=12 * HOUR_S, runs_per_month=50.0)
    assert choose(options, many).option == BUY


def test_nothing_is_bought_for_one_run_that_is_wanted_within_minutes() -> None:
    """Where nothing is fast enough, the fastest that could be there, not a card that comes by mail."""
    once = wishes(deadline_s=60.0, runs_per_month=1 / 24)
    assert choose([SLOW_HERE, BUY, RENT], once).option == RENT
    assert choose([SLOW_HERE, BUY, RENT], wishes(deadline_s=60.0)).option == BUY


def test_of_equal_costs_the_faster_wins() -> None:
    """Within a hundredth, time decides."""
    quick = option("rent/x/b", "cloud", "b", HOUR_S, usd_per_h=1.505)
    assert choose([RENT, quick], wishes()).option == quick


@pytest.mark.parametrize(("usd", "is_one"), [(600.0, True), (900.0, False)])
def test_one_card_goes_before_two_that_cost_little_less(usd: float, is_one: bool) -> None:
    """Two ask for a changed script, slots and power: they must cost less than half."""
    one = option("buy/one", "single_gpu", "one", HOUR_S, purchase_usd=usd)
    two = option("buy/two", "single_gpu", "two", HOUR_S, count=2, purchase_usd=400.0)
    assert cheapest([one, two], wishes()) == (one if is_one else two)


def test_an_interruptible_machine_is_no_answer_while_another_will_do() -> None:
    """Spot offers are shown, but recommended only where nothing steady is within the wishes."""
    assert choose([SPOT, RENT], wishes()).option == RENT
    assert choose([SPOT, RENT], wishes(budget_usd=20.0)).option == SPOT


def test_a_device_without_cuda_is_no_answer_while_another_will_do() -> None:
    """Cheaper, but most programs do not run on it as they are: shown, and recommended only alone."""
    odd = option("buy/arc", "single_gpu", "arc", 2 * HOUR_S, purchase_usd=100)
    asked = wishes(less_supported=frozenset({"arc"}), data_must_stay=True)
    assert choose([odd, BUY], asked).option == BUY
    assert choose([odd], asked).option == odd
    assert [one.obstacle for one in ranked([odd, BUY], asked, BUY)] == [None, "less_supported"]
    assert either([odd, RENT], wishes(less_supported=frozenset({"arc"})), choose([RENT], wishes())) == ("cloud",)


def test_a_second_choice_says_so_be_it_dearer_or_cheaper() -> None:
    """Beside "the cheapest that can be counted on" a cheaper V100 was only called dearer than this computer."""
    old = msgspec.structs.replace(RENT, id="old", device="Tesla V100")
    asked = wishes(less_supported=frozenset({"Tesla V100", "arc"}), old_cards=frozenset({"Tesla V100"}))
    here = option("here/cpu", "this_computer", "p", 12 * HOUR_S, watts=60)
    odd = msgspec.structs.replace(RENT, id="odd", device="arc")
    found = {one.id: one for one in ranked([here, RENT, old, odd], asked, here)}
    assert (found[RENT.id].obstacle, found["old"].obstacle) == ("dearer", "less_supported")
    assert set(found["old"].obstacle_values) == {"old_card"}, "CUDA it has"
    assert set(found["odd"].obstacle_values) == {"no_cuda"}


def test_a_marketplace_is_no_answer_while_a_cloud_will_do() -> None:
    """Another customer's machine is shown with the reason, and recommended only where nothing else will do."""
    assert RENT.offer is not None
    private = msgspec.structs.replace(
        option("rent/m/a", "cloud", "a", 3 * HOUR_S, usd_per_h=0.1),
        offer=msgspec.structs.replace(RENT.offer, price_usd_per_h=0.1, is_marketplace=True),
    )
    asked = wishes()

    assert choose([private, RENT], asked).option == RENT
    assert choose([private], asked).option == private
    assert [one.obstacle for one in ranked([private, RENT], asked, RENT)] == [None, "marketplace"]


def test_the_card_that_is_owned_needs_no_current_build() -> None:
    """An old card of this computer is judged by what it does, not by what new builds support."""
    old = wishes(less_supported=frozenset({"c"}))

    assert choose([CARD_HERE, RENT], old).option == CARD_HERE


def test_a_budget_that_is_too_small_is_said() -> None:
    """The cheapest that would do is named, and that the budget had to give way."""
    found = choose([SLOW_HERE, BUY, RENT], wishes(deadline_s=12 * HOUR_S, budget_usd=5.0))
    assert found == Choice("cloud", RENT, ("budget",))


def test_a_deadline_nobody_asked_for_gives_way() -> None:
    """Without a deadline of the user's own, ten days on one computer are better than a cluster."""
    ten_days = option("rent/x/a", "cloud", "a", 10 * DAY_S, usd_per_h=1.0)
    found = choose([ten_days, CLUSTER], wishes(deadline_is_default=True))
    assert found == Choice("cloud", ten_days, ("deadline",))


def test_one_computer_in_time_goes_before_any_cluster() -> None:
    """A cluster is never advised where one computer meets the wishes, even if the cluster were cheaper."""
    cheap = option("cluster/x/2", "cluster", "h", HOUR_S, usd_per_h=0.1, count=16)
    assert choose([cheap, RENT], wishes()).option == RENT


def test_a_cluster_in_time_is_named_where_no_computer_is() -> None:
    """The cheapest cluster that meets the wishes."""
    month = option("rent/x/a", "cloud", "a", 29 * DAY_S, usd_per_h=1.0)
    assert choose([month, CLUSTER], wishes(deadline_s=DAY_S)) == Choice("cluster", CLUSTER)


def test_a_deadline_of_the_persons_own_does_not() -> None:
    """Where the user wants it sooner than any single computer can, it takes a cluster."""
    ten_days = option("rent/x/a", "cloud", "a", 10 * DAY_S, usd_per_h=1.0)
    assert choose([ten_days], wishes(deadline_s=DAY_S)) == Choice("cluster", None)
    assert choose([ten_days, CLUSTER], wishes(deadline_s=DAY_S)).option == CLUSTER


def test_a_cluster_over_budget_still_names_what_it_takes() -> None:
    """Where only a cluster would do and the budget forbids it, the nearest cluster is named."""
    ten_days = option("rent/x/a", "cloud", "a", 10 * DAY_S, usd_per_h=1.0)
    found = choose([ten_days, CLUSTER], wishes(deadline_s=DAY_S, budget_usd=10.0))
    assert found.option == CLUSTER
    assert "budget" in found.relaxed


def test_what_is_too_late_and_too_dear_says_both() -> None:
    """A cluster after the deadline for more than there is; without a budget only the deadline is given up."""
    slow = option("rent/x/a", "cloud", "a", 300 * DAY_S, usd_per_h=1.0)
    late = option("cluster/x/8", "cluster", "h", 3 * DAY_S, usd_per_h=900, count=64)
    assert choose([slow, late], wishes(deadline_s=DAY_S, budget_usd=10.0)).relaxed == ("budget", "deadline")
    assert choose([slow, late], wishes(deadline_s=DAY_S)).relaxed == ("deadline",)


def test_a_job_that_fits_no_single_computer_needs_a_cluster() -> None:
    """Not fitting anywhere is a case for a cluster, whatever the time."""
    big = option("rent/x/a", "cloud", "a", None, usd_per_h=1.0)
    tight = option("rent/x/b", "cloud", "b", HOUR_S, usd_per_h=9.0, count=8, needed_gib=200, memory_gib=80)
    assert choose([big, tight], wishes()).tier == "cluster"


def test_an_impossible_deadline_of_a_short_job_is_no_case_for_a_cluster() -> None:
    """A job of an hour is not sent to a cluster because somebody wants it in a minute."""
    found = choose([SLOW_HERE, RENT], wishes(deadline_s=60.0))
    assert found == Choice("cloud", RENT, ("deadline",))


def test_a_job_that_more_devices_do_not_speed_up_needs_no_cluster() -> None:
    """Classical machine learning that is late is late."""
    late = option("here/cpu", "this_computer", "p", 40 * DAY_S)
    found = choose([late], wishes(), is_scalable=False)
    assert found == Choice("this_computer", late, ("deadline",))


def test_without_any_prediction_there_is_no_answer() -> None:
    """Unknown times lead to no recommendation, and to no cluster either."""
    assert choose([option("here/cpu", "this_computer", "p", None)], wishes()) == Choice(
        "this_computer", None, ("prediction",)
    )
    assert choose([], wishes()).relaxed == ("prediction",)


def test_how_data_are_loaded_does_not_choose_the_device() -> None:
    """A slow loader may make this computer late, and any other as well: what hangs on the device counts."""
    loaded = _with_fed_interval(option("here/cuda:0", "this_computer", "c", 2 * HOUR_S, spread=5.0), 1.1)
    dear = option("rent/x/8", "cloud", "a", HOUR_S, usd_per_h=90.0)
    assert choose([loaded, dear], wishes(deadline_s=3 * HOUR_S)).option == loaded
    assert not may_miss(loaded, wishes(deadline_s=3 * HOUR_S))
    unsure = option("here/cuda:0", "this_computer", "c", 2 * HOUR_S, spread=5.0)
    assert choose([unsure, dear], wishes(deadline_s=3 * HOUR_S)).option == dear


def _with_fed_interval(one: Option, spread: float) -> Option:
    """Return the option with a narrower interval for data that always arrive in time."""
    assert one.prediction is not None
    step_s = one.prediction.time_per_step_s
    fed = Interval(low=step_s / spread, high=step_s * spread)
    return msgspec.structs.replace(one, prediction=msgspec.structs.replace(one.prediction, fed_interval=fed))


def test_a_card_that_saves_hardly_any_time_stays_idle() -> None:
    """Of equal cards here as few as take hardly longer are used."""
    one, two, three = (
        option(f"here/cuda:0 x{count}", "this_computer", "c", hours * HOUR_S, count=count)
        for count, hours in ((1, 34), (2, 18), (3, 17))
    )
    assert choose([one, two, three], wishes()).option == two


def test_every_loser_says_why() -> None:
    """The chosen one has no obstacle, everything else exactly one."""
    lost = option("buy/z", "single_gpu", "z", 9 * DAY_S, purchase_usd=100)
    asked = wishes(deadline_s=12 * HOUR_S)
    options = ranked([lost, SLOW_HERE, BUY, SPOT, RENT], asked, RENT)
    assert [(one.id, one.feasible, one.obstacle) for one in options] == [
        (RENT.id, True, None),
        (BUY.id, True, "dearer"),
        (SPOT.id, True, "interruptible"),
        (SLOW_HERE.id, False, "misses_deadline"),
        (lost.id, False, "misses_deadline"),
    ]
    said = options[1].obstacle_values
    assert said["extra_usd"] == pytest.approx(cost(BUY, asked) - cost(RENT, asked))  # type: ignore[operator]
    assert (said["rival_usd"], said["chosen_usd"]) == (cost(BUY, asked), cost(RENT, asked))


def test_losers_to_this_computer() -> None:
    """Slower devices of one's own are slower, cheaper ones elsewhere are not needed."""
    cheap = option("rent/x/b", "cloud", "b", 60.0, usd_per_h=0.001)
    options = ranked([SLOW_HERE, CARD_HERE, cheap], wishes(), CARD_HERE)
    assert {one.id: one.obstacle for one in options} == {
        CARD_HERE.id: None,
        SLOW_HERE.id: "slower",
        cheap.id: "not_needed",
    }


def test_an_equally_dear_loser_is_slower() -> None:
    """Where money does not decide, time does."""
    twin = option("rent/x/b", "cloud", "b", 3 * HOUR_S, usd_per_h=0.4999)
    assert ranked([RENT, twin], wishes(), RENT)[1].obstacle == "slower"


def test_a_forced_answer_shows_its_own_obstacle() -> None:
    """An answer over budget is first, but is not called feasible."""
    asked = wishes(budget_usd=5.0)
    first = ranked([BUY, RENT], asked, RENT)[0]
    assert (first.id, first.feasible, first.obstacle) == (RENT.id, False, "over_budget")


def test_without_a_choice_all_are_judged_alike() -> None:
    """Nothing loses to nothing."""
    assert [one.obstacle for one in ranked([RENT], wishes(), None)] == [None]


def test_nothing_priced_is_nothing_cheapest() -> None:
    """Options without price cannot be compared by it."""
    assert cheapest([msgspec.structs.replace(RENT, run_usd=None)], wishes()) is None


@st.composite
def _options(draw: st.DrawFn) -> list[Option]:
    numbers = draw(st.lists(st.tuples(st.floats(60, 1e6), st.floats(0.01, 50)), min_size=1, max_size=8))
    return [
        option(f"rent/x/{index}", "cloud", f"d{index}", run_s, usd_per_h=price)
        if index % 2
        else option(f"buy/{index}", "single_gpu", f"d{index}", run_s, purchase_usd=100 * price)
        for index, (run_s, price) in enumerate(numbers)
    ]


@given(options=_options(), deadline_s=st.floats(60, 1e6), budget_usd=st.floats(1, 1e5))
def test_no_feasible_option_is_cheaper_than_the_chosen_one(
    options: list[Option], deadline_s: float, budget_usd: float
) -> None:
    """Whatever is offered, nothing that meets the wishes as surely costs a hundredth less."""
    asked = wishes(deadline_s=deadline_s, budget_usd=budget_usd)
    chosen = choose(options, asked)
    able = [one for one in options if obstacle(one, asked) is None]
    sure = [one for one in able if not may_miss(one, asked)] or able
    if able:
        assert chosen.option in sure
        assert cost(chosen.option, asked) <= 1.01 * min(cost(one, asked) for one in sure)  # type: ignore[operator,type-var]
    else:
        assert chosen.relaxed or chosen.tier == "cluster"


@given(options=_options(), deadline_s=st.floats(60, 1e6))
def test_the_ranking_loses_no_option(options: list[Option], deadline_s: float) -> None:
    """Everything that was considered is in the list once, the chosen one first."""
    asked = wishes(deadline_s=deadline_s)
    chosen = choose(options, asked).option
    found = ranked(options, asked, chosen)
    assert sorted(one.id for one in found) == sorted(one.id for one in options)
    assert chosen is None or found[0].id == chosen.id


def test_a_rent_that_cannot_miss_is_worth_a_little_more() -> None:
    """However the data are loaded; a quarter more is paid for it, several times as much is not."""
    vague = option("rent/x/a", "cloud", "a", 3 * HOUR_S, usd_per_h=0.5, spread=1.1)
    assert vague.prediction is not None
    assert vague.interval is not None
    loaded = msgspec.structs.replace(
        vague,
        interval=Interval(low=2 * HOUR_S, high=20 * HOUR_S),
        prediction=msgspec.structs.replace(vague.prediction, fed_interval=vague.prediction.interval),
    )
    sure = option("rent/x/b", "cloud", "b", 2.5 * HOUR_S, usd_per_h=0.7)
    dear = option("rent/x/c", "cloud", "c", 2.5 * HOUR_S, usd_per_h=7)
    asked = wishes(deadline_s=6 * HOUR_S)
    assert choose([loaded, sure], asked).option == sure
    assert choose([loaded, dear], asked).option == loaded
    assert choose([loaded, sure], wishes(deadline_s=24 * HOUR_S)).option == loaded


def test_the_start_of_a_rent_counts_in_its_slowest_case() -> None:
    """An hour and a half at most is in time of two; with three quarters of an hour before it, it is not."""
    one = option("rent/x/a", "cloud", "a", HOUR_S, usd_per_h=1.0)
    spread = msgspec.structs.replace(one, interval=Interval(low=0.8 * HOUR_S, high=1.5 * HOUR_S))
    asked = wishes(deadline_s=2 * HOUR_S)
    assert not may_miss(spread, asked)
    assert may_miss(msgspec.structs.replace(spread, before_s=0.75 * HOUR_S), asked)


def test_some_cents_more_buy_what_cannot_miss() -> None:
    """Half a dollar a run, though it is half as much again, and not ten dollars."""
    risky, sure, dear = (
        option(f"rent/x/{name}", "cloud", name, HOUR_S, usd_per_h=usd)
        for name, usd in (("risky", 0.5), ("sure", 0.8), ("dear", 10.0))
    )
    risky = msgspec.structs.replace(risky, interval=Interval(low=0.5 * HOUR_S, high=9 * HOUR_S))
    fed = _with_fed_interval(risky, 1.0)
    asked = wishes(deadline_s=2 * HOUR_S)
    assert choose([fed, sure], asked).option == sure
    assert choose([fed, dear], asked).option == fed


def test_when_nothing_is_in_time_the_quickest_that_can_be_counted_on_is_named() -> None:
    """An interruptible machine that is late as well is no better than one that stays."""
    spot = option("rent/x/spot", "cloud", "a", 3 * HOUR_S, usd_per_h=1.0, spot=True)
    steady = option("rent/x/steady", "cloud", "b", 4 * HOUR_S, usd_per_h=3.0)
    assert choose([spot, steady], wishes(deadline_s=HOUR_S)).option == steady


def late_by_start(name: str, hours: float, usd: float, tier: Tier = "cloud") -> Option:
    """Return what computes for some hours and is ready after two."""
    rented = option(f"{tier}/x/{name}", tier, name, hours * HOUR_S, usd_per_h=usd)
    return msgspec.structs.replace(rented, before_s=2 * HOUR_S)


def test_what_only_its_start_makes_late_comes_closest_where_it_is_done_soonest() -> None:
    """16 × H200 came closest with 19 minutes, above 16 × B200 with 17: only the start of either was late."""
    asked = wishes(deadline_s=1.5 * HOUR_S)
    cheap, quick = late_by_start("cheap", 1.0, 1.0), late_by_start("quick", 0.2, 50.0)
    assert choose([cheap, quick], asked) == Choice("cloud", quick, ("deadline",))
    dearer = late_by_start("dearer", 0.2, 60.0)
    assert choose([dearer, quick], asked).option == quick, "of two that are done at once the cheaper"
    several = late_by_start("several", 0.1, 99.0, "cluster")
    assert choose([cheap, several, quick], asked) == Choice("cluster", several, ("deadline",))
    assert choose([cheap, quick], msgspec.structs.replace(asked, budget_usd=200.0)) == Choice(
        "cloud", cheap, ("deadline",)
    ), "within the budget"


def test_what_computes_too_long_comes_closest_where_it_is_done_before_a_rent_has_begun() -> None:
    """This computer needs no start."""
    here = option("here/cpu", "this_computer", "p", 1.6 * HOUR_S)
    found = choose([here, late_by_start("quick", 0.2, 50.0)], wishes(deadline_s=1.5 * HOUR_S))
    assert found == Choice("this_computer", here, ("deadline",))


def test_nothing_is_bought_for_a_single_run_that_ends_today() -> None:
    """It would have to arrive first; for runs of every month it does."""
    card = option("buy/a", "single_gpu", "a", HOUR_S, purchase_usd=500)
    rent = option("rent/x/b", "cloud", "b", HOUR_S, usd_per_h=600.0)
    assert choose([card, rent], wishes(deadline_s=6 * HOUR_S, runs_per_month=1 / 24)).option == rent
    assert choose([card, rent], wishes(deadline_s=6 * HOUR_S)).option == card
    assert obstacle(card, wishes(deadline_s=6 * HOUR_S, runs_per_month=1 / 24)) == "delivered_late"
    assert obstacle(card, wishes(deadline_s=3 * DAY_S, runs_per_month=1 / 24)) is None


def test_nothing_wins_that_another_beats_in_time_in_money_and_at_worst() -> None:
    """A card behind a slow processor seems surer, for its loading is taken for known; its whole interval says no."""
    fed = _with_fed_interval(option("buy/a", "single_gpu", "a", 11 * HOUR_S, purchase_usd=900), 1.05)
    seems_sure = msgspec.structs.replace(fed, interval=Interval(low=9 * HOUR_S, high=40 * HOUR_S))
    better = _with_fed_interval(option("buy/b", "single_gpu", "b", 9 * HOUR_S, purchase_usd=600), 1.5)
    better = msgspec.structs.replace(better, interval=Interval(low=6 * HOUR_S, high=30 * HOUR_S))
    asked = wishes(deadline_s=12 * HOUR_S, data_must_stay=True)
    assert may_miss(better, asked)
    assert not may_miss(seems_sure, asked)
    assert choose([seems_sure, better], asked).option == better
    worse = msgspec.structs.replace(better, interval=Interval(low=6 * HOUR_S, high=50 * HOUR_S))
    assert choose([seems_sure, worse], asked).option == seems_sure


def test_nobody_pays_seven_times_as_much_for_loading_that_he_can_change() -> None:
    """Half a dollar a run adds up over many runs: no more than twice the price is paid for being sure."""
    rent = _with_fed_interval(option("rent/x/a", "cloud", "a", HOUR_S, usd_per_h=0.05), 1.1)
    rent = msgspec.structs.replace(rent, interval=Interval(low=HOUR_S, high=20 * HOUR_S))
    sure = option("buy/a", "single_gpu", "a", HOUR_S, purchase_usd=700, count=4)
    often = wishes(deadline_s=12 * HOUR_S, runs_per_month=60.0)
    choice = choose([SLOW_HERE, rent, sure], often)
    assert choice.option == rent
    assert "cloud" not in either([SLOW_HERE, rent, sure], often, Choice("single_gpu", sure)), (
        "ten times cheaper is no tie"
    )


def test_a_card_that_no_framework_runs_on_gives_way_to_the_processor() -> None:
    """Unless only the card is in time; what was measured on it speaks for it."""
    slow, old = (
        option("here/cpu", "this_computer", "p", 7 * HOUR_S),
        option("here/cuda:0", "this_computer", "k", HOUR_S),
    )
    left = wishes(left_behind=frozenset({old.device}))
    assert choose([slow, old], left).option == slow
    assert next(one.obstacle for one in ranked([slow, old], left, slow) if one.id == old.id) == "less_supported"
    assert choose([slow, old], msgspec.structs.replace(left, deadline_s=2 * HOUR_S)).option == old
    assert old.prediction is not None
    seen = msgspec.structs.replace(old, prediction=msgspec.structs.replace(old.prediction, basis="measured"))
    assert choose([slow, seen], left).option == seen


def test_an_end_of_the_time_that_supposes_well_loaded_data_says_so() -> None:
    """Five hours stood beside a range of three to nine and a half."""
    fed = _with_fed_interval(option("buy/a", "single_gpu", "a", 4 * HOUR_S, purchase_usd=300, spread=2.5), 1.25)
    asked = wishes(deadline_s=4.5 * HOUR_S)
    late = latest_s(fed)
    assert late is not None
    assert late_values(fed, late, asked)["well_loaded_s"] == pytest.approx(5 * HOUR_S)
    assert "well_loaded_s" not in late_values(fed, longest_s(fed), asked)
