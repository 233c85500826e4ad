"""The computer as macOS shows it: sysctl, diskutil, and psutil for memory and battery."""

import pytest

from advisor.probe import probe_machine
from tests.unit.probe.computers.fakes import no_command
from tests.unit.probe.computers.macs import M2_DISPLAYS, M2_MAX, mac


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
