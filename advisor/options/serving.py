"""Every way to run a language model for people: how fast each is, what it costs a month, and which one is advised."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from advisor.catalog import economics
from advisor.errors import PredictionError
from advisor.options.candidates import Candidate
from advisor.options.power_draw import socket_power_w, waiting_power_w
from advisor.options.pricing import electricity_usd_per_kwh, resale_usd
from advisor.predict.serving import Host, predict_serving
from advisor.records.hardware.economics import Economics
from advisor.records.job.advice import Tier
from advisor.records.job.serving import LanguageModel, ServingPrediction, WeightFormat
from advisor.records.job.serving_advice import (
    ServingObstacle,
    ServingOption,
    ServingQuestion,
    as_told,
)
from advisor.records.job.workload import Circumstances
from advisor.units import GB, HOUR_S, JOULES_PER_KWH, MONTH_S

_MONTH_H = MONTH_S / HOUR_S
_MOST_NODES = 4
"""More computers in a row than any known model needs."""
_UNSURE = 0.5
"""Width, in logarithms, that an interval has beyond the narrowest one when nobody should buy on it: Intel's, of whose
cards few rates are published. What many users at once add, all have alike."""
_CARDS = 2
"""That an ordinary computer has place and power for."""
_ORDER: dict[Tier, int] = {"this_computer": 0, "single_gpu": 1, "cloud": 2, "cluster": 3}


class Asked(NamedTuple):
    """What every option is asked."""

    question: ServingQuestion
    model: LanguageModel
    weights: WeightFormat
    circumstances: Circumstances


def serving_options(candidates: Iterable[Candidate], asked: Asked, host: Host) -> tuple[ServingOption, ...]:
    """Return an option for each candidate whose speed is known: those that do first, this computer before others.

    Of others the cheapest comes first among those whose speed is known well: where two cost about the same, nobody
    should buy the one that may be too slow.

    Args:
        candidates: The ways there are.
        asked: What is run, for whom.
        host: This computer's memory and processor, which take what does not fit into a card of its own.

    Raises:
        InputError: The price of electricity in the country is not known, and the user gave none.
    """
    table = economics()
    known: dict[tuple[str, int | None, int, bool], ServingPrediction | None] = {}
    found = []
    for one in candidates:
        if one.nodes > _MOST_NODES or (one.offer is not None and not one.offer.is_dependable):
            continue
        key = (one.device.name, one.device.memory_bytes, one.device_count, one.is_in_this_computer)
        if key not in known:
            known[key] = _predicted(one, asked, host)
        if (prediction := known[key]) is not None:
            found.append(_option(one, prediction, asked, table))
    narrowest = min((_width(one) for one in found), default=0.0)
    priced = _with_break_even(found, asked.circumstances.horizon_months)
    return tuple(sorted(priced, key=lambda one: _rank(one, narrowest)))


def chosen_option(options: Sequence[ServingOption]) -> ServingOption | None:
    """Return the advised option: this computer where it does, else what costs the least a month; None: nothing does."""
    return next((one for one in options if one.obstacle is None), None)


def _predicted(candidate: Candidate, asked: Asked, host: Host) -> ServingPrediction | None:
    """Return how fast it is; None where a figure of the device is unknown, or no program serves on it."""
    try:
        return predict_serving(
            asked.model,
            asked.weights,
            host.device if candidate.torch_device == "cpu" else candidate.device,
            asked.question.job,
            device_count=candidate.device_count,
            host=host if candidate.is_in_this_computer else None,
        )
    except PredictionError:
        return None


def _option(candidate: Candidate, prediction: ServingPrediction, asked: Asked, table: Economics) -> ServingOption:
    question, terms, offer = asked.question, asked.circumstances, candidate.offer
    busy_h = _busy_hours(prediction, question)
    ready_h = question.hours_per_month or busy_h
    paid_h = max(ready_h, busy_h)
    if offer is None:
        running = _electricity_usd(candidate, busy_h, paid_h, terms, table)
    else:
        starts_h = 0.0 if question.hours_per_month else terms.runs_per_month * table.rent_start_s.value / HOUR_S
        paid_h += starts_h
        stored_gb = prediction.memory.weights_bytes / GB
        running = paid_h * offer.price_usd_per_h * candidate.nodes + stored_gb * table.storage_usd_per_gb_month.value
    lost_usd = (candidate.purchase_usd - resale_usd(candidate, terms, table)) / terms.horizon_months
    month = None if running is None else running + lost_usd
    written = question.answers_per_month * question.job.new_tokens / 1e6
    option = ServingOption(
        id=candidate.id,
        tier=candidate.tier,
        title=candidate.title,
        device=candidate.device.name,
        device_count=candidate.device_count,
        prediction=prediction,
        offer=offer,
        purchase_usd=candidate.purchase_usd,
        host_usd=candidate.host_usd,
        price_as_of=candidate.price_as_of,
        busy_hours=busy_h,
        paid_hours=paid_h,
        month_usd=month,
        running_usd=running,
        million_tokens_usd=None if month is None else month / written,
    )
    first, *others = (*_obstacles(option, question, terms), None)
    return msgspec.structs.replace(option, obstacle=first, further_obstacles=tuple(filter(None, others)))


def _electricity_usd(
    candidate: Candidate, busy_h: float, ready_h: float, terms: Circumstances, table: Economics
) -> float | None:
    """Return what a month's electricity costs: of computing, and of the computer that stands ready meanwhile."""
    busy_w = socket_power_w(candidate, table)
    if busy_w is None:
        return None
    idle_w = min(busy_w, waiting_power_w(candidate.computer, table))
    energy_j = (busy_w * busy_h + idle_w * (ready_h - busy_h)) * HOUR_S
    return energy_j / JOULES_PER_KWH * electricity_usd_per_kwh(terms, table)


def _obstacles(option: ServingOption, question: ServingQuestion, terms: Circumstances) -> tuple[ServingObstacle, ...]:
    """Return all that stands in the way: the user's own limits last, so that where one is first nothing else does."""
    is_here = option.tier == "this_computer"
    found = speed_obstacles(option.prediction, question, is_here=is_here)
    if is_here or "does_not_fit" in found:
        return found
    memory, budget = option.prediction.memory, terms.budget_usd
    spent = option.purchase_usd or (option.month_usd or 0.0) * terms.horizon_months
    limits: dict[ServingObstacle, bool] = {
        # nobody should pay for what may be too small
        "hardly_fits": memory.available_bytes is not None and memory.interval.high > memory.available_bytes,
        "data_must_stay": option.offer is not None and terms.data_must_stay,
        "budget": budget is not None and spent > budget,
    }
    return (*found, *(name for name, stands in limits.items() if stands))


def speed_obstacles(
    prediction: ServingPrediction, question: ServingQuestion, *, is_here: bool = False
) -> tuple[ServingObstacle, ...]:
    """Return why a device does not do: that the model does not fit, or all that is too slow.

    Its speed counts by the slow end of the interval, so that nine of ten do; that of this computer, where trying costs
    nothing, by the best guess.
    """
    if prediction.memory.fits is False:
        return ("does_not_fit",)
    most_h = question.hours_per_month or _MONTH_H
    rate = prediction.decode_tokens_per_s if is_here else prediction.decode_interval.low
    longest_s = question.patience_s if is_here else question.looked_for_wait_s
    found: dict[ServingObstacle, bool] = {
        "too_slow": as_told(rate) < as_told(question.looked_for_tokens_per_s),
        "waits_too_long": 0 < as_told(longest_s) < as_told(prediction.first_token_s),
        "too_little_time": _busy_hours(prediction, question) > most_h,
    }
    return tuple(name for name, stands in found.items() if stands)


def _busy_hours(prediction: ServingPrediction, question: ServingQuestion) -> float:
    """Return for how long of a month it computes."""
    return question.answers_per_month * prediction.answer_s / question.job.users / HOUR_S


def _with_break_even(options: Sequence[ServingOption], months: float) -> Iterator[ServingOption]:
    """Yield the options, each purchase with the month from which the cheapest rent that does has cost more.

    What the purchase brings in the end is taken from its price.
    """
    rents = [one.month_usd for one in options if one.offer is not None and one.obstacle is None and one.month_usd]
    for one in options:
        saved = min(rents, default=0.0) - (one.running_usd or 0.0)
        if one.purchase_usd and one.month_usd is not None and one.running_usd is not None and saved > 0:
            lost_usd = (one.month_usd - one.running_usd) * months
            yield msgspec.structs.replace(one, break_even_months=lost_usd / saved)
        else:
            yield one


def _rank(option: ServingOption, narrowest: float) -> tuple[bool, int, bool, float]:
    """Return what an option is sorted by: of those that do, this computer, then what is well known, by money.

    Four cards come after others: the computer that is counted around a card has not the place for them. What does not
    do stands by tier: what only the user's limits bar, by money, then the fastest.
    """
    speed = option.prediction.decode_tokens_per_s
    cost = math.inf if option.month_usd is None else option.month_usd
    if option.obstacle is not None:
        is_beyond = option.obstacle in ("budget", "data_must_stay")
        return True, _ORDER[option.tier], not is_beyond, cost if is_beyond else -speed
    if option.tier == "this_computer":
        memory = option.prediction.memory
        is_whole = memory.available_bytes is not None and memory.host_ratio == 0  # else the rest is beside it, not lost
        is_tight = is_whole and memory.interval.high > (memory.available_bytes or 0.0)
        return False, 0, is_tight, -speed
    is_unsure = _width(option) ** 2 - narrowest**2 > _UNSURE**2
    is_doubtful = is_unsure or (option.host_usd > 0 and option.device_count > _CARDS)
    return False, 1, is_doubtful, cost


def _width(option: ServingOption) -> float:
    """Return the logarithm of how far apart the ends of the speed's interval are."""
    return math.log(option.prediction.decode_interval.high / option.prediction.decode_interval.low)
