"""Ways to get the job done: what is here, what can be bought, rented, and joined to clusters."""

import datetime
from typing import Any

import msgspec
import pytest

from advisor.catalog import economics
from advisor.options.candidates import (
    Candidate,
    better_fed,
    clusters,
    here,
    is_on_sale,
    purchases,
    rentals,
    whole_computers,
)
from advisor.options.power_draw import socket_power_w
from advisor.records.hardware.device import Computer, Device, Offer
from advisor.records.hardware.machine import Accelerator, Framework
from advisor.units import GIB
from tests.unit.options.test_own_devices import CPU, MACHINE

CARD = Device(name="Card", vendor="nvidia", device_class="datacenter_gpu", for_whom="datacenter")
OFFER = Offer(
    provider="x",
    instance="Card",
    region="secure",
    device="Card",
    device_name="Card",
    device_count=1,
    device_memory_bytes=None,
    cpu_cores=8,
    memory_bytes=None,
    price_usd_per_h=2.0,
    spot=False,
    as_of="2026-01-01",
)


def offer(**changes: Any) -> Offer:
    """Return an offer with other terms."""
    result: Offer = msgspec.structs.replace(OFFER, **changes)
    return result


def rented(*offers: Offer) -> dict[str, float]:
    """Return the prices of what is kept, by id."""
    return {
        candidate.id: candidate.offer.price_usd_per_h
        for candidate in rentals(offers, {"Card": CARD})
        if candidate.offer is not None
    }


def test_machines_of_one_name_are_told_apart() -> None:
    """A provider that names machines by their card has several of one name."""
    found = rented(OFFER, offer(device_count=2, price_usd_per_h=4.0), offer(spot=True, price_usd_per_h=1.0))
    assert found == {"rent/x/Card": 2.0, "rent/x/Card x2": 4.0, "rent/x/Card/spot": 1.0}


def test_a_cheap_marketplace_does_not_hide_a_dependable_machine() -> None:
    """Both stay; of the same kind the cheapest does."""
    market = offer(region="community", is_marketplace=True, price_usd_per_h=1.0)
    assert rented(OFFER, market, offer(region="elsewhere", price_usd_per_h=3.0)) == {
        "rent/x/Card": 2.0,
        "rent/x/Card/market": 1.0,
    }


def test_a_cheap_machine_does_not_hide_one_that_loads_more() -> None:
    """Of a provider's machines with a card, each stays that no other beats in price and threads."""
    found = rented(
        offer(instance="small", cpu_cores=4, price_usd_per_h=0.5),
        offer(instance="large", cpu_cores=16, price_usd_per_h=1.2),
        offer(instance="dear", cpu_cores=16, price_usd_per_h=4.0),
        offer(instance="odd", cpu_cores=2, price_usd_per_h=0.9),
    )
    assert found == {"rent/x/small": 0.5, "rent/x/large": 1.2}


def test_machines_of_one_name_and_several_sizes_are_told_apart() -> None:
    """By their threads, where a provider calls all of them by their card."""
    found = rented(OFFER, offer(cpu_cores=16, price_usd_per_h=3.0))
    assert found == {"rent/x/Card": 2.0, "rent/x/Card/16 threads": 3.0}


def bought(form_factor: str, **changes: Any) -> list[Candidate]:
    """Return what can be bought for a computer of 24 threads."""
    host = msgspec.structs.replace(
        MACHINE.host, form_factor=form_factor, cpu=msgspec.structs.replace(CPU, usable_cores=24.0)
    )
    known = {"device_class": "gpu", "price_usd": 300.0, "price_kind": "street", "frameworks": ("PyTorch", "CUDA")}
    card = msgspec.structs.replace(CARD, **(known | changes))
    machine = msgspec.structs.replace(MACHINE, host=host)
    return list(purchases([card], machine, economics(), datetime.date(2026, 11, 22)))


def test_a_new_computer_has_its_threads() -> None:
    """Hardware threads as everywhere, not cores: two on each of the six."""
    assert economics().host_threads.value == 2 * economics().host_cores.value
    [one, *more] = bought("laptop")
    assert (one.cpu_cores, one.host_usd > 0, one.is_in_this_computer) == (12.0, True, False)
    assert all(each.cpu_cores == 12.0 for each in more)


def test_a_card_put_into_this_computer_is_fed_by_it() -> None:
    """One card fits a desktop; two need a computer of their own."""
    one, two = bought("desktop")
    assert (one.cpu_cores, one.host_usd, one.is_in_this_computer) == (24.0, 0.0, True)
    assert not two.is_in_this_computer
    assert bought("desktop", device_class="apple") == []


def test_a_whole_computer_brings_everything_along() -> None:
    """Its price, threads, memory and power are its own; nothing of it goes into this computer, and no host is added."""
    chip = msgspec.structs.replace(CARD, name="Chip", memory_bytes=24 * GIB, memory_type="unified")
    computer = Computer(name="Box", device=chip, threads=10, socket_w=100.0, price_usd=999.0, price_as_of="2026-08-25")
    [one] = whole_computers([computer], datetime.date(2026, 11, 22))
    assert (one.id, one.title, one.tier) == ("buy/Box, Chip, 24 GB", "Box, Chip, 24 GB", "single_gpu")
    assert (one.purchase_usd, one.host_usd, one.cpu_cores) == (999.0, 0.0, 10)
    assert one.is_computer
    assert not one.is_in_this_computer
    assert socket_power_w(one, economics()) == 100.0
    assert list(whole_computers([computer], datetime.date(2030, 1, 1))) == []


def test_unknown_devices_are_left_out() -> None:
    """What the catalogue does not know cannot be predicted."""
    assert rented(offer(device=None), offer(device="Other")) == {}


def test_clusters_are_of_dependable_nodes_of_eight() -> None:
    """The cheapest of them that a fast network joins, several times over; cores add up."""
    node = offer(device_count=8, price_usd_per_h=16.0, network="infiniband", network_bytes_per_s=1e11)
    others = [
        offer(device_count=8, spot=True, price_usd_per_h=5.0, network="infiniband", network_bytes_per_s=1e11),
        offer(device_count=8, price_usd_per_h=8.0),
        offer(device_count=8, price_usd_per_h=7.0, network="ethernet", network_bytes_per_s=1e10),
    ]
    found = list(clusters([OFFER, *others, node], {"Card": CARD}))
    assert next(clusters([OFFER, *others], {"Card": CARD})).offer == others[2]
    assert [one.device_count for one in found[:2]] == [16, 32]
    assert all(one.offer == node and one.cpu_cores == 8.0 * one.nodes for one in found)


def test_a_machine_of_unknown_size_has_the_usual_threads() -> None:
    """No machine prepares data without end: where its list is silent, the median of machines like it counts."""
    silent = offer(provider="y", cpu_cores=None)
    known = [offer(instance=f"m{cores}", cpu_cores=cores) for cores in (4, 12, 40)]
    found = {one.id: one.cpu_cores for one in rentals([silent, *known], {"Card": CARD})}
    assert found["rent/y/Card"] == 12
    assert [one.cpu_cores for one in rentals([silent], {"Card": CARD})] == [16]


@pytest.mark.parametrize(
    ("device_class", "for_whom", "released", "price_kind", "is_sold"),
    [
        ("gpu", "consumer", "2024-01-08", "launch", True),
        ("gpu", "consumer", "2021-12-07", "launch", False),
        ("gpu", "consumer", "2021-12-07", "street", True),
        ("gpu", "consumer", None, "launch", False),
        ("workstation_gpu", "professional", "2021-04-12", "launch", True),
        ("workstation_gpu", "professional", "2020-10-05", "launch", False),
        ("datacenter_gpu", "datacenter", "2024-01-08", "street", False),
        ("laptop_gpu", "consumer", "2025-01-08", "launch", False),
    ],
)
def test_what_is_sold_for_a_desk(
    device_class: str, for_whom: str, released: str | None, price_kind: str, is_sold: bool
) -> None:
    """Consumer cards for three years, professional ones for five; nothing that needs a server around it."""
    card = msgspec.structs.replace(
        CARD,
        device_class=device_class,
        for_whom=for_whom,
        released=released,
        price_usd=300.0,
        price_kind=price_kind,
    )
    assert is_on_sale(card, datetime.date(2026, 11, 22)) is is_sold


NVIDIA = Accelerator(
    vendor="nvidia", index=0, name="NVIDIA GeForce RTX 3060", kind="discrete", trains=True, memory_bytes=12 * GIB
)
RADEON = msgspec.structs.replace(NVIDIA, vendor="amd", name="Radeon RX 7900 XTX", memory_bytes=24 * GIB)
SECOND = msgspec.structs.replace(NVIDIA, index=1, name="NVIDIA GeForce RTX 4090", memory_bytes=24 * GIB)


@pytest.mark.parametrize(
    ("cards", "torch", "names"),
    [
        ((NVIDIA, RADEON), Framework(), {"GeForce RTX 3060 12GB": "cuda:0", "Radeon RX 7900 XTX": "cuda:1"}),
        (
            (NVIDIA, SECOND),
            Framework(visible_devices=("cuda:0 NVIDIA GeForce RTX 4090 #1",)),
            {"GeForce RTX 3060 12GB": "cuda:1", "GeForce RTX 4090": "cuda:0"},
        ),
    ],
    ids=["two makers", "only the second shown"],
)
def test_each_card_has_its_own_name(cards: tuple[Accelerator, ...], torch: Framework, names: dict[str, str]) -> None:
    """What was measured on a card is told of that card, and no two options are one."""
    found = list(here(msgspec.structs.replace(MACHINE, accelerators=cards, framework=torch)))

    assert {one.device.name: one.torch_device for one in found[1:]} == names
    assert [one.id for one in found] == ["here/cpu", *(f"here/{name}" for name in names.values())]


def test_a_computer_around_a_card_comes_with_more_cores_too() -> None:
    """At the price that the list asks more for them; a card for this computer with a new one that has more threads."""
    table = economics()
    [first, *_] = bought("laptop")
    found = list(better_fed([first], table))
    assert [one.cpu_cores for one in found] == [16.0, 24.0, 32.0]
    extras = [processor.extra_usd for processor in table.processors]
    assert [one.host_usd - first.host_usd for one in found] == extras == [150.0, 250.0, 500.0]
    assert all(one.purchase_usd - one.host_usd == first.purchase_usd - first.host_usd for one in found)
    assert [one.extra_w for one in found] == [40.0] * 3, "105 W each instead of 65"
    [here, *_] = bought("desktop")
    assert [one.cpu_cores for one in better_fed([here], table)] == [32.0], "this one has 24"
    assert not any(one.is_in_this_computer for one in better_fed([here], table))
    assert list(better_fed([msgspec.structs.replace(first, is_computer=True)], table)) == []


def test_a_mac_has_no_slot_for_a_card() -> None:
    """Not even one on a desk: the card comes with a computer around it."""
    host = msgspec.structs.replace(MACHINE.host, form_factor="desktop", os_name="macOS")
    card = msgspec.structs.replace(
        CARD, device_class="gpu", price_usd=300.0, price_kind="street", frameworks=("PyTorch", "CUDA")
    )
    machine = msgspec.structs.replace(MACHINE, host=host)
    assert all(one.host_usd > 0 for one in purchases([card], machine, economics(), datetime.date(2026, 11, 22)))


def test_a_board_with_an_arm_processor_has_no_slot_for_a_card() -> None:
    """Whoever has a Raspberry Pi or a Jetson buys the computer as well."""
    host = msgspec.structs.replace(
        MACHINE.host, form_factor="desktop", cpu=msgspec.structs.replace(CPU, architecture="aarch64")
    )
    card = msgspec.structs.replace(
        CARD, device_class="gpu", price_usd=300.0, price_kind="street", frameworks=("PyTorch", "CUDA")
    )
    machine = msgspec.structs.replace(MACHINE, host=host)
    assert all(one.host_usd > 0 for one in purchases([card], machine, economics(), datetime.date(2026, 11, 22)))


def test_a_computer_for_a_desk_takes_two_cards() -> None:
    """Four of 169 USD were sold in a computer of 674, which has no slots for them."""
    assert [one.device_count for one in bought("desktop")] == [1, 2]
