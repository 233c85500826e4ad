"""Describe this computer's processor and cards as training devices, the way the catalogue describes others."""

import math
from collections.abc import Iterator
from functools import cache

import msgspec

from advisor.catalog import devices, find_device, known_device
from advisor.errors import UnknownNameError
from advisor.records.base import Source
from advisor.records.hardware.device import Device
from advisor.records.hardware.machine import Accelerator, ComputerKind, Cpu, Machine
from advisor.records.job.advice import Fact
from advisor.records.results.diagnosis import PublishedRates

# FLOP per cycle and core in fp32, a fused multiply-add counted as two.
# Source: vector width x 2 FMA units x 2; Intel and AMD optimization manuals, Arm Cortex and Apple core descriptions.
_AVX512_TWO_UNITS = 64.0
_AVX2_TWO_UNITS = 32.0
_AVX2_BITS = 256
_NEON_TWO_UNITS = 16.0

# Products that a bfloat16 instruction makes while one of fp32 makes one.
# Source: Intel 64 and IA-32 Architectures Optimization Reference Manual, 2024: VDPBF16PS adds two products in each of
# 16 places, and a tile (AMX) makes 512 products a cycle where two AVX-512 units make 32.
_BF16_PRODUCTS = {"AMX": 16.0, "AVX512_BF16": 2.0}

# Times as fast as in fp32 that products of fp16 are with instructions for them, at least.
# Source: github.com/pytorch/pytorch, issue 97068, 2023: 1.2 to 2 with AVX512-FP16.
_FP16_PRODUCTS = 1.2

_CLASS_NAMES = {"laptop": "Laptop CPU", "desktop": "Desktop CPU"}
_SERVER_CLASS = "EPYC 9654"
"""Stands for servers and virtual machines of an unlisted processor, scaled to the cores there are, as all servers."""

# Bytes per second that a server's core moves where the others leave it room: the slowest of three generations.
# Source: anandtech.com/show/11544, 2017: STREAM triad of one thread, 12 GB/s on Skylake-SP, half as much again on
# Broadwell, more on EPYC.
_CORE_BYTES_PER_S = 12e9


def cpu_peak_flop_per_s(cpu: Cpu) -> float | None:
    """Return the processor's theoretical fp32 peak, or None where its highest clock or vector width is unknown.

    Inside a virtual machine the highest clock is usually hidden, and a peak from the nominal clock would be too low.
    """
    widths = _flop_per_cycle(cpu)
    if len(widths) != 1 or cpu.max_frequency_hz is None or cpu.physical_cores is None:
        return None
    return widths[0] * cpu.max_frequency_hz * _cores(cpu)


def _flop_per_cycle(cpu: Cpu) -> tuple[float, ...]:
    """Return the rates the instruction sets allow, lowest first; several, or none, where they do not tell."""
    sets = set(cpu.instruction_sets)
    if "AVX512F" in sets:
        # AMD's first generation with AVX-512 splits each operation in two, its later ones do not, and Intel's small
        # processors have one unit; the name does not always tell.
        is_large = "intel" in cpu.vendor.lower() and "xeon" in cpu.name.lower()
        return (_AVX512_TWO_UNITS,) if is_large else (_AVX2_TWO_UNITS, _AVX512_TWO_UNITS)
    if "AVX2" in sets:
        return (_AVX2_TWO_UNITS * (cpu.vector_bits or _AVX2_BITS) / _AVX2_BITS,)
    if "NEON" in sets:
        is_apple = "apple" in cpu.vendor.lower()
        return (_NEON_TWO_UNITS, 2 * _NEON_TWO_UNITS) if is_apple else (_NEON_TWO_UNITS,)
    return ()


def _cores(cpu: Cpu) -> float:
    return min(cpu.usable_cores, cpu.physical_cores or cpu.usable_cores)


def cpu_device(machine: Machine) -> Device:
    """Return this computer's processor as a device.

    Figures come from the catalogue where it has this very processor; else the rate from cores, clock and instruction
    sets, and memory bandwidth from a processor of the same class. Measurements taken here correct them later.
    """
    cpu = machine.host.cpu
    known = _same_processor(cpu)
    alike = known or _class_alike(machine)
    is_shared = alike.for_whom == "datacenter"
    share = min(1.0, _cores(cpu) / (alike.multiprocessors or 1)) if is_shared else 1.0
    peak = cpu_peak_flop_per_s(cpu) or _nominal_flop_per_s(cpu)
    if peak is None:
        peak = alike.peak_flop_per_s["fp32"] * min(1.0, _cores(cpu) / (alike.multiprocessors or 1))
    return msgspec.structs.replace(
        alike,
        name=cpu.name,
        aliases=(),
        vendor=cpu.vendor.lower(),
        peak_flop_per_s={"fp32": peak},
        memory_bytes=machine.host.memory.limit_bytes,
        bandwidth_bytes_per_s=_bandwidth_bytes_per_s(alike, cpu) if is_shared else alike.bandwidth_bytes_per_s,
        power_w=None if alike.power_w is None else alike.power_w * share,
        multiprocessors=max(1, round(_cores(cpu))),
        sources=alike.sources if known else {"specifications": _like(alike)},
    )


def _bandwidth_bytes_per_s(server: Device, cpu: Cpu) -> float | None:
    """Return what a part of a server's cores moves.

    It is the (geometric) middle between their share of its memory, which is left while all neighbours of a virtual
    machine read at once, and what they reach where nobody else does.
    """
    whole = server.bandwidth_bytes_per_s
    if whole is None:
        return None
    share = min(1.0, _cores(cpu) / (server.multiprocessors or 1))
    alone = min(whole, _cores(cpu) * _CORE_BYTES_PER_S)
    return math.sqrt(whole * share * max(alone, whole * share))


def serving_processor(machine: Machine) -> Device:
    """Return this computer's processor as one that runs language models, with its rates in 16 bit where it has them."""
    device, sets = cpu_device(machine), machine.host.cpu.instruction_sets
    products = max((count for name, count in _BF16_PRODUCTS.items() if name in sets), default=1.0)
    fp32 = device.peak_flop_per_s["fp32"]
    peaks = {"fp32": fp32, "bf16": fp32 * products}
    if "AVX512_FP16" in sets:
        peaks["fp16"] = fp32 * _FP16_PRODUCTS
    return msgspec.structs.replace(device, peak_flop_per_s=peaks)


def _like(alike: Device) -> Source:
    return Source(title=f"Cores, clock and instruction sets of this computer; memory as in {alike.name}", date="now")


def _nominal_flop_per_s(cpu: Cpu) -> float | None:
    """Return the rate at the nominal clock and the lower vector width: a careful start, not a peak."""
    clock_hz = cpu.max_frequency_hz or cpu.base_frequency_hz
    widths = _flop_per_cycle(cpu)
    return widths[0] * clock_hz * _cores(cpu) if widths and clock_hz is not None else None


def _same_processor(cpu: Cpu) -> Device | None:
    found = (known_device(name) for name in (cpu.name, f"{cpu.name} CPU"))  # Apple's processor and card share a name
    return next((device for device in found if device is not None and device.device_class == "cpu"), None)


def _class_alike(machine: Machine) -> Device:
    """Return the catalogue's processor of the same class with the nearest number of cores."""
    label = _CLASS_NAMES.get(machine.host.form_factor)
    if label is None:
        return find_device(_SERVER_CLASS)
    cores = _cores(machine.host.cpu)
    return min(_processors_called(label), key=lambda device: abs((device.multiprocessors or 0) - cores))


@cache
def _processors_called(label: str) -> tuple[Device, ...]:
    return tuple(device for device in devices() if any(alias.startswith(label) for alias in device.aliases))


def accelerator_device(accelerator: Accelerator, machine: Machine) -> Device | None:
    """Return a card of this computer as a device of the catalogue, with its own memory; None where unknown."""
    is_laptop = machine.host.form_factor == "laptop" and not accelerator.is_overridden
    memory_bytes = accelerator.memory_bytes
    if memory_bytes is None and accelerator.unified_memory and not accelerator.is_overridden:
        memory_bytes = machine.host.memory.total_bytes
    try:
        return find_device(accelerator.name, memory_bytes=memory_bytes, is_laptop=is_laptop)
    except UnknownNameError:
        return None


def published_rates(torch_device: str, device: Device) -> PublishedRates | None:
    """Return the catalogue's figures of this computer's device; of a processor only where it has this very one."""
    known = known_device(device.name) if torch_device == "cpu" else device
    if known is None:
        return None
    return PublishedRates(flop_per_s=known.peak_flop_per_s, bandwidth_bytes_per_s=known.bandwidth_bytes_per_s)


def unknown_cards(machine: Machine) -> Iterator[Fact]:
    """Yield the name of a card of this computer that the catalogue does not have, and that is left out for it."""
    for accelerator in training_accelerators(machine):
        if accelerator_device(accelerator, machine) is None:
            yield Fact(name="unknown_card", value=accelerator.name, unit="", basis="probed")
            return


def unsaid_cores(machine: Machine) -> Iterator[Fact]:
    """Yield how many GPU cores a chip of Apple may have where its name does not say; the catalogue's usual is taken."""
    for accelerator in training_accelerators(machine):
        device = accelerator_device(accelerator, machine)
        if device is None or device.device_class != "apple" or "core" in accelerator.name.casefold():
            continue
        chip = device.name.partition(" (")[0]
        kinds = [str(one.multiprocessors) for one in devices() if one.name.partition(" (")[0] == chip]
        if len(kinds) > 1:
            yield Fact(name="unsaid_cores", value="/".join(kinds), unit="", basis="probed")
            return


_LIMITS = {"cuda_12_6_build": "cu126", "rocm_unofficial": "rocm", "vendor_build": "vendor", "old_framework": "old"}


def limited_cards(machine: Machine) -> Iterator[Fact]:
    """Yield the card of this computer that PyTorch as it is usually installed does not run on, and which does."""
    for accelerator in training_accelerators(machine):
        device = accelerator_device(accelerator, machine)
        kind = None if device is None else _LIMITS.get(device.frameworks_limit or "")
        if device is not None and kind is not None:
            is_rdna2 = kind == "rocm" and device.architecture.startswith("RDNA 2")
            yield Fact(name="limited_card", value=device.name, unit="", basis="probed")
            yield Fact(name="limited_kind", value="rdna2" if is_rdna2 else kind, unit="", basis="probed")
            return


def training_accelerators(machine: Machine) -> tuple[Accelerator, ...]:
    """Return the accelerators of this computer that train networks."""
    return tuple(accelerator for accelerator in machine.accelerators if accelerator.trains)


def computer_kind(machine: Machine) -> ComputerKind:
    """Return which kind of computer this is, for what it draws; one that does not say is a desktop computer.

    Boards name no case, and have a processor of Arm's; what Apple puts on a desk draws as little while it waits.
    """
    host = machine.host
    is_arm = host.cpu.architecture.casefold() in ("arm64", "aarch64")
    if host.form_factor in ("laptop", "server"):
        return "laptop" if host.form_factor == "laptop" else "server"
    is_small = host.os_name == "macOS" or (host.form_factor == "unknown" and host.isolation != "virtual_machine")
    return "small" if is_arm and is_small else "desktop"
