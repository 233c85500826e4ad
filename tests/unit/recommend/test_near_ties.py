"""Answers that are as good as the chosen one."""

from collections.abc import Sequence

import msgspec

from advisor.recommend.near_ties import either
from advisor.recommend.ranking import choose, ranked
from advisor.records.job.advice import Option
from advisor.units import DAY_S, HOUR_S, MINUTE_S
from tests.unit.recommend.build import wishes
from tests.unit.recommend.test_ranking import BUY, CARD_HERE, RENT, SLOW_HERE
from tests.unit.report.samples import option


def _tiers(options: Sequence[Option], **changes: object) -> tuple[str, ...]:
    asked = wishes(**changes)
    return either(options, asked, choose(options, asked))


def test_a_purchase_and_a_rent_of_about_the_same_cost_are_both_good() -> None:
    """Within a quarter, how often one will train is not known well enough to tell them apart."""
    rent = option("rent/x/a", "cloud", "a", 2 * HOUR_S, usd_per_h=2.7)
    assert _tiers([BUY, rent], deadline_s=DAY_S) == ("single_gpu", "cloud")


def test_unsure_times_widen_the_tie() -> None:
    """Costs up to a factor of 2 apart tie where the intervals of their times overlap."""
    rent = option("rent/x/a", "cloud", "a", 2 * HOUR_S, usd_per_h=4.0, spread=2.0)
    assert _tiers([BUY, rent]) == ("single_gpu", "cloud")
    sure = option("rent/x/a", "cloud", "a", 2 * HOUR_S, usd_per_h=4.0, spread=1.01)
    assert _tiers([BUY, sure]) == ("single_gpu",)


def test_what_is_unsure_on_both_alike_is_no_tie() -> None:
    """6 USD after resale and 288 of electricity, against 557: two thirds of the time make both two thirds."""
    buy = option("buy/a", "single_gpu", "a", HOUR_S, purchase_usd=10, watts=20_000, spread=1.5)
    rent = option("rent/x/a", "cloud", "a", HOUR_S, usd_per_h=11.6, spread=1.5)
    assert _tiers([buy, rent]) == ("single_gpu",)


def test_nobody_has_patience_for_runs_that_a_month_has_no_hours_for() -> None:
    """Two hours six hundred times a month are 1,200 of 730 hours, however patient one is."""
    here = option("here/cpu", "this_computer", "p", 2 * HOUR_S, spread=5.0)
    often = {"runs_per_month": 600.0, "deadline_s": 73 * MINUTE_S, "deadline_is_default": True}
    quick = option("buy/a", "single_gpu", "a", HOUR_S / 4, purchase_usd=400)
    assert _tiers([here, quick], **often) == ("single_gpu",)
    assert _tiers([here, quick], **often | {"runs_per_month": 60.0}) == ("single_gpu", "this_computer")


def test_a_clear_case_has_one_answer() -> None:
    """Ten times the cost is no tie."""
    assert _tiers([BUY, RENT], runs_per_month=0.1) == ("cloud",)


def test_a_price_without_interval_or_run_still_compares() -> None:
    """Missing intervals narrow the tie, they do not break it."""
    bare = msgspec.structs.replace(RENT, interval=None)
    assert _tiers([bare, BUY], runs_per_month=0.1) == ("cloud",)


def test_a_run_that_may_miss_the_deadline_names_the_next_answer() -> None:
    """Where the upper end of the interval is too late, what surely is in time is taken, and this computer named."""
    assert _tiers([SLOW_HERE, RENT], deadline_s=31 * HOUR_S) == ("cloud", "this_computer")
    asked = wishes(deadline_s=31 * HOUR_S)
    assert ranked([SLOW_HERE, RENT], asked, RENT)[1].obstacle == "may_miss_deadline"
    assert _tiers([SLOW_HERE], deadline_s=31 * HOUR_S) == ("this_computer",)


def test_days_that_nobody_agreed_to_name_the_next_answer() -> None:
    """Without a deadline of the user's own, more than a day here has an alternative."""
    assert _tiers([SLOW_HERE, RENT], deadline_is_default=True) == ("this_computer", "cloud")
    assert _tiers([CARD_HERE, RENT], deadline_is_default=True) == ("this_computer",)


def test_a_deadline_missed_by_a_little_keeps_this_computer_in() -> None:
    """Where the lower end of the interval here is in time, patience is as good as money."""
    assert _tiers([SLOW_HERE, RENT], deadline_s=29 * HOUR_S) == ("cloud", "this_computer")


def test_patience_has_an_end() -> None:
    """However unsure the time here is, several times the deadline is not "a little later"."""
    vague = option("here/cpu", "this_computer", "p", 30 * HOUR_S, spread=6.0)
    assert _tiers([vague, RENT], deadline_s=16 * HOUR_S) == ("cloud", "this_computer")
    assert _tiers([vague, RENT], deadline_s=12 * HOUR_S) == ("cloud",)


def test_after_giving_up_a_wish_nothing_is_as_good() -> None:
    """A forced answer has no equals."""
    assert _tiers([SLOW_HERE, BUY, RENT], deadline_s=12 * HOUR_S, budget_usd=5.0) == ("cloud",)
