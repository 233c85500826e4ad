"""Whole computers with a training device built in."""

from pathlib import Path

import pytest

from advisor.catalog import chip_socket_w, computers, devices, find_device
from advisor.catalog.hardware.computers import computers as read_computers
from advisor.errors import CatalogError
from advisor.resource import resource_path
from advisor.units import GIB


def test_each_is_dated_and_sourced_and_has_its_own_memory() -> None:
    """Price and memory are the computer's; the chip's row names no price, and the largest memory sold with it."""
    for one in computers():
        chip = find_device(one.device.name)
        assert chip.price_usd is None
        assert one.device.price_usd == one.price_usd
        assert (one.device.memory_bytes or 0) <= (chip.memory_bytes or 0)
        assert one.price_as_of >= (chip.released or "9")
        assert {"price", "power", "specifications"} <= one.device.sources.keys()
        assert one.threads >= 8


def test_more_memory_costs_more() -> None:
    """Of one computer with one chip: a slip of the pen in a table of prices shows here."""
    groups: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for one in computers():
        groups.setdefault((one.name, one.device.name), []).append((one.device.memory_bytes or 0, one.price_usd))
    for rows in groups.values():
        by_price = sorted(rows, key=lambda row: row[1])
        assert by_price == sorted(rows)
        assert len({memory for memory, _ in rows}) == len({price for _, price in rows}) == len(rows)


def test_a_price_is_read_as_the_source_has_it() -> None:
    """The smallest Mac mini with an M5 Pro."""
    first = computers()[0]
    assert (first.name, first.device.name) == ("Mac mini", "Apple M5 Pro (16-core GPU)")
    assert (first.price_usd, first.device.memory_bytes, first.socket_w) == (1699, 24 * GIB, 140)


def test_what_a_mac_draws_is_found_by_its_chip() -> None:
    """By the processor's name and by the graphics'; of a chip that nobody measured, and of others, nothing is said."""
    assert chip_socket_w("Apple M4") == chip_socket_w("Apple M4 (10-core GPU)") == 65
    assert chip_socket_w("Apple M2 Ultra (76-core GPU)") == 295
    assert chip_socket_w("Apple M3 Max (40-core GPU)") is None
    assert chip_socket_w("GeForce RTX 4090") is None
    chips = {one.name.partition(" (")[0] for one in devices() if one.device_class == "apple"}
    assert {chip for chip in chips if chip_socket_w(chip) is not None} >= {"Apple M1", "Apple M2", "Apple M4"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Apple M5 Pro (16-core GPU)", "GeForce RTX 4090", "no chip of the catalogue that shares its memory"),
        ("memory_gib = 24", "memory_gib = 2400", "not sold with so much memory"),
        ('price_source = "apple_2026_08"', 'price_source = "hearsay"', "no source hearsay"),
        ('\nsource = "apple_studio_power"', '\nsource = "hearsay"', "no source hearsay"),
        ("price_usd = 1699", "price_usd = 0", "price_usd"),
        ("threads = 15", 'threads = "many"', "threads"),
    ],
)
def test_a_wrong_row_is_refused_in_a_sentence(tmp_path: Path, old: str, new: str, said: str) -> None:
    """It names the file and what is wrong."""
    text = resource_path("catalog", "computers.toml").read_text(encoding="utf-8")
    place = tmp_path / "computers.toml"
    place.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(CatalogError, match=said):
        read_computers(place)
