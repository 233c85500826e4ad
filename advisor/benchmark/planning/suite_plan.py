"""Which cases a suite has on this machine, in which order, with how much time for each. Pure.

Each device gets its fp32 curve, the training step, then the shorter formats. The processor comes first: it is always
there, and an accelerator is compared with it.
"""

import math
from collections.abc import Iterator

from advisor.benchmark.planning.case_work import ELEMENT_BYTES, adam_bytes, matmul_bytes, matmul_flop, train_flop
from advisor.benchmark.planning.class_plan import class_cases
from advisor.benchmark.planning.full_plan import MOST_LOADERS, Place, further_cases, part_cases, xla_cases
from advisor.benchmark.planning.job_plan import job_cases
from advisor.records.base import Precision, Record
from advisor.records.channel import Ready, WorkerDevice
from advisor.records.hardware.machine import Machine
from advisor.records.job.asked_job import AskedJob
from advisor.records.results.measured.measurement import Case, Suite

CNN_BATCH = 32
"""The article's."""
MATRICES_RATIO = 0.25
"""Three matrices may take this share of the memory that is free."""
LARGE_EDGE = 4096
"""From this edge on a product may fill a whole sample and gets more time."""


class Effort(Record, frozen=True, kw_only=True):
    """How much of a device is measured, and how long that may take.

    Attributes:
        curve: Matrix edges in fp32.
        short_curve: Matrix edges in the other formats.
        precisions: Formats besides fp32, measured where the device has them.
        trained: (network, precision) of the training cases.
        sample_s: Length of a sample.
        product_s: Time for one product, ``large_product_s`` for one from ``LARGE_EDGE`` on.
        train_s: Time for a training case.
    """

    curve: tuple[int, ...]
    short_curve: tuple[int, ...]
    precisions: tuple[Precision, ...]
    trained: tuple[tuple[str, Precision], ...]
    sample_s: float
    product_s: float
    large_product_s: float
    train_s: float


_ARTICLE = ("article_cnn", "simple_cnn")

QUICK_CPU_ALONE = Effort(
    curve=(128, 256, 512, 1024, 2048, 4096),
    short_curve=(512, 1024, 2048, 4096),
    precisions=("bf16", "fp16"),
    trained=(("article_cnn", "fp32"),),
    sample_s=0.1,
    product_s=1.3,
    large_product_s=8.0,
    train_s=9.0,
)
QUICK_CPU_BESIDE = Effort(
    curve=(128, 512, 2048, 4096),
    short_curve=(),
    precisions=(),
    trained=(("article_cnn", "fp32"),),
    sample_s=0.05,
    product_s=0.7,
    large_product_s=3.0,
    train_s=9.0,
)
QUICK_ACCELERATOR = Effort(
    curve=(128, 256, 512, 1024, 2048, 4096, 8192, 16384),
    short_curve=(1024, 4096, 8192, 16384),
    precisions=("tf32", "fp16", "bf16"),
    trained=(("article_cnn", "fp32"), ("article_cnn", "tf32"), ("article_cnn", "amp")),
    sample_s=0.05,
    product_s=0.6,
    large_product_s=1.2,
    train_s=1.5,
)
QUICK_FURTHER_ACCELERATOR = Effort(
    curve=(4096,),
    short_curve=(),
    precisions=(),
    trained=(("article_cnn", "fp32"),),
    sample_s=0.05,
    product_s=0.6,
    large_product_s=1.2,
    train_s=1.5,
)
FULL_CPU = Effort(
    curve=(128, 256, 512, 1024, 2048, 4096, 8192),
    short_curve=(128, 256, 512, 1024, 2048, 4096),
    precisions=("bf16", "fp16", "fp64"),
    trained=tuple((network, precision) for network in _ARTICLE for precision in ("fp32", "amp")),
    sample_s=0.1,
    product_s=2.0,
    large_product_s=20.0,
    train_s=18.0,
)
FULL_ACCELERATOR = Effort(
    curve=(128, 256, 512, 1024, 2048, 4096, 8192, 16384),
    short_curve=(128, 256, 512, 1024, 2048, 4096, 8192, 16384),
    precisions=("tf32", "fp16", "bf16", "fp64"),
    trained=tuple((network, precision) for network in _ARTICLE for precision in ("fp32", "tf32", "amp")),
    sample_s=0.1,
    product_s=1.5,
    large_product_s=6.0,
    train_s=4.0,
)


_EVERY_PRECISION: tuple[Precision, ...] = ("fp32", "tf32", "fp16", "bf16", "fp64")


def plan_suite(suite: Suite, machine: Machine, ready: Ready, job: AskedJob | None = None) -> tuple[Case, ...]:
    """Return the cases of a suite: the job that was asked first, then what all computers are measured by.

    Args:
        suite: ``none`` has no cases.
        machine: What the probe found; memory and usable cores bound the cases.
        ready: What the worker can use. Without torch the processor's cases are planned all the same, so that the report
            can say of each why it is missing.
        job: What the user asked about; None: no job is measured.
    """
    if suite == "none":
        return ()
    devices = ready.devices or (WorkerDevice(name="cpu", precisions=("fp32",)),)
    cases: list[Case] = []
    if job is not None:
        threads = torch_threads(devices[0], machine, ready)
        cases += job_cases(job, devices, threads)
        cases += class_cases(job.workload, devices, threads)
    for position, device in enumerate(devices):
        effort = _effort(suite, device, position, has_accelerator=len(devices) > 1)
        cases += _cases_of(device, effort, _free_bytes(device, machine), torch_threads(device, machine, ready))
    if suite == "full":
        for device in devices[:2]:
            cases += further_cases(_place(device, machine, ready, is_alone=len(devices) == 1))
        for device in devices[2:]:
            cases += part_cases(_place(device, machine, ready, is_alone=False))
        cases += xla_cases()
    return tuple(cases)


def _place(device: WorkerDevice, machine: Machine, ready: Ready, *, is_alone: bool) -> Place:
    """Return where the full suite's own cases of a device run."""
    return Place(
        device=device,
        free_bytes=_free_bytes(device, machine),
        cores=max(1, math.floor(machine.host.cpu.usable_cores)),
        threads=torch_threads(device, machine, ready),
        caches_bytes=sum(machine.host.cpu.caches_bytes.values()),
        is_alone=is_alone,
    )


def suite_cases() -> tuple[Case, ...]:
    """Return every case there is: those of the full suite on a processor and an accelerator that have every format."""
    processor = WorkerDevice(name="cpu", precisions=_EVERY_PRECISION)
    accelerator = WorkerDevice(name="cuda:0", precisions=_EVERY_PRECISION)
    return (
        *_cases_of(processor, FULL_CPU, math.inf, None),
        *_cases_of(accelerator, FULL_ACCELERATOR, math.inf, None),
        *further_cases(Place(device=processor, free_bytes=math.inf, cores=MOST_LOADERS)),
        *further_cases(Place(device=accelerator, free_bytes=math.inf, cores=MOST_LOADERS)),
        *xla_cases(),
    )


def _effort(suite: Suite, device: WorkerDevice, position: int, *, has_accelerator: bool) -> Effort:
    """Return the effort for a device; the long cases run on the first accelerator only."""
    if device.name == "cpu":
        return FULL_CPU if suite == "full" else QUICK_CPU_BESIDE if has_accelerator else QUICK_CPU_ALONE
    if suite == "full":
        return FULL_ACCELERATOR if position == 1 else QUICK_ACCELERATOR
    return QUICK_ACCELERATOR if position == 1 else QUICK_FURTHER_ACCELERATOR


def _cases_of(device: WorkerDevice, effort: Effort, free_bytes: float, threads: int | None) -> Iterator[Case]:
    for edge in effort.curve:
        if _fits(edge, "fp32", free_bytes):
            yield matmul_case(device.name, "fp32", edge, effort, threads)
    for network, precision in effort.trained:
        short = autocast_format(device) if precision == "amp" else None
        if precision in device.precisions or short is not None:
            yield train_case(device.name, network, precision, effort, threads=threads, autocast=short)
    for precision in effort.precisions:
        if precision in device.precisions:
            for edge in effort.short_curve:
                if _fits(edge, precision, free_bytes):
                    yield matmul_case(device.name, precision, edge, effort, threads)


def matmul_case(device: str, precision: Precision, edge: int, effort: Effort, threads: int | None = None) -> Case:
    """Return the case of a product of two square matrices."""
    budget_s = effort.large_product_s if edge >= LARGE_EDGE else effort.product_s
    return Case(
        id=f"matmul/{precision}/{edge}/{device}",
        program="matmul",
        device=device,
        precision=precision,
        size=edge,
        threads=threads,
        flop_per_iteration=matmul_flop(edge),
        bytes_per_iteration=matmul_bytes(edge, precision),
        sample_s=effort.sample_s,
        budget_s=budget_s,
        timeout_s=30.0 + 10 * budget_s,
    )


def train_case(
    device: str,
    network: str,
    precision: Precision,
    effort: Effort,
    *,
    threads: int | None = None,
    autocast: Precision | None = None,
) -> Case:
    """Return the case of a training step with Adam; ``autocast`` is the short format of automatic mixed precision."""
    return Case(
        id=f"train/{network}/{precision}/{CNN_BATCH}/{device}",
        program="train",
        device=device,
        precision=precision,
        network=network,
        batch_size=CNN_BATCH,
        threads=threads,
        flop_per_iteration=train_flop(network, CNN_BATCH),
        bytes_per_iteration=adam_bytes(network),
        sample_s=effort.sample_s,
        budget_s=effort.train_s,
        timeout_s=120.0 + 10 * effort.train_s,
        options={"autocast": autocast} if autocast else {},
    )


def autocast_format(device: WorkerDevice) -> Precision | None:
    """Return the format automatic mixed precision should use: bf16 needs no loss scaling, so it comes first."""
    return next((precision for precision in ("bf16", "fp16") if precision in device.precisions), None)


def _fits(edge: int, precision: Precision, free_bytes: float) -> bool:
    return 3 * edge**2 * ELEMENT_BYTES[precision] <= MATRICES_RATIO * free_bytes


def _free_bytes(device: WorkerDevice, machine: Machine) -> float:
    """Return the memory cases may count on; a device that does not say gets every case and may refuse it."""
    if device.name == "cpu":
        memory = machine.host.memory
        return min(memory.available_bytes, memory.limit_bytes)
    return math.inf if device.memory_bytes is None else device.free_bytes or device.memory_bytes


def torch_threads(device: WorkerDevice, machine: Machine, ready: Ready) -> int | None:
    """Return fewer threads than torch would start where a container grants fewer cores; None leaves it to torch."""
    usable = max(1, math.floor(machine.host.cpu.usable_cores))
    usual = int(ready.environment.get("threads", usable))
    return usable if device.name == "cpu" and usable < usual else None
