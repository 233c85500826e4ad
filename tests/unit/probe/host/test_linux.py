"""The computer as Linux shows it in /proc and /sys."""

import pytest

from advisor.probe import probe_machine
from tests.unit.probe.computers.fakes import GIB, linux
from tests.unit.probe.computers.recorded import card, reasons


def test_laptop_is_recognised_with_its_own_battery() -> None:
    """The chassis makes it a laptop, and a mouse's battery is not taken for the laptop's."""
    host = probe_machine(readers=linux("laptop_amd_igpu_nvidia_asleep")).host
    assert host.form_factor == "laptop"
    assert host.battery is not None
    assert host.battery.charge_ratio == pytest.approx(0.57)
    assert host.battery.is_plugged_in is False
    assert host.disk.kind == "nvme"
    assert host.cpu.physical_cores == 2
    assert host.cpu.caches_bytes == {"L1d": 64 * 1024, "L3": 16 * 1024**2}


def test_container_limits_and_its_hidden_card() -> None:
    """The limits of the container count, and a card without device file is explained by the container."""
    machine = probe_machine(readers=linux("container_cgroup2"))
    host = machine.host
    assert (host.isolation, host.isolation_detail) == ("container", "Docker, Amazon EC2")
    assert host.cpu.usable_cores == pytest.approx(1.5)
    assert host.memory.limit_bytes == 2 * GIB
    assert host.memory.available_bytes == 2 * GIB - (1288490188 - 214748364)
    assert host.memory.total_bytes == 16084312 * 1024
    found = card(machine, "nvidia")
    assert (found.name, found.kind) == ("NVIDIA Tesla T4", "datacenter")
    assert reasons(machine)["accelerators.0.memory_bytes"] == ("container", "start_container_with_gpu")


def test_batch_system_limits_of_version_1() -> None:
    """Limits of an ancestor group count, and "no limit" of the inner group does not hide them."""
    machine = probe_machine(readers=linux("cluster_cgroup1", folder="/scratch/job"))
    host = machine.host
    assert host.memory.limit_bytes == 8 * GIB
    assert host.memory.available_bytes == 8 * GIB - (GIB - 73741824)
    assert host.cpu.usable_cores == 2.0
    assert host.form_factor == "server"
    assert host.disk.kind == "network"
    assert machine.accelerators[0].kind == "virtual"
    assert "accelerators" in reasons(machine)


def test_disk_that_cannot_be_asked() -> None:
    """A working folder that is gone leaves the free space unknown, with the system's words."""

    def gone(_: str) -> int:
        raise FileNotFoundError(2, "No such file or directory")

    readers = linux("desktop_arc")
    object.__setattr__(readers, "free_bytes", gone)
    machine = probe_machine(readers=readers)
    assert machine.host.disk.free_bytes is None
    assert (
        next(gap.detail for gap in machine.gaps if gap.field == "host.disk.free_bytes")
        == "there is no such file or folder"
    )
