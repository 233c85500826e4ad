"""In which order options stand, and which of them share a row because nothing but name and price tells them apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from advisor.locale import N_
from advisor.records.job.advice import SECOND_CHOICES, Option
from advisor.report.words.quantities import spoken_s

ORDERS: tuple[tuple[str, str], ...] = (
    ("best", N_("Best trade-off first")),
    ("time", N_("Shortest time first")),
    ("money", N_("Lowest cost first")),
    ("energy", N_("Least electricity first")),
)
ROWS: tuple[tuple[str, str], ...] = (
    ("folded", N_("Alike in one row")),
    ("best", N_("The five best")),
    ("each", N_("One in each row")),
)
MOST_COMPARED = 3
_BEST = 5
_SOONER = 1.05
"""Less than a twentieth sooner is nothing gained: the times are not as sure as that."""


class Arrangement(NamedTuple):
    """Options as they are shown.

    Attributes:
        options: One for each row.
        alike: Further options of a row, by the id of the one that stands for them.
        idle: How many have no row because more of their device gain nothing.
    """

    options: list[Option]
    alike: Mapping[str, tuple[Option, ...]]
    idle: int = 0


def arranged(
    options: Sequence[Option], order: str, rows: str, chosen: str | None, *, is_searched: bool = False
) -> Arrangement:
    """Return options in an order, folded as wished; the recommended one stands for those like it, else the cheapest.

    Args:
        options: Best first.
        order: One of ``ORDERS``; what is not known of an option comes last.
        rows: One of ``ROWS``.
        chosen: Id of the recommended option.
        is_searched: A name was asked for: what has another one does not stand for it.
    """
    found = list(options)
    outdone = _outdone(found, chosen) if order == "best" else frozenset()
    found.sort(key=(lambda one: (_later(one, chosen), one.id in outdone)) if order == "best" else _KEYS[order])
    if rows == "each":
        return Arrangement(found, {})
    gaining = _gaining(found, chosen)
    groups: dict[object, list[Option]] = {}
    for option in gaining:
        name = (option.device, option.device_count) if is_searched else None
        groups.setdefault((_likeness(option), name), []).append(option)
    for group in groups.values():
        group.sort(key=lambda one: (one.id != chosen, _KEYS["money"](one)))
    shown = list(groups.values())
    if rows == "best":
        shown = [group for group in shown if group[0].id not in outdone][:_BEST]
    alike = {group[0].id: tuple(group[1:]) for group in shown if group[1:]}
    return Arrangement([group[0] for group in shown], alike, len(found) - len(gaining))


def _gaining(options: Sequence[Option], chosen: str | None) -> list[Option]:
    """Leave out more of a device where fewer of it, as reliable, end hardly later and cost no more.

    The same number at one provider counts once, too: rented as one machine or as a cluster of several.
    """
    of_device: dict[str, list[Option]] = {}
    for option in options:
        of_device.setdefault(option.device, []).append(option)

    def gains(one: Option) -> bool:
        return _is_own(one) or one.id == chosen or not any(_makes_idle(fewer, one) for fewer in of_device[one.device])

    return [option for option in options if gains(option)]


def _makes_idle(fewer: Option, one: Option) -> bool:
    """Return whether an option makes one of more devices idle, or is the same thing rented in a simpler way."""
    if fewer.run_s is None or one.run_s is None or None in (fewer.horizon_usd, one.horizon_usd):
        return False
    is_same = fewer.device_count == one.device_count and (fewer.tier, one.tier) == ("cloud", "cluster")
    is_same = is_same and _provider(fewer) == _provider(one)
    is_as_reliable = fewer.feasible >= one.feasible and _doubt(fewer) in {"", _doubt(one)}
    is_as_soon = fewer.done_s <= _SOONER * one.done_s
    is_as_cheap = _KEYS["money"](fewer) <= _KEYS["money"](one)
    return (fewer.device_count < one.device_count or is_same) and is_as_reliable and is_as_soon and is_as_cheap


def _outdone(options: Sequence[Option], chosen: str | None) -> frozenset[str]:
    """Return what is neither sooner nor cheaper than something else that is bought, or rented, as reliably.

    Eight H200 for 1,750 USD stood beside four A100 for 293 that are as soon. What is sooner by less than the list
    tells is no sooner, either: two cards for 10,100 stood above two for 2,820, with the same 1½ minutes.
    """
    soonest: dict[object, float] = {}
    outdone = set()
    for option in sorted(options, key=lambda one: (_KEYS["money"](one), one.done_s)):
        if option.horizon_usd is None or _is_own(option):
            continue
        kind = option.tier == "single_gpu", max(1, _later(option, chosen))
        before_s = soonest.get(kind, math.inf)
        is_told = spoken_s(option.done_s) < spoken_s(before_s)
        if option.id != chosen and not (is_told and _SOONER * option.done_s < before_s):
            outdone.add(option.id)
        soonest[kind] = min(option.done_s, soonest.get(kind, math.inf))
    return frozenset(outdone)


def _is_own(option: Option) -> bool:
    return option.tier == "this_computer" or bool(option.site_nodes)


def _provider(option: Option) -> str:
    return "" if option.offer is None else option.offer.provider


def _doubt(option: Option) -> str:
    """Return why an option cannot be relied on as others can; empty where it can."""
    return (option.obstacle or "") if option.obstacle in SECOND_CHOICES else ""


def _later(option: Option, chosen: str | None) -> int:
    """Return in which part of the best first an option stands: what can be relied on before the second choices."""
    if option.id == chosen:
        return 0
    return 3 if not option.feasible else 2 if option.obstacle in SECOND_CHOICES else 1


def _likeness(option: Option) -> object:
    """Return what options that share a row have in common: the answer, the time to two figures, and what limits it.

    One that can be relied on shares none with a second choice, which would stand for it because it is cheaper.
    """
    if option.run_s is None or option.prediction is None:
        return option.id
    return option.tier, f"{option.run_s:.2g}", option.prediction.limit, option.feasible, _doubt(option)


def _last_if_unknown(value: float | None) -> float:
    return math.inf if value is None else value


_KEYS: dict[str, Callable[[Option], float]] = {
    "time": lambda option: option.done_s,
    "money": lambda option: _last_if_unknown(option.horizon_usd),
    "energy": lambda option: _last_if_unknown(option.energy_j),
}
