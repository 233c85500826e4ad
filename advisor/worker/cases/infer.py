"""Apply a named network to samples that already lie on the device, and tell how the times of single calls spread."""

import statistics
import time
from collections.abc import Callable

import msgspec
import torch

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case
from advisor.worker.cases.train import arrange
from advisor.worker.memory import PeakMemory
from advisor.worker.memory_guard import require_room
from advisor.worker.networks import network_named
from advisor.worker.timing import Block, Progress, block_timer, time_iterations
from advisor.worker.torch_settings import dtype_of

MOST_CALLS = 300
"""Single calls that are timed at most."""
_PERCENTILES = ((50, 1), (95, 20), (99, 100))
"""(percentile, fewest calls that can show it)."""


def run_infer(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Time forward passes of ``case.network`` with ``case.batch_size`` samples.

    The samples give the throughput: calls follow each other as fast as the device takes them. Then calls are waited for
    one by one; their percentiles are in the details, those that enough calls fit into the time for.
    """
    require_room(case, device)
    peak = PeakMemory(device)
    network = network_named(case.network)
    model = arrange(case, network.build().to(device=device, dtype=dtype_of(case)).eval())
    inputs, _targets = network.make_batch(case.batch_size, case.size, device)
    inputs = arrange(case, inputs.to(dtype_of(case))) if inputs.is_floating_point() else inputs
    with torch.inference_mode():
        half = msgspec.structs.replace(case, budget_s=case.budget_s / 2)
        timing = time_iterations(lambda: model(inputs), device, half, progress)
        calls_s = single_calls(block_timer(lambda: model(inputs), device), half.budget_s, progress)
    return CaseResult(
        case_id=case.id,
        samples_s=timing.samples_s,
        iterations_per_sample=timing.iterations_per_sample,
        items_per_iteration=case.batch_size,
        parameters=sum(p.numel() for p in model.parameters()),
        peak_memory_bytes=peak.peak_bytes(),
        details=percentiles(calls_s) | {"warm_up_iterations": float(timing.warm_up_iterations)},
    )


def single_calls(
    block: Block, time_s: float, progress: Progress, now: Callable[[], float] = time.perf_counter
) -> list[float]:
    """Return the seconds of single calls, as many as fit into the time; at least one."""
    deadline_s = now() + time_s
    calls_s = [block(1)]
    while len(calls_s) < MOST_CALLS and now() < deadline_s:
        progress.check()
        calls_s.append(block(1))
    return calls_s


def percentiles(calls_s: list[float]) -> dict[str, float]:
    """Return the percentiles the calls suffice for, and how many calls there were."""
    found = {"calls": float(len(calls_s))}
    if len(calls_s) == 1:
        return found | {"call_p50_s": calls_s[0]}
    cuts = statistics.quantiles(calls_s, n=100, method="inclusive")
    return found | {f"call_p{rank}_s": cuts[rank - 1] for rank, fewest in _PERCENTILES if len(calls_s) >= fewest}
