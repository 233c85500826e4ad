"""What it costs to be at least twice as fast as this computer."""

import msgspec

from advisor.recommend.twice_as_fast import twice_as_fast
from advisor.records.job.advice import Option, Reason
from advisor.units import HOUR_S, MINUTE_S, YEAR_S
from tests.unit.recommend.build import wishes
from tests.unit.report.samples import option

HERE = option("here/cpu", "this_computer", "p", 12 * HOUR_S, watts=60)
BUY = option("buy/a", "single_gpu", "a", HOUR_S, purchase_usd=400)
RENT = option("rent/x/a", "cloud", "a", HOUR_S, usd_per_h=0.5)
HALF = option("rent/x/h", "cloud", "h", 7 * HOUR_S, usd_per_h=0.01)
SPOT = option("rent/x/s", "cloud", "a", HOUR_S, usd_per_h=0.1, spot=True)
OPTIONS = [HERE, BUY, RENT, HALF, SPOT]


def _said(options: list[Option], chosen: Option = HERE, named: str | None = None, **changes: object) -> Reason:
    found = twice_as_fast(options, chosen, named, wishes(**changes))
    assert found is not None
    return found


def test_the_cheapest_that_can_be_counted_on_is_named() -> None:
    """Not what takes more than half as long, nor what may be interrupted; 48 runs of an hour at 0.50 are 24 USD."""
    said = _said(OPTIONS)
    assert (said.code, said.values["option"], said.values["rival_usd"]) == ("twice", RENT.id, RENT.horizon_usd)
    assert said.values["base_usd"] == HERE.horizon_usd
    assert not {"is_answer", "is_named", "budget_usd"} & said.values.keys()


def test_what_was_named_before_or_is_the_answer_is_known() -> None:
    """Then nothing has to be told a second time."""
    assert _said(OPTIONS, named=RENT.id).values["is_named"]
    assert _said(OPTIONS, chosen=RENT).values["is_answer"]


def test_nothing_is_sold_to_halve_a_lifetime() -> None:
    """A thousand years, or five hundred for money."""
    here, buy = (
        option(name, tier, "p", years * YEAR_S, purchase_usd=usd)  # type: ignore[arg-type]
        for name, tier, years, usd in (("here/cpu", "this_computer", 1000, 0), ("buy/a", "single_gpu", 500, 400))
    )
    assert twice_as_fast([here, buy], buy, None, wishes()) is None
    rent = option("rent/x/a", "cloud", "a", HOUR_S, usd_per_h=0.5)
    assert twice_as_fast([here, buy, rent], rent, None, wishes()) is None, "nor where another does it in an hour"


def test_who_cannot_pay_hears_the_price() -> None:
    """Data that must stay can only be bought for; a budget of nothing is said."""
    stays = _said(OPTIONS, data_must_stay=True)
    assert stays.values["option"] == BUY.id
    assert _said(OPTIONS, data_must_stay=True, budget_usd=0.0).values["budget_usd"] == 0.0


def test_a_rent_that_only_starts_too_late_is_told() -> None:
    """Of 27 minutes a rent computes 13 and starts 12: for less than a card of 14, but not twice as fast."""
    here = option("here/gpu/0", "this_computer", "g", 28 * MINUTE_S, watts=300)
    card = option("buy/b", "single_gpu", "b", 14 * MINUTE_S, purchase_usd=400)
    rent = msgspec.structs.replace(
        option("rent/x/b", "cloud", "b", 13 * MINUTE_S, usd_per_h=0.1), before_s=12 * MINUTE_S
    )
    said = _said([here, card, rent], chosen=here)
    assert (said.values["option"], said.values["start_s"]) == (card.id, rent.before_s)
    assert _said([here, rent], chosen=here).values["start_s"] == rent.before_s
    assert "start_s" not in _said([here, card, rent], chosen=here, data_must_stay=True).values
    dear = msgspec.structs.replace(rent, horizon_usd=10_000.0)
    assert "start_s" not in _said([here, card, dear], chosen=here).values


def test_nothing_twice_as_fast_and_nobody_waiting() -> None:
    """The first is said, the second is not asked; what cannot do the job is no measure."""
    assert _said([HERE, HALF]).code == "twice_none"
    short = msgspec.structs.replace(HERE, run_s=5 * MINUTE_S)
    assert twice_as_fast([short, BUY], short, None, wishes()) is None
    assert twice_as_fast([BUY, RENT], RENT, None, wishes()) is None


def test_what_is_in_time_comes_before_what_is_late() -> None:
    """Who must be done in two hours is not told of five, unless nothing else is twice as fast."""
    slow = option("rent/x/s", "cloud", "s", 5 * HOUR_S, usd_per_h=0.01)
    assert _said([HERE, RENT, slow], chosen=RENT, deadline_s=2 * HOUR_S).values["option"] == RENT.id
    assert _said([HERE, slow], deadline_s=2 * HOUR_S).values["option"] == slow.id


def test_an_answer_that_costs_too_much_is_not_outbid_by_what_costs_more() -> None:
    """Over budget and in time comes before dearer and late, where both are twice as fast."""
    dear = option("buy/d", "single_gpu", "d", 5 * HOUR_S, purchase_usd=2000)
    said = _said([HERE, BUY, dear], chosen=BUY, budget_usd=20.0, deadline_s=4 * HOUR_S)
    assert said.values["option"] == BUY.id
    assert said.values["is_answer"]


def test_a_card_that_no_framework_of_today_uses_halves_nothing() -> None:
    """Unless it is the answer, for somebody saw it compute."""
    old = option("here/cuda:0", "this_computer", "K80", HOUR_S, watts=300)
    said = _said([HERE, old, RENT], left_behind=frozenset({old.device}))
    assert said.values["option"] == RENT.id
