"""Recorded Macs: Apple's own chips, Intel Macs, virtual machines, and commands that fail."""

import json
import plistlib
from collections.abc import Sequence
from typing import Any

import pytest

from advisor.probe import probe_machine
from advisor.probe.readers import CommandError, Readers
from tests.unit.probe.fakes import GIB, FakePsutil, RecordedFiles, no_command

M2_MAX = """hw.model: Mac14,5
hw.physicalcpu: 12
hw.logicalcpu: 12
hw.l1dcachesize: 65536
hw.l1icachesize: 131072
hw.l2cachesize: 4194304
hw.perflevel0.l2cachesize: 16777216
hw.perflevel0.physicalcpu: 8
hw.perflevel0.cpusperl2: 4
hw.perflevel1.l2cachesize: 4194304
hw.perflevel1.physicalcpu: 4
hw.perflevel1.cpusperl2: 4
machdep.cpu.brand_string: Apple M2 Max
kern.hv_vmm_present: 0
kern.osproductversion: 15.1
hw.optional.neon: 1
hw.optional.AdvSIMD: 1
hw.optional.arm.FEAT_BF16: 1
hw.optional.arm.FEAT_SME: 0"""
INTEL = """hw.model: MacBookPro16,1
hw.physicalcpu: 8
hw.logicalcpu: 16
hw.cpufrequency: 2300000000
hw.cpufrequency_max: 2300000000
hw.l2cachesize: 262144
hw.l3cachesize: 16777216
machdep.cpu.brand_string: Intel(R) Core(TM) i9-9880H CPU @ 2.30GHz
kern.osproductversion: 14.7
hw.optional.avx2_0: 1"""
M2_DISPLAYS = [
    {
        "_name": "kHW_AppleM2MaxItem",
        "sppci_model": "Apple M2 Max",
        "sppci_cores": "30",
        "sppci_bus": "spdisplays_builtin",
    }
]
INTEL_DISPLAYS = [
    {"sppci_model": "Intel UHD Graphics 630", "sppci_bus": "spdisplays_builtin", "spdisplays_vram_shared": "1536 MB"},
    {"sppci_model": "AMD Radeon Pro 5500M", "sppci_bus": "spdisplays_pcie_device", "spdisplays_vram": "8 GB"},
]


def mac(sysctl: str, displays: Any, *, disk: Any = None, battery: Any = None) -> Readers:
    """Return a Mac that prints these answers."""

    def run(arguments: Sequence[str]) -> str:
        if arguments[0] == "sysctl":
            return sysctl
        if arguments[0] == "system_profiler":
            return displays if isinstance(displays, str) else json.dumps({"SPDisplaysDataType": displays})
        if arguments[0] == "diskutil" and disk is not None:
            return plistlib.dumps(disk).decode()
        raise CommandError(f"{arguments[0]}: not found")

    return Readers(
        platform="macos",
        architecture="arm64",
        files=RecordedFiles({}, {}),
        run=run,
        psutil=lambda: FakePsutil(logical=12, total=32 * GIB, battery=battery),
        free_bytes=lambda _: 100 * GIB,
        working_folder="/Users/ana/work",
        torch_folder=lambda: None,
    )


def test_apple_chip_shares_the_memory_and_trains() -> None:
    """The name says how many graphics cores, and the memory is the computer's."""
    machine = probe_machine(readers=mac(M2_MAX, M2_DISPLAYS, disk={"BusProtocol": "Apple Fabric", "SolidState": True}))
    (found,) = machine.accelerators
    assert (found.vendor, found.name) == ("apple", "Apple M2 Max (30-core GPU)")
    assert (found.kind, found.trains, found.unified_memory) == ("integrated", True, True)
    assert found.memory_bytes == 32 * GIB
    assert machine.host.cpu.caches_bytes["L2"] == 2 * 16777216 + 4194304
    assert machine.host.cpu.instruction_sets == ("NEON", "BF16")
    assert machine.host.cpu.vendor == "Apple"
    assert machine.host.disk.kind == "nvme"
    assert machine.host.form_factor == "desktop"
    gaps = {gap.field: gap.detail for gap in machine.gaps}
    assert gaps["host.cpu.base_frequency_hz"] == "Apple does not tell the clock of its chips"


def test_intel_mac_does_not_train() -> None:
    """Torch is no longer built for Intel Macs, whatever card they have."""
    machine = probe_machine(readers=mac(INTEL, INTEL_DISPLAYS, disk={"BusProtocol": "SATA", "SolidState": False}))
    assert {(one.name, one.kind, one.trains) for one in machine.accelerators} == {
        ("Intel UHD Graphics 630", "integrated", False),
        ("AMD Radeon Pro 5500M", "discrete", False),
    }
    radeon = next(one for one in machine.accelerators if one.vendor == "amd")
    assert radeon.memory_bytes == 8 * GIB
    assert machine.host.form_factor == "laptop"
    assert machine.host.cpu.name == "Intel Core i9-9880H"
    assert machine.host.cpu.max_frequency_hz == pytest.approx(2.3e9)
    assert machine.host.disk.kind == "hdd"


def test_virtual_mac_has_no_card() -> None:
    """Apple's paravirtual graphics only draws."""
    displays = [{"sppci_model": "Apple Paravirtual device"}]
    machine = probe_machine(readers=mac("kern.hv_vmm_present: 1\nhw.model: VirtualMac2,1", displays))
    assert machine.host.isolation == "virtual_machine"
    assert (machine.accelerators[0].kind, machine.accelerators[0].trains) == ("virtual", False)


@pytest.mark.parametrize("answer", ["", "{}", "[1]", '{"SPDisplaysDataType": 3}', "not json"])
def test_unreadable_answers_become_gaps(answer: str) -> None:
    """Whatever system_profiler prints, the probe goes on and says why nothing was found."""
    machine = probe_machine(readers=mac(M2_MAX, answer))
    assert machine.accelerators == ()
    assert any(gap.field == "accelerators" for gap in machine.gaps)


def test_missing_commands_become_gaps() -> None:
    """Without its commands a Mac is still described."""
    readers = mac(M2_MAX, M2_DISPLAYS)
    object.__setattr__(readers, "run", no_command)
    machine = probe_machine(readers=readers)
    reasons = {gap.field: gap.reason for gap in machine.gaps}
    assert reasons["accelerators"] == "unreadable"
    assert reasons["host.cpu"] == "unreadable"
    assert machine.host.cpu.name == "?"
    assert machine.host.disk.kind is None


def test_laptop_by_battery() -> None:
    """New Macs are all called Mac14,5 and the like, so the battery tells."""
    battery = type("Battery", (), {"percent": 101, "power_plugged": True})()
    host = probe_machine(readers=mac(M2_MAX, M2_DISPLAYS, battery=battery)).host
    assert host.form_factor == "laptop"
    assert host.battery is not None
    assert host.battery.charge_ratio == 1.0
