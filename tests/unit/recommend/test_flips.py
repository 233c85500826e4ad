"""What would change the answer: the nearest change of one fact that leads to another tier."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.recommend.feasibility import Wishes
from advisor.recommend.flips import find_flips, frontier, search
from advisor.recommend.ranking import choose
from advisor.records.job.advice import Flip, Option
from advisor.units import DAY_S, HOUR_S, MINUTE_S, MONTH_S
from tests.unit.recommend.build import wishes
from tests.unit.report.samples import option

HERE = option("here/cpu", "this_computer", "p", 30 * HOUR_S)
BUY = option("buy/a", "single_gpu", "a", 2 * HOUR_S, purchase_usd=400)
RENT = option("rent/x/a", "cloud", "a", 3 * HOUR_S, usd_per_h=0.5)


def _flips(options: list[Option], asked: Wishes, batch_size: int = 32) -> dict[str, list[Flip]]:
    found = find_flips(
        options,
        asked,
        choose(options, asked),
        batch_size=batch_size,
        is_scalable=True,
        deadline_for=lambda runs: min(7 * DAY_S, MONTH_S / runs),
    )
    return {name: [flip for flip in found if flip.fact == name] for name in {flip.fact for flip in found}}


def at_most_s(option: Option) -> float:
    """Return the upper end of an option's duration."""
    assert option.interval is not None
    return option.interval.high


def test_patience_keeps_this_computer() -> None:
    """From what the run may take at most, this computer surely meets the deadline."""
    [longer] = _flips([HERE, RENT], wishes(deadline_s=12 * HOUR_S))["deadline_s"]
    assert (longer.now, longer.then, longer.tier, longer.option) == (
        12 * HOUR_S,
        at_most_s(HERE),
        "this_computer",
        HERE.id,
    )


def test_haste_leaves_this_computer() -> None:
    """Below what the run may take, the next answer takes over; a deadline nobody asked for has no ``now``."""
    [shorter] = _flips([HERE, RENT], wishes(deadline_is_default=True))["deadline_s"]
    assert (shorter.now, shorter.then, shorter.tier) == (None, at_most_s(HERE), "cloud")


def test_a_deadline_that_holds_for_a_minute_is_no_flip() -> None:
    """Who asks with the rounded time must get the answer that was named: a purchase led for one minute alone."""
    slow = option("rent/x/a", "cloud", "a", 61 * MINUTE_S, usd_per_h=0.1)
    bought = option("buy/a", "single_gpu", "a", 60 * MINUTE_S, purchase_usd=400)
    quick = option("rent/x/b", "cloud", "b", 20 * MINUTE_S, usd_per_h=200)
    [flip] = _flips([slow, bought], wishes(deadline_s=6 * HOUR_S))["deadline_s"]
    assert flip.tier == "single_gpu"
    assert "deadline_s" not in _flips([slow, bought, quick], wishes(deadline_s=6 * HOUR_S))


def test_one_run_becomes_no_share_of_a_run_a_month() -> None:
    """What more of them would cost stands beside what each way costs."""
    for is_default in (True, False):
        asked = wishes(deadline_s=12 * HOUR_S, deadline_is_default=is_default, runs_per_month=1 / 24, priced_runs=1.0)
        assert "runs_per_month" not in _flips([HERE, BUY, RENT], asked)


def test_more_runs_pay_for_a_card() -> None:
    """The number of runs from which buying is cheaper than renting, within 2 %."""
    asked = wishes(deadline_s=12 * HOUR_S)
    [more] = _flips([HERE, BUY, RENT], asked)["runs_per_month"]
    # 240 + 24 r x 0.12 = 24 r x 1.5
    assert more.then == pytest.approx(240 / 24 / (1.5 - 0.12), rel=0.02)
    assert more.tier == "single_gpu"


def test_fewer_runs_speak_for_rent() -> None:
    """The other way round, from a purchase."""
    asked = wishes(deadline_s=12 * HOUR_S, runs_per_month=20.0, priced_runs=480.0)
    options = [
        HERE,
        option("buy/a", "single_gpu", "a", 2 * HOUR_S, purchase_usd=400, runs=480),
        option("rent/x/a", "cloud", "a", 3 * HOUR_S, usd_per_h=0.5, runs=480),
    ]
    flips = _flips(options, asked)["runs_per_month"]
    # above, the one machine would be busy all month; below, renting is cheaper
    assert [flip.tier for flip in flips] == ["cloud", "cloud"]
    assert flips[0].then == pytest.approx(MONTH_S / (2 * HOUR_S), rel=0.02)
    assert flips[1].then == pytest.approx(240 / 24 / (1.5 - 0.12), rel=0.02)


def test_more_runs_shorten_a_deadline_nobody_asked_for() -> None:
    """The time between runs is the deadline; before it is reached, this computer is busy half of all hours."""
    flips = _flips([HERE, RENT], wishes(deadline_is_default=True))["runs_per_month"]
    assert flips[0].tier == "cloud"
    assert flips[0].then == pytest.approx(MONTH_S / 2 / (30 * HOUR_S), rel=0.02)


def test_a_larger_budget_buys() -> None:
    """The budget from which another tier is within it."""
    asked = wishes(deadline_s=12 * HOUR_S, budget_usd=350.0, runs_per_month=20.0, priced_runs=480.0)
    options = [
        HERE,
        option("buy/a", "single_gpu", "a", 2 * HOUR_S, purchase_usd=400, runs=480),
        option("rent/x/a", "cloud", "a", 3 * HOUR_S, usd_per_h=0.23, runs=480),
    ]
    flips = _flips(options, asked)["budget_usd"]
    assert [(flip.now, flip.then, flip.tier) for flip in flips] == [(350.0, 400.0, "single_gpu")]


def test_a_smaller_budget_rents() -> None:
    """The outlay below which the purchase is out of reach."""
    asked = wishes(deadline_s=12 * HOUR_S, runs_per_month=20.0, priced_runs=480.0)
    options = [
        option("buy/a", "single_gpu", "a", 2 * HOUR_S, purchase_usd=600, runs=480),
        option("rent/x/a", "cloud", "a", 3 * HOUR_S, usd_per_h=0.4, runs=480),
    ]
    [flip] = _flips(options, asked)["budget_usd"]
    assert (flip.now, flip.tier) == (None, "cloud")
    assert flip.then == pytest.approx(600.0)


def test_a_budget_that_was_too_small_names_the_one_that_is_not() -> None:
    """After a forced answer, the flip is the outlay that makes it a free one."""
    asked = wishes(deadline_s=12 * HOUR_S, budget_usd=5.0)
    [flip] = _flips([HERE, RENT], asked)["budget_usd"]
    assert (flip.then, flip.tier) == (72.0, "cloud")


def test_data_that_must_stay_speaks_for_a_purchase() -> None:
    """What the answer would be if the data could not leave."""
    [flip] = _flips([HERE, BUY, RENT], wishes(deadline_s=12 * HOUR_S))["data_must_stay"]
    assert (flip.now, flip.then, flip.tier, flip.option) == (False, True, "single_gpu", BUY.id)


def test_a_smaller_batch_may_fit_here() -> None:
    """The largest batch that fits this computer, where it is smaller than the one asked."""
    small = option("here/cuda:0", "this_computer", "c", HOUR_S, needed_gib=14, memory_gib=6)
    [flip] = _flips([small, RENT], wishes())["batch_size"]
    assert (flip.now, flip.then, flip.tier) == (32, 8, "this_computer")
    assert "batch_size" not in _flips([small, RENT], wishes(), batch_size=8)


def test_a_smaller_batch_that_is_too_slow_is_no_flip() -> None:
    """Fitting is not enough, the deadline must be met as well."""
    small = option("here/cuda:0", "this_computer", "c", 20 * DAY_S, needed_gib=14, memory_gib=6)
    assert "batch_size" not in _flips([small, RENT], wishes())


def test_what_nothing_changes_has_no_flip() -> None:
    """A computer that is always enough has nothing to say about money or runs."""
    quick = option("here/cpu", "this_computer", "p", 30.0)
    assert _flips([quick], wishes()) == {}


def test_only_options_that_can_be_chosen_are_asked() -> None:
    """What is slower and dearer than another of its kind is left out; unknown times stay."""
    worse = option("rent/x/b", "cloud", "b", 4 * HOUR_S, usd_per_h=0.5)
    spot = option("rent/x/c", "cloud", "c", 4 * HOUR_S, usd_per_h=0.1, spot=True)
    unknown = option("rent/x/d", "cloud", "d", None, usd_per_h=1)
    kept = {one.id for one in frontier([worse, RENT, spot, unknown, HERE], wishes())}
    assert kept == {RENT.id, spot.id, unknown.id, HERE.id}


def test_a_surer_option_is_not_beaten_by_a_faster_one() -> None:
    """Where the faster and cheaper one may miss the deadline, the surer is chosen; so it is asked about."""
    unsure = option("rent/x/b", "cloud", "b", 2.9 * HOUR_S, usd_per_h=0.4, spread=3.0)
    kept = {one.id for one in frontier([unsure, RENT], wishes())}
    assert kept == {unsure.id, RENT.id}
    asked = wishes(deadline_s=4 * HOUR_S)
    assert choose(frontier([unsure, RENT], asked), asked).option == RENT


def test_of_what_does_not_fit_the_larger_batch_stays() -> None:
    """A slower card that would hold a larger batch may be the answer to a smaller one."""
    small = option("buy/a", "single_gpu", "a", 2 * HOUR_S, purchase_usd=400, needed_gib=14, memory_gib=6)
    assert small.prediction is not None
    assert small.prediction.memory is not None
    memory = msgspec.structs.replace(small.prediction.memory, largest_batch=16)
    prediction = msgspec.structs.replace(small.prediction, memory=memory)
    roomy = msgspec.structs.replace(small, id="buy/b", run_s=3 * HOUR_S, prediction=prediction)
    assert {one.id for one in frontier([small, roomy], wishes())} == {small.id, roomy.id}


def test_a_far_away_change_is_no_flip() -> None:
    """A deadline below a tenth of the answer's time, or runs fifty times as many, are another question."""
    slow = option("rent/x/a", "cloud", "a", 20 * HOUR_S, usd_per_h=0.05)
    quicker = option("rent/x/b", "cloud", "b", HOUR_S, usd_per_h=2.0)
    dear = option("buy/q", "single_gpu", "q", 300.0, purchase_usd=90000)
    flips = _flips([slow, quicker, dear], wishes())
    assert "deadline_s" not in flips
    assert "runs_per_month" not in flips


def test_the_frontier_keeps_the_choice() -> None:
    """Leaving out what is beaten everywhere does not change the answer."""
    options = [
        option(f"rent/x/{n}", "cloud", f"d{n}", (n % 7 + 1) * HOUR_S, usd_per_h=(n % 5 + 1) * 0.3) for n in range(40)
    ]
    for deadline_s in (1.5 * HOUR_S, 3 * HOUR_S, 9 * HOUR_S):
        asked = wishes(deadline_s=deadline_s)
        first, second = choose(options, asked).option, choose(frontier(options, asked), asked).option
        assert first is not None
        assert second is not None
        assert first.horizon_usd == pytest.approx(second.horizon_usd)


@given(limit=st.floats(0.02, 900.0), now=st.just(1.0))
def test_the_search_finds_a_limit_within_two_percent(limit: float, now: float) -> None:
    """A threshold above or below is found from its own side."""
    if limit > now:
        found = search(lambda value: value >= limit, now, 1000.0)
        assert found is not None
        assert limit <= found <= limit * 1.02
    elif limit < now:
        found = search(lambda value: value <= limit, now, 0.01)
        assert found is not None
        assert limit / 1.02 <= found <= limit


def test_the_search_ends_where_nothing_changes() -> None:
    """Without a threshold on the way there is no answer."""
    assert search(lambda _value: False, 1.0, 1000.0) is None
    assert search(lambda _value: False, 1.0, 0.001) is None


def test_flips_of_a_forced_deadline() -> None:
    """Where nothing is in time, only free answers count as flips."""
    asked = wishes(deadline_s=60.0)
    flips = _flips([HERE, RENT], asked)["deadline_s"]
    assert flips[0].tier == "this_computer"
    assert flips[0].then == at_most_s(HERE)


def test_unknown_prices_do_not_stop_the_search() -> None:
    """An option without price is beaten by any of its kind that is as fast and has one."""
    bare = msgspec.structs.replace(BUY, id="buy/b", horizon_usd=None)
    assert [one.id for one in frontier([BUY, bare], wishes())] == [BUY.id]
