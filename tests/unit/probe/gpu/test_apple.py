"""Apple's graphics processors, and the graphics of Intel Macs. Check: ``system_profiler SPDisplaysDataType``."""

import pytest

from advisor.probe import probe_machine
from tests.unit.probe.computers.fakes import GIB
from tests.unit.probe.computers.macs import INTEL, INTEL_DISPLAYS, M2_DISPLAYS, M2_MAX, mac


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
