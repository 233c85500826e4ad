"""Choose: the cheapest option that can be the answer, this computer first when it can; then rank the rest."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from advisor.recommend.facts import fits
from advisor.recommend.feasibility import (
    Obstacle,
    Wishes,
    cost,
    is_delivered_late,
    is_fetching,
    is_site,
    latest_s,
    longest_s,
    money_obstacle,
    obstacle,
    obstacle_values,
    outlay,
    stands_alone,
)
from advisor.records.job.advice import Option, Tier
from advisor.units import DAY_S, HOUR_S, MONTH_S

WELL_LOADED_RATIO = 1.05
"""Ends of a time that are closer are the same when they are rounded."""

SAME_PRICE_RATIO = 1.01
"""Costs within 1 % count as equal, and the faster option is taken."""

TIE_RATIO = 1.25
"""Buying and renting are both defensible when their costs over the horizon are within a quarter of each other: how
often a user will really train over the coming years is not known better than that."""

HARDLY_LONGER_RATIO = 1.1
"""More cards of this computer are used where they save more than a tenth of the time: each draws electricity."""

QUICKER_RATIO = 2.0
"""A run must take half as long for somebody to bother with another computer."""

OVERLOADED_RATIO = 0.5
"""A computer that trains for half of all hours leaves its owner no day to use it, and no run that may fail."""

SURE_RUN_USD = 0.5
"""Who has a deadline pays so much more a run for what cannot miss it, once whatever share of the price that is."""

SURE_RATIO = 2.0
"""Over many runs nobody pays more than twice as much for it: who loads the data with more processes is in time, too."""

PATIENT_S = 30 * DAY_S
"""A deadline nobody asked for gives way up to this, before a cluster is advised (scenario 4's month)."""

SCALABLE_FROM_S = DAY_S
"""A job the fastest single computer ends within a day is never a case for a cluster."""

SEVERAL_RATIO = 2.0
"""What one device may cost, as a multiple of several together, and still be preferred to them."""

_OBSTACLE_ORDER: tuple[Obstacle, ...] = (
    "interruptible",
    "marketplace",
    "may_miss_deadline",
    "less_supported",
    "not_needed",
    "slower",
    "dearer",
    "over_budget",
    "too_many_runs",
    "misses_deadline",
    "delivered_late",
    "data_must_stay",
    "does_not_fit",
    "price_unknown",
    "not_predicted",
    "not_supported",
)


class Choice(NamedTuple):
    """The answer before it is explained.

    Attributes:
        option: None where no single option can be named.
        relaxed: Wishes that had to be given up for there to be an answer: ``budget``, ``deadline``, ``prediction``.
    """

    tier: Tier
    option: Option | None
    relaxed: tuple[str, ...] = ()


def choose(options: Sequence[Option], wishes: Wishes, *, is_scalable: bool = True) -> Choice:
    """Return the recommendation.

    Args:
        options: All that were considered.
        wishes: What the user asks of an answer.
        is_scalable: Whether more devices would make the job faster; false for classical ML and a starved card.
    """
    single = [option for option in options if stands_alone(option)]
    ways: list[tuple[Wishes, tuple[str, ...]]] = [(wishes, ())]
    if wishes.budget_usd is not None:
        ways.append((msgspec.structs.replace(wishes, budget_usd=None), ("budget",)))
    for asked, given in ways:
        if (found := _within(options, single, asked, given)) is not None:
            return found
    for asked, _ in ways:
        if (late := _late_by_start(options, asked)) is not None:
            return Choice(late.tier, late, _given_up(late, wishes))
    return _beyond_deadline(options, single, wishes, is_scalable)


def _late_by_start(options: Sequence[Option], wishes: Wishes) -> Option | None:
    """Return what is done soonest where something, be it a cluster, computes in time and only its start is late."""
    unhurried = msgspec.structs.replace(wishes, counts_start=False)
    computes_in_time = any(obstacle(option, unhurried) is None for option in options)
    return _closest(options, wishes) if computes_in_time else None


def _within(
    options: Sequence[Option], single: Sequence[Option], wishes: Wishes, relaxed: tuple[str, ...] = ()
) -> Choice | None:
    """Return one computer in time, else one a little later where nobody asked for this deadline, else a cluster."""
    if (chosen := best_option(single, wishes)) is not None:
        return Choice(chosen.tier, chosen, relaxed)
    if wishes.deadline_is_default:
        patient = msgspec.structs.replace(wishes, deadline_s=patience_s(wishes))
        if (late := best_option(single, patient)) is not None:
            return Choice(late.tier, late, (*relaxed, "deadline"))
    cluster = best_option(options, wishes)
    return None if cluster is None else Choice(cluster.tier, cluster, relaxed)


def patience_s(wishes: Wishes) -> float:
    """Return how long a run may take: what the user allows, else what a deadline nobody asked for gives way to."""
    return max(PATIENT_S, wishes.deadline_s) if wishes.deadline_is_default else wishes.deadline_s


def _beyond_deadline(options: Sequence[Option], single: Sequence[Option], wishes: Wishes, is_scalable: bool) -> Choice:
    """Nothing ends in time whatever it costs: a cluster where that would help, else the fastest.

    For a single run in a hurry nothing is bought: it would not be here yet.
    """
    endless = msgspec.structs.replace(wishes, deadline_s=float("inf"), budget_usd=None)
    fastest = _closest(single, msgspec.structs.replace(wishes, budget_usd=None))
    if is_scalable and _needs_cluster(single, fastest):
        nearest = _nearest_cluster(options, endless)
        is_late = nearest is not None and nearest.done_s > wishes.deadline_s
        if nearest is None or fastest is None or nearest.done_s * (QUICKER_RATIO if is_late else 1) < fastest.done_s:
            return Choice("cluster", nearest, _given_up(nearest, wishes) if is_late else ())
    if fastest is not None:
        return Choice(fastest.tier, fastest, _given_up(fastest, wishes))
    return Choice("this_computer", None, ("prediction",))


def closest_within_budget(options: Sequence[Option], wishes: Wishes) -> Option | None:
    """Return what does a run soonest, however late, for what the user can spend; None where nothing does it for that.

    Where the answer costs more, nobody could tell from it what their money buys.
    """
    return _closest([option for option in options if stands_alone(option)], wishes)


def _closest(options: Sequence[Option], wishes: Wishes) -> Option | None:
    """Return what does a run soonest, of what is paid for and there by the deadline, however late it then is."""
    endless = msgspec.structs.replace(wishes, deadline_s=float("inf"))
    able = [
        option
        for option in options
        if obstacle(option, endless) in {None, "too_many_runs"}
        if money_obstacle(option, wishes) is None or wishes.budget_usd is None
        if not is_delivered_late(option, wishes)
    ]
    return min(_counted_on(able, endless), key=lambda one: (one.done_s, known_cost(one, wishes)), default=None)


def _given_up(option: Option | None, wishes: Wishes) -> tuple[str, ...]:
    """Return the wishes that what is too late does not meet either."""
    budget_usd = float("inf") if wishes.budget_usd is None else wishes.budget_usd
    is_dear = option is not None and option.tier != "this_computer" and outlay(option, wishes) > budget_usd
    return ("budget", "deadline") if is_dear else ("deadline",)


def _needs_cluster(single: Sequence[Option], fastest: Option | None) -> bool:
    if fastest is not None:
        return known_run_s(fastest) > SCALABLE_FROM_S
    return any(fits(option) is False for option in single)


def _nearest_cluster(options: Iterable[Option], endless: Wishes) -> Option | None:
    clusters = [o for o in options if o.tier == "cluster" and obstacle(o, endless) is None]
    return min(_counted_on(clusters, endless), key=lambda one: one.done_s, default=None)


def _counted_on(options: Sequence[Option], wishes: Wishes) -> Sequence[Option]:
    """Return those that are there tomorrow and run programs as they are, else those that are there, else all."""
    steady = [option for option in options if is_steady(option)]
    return [option for option in steady if is_common(option, wishes)] or steady or options


def known_run_s(option: Option) -> float:
    """Return how long a run takes; endless where nobody knows."""
    return float("inf") if option.run_s is None else option.run_s


def best_option(options: Iterable[Option], wishes: Wishes) -> Option | None:
    """Return this computer where it can be the answer, else the cheapest option that can.

    Where this computer may miss a deadline that was asked for and something dependable surely does not, that is taken.
    What may be interrupted or let to another, and what lacks CUDA, is taken only where nothing else will do: the
    articles' frameworks all reach graphics cards through CUDA, and a saving that costs days of installing is none.
    """
    feasible = [option for option in options if obstacle(option, wishes) is None]
    here = [option for option in feasible if option.tier == "this_computer"]
    here = [option for option in here if not is_left_behind(option, wishes)] or here
    away = [option for option in feasible if option.tier != "this_computer"]
    if here:  # what is slower is better known at most
        away = [option for option in away if option.done_s < min(one.done_s for one in here)]
    elsewhere = most_dependable(_before_rent(away), wishes)
    if here and not _is_surer_elsewhere(here, elsewhere, wishes):
        staying = _fewest(here)
        elsewhere = most_dependable([o for o in _before_rent(away) if relieves(o, staying, wishes)], wishes)
        if not elsewhere:
            return staying
        away = [option for option in away if option.done_s < staying.done_s]
    return _unbeaten(elsewhere, away, wishes)


def _unbeaten(dependable: Sequence[Option], options: Iterable[Option], wishes: Wishes) -> Option | None:
    """Return the cheapest of the dependable, or what is cheaper, sooner and, whatever happens, done no later than it.

    How data are loaded is taken for known where devices are compared, so that a fast card behind a slow processor may
    seem surer than another that no end of its whole interval bears out.
    """
    best = cheapest(dependable, wishes)
    if best is None:
        return None
    beating = [
        option
        for option in options
        if is_steady(option) and is_common(option, wishes) and option.device_count <= best.device_count
        if known_cost(option, wishes) <= known_cost(best, wishes)
        if option.done_s < best.done_s and longest_s(option) <= longest_s(best)
    ]
    return cheapest(beating, wishes) or best


def _before_rent(options: Sequence[Option]) -> Sequence[Option]:
    """Return the options without what can be rented, where the site has a cluster that does the job."""
    return [option for option in options if option.offer is None] if any(map(is_site, options)) else options


def relieves(option: Option, staying: Option, wishes: Wishes) -> bool:
    """Return whether an option does, cheaper and far quicker, what would keep this computer busy half of all hours."""
    if known_run_s(staying) * wishes.runs_per_month <= OVERLOADED_RATIO * MONTH_S:
        return False
    is_dependable = is_steady(option) and is_common(option, wishes)
    is_cheaper = known_cost(option, wishes) < known_cost(staying, wishes)
    return is_dependable and is_cheaper and option.done_s * QUICKER_RATIO <= known_run_s(staying)


def load_values(busy_s: float) -> dict[str, float]:
    """Return how many hours a computer trains in a month, and how many there are."""
    return {"busy_hours": busy_s / HOUR_S, "month_hours": MONTH_S / HOUR_S}


def most_dependable(options: Sequence[Option], wishes: Wishes) -> Sequence[Option]:
    """Return those of the best kind there is: surely in time, else with CUDA, else there tomorrow, else any.

    Surely in time, however the data are loaded, are those that cost hardly more than what is in time if they are loaded
    well.
    """
    steady = [option for option in options if is_steady(option)]
    common = [option for option in steady if is_common(option, wishes)]
    sure = [option for option in common if not may_miss(option, wishes)]
    least = min((known_cost(option, wishes) for option in sure), default=0.0)
    of_runs = min(least + SURE_RUN_USD * wishes.runs, least * SURE_RATIO)
    limit = max(least * TIE_RATIO, least + SURE_RUN_USD, of_runs)
    surest = [o for o in sure if not may_exceed(o, wishes) and known_cost(o, wishes) <= limit]
    return surest or sure or common or steady or options


def _is_surer_elsewhere(here: Sequence[Option], elsewhere: Sequence[Option], wishes: Wishes) -> bool:
    """Return whether all of this computer may miss the deadline, and something steady and common surely does not."""
    if not all(may_miss(option, wishes) for option in here):
        return False
    return any(
        is_steady(option) and is_common(option, wishes) and not may_exceed(option, wishes) for option in elsewhere
    )


def _fewest(here: Sequence[Option]) -> Option:
    """Return the fastest of this computer's devices, or fewer of its cards that take hardly longer."""
    limit = min(known_run_s(option) for option in here) * HARDLY_LONGER_RATIO
    return min((o for o in here if known_run_s(o) <= limit), key=lambda o: (o.device_count, known_run_s(o)))


def may_miss(option: Option, wishes: Wishes) -> bool:
    """Return whether the option ends in time by the best guess, yet may miss a deadline that was asked for."""
    latest = None if wishes.deadline_is_default else latest_s(option)
    return latest is not None and latest > wishes.deadline_s


def may_exceed(option: Option, wishes: Wishes) -> bool:
    """Return whether the option may miss a deadline that was asked for, also by how its data are loaded."""
    is_late = option.interval is not None and longest_s(option) > wishes.deadline_s
    return not wishes.deadline_is_default and (is_late or may_miss(option, wishes))


def cheapest(options: Iterable[Option], wishes: Wishes) -> Option | None:
    """Return the cheapest option; of those that cost about the same, the fastest.

    One device is preferred to several that do not cost much less: those ask for a changed script, slots and power.
    """
    priced = [(total, option) for option in options if (total := cost(option, wishes)) is not None]
    if not priced:
        return None
    least = min(total for total, _ in priced)
    of_one = [(total, option) for total, option in priced if option.device_count == 1]
    least_of_one = min((total for total, _ in of_one), default=float("inf"))
    if least_of_one <= least * SEVERAL_RATIO:
        priced, least = of_one, least_of_one
    limit = least * SAME_PRICE_RATIO
    return min((pair for pair in priced if pair[0] <= limit), key=lambda pair: (known_run_s(pair[1]), pair[0]))[1]


def is_common(option: Option, wishes: Wishes) -> bool:
    """Return whether programs for training run on the option's device as they are; on what is here they do already."""
    return option.tier == "this_computer" or is_site(option) or option.device not in wishes.less_supported


def is_left_behind(option: Option, wishes: Wishes) -> bool:
    """Return whether no framework of today computes on a card of this computer, and nobody saw one do so here."""
    is_seen = option.prediction is not None and option.prediction.basis == "measured"
    return option.tier == "this_computer" and option.device in wishes.left_behind and not is_seen


def is_steady(option: Option) -> bool:
    """Return whether the option will be there tomorrow at this price: not interruptible, not of a marketplace."""
    return option.offer is None or option.offer.is_dependable


def best_of_tier(options: Iterable[Option], tier: Tier, wishes: Wishes) -> Option | None:
    """Return the cheapest option of a tier among those that can be counted on the most."""
    of_tier = [option for option in options if option.tier == tier]
    return _unbeaten(most_dependable(of_tier, wishes), of_tier, wishes)


def ranked(options: Sequence[Option], wishes: Wishes, chosen: Option | None) -> tuple[Option, ...]:
    """Return all options judged: the chosen one, then the feasible by cost, then the rest by what is in the way.

    Of both, what may be interrupted or lacks CUDA comes last.
    """
    judged = [_judged(option, wishes, chosen) for option in options]
    return tuple(sorted(judged, key=lambda option: _rank(option, wishes, chosen)))


def _rank(option: Option, wishes: Wishes, chosen: Option | None) -> tuple[bool, bool, bool, int, float, float]:
    is_chosen = chosen is not None and option.id == chosen.id
    stage = 0 if option.feasible else _OBSTACLE_ORDER.index(option.obstacle)
    is_second = not (is_steady(option) and is_common(option, wishes))
    return not is_chosen, not option.feasible, is_second, stage, known_cost(option, wishes), known_run_s(option)


def _judged(option: Option, wishes: Wishes, chosen: Option | None) -> Option:
    code = obstacle(option, wishes)
    if chosen is not None and option.id == chosen.id:
        values = {} if code is None else obstacle_values(code, option, wishes)
        return msgspec.structs.replace(option, feasible=code is None, obstacle=code, obstacle_values=values)
    if code is not None:
        values = obstacle_values(code, option, wishes)
        return msgspec.structs.replace(option, feasible=False, obstacle=code, obstacle_values=values)
    code, values = _why_lost(option, wishes, chosen)
    return msgspec.structs.replace(option, feasible=True, obstacle=code, obstacle_values=values)


def _why_lost(option: Option, wishes: Wishes, chosen: Option | None) -> tuple[Obstacle | None, dict[str, float]]:
    """Return why a feasible option is not the chosen one."""
    if chosen is None:
        return None, {}
    if may_miss(option, wishes) and not may_miss(chosen, wishes) and (latest := latest_s(option)) is not None:
        return "may_miss_deadline", late_values(option, latest, wishes)
    if is_left_behind(option, wishes):
        return "less_supported", {"old_card": 1.0}
    second = _second_choice(option, wishes, chosen)
    if second is not None:
        lack = "old_card" if option.device in wishes.old_cards else "no_cuda"
        return second, {lack: 1.0} if second == "less_supported" else {}
    total, chosen_total = known_cost(option, wishes), known_cost(chosen, wishes)
    is_quicker = known_run_s(option) < known_run_s(chosen)
    if total > chosen_total and (is_quicker or not option.tier == chosen.tier == "this_computer"):
        return "dearer", {"extra_usd": total - chosen_total, "rival_usd": total, "chosen_usd": chosen_total}
    is_slower = chosen.tier != "this_computer" or option.tier == "this_computer"
    code: Obstacle = "slower" if is_slower else "not_needed"
    return code, {"run_s": known_run_s(option), "chosen_s": known_run_s(chosen)} if code == "slower" else {}


def late_values(option: Option, latest_s: float, wishes: Wishes) -> dict[str, float]:
    """Return how late an option may be done, and how late it may be; of a rented one, that its start is included.

    Where badly loaded data would make it later still, that this end of its time is not that of the interval beside it.
    """
    loaded = {"well_loaded_s": latest_s} if longest_s(option) > WELL_LOADED_RATIO * latest_s else {}
    before = {"before_s": option.before_s} if option.before_s > 0 and not is_fetching(option) else {}
    return {"high_s": latest_s, "deadline_s": wishes.deadline_s, **before, **loaded}


def _second_choice(option: Option, wishes: Wishes, chosen: Option) -> Obstacle | None:
    """Return why an option cannot be relied on as the chosen one can, be it dearer or cheaper; None where it can."""
    if option.offer is not None and is_steady(chosen) and not is_steady(option):
        return "interruptible" if option.offer.spot else "marketplace"
    if option.tier != "this_computer" and is_common(chosen, wishes) and not is_common(option, wishes):
        return "less_supported"
    return None


def known_cost(option: Option, wishes: Wishes) -> float:
    """Return what an option costs over the horizon; endless where nobody knows."""
    total = cost(option, wishes)
    return float("inf") if total is None else total
