"""NVIDIA cards through NVML: each answer, each refusal, and what is kept out of the record."""

import shutil
from types import SimpleNamespace

import pynvml
import pytest

from advisor.probe import probe_machine
from advisor.probe.evidence_log import Ledger
from advisor.probe.gpu.nvidia_card import base_name, cuda_version, kind_of, shares_memory
from advisor.probe.gpu.nvml import Nvml, NvmlCallError
from advisor.probe.readers import Readers
from advisor.records.hardware.machine import Accelerator, Machine
from advisor.wire import encode
from tests.unit.probe.fakes import GIB, FakeNvml, error, linux, nvidia_card


def probed(*cards: dict[str, object], **options: object) -> Machine:
    """Return a machine with these cards."""
    return probe_machine(readers=linux("wsl2", FakeNvml(*cards, **options)))  # type: ignore[arg-type]


def only(machine: Machine) -> Accelerator:
    """Return the one accelerator."""
    (found,) = machine.accelerators
    return found


def gap(machine: Machine, field: str) -> tuple[str, str | None]:
    """Return reason and remedy of a gap of the first accelerator."""
    return next((g.reason, g.remedy) for g in machine.gaps if g.field == f"accelerators.0.{field}")


def test_desktop_card_is_read_completely() -> None:
    """All facts a desktop card gives arrive in SI units."""
    found = only(probed(nvidia_card()))
    assert found.name == "NVIDIA GeForce RTX 3060"
    assert (found.memory_bytes, found.memory_used_bytes) == (12 * GIB, GIB)
    assert (found.driver_version, found.compute_api_version) == ("560.35.03", "12.6")
    assert found.compute_capability == "8.6"
    assert found.pci_id == "10de:2503"
    assert found.power_limit_w == pytest.approx(170.0)
    assert found.pcie is not None
    assert (found.pcie.generation, found.pcie.max_generation) == (1, 4)
    assert (found.kind, found.trains) == ("discrete", True)


def test_what_a_consumer_card_refuses_is_a_gap() -> None:
    """ECC and MIG, which a GeForce does not have, are missing with NVML's words."""
    machine = probed(nvidia_card())
    assert only(machine).ecc_enabled is None
    assert gap(machine, "ecc_enabled") == ("not_supported", None)
    assert gap(machine, "mig_enabled") == ("not_supported", None)


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


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (FakeNvml.NVML_ERROR_NO_PERMISSION, "permission_denied"),
        (FakeNvml.NVML_ERROR_TIMEOUT, "timeout"),
        (FakeNvml.NVML_ERROR_GPU_IS_LOST, "device_lost"),
        (FakeNvml.NVML_ERROR_UNKNOWN, "unreadable"),
    ],
)
def test_error_codes_become_reasons(code: int, reason: str) -> None:
    """Each error of a single call is told by its own reason."""
    assert gap(probed(nvidia_card(nvmlDeviceGetMemoryInfo=error(code))), "memory_bytes")[0] == reason


def test_old_library_answers_the_old_memory_call() -> None:
    """A library without version 2 of the memory structure is asked for version 1."""
    assert only(probed(nvidia_card(old_library=True))).memory_bytes == 12 * GIB


def test_changed_structure_is_a_gap() -> None:
    """NVMLLibraryMismatchError, which has no code, is not mistaken for a crash."""
    machine = probed(nvidia_card(nvmlDeviceGetComputeRunningProcesses=FakeNvml.NVMLLibraryMismatchError("x")))
    assert only(machine).used_by == ()


def test_laptops_answer_only_one_power_question() -> None:
    """The management limit stands in where the enforced one is refused."""
    card = nvidia_card(nvmlDeviceGetEnforcedPowerLimit=error(3), nvmlDeviceGetPowerManagementLimit=80_000)
    assert only(probed(card)).power_limit_w == pytest.approx(80.0)


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


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (r"C:\Users\Ana\AppData\Local\app.exe", "app.exe"),
        ("/usr/lib/xorg/Xorg", "Xorg"),
        ("/opt/My Games/game --fullscreen", "game"),
        ("...ble-features=Vulkan --x", ""),
        ("", ""),
    ],
)
def test_program_names(command: str, name: str) -> None:
    """Only the file name of a command is kept, and nothing of a cut-off command line."""
    assert base_name(command) == name


def test_uuid_and_serial_are_never_asked() -> None:
    """The calls that identify a card are not made at all."""
    nvml = FakeNvml(nvidia_card())
    probe_machine(readers=linux("wsl2", nvml))
    assert not any("UUID" in name or "Serial" in name for name in nvml.called)


def test_split_card_counts_its_largest_instance() -> None:
    """With MIG on, the memory is that of one instance, since no program gets the whole card."""
    small = {"nvmlDeviceGetMemoryInfo": SimpleNamespace(total=10 * GIB, used=0)}
    large = {"nvmlDeviceGetMemoryInfo": SimpleNamespace(total=20 * GIB, used=1)}
    card = nvidia_card(
        "NVIDIA A100-SXM4-80GB",
        nvmlDeviceGetMigMode=[1, 1],
        nvmlDeviceGetMaxMigDeviceCount=3,
        instances=[small, error(6), large],
    )
    found = only(probed(card))
    assert (found.mig_enabled, found.memory_bytes, found.kind) == (True, 20 * GIB, "datacenter")


def test_split_card_without_instance() -> None:
    """MIG without any instance leaves no memory, and says what to do."""
    card = nvidia_card("NVIDIA H100 PCIe", nvmlDeviceGetMigMode=[1, 1], nvmlDeviceGetMaxMigDeviceCount=7,
                       instances=[error(6)] * 7)  # fmt: skip
    machine = probed(card)
    assert only(machine).memory_bytes is None
    assert gap(machine, "memory_bytes") == ("not_found", "create_mig_instance")


def test_cards_in_the_main_memory_take_its_size() -> None:
    """GB10 has no memory of its own; NVML refuses, the computer's counts."""
    machine = probed(nvidia_card("NVIDIA GB10", nvmlDeviceGetMemoryInfo=error(3)))
    found = only(machine)
    assert found.unified_memory
    assert found.memory_bytes == machine.host.memory.total_bytes
    assert (found.kind, found.trains) == ("integrated", True)
    assert not any(g.field == "accelerators.0.memory_bytes" for g in machine.gaps)


def test_kepler_does_not_train() -> None:
    """No torch of the last years has kernels for cards below compute capability 5.0."""
    assert not only(probed(nvidia_card("NVIDIA GeForce GTX 760", nvmlDeviceGetCudaComputeCapability=[3, 0]))).trains


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("NVIDIA GeForce RTX 4090 Laptop GPU", "discrete"),
        ("NVIDIA RTX A6000", "discrete"),
        ("NVIDIA RTX 6000 Ada Generation", "discrete"),
        ("NVIDIA TITAN RTX", "discrete"),
        ("Quadro P5000", "discrete"),
        ("NVIDIA T1000", "discrete"),
        ("NVIDIA RTX A500 Laptop GPU", "discrete"),
        ("NVIDIA T400 4GB", "discrete"),
        ("NVIDIA GeForce MX450", "discrete"),
        ("NVIDIA RTX PRO 6000 Blackwell Workstation Edition", "discrete"),
        ("NVIDIA RTX PRO 6000 Blackwell Server Edition", "datacenter"),
        ("NVIDIA GH200 480GB", "datacenter"),
        ("Tesla V100-SXM2-16GB", "datacenter"),
        ("NVIDIA A100-SXM4-40GB", "datacenter"),
        ("NVIDIA H200", "datacenter"),
        ("NVIDIA L40S", "datacenter"),
        ("NVIDIA A10G", "datacenter"),
        ("NVIDIA B200", "datacenter"),
        ("GRID T4-8C", "datacenter"),
        ("Orin (nvgpu)", "integrated"),
        ("NVIDIA GB10", "integrated"),
    ],
)
def test_kinds_of_cards(name: str, kind: str) -> None:
    """Names tell consumer, data centre and board-level chips apart."""
    assert kind_of(name) == kind
    assert shares_memory(name) == (kind == "integrated")


def test_office_slices_do_not_train() -> None:
    """A virtual card of an office profile has no CUDA, one of a compute profile has."""
    assert not only(probed(nvidia_card("GRID T4-2B"))).trains
    assert only(probed(nvidia_card("GRID T4-8C"))).trains


@pytest.mark.parametrize(("number", "text"), [(12040, "12.4"), (11080, "11.8"), (13000, "13.0"), (9020, "9.2")])
def test_cuda_versions(number: int, text: str) -> None:
    """NVML's number becomes the version people know."""
    assert cuda_version(number) == text


def test_real_library_without_driver() -> None:
    """The real binding on a computer without NVIDIA driver gives a reason, not an exception."""
    if shutil.which("nvidia-smi"):
        pytest.skip("this computer has an NVIDIA driver")
    with pytest.raises(NvmlCallError, match="Not Found") as caught, Nvml(pynvml):
        pass
    assert caught.value.reason == "no_driver"


def test_real_binding_has_every_name_the_probe_uses() -> None:
    """The fake's constants are the real ones, so that the fake cannot drift from the binding."""
    for name in vars(FakeNvml):
        if name.startswith(("NVML_", "nvml")):
            assert getattr(pynvml, name) == getattr(FakeNvml, name), name
    for name in FakeNvml(nvidia_card()).cards[0]:
        if name.startswith("nvml"):
            assert callable(getattr(pynvml, name)), name


def test_unknown_function_is_not_supported() -> None:
    """A binding too old to know a function answers like a card that does not support it."""
    nvml = Nvml(SimpleNamespace(NVMLError=FakeNvml.NVMLError))
    ledger = Ledger()
    assert nvml.ask(ledger, "x", "nvmlDeviceGetName", None, convert=str) is None
    assert ledger.gaps[0].reason == "not_supported"


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


def test_closing_a_lost_card_is_no_failure() -> None:
    """The session ends quietly when there is nothing left to close."""
    nvml = FakeNvml(nvidia_card())
    with Nvml(nvml):
        nvml.open_count = 0
    assert nvml.called == ["nvmlInit", "nvmlShutdown"]


ORIN = {
    "proc__device-tree__model": "NVIDIA Jetson AGX Orin Developer Kit\0",
    "proc__device-tree__compatible": "nvidia,p3737-0000+p3701-0005\0nvidia,tegra234\0",
}


def test_jetson_without_nvml() -> None:
    """A board is known by its device tree, with the compute capability of its chip and the main memory."""
    machine = probe_machine(readers=linux("vm_virtio", **ORIN))
    board = machine.accelerators[0]
    assert (board.name, board.compute_capability) == ("NVIDIA Jetson AGX Orin Developer Kit", "8.7")
    assert (board.kind, board.trains, board.unified_memory) == ("integrated", True, True)
    assert board.memory_bytes == machine.host.memory.total_bytes


def test_jetson_with_nvml_keeps_the_boards_name() -> None:
    """NVML calls the chip "Orin (nvgpu)", which tells no board from another."""
    nvml = FakeNvml(nvidia_card("Orin (nvgpu)", nvmlDeviceGetMemoryInfo=error(3)))
    board = probe_machine(readers=linux("vm_virtio", nvml, **ORIN)).accelerators[0]
    assert board.name == "NVIDIA Jetson AGX Orin Developer Kit"
    assert board.unified_memory
