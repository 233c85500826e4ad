"""How long, how much memory: a prediction always says what it rests on and how sure it is."""

import math
from typing import Literal

from advisor.records.base import Amount, Balance, Basis, Duration, Interval, Precision, Record, Whole
from advisor.records.job.workload import Optimizer, Task

Limit = Literal["compute", "memory_bandwidth", "launch", "input", "disk", "communication", "unknown"]
Confidence = Literal["good", "fair", "rough"]
GOOD_RATIO, FAIR_RATIO = 0.15, 0.30
"""By which share of the best guess a number may be off that is called so."""
CorrectionKind = Literal["gemm", "conv", "memory", "launch", "network", "job"]


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

    parameters_bytes: Amount
    gradients_bytes: Amount
    optimizer_bytes: Amount
    activations_bytes: Amount
    temporary_bytes: Amount
    context_bytes: Amount
    total_bytes: Amount
    available_bytes: Amount | None
    fits: bool | None
    largest_batch: int | None
    how_to_fit: tuple[str, ...] = ()
    devices_needed: int | None = None
    interval: Interval


class TimePart(Record, frozen=True, kw_only=True):
    """A share of the step's time: which part, how long, as reported behind the number."""

    name: str
    time_s: float


class InputRate(Record, frozen=True, kw_only=True):
    """How fast the processor delivers prepared samples to the device.

    Attributes:
        samples_per_s: Of all loader workers together.
        interval: Of ``samples_per_s``; None where it was measured for this very input.
        workers: Processor cores the loader uses; the most it may use where that is not known.
        waits: Whether devices stand still while samples are prepared, and the other way round: ``perhaps`` where nobody
            said how they are loaded.
        processor_s: By how much loading a sample delays a processor that trains as well; None where it is not known.
        fed_ratio: What this job's steps took while they were fed, over what steps alone and loading alone say; 1 where
            both were not measured together.
        is_of_disk: The disk delivers less than the processor could prepare.
        basis: Measured here, or modelled from the number of cores.
    """

    samples_per_s: float
    interval: Interval | None = None
    workers: float | None = None
    waits: Literal["no", "perhaps", "yes"] = "no"
    processor_s: float | None = None
    is_of_disk: bool = False
    fed_ratio: float = 1.0
    basis: Basis = "modelled"


class CorrectionFactor(Record, frozen=True, kw_only=True):
    """Measured time over predicted time for one kind of work at one precision.

    Attributes:
        kind: ``gemm``, ``conv``, ``memory``, ``launch``, ``network`` (a whole training step) or ``job`` (the step of a
            job that was asked).
        network: Its name, for ``network``.
        task: What was done with it; ``channels_last``: whether its images were stored so.
        ratio: Above 1: this computer is slower than its specifications suggest.
        cases: Ids of the measured cases.
        settings: Of a job: what its step's time hangs on.
        steps: Of a job: pairs (batch size, seconds of a step), its own batch last.
        sigma: Standard deviation of a logarithm: of a job's seconds, or between other computers.
        memory_bytes: Of a job: peak at its own batch; None where the system does not say.
    """

    kind: CorrectionKind
    precision: Precision
    network: str = ""
    task: Task = "train"
    channels_last: bool = False
    ratio: float
    cases: tuple[str, ...] = ()
    settings: dict[str, str | Whole | float | bool] = {}
    steps: tuple[tuple[float, float], ...] = ()
    sigma: float = 0.0
    memory_bytes: float | None = None


class WorkClasses(Record, frozen=True, kw_only=True):
    """What small problems of each class of work took on a device, in one precision.

    Attributes:
        curves: By class and phase, such as ``conv.64.forward``: pairs (FLOP or bytes, seconds).
        case: Id of the measured case.
    """

    precision: Precision
    curves: dict[str, tuple[tuple[float, float], ...]]
    case: str


class Calibration(Record, frozen=True, kw_only=True):
    """What measurements, of one computer or of others, say about predictions for it and relatives of its device.

    Attributes:
        device: Name of the measured device.
        vendor, architecture, device_class: Of it; a relative shares the architecture.
        factors: One for each kind of work and precision that was measured.
        classes: One for each precision whose classes of work were measured.
        hands: Other computers that measured; 0: this one did.
        measurements: Of all of those together.
        carries_over: Theirs make predictions for other networks better, too.
    """

    device: str
    vendor: str
    architecture: str
    device_class: str
    factors: tuple[CorrectionFactor, ...] = ()
    classes: tuple[WorkClasses, ...] = ()
    hands: int = 0
    measurements: int = 0
    carries_over: bool = False


CostKind = Literal[
    "purchase",
    "resale",
    "electricity",
    "rent",
    "start",
    "setup",
    "rounding",
    "interruptions",
    "storage",
    "download",
    "failed_tries",
]


class CostPart(Record, frozen=True, kw_only=True):
    """One of the sums a cost consists of: a fixed amount and one for each run, kept between two ends.

    Attributes:
        kind: ``purchase``, less what ``resale`` brings; ``electricity``; ``rent`` while a run computes, and ``start``,
            ``setup``, ``rounding`` (to whole units of billing), ``interruptions`` (what is computed again) beside it;
            ``storage`` and ``download`` of data at a provider; ``failed_tries``.
        fixed_usd: Whatever the number of runs; below zero for what comes back, or is free.
        run_usd: For each run.
        least_usd, most_usd: Of the whole part; None: no such end.
        quantity: What one run takes of what is paid: kWh, hours, GB that are kept or fetched; of ``resale`` the share
            of the price, of ``failed_tries`` their number; 0 where a report of before did not say.
        unit_usd: Price of one of these; of ``storage`` for a month, of ``resale`` the price once paid.
    """

    kind: CostKind
    fixed_usd: Balance = 0.0
    run_usd: Amount = 0.0
    least_usd: Amount | None = None
    most_usd: Amount | None = None
    quantity: Amount = 0.0
    unit_usd: Amount = 0.0

    def usd(self, runs: float) -> float:
        """Return the part for so many runs."""
        found = self.fixed_usd + self.run_usd * runs
        if self.least_usd is not None:
            found = max(found, self.least_usd)
        return found if self.most_usd is None else min(found, self.most_usd)


class Cost(Record, frozen=True, kw_only=True):
    """What one way to get the job done costs, in US dollars.

    Attributes:
        purchase_usd: Paid once; 0 for what is owned or rented.
        run_usd: For each run: electricity, or all that is paid to a provider, storage at so many runs included; None
            where nobody knows what the computer draws.
        horizon_usd: Purchase, all runs over the horizon and the storage of rented machines, less what resale brings.
        energy_j: Electricity of one run, whole computer; None where unknown.
        co2_g: Of that electricity; None where it or the country's figure is unknown.
        device_months: Device time of one run.
        parts: What ``horizon_usd`` consists of; empty where that is unknown.
    """

    purchase_usd: float
    run_usd: float | None
    horizon_usd: float | None
    energy_j: float | None
    co2_g: float | None
    device_months: float
    parts: tuple[CostPart, ...] = ()


class Prediction(Record, frozen=True, kw_only=True):
    """One workload on one kind of device.

    Attributes:
        device: Catalogue name of the device, or ``this computer: …`` name of the probed one.
        device_count: Devices working together.
        batch_size: Per device.
        tf32_convolutions: Whether convolutions in fp32 run in TF32, as PyTorch lets them by default where a card can.
        accumulation_steps: Parts a step is cut into so that it fits.
        shards: Devices that share weights and optimizer states, or the layers of a network that is applied; 1: each
            device holds all of it.
        time_per_step_s: Of one optimizer step, input pipeline included.
        interval: Of ``time_per_step_s``, 80 %.
        fed_interval: What ``interval`` would be if samples arrived as the best guess says: how they are loaded can be
            changed, and would be the same on every device. None where nothing is loaded.
        validation_step_s: Of looking at one batch without learning from it; None where the job has none of that.
        validation_interval: Of ``validation_step_s``.
        samples_per_s: Of all devices together.
        scaling_efficiency_ratio: Share of the ideal speed of ``device_count`` devices that is reached.
        exchange_basis: What the exchange between devices rests on; None where there is one device.
        limit: What holds it back.
        parts: Where the time of a step goes.
        memory_bytes: Peak on one device, the whole of ``memory``.
        memory: None for classical ML.
        confidence: ``good`` up to ±15 %, ``fair`` up to ±30 %, else ``rough``.
        basis: What the time rests on.
        basis_detail: Case ids it was calibrated with, or the data set it was fitted on; where it is ``modelled``, cases
            that were left aside because others had the processor.
    """

    device: str
    device_count: int = 1
    network: str
    task: Task
    batch_size: int
    precision: Precision
    optimizer: Optimizer
    tf32_convolutions: bool = False
    accumulation_steps: int = 1
    shards: int = 1
    time_per_step_s: Duration
    interval: Interval
    fed_interval: Interval | None = None
    validation_step_s: Duration | None = None
    validation_interval: Interval | None = None
    samples_per_s: Amount
    scaling_efficiency_ratio: float = 1.0
    exchange_basis: Basis | None = None
    limit: Limit = "unknown"
    parts: tuple[TimePart, ...] = ()
    memory_bytes: Amount | None = None
    memory: MemoryEstimate | None = None
    confidence: Confidence
    basis: Basis
    basis_detail: tuple[str, ...] = ()


_BY_PROCESSOR = ("launch", "input")
"""Parts of a step on a card that the processor does."""


def processor_ratio(prediction: Prediction, *, on_card: bool) -> float:
    """Return which share of a step's time the processor decides: all of it, unless it is computed on a card."""
    if not on_card:
        return 1.0
    total_s = sum(part.time_s for part in prediction.parts)
    decided_s = sum(part.time_s for part in prediction.parts if part.name in _BY_PROCESSOR)
    return decided_s / total_s if total_s > 0 else 0.0


def off_ratio(guess: float, interval: Interval) -> float:
    """Return by which share of its best guess a number may be off, on the wider side; infinite where it may be nothing.

    That of the ends as they are read beside it: 13 and 18 hours are 13 % and 20 % off 15 hours.
    """
    if guess <= 0 or interval.low <= 0:
        return math.inf
    return max(interval.high / guess - 1.0, 1.0 - interval.low / guess)


def confidence_of(guess: float, interval: Interval) -> Confidence:
    """Return the word for how wide the interval around a number is: the one rule for it."""
    off = round(off_ratio(guess, interval), 9)  # 1.15 - 1 is a little more than 0.15
    return "good" if off <= GOOD_RATIO else "fair" if off <= FAIR_RATIO else "rough"
