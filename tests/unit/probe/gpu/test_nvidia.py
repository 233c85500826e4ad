"""NVIDIA cards through NVML: each answer, each refusal, and what is kept out of the record."""

from types import SimpleNamespace

import pynvml

from advisor.probe import probe_machine
from advisor.probe.readers import Readers
from advisor.wire import encode
from tests.unit.probe.computers.fakes import GIB, FakeNvml, error, linux, nvidia_card
from tests.unit.probe.gpu.driver import gap, only, probed


def test_every_call_may_fail() -> None:
    """A card that refuses everything is still reported, each field with its reason, and NVML is closed."""
    nvml = FakeNvml({"address": ""}, system={"nvmlSystemGetDriverVersion": error(999)})
    machine = probe_machine(readers=linux("wsl2", nvml))
    found = only(machine)
    assert found.name == "NVIDIA (?)"
    assert found.memory_bytes is None
    assert gap(machine, "driver_version") == ("unreadable", None)
    assert gap(machine, "memory_bytes") == ("not_supported", None)
    assert nvml.open_count == 0


def test_lost_card_costs_only_itself() -> None:
    """One card that is lost does not hide the other."""
    machine = probed(nvidia_card(handle=error(FakeNvml.NVML_ERROR_GPU_IS_LOST)), nvidia_card("NVIDIA TITAN V"))
    assert [one.name for one in machine.accelerators] == ["NVIDIA TITAN V", "NVIDIA (?)"]
    lost = next(g for g in machine.gaps if g.field == "accelerators.1")
    assert (lost.reason, lost.remedy, lost.detail) == ("device_lost", "restart_lost_gpu", "GPU is lost")
    assert not machine.accelerators[1].trains


def test_old_library_answers_the_old_memory_call() -> None:
    """A library without version 2 of the memory structure is asked for version 1."""
    assert only(probed(nvidia_card(old_library=True))).memory_bytes == 12 * GIB


def test_changed_structure_is_a_gap() -> None:
    """NVMLLibraryMismatchError, which has no code, is not mistaken for a crash."""
    machine = probed(nvidia_card(nvmlDeviceGetComputeRunningProcesses=FakeNvml.NVMLLibraryMismatchError("x")))
    assert only(machine).used_by == ()


def test_users_are_named_without_path_arguments_or_ourselves() -> None:
    """Programs on the card lose their folder; this program is not one of them."""
    processes = [SimpleNamespace(pid=pid, usedGpuMemory=None) for pid in (4711, 1234, 5)]
    card = nvidia_card(nvmlDeviceGetComputeRunningProcesses=processes)
    system = {
        "process 4711": "/home/ana/.venv/bin/python3 -m train --secret=1",
        "process 1234": "/home/ana/advisor",
    }
    found = only(probed(card, system=system))
    assert found.used_by == ("python3",)
    assert b"ana" not in encode(found)


def test_uuid_and_serial_are_never_asked() -> None:
    """The calls that identify a card are not made at all."""
    nvml = FakeNvml(nvidia_card())
    probe_machine(readers=linux("wsl2", nvml))
    assert not any("UUID" in name or "Serial" in name for name in nvml.called)


def test_default_readers_probe_this_computer() -> None:
    """Without any argument the probe reads the computer it runs on."""
    assert Readers().nvml() is pynvml


def test_container_hides_who_uses_the_card() -> None:
    """Process numbers of the host mean other programs inside a container, so none is named."""
    nvml = FakeNvml(nvidia_card("Tesla T4"))
    machine = probe_machine(readers=linux("container_cgroup2", nvml))
    assert machine.accelerators[0].used_by == ()
    assert gap(machine, "used_by")[0] == "container"
    assert "nvmlDeviceGetComputeRunningProcesses" not in nvml.called


def test_card_that_nvml_does_not_show() -> None:
    """A card on the bus that NVML leaves out has fallen off it."""
    machine = probe_machine(readers=linux("desktop_nouveau", FakeNvml()))
    lost = next(g for g in machine.gaps if g.field == "accelerators")
    assert (lost.reason, lost.detail) == ("device_lost", "NVML shows 0 of 1 NVIDIA cards")


def test_garbage_from_a_dying_card_is_a_gap() -> None:
    """Answers of the wrong form are unreadable, not a crash."""
    machine = probed(nvidia_card(nvmlDeviceGetCudaComputeCapability=[], nvmlDeviceGetName=ValueError("bytes")))
    assert gap(machine, "compute_capability") == ("unreadable", None)
    assert gap(machine, "name") == ("unreadable", None)
