"""The programs the plan can ask for, by name; each is a function from a case to its raw result."""

from collections.abc import Callable
from functools import partial

import torch

from advisor.records.channel import CaseResult
from advisor.records.job.asked_job import FED_PROGRAM, JOB_PROGRAM, AskedJob
from advisor.records.results.measured.measurement import CLASSES_PROGRAM, DECODE_PROGRAM, Case
from advisor.worker.cases.computer.bandwidth import run_bandwidth
from advisor.worker.cases.computer.disk import run_disk
from advisor.worker.cases.computer.launch import run_launch
from advisor.worker.cases.computer.matmul import run_matmul
from advisor.worker.cases.computer.sustained import run_sustained
from advisor.worker.cases.computer.threads import run_threads
from advisor.worker.cases.computer.transfer import run_transfer
from advisor.worker.cases.decode import run_decode
from advisor.worker.cases.infer import run_infer
from advisor.worker.cases.kept_memory import run_kept_memory
from advisor.worker.cases.profile import run_profile
from advisor.worker.cases.sweep import run_sweep
from advisor.worker.cases.train import run_train
from advisor.worker.cases.work_classes import run_work_classes
from advisor.worker.cases.xla import run_xla_matmul, run_xla_train
from advisor.worker.data.input import run_input
from advisor.worker.data.loading import run_data
from advisor.worker.failure import NotSupportedError
from advisor.worker.timing import Progress

Program = Callable[[Case, torch.device, Progress], CaseResult]

PROGRAMS: dict[str, Program] = {
    "bandwidth": run_bandwidth,
    "data": run_data,
    DECODE_PROGRAM: run_decode,
    "disk": run_disk,
    "infer": run_infer,
    "input": run_input,
    "kept_memory": run_kept_memory,
    "launch": run_launch,
    "matmul": run_matmul,
    "profile": run_profile,
    "sustained": run_sustained,
    "sweep": run_sweep,
    "threads": run_threads,
    "train": run_train,
    "transfer": run_transfer,
    CLASSES_PROGRAM: run_work_classes,
    "xla_matmul": run_xla_matmul,
    "xla_train": run_xla_train,
}


def program_of(case: Case, job: AskedJob | None = None, *, is_fresh: bool = False) -> Program:
    """Return the program of a case; the user's own job comes with it.

    Args:
        case: Names the program.
        job: What was asked.
        is_fresh: Nothing was computed in this process yet, so that the job may be measured in others forked from it.

    Raises:
        NotSupportedError: This worker has no such program.
    """
    if job is not None and case.program in (JOB_PROGRAM, FED_PROGRAM):
        return partial(_program_of_job(case.program, job, is_fresh=is_fresh), job=job)
    try:
        return PROGRAMS[case.program]
    except KeyError:
        raise NotSupportedError(f"This worker has no program '{case.program}'.") from None


def _program_of_job(program: str, job: AskedJob, *, is_fresh: bool) -> Callable[..., CaseResult]:
    """Return what measures the user's own job; it uses parts of the other programs, and so comes after them."""
    if program == FED_PROGRAM:
        from advisor.worker.data.fed import run_fed

        return run_fed
    if job.network.family == "classical":
        from advisor.worker.job.boosting import run_boosting

        return run_boosting
    from advisor.worker.job.step import run_job

    return partial(run_job, is_fresh=is_fresh)
