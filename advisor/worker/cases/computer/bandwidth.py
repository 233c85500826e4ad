"""How fast memory is read and written, by two of the loops of the STREAM benchmark.

Bytes are counted as STREAM counts them: 2 arrays for the copy, 3 for the triad. A processor that must read a line
before it writes it moves half as much again, or a third, unseen.

Source: McCalpin, Memory Bandwidth and Machine Balance in Current High Performance Computers, 1995.
"""

import statistics
from collections.abc import Callable

import torch

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case
from advisor.worker.failure import NotSupportedError
from advisor.worker.memory import PeakMemory
from advisor.worker.memory_guard import require_room
from advisor.worker.timing import Progress, time_iterations
from advisor.worker.torch_settings import dtype_of

ARRAYS = {"copy": 2, "triad": 3}


def run_bandwidth(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Time ``a = b`` (option ``loop``: ``copy``) or ``a = b + s * c`` (``triad``) on ``case.size`` numbers."""
    require_room(case, device)
    peak = PeakMemory(device)
    loop = str(case.options.get("loop", "copy"))
    iteration = _iteration(loop, case, device)
    timing = time_iterations(iteration, device, case, progress)
    moved_bytes = ARRAYS[loop] * case.size * dtype_of(case).itemsize
    return CaseResult(
        case_id=case.id,
        samples_s=timing.samples_s,
        iterations_per_sample=timing.iterations_per_sample,
        peak_memory_bytes=peak.peak_bytes(),
        details={"bytes_per_s": moved_bytes / statistics.median(timing.samples_s)},
    )


def _iteration(loop: str, case: Case, device: torch.device) -> Callable[[], object]:
    if loop not in ARRAYS:
        raise NotSupportedError(f"This worker knows no loop '{loop}' over memory.")
    # Written once, so that every page exists. What the numbers are does not matter, and random ones would take longer
    # to make than all samples together.
    target, source, *further = (
        torch.full((case.size,), 1.0 + number, device=device, dtype=dtype_of(case)) for number in range(ARRAYS[loop])
    )
    if loop == "copy":
        return lambda: target.copy_(source)
    return lambda: torch.add(source, further[0], alpha=3.0, out=target)
