"""A recorded Windows computer: registry, adapters that are really there, and how a drive is attached."""

import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.probe import probe_machine
from advisor.probe.host.windows import windows_version
from advisor.probe.readers import Readers
from advisor.probe.windows_registry import bus_type_in, display_adapters, kind_of_drive, memory_bytes, seeks_in
from advisor.records.hardware.machine import Machine
from tests.unit.probe.fakes import GIB, FakeNvml, FakePsutil, FakeRegistry, no_command, no_library, nvidia_card

SYSTEM = r"SYSTEM\CurrentControlSet"
DISPLAY = "{4d36e968-e325-11ce-bfc1-08002be10318}"
RTX = r"VEN_10DE&DEV_2882&SUBSYS_51731462&REV_A1"
RADEON = r"VEN_1002&DEV_744C&SUBSYS_0E3B1002&REV_C8"
APU = r"VEN_1002&DEV_164E&SUBSYS_D0001458&REV_C1"
ARC = r"VEN_8086&DEV_56A0&SUBSYS_10208086&REV_08"

HOST = {
    r"HARDWARE\DESCRIPTION\System\CentralProcessor\0": {
        "ProcessorNameString": "AMD Ryzen 7 7700X 8-Core Processor             ",
        "VendorIdentifier": "AuthenticAMD",
        "~MHz": 4491,
    },
    r"HARDWARE\DESCRIPTION\System\BIOS": {"SystemManufacturer": "Gigabyte", "SystemProductName": "B650"},
    r"SYSTEM\HardwareConfig\Current": {"EnclosureType": 3},
    r"SOFTWARE\Microsoft\Windows NT\CurrentVersion": {
        "ProductName": "Windows 10 Pro",
        "DisplayVersion": "24H2",
        "CurrentBuildNumber": "26100",
        "RegisteredOwner": "ana@example.com",
    },
}


def adapter(
    device: str, number: str, service: str, *, started: bool = True, bus: str = "PCI", **values: Any
) -> dict[str, Any]:
    """Return the registry keys of one adapter."""
    instance = "4&2283f625&0&0019"
    listed = {"0": rf"{bus}\{device}\{instance}", "Count": 1} if started else {"0": r"PCI\OTHER\1", "Count": 1}
    return {
        rf"{SYSTEM}\Enum\{bus}\{device}\{instance}": {
            "ClassGUID": DISPLAY,
            "Driver": rf"{DISPLAY}\{number}",
            "Service": service,
        },
        rf"{SYSTEM}\Services\{service}\Enum": listed,
        rf"{SYSTEM}\Control\Class\{DISPLAY}\{number}": values,
    }


def readers(*adapters: dict[str, Any], nvml: Any = None, psutil: Any = None, **host: Any) -> Readers:
    """Return a Windows computer with these adapters."""
    content: dict[str, Any] = dict(HOST)
    for one in adapters:
        content |= one
    return Readers(
        platform="windows",
        architecture="AMD64",
        files=_NoFiles(),
        registry=FakeRegistry(content | host),
        run=no_command,
        nvml=lambda: nvml or no_library(),
        psutil=lambda: psutil or FakePsutil(),
        cpuinfo=lambda: {"flags": ["avx2", "avx512f", "sse2"], "l3_cache_size": 33554432},
        free_bytes=lambda _: 80 * GIB,
        drive_kind=lambda _: "nvme",
        working_folder=r"C:\Users\ana\work",
        process_id=1234,
        torch_folder=lambda: None,
    )


class _NoFiles:
    """Windows has neither /proc nor /sys."""

    def text(self, path: str) -> str | None:
        return None

    def names(self, path: str) -> tuple[str, ...]:
        return ()

    def exists(self, path: str) -> bool:
        return False

    def target(self, path: str) -> str | None:
        return None


RADEON_ADAPTER = adapter(
    RADEON, "0001", "amdwddmg", DriverDesc="AMD Radeon RX 7900 XTX", DriverVersion="32.0.12033.1030",
    **{"HardwareInformation.qwMemorySize": 24 * GIB, "HardwareInformation.MemorySize": -1048576},
)  # fmt: skip
APU_ADAPTER = adapter(
    APU, "0000", "amdwddmg2", DriverDesc="AMD Radeon(TM) Graphics",
    **{"HardwareInformation.qwMemorySize": 512 * 1024**2},
)  # fmt: skip


def test_radeon_on_windows_has_its_full_memory() -> None:
    """The 64-bit size counts (the 32-bit one would end at 4 GiB), and the APU beside it does not train."""
    machine = probe_machine(readers=readers(APU_ADAPTER, RADEON_ADAPTER))
    card, apu = machine.accelerators
    assert (card.name, card.memory_bytes, card.trains) == ("AMD Radeon RX 7900 XTX", 24 * GIB, True)
    assert (card.driver_version, card.pci_id) == ("32.0.12033.1030", "1002:744c")
    assert (apu.name, apu.kind, apu.trains, apu.memory_bytes) == ("AMD Radeon Graphics", "integrated", False, None)


def test_host_of_windows() -> None:
    """Processor, version, form and disk come from registry and libraries, and the owner's name stays out."""
    machine = probe_machine(readers=readers())
    host = machine.host
    assert (host.os_name, host.os_version) == ("Windows", "11 Pro 24H2 (build 26100)")
    assert (host.cpu.name, host.cpu.vendor) == ("AMD Ryzen 7 7700X", "AMD")
    assert host.cpu.base_frequency_hz == pytest.approx(4.491e9)
    assert host.cpu.instruction_sets == ("AVX2", "AVX512F")
    assert host.cpu.caches_bytes == {"L3": 33554432}
    assert (host.form_factor, host.isolation, host.disk.kind) == ("desktop", "none", "nvme")
    assert "ana" not in str(machine)


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
                     **{"HardwareInformation.qwMemorySize": 8 * GIB})  # fmt: skip
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
                  **{"HardwareInformation.qwMemorySize": raw})  # fmt: skip
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


def test_virtual_machine_and_container() -> None:
    """The firmware's maker tells a virtual machine, ContainerType a container."""
    bios = {
        r"HARDWARE\DESCRIPTION\System\BIOS": {"SystemManufacturer": "VMware, Inc.", "SystemProductName": "VMware7,1"}
    }
    host = probe_machine(readers=readers(bios)).host
    assert (host.isolation, host.isolation_detail) == ("virtual_machine", "VMware")
    container = {r"SYSTEM\CurrentControlSet\Control": {"ContainerType": 2}}
    assert probe_machine(readers=readers(container)).host.isolation == "container"


def test_laptop_with_battery() -> None:
    """Psutil's battery makes it a laptop."""
    battery = type("Battery", (), {"percent": 42, "power_plugged": False, "secsleft": 100})()
    host = probe_machine(readers=readers(psutil=FakePsutil(battery=battery))).host
    assert host.form_factor == "laptop"
    assert host.battery is not None
    assert (host.battery.charge_ratio, host.battery.is_plugged_in) == (pytest.approx(0.42), False)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"ProductName": "Windows 10 Home", "CurrentBuildNumber": "19045", "DisplayVersion": "22H2"},
         "10 Home 22H2 (build 19045)"),
        ({"ProductName": "Windows Server 2022 Standard", "CurrentBuildNumber": "20348"},
         "Server 2022 Standard (build 20348)"),
        ({}, ""),
    ],
)  # fmt: skip
def test_versions(values: dict[str, str], text: str) -> None:
    """Windows 11 is told by its build number."""
    assert windows_version(values) == text


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
