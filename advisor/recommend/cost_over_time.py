"""What keeping, buying and renting cost over the horizon, for any number of runs a month, and where the lines cross."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from advisor.recommend.feasibility import Wishes, is_owned
from advisor.records.job.advice import CostCrossing, CostLine, CostOverTime, CostRole, Option, Tier, Trade, TradeRole
from advisor.records.job.best import best_of_each
from advisor.units import MONTH_S

_ROLES: dict[TradeRole, CostRole] = {"stay": "keep", "buy": "buy", "rent": "rent"}

WIDE_RATIO = 4.0
"""How many times as many runs as were asked the lines show."""

FAR_RATIO = 100.0
"""A crossing at more runs than so many times those asked is of no use to who asked."""

ROOM_RATIO = 1.3
"""Of what the lines show beyond the first crossing."""

MONTH_STEPS = 12
"""Months over the horizon of which the money spent is told."""


def cost_over_time(options: Sequence[Option], wishes: Wishes, trade: Trade | None) -> CostOverTime | None:
    """Return the costs of what one has, of the best purchase and of the best rent; None where two are not known.

    Args:
        options: All of them, priced, the best first.
        wishes: Runs a month and the horizon.
        trade: Says which are the best.
    """
    named = [(role, option) for role, option in _named(options, trade) if option.cost_parts or option.horizon_usd == 0]
    if len(named) < 2:
        return None
    limits = {option.id: _most_runs(option) for _role, option in named}
    far = wishes.runs_per_month * FAR_RATIO
    crossings = tuple(_crossings(named, limits, far, wishes.horizon_months))
    top = max([WIDE_RATIO * wishes.runs_per_month, *(ROOM_RATIO * one.runs_per_month for one in crossings[:1])])
    return CostOverTime(
        lines=tuple(_line(role, option, min(top, limits[option.id]), wishes) for role, option in named),
        crossings=tuple(one for one in crossings if one.runs_per_month <= top),
        most_runs_per_month=top,
    )


def _named(options: Sequence[Option], trade: Trade | None) -> Iterator[tuple[CostRole, Option]]:
    """Yield what has a line: what one has as the trade says, and the purchase and the rent that every page names."""
    by_id = {option.id: option for option in options}
    rows = () if trade is None else trade.rows
    chosen = next((by_id[row.option] for row in rows if "recommended" in row.roles), None)
    best = best_of_each(options, chosen, trade)
    for wanted, role in _ROLES.items():
        option = next((by_id[row.option] for row in rows if wanted in row.roles), None)
        if option is not None:
            yield role, option if role == "keep" else best.get(option.tier, option)
        elif chosen is not None and (beside := _beside(role, chosen, options, best)) is not None:
            yield role, beside


def _beside(role: CostRole, staying: Option, options: Sequence[Option], best: dict[Tier, Option]) -> Option | None:
    """Return what stands beside a computer that is enough, though no trade names it: some of its kind are quicker."""
    tier: Tier = "single_gpu" if role == "buy" else "cloud"
    if staying.tier != "this_computer" or role == "keep" or staying.run_s is None:
        return None
    is_any = any(one.tier == tier and one.feasible and (one.run_s or staying.run_s) < staying.run_s for one in options)
    return best.get(tier) if is_any else None


def _most_runs(option: Option) -> float:
    """Return how many runs a month has room for; a rented machine has others beside it."""
    return MONTH_S / option.run_s if is_owned(option) and option.run_s else float("inf")


def spent_usd(option: Option, runs_per_month: float, horizon_months: float) -> float:
    """Return what an option costs over the horizon."""
    return sum(part.usd(runs_per_month * horizon_months) for part in option.cost_parts)


def _line(role: CostRole, option: Option, top: float, wishes: Wishes) -> CostLine:
    months = wishes.horizon_months
    places = sorted({0.0, min(wishes.runs_per_month, top), top, *(r for r in _bends(option, months) if r < top)})
    return CostLine(
        role=role,
        option=option.id,
        points=tuple((runs, spent_usd(option, runs, months)) for runs in places),
        by_month=tuple(
            (months * step / MONTH_STEPS, _spent_by(option, step / MONTH_STEPS, wishes))
            for step in range(MONTH_STEPS + 1)
        ),
        most_runs_per_month=None if (limit := _most_runs(option)) == float("inf") else limit,
    )


def _spent_by(option: Option, share: float, wishes: Wishes) -> float:
    """Return what has been paid after a share of the horizon: what is sold is sold at its end."""
    found = 0.0
    for part in option.cost_parts:
        paid_usd = part.usd(wishes.runs)
        if part.run_usd:
            found += paid_usd * share
        elif paid_usd >= 0 or share == 1:
            found += paid_usd
    return found


def _bends(option: Option, months: float) -> Iterator[float]:
    """Yield the runs a month at which a part meets one of its ends: between them lines are straight."""
    for part in option.cost_parts:
        for end in (part.least_usd, part.most_usd):
            if end is not None and part.run_usd > 0 and end > part.fixed_usd:
                yield (end - part.fixed_usd) / part.run_usd / months


def _crossings(
    named: Sequence[tuple[CostRole, Option]], limits: dict[str, float], far: float, months: float
) -> Iterator[CostCrossing]:
    """Yield where another of the options becomes the cheapest, from the fewest runs a month on.

    That is where two cost the same, or where a month has no room for more runs of the cheapest.
    """
    met = {
        runs
        for i, (_role, one) in enumerate(named)
        for _other, two in named[i + 1 :]
        for runs in _meetings(one, two, min(far, limits[one.id], limits[two.id]), months)
    }
    found = sorted(met | {limit for limit in limits.values() if limit < far})
    edges = [0.0, *found, far]
    for before, at, after in zip(edges, edges[1:], edges[2:], strict=False):
        sides = [_cheapest(named, limits, (at + side) / 2, months) for side in (before, after)]
        if sides[0] is not None and sides[1] is not None and sides[0][0] != sides[1][0]:
            usd = spent_usd(sides[1][1], at, months)
            yield CostCrossing(runs_per_month=at, usd=usd, below=sides[0][0], above=sides[1][0])


def _meetings(one: Option, two: Option, top: float, months: float) -> Iterator[float]:
    """Yield the runs a month at which two options cost the same."""
    edges = sorted({0.0, top, *(runs for option in (one, two) for runs in _bends(option, months) if runs < top)})
    for low, high in pairwise(edges):
        first, last = (spent_usd(one, runs, months) - spent_usd(two, runs, months) for runs in (low, high))
        if first * last < 0:
            yield low + (high - low) * first / (first - last)
        elif last == 0 and first != 0 and high < top:
            yield high


def _cheapest(
    named: Iterable[tuple[CostRole, Option]], limits: dict[str, float], runs: float, months: float
) -> tuple[CostRole, Option] | None:
    able = [(role, option) for role, option in named if limits[option.id] >= runs]
    return min(able, key=lambda pair: spent_usd(pair[1], runs, months), default=None)
