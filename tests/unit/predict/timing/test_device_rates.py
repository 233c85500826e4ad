"""The rates of devices: what each can do at most for each kind of work, before how much of it a network gets."""

import math

import msgspec
import pytest

from advisor.catalog import find_device
from advisor.predict.coefficients import time_coefficients
from advisor.predict.timing.device_rates import gap_age, host_age, host_kind, machines, width_ratio
from advisor.predict.timing.kernels import HALF
from tests.unit.predict.examples import CARD, changed


@pytest.mark.parametrize(("lanes", "ratio"), [(32, 0.0), (64, 0.0), (96, 0.5), (128, 1.0), (192, 1.0)])
def test_width_of_multiprocessors(lanes: float, ratio: float) -> None:
    """By peak, multiprocessors and clock."""
    card = changed(CARD, peak_flop_per_s={"fp32": lanes * 2 * 46 * 1.5e9}, boost_hz=1.5e9)
    assert math.isclose(width_ratio(card), ratio)
    assert width_ratio(changed(card, vendor="amd")) == 0.0


def plateau(name: str, **changes: object) -> float:
    """Return the rate of large products in 16 bit, of a device of the catalogue, with constants changed."""
    found = machines([find_device(name)], msgspec.structs.replace(time_coefficients(), **changes))
    return float(found.plateau_flop_per_s[HALF, 0, 0])


def test_a_measured_rate_takes_the_place_of_the_rule() -> None:
    """It is taken as it is, power limit included; a device nobody measured goes by its class."""
    known = time_coefficients()
    name = find_device("L4").name
    twice = {**known.plateaus, name: tuple(2.0 * share for share in known.plateaus[name])}
    assert plateau("L4", plateaus=twice) == pytest.approx(2.0 * plateau("L4"))
    classes = {**known.classes, "full": (0.1, 0.1, 0.1)}
    assert plateau("L4", classes=classes) == plateau("L4")
    assert plateau("L4", classes=classes, plateaus={}) < plateau("L4", plateaus={})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("RTX 4060 Ti 8GB", "RTX 4060 Ti 16GB"),  # measured was the latter, and the row of the former had it
        ("Tesla V100 SXM2 16GB", "Tesla V100 SXM2 32GB"),
        ("RTX A2000 6GB", "RTX A2000 12GB"),
    ],
)
def test_one_chip_reaches_as_much_whatever_its_memory(one: str, other: str) -> None:
    """Two sizes of one card were told 493 and 352 ms for the same step."""
    assert plateau(one) == pytest.approx(plateau(other), rel=0.05)


def test_modules_of_one_jetson_stand_in_the_order_of_their_rates() -> None:
    """The Super was told slower than the module it replaces, at 1.6 times its clock."""
    names = ("Orin Nano 4GB", "Orin Nano 8GB", "Orin NX 8GB", "Orin NX 16GB", "Orin Nano Super", "AGX Orin 64GB")
    modules = [f"Jetson {name}" for name in names]
    told = [plateau(name) for name in modules]
    assert told == sorted(told)
    assert all(rate < find_device(name).peak_flop_per_s["fp16"] for rate, name in zip(told, modules, strict=True))


def test_the_rule_tells_classes_apart() -> None:
    """A GeForce keeps its halved units busy; full units wait for power, registers and caches."""
    known = time_coefficients()
    halved, full = (known.classes[name][HALF] for name in ("halved", "full"))
    assert halved > full
    laptop = plateau("RTX 4080 Laptop", plateaus={}, laptop_power=1.0)
    assert plateau("RTX 4080 Laptop", plateaus={}, laptop_power=2.0) > laptop


@pytest.mark.parametrize(
    ("name", "kind"),
    [("RTX 3060", "desktop"), ("RTX 3060 Laptop", "laptop"), ("A100", "desktop"), ("A6000", "desktop")],
)
def test_a_device_stands_in_a_kind_of_computer(name: str, kind: str) -> None:
    """For which it is made."""
    assert host_kind(find_device(name)) == kind


def test_a_processor_is_as_old_as_its_card_where_nobody_says() -> None:
    """Its age is bounded: nobody measured beside what is older, or younger."""
    card = changed(CARD, released="2017-03-01")
    assert host_age(card) == 3.0
    assert host_age(card, 2024) == -4.0
    assert host_age(changed(CARD, released=None)) == 0.0
    assert host_age(card, 1999) == host_age(card, 2014) == 6.0


def test_multiprocessors_limit_where_they_were_measured_to() -> None:
    """A TPU's few large units and a processor's cores are no multiprocessors."""
    devices = [find_device(name) for name in ("H100 SXM", "MI300X", "TPU v5e", "Gaudi 2", "Core i7-10750H")]
    found = machines(devices, time_coefficients())
    assert found.limiting_units[:, 0].tolist() == [132.0, 304.0, math.inf, math.inf, math.inf]


def test_kernels_follow_sooner_on_younger_cards() -> None:
    """By their own year, whichever processor launches them; a card of before 2020, and a processor, are as they are."""
    dates = ("2017-03-01", "2020-06-01", "2025-01-30")
    old, usual, young = (changed(CARD, released=date) for date in dates)
    processor = changed(young, device_class="cpu")
    assert [gap_age(device) for device in (old, usual, young, processor)] == [0.0, 0.0, -5.0, 0.0]
    gaps = machines([old, usual, young, processor], time_coefficients()).gap_s[:, 0]
    known = time_coefficients()
    assert gaps[0] == gaps[1] == known.gap_s
    assert math.isclose(gaps[2], known.gap_s * math.exp(-5.0 * known.dispatch_fall))
    assert gaps[3] == known.processor_gap_s
