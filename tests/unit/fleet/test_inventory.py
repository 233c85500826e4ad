"""Inventories: what a site's tool knows of computers that nobody measured, and nothing of their users."""

import json
from pathlib import Path

import pytest

from advisor import wire
from advisor.fleet.files import read_fleet
from advisor.fleet.inventory import inventory_members
from advisor.units import GIB
from tests.unit.fleet.build import machine

GLPI = {
    "action": "inventory",
    "deviceid": "pc-ana-2026-11-20-10-00-00",
    "itemtype": "Computer",
    "content": {
        "hardware": {"name": "pc-ana", "memory": 15941, "chassis_type": "Notebook", "uuid": "4c4c4544"},
        "bios": {"ssn": "SERIAL7"},
        "cpus": [{"name": "Intel(R) Core(TM) i7-10750H CPU @ 2.60GHz", "core": 6, "thread": 12, "speed": 2600}],
        "memories": [{"capacity": 8192, "serialnumber": "SERIAL8"}, {"capacity": "8192"}],
        "videos": [
            {"name": "NVIDIA GeForce GTX 1650", "chipset": "TU117M", "memory": 4095},
            {"name": "Intel(R) UHD Graphics", "memory": 1024},
        ],
        "users": [{"login": "ana"}],
    },
}
ROWS = [
    {
        "hostname": "lab-1",
        "uuid": "u1",
        "cpu_brand": "AMD Ryzen 7 5800X 8-Core Processor",
        "cpu_physical_cores": "8",
        "cpu_logical_cores": "16",
        "physical_memory": "34276122624",
        "model": "NVIDIA GeForce RTX 3060",
    },
    {
        "hostname": "lab-2",
        "uuid": "u2",
        "cpu_brand": "Intel(R) Core(TM) i5-8400 CPU @ 2.80GHz",
        "cpu_logical_cores": "6",
        "physical_memory": "8589934592",
    },
]


def _text(document: object) -> bytes:
    return json.dumps(document).encode()


def test_a_computer_of_glpi() -> None:
    """Sticks of memory count before what the system shows; memory of cards is the catalogue's."""
    [one] = inventory_members(_text(GLPI), "0" * 12)
    host = one.machine.host
    assert (host.cpu.physical_cores, host.cpu.logical_cores, host.form_factor) == (6, 12, "laptop")
    assert host.memory.total_bytes == 16 * GIB
    assert [card.name for card in one.machine.accelerators] == ["GeForce GTX 1650"]
    assert one.is_inventory


def test_rows_of_osquery_are_computers() -> None:
    """Values are texts there; a row for each card, a computer for each host."""
    two = ROWS[0] | {"model": "NVIDIA GeForce RTX 3060"}
    found = inventory_members(_text([*ROWS, two]), "0" * 12)
    assert [len(one.machine.accelerators) for one in found] == [2, 0]
    assert len({one.digest for one in found}) == 2


def test_nothing_of_hosts_and_users_is_taken() -> None:
    """Neither names nor serial numbers."""
    for document in (GLPI, ROWS):
        for one in inventory_members(_text(document), "0" * 12):
            text = wire.encode(one).decode()
            assert not any(word in text for word in ("ana", "lab-", "SERIAL", "4c4c", '"u1"'))


@pytest.mark.parametrize(
    "document",
    [
        {},
        [],
        [{}],
        {"content": {}},
        {"content": {"cpus": [{"name": "x"}]}},
        [ROWS[0] | {"physical_memory": "-1"}],
        [ROWS[0] | {"cpu_logical_cores": "1e308"}],
        [ROWS[0] | {"cpu_brand": "x" * 10_000}],
    ],
)
def test_what_is_no_inventory(document: object) -> None:
    """It is left to be named as no report."""
    assert inventory_members(_text(document), "0" * 12) == ()


def test_in_one_folder_with_reports(tmp_path: Path) -> None:
    """Each file is what it is."""
    (tmp_path / "glpi.json").write_bytes(_text(GLPI))
    (tmp_path / "osquery.json").write_bytes(_text(ROWS))
    (tmp_path / "seen.json").write_bytes(wire.encode(machine()))
    found = read_fleet(tmp_path)
    assert sorted(one.is_inventory for one in found.members) == [False, True, True, True]
    assert not found.refused
    assert sorted(found.names.values()) == ["glpi", "osquery 1", "osquery 2", "seen"]
