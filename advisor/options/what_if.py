"""Change an observed computer by hand: what would the answer be with another card, memory or processor?"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from advisor.catalog import devices, find_device
from advisor.errors import InputError
from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.found_accelerator import FoundAccelerator
from advisor.probe.framework import merge_framework
from advisor.probe.override import Override, apply_overrides
from advisor.records.base import Evidence
from advisor.records.hardware.device import Device
from advisor.records.hardware.machine import Accelerator, Cpu, Framework, Machine, Memory
from advisor.records.request import Observation
from advisor.records.results.measured.measurement import Benchmark

_KINDS = {"gpu": "discrete", "laptop_gpu": "discrete", "workstation_gpu": "discrete", "datacenter_gpu": "datacenter"}
_CLASS = re.compile(r"^(Laptop|Desktop) CPU with (\d+) cores$")
_THREADS_A_CORE = 2
"""Hardware threads: all processors that stand for a class have two."""
_BUILDS = {"nvidia": "cuda", "amd": "rocm", "intel": "xpu"}


def exchangeable_cards() -> tuple[str, ...]:
    """Return the names of the devices that could be put in: cards, no processors, no whole computers."""
    return tuple(device.name for device in devices() if _is_card(device))


class ProcessorClass(NamedTuple):
    """A class of processors, and the one of the catalogue that stands for it.

    Attributes:
        name: Of the processor.
        form: ``laptop`` or ``desktop``.
        cores: How many it has.
    """

    name: str
    form: str
    cores: int


def processor_classes() -> tuple[ProcessorClass, ...]:
    """Return the classes of processors it could have, laptops first, by their cores."""
    found = ((device.name, _CLASS.search(alias)) for device in devices() for alias in device.aliases)
    classes = (ProcessorClass(name, match[1].lower(), int(match[2])) for name, match in found if match)
    return tuple(sorted(classes, key=lambda one: (one.form != "laptop", one.cores)))


def exchange_parts(
    observation: Observation, card: str = "", memory_bytes: int | None = None, processor: str = ""
) -> Observation:
    """Return the observed computer with other parts in the place of its own.

    What was measured stays as far as it speaks for the parts that stay: of the processor where only the card is
    another one, nothing where the processor is. With a card or processor made for laptops the whole is a laptop.

    Args:
        observation: The computer as seen.
        card: Name of another graphics card; empty: its own.
        memory_bytes: Main memory; None: its own.
        processor: Name of a processor that stands for a class; empty: its own.

    Raises:
        UnknownNameError: The catalogue has no such device; names the nearest.
        InputError: It is no card, but a processor, a TPU or a computer of its own; or no such class.
    """
    machine, benchmark = observation.machine, observation.benchmark
    if processor:
        machine, benchmark = _with_processor(machine, _class_of(processor)), None
    if memory_bytes is not None:
        machine = _with_memory(machine, memory_bytes)
    if card:
        machine = _with_card(machine, _card_of(card))
        benchmark = None if benchmark is None else _of_processor(benchmark)
    return msgspec.structs.replace(observation, machine=machine, benchmark=benchmark, is_simulated=True)


def _card_of(name: str) -> Device:
    device = find_device(name)
    if not _is_card(device):
        raise InputError("{name} is not a graphics card that a computer could have.", name=device.name)
    return device


def _class_of(name: str) -> ProcessorClass:
    found = next((one for one in processor_classes() if one.name == name), None)
    if found is None:
        raise InputError("{name} does not stand for a class of processors.", name=name)
    return found


def _is_card(device: Device) -> bool:
    return device.device_class in _KINDS and device.vendor in _BUILDS


def _with_processor(machine: Machine, wanted: ProcessorClass) -> Machine:
    device = find_device(wanted.name)
    cpu = Cpu(
        name=device.name,
        vendor=device.vendor,
        architecture=machine.host.cpu.architecture,
        physical_cores=wanted.cores,
        logical_cores=wanted.cores * _THREADS_A_CORE,
        usable_cores=float(wanted.cores * _THREADS_A_CORE),
    )
    host = msgspec.structs.replace(
        machine.host,
        cpu=cpu,
        form_factor=wanted.form,
        isolation="none",
        isolation_detail="",
        battery=machine.host.battery if wanted.form == machine.host.form_factor else None,
    )
    return _described(msgspec.structs.replace(machine, host=host), "host.cpu")


def _with_memory(machine: Machine, memory_bytes: int) -> Machine:
    memory = Memory(total_bytes=memory_bytes, available_bytes=memory_bytes, limit_bytes=memory_bytes)
    host = msgspec.structs.replace(machine.host, memory=memory)
    return _described(msgspec.structs.replace(machine, host=host), "host.memory")


def with_cards(observation: Observation, cards: Sequence[Override]) -> Observation:
    """Return the observed computer with graphics cards as the user describes them.

    What was measured of its own cards stays where none of them became another one.

    Raises:
        InputError: A correction names a number that no card has.
    """
    if not cards:
        return observation
    machine, benchmark = observation.machine, observation.benchmark
    own = [FoundAccelerator(card, _notes_of(machine, place)) for place, card in enumerate(machine.accelerators)]
    found = apply_overrides(own, cards)
    notes = EvidenceLog()
    notes.evidence = [note for note in machine.evidence if not note.field.startswith("accelerators")]
    notes.gaps = [gap for gap in machine.gaps if not gap.field.startswith("accelerators")]
    for place, one in enumerate(found):
        notes.absorb(one.log, f"accelerators.{place}")
    changed = msgspec.structs.replace(
        machine,
        accelerators=tuple(one.accelerator for one in found),
        evidence=tuple(notes.evidence),
        gaps=tuple(notes.gaps),
    )
    stays = changed.accelerators[: len(own)] == machine.accelerators
    return msgspec.structs.replace(
        observation,
        machine=merge_framework(changed, machine.framework),
        benchmark=benchmark if benchmark is None or stays else _of_processor(benchmark),
    )


def _notes_of(machine: Machine, place: int) -> EvidenceLog:
    """Return how the facts of one card were read, their names relative to it."""
    notes, own = EvidenceLog(), f"accelerators.{place}."
    for note in machine.evidence:
        if note.field.startswith(own):
            notes.found(note.field.removeprefix(own), note.how, note.check)
    for gap in machine.gaps:
        if gap.field.startswith(own):
            notes.missing(gap.field.removeprefix(own), gap.reason, gap.detail, gap.remedy)
    return notes


def _described(machine: Machine, field: str) -> Machine:
    """Return the machine with one part said to be set by hand, and nothing said to be unknown of it."""
    return msgspec.structs.replace(
        machine,
        evidence=(
            *(note for note in machine.evidence if not note.field.startswith(field)),
            Evidence(field=field, how="set by hand"),
        ),
        gaps=tuple(gap for gap in machine.gaps if not gap.field.startswith(field)),
    )


def _with_card(machine: Machine, device: Device) -> Machine:
    card = Accelerator(
        vendor=device.vendor,  # type: ignore[arg-type]  # one of _BUILDS
        index=0,
        name=device.name,
        kind=_KINDS[device.device_class],  # type: ignore[arg-type]  # a kind of card
        trains=True,
        memory_bytes=device.memory_bytes,
        compute_capability=device.compute_capability,
        power_limit_w=device.power_w,
        is_overridden=True,
    )
    build = _BUILDS[device.vendor]
    framework = Framework(
        version=machine.framework.version,
        built_for=build,
        visible_devices=(f"{'xpu' if build == 'xpu' else 'cuda'}:0",),
    )
    others = [gap for gap in machine.gaps if not gap.field.startswith(("accelerators", "framework"))]
    kept = [note for note in machine.evidence if not note.field.startswith(("accelerators", "framework"))]
    is_laptop = device.device_class == "laptop_gpu"
    return msgspec.structs.replace(
        machine,
        host=msgspec.structs.replace(machine.host, form_factor="laptop") if is_laptop else machine.host,
        accelerators=(card,),
        framework=framework,
        evidence=(*kept, Evidence(field="accelerators.0.name", how="set by hand")),
        gaps=tuple(others),
    )


def _of_processor(benchmark: Benchmark) -> Benchmark:
    return msgspec.structs.replace(
        benchmark,
        measurements=tuple(one for one in benchmark.measurements if one.case.device == "cpu"),
        failures=tuple(one for one in benchmark.failures if one.case.device == "cpu"),
    )
