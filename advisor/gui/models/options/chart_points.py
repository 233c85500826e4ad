"""The options as points of a chart, time against cost, and the words of its axes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from advisor.gui.models.options.table import OptionTable
from advisor.gui.models.verdict import KINDS
from advisor.locale import Language
from advisor.records.results.report import Report
from advisor.report.content.options.best import best_options
from advisor.report.words import quantities
from advisor.report.words.labels import device_title
from advisor.units import DAY_S, HOUR_S, MINUTE_S, YEAR_S

_SOONER = 1.05
"""Times of rented machines all count some ten minutes of start: a twentieth less is nothing that can be told."""
_UNSURE = frozenset({"interruptible", "marketplace"})
SYMBOLS = {"here": "o", "buy": "s", "rent": "d", "cluster": "t1"}


def _times(
    seconds: Sequence[int], hours: Sequence[int], days: Sequence[int], years: Sequence[int]
) -> tuple[float, ...]:
    """Return so many seconds and minutes, hours, days and years, in s."""
    units = ((1.0, seconds), (MINUTE_S, seconds), (HOUR_S, hours), (DAY_S, days), (YEAR_S, years))
    return tuple(count * unit for unit, counts in units for count in counts)


_FINE_TIME_TICKS_S = _times((1, 2, 5, 10, 20, 30), (1, 2, 5, 12), (1, 2, 5, 10, 20, 50, 100, 200), (1, 2, 5, 10))
_TIME_TICKS_S = (
    _FINE_TIME_TICKS_S,
    _times((1, 2, 5, 10, 30), (1, 2, 5, 12), (1, 2, 7, 28, 100), (1, 2, 5, 10)),
    _times((1, 3, 10, 30), (1, 3, 10), (1, 3, 7, 28, 100), (1, 3, 10)),
    (
        *(1.0, 10.0, MINUTE_S, 10 * MINUTE_S, HOUR_S, 6 * HOUR_S),
        *(DAY_S, 7 * DAY_S, 28 * DAY_S, YEAR_S / 2, 2 * YEAR_S, 10 * YEAR_S),
    ),
    (1.0, MINUTE_S, HOUR_S, DAY_S, 28 * DAY_S, 2 * YEAR_S, 20 * YEAR_S),
)
"""Marks in a rhythm, the finest first: of one in which every other had no room, 1 hour, 10 hours, 10 days were left."""
CHEAPEST = 0.01
_MOST_COST_TICKS = 6
_LEAST_SEEN, _MOST_EVEN = 2, 5
_WHOLE_FROM = 10.0
"""Amounts from here on have no hundredths."""
ROOM_RATIO = 0.12
"""How far an axis goes on beyond the outermost options, as a share of what lies between them."""
_WORDS_RATIO = 0.08
"""Half of a mark's words, as a share of a narrow axis: nearer to its end they are not drawn."""


@dataclass(frozen=True, kw_only=True)
class OptionPoint:
    """One option of the chart, in the user's currency.

    Attributes:
        row: Its place in the table of options.
        time_s: Until the result of a run is there, as in the table.
        cost: Over the horizon; what costs next to nothing lies on ``CHEAPEST``.
        label: Its name where it is the best of its kind, else empty.
        is_dependable: Whether it is no machine of other people, and cannot be interrupted.
        is_unbeaten: Whether no dependable one of its kind is cheaper and about as quick, or quicker.
    """

    row: int
    kind: str
    time_s: float
    cost: float
    is_feasible: bool
    is_chosen: bool
    label: str
    is_dependable: bool = True
    is_unbeaten: bool = True


def option_points(table: OptionTable) -> tuple[OptionPoint, ...]:
    """Return the options of a table that can be drawn: those whose time and cost are known."""
    named: set[str] = set()
    best = {KINDS[one.tier]: one.id for one in best_options(table.report)}
    best = {kind: id_ for kind, id_ in best.items() if any(one.id == id_ for one in table.options)}
    points = []
    nameable = {KINDS[option.tier] for option in table.options}
    if len(nameable) > 1 and table.report.advice.tier != "cluster":
        nameable.discard("cluster")  # nobody looks for one then, and its name would lie on others' marks
    for row, option in enumerate(table.options):
        if option.run_s is None or option.run_s <= 0 or option.horizon_usd is None:
            continue
        kind = KINDS[option.tier]
        is_named = kind in nameable and kind not in named and best.get(kind, option.id) == option.id
        points.append(
            OptionPoint(
                row=row,
                kind=kind,
                time_s=option.done_s,
                cost=max(CHEAPEST, option.horizon_usd * table.report.currency_per_usd),
                is_feasible=option.feasible,
                is_chosen=row == table.chosen,
                label=device_title(option.title, table.language) if is_named else "",
                is_dependable=option.obstacle not in _UNSURE,
            )
        )
        if is_named:
            named.add(kind)
    unbeaten = _unbeaten(points)
    return tuple(replace(point, is_unbeaten=point.row in unbeaten) for point in points)


def _unbeaten(points: Iterable[OptionPoint]) -> set[int]:
    """Return the rows of those of each kind that are quicker than all that cost less, by what can be told of times."""
    quickest: dict[str, float] = {}
    found = set()
    for point in sorted(points, key=lambda one: (one.cost, one.time_s)):
        is_usable = point.is_feasible and point.is_dependable
        if is_usable and point.time_s * _SOONER <= quickest.get(point.kind, math.inf):
            quickest[point.kind] = point.time_s
            found.add(point.row)
    return found


_MOST_TIME_TICKS = 7
_UNEVEN = 2.1
"""A step from a mark to the next that is so many times as long as another has room for one more."""
_CLOSER = 0.95
"""The mark at the left end may stand so much closer to the next: 10 minutes and an hour."""


def time_ticks(points: Iterable[OptionPoint], language: Language) -> list[tuple[float, str]]:
    """Return positions (decimal logarithm of seconds) and words of the time axis."""
    times = [point.time_s for point in points]
    low, high = min(times) / 2, max(times) * 2
    apart = (math.log10(high) - math.log10(low)) / _MOST_TIME_TICKS
    for steps in _TIME_TICKS_S:
        places = [math.log10(time_s) for time_s in steps if low <= time_s <= high]
        kept = _apart(places, apart)
        if kept == places:
            break
    if _seen(kept, times, _WORDS_RATIO) < _LEAST_SEEN:
        even = [math.log10(time_s) for time_s in _even(times, _FINE_TIME_TICKS_S, _WORDS_RATIO)]
        first, last = _range(times)
        kept = _apart(even, (last - first) / _MOST_TIME_TICKS) or kept
    kept = _with_left_end(kept, times, apart)
    said = {quantities.short_duration(10**place, language): place for place in reversed(kept)}  # each word once
    return [(place, text) for text, place in reversed(said.items())]


def _with_left_end(kept: list[float], times: Sequence[float], least: float) -> list[float]:
    """Return the marks, the first of them where the quickest option lies, or left of it.

    That is a round time where one is near whose words have room, else the quickest time itself. Of marks from 10
    minutes on, nobody could read what cards to buy take.
    """
    low, _high = _range(times, _WORDS_RATIO)
    quickest = math.log10(min(times)) + 1e-9  # of a round time
    if next((place for place in kept if place >= low), math.inf) <= quickest:
        return kept
    begin, end = _range(times)
    apart = _CLOSER * min(least, (end - begin) / _MOST_TIME_TICKS)
    places = [math.log10(time_s) for time_s in sorted(_FINE_TIME_TICKS_S)]
    first = max((one for one in places if low <= one <= quickest), default=quickest)
    later = [one for one in kept if one - first >= apart]
    return _filled([first, *later], places, apart) if later else [first]


def _filled(marks: list[float], places: Sequence[float], apart: float) -> list[float]:
    """Return the marks with one more near the middle of each step that is much longer than another."""
    steps = list(pairwise(marks))
    least = min(after - before for before, after in steps)
    more = []
    for before, after in steps:
        between = [one for one in places if before + apart <= one <= after - apart]
        if between and after - before > _UNEVEN * least:
            more.append(min(between, key=lambda one: abs(2 * one - before - after)))
    return sorted([*marks, *more])


def _apart(places: Iterable[float], least: float) -> list[float]:
    """Return the marks, without those whose words would run into the one before."""
    kept: list[float] = []
    for place in places:
        if not kept or place - kept[-1] >= least:
            kept.append(place)
    return kept


def _seen(places: Sequence[float], values: Sequence[float], words: float = 0.0) -> int:
    """Return how many marks lie where the chart shows them with their words."""
    low, high = _range(values, words)
    return sum(low <= place <= high for place in places)


def _range(values: Sequence[float], words: float = 0.0) -> tuple[float, float]:
    """Return the ends of an axis, decimal logarithms, less such a share of it that words at its ends would need.

    The axis has a little room around the outermost options.
    """
    low, high = math.log10(min(values)), math.log10(max(values))
    room = ROOM_RATIO * (high - low) or 0.5
    room -= words * (high - low + 2 * room)
    return low - room, high + room


def _even(values: Sequence[float], steps: Iterable[float], words: float = 0.0) -> list[float]:
    """Return some marks at even steps, for options that lie so close together that no round number is between them."""
    low, high = (10**end for end in _range(values, words))
    for step in steps:
        first, last = math.ceil(low / step), math.floor(high / step)
        if last - first < _MOST_EVEN:
            return [count * step for count in range(first, last + 1)]
    return []


def cost_ticks(points: Iterable[OptionPoint], report: Report, language: Language) -> list[tuple[float, str]]:
    """Return positions (decimal logarithm of money) and words of the cost axis."""
    costs = [point.cost for point in points]
    first, last = math.floor(math.log10(min(costs))), math.ceil(math.log10(max(costs)))
    step = max(1, math.ceil((last - first + 1) / _MOST_COST_TICKS))
    values = [10.0**power for power in range(first, last + 1, step)]
    if last - first <= 1:
        low, high = min(costs) / 2, max(costs) * 2
        values = [mantissa * 10.0**power for power in range(first - 1, last + 1) for mantissa in (1, 2, 5)]
        values = [value for value in values if low <= value <= high]
    if _seen([math.log10(value) for value in values], costs) < _LEAST_SEEN:
        least = 0 if min(costs) >= _WHOLE_FROM else -2
        steps = (mantissa * 10.0**power for power in range(least, last + 1) for mantissa in (1, 2, 5))
        values = _even(costs, steps) or values
        if any(value % 1 for value in values):
            return [(math.log10(value), language.money(value, report.circumstances.currency)) for value in values]
    return [(math.log10(value), language.money_mark(value, report.circumstances.currency)) for value in values]
