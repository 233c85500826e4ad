"""The slow device and the bad link, named by the others of their kind."""

import itertools
import random

import pytest

from advisor.records.results.scaling import ScalingNode, ScalingPair, ScalingRank
from advisor.scaling.findings import doubted_pairs, with_slow_links, with_slow_ranks, wrong_clocks

NODES = tuple(ScalingNode(name=f"node {number}") for number in (1, 2, 3, 4))


def _ranks(*low: float) -> tuple[ScalingRank, ...]:
    return tuple(ScalingRank(node=i, device="cpu", pace_s=one * 1.3, pace_low_s=one) for i, one in enumerate(low))


def _pairs(uplinks: tuple[float, ...], cut: tuple[int, int] | None = None, seed: int = 0) -> tuple[ScalingPair, ...]:
    chance = random.Random(seed)
    return tuple(
        ScalingPair(
            nodes=(a, b),
            latency_s=1e-4,
            bytes_per_s=min(uplinks[a], uplinks[b]) * (0.3 if (a, b) == cut else 1) * chance.uniform(0.92, 1.0),
        )
        for a, b in itertools.combinations(range(len(uplinks)), 2)
    )


@pytest.mark.parametrize("slow", range(4))
def test_a_device_at_half_speed_is_named(slow: int) -> None:
    """Whichever it is, it alone."""
    paces = [1.0, 1.03, 0.98, 1.01]
    paces[slow] *= 2
    assert [one.is_slow for one in with_slow_ranks(_ranks(*paces))] == [i == slow for i in range(4)]


@pytest.mark.parametrize("low", [(1.0, 1.1, 0.95, 1.05), (1.0, 1.4), (1.0,)])
def test_equal_devices_are_not_named(low: tuple[float, ...]) -> None:
    """Ten percent is what equal computers differ by, and of two the usual one is unknown."""
    assert not any(one.is_slow for one in with_slow_ranks(_ranks(*low)))


def test_where_all_are_disturbed_nobody_is_named() -> None:
    """As it was measured at a load of 19 on two cores: one had a quiet moment, and its usual block was no quicker."""
    lows, usual = (6.0, 5.5, 3.1, 4.6), (9.1, 9.8, 6.9, 7.5)
    ranks = [
        ScalingRank(node=i, device="cpu", pace_s=pace, pace_low_s=low)
        for i, (low, pace) in enumerate(zip(lows, usual, strict=True))
    ]
    assert not any(one.is_slow for one in with_slow_ranks(ranks))


def test_different_devices_are_not_held_against_each_other() -> None:
    """An old card beside three new ones is no fault."""
    ranks = (*_ranks(1.0, 1.0, 1.0), ScalingRank(node=3, device="cuda:0", title="Old", pace_s=5.0, pace_low_s=5.0))
    assert not any(one.is_slow for one in with_slow_ranks(ranks))


@pytest.mark.parametrize("slow", range(4))
def test_a_slow_uplink_is_one_computers(slow: int) -> None:
    """All its links are slow; that is one fault, not three."""
    uplinks = tuple(12e6 if i == slow else 125e6 for i in range(4))
    nodes, pairs = with_slow_links(NODES, _pairs(uplinks))
    assert [one.has_slow_link for one in nodes] == [i == slow for i in range(4)]
    assert not any(one.is_slow for one in pairs)


def test_one_slow_way_between_two_good_ones() -> None:
    """Both have quick links to others, so it is what lies between them."""
    nodes, pairs = with_slow_links(NODES, _pairs((125e6,) * 4, cut=(1, 2)))
    assert not any(one.has_slow_link for one in nodes)
    assert [one.nodes for one in pairs if one.is_slow] == [(1, 2)]


@pytest.mark.parametrize("seed", range(10))
def test_nobody_is_named_where_all_are_well(seed: int) -> None:
    """Eight percent of noise is no fault."""
    nodes, pairs = with_slow_links(NODES, _pairs((125e6,) * 4, seed=seed))
    assert not any(one.has_slow_link for one in nodes)
    assert not any(one.is_slow for one in pairs)


def test_only_what_looks_slow_is_measured_again() -> None:
    """All links of a slow computer, or the one slow way; of a clean room none."""
    good = (125e6,) * 4
    assert doubted_pairs(*with_slow_links(NODES, _pairs(good))) == []
    assert doubted_pairs(*with_slow_links(NODES, _pairs(good, cut=(1, 3)))) == [(1, 3)]
    assert doubted_pairs(*with_slow_links(NODES, _pairs((12e6, *good[1:])))) == [(0, 1), (0, 2), (0, 3)]


@pytest.mark.parametrize(
    ("late_s", "named"),
    [
        ({0: 0.2, 1: -3.0, 2: 40.0}, []),
        ({0: 0.0, 1: -86400.0}, [(1, -86400.0)]),
        ({0: 86400.0, 1: 0.0}, [(0, 86400.0)]),
        ({0: 7200.0, 1: 7201.0, 2: 7202.0}, [(None, -7201.0)]),
        ({0: 86400.0}, [(0, 86400.0)]),
    ],
)
def test_the_clock_that_is_wrong_is_named(late_s: dict[int, float], named: list[tuple[int | None, float]]) -> None:
    """Where all others agree with each other, it is that of whoever asks."""
    assert wrong_clocks(late_s) == named
