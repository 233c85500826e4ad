"""The programs the plan can ask for, by name; each is a function from a case to its raw result."""

from collections.abc import Callable

import torch

from advisor.records.channel import CaseResult
from advisor.records.measurement import Case
from advisor.worker.cases.matmul import run_matmul
from advisor.worker.cases.train import run_train
from advisor.worker.failure import NotSupportedError
from advisor.worker.timing import Progress

Program = Callable[[Case, torch.device, Progress], CaseResult]

PROGRAMS: dict[str, Program] = {
    "matmul": run_matmul,
    "train": run_train,
}


def program_of(case: Case) -> Program:
    """Return the program of a case.

    Raises:
        NotSupportedError: This worker has no such program.
    """
    try:
        return PROGRAMS[case.program]
    except KeyError:
        raise NotSupportedError(f"This worker has no program '{case.program}'.") from None
