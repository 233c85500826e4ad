"""What it costs to be at least twice as fast as this computer: the cheapest way, whatever was recommended."""

from collections.abc import Sequence

from advisor.recommend.facts import fits
from advisor.recommend.feasibility import Wishes, cost, is_fetching, obstacle
from advisor.recommend.ranking import cheapest, is_common, is_left_behind, is_steady
from advisor.records.job.advice import HARDWARE_S, FactValue, Option, Reason
from advisor.units import MINUTE_S

TWICE = 1.9
"""Rounded times on the page must not show that something is twice as fast which is said not to be."""

LEAST_WAIT_S = 10 * MINUTE_S
"""Whoever waits less than this does not ask what half of it would cost: a rented machine takes as long to start."""

_FORGIVEN = (None, "misses_deadline", "over_budget")
"""What may stand in the way of the answer to this question, the least first."""


def twice_as_fast(options: Sequence[Option], chosen: Option, named: str | None, wishes: Wishes) -> Reason | None:
    """Return the cheapest option that is at least twice as fast as the best of this computer.

    Args:
        options: All that were considered.
        chosen: The answer.
        named: Id of the option that the sentence before names, if one does.
        wishes: What is asked; who cannot pay for any such option hears the price nevertheless.

    Returns:
        ``twice`` with the option, ``twice_none`` where nothing is that fast; None where nothing here does the job, or
        nobody waits. The latter names what holds this computer back, or that only rented machines are that fast
        (``stays``). Either says how long a rented machine starts (``start_s``) that is as fast but for its start, for
        less.
    """
    base = _base(options, chosen)
    if base is None or base.run_s is None or base.run_s < LEAST_WAIT_S:
        return None
    if chosen.run_s is None or max(chosen.run_s, base.run_s) > HARDWARE_S:
        return None  # nobody is advised to pay for half of a lifetime
    computing = [
        option
        for option in options
        if option.tier in ("this_computer", "single_gpu", "cloud")
        and option.run_s is not None
        and is_steady(option)
        and is_common(option, wishes)
        and (option.id == chosen.id or not is_left_behind(option, wishes))
        and option.run_s * TWICE <= base.run_s
    ]
    fast = [option for option in computing if option.done_s * TWICE <= base.run_s]
    found, stands = None, None
    for stands in _FORGIVEN:
        found = cheapest([option for option in fast if obstacle(option, wishes) == stands], wishes)
        if found is not None:
            break
    if chosen in fast and (found is None or _usd(chosen, wishes) < _usd(found, wishes)):
        found, stands = chosen, obstacle(chosen, wishes)  # it costs more than there is, and so does all the rest
    start_s = _start_s([option for option in computing if option not in fast], found, wishes)
    if found is None:
        limit: str | None = None if base.prediction is None else base.prediction.limit
        if any(obstacle(option, wishes) == "data_must_stay" for option in fast):
            limit = "stays"
        known: dict[str, FactValue] = {"base": base.id, "run_s": base.run_s, "limit": limit}
        return Reason(code="twice_none", values=known if start_s is None else {**known, "start_s": start_s})
    values: dict[str, FactValue] = {
        "option": found.id,
        "base": base.id,
        "tier": found.tier,
        "rival_s": found.run_s,
        "run_s": base.run_s,
        "start_s": start_s,
        "before_s": None if is_fetching(found) else found.before_s or None,
        "rival_usd": cost(found, wishes),
        "base_usd": cost(base, wishes),
        "purchase_usd": found.purchase_usd or None,
        "budget_usd": wishes.budget_usd if stands == "over_budget" else None,
        "horizon_months": wishes.horizon_months,
        "runs": wishes.runs,
        "is_answer": found.id == chosen.id or None,
        "is_named": found.id == named or None,
    }
    return Reason(code="twice", values={name: value for name, value in values.items() if value is not None})


def _start_s(slow_to_start: Sequence[Option], found: Option | None, wishes: Wishes) -> float | None:
    """Return how long the cheapest machine to rent starts that computes as fast for less than a purchase, if any."""
    rents = [one for one in slow_to_start if one.tier == "cloud" and obstacle(one, wishes) is None]
    rent = cheapest(rents, wishes)
    if rent is None or (found is not None and found.tier != "single_gpu"):
        return None
    most_usd = None if found is None else cost(found, wishes)
    rent_usd = cost(rent, wishes)
    is_dearer = most_usd is not None and rent_usd is not None and rent_usd >= most_usd
    return None if is_dearer else rent.before_s


def _usd(option: Option, wishes: Wishes) -> float:
    total = cost(option, wishes)
    return float("inf") if total is None else total


def _base(options: Sequence[Option], chosen: Option) -> Option | None:
    """Return what this computer does the job with: the answer, else its fastest device that can."""
    if chosen.tier == "this_computer":
        return chosen
    able = [
        option
        for option in options
        if option.tier == "this_computer"
        and option.run_s is not None
        and option.obstacle != "not_supported"
        and fits(option) is not False
    ]
    return min(able, key=lambda option: option.run_s or 0.0, default=None)
