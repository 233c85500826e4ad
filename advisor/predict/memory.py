"""Memory of one device during a step: what is kept between steps, what a step needs, and what would make it fit."""

import math
from dataclasses import dataclass

import msgspec

from advisor.predict.coefficients import memory_coefficients
from advisor.predict.work import element_ratio, trained_parameters
from advisor.records.base import Interval
from advisor.records.prediction import MemoryEstimate
from advisor.records.work import Network
from advisor.records.workload import Workload

_STATES_BYTES = {"none": 0.0, "sgd": 4.0, "adam": 8.0, "adamw": 8.0}
_QLORA_BYTES = 0.5625  # 4 bit and a scale for each block of 64. Source: Dettmers et al. 2023, QLoRA, section 3.


@dataclass(frozen=True)
class Footprint:
    """Bytes of a step: the state kept between steps, and what each sample adds."""

    parameters_bytes: float
    gradients_bytes: float
    optimizer_bytes: float
    saved_fixed_bytes: float
    saved_per_sample_bytes: float
    temporary_fixed_bytes: float
    temporary_per_sample_bytes: float
    context_bytes: float

    def total(self, batch_size: float, shards: int = 1) -> float:
        """Return the bytes on one of ``shards`` devices that share the state."""
        state = (self.parameters_bytes + self.gradients_bytes + self.optimizer_bytes) / shards
        per_sample = self.saved_per_sample_bytes + self.temporary_per_sample_bytes
        fixed = self.saved_fixed_bytes + self.temporary_fixed_bytes + self.context_bytes
        return state + fixed + per_sample * batch_size

    def largest_batch(self, available_bytes: float, shards: int = 1) -> int:
        """Return the largest batch that fits; 0 where not even one sample does."""
        per_sample = self.saved_per_sample_bytes + self.temporary_per_sample_bytes
        room = available_bytes - self.total(0.0, shards)
        if room < per_sample:
            return 0
        return int(min(room / per_sample, 2**31)) if per_sample > 0 else 2**31


def footprint(network: Network, workload: Workload, *, is_cpu: bool = False) -> Footprint:
    """Return the bytes of a step of the workload."""
    constants = memory_coefficients()
    ratio = element_ratio(workload.precision)
    saved, temporary = network.saved_bytes_per_sample * ratio, network.largest_bytes_per_sample * ratio
    if workload.task == "infer":
        saved = 0.0
    elif workload.checkpointing and network.layers:
        saved = saved * (1.0 / network.layers + 0.05)
    parameters, gradients, states = _state_bytes(network, workload)
    return Footprint(
        parameters_bytes=parameters,
        gradients_bytes=gradients,
        optimizer_bytes=states,
        saved_fixed_bytes=network.saved_bytes_fixed * ratio if workload.task == "train" else 0.0,
        saved_per_sample_bytes=saved * constants.activation_factor,
        temporary_fixed_bytes=0.0,
        temporary_per_sample_bytes=temporary * constants.temporary_factor,
        context_bytes=0.0 if is_cpu else constants.context_bytes,
    )


def _state_bytes(network: Network, workload: Workload) -> tuple[float, float, float]:
    half = workload.precision in ("fp16", "bf16")
    if workload.task == "infer":
        return network.parameters * (2.0 if half else 4.0), 0.0, 0.0
    trained = trained_parameters(network, workload.method)
    if workload.method in ("lora", "qlora"):
        frozen = network.parameters * (_QLORA_BYTES if workload.method == "qlora" else 2.0)
        return frozen + 4.0 * trained, 4.0 * trained, _STATES_BYTES[workload.optimizer] * trained
    parameters = network.parameters * 4.0
    if workload.precision == "amp":
        parameters += network.parameters * 2.0  # autocast keeps 16-bit copies of the weights during a step
    return parameters, 4.0 * trained, _STATES_BYTES[workload.optimizer] * trained


def estimate_memory(
    network: Network,
    workload: Workload,
    available_bytes: float | None,
    *,
    batch_size: float | None = None,
    is_cpu: bool = False,
) -> MemoryEstimate:
    """Return the peak memory of one device, whether it fits, and what would make it fit."""
    batch = float(workload.batch_size if batch_size is None else batch_size)
    bytes_of = footprint(network, workload, is_cpu=is_cpu)
    total = bytes_of.total(batch)
    spread = memory_coefficients().spread
    fits = None if available_bytes is None else total <= available_bytes
    return MemoryEstimate(
        parameters_bytes=bytes_of.parameters_bytes,
        gradients_bytes=bytes_of.gradients_bytes,
        optimizer_bytes=bytes_of.optimizer_bytes,
        activations_bytes=bytes_of.saved_fixed_bytes + bytes_of.saved_per_sample_bytes * batch,
        temporary_bytes=bytes_of.temporary_fixed_bytes + bytes_of.temporary_per_sample_bytes * batch,
        context_bytes=bytes_of.context_bytes,
        total_bytes=total,
        available_bytes=available_bytes,
        fits=fits,
        largest_batch=None if available_bytes is None else bytes_of.largest_batch(available_bytes),
        how_to_fit=()
        if fits or available_bytes is None
        else _how_to_fit(network, workload, available_bytes, batch, is_cpu),
        devices_needed=None if available_bytes is None else _devices_needed(bytes_of, available_bytes),
        interval=Interval(low=total * (1 - spread), high=total * (1 + spread)),
    )


def _devices_needed(bytes_of: Footprint, available_bytes: float) -> int | None:
    room = available_bytes - bytes_of.total(1.0, shards=2**40)
    state = bytes_of.parameters_bytes + bytes_of.gradients_bytes + bytes_of.optimizer_bytes
    return None if room <= 0 else max(1, math.ceil(state / room))


def _how_to_fit(
    network: Network, workload: Workload, available_bytes: float, batch: float, is_cpu: bool
) -> tuple[str, ...]:
    """Return what alone, or on top of the easier measures, makes the workload fit; easiest first."""
    measures = {
        "amp": lambda w: _with(w, precision="amp") if w.precision == "fp32" else None,
        "checkpointing": lambda w: _with(w, checkpointing=True) if not w.checkpointing and network.layers else None,
        "lora": lambda w: _with(w, method="lora") if network.family == "transformer" and w.method == "full" else None,
        "qlora": lambda w: (
            _with(w, method="qlora") if network.family == "transformer" and w.method in ("full", "lora") else None
        ),
    }
    if workload.task == "infer":
        measures = {"amp": measures["amp"]}
    found: list[str] = []
    if footprint(network, workload, is_cpu=is_cpu).largest_batch(available_bytes) >= 1:
        found.append("smaller_batch")
    for name, change in measures.items():
        changed = change(workload)
        if changed is not None and footprint(network, changed, is_cpu=is_cpu).largest_batch(available_bytes) >= 1:
            found.append(name)
    if _devices_needed(footprint(network, workload, is_cpu=is_cpu), available_bytes) is not None:
        found.append("shard")
    return tuple(found)


def _with(workload: Workload, **changes: str | bool) -> Workload:
    return msgspec.structs.replace(workload, **changes)
