"""Which other answers are as good: the money says so, or a little more patience."""

from collections.abc import Sequence

import msgspec

from advisor.recommend.feasibility import Wishes, is_site, obstacle, span_s
from advisor.recommend.ranking import (
    TIE_RATIO,
    Choice,
    best_of_tier,
    best_option,
    is_common,
    is_steady,
    known_cost,
    known_run_s,
    may_miss,
)
from advisor.records.job.advice import Option, Tier
from advisor.records.job.prediction import CostKind
from advisor.units import DAY_S, MONTH_S

UNSURE_TIE_RATIO = 2.0
"""Where the predicted times are unsure, costs up to a factor of 2 apart may still be a tie: where they are one if both
options take as little, or both as much, as they may."""

_TIMED: frozenset[CostKind] = frozenset({"electricity", "rent", "interruptions"})
"""Parts of a cost that grow with the time of a run."""

LITTLE_LATER_RATIO = 2.0
"""Who waits twice as long as planned waits "a little longer"; more is another plan, however unsure the time is."""

_TIERS_ELSEWHERE: tuple[Tier, ...] = ("single_gpu", "cloud")


def either(options: Sequence[Option], wishes: Wishes, choice: Choice) -> tuple[Tier, ...]:
    """Return the tiers that are as good as the chosen one within the uncertainty, the chosen one first."""
    chosen = choice.option
    if chosen is None or choice.relaxed or is_site(chosen):
        return (choice.tier,)
    tiers = [choice.tier]
    if choice.tier == "this_computer":
        tiers += _if_less_patient(options, wishes, chosen)
    else:
        tiers += [tier for tier in _tied(options, wishes, chosen) if tier not in tiers]
        tiers += _if_a_little_later(options, wishes)
    return tuple(dict.fromkeys(tiers))


def _if_less_patient(options: Sequence[Option], wishes: Wishes, chosen: Option) -> list[Tier]:
    """Return the next answer where this computer may miss the deadline, or takes days that nobody agreed to."""
    span = span_s(chosen)
    may_be_late = span is not None and span[1] > wishes.deadline_s
    is_long = wishes.deadline_is_default and known_run_s(chosen) > DAY_S
    if not (may_be_late or is_long):
        return []
    quicker = msgspec.structs.replace(wishes, deadline_s=min(known_run_s(chosen) * 0.999, wishes.deadline_s))
    other = best_option((o for o in options if o.tier != "this_computer"), quicker)
    return [] if other is None else [other.tier]


def _if_a_little_later(options: Sequence[Option], wishes: Wishes) -> list[Tier]:
    """Return this computer where the uncertainty of its time is all that speaks against it."""
    near = [
        option
        for option in options
        if option.tier == "this_computer"
        and obstacle(option, wishes) in {None, "misses_deadline"}
        and (span := span_s(option)) is not None
        and span[0] <= wishes.deadline_s
        and known_run_s(option) <= LITTLE_LATER_RATIO * wishes.deadline_s
        and known_run_s(option) * wishes.runs_per_month <= MONTH_S
    ]
    return ["this_computer"] if near else []


def _tied(options: Sequence[Option], wishes: Wishes, chosen: Option) -> list[Tier]:
    feasible = [
        option
        for option in options
        if option.tier != "this_computer"
        and is_steady(option)
        and is_common(option, wishes)
        and obstacle(option, wishes) is None
    ]
    rivals = [best_of_tier(feasible, tier, wishes) for tier in _TIERS_ELSEWHERE]
    return [rival.tier for rival in rivals if rival is not None and _is_tie(chosen, rival, wishes)]


def _is_tie(chosen: Option, rival: Option, wishes: Wishes) -> bool:
    if may_miss(rival, wishes) and not may_miss(chosen, wishes):
        return False
    best, other = known_cost(chosen, wishes), known_cost(rival, wishes)
    if best > other * UNSURE_TIE_RATIO:
        return False
    if other <= best * TIE_RATIO:
        return True
    ends = ((_cost_at(chosen, end, wishes), _cost_at(rival, end, wishes)) for end in (0, 1))
    return other <= best * UNSURE_TIE_RATIO and any(theirs <= ours * TIE_RATIO for ours, theirs in ends)


def _cost_at(option: Option, end: int, wishes: Wishes) -> float:
    """Return what the option costs where its time is at an end of its interval.

    What makes a time unsure is mostly the job, the same on every device: options are compared at the same end.
    """
    timed_usd = sum(part.usd(wishes.runs) for part in option.cost_parts if part.kind in _TIMED)
    return known_cost(option, wishes) + timed_usd * (_interval_ratio(option)[end] - 1)


def _interval_ratio(option: Option) -> tuple[float, float]:
    """Return the ends of the interval of the time as shares of the time."""
    span = span_s(option)
    return (1.0, 1.0) if span is None or not option.run_s else (span[0] / option.run_s, span[1] / option.run_s)
