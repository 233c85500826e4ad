"""Say why: reasons as codes with their numbers, most important first. The report turns them into sentences."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from advisor.recommend.facts import Facts, fits, idle_ratio, is_processor, is_single_gpu
from advisor.recommend.feasibility import (
    Wishes,
    cost,
    done_s,
    is_fetching,
    is_site,
    latest_s,
    longest_s,
    obstacle,
    outlay,
    span_s,
)
from advisor.recommend.ranking import (
    TIE_RATIO,
    Choice,
    best_of_tier,
    cheapest,
    is_common,
    is_steady,
    load_values,
    may_exceed,
    may_miss,
    most_dependable,
    patience_s,
    relieves,
)
from advisor.records.job.advice import FactValue, Option, Reason, Rule, Tier
from advisor.records.job.prediction import Prediction
from advisor.units import DAY_S, MONTH_S, WEEK_S, YEAR_S

ReasonCode = Literal[
    "after_deadline",
    "busy_here",
    "buying_may_be_late",
    "card_against_processor",
    "card_unknown",
    "card_limited",
    "cheapest",
    "classical",
    "cluster_work",
    "cores_unsaid",
    "data_exceed_disk",
    "data_must_stay",
    "does_not_fit_here",
    "faster_elsewhere",
    "fetch_weights",
    "fits_here_with",
    "host_cannot_load",
    "host_loads_in_parts",
    "in_a_week",
    "in_parts",
    "in_time_here",
    "input_bound",
    "loading_unknown",
    "may_miss_here",
    "near_tie",
    "needs_host",
    "never_pays_back",
    "no_node_fits",
    "no_node_in_time",
    "not_predicted",
    "over_budget",
    "pays_back",
    "pays_by_resale",
    "server_of_own",
    "several_devices",
    "slow_disk",
    "small_on_processor",
    "tight_deadline",
    "too_many_runs_here",
    "too_slow_here",
    "torch_mismatch",
    "tpu",
    "use_all_cards",
]
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

LOADING_RATIO = 1.5
"""How images are loaded is worth a word where a run may take half as long again because nobody said."""

IDLE_RATIO = 0.15
"""A card that waits for its input less than this is not said to be starved."""

SHARD_BYTES = 5e9
"""A published network comes in files of at most so much, which are loaded one by one.

Source: Hugging Face, Transformers, "Instantiate a big model" (max_shard_size), read 2026-11-23."""

FETCH_S = 600.0
"""Fetching weights for longer than this is worth a word."""

MAX_PAYBACK_MONTHS = 120
"""A purchase that pays back later than this never does: no card stays in use for ten years."""


class Case(NamedTuple):
    """All that an explanation looks at."""

    options: Sequence[Option]
    wishes: Wishes
    choice: Choice
    either: tuple[Tier, ...]
    facts: Facts

    def value(self, name: str) -> FactValue:
        """Return the value of a fact; None where unknown."""
        found = self.facts.get(name)
        return None if found is None else found.value


def explain(case: Case) -> tuple[Reason, ...]:
    """Return the reasons for the choice."""
    found = [
        *_relaxed(case),
        *_classical(case),
        *_here(case),
        *_torch(case),
        *_unknown(case),
        *_unsaid(case),
        *_limited(case),
        *_cluster(case),
        *_elsewhere(case),
        *_several(case),
        *_tpu(case),
        *_disk(case),
        *_weights(case),
        *_input(case),
        *_loading(case),
        *_uncertain(case),
    ]
    unique = {reason.code: reason for reason in reversed(found)}
    return tuple(reason for reason in found if unique.pop(reason.code, None) is not None)


def _reason(code: ReasonCode, **values: FactValue) -> Reason:
    return Reason(code=code, values={name: value for name, value in values.items() if value is not None})


def _limit(case: Case) -> dict[str, FactValue]:
    """Return how long a run may take: under one name where the user said so, under another where a rule did."""
    name = "default_deadline_s" if case.wishes.deadline_is_default else "deadline_s"
    return {name: case.wishes.deadline_s}


def _relaxed(case: Case) -> Iterator[Reason]:
    option = case.choice.option
    if "prediction" in case.choice.relaxed:
        yield _reason("not_predicted")
    if option is None:
        return
    if "budget" in case.choice.relaxed:
        yield _reason("over_budget", outlay_usd=outlay(option, case.wishes), budget_usd=case.wishes.budget_usd)
    if "deadline" in case.choice.relaxed:
        kind = "rent" if option.before_s > 0 and not is_fetching(option) else None
        yield _reason("after_deadline", kind=kind, run_s=done_s(option), **_limit(case))
    samples = case.value("samples")
    if option.run_s is not None and option.run_s > YEAR_S and isinstance(samples, (int, float)):
        yield _reason("in_a_week", device=option.title, samples=samples, week_samples=samples * WEEK_S / option.run_s)


def _classical(case: Case) -> Iterator[Reason]:
    if case.value("method") == "classical":
        chosen = case.choice.option
        tier = None if chosen is None or is_processor(chosen) else chosen.tier
        card_s = _fastest_card(case.options) if tier is None and gpu_would_help(case) else None
        yield _reason("classical", tier=tier, card_s=card_s)


def _here(case: Case) -> Iterator[Reason]:
    """Why this computer is enough, or why it is not."""
    here = [option for option in case.options if option.tier == "this_computer"]
    chosen = case.choice.option
    if chosen is not None and chosen.tier == "this_computer":
        if is_processor(chosen) and case.value("method") != "classical":
            yield from _cards_too_small(here)
        yield from _enough(case, chosen, here)
        return
    if case.choice.tier == "cluster":
        return  # what one whole node cannot do, this computer cannot
    best = min(here, key=lambda o: (fits(o) is False, float("inf") if o.run_s is None else o.run_s), default=None)
    if best is None:
        return
    yield from _cards_too_small(here)
    code = obstacle(best, case.wishes)
    if code == "does_not_fit":
        yield from _does_not_fit(best, is_table=case.value("method") == "classical")
    elif code == "misses_deadline":
        yield _reason("too_slow_here", run_s=best.run_s, device=_device(best), **_limit(case))
    elif code is None and (span := span_s(best)) is not None and may_miss(best, case.wishes):
        yield _reason("may_miss_here", run_s=best.run_s, high_s=span[1], device=_device(best), **_limit(case))
    elif code == "too_many_runs" and best.run_s is not None:
        yield _reason("too_many_runs_here", **load_values(best.run_s * case.wishes.runs_per_month))
    elif code is None and chosen is not None and relieves(chosen, best, case.wishes):
        load = load_values((best.run_s or 0.0) * case.wishes.runs_per_month)
        yield _reason("busy_here", staying_usd=cost(best, case.wishes), chosen_usd=cost(chosen, case.wishes), **load)


def _cards_too_small(here: Sequence[Option]) -> Iterator[Reason]:
    """That no card of this computer holds the job, although its main memory may."""
    cards = [option for option in here if not is_processor(option)]
    if cards and all(fits(option) is False for option in cards):
        yield from _does_not_fit(min(cards, key=lambda option: -option.device_count))


def _does_not_fit(option: Option, *, is_table: bool = False) -> Iterator[Reason]:
    memory = option.prediction.memory if option.prediction is not None else None
    if memory is None:
        return
    available = memory.available_bytes
    is_close = available is not None and memory.total_bytes <= available
    yield _reason(
        "does_not_fit_here",
        needed_bytes=memory.total_bytes,
        available_bytes=available,
        device="cards" if option.device_count > 1 else _device(option),
        count=option.device_count if option.device_count > 1 else None,
        kind="table" if is_table and is_processor(option) else "close" if is_close else None,
    )


def _device(option: Option) -> str:
    return "processor" if is_processor(option) else "card"


def _enough(case: Case, chosen: Option, here: Sequence[Option]) -> Iterator[Reason]:
    if not case.choice.relaxed:
        yield _reason("in_time_here", run_s=chosen.run_s, device=_device(chosen), **_limit(case))
    if is_processor(chosen) and case.value("is_small") and case.value("method") != "classical":
        yield _reason("small_on_processor", run_s=chosen.run_s)
    processor = next((o for o in here if is_processor(o) and fits(o) is not False and o.run_s), None)
    if processor is not None and not is_processor(chosen) and chosen.run_s and processor.run_s:
        yield _reason(
            "card_against_processor",
            card_s=chosen.run_s,
            processor_s=processor.run_s,
            times=processor.run_s / chosen.run_s,
        )
    yield from _how_it_fits(case, chosen)


def _how_it_fits(case: Case, option: Option) -> Iterator[Reason]:
    prediction = option.prediction
    if prediction is None or prediction.memory is None:
        return
    memory = prediction.memory
    if prediction.accumulation_steps > 1:
        yield _reason(
            "in_parts",
            parts=prediction.accumulation_steps,
            batch_size=prediction.batch_size,
            device=option.title,
            task=prediction.task,
            **_of_normalized(case, prediction),
        )
    if memory.fits and memory.available_bytes is not None and not is_processor(option):
        yield _reason("fits_here_with", needed_bytes=memory.total_bytes, available_bytes=memory.available_bytes)


def _of_normalized(case: Case, prediction: Prediction) -> dict[str, FactValue]:
    """Return how few samples batch normalization looks at together, where a step of training is cut into parts."""
    if prediction.task != "train" or not case.value("batch_normalized"):
        return {}
    return {"kind": "normalized", "samples": math.ceil(prediction.batch_size / prediction.accumulation_steps)}


def _torch(case: Case) -> Iterator[Reason]:
    mismatch = case.value("torch_mismatch")
    if mismatch is not None and case.value("has_card") and case.value("method") != "classical":
        yield _reason("torch_mismatch", mismatch=mismatch)


def _unknown(case: Case) -> Iterator[Reason]:
    """That a card of this computer was left out, for nothing is known of it."""
    name = case.value("unknown_card")
    if name is not None and case.value("method") != "classical":
        yield _reason("card_unknown", unknown_card=name)


def _unsaid(case: Case) -> Iterator[Reason]:
    """That a chip of this computer, which is the answer, is sold with several numbers of GPU cores."""
    chosen, cores = case.choice.option, case.value("unsaid_cores")
    if cores is None or chosen is None or chosen.tier != "this_computer" or is_processor(chosen):
        return
    chip, _, taken = chosen.device.partition(" (")
    other = next((one for one in reversed(str(cores).split("/")) if not taken.startswith(f"{one}-")), "")
    yield _reason("cores_unsaid", unsaid_cores=cores, device=chosen.device, chip=chip, other=other)


def _limited(case: Case) -> Iterator[Reason]:
    """That the answer is a card that PyTorch as it is usually installed does not run on."""
    chosen, name = case.choice.option, case.value("limited_card")
    if name is None or chosen is None or chosen.tier != "this_computer":
        return
    if chosen.device == name:
        yield _reason("card_limited", limited_card=name, kind=case.value("limited_kind"))
    elif name in case.wishes.left_behind:
        yield _reason("card_limited", limited_card=name, kind="unused")


def _cluster(case: Case) -> Iterator[Reason]:
    if case.choice.tier != "cluster" or (case.choice.option is not None and is_site(case.choice.option)):
        return
    single = [option for option in case.options if option.tier != "cluster"]
    able = [o for o in single if fits(o) is not False and o.run_s is not None]
    allowed = [o for o in able if obstacle(o, case.wishes) != "data_must_stay"]
    fastest = min(allowed, key=done_s, default=None)
    if fastest is not None:
        yield _reason("no_node_in_time", run_s=done_s(fastest), device=fastest.title, **_limit(case))
    elif soon := [o for o in able if (o.run_s or 0.0) <= patience_s(case.wishes)]:
        least = min(soon, key=lambda o: (o.device_count, o.run_s or 0.0))
        yield _reason("server_of_own", option=least.id, device=least.title, run_s=least.run_s)
        return
    elif able:
        sold = [o for o in able if o.device not in case.wishes.tpus] or able  # a TPU is for rent alone
        quickest = min(sold, key=lambda o: o.run_s or 0.0)
        yield _reason("no_node_in_time", run_s=quickest.run_s, device=quickest.title, **_limit(case))
    else:
        yield from _no_node_fits(single)
    timed = [option for option in single if option.run_s is not None and not is_processor(option)]
    shortest = min(timed, key=_device_s, default=None)
    if shortest is not None and _device_s(shortest) > case.wishes.deadline_s:
        work_s = _device_s(shortest)
        count = math.ceil(work_s / case.wishes.deadline_s)
        yield _reason("cluster_work", work_s=work_s, device=shortest.device, count=count, **_limit(case))
    if case.wishes.data_must_stay:
        yield _reason("data_must_stay")


def _no_node_fits(single: Sequence[Option]) -> Iterator[Reason]:
    """The memory of each card of the largest single computer, and what one sample takes there with all else shared."""
    tried = [(o, o.prediction.memory) for o in single if o.prediction is not None and not is_processor(o)]
    sizes = [(o.device_count * memory.available_bytes, o.id, o, memory) for o, memory in tried
             if memory is not None and memory.available_bytes is not None]  # fmt: skip
    if not sizes:
        yield _reason("no_node_fits")
        return
    *_, option, memory = max(sizes, key=lambda size: size[:2])
    values = {"available_bytes": memory.available_bytes, "needed_bytes": memory.total_bytes}
    yield _reason("no_node_fits", device=option.title, **values)


def _device_s(option: Option) -> float:
    return option.device_count * (option.run_s or 0.0)


def _elsewhere(case: Case) -> Iterator[Reason]:
    """Why buying, or why renting."""
    chosen = case.choice.option
    if chosen is None or chosen.tier not in {"single_gpu", "cloud"}:
        return
    if case.wishes.data_must_stay:
        yield _reason("data_must_stay")
    if "deadline" not in case.choice.relaxed:
        yield _reason(
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
    months = chosen.break_even_months
    could_rent = chosen.tier == "single_gpu" and not case.wishes.data_must_stay
    if could_rent and months is not None and months <= case.wishes.horizon_months:
        yield _reason("pays_back", months=months)
    elif could_rent and _dependable_rent(case) is not None:
        yield _reason("pays_by_resale", months=months if months is not None and months <= MAX_PAYBACK_MONTHS else None)
    if chosen.tier == "cloud":
        yield from _against_buying(case)
    if chosen.host_usd > 0:
        yield _needs_host(case, chosen)
    yield from _how_it_fits(case, chosen)


def _needs_host(case: Case, chosen: Option) -> Reason:
    """Return why a computer is bought around the card: there is no place for it here, or too few cores to feed it."""
    fewer = [one for one in _same_card(case, chosen) if (one.threads or 0.0) < (chosen.threads or 0.0)]
    if not fewer:
        return _reason("needs_host", host_usd=chosen.host_usd)
    least = min(fewer, key=lambda one: one.purchase_usd)
    return _reason(
        "needs_host",
        kind="loads",
        host_usd=chosen.host_usd,
        threads=chosen.threads,
        fewer_threads=least.threads,
        slow_s=least.run_s,
        run_s=chosen.run_s,
    )


def _same_card(case: Case, chosen: Option) -> list[Option]:
    """Return the other purchases of what was chosen, which differ in the computer around it."""
    same = [one for one in case.options if one.tier == chosen.tier and one.id != chosen.id and one.purchase_usd > 0]
    return [one for one in same if (one.device, one.device_count) == (chosen.device, chosen.device_count)]


def _kind_of_cheapest(case: Case, chosen: Option) -> str | None:
    """Return among what the answer costs least: all, what may be in time, or what takes a single card."""
    if not (is_steady(chosen) and is_common(chosen, case.wishes)):
        return "only"
    if may_miss(chosen, case.wishes) or "start" in case.choice.relaxed:
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
    return None


def _several(case: Case) -> Iterator[Reason]:
    """That the answer is several cards, and how a program comes to use them all."""
    chosen = case.choice.option
    if chosen is None or chosen.device_count == 1:
        return
    if chosen.tier != "this_computer":
        yield _reason("several_devices", count=chosen.device_count, device=chosen.device)
    if chosen.prediction is not None:
        on_node = chosen.prediction.task if chosen.prediction.shards > 1 else "copies"
        is_cluster = chosen.tier == "cluster"
        yield _reason("use_all_cards", kind="nodes" if is_cluster else on_node, count=chosen.device_count)


def _tpu(case: Case) -> Iterator[Reason]:
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
    yield _reason(
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
            yield _reason(
                "buying_may_be_late",
                option=best.id,
                device=best.title,
                horizon_usd=own_usd,
                chosen_usd=rent_usd,
                high_s=latest,
                deadline_s=case.wishes.deadline_s,
            )
        return
    months = best.break_even_months
    if months is None or months > case.wishes.horizon_months:
        yield _reason(
            "never_pays_back",
            purchase_usd=best.purchase_usd,
            device=best.title,
            months=months if months is not None and months <= MAX_PAYBACK_MONTHS else None,
            runs=case.wishes.runs,
            host_usd=best.host_usd or None,
        )


def _disk(case: Case) -> Iterator[Reason]:
    """What this computer's disk says to the job, where the answer would read from it."""
    chosen = case.choice.option
    if chosen is None or chosen.offer is not None or chosen.is_computer:
        return
    data, free = case.value("data_bytes"), case.value("free_disk_bytes")
    if isinstance(data, (int, float)) and isinstance(free, (int, float)) and data > free:
        yield _reason("data_exceed_disk", data_bytes=data, free_bytes=free)
    if _waits_for_disk(chosen):
        yield _reason("slow_disk", disk_samples_per_s=case.value("disk_samples_per_s"))


def _weights(case: Case) -> Iterator[Reason]:
    """What passes through this computer's main memory and line before a published network runs on a card in it."""
    chosen, size, main = case.choice.option, case.value("weights_bytes"), case.value("main_memory_bytes")
    if chosen is None or chosen.offer is not None or not isinstance(size, (int, float)):
        return
    is_around = not is_processor(chosen) and not chosen.is_computer and chosen.host_usd <= 0
    if is_around and isinstance(main, (int, float)) and size > main:
        code: ReasonCode = "host_cannot_load" if min(size, SHARD_BYTES) > main else "host_loads_in_parts"
        yield _reason(code, weights_bytes=size, main_memory_bytes=main, shard_bytes=SHARD_BYTES)
    fetch_s = case.value("fetch_s")
    if isinstance(fetch_s, (int, float)) and fetch_s >= FETCH_S:
        first_s = None if chosen.run_s is None else chosen.run_s + fetch_s
        kind = "line" if case.facts["fetch_s"].basis == "asked" else None
        yield _reason("fetch_weights", kind=kind, weights_bytes=size, fetch_s=fetch_s, first_s=first_s)


def _waits_for_disk(option: Option) -> bool:
    return option.prediction is not None and option.prediction.limit == "disk"


def _input(case: Case) -> Iterator[Reason]:
    chosen = case.choice.option
    if chosen is not None and _waits_for_disk(chosen):
        return  # more cores would not help
    idle = None if chosen is None or is_processor(chosen) else _idle(case, chosen)
    if chosen is None or idle is None or idle < IDLE_RATIO:
        return
    measured = ("loader_samples_per_s", "card_samples_per_s") if _is_measured_idle(case, chosen) else ()
    rivals = _same_card(case, chosen) if chosen.tier == "single_gpu" and not chosen.is_computer else []
    fed = min((one for one in rivals if done_s(one) < done_s(chosen)), key=done_s, default=None)
    if fed is not None:
        yield _reason(
            "input_bound",
            idle_ratio=idle,
            tier="single_gpu",
            kind="cores",
            threads=fed.threads,
            extra_usd=fed.purchase_usd - chosen.purchase_usd,
            slow_s=chosen.run_s,
            run_s=fed.run_s,
        )
        return
    yield _reason(
        "input_bound",
        idle_ratio=idle,
        cores=case.value("usable_cores"),
        tier=case.choice.tier,
        **{name: case.value(name) for name in measured},
    )


def _loading(case: Case) -> Iterator[Reason]:
    """What hangs on how the user's program loads its images, where that is not known."""
    chosen = case.choice.option
    is_unknown = case.value("input_kind") == "jpeg" and case.value("loaders") is None
    if not is_unknown or chosen is None or is_processor(chosen) or chosen.interval is None or not chosen.run_s:
        return
    if chosen.interval.high > LOADING_RATIO * chosen.run_s:
        yield _reason("loading_unknown", run_s=chosen.run_s, high_s=chosen.interval.high)


def _idle(case: Case, option: Option) -> float | None:
    """Return the share of a step a card waits for its data: as measured here, else as predicted."""
    measured = case.value("card_idle_ratio") if _is_measured_idle(case, option) else None
    return float(measured) if isinstance(measured, (int, float)) else idle_ratio(option)


def _is_measured_idle(case: Case, option: Option) -> bool:
    known = case.facts.get("card_idle_ratio")
    return option.tier == "this_computer" and known is not None and known.basis == "measured"


def _uncertain(case: Case) -> Iterator[Reason]:
    chosen = case.choice.option
    if chosen is None or case.choice.relaxed:
        return
    if chosen.interval is not None and (high_s := longest_s(chosen)) > case.wishes.deadline_s:
        kind = "rent" if chosen.before_s > 0 and not is_fetching(chosen) else None
        yield _reason("tight_deadline", kind=kind, high_s=high_s, **_limit(case))
    if chosen.tier == "this_computer":
        yield from _faster_elsewhere(case, chosen)
    for tier in case.either[1:]:
        rival = _best_of(case, tier)
        if rival is not None and chosen.tier != "this_computer":
            yield _reason(
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
        yield _reason("faster_elsewhere", device=rival.title, run_s=rival.run_s, run_usd=rival.run_usd)


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
    if best is not None and not is_processor(best) and (_idle(case, best) or 0.0) >= IDLE_RATIO:
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
    if tier == "this_computer":
        return "already_enough" if rule.tier in {"single_gpu", "cloud"} else "one_computer_will_do"
    if tier == "cluster":
        return "beyond_one_computer"
    if rule.tier == "cluster":
        return "one_computer_will_do"
    if rule.tier == "this_computer":
        return "does_not_fit_here" if case.value("fits_here") is False else "too_slow_here"
    return "renting_is_cheaper" if tier == "cloud" else "buying_is_cheaper"
