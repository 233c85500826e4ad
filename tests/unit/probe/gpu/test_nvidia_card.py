"""One NVIDIA card as NVML shows it; what the library refuses becomes a gap."""

from types import SimpleNamespace

import pytest

from advisor.probe.gpu.nvidia_card import base_name, cuda_version, kind_of, shares_memory
from tests.unit.probe.computers.fakes import GIB, error, nvidia_card
from tests.unit.probe.gpu.driver import gap, only, probed


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


def test_laptops_answer_only_one_power_question() -> None:
    """The management limit stands in where the enforced one is refused."""
    card = nvidia_card(nvmlDeviceGetEnforcedPowerLimit=error(3), nvmlDeviceGetPowerManagementLimit=80_000)
    assert only(probed(card)).power_limit_w == pytest.approx(80.0)


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


def test_split_card_counts_its_largest_instance() -> None:
    """With MIG on, name and memory are those of one instance, since no program gets the whole card."""
    name = "NVIDIA A100-SXM4-80GB MIG {}"
    small = {
        "nvmlDeviceGetMemoryInfo": SimpleNamespace(total=10 * GIB, used=0),
        "nvmlDeviceGetName": name.format("1g.10gb"),
    }
    large = {
        "nvmlDeviceGetMemoryInfo": SimpleNamespace(total=20 * GIB, used=1),
        "nvmlDeviceGetName": "MIG 2g.20gb",  # as older drivers write it
    }
    card = nvidia_card(
        "NVIDIA A100-SXM4-80GB",
        nvmlDeviceGetMigMode=[1, 1],
        nvmlDeviceGetMaxMigDeviceCount=3,
        instances=[small, error(6), large],
    )
    found = only(probed(card))
    assert (found.mig_enabled, found.memory_bytes, found.kind) == (True, 20 * GIB, "datacenter")
    assert found.name == name.format("2g.20gb")


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
