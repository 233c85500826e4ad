"""The cases that measure the job the user asked about: one on each device that can do it, first of all. Pure."""

from collections.abc import Iterator, Sequence

from advisor.records.base import Precision
from advisor.records.channel import WorkerDevice
from advisor.records.job.asked_job import JOB_PROGRAM, AskedJob, step_flop, step_settings
from advisor.records.results.measured.measurement import Case

PROCESSOR_S, BESIDE_S, ACCELERATOR_S = 8.0, 5.0, 4.0
"""Time for the job on a processor alone, on one beside an accelerator, and on an accelerator."""
_START_S = 20.0
"""What building the network may take on top."""
_MOST_DEVICES = 2


def job_cases(job: AskedJob, devices: Sequence[WorkerDevice], threads: int | None) -> Iterator[Case]:
    """Yield the job's case for the processor and for the first accelerator.

    Args:
        job: What was asked; what the worker cannot run is not measured.
        devices: What the worker can use, the processor first.
        threads: Of torch on the processor; None leaves it to torch.
    """
    for device in devices[:_MOST_DEVICES]:
        is_elsewhere = job.network.family == "classical" and device.name != "cpu"
        if is_elsewhere or not _is_plain(job) or not _can(device, job.workload.precision, autocast_of(device)):
            continue
        is_processor = device.name == "cpu"
        alone_s = PROCESSOR_S if len(devices) == 1 else BESIDE_S
        yield _job_case(job, device, alone_s if is_processor else ACCELERATOR_S, threads if is_processor else None)


def _job_case(job: AskedJob, device: WorkerDevice, budget_s: float, threads: int | None) -> Case:
    workload, short = job.workload, autocast_of(device)
    settings = step_settings(workload, job.network)
    if workload.precision == "amp" and short is not None:
        # Emulated formats are several times slower: nobody asks for them without saying so.
        is_emulated = short not in device.precisions
        settings["autocast"] = "" if is_emulated and workload.precision_is_default else short
    return Case(
        id=f"job/{job.network.name}/{workload.precision}/{workload.batch_size}/{device.name}",
        program=JOB_PROGRAM,
        device=device.name,
        precision=workload.precision,
        network=job.network.name,
        batch_size=workload.batch_size,
        threads=threads,
        flop_per_iteration=step_flop(workload, job.network, workload.batch_size),
        sample_s=0.2,
        budget_s=budget_s,
        timeout_s=_START_S + 3 * budget_s,
        options=settings | {"fewest_samples": 1},
    )


def _is_plain(job: AskedJob) -> bool:
    """Return whether the job is a loop that the worker can run.

    A network that is built runs as it is; one that is known by its operations also checkpointed or adapted. Trees are
    grown by a library, on the processor.
    """
    workload = job.workload
    is_built = job.source is not None or bool(workload.layers)
    is_changed = workload.checkpointing or workload.method in ("lora", "qlora")
    return bool(job.network.operations) and not workload.compiled and not (is_built and is_changed)


def _can(device: WorkerDevice, precision: Precision, short: Precision | None) -> bool:
    if device.name == "cpu":
        return precision != "tf32"  # every processor computes the short formats, some of them slowly
    return short is not None if precision == "amp" else precision in device.precisions


def autocast_of(device: WorkerDevice) -> Precision | None:
    """Return the format of automatic mixed precision: bf16 needs no loss scaling, so it comes first."""
    known = ("bf16",) if device.name == "cpu" else device.precisions
    return next((precision for precision in ("bf16", "fp16") if precision in known), None)
