"""NVIDIA's Jetson boards, which have neither a PCI card nor, before JetPack 6, NVML. Check: ``tegrastats``."""

from advisor.probe import probe_machine
from tests.unit.probe.computers.fakes import FakeNvml, error, linux, nvidia_card

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
