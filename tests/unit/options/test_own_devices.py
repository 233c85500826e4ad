"""This computer's processor and cards as devices."""

import math

import msgspec
import pytest

from advisor.options.own_devices import (
    accelerator_device,
    cpu_device,
    cpu_peak_flop_per_s,
    limited_cards,
    serving_processor,
    training_accelerators,
    unsaid_cores,
)
from advisor.records.hardware.device import Device
from advisor.records.hardware.machine import Accelerator, Cpu, Disk, Framework, Host, Machine, Memory, Vendor

CPU = Cpu(
    name="Intel Core i7-10750H",
    vendor="GenuineIntel",
    architecture="x86_64",
    physical_cores=6,
    logical_cores=12,
    usable_cores=12,
    max_frequency_hz=5.0e9,
    instruction_sets=("AVX2",),
)
MACHINE = Machine(
    host=Host(
        os_name="Linux",
        os_version="6",
        form_factor="laptop",
        isolation="none",
        cpu=CPU,
        memory=Memory(total_bytes=16 * 2**30, available_bytes=8 * 2**30, limit_bytes=12 * 2**30),
        disk=Disk(kind="nvme", free_bytes=10**11),
    ),
    framework=Framework(),
)


def with_cpu(**changes: object) -> Cpu:
    """Return the processor with some facts changed."""
    return msgspec.structs.replace(CPU, **changes)


def test_the_peak_is_cores_times_clock_times_width() -> None:
    """Six cores, two 256-bit fused multiply-add units each, at five gigahertz."""
    assert cpu_peak_flop_per_s(CPU) == 6 * 5.0e9 * 32


def test_instructions_in_halves_halve_the_peak() -> None:
    """AMD's first two generations with AVX2 do it in 128 bits: 66 GFLOP/s on two cores of 2 GHz, not 128."""
    assert cpu_peak_flop_per_s(with_cpu(vector_bits=128)) == 6 * 5.0e9 * 16


def test_hyper_threads_add_no_arithmetic_and_limits_take_some() -> None:
    """The peak follows the cores this process may use, never the threads."""
    assert cpu_peak_flop_per_s(with_cpu(usable_cores=2)) == 2 * 5.0e9 * 32


@pytest.mark.parametrize(
    "changes",
    [
        {"max_frequency_hz": None},
        {"physical_cores": None},
        {"instruction_sets": ()},
        {"instruction_sets": ("AVX2", "AVX512F"), "vendor": "AuthenticAMD", "name": "AMD EPYC"},
    ],
)
def test_an_unknown_peak_stays_unknown(changes: dict[str, object]) -> None:
    """A hidden clock or an ambiguous vector width gives no figure instead of a wrong one."""
    assert cpu_peak_flop_per_s(with_cpu(**changes)) is None


def test_the_processor_has_the_memory_this_process_may_use() -> None:
    """The limit of a container counts, not the memory of the machine around it."""
    device = cpu_device(MACHINE)

    assert (device.memory_bytes, device.device_class) == (12 * 2**30, "cpu")


@pytest.mark.parametrize(
    ("sets", "products"), [(("AVX2",), 1), (("AVX2", "AVX512_BF16"), 2), (("AVX2", "AVX512_BF16", "AMX"), 16)]
)
def test_a_processor_that_reads_prompts_has_the_rate_of_its_bfloat16_instructions(
    sets: tuple[str, ...], products: int
) -> None:
    """Of all that it has the fastest counts; without one bfloat16 is as fast as fp32."""
    cpu = with_cpu(instruction_sets=sets)
    machine = msgspec.structs.replace(MACHINE, host=msgspec.structs.replace(MACHINE.host, cpu=cpu))
    peaks = serving_processor(machine).peak_flop_per_s
    assert peaks["bf16"] == products * peaks["fp32"] == products * 6 * 5.0e9 * 32


@pytest.mark.parametrize(("sets", "times"), [(("AVX2",), None), (("AVX2", "AVX512_FP16"), 1.2)])
def test_a_processor_has_a_rate_in_fp16_where_it_has_instructions(sets: tuple[str, ...], times: float | None) -> None:
    """Without them the prediction takes what was measured of such processors."""
    machine = msgspec.structs.replace(
        MACHINE, host=msgspec.structs.replace(MACHINE.host, cpu=with_cpu(instruction_sets=sets))
    )
    peaks = serving_processor(machine).peak_flop_per_s
    assert peaks.get("fp16") == (None if times is None else times * peaks["fp32"])


def test_a_laptops_card_is_the_laptop_chip() -> None:
    """Drivers of the 20 series give laptop and desktop chips one name; the chassis decides."""
    card = Accelerator(
        vendor="nvidia", index=0, name="NVIDIA GeForce RTX 2060", kind="discrete", trains=True, memory_bytes=6 * 2**30
    )

    laptop = accelerator_device(card, MACHINE)
    desktop = accelerator_device(
        card, msgspec.structs.replace(MACHINE, host=msgspec.structs.replace(MACHINE.host, form_factor="desktop"))
    )

    assert laptop is not None
    assert desktop is not None
    assert (laptop.device_class, desktop.device_class) == ("laptop_gpu", "gpu")


def test_an_unknown_card_is_no_device() -> None:
    """A name that no table has is not taken for its neighbour."""
    card = Accelerator(vendor="nvidia", index=0, name="GeForce RTX 9999", kind="discrete", trains=True)

    assert accelerator_device(card, MACHINE) is None


def test_integrated_graphics_are_not_offered_for_training() -> None:
    """Only what the probe says trains is considered."""
    cards = (
        Accelerator(vendor="intel", index=0, name="UHD Graphics 630", kind="integrated", trains=False),
        Accelerator(vendor="nvidia", index=0, name="GeForce RTX 3060", kind="discrete", trains=True),
    )

    found = training_accelerators(msgspec.structs.replace(MACHINE, accelerators=cards))

    assert tuple(card.name for card in found) == ("GeForce RTX 3060",)


def processor(form_factor: str = "unknown", **changes: object) -> Device:
    """Return the device of a computer with another processor."""
    host = msgspec.structs.replace(MACHINE.host, cpu=with_cpu(**changes), form_factor=form_factor)
    return cpu_device(msgspec.structs.replace(MACHINE, host=host))


def test_an_apple_processor_is_not_taken_for_its_card() -> None:
    """Both have one name; the processor's row knows its memory bandwidth."""
    found = processor("laptop", name="Apple M3 Max", vendor="Apple", physical_cores=16, usable_cores=16)
    assert (found.name, found.device_class, found.architecture) == ("Apple M3 Max", "cpu", "Apple M3")
    assert found.bandwidth_bytes_per_s == pytest.approx(409.6e9)


@pytest.mark.parametrize("name", ["AMD EPYC 7742 64-Core Processor", "EPYC 7742"])
def test_a_part_of_a_server_chip_has_a_part_of_its_memory_and_power(name: str) -> None:
    """Eight of 64 cores draw an eighth, and read between an eighth and the 12 GB/s that one of them reaches alone."""
    part = processor(name=name, vendor="AuthenticAMD", physical_cores=8, usable_cores=8)
    whole = processor(name="EPYC 7742", vendor="AuthenticAMD", physical_cores=64, usable_cores=128)
    assert (whole.bandwidth_bytes_per_s, whole.power_w) == (pytest.approx(204.8e9), 225.0)
    assert part.bandwidth_bytes_per_s == pytest.approx(math.sqrt(204.8e9 / 8 * 8 * 12e9))
    assert part.power_w == pytest.approx(225.0 / 8)


def test_a_desktop_chip_keeps_its_memory_when_fewer_cores_may_be_used() -> None:
    """A limit on cores takes none of the bandwidth that two or three of them already fill."""
    found = processor("desktop", name="Ryzen 9 7950X", vendor="AuthenticAMD", physical_cores=16, usable_cores=4)
    assert found.bandwidth_bytes_per_s == pytest.approx(83.2e9)


@pytest.mark.parametrize(
    ("vendor", "name", "kind"),
    [
        ("amd", "Radeon RX 6600", "rdna2"),
        ("amd", "Radeon RX 7600", "rocm"),
        ("nvidia", "GeForce GTX 1080", "cu126"),
        ("amd", "Radeon RX 580", "old"),
    ],
)
def test_a_card_that_needs_another_torch_is_named(vendor: Vendor, name: str, kind: str) -> None:
    """What the usual build does not run on, and which does; an ordinary card is not."""
    card = Accelerator(vendor=vendor, index=0, name=name, kind="discrete", trains=True, memory_bytes=8 * 2**30)
    found = {one.name: one.value for one in limited_cards(msgspec.structs.replace(MACHINE, accelerators=(card,)))}
    device = accelerator_device(card, MACHINE)
    assert device is not None
    assert found == {"limited_card": device.name, "limited_kind": kind}
    usual = msgspec.structs.replace(card, vendor="nvidia", name="GeForce RTX 3060", memory_bytes=12 * 2**30)
    assert not list(limited_cards(msgspec.structs.replace(MACHINE, accelerators=(usual,))))


@pytest.mark.parametrize(("name", "cores"), [("Apple M3 Max", "30/40"), ("Apple M3 Max (40-core GPU)", None)])
def test_a_chip_whose_cores_nobody_said_is_told_apart(name: str, cores: str | None) -> None:
    """The program takes one of its sizes and says which there are."""
    card = Accelerator(vendor="apple", index=0, name=name, kind="integrated", trains=True, unified_memory=True)
    found = [one.value for one in unsaid_cores(msgspec.structs.replace(MACHINE, accelerators=(card,)))]
    assert found == ([] if cores is None else [cores])
