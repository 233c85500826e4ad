"""Why this computer is enough or not: its memory, its time, its software, and what it reads the job's data from."""

import math
from collections.abc import Iterator, Sequence

from advisor.recommend.facts import fits, idle_ratio, is_processor, waits_for_disk
from advisor.recommend.feasibility import (
    cost,
    obstacle,
    span_s,
)
from advisor.recommend.ranking import (
    load_values,
    may_miss,
    relieves,
)
from advisor.recommend.reason_base import Case, ReasonCode, kind_of_device, limit_of, make_reason, same_card
from advisor.records.job.advice import FactValue, Option, Reason
from advisor.records.job.prediction import Prediction

LOADING_RATIO = 1.5
"""How images are loaded is worth a word where a run may take half as long again because nobody said."""


IDLE_RATIO = 0.15
"""A card that waits for its input less than this is not said to be starved."""


SHARD_BYTES = 5e9
"""A published network comes in files of at most so much, which are loaded one by one.

Source: Hugging Face, Transformers, "Instantiate a big model" (max_shard_size), read 2026-11-23."""


FETCH_S = 600.0
"""Fetching weights for longer than this is worth a word."""


def of_this_computer(case: Case) -> Iterator[Reason]:
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
        yield make_reason("too_slow_here", run_s=best.run_s, device=kind_of_device(best), **limit_of(case))
    elif code is None and (span := span_s(best)) is not None and may_miss(best, case.wishes):
        yield make_reason(
            "may_miss_here", run_s=best.run_s, high_s=span[1], device=kind_of_device(best), **limit_of(case)
        )
    elif code == "too_many_runs" and best.run_s is not None:
        yield make_reason("too_many_runs_here", **load_values(best.run_s * case.wishes.runs_per_month))
    elif code is None and chosen is not None and relieves(chosen, best, case.wishes):
        load = load_values((best.run_s or 0.0) * case.wishes.runs_per_month)
        yield make_reason(
            "busy_here", staying_usd=cost(best, case.wishes), chosen_usd=cost(chosen, case.wishes), **load
        )


def _cards_too_small(here: Sequence[Option]) -> Iterator[Reason]:
    """That no card of this computer holds the job, although its main memory may."""
    cards = [option for option in here if not is_processor(option)]
    if cards and all(fits(option) is False for option in cards):
        yield from _does_not_fit(min(cards, key=lambda option: -option.device_count))


def _does_not_fit(option: Option, *, is_table: bool = False) -> Iterator[Reason]:
    memory = option.prediction.memory if option.prediction is not None else None
    if memory is None:
        return
    yield make_reason(
        "does_not_fit_here",
        needed_bytes=memory.total_bytes,
        available_bytes=memory.available_bytes,
        device="cards" if option.device_count > 1 else kind_of_device(option),
        count=option.device_count if option.device_count > 1 else None,
        kind="table" if is_table and is_processor(option) else None,
    )


def _enough(case: Case, chosen: Option, here: Sequence[Option]) -> Iterator[Reason]:
    if not case.choice.relaxed:
        yield make_reason("in_time_here", run_s=chosen.run_s, device=kind_of_device(chosen), **limit_of(case))
    if is_processor(chosen) and case.value("is_small") and case.value("method") != "classical":
        yield make_reason("small_on_processor", run_s=chosen.run_s)
    processor = next((o for o in here if is_processor(o) and fits(o) is not False and o.run_s), None)
    if processor is not None and not is_processor(chosen) and chosen.run_s and processor.run_s:
        yield make_reason(
            "card_against_processor",
            card_s=chosen.run_s,
            processor_s=processor.run_s,
            times=processor.run_s / chosen.run_s,
            **_several(chosen),
        )
    yield from how_it_fits(case, chosen)


def how_it_fits(case: Case, option: Option) -> Iterator[Reason]:
    """That a step is cut into parts, and how much of its memory an option uses."""
    prediction = option.prediction
    if prediction is None or prediction.memory is None:
        return
    memory = prediction.memory
    if prediction.accumulation_steps > 1:
        yield make_reason(
            "in_parts",
            parts=prediction.accumulation_steps,
            batch_size=prediction.batch_size,
            device=option.title,
            task=prediction.task,
            **_of_normalized(case, prediction),
        )
    if memory.fits and memory.available_bytes is not None and not is_processor(option):
        yield make_reason(
            "fits_here_with",
            needed_bytes=memory.total_bytes,
            available_bytes=memory.available_bytes,
            **_several(option),
        )


def _several(option: Option) -> dict[str, FactValue]:
    """Return how many cards work together, where one is not alone."""
    return {"kind": "several", "count": option.device_count} if option.device_count > 1 else {}


def _of_normalized(case: Case, prediction: Prediction) -> dict[str, FactValue]:
    """Return how few samples batch normalization looks at together, where a step of training is cut into parts."""
    if prediction.task != "train" or not case.value("batch_normalized"):
        return {}
    return {"kind": "normalized", "samples": math.ceil(prediction.batch_size / prediction.accumulation_steps)}


def of_torch(case: Case) -> Iterator[Reason]:
    """That the installed PyTorch does not go with the card."""
    mismatch = case.value("torch_mismatch")
    if mismatch is not None and case.value("has_card") and case.value("method") != "classical":
        yield make_reason("torch_mismatch", mismatch=mismatch)


def of_unknown_card(case: Case) -> Iterator[Reason]:
    """That a card of this computer was left out, for nothing is known of it."""
    name = case.value("unknown_card")
    if name is not None and case.value("method") != "classical":
        yield make_reason("card_unknown", unknown_card=name)


def of_unsaid_cores(case: Case) -> Iterator[Reason]:
    """That a chip of this computer, which is the answer, is sold with several numbers of GPU cores."""
    chosen, cores = case.choice.option, case.value("unsaid_cores")
    if cores is None or chosen is None or chosen.tier != "this_computer" or is_processor(chosen):
        return
    chip, _, taken = chosen.device.partition(" (")
    other = next((one for one in reversed(str(cores).split("/")) if not taken.startswith(f"{one}-")), "")
    yield make_reason("cores_unsaid", unsaid_cores=cores, device=chosen.device, chip=chip, other=other)


def of_limited_card(case: Case) -> Iterator[Reason]:
    """That the answer is a card that PyTorch as it is usually installed does not run on."""
    chosen, name = case.choice.option, case.value("limited_card")
    if name is None or chosen is None or chosen.tier != "this_computer":
        return
    if chosen.device == name:
        yield make_reason("card_limited", limited_card=name, kind=case.value("limited_kind"))
    elif name in case.wishes.left_behind:
        yield make_reason("card_limited", limited_card=name, kind="unused")


def of_disk(case: Case) -> Iterator[Reason]:
    """What this computer's disk says to the job, where the answer would read from it."""
    chosen = case.choice.option
    if chosen is None or chosen.offer is not None or chosen.is_computer:
        return
    data, free = case.value("data_bytes"), case.value("free_disk_bytes")
    if isinstance(data, (int, float)) and isinstance(free, (int, float)) and data > free:
        yield make_reason("data_exceed_disk", data_bytes=data, free_bytes=free)
    if waits_for_disk(chosen):
        yield make_reason("slow_disk", disk_samples_per_s=case.value("disk_samples_per_s"))


def of_weights(case: Case) -> Iterator[Reason]:
    """What passes through this computer's main memory and line before a published network runs on a card in it."""
    chosen, size, main = case.choice.option, case.value("weights_bytes"), case.value("main_memory_bytes")
    if chosen is None or chosen.offer is not None or not isinstance(size, (int, float)):
        return
    is_around = not is_processor(chosen) and not chosen.is_computer and chosen.host_usd <= 0
    if is_around and isinstance(main, (int, float)) and size > main:
        code: ReasonCode = "host_cannot_load" if min(size, SHARD_BYTES) > main else "host_loads_in_parts"
        yield make_reason(code, weights_bytes=size, main_memory_bytes=main, shard_bytes=SHARD_BYTES)
    fetch_s = case.value("fetch_s")
    if isinstance(fetch_s, (int, float)) and fetch_s >= FETCH_S:
        first_s = None if chosen.run_s is None else chosen.run_s + fetch_s
        kind = "line" if case.facts["fetch_s"].basis == "asked" else None
        yield make_reason("fetch_weights", kind=kind, weights_bytes=size, fetch_s=fetch_s, first_s=first_s)


def of_input(case: Case) -> Iterator[Reason]:
    """That a card waits for its samples, and what more cores would change."""
    chosen = case.choice.option
    if chosen is not None and waits_for_disk(chosen):
        return  # more cores would not help
    idle = None if chosen is None or is_processor(chosen) else idle_share(case, chosen)
    if chosen is None or idle is None or idle < IDLE_RATIO:
        return
    measured = ("loader_samples_per_s", "card_samples_per_s") if _is_measured_idle(case, chosen) else ()
    rivals = same_card(case, chosen) if chosen.tier == "single_gpu" and not chosen.is_computer else []
    fed = min((one for one in rivals if one.done_s < chosen.done_s), key=lambda one: one.done_s, default=None)
    if fed is not None:
        yield make_reason(
            "input_bound",
            idle_ratio=idle,
            tier="single_gpu",
            kind="cores",
            threads=fed.threads,
            extra_usd=fed.purchase_usd - chosen.purchase_usd,
            rival_usd=fed.purchase_usd,
            chosen_usd=chosen.purchase_usd,
            slow_s=chosen.run_s,
            run_s=fed.run_s,
        )
        return
    yield make_reason(
        "input_bound",
        idle_ratio=idle,
        cores=case.value("usable_cores"),
        tier=case.choice.tier,
        **{name: case.value(name) for name in measured},
    )


def of_loading(case: Case) -> Iterator[Reason]:
    """What hangs on how the user's program loads its images, where that is not known."""
    chosen = case.choice.option
    is_unknown = case.value("input_kind") == "jpeg" and case.value("loaders") is None
    if not is_unknown or chosen is None or is_processor(chosen) or chosen.interval is None or not chosen.run_s:
        return
    if chosen.interval.high > LOADING_RATIO * chosen.run_s:
        yield make_reason("loading_unknown", run_s=chosen.run_s, high_s=chosen.interval.high)


def idle_share(case: Case, option: Option) -> float | None:
    """Return the share of a step a card waits for its data: as measured here, else as predicted."""
    measured = case.value("card_idle_ratio") if _is_measured_idle(case, option) else None
    return float(measured) if isinstance(measured, (int, float)) else idle_ratio(option)


def _is_measured_idle(case: Case, option: Option) -> bool:
    known = case.facts.get("card_idle_ratio")
    return option.tier == "this_computer" and known is not None and known.basis == "measured"
