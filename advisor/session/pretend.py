"""Put another graphics card into an observed computer: what would the answer be with this one?"""

import msgspec

from advisor.catalog import devices, find_device
from advisor.errors import InputError
from advisor.records.base import Evidence
from advisor.records.device import Device
from advisor.records.machine import Accelerator, Framework, Machine
from advisor.records.measurement import Benchmark
from advisor.session.request import Observation

_KINDS = {"gpu": "discrete", "laptop_gpu": "discrete", "workstation_gpu": "discrete", "datacenter_gpu": "datacenter"}
_BUILDS = {"nvidia": "cuda", "amd": "rocm", "intel": "xpu"}


def pretendable() -> tuple[str, ...]:
    """Return the names of the devices one can pretend to have: cards, no processors, no whole computers."""
    return tuple(device.name for device in devices() if _can_be_put_in(device))


def pretend(observation: Observation, name: str) -> Observation:
    """Return the observed computer with another graphics card in the place of its own.

    Processor, memory and disk stay, and so do the measurements of the processor; those of the own card say nothing
    about the other one and are left out.

    Raises:
        UnknownNameError: The catalogue has no such device; names the nearest.
        InputError: It is no card, but a processor, a TPU or a computer of its own.
    """
    device = find_device(name)
    if not _can_be_put_in(device):
        raise InputError("{name} is no graphics card that a computer could have.", name=device.name)
    return Observation(
        machine=_with_card(observation.machine, device),
        benchmark=None if observation.benchmark is None else _of_processor(observation.benchmark),
        is_simulated=True,
    )


def _can_be_put_in(device: Device) -> bool:
    return device.device_class in _KINDS and device.vendor in _BUILDS


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
    return msgspec.structs.replace(
        machine,
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
