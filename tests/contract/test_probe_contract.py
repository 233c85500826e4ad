"""The probe on the real machine, whatever it is: types, ranges, and a reason for everything that is missing."""

import os
import platform
import socket
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from advisor.probe import probe_machine
from advisor.records.hardware.machine import Machine
from advisor.wire import decode_machine, encode


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    """This computer, probed once, under names that no report has for another reason."""
    home: Path = tmp_path_factory.mktemp("home-of-somebody")
    with pytest.MonkeyPatch.context() as names:
        names.setenv("HOME", str(home))
        names.setenv("LOGNAME", "user-somebody")
        names.setattr(socket, "gethostname", lambda: "host-of-somebody")
        names.setattr(platform, "node", lambda: "host-of-somebody")
        if sys.platform != "win32":
            known = os.uname()
            mine = os.uname_result((known.sysname, "host-of-somebody", *known[2:]))
            names.setattr(os, "uname", lambda: mine)
        return probe_machine()


def test_counts_and_sizes_are_possible(machine: Machine) -> None:
    """Cores and bytes lie within what computers can have, and limits within the whole."""
    cpu, memory = machine.host.cpu, machine.host.memory
    assert 1 <= cpu.logical_cores <= 4096
    assert 0 < cpu.usable_cores <= cpu.logical_cores
    assert cpu.physical_cores is None or 1 <= cpu.physical_cores <= cpu.logical_cores
    assert 0 < memory.limit_bytes <= memory.total_bytes
    assert 0 <= memory.available_bytes <= memory.limit_bytes
    assert machine.host.os_name in {"Linux", "Windows", "macOS"}
    assert cpu.name
    assert cpu.vendor
    assert cpu.instruction_sets


def test_every_missing_fact_of_the_host_has_a_gap(machine: Machine) -> None:
    """A field that is None is explained by a gap of the same name."""
    explained = {gap.field for gap in machine.gaps}
    facts = {
        "host.battery": machine.host.battery,
        "host.cpu.physical_cores": machine.host.cpu.physical_cores,
        "host.cpu.base_frequency_hz": machine.host.cpu.base_frequency_hz,
        "host.cpu.max_frequency_hz": machine.host.cpu.max_frequency_hz,
        "host.disk.kind": machine.host.disk.kind,
        "host.disk.free_bytes": machine.host.disk.free_bytes,
        "framework.version": machine.framework.version,
    }
    for field, value in facts.items():
        assert (field in explained) == (value is None), field


def test_machine_survives_the_wire(machine: Machine) -> None:
    """What the probe returns is what a reader of its JSON gets."""
    assert decode_machine(encode(machine)) == machine


def test_nothing_personal_is_in_the_record(machine: Machine) -> None:
    """Neither user name, host name nor home folder is anywhere in the record."""
    assert "somebody" not in msgspec.json.encode(machine).decode()


def test_probing_imports_neither_torch_nor_qt() -> None:
    """A fresh interpreter that probes has loaded neither torch nor Qt, and on Linux not psutil either."""
    modules = ("torch", "PySide6", *(("psutil",) if sys.platform == "linux" else ()))
    code = (
        f"import sys; from advisor.probe import probe_machine; probe_machine(); print(sys.modules.keys() & {modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
