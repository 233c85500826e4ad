"""Whole machines, probed from their recorded files: what is found, and that nothing is left unexplained."""

from types import SimpleNamespace

import pytest

from advisor.probe import probe_machine
from advisor.wire import decode_machine, encode
from tests.unit.probe.computers.fakes import DATA, GIB, FakeNvml, linux, nvidia_card
from tests.unit.probe.computers.recorded import card, reasons

MACHINES = sorted(path.stem for path in DATA.glob("*.tree"))
EXPLAINED = ("memory_bytes", "memory_used_bytes", "driver_version", "pcie", "power_limit_w")
EXPLAINED_NVIDIA = (*EXPLAINED, "compute_api_version", "compute_capability", "ecc_enabled", "mig_enabled")


@pytest.mark.parametrize("name", MACHINES)
def test_every_fact_has_evidence_or_a_gap(name: str) -> None:
    """A value has a note of how it was read, and a missing value one of why."""
    machine = probe_machine(readers=linux(name))
    read = {note.field for note in machine.evidence}
    missing = {gap.field for gap in machine.gaps}
    for index, one in enumerate(machine.accelerators):
        prefix = f"accelerators.{index}"
        for field in ("name", "trains"):
            assert f"{prefix}.{field}" in read | missing
        if one.trains:
            for field in EXPLAINED_NVIDIA if one.vendor == "nvidia" else EXPLAINED:
                place = missing if getattr(one, field) is None else read
                assert f"{prefix}.{field}" in place, field
    cpu = machine.host.cpu
    for field in ("name", "vendor", "physical_cores", "usable_cores", "base_frequency_hz", "max_frequency_hz"):
        assert f"host.cpu.{field}" in (missing if getattr(cpu, field) is None else read), field
    assert ("host.disk.kind" in missing) == (machine.host.disk.kind is None)


@pytest.mark.parametrize("name", MACHINES)
def test_only_cards_made_for_it_train(name: str) -> None:
    """No integrated and no virtual adapter is ever taken for a card to train on."""
    for one in probe_machine(readers=linux(name)).accelerators:
        assert one.kind in {"discrete", "datacenter"} or not one.trains


@pytest.mark.parametrize("name", MACHINES)
def test_recorded_machines_survive_the_wire(name: str) -> None:
    """Every machine can be written and read back."""
    machine = probe_machine(readers=linux(name))
    assert decode_machine(encode(machine)) == machine


def test_sleeping_laptop_card_is_named_but_not_woken() -> None:
    """The card is reported asleep with the name of its PCI id, and neither NVML nor a waking file is touched."""
    nvml = FakeNvml(nvidia_card())
    readers = linux("laptop_amd_igpu_nvidia_asleep", nvml)
    machine = probe_machine(readers=readers)
    found = card(machine, "nvidia")
    assert found.is_asleep
    assert found.name == "NVIDIA GeForce RTX 3060 Laptop GPU"
    assert found.memory_bytes is None
    assert reasons(machine)["accelerators.0.memory_bytes"] == ("asleep", "wake_gpu")
    assert nvml.called == []
    touched = [path for path in readers.files.read if "0000:01:00.0" in path]  # type: ignore[attr-defined]
    harmless = ("/class", "/vendor", "/device", "/revision", "/power/runtime_status")
    assert all(path.endswith(harmless) for path in touched)
    assert not any("/proc/driver/nvidia/gpus" in path for path in readers.files.read)  # type: ignore[attr-defined]


def test_integrated_graphics_of_a_ryzen_shares_memory() -> None:
    """The carve-out of an APU is not reported as a card's memory."""
    found = card(probe_machine(readers=linux("laptop_amd_igpu_nvidia_asleep")), "amd")
    assert (found.name, found.kind, found.trains) == ("AMD Radeon 680M", "integrated", False)
    assert found.unified_memory
    assert found.memory_bytes is None


def test_radeon_card_is_told_from_the_processor_beside_it() -> None:
    """The card has its exact model, target, memory, users and the link of its own outer port."""
    machine = probe_machine(readers=linux("desktop_radeon"))
    found = machine.accelerators[0]
    assert found.name == "AMD Radeon RX 7900 XTX"
    assert (found.kind, found.trains, found.architecture) == ("discrete", True, "gfx1100")
    assert found.memory_bytes == 25753026560
    assert found.power_limit_w == pytest.approx(327.0)
    assert found.used_by == ("python3",)
    assert found.driver_version == "amdgpu, kernel 6.9.1-arch1-1"
    assert found.pcie is not None
    assert (found.pcie.generation, found.pcie.width, found.pcie.max_width) == (4, 8, 16)
    other = machine.accelerators[1]
    assert (other.kind, other.trains, other.architecture) == ("integrated", False, "gfx1036")
    assert machine.host.disk.kind == "ssd"  # btrfs on an encrypted partition


def test_arc_cards_are_told_from_the_processor_beside_them() -> None:
    """The xe driver publishes the memory, i915 does not, and the processor's graphics never trains."""
    machine = probe_machine(readers=linux("desktop_arc"))
    names = {one.name: one for one in machine.accelerators}
    assert names["Intel Arc B580"].memory_bytes == 0x2FC000000
    assert names["Intel Arc B580"].power_limit_w == pytest.approx(190.0)
    assert names["Intel Arc A770"].memory_bytes is None
    assert names["Intel Arc A770"].trains
    assert not names["Intel UHD Graphics 770"].trains
    index = machine.accelerators.index(names["Intel Arc A770"])
    assert reasons(machine)[f"accelerators.{index}.memory_bytes"] == ("not_supported", "set_by_hand")
    assert machine.host.disk.kind == "hdd"


def test_windows_subsystem_without_its_library() -> None:
    """WSL without NVIDIA's library says that the driver belongs on Windows."""
    machine = probe_machine(readers=linux("wsl2"))
    assert (machine.host.isolation, machine.host.isolation_detail) == ("wsl", "WSL 2")
    assert machine.host.disk.kind == "virtual"
    assert machine.host.form_factor == "laptop"
    assert reasons(machine)["accelerators"] == ("driver_without_library", "install_wsl_driver")


def test_windows_subsystem_with_a_card() -> None:
    """In WSL there is no PCI bus, and the card comes from NVML alone."""
    machine = probe_machine(readers=linux("wsl2", FakeNvml(nvidia_card("NVIDIA GeForce RTX 3070 Laptop GPU"))))
    assert [one.name for one in machine.accelerators] == ["NVIDIA GeForce RTX 3070 Laptop GPU"]
    assert "accelerators" not in reasons(machine)


def test_free_driver_in_charge_means_no_nvidia_driver() -> None:
    """With nouveau the card is named, and its memory is missing for want of NVIDIA's driver."""
    machine = probe_machine(readers=linux("desktop_nouveau"))
    found = card(machine, "nvidia")
    assert found.name == "NVIDIA GeForce GTX 1660"
    assert found.memory_bytes is None
    assert reasons(machine)["accelerators.0.memory_bytes"] == ("no_driver", "install_nvidia_driver")
    details = {gap.field: gap.detail for gap in machine.gaps}
    assert details["accelerators.0.driver_version"] == "driver: nouveau"


def test_kernel_module_without_library() -> None:
    """A loaded module without libnvidia-ml is told from a missing driver."""
    machine = probe_machine(readers=linux("desktop_nouveau", sys__module__nvidia__version="560.35.03"))
    assert reasons(machine)["accelerators.0.memory_bytes"] == ("driver_without_library", "install_nvidia_library")
    assert card(machine, "nvidia").driver_version == "560.35.03"


def test_library_of_another_version() -> None:
    """After an update without restart the card is known by its PCI id, and a restart is advised."""
    nvml = FakeNvml(init_error=FakeNvml.NVML_ERROR_LIB_RM_VERSION_MISMATCH)
    machine = probe_machine(readers=linux("desktop_nouveau", nvml))
    assert reasons(machine)["accelerators.0.memory_bytes"] == ("library_mismatch", "restart_after_driver_update")


def test_binding_not_installed() -> None:
    """Without nvidia-ml-py the card is still named, and the package is asked for."""

    def missing() -> None:
        raise ImportError("No module named 'pynvml'")

    readers = linux("desktop_nouveau")
    object.__setattr__(readers, "nvml", missing)
    machine = probe_machine(readers=readers)
    assert reasons(machine)["accelerators.0.memory_bytes"] == ("not_installed", "install_pynvml")


def test_accelerators_to_train_on_come_first() -> None:
    """The card stands before the processor's graphics, whatever its address."""
    nvml = FakeNvml(nvidia_card(address="0000:01:00.0"))
    changes = {"sys__bus__pci__devices__0000:01:00.0__power__runtime_status": "active"}
    machine = probe_machine(readers=linux("laptop_amd_igpu_nvidia_asleep", nvml, **changes))
    assert [one.trains for one in machine.accelerators] == [True, False]
    assert machine.accelerators[0].memory_bytes == 12 * GIB
    assert nvml.open_count == 0


def test_two_cards_of_which_one_sleeps() -> None:
    """NVML opens without attaching and is asked for the awake card by its address only."""
    address = "sys__bus__pci__devices__0000:41:00.0"
    changes = {
        f"{address}__class": "0x030000",
        f"{address}__vendor": "0x10de",
        f"{address}__device": "0x2684",
        f"{address}__power__runtime_status": "active",
    }
    memory = SimpleNamespace(total=24 * GIB, free=0, used=0)
    nvml = FakeNvml(
        nvidia_card("NVIDIA GeForce RTX 4090", address="0000:41:00.0", nvmlDeviceGetMemoryInfo=memory),
    )
    machine = probe_machine(readers=linux("laptop_amd_igpu_nvidia_asleep", nvml, **changes))
    cards = [one for one in machine.accelerators if one.vendor == "nvidia"]
    assert [(one.is_asleep, one.memory_bytes) for one in cards] == [(True, None), (False, 24 * GIB)]
    assert "nvmlInit" not in nvml.called
    assert "nvmlDeviceGetHandleByIndex" not in nvml.called
    assert "nvmlDeviceGetCount" not in nvml.called
