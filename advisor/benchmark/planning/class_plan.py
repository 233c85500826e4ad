"""The cases that measure small problems of each class of work, so that any question can be answered later. Pure."""

from collections.abc import Iterator, Sequence

from advisor.benchmark.planning.job_plan import autocast_of
from advisor.records.base import Precision
from advisor.records.channel import WorkerDevice
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import CLASSES_PROGRAM, Case

PROCESSOR_S, ACCELERATOR_S = 5.0, 3.0
"""Time for one precision; what is not reached by then was not measured."""
_SAMPLE_S = 0.005
_MOST_DEVICES = 2
_SHORT: tuple[Precision, ...] = ("amp", "bf16", "fp16")


def class_cases(workload: Workload, devices: Sequence[WorkerDevice], threads: int | None) -> Iterator[Case]:
    """Yield the classes of work of the processor and the first accelerator, in fp32 and in one short format.

    Args:
        workload: What is asked; its format is measured even where the device has no units for it.
        devices: What the worker can use, the processor first.
        threads: Of torch on the processor; None leaves it to torch.
    """
    for device in devices[:_MOST_DEVICES]:
        is_processor = device.name == "cpu"
        budget_s = PROCESSOR_S if is_processor else ACCELERATOR_S
        for precision in _formats(workload, device, is_alone=len(devices) == 1):
            yield Case(
                id=f"{CLASSES_PROGRAM}/{precision}/{device.name}",
                program=CLASSES_PROGRAM,
                device=device.name,
                precision=precision,
                threads=threads if is_processor else None,
                sample_s=_SAMPLE_S,
                budget_s=budget_s,
                timeout_s=30.0 + 10 * budget_s,
            )


def _formats(workload: Workload, device: WorkerDevice, *, is_alone: bool) -> tuple[Precision, ...]:
    asked = workload.precision
    short = asked if asked in ("bf16", "fp16") and (device.name == "cpu" or asked in device.precisions) else None
    # A processor beside an accelerator is not what somebody would compute in short formats with.
    is_wanted = is_alone or device.name != "cpu" or asked in _SHORT
    found = short or (autocast_of(device) if is_wanted else None)
    return ("fp32",) if found is None else ("fp32", found)
