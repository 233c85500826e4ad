"""Ask every rule, and say that nothing is wrong only where enough was measured to know."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import get_args

import msgspec

from advisor.benchmark.diagnosis.agreement import contradictions
from advisor.benchmark.diagnosis.arithmetic import (
    LIMIT_RATIO,
    attained,
    bandwidth_bound,
    compute_bound,
)
from advisor.benchmark.diagnosis.data_loading import few_cores_for_loader, input_bound, loader_keeps_up
from advisor.benchmark.diagnosis.inputs import Inputs, finding
from advisor.benchmark.diagnosis.launch_bound import launch_bound
from advisor.benchmark.diagnosis.memory import capacity_bound, single_memory_channel
from advisor.benchmark.diagnosis.paging import page_faults
from advisor.benchmark.diagnosis.pcie_link import slow_link
from advisor.benchmark.diagnosis.profile import profiled_arithmetic, profiled_traffic
from advisor.benchmark.diagnosis.surroundings.heat_and_power import (
    fading,
    on_battery,
    power_saver,
    throttled_heat,
    throttled_power,
)
from advisor.benchmark.diagnosis.surroundings.other_programs import other_load
from advisor.benchmark.diagnosis.surroundings.unsteady import changing_pace, unstable
from advisor.benchmark.diagnosis.torch_build import wrong_torch_build
from advisor.card_matching import seen_devices, training_cards
from advisor.records.hardware.machine import Machine
from advisor.records.results.diagnosis import (
    Finding,
    FindingKind,
    Outlook,
    PublishedRates,
    Reading,
    Severity,
    StepTraffic,
)
from advisor.records.results.measured.measurement import Benchmark


def unsteady(inputs: Inputs) -> Iterator[Finding]:
    """Yield why measurements may not be trusted; where the pace changes, that they scatter goes without saying."""
    yield from tuple(changing_pace(inputs)) or unstable(inputs)
    yield from fading(inputs)
    yield from contradictions(inputs)


RULES: Mapping[FindingKind, Callable[[Inputs], Iterable[Finding]]] = {
    "wrong_torch_build": wrong_torch_build,
    "capacity_bound": capacity_bound,
    "input_bound": input_bound,
    "few_cores_for_loader": few_cores_for_loader,
    "throttled_heat": throttled_heat,
    "throttled_power": throttled_power,
    "on_battery": on_battery,
    "power_saver": power_saver,
    "other_load": other_load,
    "slow_link": slow_link,
    "single_memory_channel": single_memory_channel,
    "launch_bound": launch_bound,
    "page_faults": page_faults,
    "bandwidth_bound": lambda inputs: (*bandwidth_bound(inputs), *profiled_traffic(inputs)),
    "compute_bound": lambda inputs: (*compute_bound(inputs), *profiled_arithmetic(inputs)),
    "unstable": unsteady,
}
"""All rules but the last word, ``nothing_wrong``, by what they find."""

MOST_TIMES = 30.0
"""A larger gain than this says more about how it was measured than about the computer."""
_WIDE: frozenset[FindingKind] = frozenset({"wrong_torch_build", "input_bound", "few_cores_for_loader"})
"""Findings whose gain is the ratio of two devices, which may be a hundred."""

_KINDS: Sequence[FindingKind] = get_args(FindingKind)
_SEVERITIES: Sequence[Severity] = get_args(Severity)


def diagnose(
    machine: Machine,
    benchmark: Benchmark | None,
    *,
    published: Mapping[str, PublishedRates] | None = None,
    outlooks: Sequence[Outlook] = (),
    kernels: Mapping[str, float] | None = None,
    traffic: Mapping[str, StepTraffic] | None = None,
) -> tuple[Finding, ...]:
    """Return what holds the computer back, the worst first; empty where too little is known to say anything.

    Args:
        machine: What the probe found.
        benchmark: What was measured, if anything.
        published: What the catalogue says of this computer's devices, by torch's name.
        outlooks: Predictions of the user's job on this computer's devices.
        kernels: Operations that one training step of a network starts on an accelerator, by its name.
        traffic: What one training step of a network moves to and from memory, by its name.
    """
    inputs = Inputs(machine, benchmark, published or {}, outlooks, kernels or {}, traffic or {})
    found = [_believable(one) for rule in RULES.values() for one in rule(inputs) if one.evidence]
    found += nothing_wrong(inputs, found)
    return tuple(sorted(found, key=_order))


def _believable(one: Finding) -> Finding:
    """Return a finding without its gain where that is more than the fixing of one thing brings."""
    is_supported = one.gain is None or one.gain.high <= MOST_TIMES or one.kind in _WIDE
    return one if is_supported else msgspec.structs.replace(one, gain=None, severity="moderate")


def _order(one: Finding) -> tuple[int, int, str, str]:
    return _SEVERITIES.index(one.severity), _KINDS.index(one.kind), one.device, one.form


def nothing_wrong(inputs: Inputs, found: Sequence[Finding]) -> Iterator[Finding]:
    """Yield that nothing is wrong, where no rule objects and the measurements leave no room for a hidden brake.

    That takes, on every device torch can use, a training step most of which the hardware's own limits explain, and no
    card that was found but not measured.
    """
    if any(one.severity != "none" for one in found) or not inputs.devices:
        return
    cards = {name for name, _, _ in training_cards(inputs.machine)}
    wanted = cards | {seen.name for seen in seen_devices(inputs.machine.framework)}
    wanted |= {device for device in inputs.devices if not device.startswith("xla")}  # JAX measures what torch does, too
    reached: list[Reading] = []
    for device in sorted(wanted):
        reading = attained(inputs, device)
        if reading is None or reading.value < LIMIT_RATIO:
            return
        keeps_up = loader_keeps_up(inputs, device)
        reached += [reading] if keeps_up is None else [reading, keeps_up]
    reached.sort(key=lambda reading: (reading.unit != "ratio", reading.value))
    count = Reading(name="measurements", value=float(len(inputs.measurements)), source=inputs.measurements[0].case.id)
    yield finding("nothing_wrong", "cpu", (count, *reached), severity="none")
