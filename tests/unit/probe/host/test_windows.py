"""The computer as Windows shows it: the registry first, the kernel for the processor, psutil for memory and battery."""

import pytest

from advisor.probe import probe_machine
from advisor.probe.host.windows import _CPU, windows_version
from tests.unit.probe.computers.fakes import FakePsutil
from tests.unit.probe.computers.windows_computers import readers


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


@pytest.mark.parametrize(
    ("identifier", "bits"),
    [
        ("AMD64 Family 23 Model 8 Stepping 2", 128),
        ("AMD64 Family 23 Model 113 Stepping 0", None),
        ("AMD64", None),
    ],
)
def test_a_processor_that_halves_its_instructions_is_known(identifier: str, bits: int | None) -> None:
    """A Ryzen of the first two generations has half the peak of a later one."""
    values = {**readers().registry.values(_CPU), "Identifier": identifier}
    assert probe_machine(readers=readers({_CPU: values})).host.cpu.vector_bits == bits


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
