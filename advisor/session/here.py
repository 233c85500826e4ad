"""Describe this computer's processor and cards as training devices, the way the catalogue describes others."""

from advisor.catalog import find_device
from advisor.errors import UnknownNameError
from advisor.records.base import Source
from advisor.records.device import Device
from advisor.records.machine import Accelerator, Cpu, Machine

# FLOP per cycle and core in fp32, a fused multiply-add counted as two.
# Source: vector width x 2 FMA units x 2; Intel and AMD optimization manuals, Arm Cortex and Apple core descriptions.
_AVX512_TWO_UNITS = 64.0
_AVX2_TWO_UNITS = 32.0
_NEON_TWO_UNITS = 16.0


def cpu_peak_flop_per_s(cpu: Cpu) -> float | None:
    """Return the processor's theoretical fp32 peak, or None where its highest clock or vector width is unknown.

    Inside a virtual machine the highest clock is usually hidden, and a peak from the nominal clock would be too low.
    """
    width = _flop_per_cycle(cpu)
    if width is None or cpu.max_frequency_hz is None or cpu.physical_cores is None:
        return None
    return width * cpu.max_frequency_hz * min(cpu.usable_cores, cpu.physical_cores)


def _flop_per_cycle(cpu: Cpu) -> float | None:
    sets = set(cpu.instruction_sets)
    if "AVX512F" in sets:
        # AMD's first generation with AVX-512 splits each operation in two, later ones do not; its name does not tell.
        return _AVX512_TWO_UNITS if "intel" in cpu.vendor.lower() and "xeon" in cpu.name.lower() else None
    if "AVX2" in sets:
        return _AVX2_TWO_UNITS
    if "NEON" in sets and "apple" not in cpu.vendor.lower():
        return _NEON_TWO_UNITS
    return None


def cpu_device(machine: Machine) -> Device:
    """Return this computer's processor as a device: the catalogue's where it knows it, else what the probe tells."""
    cpu = machine.host.cpu
    memory_bytes = machine.host.memory.limit_bytes
    peak = cpu_peak_flop_per_s(cpu)
    try:
        known = find_device(cpu.name)
    except UnknownNameError:
        known = None
    if known is not None and known.device_class == "cpu" and peak is None:
        peak = known.peak_flop_per_s.get("fp32")
    return Device(
        name=cpu.name,
        vendor=cpu.vendor.lower(),
        device_class="cpu",
        for_whom="consumer",
        peak_flop_per_s={} if peak is None else {"fp32": peak},
        memory_bytes=memory_bytes,
        bandwidth_bytes_per_s=known.bandwidth_bytes_per_s if known is not None else None,
        power_w=known.power_w if known is not None else None,
        multiprocessors=max(1, round(cpu.usable_cores)),
        frameworks=("PyTorch", "TensorFlow", "JAX"),
        sources={"specifications": Source(title="Read from this computer", date="now")},
    )


def accelerator_device(accelerator: Accelerator, machine: Machine) -> Device | None:
    """Return a card of this computer as a device of the catalogue, with its own memory; None where unknown."""
    try:
        is_laptop = machine.host.form_factor == "laptop" and not accelerator.is_overridden
        return find_device(accelerator.name, memory_bytes=accelerator.memory_bytes, is_laptop=is_laptop)
    except UnknownNameError:
        return None


def training_accelerators(machine: Machine) -> tuple[Accelerator, ...]:
    """Return the accelerators of this computer that train networks."""
    return tuple(accelerator for accelerator in machine.accelerators if accelerator.trains)
