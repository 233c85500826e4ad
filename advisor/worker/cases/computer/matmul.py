"""Product of two square matrices: the operation that most of training comes down to."""

from collections.abc import Callable

import torch

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case
from advisor.worker.memory import PeakMemory
from advisor.worker.timing import Progress, time_iterations
from advisor.worker.torch_settings import dtype_of


def run_matmul(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Time ``left @ right`` of edge ``case.size`` into a matrix that exists already.

    The elements are random: zeros or constants let a device run cooler and faster than real data.
    """
    peak = PeakMemory(device)
    timing = time_iterations(product_step(case, device), device, case, progress)
    return CaseResult(
        case_id=case.id,
        samples_s=timing.samples_s,
        iterations_per_sample=timing.iterations_per_sample,
        peak_memory_bytes=peak.peak_bytes(),
        details={"warm_up_iterations": float(timing.warm_up_iterations)},
    )


def product_step(case: Case, device: torch.device) -> Callable[[], torch.Tensor]:
    """Return a function that computes one product; the matrices are made beforehand."""
    shape = (case.size, case.size)
    left = torch.randn(shape, device=device).to(dtype_of(case))
    right = torch.randn(shape, device=device).to(dtype_of(case))
    product = torch.empty(shape, device=device, dtype=dtype_of(case))
    return lambda: torch.mm(left, right, out=product)
