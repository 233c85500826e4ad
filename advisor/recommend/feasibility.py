"""Say of one option whether it can be the answer, and if not, the one reason: a code with its numbers."""

from typing import Literal

import msgspec

from advisor.recommend.facts import fits
from advisor.records.job.advice import Option
from advisor.units import DAY_S, MONTH_S

Obstacle = Literal[
    "data_must_stay",
    "dearer",
    "delivered_late",
    "does_not_fit",
    "interruptible",
    "less_supported",
    "marketplace",
    "may_miss_deadline",
    "misses_deadline",
    "not_needed",
    "not_predicted",
    "not_supported",
    "over_budget",
    "price_unknown",
    "slower",
    "too_many_runs",
]
"""Why an option is not feasible; or, of a feasible one, why it lost: ``dearer``, ``interruptible``, ``less_supported``,
``marketplace``, ``may_miss_deadline``, ``not_needed``, ``slower``."""


DELIVERY_S = DAY_S
"""What is bought for a single run has to arrive before it can begin; nobody counts on that within a day."""


class Wishes(msgspec.Struct, frozen=True, kw_only=True):
    """What the user asks of an answer.

    Attributes:
        deadline_s: A run must end within this.
        deadline_is_default: The user did not say; a rule of the program did.
        budget_usd: None: no limit stated.
        priced_runs: Runs over the horizon that the options' costs were worked out for.
        less_supported: Devices that most programs cannot use as they are, for lack of CUDA or of a current build.
        old_cards: Those of them that have CUDA.
        left_behind: Devices of this computer that no framework of today computes on.
        tpus: Devices that run programs of PyTorch/XLA and JAX alone.
        counts_start: Whether what passes before a rented machine computes counts against the deadline.
        batch_size: A smaller batch per device the user would accept; None: only the one asked.
    """

    deadline_s: float
    deadline_is_default: bool
    budget_usd: float | None
    runs_per_month: float
    horizon_months: float
    data_must_stay: bool
    priced_runs: float
    less_supported: frozenset[str] = frozenset()
    old_cards: frozenset[str] = frozenset()
    left_behind: frozenset[str] = frozenset()
    tpus: frozenset[str] = frozenset()
    counts_start: bool = True
    batch_size: int | None = None

    @property
    def is_once(self) -> bool:
        """Whether there is one run only, which ends by a deadline that was asked for."""
        return self.runs < 1.5 and not self.deadline_is_default

    @property
    def runs(self) -> float:
        """Runs over the horizon."""
        return self.runs_per_month * self.horizon_months


def is_owned(option: Option) -> bool:
    """Return whether the option stands at the user's place: owned now, the site's, or bought."""
    return option.tier == "this_computer" or (option.offer is None and (option.purchase_usd > 0 or is_site(option)))


def is_site(option: Option) -> bool:
    """Return whether the option is a cluster that the user's site has."""
    return option.site_nodes > 0


def stands_alone(option: Option) -> bool:
    """Return whether nobody has to look for several computers for it: one computer, or a cluster that is there."""
    return option.tier != "cluster" or is_site(option)


def obstacle(option: Option, wishes: Wishes) -> Obstacle | None:
    """Return why the option cannot be the answer, or None where it can."""
    return _hard_obstacle(option, wishes) or _time_obstacle(option, wishes) or money_obstacle(option, wishes)


def _hard_obstacle(option: Option, wishes: Wishes) -> Obstacle | None:
    if option.obstacle == "not_supported":
        return "not_supported"
    if fits(option) is False and not _fits_smaller_batch(option, wishes):
        return "does_not_fit"
    if wishes.data_must_stay and option.offer is not None:
        return "data_must_stay"
    return None


def _time_obstacle(option: Option, wishes: Wishes) -> Obstacle | None:
    if option.run_s is None:
        return "not_predicted"
    if (option.done_s if wishes.counts_start else option.run_s) > wishes.deadline_s:
        return "misses_deadline"
    if is_delivered_late(option, wishes):
        return "delivered_late"
    if is_owned(option) and option.run_s * wishes.runs_per_month > MONTH_S:
        return "too_many_runs"
    return None


def is_delivered_late(option: Option, wishes: Wishes) -> bool:
    """Return whether what is bought for a single run comes after the run must have ended."""
    return option.purchase_usd > 0 and wishes.is_once and wishes.deadline_s < DELIVERY_S


def money_obstacle(option: Option, wishes: Wishes) -> Obstacle | None:
    """Return why the user cannot pay for the option, or nobody knows whether; None where they can."""
    if option.tier == "this_computer":
        return None
    if cost(option, wishes) is None:
        return "price_unknown"
    if wishes.budget_usd is not None and outlay(option, wishes) > wishes.budget_usd:
        return "over_budget"
    return None


def _fits_smaller_batch(option: Option, wishes: Wishes) -> bool:
    if wishes.batch_size is None or option.prediction is None or option.prediction.memory is None:
        return False
    largest = option.prediction.memory.largest_batch
    return largest is not None and largest >= wishes.batch_size


def cost(option: Option, wishes: Wishes) -> float | None:
    """Return what the option costs over the horizon; None where its price is unknown."""
    if option.horizon_usd is None or option.run_usd is None:
        return None
    if option.cost_parts and wishes.runs != wishes.priced_runs:
        return sum(part.usd(wishes.runs) for part in option.cost_parts)
    return option.horizon_usd + (wishes.runs - wishes.priced_runs) * option.run_usd


def outlay(option: Option, wishes: Wishes) -> float:
    """Return the money the user must have: the purchase, or rent and storage over the horizon."""
    return option.purchase_usd if option.purchase_usd > 0 else cost(option, wishes) or 0.0


def aside_s(option: Option) -> float:
    """Return what passes before and after a run until its result is there."""
    return option.before_s + option.after_s


def is_fetching(option: Option) -> bool:
    """Return whether what passes before a run is the fetching of weights to the user's own place."""
    return option.before_s > 0 and option.offer is None and not is_site(option)


def each_s(option: Option) -> float:
    """Return the time until the result of each run is there; weights are fetched before the first alone."""
    if is_fetching(option) and option.run_s is not None:
        return option.run_s
    return option.done_s


def times_as_long(slow: Option, quick: Option) -> float:
    """Return how many times as long the result of one option takes as that of another, each with its start."""
    return each_s(slow) / each_s(quick)


def longest_s(option: Option) -> float:
    """Return ``done_s`` at the far end of the whole interval, as it is shown; infinite where it is unknown."""
    return float("inf") if option.interval is None else option.interval.high + aside_s(option)


def latest_s(option: Option) -> float | None:
    """Return ``done_s`` at the far end of the interval, as far as it hangs on the device; None where it is unknown."""
    span = span_s(option)
    return None if span is None else span[1] + aside_s(option)


def span_s(option: Option) -> tuple[float, float] | None:
    """Return the ends of the interval of a run as far as it hangs on the device; None where it is unknown.

    That is with its data loaded as the best guess says: how they are loaded can be changed and is the same wherever the
    program runs, so it must not decide between devices.
    """
    prediction = option.prediction
    if prediction is not None and prediction.fed_interval is not None and option.run_s is not None:
        scale = option.run_s / prediction.time_per_step_s
        return prediction.fed_interval.low * scale, prediction.fed_interval.high * scale
    return None if option.interval is None else (option.interval.low, option.interval.high)


def obstacle_values(code: Obstacle, option: Option, wishes: Wishes) -> dict[str, float]:
    """Return the numbers that show why an option is not feasible, unit in the name."""
    memory = option.prediction.memory if option.prediction is not None else None
    found: dict[str, float | None] = {}
    if code == "does_not_fit" and memory is not None:
        found = {"needed_bytes": memory.total_bytes, "available_bytes": memory.available_bytes}
    elif code == "delivered_late":
        found = {"deadline_s": wishes.deadline_s}
    elif code == "misses_deadline":
        name = "run_s" if aside_s(option) <= 0 else "fetched_s" if is_fetching(option) else "done_s"
        found = {name: option.done_s, "deadline_s": wishes.deadline_s}
    elif code == "too_many_runs" and option.run_s is not None:
        found = {"busy_s": option.run_s * wishes.runs_per_month, "month_s": MONTH_S}
    elif code == "over_budget":
        found = {"outlay_usd": outlay(option, wishes), "budget_usd": wishes.budget_usd}
    return {name: value for name, value in found.items() if value is not None}
