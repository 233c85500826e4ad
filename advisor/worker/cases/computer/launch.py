"""What starting one operation costs, however small it is: the time that bounds networks of many small operations."""

import statistics

import torch

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case
from advisor.worker.cases.infer import single_calls
from advisor.worker.timing import Progress, block_timer, time_iterations
from advisor.worker.torch_settings import dtype_of

_ROUND_TRIPS_S = 0.2


def run_launch(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Time the addition to a single number: one after another without waiting, then waiting for each.

    The samples are the seconds between launches that follow each other; ``round_trip_s`` includes the wait.
    """
    number = torch.zeros(1, device=device, dtype=dtype_of(case))
    timing = time_iterations(lambda: number.add_(1), device, case, progress)
    trips_s = single_calls(block_timer(lambda: number.add_(1).item(), device), _ROUND_TRIPS_S, progress)
    return CaseResult(
        case_id=case.id,
        samples_s=timing.samples_s,
        iterations_per_sample=timing.iterations_per_sample,
        details={"round_trip_s": statistics.median(trips_s)},
    )
