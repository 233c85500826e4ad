"""Equal computers are put together, and the slow one among them is found without blaming others."""

import msgspec
import pytest

from advisor.fleet.groups import FEWEST_EQUALS, grouped, own_findings, paces, sold_memory
from advisor.units import GIB
from tests.unit.fleet.build import equals, machine, member


@pytest.mark.parametrize("seed", range(10))
def test_one_of_thirty_is_found(seed: int) -> None:
    """12 % slow at 3 % noise, and nobody else is named."""
    members = equals(30, slow=seed, seed=seed)
    assert [digest for digest, pace in paces(members).items() if pace.is_slow] == [members[seed].digest]


def test_fewer_than_one_in_a_thousand_is_blamed_for_nothing() -> None:
    """3,000 equal computers with 3 % noise."""
    blamed = sum(pace.is_slow for seed in range(100) for pace in paces(equals(30, seed=seed)).values())
    assert blamed < 3  # of 3,000


def test_a_pace_is_a_share_of_the_middle() -> None:
    """Half as long again is 1.5."""
    found = paces(equals(30, slow=4, by=0.5))
    ratio = found[f"{4:012x}"].ratio
    assert ratio is not None
    assert ratio == pytest.approx(1.5, rel=0.05)


def test_of_few_none_is_slow() -> None:
    """Two of four may as well be fast."""
    found = paces(equals(FEWEST_EQUALS - 1, slow=0, by=1.0))
    assert all(pace.ratio is None and not pace.is_slow for pace in found.values())


def test_who_was_not_measured_has_no_pace() -> None:
    """Nothing is said of what nobody timed."""
    members = [*equals(6), member(99)]
    assert paces(members)[members[-1].digest].ratio is None


def test_equal_parts_make_a_group() -> None:
    """Firmware that takes a little memory makes no other computer; a card does."""
    smaller, larger, other = machine(gib=15.5), machine(gib=15.7), machine(card="NVIDIA GeForce RTX 3060")
    found = grouped([member(1, of=smaller), member(2, of=larger), member(3, of=other)])
    assert [(kind.title.endswith("GB"), len(members)) for kind, members in found.items()] == [(False, 2), (True, 1)]


def test_a_cards_memory_is_said_once() -> None:
    """Some names have it already."""
    [kind] = grouped([member(1, of=machine(card="GeForce RTX 3060 12GB"))])
    assert kind.title.endswith(" + GeForce RTX 3060 12GB")


@pytest.mark.parametrize(("seen", "sold"), [(15.5, 16), (7.7, 8), (62.6, 64), (12.0, 12), (13.3, 13.3)])
def test_memory_is_named_as_it_is_sold(seen: float, sold: float) -> None:
    """The system shows a little less than was bought."""
    assert sold_memory(seen * GIB) == sold * GIB


def test_a_cause_is_what_the_others_do_not_have() -> None:
    """What all of them suffer from does not make one of them slow."""
    others = [member(number, findings=("other_load",)) for number in range(1, 6)]
    slow = msgspec.structs.replace(others[0], findings=("throttled_heat", "other_load", "nothing_wrong"))
    assert own_findings(slow, others[1:]) == ("throttled_heat",)
