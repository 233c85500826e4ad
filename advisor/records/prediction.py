"""How long, how much memory: a prediction always says what it rests on and how sure it is."""

from typing import Literal

from advisor.records.base import Basis, Interval, Precision, Record
from advisor.records.workload import Optimizer, Task

Limit = Literal["compute", "memory_bandwidth", "launch", "input", "communication", "unknown"]
Confidence = Literal["good", "fair", "rough"]


class MemoryEstimate(Record, frozen=True, kw_only=True):
    """Peak memory of one device during a step.

    Attributes:
        parameters_bytes, gradients_bytes, optimizer_bytes: Of the state kept between steps.
        activations_bytes: Tensors kept from forward for backward, at this batch.
        temporary_bytes: Work space and allocator rounding.
        context_bytes: What the driver and the framework take before the first tensor.
        available_bytes: What the device has; None where unknown.
        fits: None where ``available_bytes`` is unknown.
        largest_batch: Largest batch per device that fits; 0 where not even one sample does.
        how_to_fit: Codes of measures that would make it fit, easiest first, such as ``smaller_batch``, ``amp``,
            ``checkpointing``, ``lora``, ``qlora``, ``shard``.
        devices_needed: Devices over which the state must be sharded; None where it cannot be made to fit.
        interval: Of ``total_bytes``.
    """

    parameters_bytes: float
    gradients_bytes: float
    optimizer_bytes: float
    activations_bytes: float
    temporary_bytes: float
    context_bytes: float
    total_bytes: float
    available_bytes: float | None
    fits: bool | None
    largest_batch: int | None
    how_to_fit: tuple[str, ...] = ()
    devices_needed: int | None = None
    interval: Interval


class TimePart(Record, frozen=True, kw_only=True):
    """A share of the step's time: which part, how long, as reported behind the number."""

    name: str
    time_s: float


class Prediction(Record, frozen=True, kw_only=True):
    """One workload on one kind of device.

    Attributes:
        device: Catalogue name of the device, or ``this computer: …`` name of the probed one.
        device_count: Devices working together.
        batch_size: Per device.
        accumulation_steps: Parts a step is cut into so that it fits.
        time_per_step_s: Of one optimizer step, input pipeline included.
        interval: Of ``time_per_step_s``, 80 %.
        samples_per_s: Of all devices together.
        scaling_efficiency_ratio: Share of the ideal speed of ``device_count`` devices that is reached.
        limit: What holds it back.
        parts: Where the time of a step goes.
        memory: None for classical ML.
        confidence: ``good`` up to ±15 %, ``fair`` up to ±30 %, else ``rough``.
        basis: What the time rests on.
        basis_detail: Case ids it was calibrated with, or the data set it was fitted on.
    """

    device: str
    device_count: int = 1
    network: str
    task: Task
    batch_size: int
    precision: Precision
    optimizer: Optimizer
    accumulation_steps: int = 1
    time_per_step_s: float
    interval: Interval
    samples_per_s: float
    scaling_efficiency_ratio: float = 1.0
    limit: Limit = "unknown"
    parts: tuple[TimePart, ...] = ()
    memory: MemoryEstimate | None = None
    confidence: Confidence
    basis: Basis
    basis_detail: tuple[str, ...] = ()
