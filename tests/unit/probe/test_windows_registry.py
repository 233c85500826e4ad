"""A recorded Windows computer: registry, adapters that are really there, and how a drive is attached."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.probe import probe_machine
from advisor.probe.windows_registry import bus_type_in, display_adapters, kind_of_drive, memory_bytes, seeks_in
from advisor.records.hardware.machine import Machine
from tests.unit.probe.computers.fakes import GIB, FakeNvml, FakeRegistry, nvidia_card
from tests.unit.probe.computers.windows_computers import APU_ADAPTER, RADEON_ADAPTER, SYSTEM, adapter, hardware, readers

RTX = r"VEN_10DE&DEV_2882&SUBSYS_51731462&REV_A1"
ARC = r"VEN_8086&DEV_56A0&SUBSYS_10208086&REV_08"


def test_radeon_on_windows_has_its_full_memory() -> None:
    """The 64-bit size counts (the 32-bit one would end at 4 GiB), and the APU beside it does not train."""
    machine = probe_machine(readers=readers(APU_ADAPTER, RADEON_ADAPTER))
    card, apu = machine.accelerators
    assert (card.name, card.memory_bytes, card.trains) == ("AMD Radeon RX 7900 XTX", 24 * GIB, True)
    assert (card.driver_version, card.pci_id) == ("32.0.12033.1030", "1002:744c")
    assert (apu.name, apu.kind, apu.trains, apu.memory_bytes) == ("AMD Radeon Graphics", "integrated", False, None)


def test_removed_adapter_is_not_counted() -> None:
    """An adapter the registry still knows but the driver has not started is not there."""
    gone = adapter(RTX, "0002", "nvlddmkm", started=False, DriverDesc="NVIDIA GeForce RTX 4060")
    assert _names(probe_machine(readers=readers(RADEON_ADAPTER, gone))) == ["AMD Radeon RX 7900 XTX"]


def test_nvidia_comes_from_its_library() -> None:
    """With NVML the card is read there, once, although the registry lists it too."""
    listed = adapter(RTX, "0002", "nvlddmkm", DriverDesc="NVIDIA GeForce RTX 4060")
    machine = probe_machine(readers=readers(listed, nvml=FakeNvml(nvidia_card("NVIDIA GeForce RTX 4060"))))
    assert _names(machine) == ["NVIDIA GeForce RTX 4060"]
    assert machine.accelerators[0].memory_bytes == 12 * GIB


def test_nvidia_without_library_is_still_known() -> None:
    """Without NVML the registry gives name and memory; the rest is missing with its reason."""
    listed = adapter(RTX, "0002", "nvlddmkm", DriverDesc="NVIDIA GeForce RTX 4060",
                     **hardware(qwMemorySize=8 * GIB))  # fmt: skip
    machine = probe_machine(readers=readers(listed))
    card = machine.accelerators[0]
    assert (card.name, card.memory_bytes) == ("NVIDIA GeForce RTX 4060", 8 * GIB)
    gaps = {gap.field: gap.reason for gap in machine.gaps}
    assert gaps["accelerators.0.compute_capability"] == "no_driver"
    assert "accelerators.0.memory_bytes" not in gaps


def test_arc_writes_its_memory_as_bytes() -> None:
    """Intel's driver stores the size as raw bytes."""
    raw = (16 * GIB).to_bytes(8, "little")
    arc = adapter(ARC, "0000", "igfxnd", DriverDesc="Intel(R) Arc(TM) A770 Graphics",
                  **hardware(qwMemorySize=raw))  # fmt: skip
    card = probe_machine(readers=readers(arc)).accelerators[0]
    assert (card.name, card.memory_bytes, card.trains) == ("Intel Arc A770 Graphics", 16 * GIB, True)


@pytest.mark.parametrize(
    ("bus", "device", "name"),
    [
        ("ROOT", "DISPLAY", "Parsec Virtual Display Adapter"),
        ("ROOT", "BASICDISPLAY", "Microsoft Basic Display Adapter"),
        ("SWD", "REMOTEDISPLAYENUM", "Microsoft Remote Display Adapter"),
        ("VMBUS", "{da0a7802}", "Microsoft Hyper-V Video"),
    ],
)
def test_virtual_displays_are_no_cards(bus: str, device: str, name: str) -> None:
    """Adapters of remote desktops and virtual monitors are shown as such and hide no card."""
    ghost = adapter(device, "0003", "ghost", bus=bus, DriverDesc=name)
    machine = probe_machine(readers=readers(ghost, RADEON_ADAPTER))
    assert _names(machine) == ["AMD Radeon RX 7900 XTX", name]
    assert (machine.accelerators[1].kind, machine.accelerators[1].trains) == ("virtual", False)


def test_other_devices_are_no_adapters() -> None:
    """A sound card on the same bus is passed over."""
    content = {rf"{SYSTEM}\Enum\PCI\VEN_10DE&DEV_22BE\1": {"ClassGUID": "{4d36e96c-e325-11ce-bfc1-08002be10318}"}}
    assert display_adapters(FakeRegistry(content)) == ()


@pytest.mark.parametrize(
    ("bus", "seeks", "remote", "kind"),
    [(17, False, False, "nvme"), (11, False, False, "ssd"), (11, True, False, "hdd"), (7, None, False, None),
     (14, None, False, "virtual"), (15, None, False, "virtual"), (9, None, False, "network"),
     (None, None, True, "network"), (None, None, False, None)],
)  # fmt: skip
def test_kinds_of_drives(bus: int | None, seeks: bool | None, remote: bool, kind: str | None) -> None:
    """Bus and seek penalty together tell the kinds apart."""
    assert kind_of_drive(bus, seeks=seeks, is_remote=remote) == kind


def test_descriptors_are_read_at_their_offsets() -> None:
    """BusType stands at byte 28 of its structure, IncursSeekPenalty at byte 8 of its own."""
    descriptor = struct.pack("<IIBBBBIIIIIIB", 40, 40, 0, 0, 0, 1, 0, 0, 0, 0, 17, 0, 0)
    assert bus_type_in(descriptor) == 17
    assert seeks_in(struct.pack("<IIB", 12, 12, 1)) is True
    assert seeks_in(struct.pack("<IIB", 12, 12, 0)) is False
    assert bus_type_in(b"") is None
    assert seeks_in(b"") is None


@given(st.one_of(st.binary(max_size=12), st.integers(0, 2**63), st.text(max_size=5), st.none()))
def test_memory_of_any_value(value: object) -> None:
    """Whatever a driver wrote, the result is an amount or nothing."""
    found = memory_bytes(value)
    assert found is None or found > 0


def _names(machine: Machine) -> list[str]:
    return [one.name for one in machine.accelerators]
