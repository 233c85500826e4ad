"""Which device computes slowly, and which link carries little, by the others of its kind. Pure."""

import statistics
from collections.abc import Mapping, Sequence

import msgspec

from advisor.records.results.scaling import ScalingNode, ScalingPair, ScalingRank

_LEAST_RATIO, _OF_TWO_RATIO = 1.15, 1.5
"""Equal devices differ by a few percent; a seventh more is worth a look. Of two nobody knows which is the usual one."""
_LINK_RATIO = 0.7
"""A link that carries less than this of what others carry is worth a look: a few MiB repeat within a tenth."""

_CLOCK_S = 60.0
"""Clocks that differ by more disturb certificates, logins and the order of files."""


def wrong_clocks(late_s: Mapping[int, float]) -> list[tuple[int | None, float]]:
    """Return the computers whose clock is off, and by how many seconds.

    Args:
        late_s: By how much the clock of each computer is ahead of this one's. Where all of several are ahead by the
            same, this one's is wrong, which has no index.
    """
    off = [(node, late) for node, late in late_s.items() if abs(late) > _CLOCK_S]
    values = list(late_s.values())
    if len(off) == len(values) > 1 and max(values) - min(values) <= _CLOCK_S:
        return [(None, -statistics.median(values))]
    return [*off]


def with_slow_ranks(ranks: Sequence[ScalingRank]) -> tuple[ScalingRank, ...]:
    """Return devices, marked where even the quickest block of one is slower than the others' quickest and usual ones.

    The quickest of several rounds is compared, since other programs only ever add to a time; where they disturb all
    devices so much that the usual block of the others is no quicker, nobody is named. Of two devices one is named where
    it takes half as much again.
    """
    return tuple(msgspec.structs.replace(one, is_slow=_is_slow(one, ranks)) for one in ranks)


def _is_slow(one: ScalingRank, ranks: Sequence[ScalingRank]) -> bool:
    equals = [r for r in ranks if r is not one and (r.title, _kind(r)) == (one.title, _kind(one))]
    lows = [r.pace_low_s for r in equals if r.pace_low_s is not None]
    usual = [r.pace_s for r in equals if r.pace_s is not None]
    if one.pace_low_s is None or not lows or not usual:
        return False
    ratio = _OF_TWO_RATIO if len(lows) == 1 else _LEAST_RATIO
    return one.pace_low_s > max(ratio * statistics.median(lows), statistics.median(usual))


def _kind(rank: ScalingRank) -> str:
    return rank.device.partition(":")[0]


def with_slow_links(
    nodes: Sequence[ScalingNode], pairs: Sequence[ScalingPair]
) -> tuple[tuple[ScalingNode, ...], tuple[ScalingPair, ...]]:
    """Return computers and their links, marked where they carry less than the others.

    A computer whose best link is slower than the usual best link has a slow one itself; what is slow between two whose
    other links are well is the link between them.
    """
    best = {
        index: max(one.bytes_per_s for one in pairs if index in one.nodes)
        for index in range(len(nodes))
        if any(index in one.nodes for one in pairs)
    }
    if len(best) < 3:
        return tuple(nodes), tuple(pairs)
    usual = statistics.median(best.values())
    slow = {index for index, rate in best.items() if rate < _LINK_RATIO * usual}
    marked = tuple(msgspec.structs.replace(node, has_slow_link=index in slow) for index, node in enumerate(nodes))
    links = tuple(
        msgspec.structs.replace(one, is_slow=not slow & set(one.nodes) and one.bytes_per_s < _LINK_RATIO * usual)
        for one in pairs
    )
    return marked, links


def doubted_pairs(nodes: Sequence[ScalingNode], pairs: Sequence[ScalingPair]) -> list[tuple[int, int]]:
    """Return the links that carry less than they should, by themselves or as all links of a computer do."""
    return [one.nodes for one in pairs if one.is_slow or any(nodes[index].has_slow_link for index in one.nodes)]
