"""Work on for a minute: what a device does when it has become warm, which short measurements do not show."""

import statistics
import time
from collections.abc import Callable, Sequence

import torch

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case, Series
from advisor.worker.cases.computer.matmul import product_step
from advisor.worker.cases.train import training_step
from advisor.worker.failure import NotSupportedError
from advisor.worker.memory import PeakMemory
from advisor.worker.networks import network_named
from advisor.worker.timing import Progress, block_timer, iterations_for
from advisor.worker.torch_settings import dtype_of

WINDOW_S = 1.0
ENDS_RATIO = 0.1
"""The first and the last part that are compared."""
_SETTLING = 2
"""Windows before the first that counts: kernels are chosen and clocks rise."""
_MOST_POINTS = 2000


def run_sustained(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Run a product or training steps (option ``work``: ``matmul``, ``train``) for option ``duration_s`` seconds.

    There is a sample for each second or iteration, whichever is longer. ``lost_ratio`` is what the last tenth is slower
    than the first.
    """
    duration_s = float(case.options.get("duration_s", 60.0))
    peak = PeakMemory(device)
    work = str(case.options.get("work", "train"))
    block = block_timer(_step(work, case, device), device)
    block(1)
    count = iterations_for(min(WINDOW_S, duration_s / 10), block(1))
    started_s = time.perf_counter()
    samples_s: list[float] = []
    times_s: list[float] = []
    while time.perf_counter() - started_s < duration_s and len(samples_s) < _MOST_POINTS:
        samples_s.append(block(count))
        times_s.append(time.perf_counter() - started_s)
        progress.sampled(samples_s[-1])
    amount = 2.0 * case.size**3 if work == "matmul" else float(case.batch_size)
    rates = tuple((at_s, amount / sample_s) for at_s, sample_s in zip(times_s, samples_s, strict=True))
    return CaseResult(
        case_id=case.id,
        samples_s=tuple(samples_s),
        iterations_per_sample=count,
        items_per_iteration=case.batch_size,
        peak_memory_bytes=peak.peak_bytes(),
        details=loss(samples_s) | {"run_s": times_s[-1]},
        series=(Series(x="time_s", y="flop_per_s" if work == "matmul" else "items_per_s", points=rates),),
    )


def _step(work: str, case: Case, device: torch.device) -> Callable[[], object]:
    if work == "matmul":
        return product_step(case, device)
    if work != "train":
        raise NotSupportedError(f"This worker knows no sustained work '{work}'.")
    network = network_named(case.network)
    return training_step(case, network, network.build().to(device=device, dtype=dtype_of(case)), device)


def loss(samples_s: Sequence[float]) -> dict[str, float]:
    """Return how much slower the end is than the beginning; empty where there are too few samples to tell."""
    settled = samples_s[_SETTLING:]
    count = max(1, round(len(settled) * ENDS_RATIO))
    if len(settled) < 2 * count:
        return {}
    first_s, last_s = statistics.median(settled[:count]), statistics.median(settled[-count:])
    return {"first_s": first_s, "last_s": last_s, "lost_ratio": 1.0 - first_s / last_s}
