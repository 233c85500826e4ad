"""Say why: reasons as codes with their numbers, most important first. The report turns them into sentences."""

from collections.abc import Iterable, Iterator
from typing import Literal

from advisor.recommend.facts import fits, is_processor, is_single_gpu
from advisor.recommend.feasibility import (
    Wishes,
    cost,
    is_fetching,
    longest_s,
    obstacle,
    outlay,
)
from advisor.recommend.ranking import (
    best_of_tier,
    closest_within_budget,
    is_common,
    is_steady,
)
from advisor.recommend.reason_base import Case, limit_of, make_reason
from advisor.recommend.reasons_elsewhere import of_another_computer, of_cluster, of_several_cards, of_tpus
from advisor.recommend.reasons_here import (
    IDLE_RATIO,
    idle_share,
    of_disk,
    of_input,
    of_limited_card,
    of_loading,
    of_this_computer,
    of_torch,
    of_unknown_card,
    of_unsaid_cores,
    of_weights,
)
from advisor.records.job.advice import FactValue, Option, Reason, Rule, Tier
from advisor.units import DAY_S, HOUR_S, WEEK_S, YEAR_S

Disagreement = Literal[
    "already_enough",
    "beyond_one_computer",
    "buying_is_cheaper",
    "does_not_fit_here",
    "one_computer_will_do",
    "renting_is_cheaper",
    "too_slow_here",
]


NO_FASTER_RATIO = 1.15
"""A card that would make the job less than 15 % faster does not help: that is within the error of a good prediction."""


def explain(case: Case) -> tuple[Reason, ...]:
    """Return the reasons for the choice."""
    found = [
        *_relaxed(case),
        *_classical(case),
        *of_this_computer(case),
        *of_torch(case),
        *of_unknown_card(case),
        *of_unsaid_cores(case),
        *of_limited_card(case),
        *of_cluster(case),
        *of_another_computer(case),
        *of_several_cards(case),
        *of_tpus(case),
        *of_disk(case),
        *of_weights(case),
        *of_input(case),
        *of_loading(case),
        *_uncertain(case),
    ]
    unique = {reason.code: reason for reason in reversed(found)}
    return tuple(reason for reason in found if unique.pop(reason.code, None) is not None)


def _relaxed(case: Case) -> Iterator[Reason]:
    option = case.choice.option
    if "prediction" in case.choice.relaxed:
        yield make_reason("not_predicted")
    if option is None:
        return
    if "budget" in case.choice.relaxed:
        yield _over_budget(case, option)
    if "deadline" in case.choice.relaxed:
        kind = "rent" if option.before_s > 0 and not is_fetching(option) else None
        yield make_reason("after_deadline", kind=kind, run_s=option.done_s, **limit_of(case))
    samples = case.value("samples")
    if option.run_s is not None and option.run_s > YEAR_S and isinstance(samples, (int, float)):
        yield make_reason(
            "in_a_week", device=option.title, samples=samples, week_samples=samples * WEEK_S / option.run_s
        )


def _over_budget(case: Case, chosen: Option) -> Reason:
    """Return that the answer costs more than the user can spend, and what does the job soonest for that."""
    within = closest_within_budget(case.options, case.wishes)
    values: dict[str, FactValue] = {"outlay_usd": outlay(chosen, case.wishes), "budget_usd": case.wishes.budget_usd}
    if within is None:
        return make_reason("over_budget", **values)
    kind = "here" if within.tier == "this_computer" else "within"
    named: dict[str, FactValue] = {"option": within.id, "within": within.title, "within_s": within.done_s}
    return make_reason("over_budget", kind=kind, **values, **named)


def _classical(case: Case) -> Iterator[Reason]:
    if case.value("method") == "classical":
        chosen = case.choice.option
        tier = None if chosen is None or is_processor(chosen) else chosen.tier
        card_s = _fastest_card(case.options) if tier is None and gpu_would_help(case) else None
        yield make_reason("classical", tier=tier, card_s=card_s)


def _uncertain(case: Case) -> Iterator[Reason]:
    chosen = case.choice.option
    if chosen is None or case.choice.relaxed:
        return
    if chosen.interval is not None and (high_s := longest_s(chosen)) > case.wishes.deadline_s:
        kind = "rent" if chosen.before_s > 0 and not is_fetching(chosen) else None
        yield make_reason("tight_deadline", kind=kind, high_s=high_s, **limit_of(case))
    if chosen.tier == "this_computer":
        yield from _faster_elsewhere(case, chosen)
    for tier in case.either[1:]:
        rival = _best_of(case, tier)
        if rival is not None and chosen.tier != "this_computer":
            yield make_reason(
                "near_tie",
                tier=tier,
                option=rival.id,
                device=rival.title,
                horizon_usd=cost(rival, case.wishes),
                chosen_usd=cost(chosen, case.wishes),
                run_s=rival.run_s,
                kind=_kind_of_tie(rival, case.wishes),
            )


def _kind_of_tie(rival: Option, wishes: Wishes) -> str | None:
    """Return whether this computer would be in time by the best guess, and only may miss it."""
    is_in_time = rival.tier == "this_computer" and (rival.run_s or 0.0) <= wishes.deadline_s
    return "in_time" if is_in_time else None


def _faster_elsewhere(case: Case, chosen: Option) -> Iterator[Reason]:
    """Where this computer takes more than a day: what waiting less would cost."""
    if chosen.run_s is None or chosen.run_s <= DAY_S:
        return
    quicker = [o for o in _able(case) if o.tier == "cloud" and o.run_s is not None and o.run_s < chosen.run_s / 3]
    rival = min(quicker, key=lambda o: o.run_usd or 0.0, default=None)
    if rival is not None:
        is_long = rival.before_s > HOUR_S / 4
        yield make_reason(
            "faster_elsewhere",
            device=rival.title,
            run_s=rival.run_s if is_long else rival.done_s,  # a short start is in its time everywhere else, too
            run_usd=rival.run_usd,
            before_s=rival.before_s if is_long else None,
        )


def _able(case: Case) -> list[Option]:
    steady = [o for o in case.options if is_steady(o) and is_common(o, case.wishes)]
    return [option for option in steady if obstacle(option, case.wishes) is None]


def _best_of(case: Case, tier: Tier) -> Option | None:
    return best_of_tier(_able(case), tier, case.wishes)


def gpu_would_help(case: Case) -> bool | None:
    """Return whether a (faster) graphics card would make the job faster here; None where that is unknown."""
    if case.value("method") != "classical" and case.value("has_card") and case.value("torch_mismatch") is not None:
        return False
    here = [o for o in case.options if o.tier == "this_computer" and o.run_s is not None and fits(o) is not False]
    best = min(here, key=lambda o: o.run_s or 0.0, default=None)
    if best is not None and not is_processor(best) and (idle_share(case, best) or 0.0) >= IDLE_RATIO:
        return False
    with_card = _fastest_card(case.options)
    if best is None or best.run_s is None:
        return None if with_card is None else True
    return None if with_card is None else best.run_s / with_card >= NO_FASTER_RATIO


def _fastest_card(options: Iterable[Option]) -> float | None:
    """Return the shortest run on one card that could be put into this computer, or else is rented."""
    single = [o for o in options if is_single_gpu(o) and o.tier != "this_computer" and fits(o) is not False]
    bought = [o.run_s for o in single if o.tier == "single_gpu" and o.run_s is not None]
    rented = [o.run_s for o in single if o.run_s is not None]
    return min(bought or rented, default=None)


def disagreement(rule: Rule | None, case: Case) -> Disagreement | None:
    """Return why the answer is another than the rule's, or None where they agree or no rule speaks."""
    tier = case.choice.tier
    if rule is None or rule.tier is None or tier == rule.tier or tier in rule.also:
        return None
    if tier != "cluster" and rule.tier == "cluster":  # what is too late does not do, either
        return None if "deadline" in case.choice.relaxed else "one_computer_will_do"
    if tier == "this_computer":
        return "already_enough"
    if tier == "cluster":
        return "beyond_one_computer"
    if rule.tier == "this_computer":
        return "does_not_fit_here" if case.value("fits_here") is False else "too_slow_here"
    return "renting_is_cheaper" if tier == "cloud" else "buying_is_cheaper"
