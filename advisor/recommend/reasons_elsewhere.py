"""Why something is bought or rented, what it costs beside the others, and why one computer is not enough."""

import math
from collections.abc import Iterator, Sequence

from advisor.recommend.facts import fits, is_processor, is_site_processor
from advisor.recommend.feasibility import (
    cost,
    is_site,
    latest_s,
    obstacle,
)
from advisor.recommend.ranking import (
    TIE_RATIO,
    best_of_tier,
    cheapest,
    is_common,
    is_steady,
    known_cost,
    may_exceed,
    may_miss,
    most_dependable,
    patience_s,
    relieves,
)
from advisor.recommend.reason_base import Case, limit_of, make_reason, same_card
from advisor.recommend.reasons_here import how_it_fits
from advisor.records.job.advice import Option, Reason
from advisor.records.job.workload import ONCE_RUNS
from advisor.units import MONTH_S

MAX_PAYBACK_MONTHS = 120
"""A purchase that pays back later than this never does: no card stays in use for ten years."""


def of_cluster(case: Case) -> Iterator[Reason]:
    """Why one computer is not enough."""
    if case.choice.tier != "cluster" or (case.choice.option is not None and is_site(case.choice.option)):
        return
    single = [option for option in case.options if option.tier != "cluster"]
    able = [o for o in single if fits(o) is not False and o.run_s is not None]
    allowed = [o for o in able if obstacle(o, case.wishes) != "data_must_stay"]
    fastest = min(allowed, key=lambda one: one.done_s, default=None)
    if fastest is not None:
        yield make_reason("no_node_in_time", run_s=fastest.done_s, device=fastest.title, **limit_of(case))
    elif soon := [o for o in able if (o.run_s or 0.0) <= patience_s(case.wishes)]:
        least = min(soon, key=lambda o: (o.device_count, o.run_s or 0.0))
        yield make_reason("server_of_own", option=least.id, device=least.title, run_s=least.run_s)
        return
    elif able:
        sold = [o for o in able if o.device not in case.wishes.tpus] or able  # a TPU is for rent alone
        quickest = min(sold, key=lambda o: o.run_s or 0.0)
        yield make_reason("no_node_in_time", run_s=quickest.run_s, device=quickest.title, **limit_of(case))
    else:
        yield from _no_node_fits(single)
    timed = [option for option in single if option.run_s is not None and not is_processor(option)]
    shortest = min(timed, key=_device_s, default=None)
    if shortest is not None and _device_s(shortest) > case.wishes.deadline_s:
        work_s = _device_s(shortest)
        count = math.ceil(work_s / case.wishes.deadline_s)
        yield make_reason("cluster_work", work_s=work_s, device=shortest.device, count=count, **limit_of(case))
    if case.wishes.data_must_stay:
        yield make_reason("data_must_stay")


def _no_node_fits(single: Sequence[Option]) -> Iterator[Reason]:
    """The memory of each card of the largest single computer, and what one sample takes there with all else shared."""
    tried = [(o, o.prediction.memory) for o in single if o.prediction is not None and not is_processor(o)]
    sizes = [(o.device_count * memory.available_bytes, o.id, o, memory) for o, memory in tried
             if memory is not None and memory.available_bytes is not None]  # fmt: skip
    if not sizes:
        yield make_reason("no_node_fits")
        return
    *_, option, memory = max(sizes, key=lambda size: size[:2])
    values = {"available_bytes": memory.available_bytes, "needed_bytes": memory.total_bytes}
    yield make_reason("no_node_fits", device=option.title, **values)


def _device_s(option: Option) -> float:
    return option.device_count * (option.run_s or 0.0)


def of_another_computer(case: Case) -> Iterator[Reason]:
    """Why buying, or why renting."""
    chosen = case.choice.option
    if chosen is None or chosen.tier not in {"single_gpu", "cloud"}:
        return
    if case.wishes.data_must_stay:
        yield make_reason("data_must_stay")
    if "deadline" not in case.choice.relaxed:
        yield make_reason(
            "cheapest",
            horizon_usd=cost(chosen, case.wishes),
            run_usd=chosen.run_usd,
            horizon_months=case.wishes.horizon_months,
            runs=case.wishes.runs,
            tier=chosen.tier,
            kind=_kind_of_cheapest(case, chosen),
        )
    if (chosen.run_s or 0.0) > case.wishes.horizon_months * MONTH_S:
        return  # not one run would be done by then: nothing pays
    months, is_once = chosen.break_even_months, case.wishes.runs < ONCE_RUNS
    could_rent = chosen.tier == "single_gpu" and not case.wishes.data_must_stay
    if could_rent and months is not None and months <= case.wishes.horizon_months:
        yield make_reason("pays_back", months=months, runs=case.wishes.runs if is_once else None)
    elif could_rent and _dependable_rent(case) is not None:
        is_told = months is not None and months <= MAX_PAYBACK_MONTHS and not is_once
        yield make_reason("pays_by_resale", months=months if is_told else None)
    if chosen.tier == "cloud":
        yield from _against_buying(case)
    if chosen.host_usd > 0:
        yield _needs_host(case, chosen)
    yield from how_it_fits(case, chosen)


def _needs_host(case: Case, chosen: Option) -> Reason:
    """Return why a computer is bought around the card: there is no place for it here, or too few cores to feed it."""
    fewer = [one for one in same_card(case, chosen) if (one.threads or 0.0) < (chosen.threads or 0.0)]
    if not fewer:
        return make_reason("needs_host", host_usd=chosen.host_usd)
    least = min(fewer, key=lambda one: one.purchase_usd)
    return make_reason(
        "needs_host",
        kind="loads",
        host_usd=chosen.host_usd,
        threads=chosen.threads,
        fewer_threads=least.threads,
        slow_s=least.run_s,
        run_s=chosen.run_s,
    )


def _kind_of_cheapest(case: Case, chosen: Option) -> str | None:
    """Return among what the answer costs least: all, what may be in time, is quick, or takes a single card."""
    if not (is_steady(chosen) and is_common(chosen, case.wishes)):
        return "only"
    if may_miss(chosen, case.wishes):
        return "guess"
    own = cost(chosen, case.wishes) or 0.0
    borne = {None, "over_budget"} if "budget" in case.choice.relaxed else {None}
    able = [one for one in case.options if is_steady(one) and is_common(one, case.wishes)]
    sure = most_dependable([one for one in able if obstacle(one, case.wishes) in borne], case.wishes)
    risky = [one for one in able if obstacle(one, case.wishes) in borne and may_exceed(one, case.wishes)]
    if not may_exceed(chosen, case.wishes) and any((cost(one, case.wishes) or own) < own for one in risky):
        return "sure"
    several = [one for one in sure if one.device_count > 1]
    if chosen.device_count == 1 and any((cost(one, case.wishes) or own) < own for one in several):
        return "one"
    return (
        "quick" if _is_for_relief(case, chosen, [one for one in able if obstacle(one, case.wishes) in borne]) else None
    )


def _is_for_relief(case: Case, chosen: Option, able: Sequence[Option]) -> bool:
    """Return whether the answer relieves this computer, which what costs less would not."""
    paid = known_cost(chosen, case.wishes)
    less = [one for one in able if one.tier == chosen.tier and known_cost(one, case.wishes) < paid]
    here = [one for one in able if one.tier == "this_computer" and relieves(chosen, one, case.wishes)]
    return bool(less) and any(not any(relieves(one, staying, case.wishes) for one in less) for staying in here)


def of_several_cards(case: Case) -> Iterator[Reason]:
    """That the answer is several cards, and how a program comes to use them all."""
    chosen = case.choice.option
    if chosen is None or chosen.device_count == 1:
        return
    processors = "processors" if is_site_processor(chosen) else None
    if chosen.tier != "this_computer":
        yield make_reason("several_devices", kind=processors, count=chosen.device_count, device=chosen.device)
    if chosen.prediction is not None:
        on_node = chosen.prediction.task if chosen.prediction.shards > 1 else "copies"
        on_nodes = (processors or "nodes") if chosen.tier == "cluster" else None
        yield make_reason("use_all_cards", kind=on_nodes or on_node, count=chosen.device_count)


def of_tpus(case: Case) -> Iterator[Reason]:
    """What a TPU would cost, where the answer is to rent: less, about as much, or more."""
    chosen = case.choice.option
    if chosen is None or chosen.tier not in {"cloud", "cluster"} or chosen.device in case.wishes.tpus:
        return
    tpus = [o for o in case.options if o.device in case.wishes.tpus and o.tier in {"cloud", chosen.tier}]
    able = [option for option in tpus if is_steady(option) and obstacle(option, case.wishes) is None]
    rival, paid = cheapest(able, case.wishes), cost(chosen, case.wishes)
    asked = None if rival is None else cost(rival, case.wishes)
    if rival is None or asked is None or paid is None:
        return
    yield make_reason(
        "tpu",
        option=rival.id,
        device=rival.title,
        run_s=rival.run_s,
        horizon_usd=asked,
        chosen_usd=paid,
        runs=case.wishes.runs,
        kind="close" if asked <= TIE_RATIO * paid else None,
    )


def _dependable_rent(case: Case) -> Option | None:
    """Return the cheapest rent that would do as well."""
    rents = [
        option
        for option in case.options
        if option.tier == "cloud" and is_steady(option) and is_common(option, case.wishes)
        if obstacle(option, case.wishes) is None
    ]
    return cheapest(rents, case.wishes)


def _against_buying(case: Case) -> Iterator[Reason]:
    """Why not buy: what is cheaper to buy may be late; else it pays back too late or never, or is over the budget."""
    buys = [one for one in case.options if one.tier == "single_gpu" and is_common(one, case.wishes)]
    able = [one for one in buys if obstacle(one, case.wishes) is None]
    best = best_of_tier(
        able or [o for o in buys if obstacle(o, case.wishes) == "over_budget"], "single_gpu", case.wishes
    )
    if best is None:
        return
    rent_usd = None if case.choice.option is None else cost(case.choice.option, case.wishes)
    own_usd = cost(best, case.wishes)
    if able and rent_usd is not None and own_usd is not None and own_usd < rent_usd:
        if (latest := latest_s(best)) is not None and may_miss(best, case.wishes):
            yield make_reason(
                "buying_may_be_late",
                option=best.id,
                device=best.title,
                horizon_usd=own_usd,
                chosen_usd=rent_usd,
                high_s=latest,
                deadline_s=case.wishes.deadline_s,
            )
        return
    if "single_gpu" in case.either:
        return  # the answer says that buying is as good
    months = best.break_even_months
    if months is None or months > case.wishes.horizon_months:
        yield make_reason(
            "never_pays_back",
            purchase_usd=best.purchase_usd,
            device=best.title,
            months=months if months is not None and months <= MAX_PAYBACK_MONTHS else None,
            runs=case.wishes.runs,
            host_usd=best.host_usd or None,
        )
