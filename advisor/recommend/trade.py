"""Weigh the answer against the few options somebody would rather take: what each costs, and what is given up for it."""

from collections.abc import Iterable, Iterator, Sequence

from advisor.recommend.facts import waits_for_disk
from advisor.recommend.feasibility import (
    Wishes,
    cost,
    each_s,
    is_fetching,
    latest_s,
    longest_s,
    obstacle,
    times_as_long,
)
from advisor.recommend.ranking import (
    QUICKER_RATIO,
    SAME_PRICE_RATIO,
    Choice,
    best_of_tier,
    cheapest,
    is_common,
    is_left_behind,
    is_steady,
    late_values,
    load_values,
    may_exceed,
    may_miss,
)
from advisor.recommend.twice_as_fast import twice_as_fast
from advisor.records.job.advice import FactValue, Option, Reason, Tier, Trade, TradeRole, TradeRow
from advisor.records.job.best import MUCH_FASTER_RATIO, SAME_TIME_RATIO, is_new_computer_alone
from advisor.units import HOUR_S, MINUTE_S, MONTH_S

SENSIBLE_RATIO = 3.0
"""Who is in a hurry pays up to three times as much as the cheapest purchase or rent costs; more is another plan."""

WORTH_WAITING_S = 10 * MINUTE_S
"""A quicker computer must save more than it takes to start a rented machine and send the data there."""

LATE_RATIO = 0.1
"""A tenth of a run, and ten minutes, until a rented machine computes are worth a word, or more than the run takes."""

CHEAPER_RATIO, CHEAPER_USD = 1.1, 1.0
"""What is slower and cheaper is worth a word from a tenth of what staying costs, where that is a dollar or more."""

BUSY_RATIO = 0.25
"""A computer that trains for a quarter of all hours is not quite its owner's any more."""

_ROLES: dict[Tier, TradeRole] = {"this_computer": "stay", "single_gpu": "buy", "cloud": "rent"}

NIGHT_S = (4 * HOUR_S, 14 * HOUR_S)
"""A run of so many hours begins in the evening and has ended in the morning, or while its owner is at work."""


def weigh(options: Sequence[Option], wishes: Wishes, choice: Choice) -> Trade | None:
    """Return the answer beside its alternatives; None where nothing is to be weighed: no option, or a cluster."""
    chosen = choice.option
    if chosen is None or chosen.run_s is None or choice.tier == "cluster":
        return None
    able = [o for o in options if o.tier != "cluster" and obstacle(o, wishes) is None and o.run_s is not None]
    able = [o for o in able if o.id == chosen.id or not is_left_behind(o, wishes)]
    rows = _rows(_named(chosen, able, wishes), wishes, is_sure=not may_exceed(chosen, wishes))
    by_role = {role: option for option, row in rows for role in row.roles}
    reasons = list(_reasons(chosen, by_role, _surest(chosen, able, wishes), wishes))
    naming = [place for place, one in enumerate(reasons) if isinstance(one.values.get("option"), str)]
    named = str(reasons[naming[-1]].values["option"]) if naming else None
    twice = twice_as_fast(options, chosen, named, wishes)
    if twice is not None:  # it may go on from the sentence that names an option
        reasons.insert(naming[-1] + 1 if naming else len(reasons), twice)
    return Trade(rows=tuple(row for _, row in rows), reasons=tuple(reasons))


def _named(chosen: Option, able: Sequence[Option], wishes: Wishes) -> Iterator[tuple[TradeRole, Option]]:
    """Yield the options worth naming, each with why."""
    yield "recommended", chosen
    steady = [option for option in able if is_steady(option) and is_common(option, wishes)]
    better = [option for option in steady if chosen.tier != "this_computer" or _gains(option, chosen, wishes)]
    better = [option for option in better if not is_new_computer_alone(option, chosen, steady)]
    best: dict[TradeRole, Option | None] = {
        "stay": min((o for o in able if o.tier == "this_computer"), key=_run_s, default=None),
        "buy": best_of_tier(better, "single_gpu", wishes),
        "rent": best_of_tier(better, "cloud", wishes),
        "cheapest": min(able, key=lambda option: (_usd(option, wishes), _run_s(option)), default=None),
        "quickest": _quickest(
            [*better, *(o for o in able if o.tier == "this_computer" and o not in better)], chosen, wishes
        ),
    }
    role = _ROLES.get(chosen.tier)
    if role is not None:
        best[role] = chosen  # the answer is the best of its kind
    yield from ((role, option) for role, option in best.items() if option is not None)


def _gains(option: Option, staying: Option, wishes: Wishes) -> bool:
    """Return whether something is gained by leaving this computer: time beyond the error of a prediction, or money.

    Nobody buys a card that is no faster than what is there to save electricity, nor one that is a little faster; nor
    rents a machine to have a result a few minutes sooner, its start included.
    """
    least = MUCH_FASTER_RATIO if option.purchase_usd > 0 else SAME_TIME_RATIO
    is_quicker = _run_s(option) * least <= _run_s(staying) and option.done_s * least <= staying.done_s
    if option.offer is not None and staying.done_s - option.done_s < WORTH_WAITING_S:
        is_quicker = is_quicker and option.done_s * MUCH_FASTER_RATIO <= staying.done_s
    known = cost(staying, wishes)
    is_cheaper = option.purchase_usd <= 0 and known is not None and _usd(option, wishes) < known
    return is_quicker or is_cheaper


def _quickest(steady: Sequence[Option], chosen: Option, wishes: Wishes) -> Option | None:
    """Return the quickest option among those that cost a sensible amount, by when its result is there.

    What costs no more than the answer is sensible, and nothing is quicker than an answer that takes as long.
    """
    elsewhere = [(total, o) for o in steady if o.tier != "this_computer" and (total := cost(o, wishes)) is not None]
    limit = max(SENSIBLE_RATIO * min((total for total, _ in elsewhere), default=0.0), cost(chosen, wishes) or 0.0)
    sensible = [o for total, o in elsewhere if total <= limit] + [o for o in steady if o.tier == "this_computer"]
    quickest = min(sensible, key=each_s, default=None)
    if quickest is None:
        return None
    as_quick = [option for option in sensible if each_s(option) <= each_s(quickest) * SAME_TIME_RATIO]
    return chosen if chosen in as_quick else min(as_quick, key=lambda option: (_usd(option, wishes), option.done_s))


def _rows(named: Iterable[tuple[TradeRole, Option]], wishes: Wishes, *, is_sure: bool) -> list[tuple[Option, TradeRow]]:
    """Return a row for each option, with all its roles, and what each gives up beside the others.

    Where the answer cannot be late, however its data are loaded, that is what others give up.
    """
    options: dict[str, Option] = {}
    roles: dict[str, list[TradeRole]] = {}
    for role, option in named:
        options.setdefault(option.id, option)
        roles.setdefault(option.id, []).append(role)
    quickest = min(options.values(), key=each_s)
    least = min(options.values(), key=lambda option: _usd(option, wishes))
    return [
        (
            option,
            TradeRow(
                option=name,
                roles=tuple(roles[name]),
                busy_s=_run_s(option) * wishes.runs_per_month,
                gives_up=tuple(_given_up(option, wishes, quickest, least, is_sure=is_sure)),
            ),
        )
        for name, option in options.items()
    ]


def _given_up(option: Option, wishes: Wishes, quickest: Option, least: Option, *, is_sure: bool) -> Iterator[Reason]:
    times, run_s, shortest_s = times_as_long(option, quickest), each_s(option), each_s(quickest)
    if times > SAME_TIME_RATIO:
        start_s = max(each_s(one) - _run_s(one) for one in (option, quickest))
        yield _reason("takes_longer", times=times, run_s=run_s, shortest_s=shortest_s, before_s=start_s or None)
    total, least_usd = cost(option, wishes), _usd(least, wishes)
    if total is not None and total - least_usd >= 0.01:
        usd = {"extra_usd": total - least_usd, "total_usd": total, "least_usd": least_usd}
        yield _reason("costs_more", option=least.id, **usd)
    if late := _lateness(option, wishes):
        yield _reason("may_be_late", **late)
    elif is_sure and may_exceed(option, wishes):
        yield _reason("may_be_late", **late_values(option, longest_s(option), wishes))
    if option.purchase_usd > 0:
        yield _reason("paid_at_once", purchase_usd=option.purchase_usd)
    if option.offer is not None:
        yield _reason("needs_account")
        if option.before_s > min(_run_s(option), max(WORTH_WAITING_S, LATE_RATIO * _run_s(option))):
            yield _reason("starts_late", before_s=option.before_s)
        if option.offer.spot:
            yield _reason("interruptible")
        if option.offer.is_marketplace:
            yield _reason("marketplace")
    if not is_common(option, wishes):
        yield _reason("less_supported")
    if option.device_count > 1:
        yield _reason("several", count=option.device_count)


def _surest(chosen: Option, able: Sequence[Option], wishes: Wishes) -> Option | None:
    """Return the cheapest that cannot miss the deadline, where the answer may; None where there is no such."""
    if not may_exceed(chosen, wishes):
        return None
    elsewhere = [one for one in able if one.tier != "this_computer" and is_steady(one) and is_common(one, wishes)]
    if chosen.tier == "this_computer":  # nobody leaves it for what is only better known, and slower
        elsewhere = [one for one in elsewhere if one.done_s < chosen.done_s]
    found = cheapest([one for one in elsewhere if not may_exceed(one, wishes)], wishes)
    is_loading = chosen.tier != "this_computer" and not may_miss(chosen, wishes)  # to load well costs nothing
    if found is not None and is_loading and _usd(found, wishes) > SENSIBLE_RATIO * _usd(chosen, wishes):
        return None
    dearer = found is not None and chosen.tier != "this_computer" and _usd(found, wishes) > _usd(chosen, wishes)
    return found if chosen.tier == "this_computer" or dearer else None


def _reasons(
    chosen: Option, by_role: dict[TradeRole, Option], surest: Option | None, wishes: Wishes
) -> Iterator[Reason]:
    """Yield the sentences that compare the answer with the others."""
    if surest is None and may_exceed(chosen, wishes) and chosen.done_s <= wishes.deadline_s:
        yield _reason("may_be_late", high_s=longest_s(chosen), deadline_s=wishes.deadline_s)
    if chosen.tier == "this_computer":
        if surest is not None and chosen.interval is not None and cost(chosen, wishes) is not None:
            yield _surer(surest, chosen, wishes)
        else:
            yield from _against_staying(chosen, by_role, wishes)
        yield from _load(chosen, wishes)
        return
    quickest, least = by_role.get("quickest"), by_role.get("cheapest")
    if surest is not None and chosen.interval is not None:
        yield _surer(surest, chosen, wishes)
    elif quickest is not None and _is_much_quicker(quickest, chosen):
        yield _compared("rather_quick", quickest, chosen, wishes)
    if least is not None and _usd(chosen, wishes) > _usd(least, wishes) * SAME_PRICE_RATIO + 0.01:
        code = "rather_stay" if least.tier == "this_computer" else "rather_cheap"
        yield _compared(code, least, chosen, wishes)


def _surer(surest: Option, chosen: Option, wishes: Wishes) -> Reason:
    """Return that the answer may be late, and what is not."""
    late = _compared("stay_or_be_sure", surest, chosen, wishes)
    high_s = chosen.done_s if chosen.interval is None else longest_s(chosen)
    return _reason("stay_or_be_sure", **{**late.values, "high_s": high_s, "deadline_s": wishes.deadline_s})


def _against_staying(chosen: Option, by_role: dict[TradeRole, Option], wishes: Wishes) -> Iterator[Reason]:
    """What speaks for another computer although this one is enough: it costs less, or waits less."""
    rivals = [by_role[role] for role in ("rent", "buy", "quickest") if role in by_role]
    rivals = [rival for rival in rivals if rival.tier != "this_computer" and rival.done_s < _run_s(chosen)]
    if cost(chosen, wishes) is None:
        return  # what staying costs is not known, so neither is what another would cost more or less
    beating = [rival for rival in rivals if _usd(rival, wishes) < _usd(chosen, wishes)]
    if beating:
        yield _compared("stay_though_dearer", min(beating, key=lambda one: _usd(one, wishes)), chosen, wishes)
        return
    quicker = [rival for rival in rivals if _is_much_quicker(rival, chosen)]
    if quicker:
        rival = min(quicker, key=lambda one: _usd(one, wishes))
        is_bought = rival.tier == "single_gpu"
        is_night = NIGHT_S[0] <= _run_s(chosen) <= NIGHT_S[1]
        yield _compared(
            "stay_or_buy" if is_bought else "stay_overnight" if is_night else "stay_or_rent", rival, chosen, wishes
        )
    rent = by_role.get("rent")
    if rent is not None and _usd(chosen, wishes) > max(CHEAPER_RATIO * _usd(rent, wishes), CHEAPER_USD):
        yield _compared("stay_or_save", rent, chosen, wishes)


def _is_much_quicker(rival: Option, chosen: Option) -> bool:
    saved_s = chosen.done_s - rival.done_s
    return chosen.done_s >= QUICKER_RATIO * rival.done_s and saved_s >= WORTH_WAITING_S


def _load(chosen: Option, wishes: Wishes) -> Iterator[Reason]:
    """How much of a month this computer would compute, where that is a good part of it."""
    busy_s = _run_s(chosen) * wishes.runs_per_month
    if busy_s <= BUSY_RATIO * MONTH_S:
        return
    longest_s = (_run_s(chosen) if chosen.interval is None else chosen.interval.high) * wishes.runs_per_month
    if longest_s > MONTH_S:
        yield _reason("load_may_exceed", high_hours=longest_s / HOUR_S, **load_values(busy_s))
    else:
        yield _reason("load", **load_values(busy_s))


def _compared(code: str, rival: Option, chosen: Option, wishes: Wishes) -> Reason:
    """Return a comparison of two options; what differs is told in money over the horizon and in time of a run."""
    return _reason(
        code,
        option=rival.id,
        tier=rival.tier,
        rival_s=rival.run_s,
        run_s=chosen.run_s,
        before_s=None if is_fetching(rival) else rival.before_s or None,
        limit="disk" if rival.host_usd > 0 and waits_for_disk(chosen) else None,
        chosen_before_s=None if is_fetching(chosen) or rival.before_s else chosen.before_s or None,
        rival_usd=cost(rival, wishes),
        chosen_usd=cost(chosen, wishes),
        extra_usd=abs(_usd(rival, wishes) - _usd(chosen, wishes)),
        horizon_months=wishes.horizon_months,
        runs=wishes.runs,
        why=_weakness(rival, wishes),
        **{name: value for name, value in _lateness(rival, wishes).items() if name != "before_s"},
    )


def _lateness(option: Option, wishes: Wishes) -> dict[str, float]:
    """Return how long an option may take and how long it is allowed to, where that is more."""
    latest = latest_s(option) if may_miss(option, wishes) else None
    return {} if latest is None else late_values(option, latest, wishes)


def _weakness(option: Option, wishes: Wishes) -> str | None:
    """Return the code of why a cheaper option is not the answer."""
    if may_miss(option, wishes) and (option.offer is None or is_steady(option)):
        return "may_be_late"
    if option.offer is not None and not is_steady(option):
        return "interruptible" if option.offer.spot else "marketplace"
    if not is_common(option, wishes):
        return "less_supported"
    return "several" if option.device_count > 1 else None


def _reason(code: str, **values: FactValue) -> Reason:
    return Reason(code=code, values={name: value for name, value in values.items() if value is not None})


def _run_s(option: Option) -> float:
    return float("inf") if option.run_s is None else option.run_s


def _usd(option: Option, wishes: Wishes) -> float:
    total = cost(option, wishes)
    return float("inf") if total is None else total
