"""Find what would change the answer, by asking the pure ranking again with one fact changed."""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from advisor.recommend.facts import fits
from advisor.recommend.feasibility import Wishes, aside_s, cost, is_owned, latest_s, obstacle, outlay
from advisor.recommend.ranking import Choice, choose, is_common, is_steady
from advisor.records.job.advice import FactValue, Flip, Option
from advisor.records.job.workload import ONCE_RUNS
from advisor.units import MINUTE_S, MONTH_S

FAR_RATIO = 50.0
"""Nobody's habits change by more than this."""

HASTE_S = 10 * MINUTE_S
"""Nobody rents or buys to be done within this: starting a rented machine and copying the data takes as long."""

HASTE_RATIO = 10.0
"""A deadline this much below the time of the answer is another question."""

SPOKEN_ALIKE_RATIO = 1.05
"""Values closer than this are told by the same rounded number."""

JUST_FULL_RATIO = 1.04
"""More runs than a month has room for are another answer; what would hold for far more of them helps nobody."""

_STEP = 2.0
_PRECISION_RATIO = 1.02

Ask = Callable[[Wishes], Choice]


def find_flips(
    options: Sequence[Option],
    wishes: Wishes,
    choice: Choice,
    *,
    batch_size: int,
    is_scalable: bool,
    deadline_for: Callable[[float], float],
) -> tuple[Flip, ...]:
    """Return the nearest change of each fact that leads to another tier.

    Args:
        options: All that were considered.
        wishes: As the choice was made.
        choice: That choice.
        batch_size: As asked.
        is_scalable: As for ``choose``.
        deadline_for: The deadline that follows from a number of runs per month, where none was asked.
    """
    options = frontier(options, wishes)

    def ask(changed: Wishes) -> Choice:
        return choose(options, changed, is_scalable=is_scalable)

    found = [
        *_deadline_flips(options, wishes, choice, ask),
        *_runs_flips(wishes, choice, ask, deadline_for),
        *_budget_flips(options, wishes, choice, ask),
        *_data_flip(wishes, choice, ask),
        *_batch_flip(options, wishes, choice, ask, batch_size),
    ]
    return tuple(found)


def frontier(options: Sequence[Option], wishes: Wishes) -> list[Option]:
    """Return the options that no other of their kind beats in all that a choice looks at: the rest can never be chosen.

    That is the time, also at its longest, every cost, and the largest batch that fits.
    """
    kept: dict[tuple[object, ...], list[tuple[Option, _Costs]]] = {}
    for option in sorted((o for o in options if o.run_s is not None), key=lambda one: one.done_s):
        kind = (option.tier, option.offer is None, is_steady(option), fits(option), is_common(option, wishes))
        rivals, own = kept.setdefault(kind, []), _costs(option)
        if not any(_is_cheaper(other, own) for _, other in rivals):
            rivals.append((option, own))
    unknown = [option for option in options if option.run_s is None]
    return [option for group in kept.values() for option, _ in group] + unknown


_Costs = tuple[float, float, float, float, float]


def _is_cheaper(rival: _Costs, own: _Costs) -> bool:
    """Return whether nothing costs more than the other's; written out, because it is asked thousands of times."""
    is_cheaper = rival[0] <= own[0] and rival[1] <= own[1] and rival[2] <= own[2]
    return is_cheaper and rival[3] <= own[3] and rival[4] <= own[4]


def _costs(option: Option) -> _Costs:
    unknown = float("inf")
    latest = latest_s(option)
    memory = None if option.prediction is None else option.prediction.memory
    return (
        unknown if option.horizon_usd is None else option.horizon_usd,
        unknown if option.run_usd is None else option.run_usd,
        option.purchase_usd,
        unknown if latest is None else latest,
        -float(memory.largest_batch or 0) if memory is not None and memory.fits is False else 0.0,
    )


def _flip(name: str, now: FactValue, then: FactValue, choice: Choice) -> Flip:
    return Flip(
        fact=name, now=now, then=then, tier=choice.tier, option=None if choice.option is None else choice.option.id
    )


def _is_answer(other: Choice, choice: Choice) -> bool:
    return other.tier != choice.tier and not other.relaxed


def _deadline_flips(options: Sequence[Option], wishes: Wishes, choice: Choice, ask: Ask) -> Iterable[Flip]:
    """Try the durations of the options, and what they may take at most: the answer can only change at one of them."""
    able = [option for option in options if option.run_s is not None and fits(option) is not False]
    at_most = {latest for option in able if (latest := latest_s(option)) is not None}
    times = sorted(at_most | {option.done_s for option in able})
    here = [option.run_s for option in able if option.tier == "this_computer" and option.run_s is not None]
    now = None if wishes.deadline_is_default else wishes.deadline_s
    is_enough = choice.tier == "this_computer" and not choice.relaxed  # who has more time need not leave it
    for longer in (time for time in times if time > wishes.deadline_s and not is_enough):
        other = ask(msgspec.structs.replace(wishes, deadline_s=longer, deadline_is_default=False))
        if _is_answer(other, choice) and not (other.tier != "this_computer" and _is_near(longer, here)):
            yield _flip("deadline_s", now, longer, other)
            break
    shortest = max(HASTE_S, _run_s(choice) / HASTE_RATIO)
    for shorter in (time for time in reversed(times) if shortest < time <= wishes.deadline_s):
        tried = (shorter * 0.999, shorter / SPOKEN_ALIKE_RATIO)  # who asks with the rounded time must hear the same
        other, again = (
            ask(msgspec.structs.replace(wishes, deadline_s=time, deadline_is_default=False)) for time in tried
        )
        if _is_answer(other, choice) and again.tier == other.tier:
            yield _flip("deadline_s", now, _surely_s(shorter, choice.option, other.option, wishes), other)
            break


def _surely_s(shorter: float, own: Option | None, other: Option | None, wishes: Wishes) -> float:
    """Return below which deadline another option is sure to be in time and the answer no longer is.

    The answer stays the answer also where it is only probably in time; from the far end of its range on it is not sure.
    """
    own_s, other_s = _at_worst_s(own), _at_worst_s(other)
    if own_s is None or other_s is None or other_s > shorter:
        return shorter
    return max(shorter, min(own_s, wishes.deadline_s))


def _at_worst_s(option: Option | None) -> float | None:
    """Return when a run has ended at the far end of the range that is told of it."""
    return None if option is None or option.interval is None else option.interval.high + aside_s(option)


def _is_near(value: float, others: Iterable[float]) -> bool:
    """Return whether a time is spoken like one of these: a deadline of that time would seem to be met there."""
    return any(max(value, other) <= min(value, other) * SPOKEN_ALIKE_RATIO for other in others)


def _run_s(choice: Choice) -> float:
    return 0.0 if choice.option is None or choice.option.run_s is None else choice.option.run_s


def _runs_flips(wishes: Wishes, choice: Choice, ask: Ask, deadline_for: Callable[[float], float]) -> Iterable[Flip]:
    def with_runs(runs: float) -> Choice:
        deadline_s = deadline_for(runs) if wishes.deadline_is_default else wishes.deadline_s
        return ask(msgspec.structs.replace(wishes, runs_per_month=runs, deadline_s=deadline_s))

    own = choice.option
    room = MONTH_S / own.run_s if own is not None and is_owned(own) and own.run_s else float("inf")

    def differs(runs: float) -> bool:
        other = with_runs(runs)
        is_full = runs > room and other.relaxed in ((), choice.relaxed) and other.option != own
        return _is_answer(other, choice) or is_full

    if wishes.runs < ONCE_RUNS:
        return  # a share of a run a month is nobody's habit
    now = wishes.runs_per_month
    most = min(now * FAR_RATIO, room * JUST_FULL_RATIO) if room > now else now * FAR_RATIO
    for end in (most, now / FAR_RATIO):
        then = search(differs, now, end)
        if then is not None and not _is_near(then, (now,)):
            yield _flip("runs_per_month", now, then, with_runs(then))


def _budget_flips(options: Sequence[Option], wishes: Wishes, choice: Choice, ask: Ask) -> Iterable[Flip]:
    """Try the outlays of the options themselves, upwards from the budget, and downwards from that of the answer.

    A smaller budget that still pays for the answer, or for one that is not in time anyway, changes nothing.
    """
    outlays = sorted({outlay(option, wishes) for option in options if option.tier != "this_computer"})
    now = wishes.budget_usd
    for more in (amount for amount in outlays if now is not None and amount > now):
        other = ask(msgspec.structs.replace(wishes, budget_usd=more))
        if other.tier != choice.tier or (choice.relaxed and not other.relaxed):
            yield _flip("budget_usd", now, more, other)
            break
    chosen = choice.option
    if chosen is None or chosen.tier == "this_computer" or obstacle(chosen, wishes) is not None:
        return
    for less in (amount for amount in reversed(outlays) if 0 < amount <= outlay(chosen, wishes)):
        other = ask(msgspec.structs.replace(wishes, budget_usd=less * 0.999))
        if _is_answer(other, choice) and not _costs_more(other, less, wishes):
            yield _flip("budget_usd", now, less, other)
            break


def _costs_more(other: Choice, usd: float, wishes: Wishes) -> bool:
    """Return whether what would do for less money costs more in the end: the electricity of this computer."""
    spent_usd = None if other.option is None else cost(other.option, wishes)
    return spent_usd is not None and other.tier == "this_computer" and spent_usd > usd


def _data_flip(wishes: Wishes, choice: Choice, ask: Ask) -> Iterable[Flip]:
    other = ask(msgspec.structs.replace(wishes, data_must_stay=not wishes.data_must_stay))
    if _is_answer(other, choice):
        yield _flip("data_must_stay", wishes.data_must_stay, not wishes.data_must_stay, other)


def _batch_flip(options: Sequence[Option], wishes: Wishes, choice: Choice, ask: Ask, batch_size: int) -> Iterable[Flip]:
    """Try the largest batches that would fit this computer."""
    here = [o.prediction.memory for o in options if o.tier == "this_computer" and o.prediction is not None]
    batches = {m.largest_batch for m in here if m is not None and m.fits is False and m.largest_batch}
    for batch in sorted((b for b in batches if b < batch_size), reverse=True):
        other = ask(msgspec.structs.replace(wishes, batch_size=batch))
        if _is_answer(other, choice):
            yield _flip("batch_size", batch_size, batch, other)
            return


def search(differs: Callable[[float], bool], now: float, end: float) -> float | None:
    """Return the value nearest to ``now``, towards ``end``, from which on ``differs`` holds; None where it never does.

    Steps by factors of 2, then halves the last step on a logarithmic scale down to 2 %.
    """
    step = _STEP if end > now else 1 / _STEP
    same, value = now, now
    while not differs(value):
        if value == end:
            return None
        same, value = value, min(value * step, end) if step > 1 else max(value * step, end)
    while max(value / same, same / value) > _PRECISION_RATIO:
        middle = (value * same) ** 0.5
        same, value = (same, middle) if differs(middle) else (middle, value)
    return float(value)
