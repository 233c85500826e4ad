"""Time an iteration honestly: warm up until it is steady, then take samples of many iterations each.

The device is waited for at the ends of a sample only, so that launching and computing overlap as they do in a real
program.
"""

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch

from advisor.records.results.measured.measurement import Case
from advisor.worker.resource_usage import Usage, mean_usage, usage, used_since

STEADY_RATIO = 0.05
"""Warm-up ends when two blocks in a row differ by less than this; more samples are taken while they scatter more."""
WARM_UP_RATIO = 0.3
"""Warm-up ends at this share of the case's time even when it is not steady."""
SLOW_START_RATIO = 0.15
"""Samples whose first half is slower by more than this than their second were taken before the case had settled."""
FEWEST_OF_HALF = 3
SHORTEST_S = 1e-7
"""What a clock that did not advance is taken for; shorter than any kernel."""


class Progress(Protocol):
    """Where a running case reports to."""

    def sampled(self, sample_s: float) -> None:
        """Report a sample; raises AbandonedError when the case is no longer wanted."""

    def check(self) -> None:
        """Raise AbandonedError when the case is no longer wanted."""


@dataclass(frozen=True, kw_only=True)
class Timing:
    """Seconds per iteration of each sample, iterations in a sample, and iterations before the first one.

    Attributes:
        used: What this process used for an iteration after the warm-up; None where the system does not tell.
    """

    samples_s: tuple[float, ...]
    iterations_per_sample: int
    warm_up_iterations: int
    used: Usage | None = None


def together(timings: Sequence[Timing]) -> Timing:
    """Return the samples of all; they are of as many iterations, within a rounding, as those of the first."""
    return Timing(
        samples_s=tuple(sample for timing in timings for sample in timing.samples_s),
        iterations_per_sample=timings[0].iterations_per_sample,
        warm_up_iterations=sum(timing.warm_up_iterations for timing in timings),
        used=mean_usage([timing.used for timing in timings]),
    )


Block = Callable[[int], float]
"""Runs so many iterations and returns the seconds one of them took."""


def time_iterations(iteration: Callable[[], object], device: torch.device, case: Case, progress: Progress) -> Timing:
    """Return samples of about ``case.sample_s`` each, taken after a warm-up.

    There are ``case.min_samples`` of them, and more while they scatter and time is left in ``case.budget_s``. Option
    ``fewest_samples`` lets a case that has used up its budget stop with fewer. What turns out to be a slow start, as of
    a virtual machine that has not been given its memory yet, is counted as warm-up.

    Args:
        iteration: Starts one iteration; need not wait for the device.
        device: Where it runs.
        case: Says how many samples of what length are wanted.
        progress: Hears of each sample.
    """
    return time_blocks(block_timer(iteration, device), case, progress)


def time_blocks(block: Block, case: Case, progress: Progress) -> Timing:
    """Return samples as ``time_iterations`` does, of iterations that ``block`` runs and times."""
    deadline_s = time.perf_counter() + case.budget_s
    iteration_s, warm_up_iterations = warm_up(block, case, progress)
    count = iterations_for(case.sample_s, iteration_s)
    samples, before = list[float](), usage()
    while _wants_more(samples, case, time.perf_counter() - deadline_s):
        samples.append(block(count))
        progress.sampled(samples[-1])
    used = used_since(before)
    settled = samples[slow_start(samples) :]
    warm_up_iterations += count * (len(samples) - len(settled))
    return Timing(
        samples_s=tuple(settled),
        iterations_per_sample=count,
        warm_up_iterations=warm_up_iterations,
        used=None if used is None else used.over(count * len(samples)),
    )


def _wants_more(samples: Sequence[float], case: Case, late_s: float) -> bool:
    """Return whether a further sample is worth its time, so long after the case's budget (before it: negative)."""
    if len(samples) < case.min_samples:
        # A machine much slower than planned for may stop with fewer, where the plan allows that (``fewest_samples``).
        fewest = int(case.options.get("fewest_samples", case.min_samples))
        return len(samples) < fewest or late_s < 0
    settled = samples[slow_start(samples) :]
    return (scatters(settled) or len(settled) < case.min_samples) and late_s < 0


def slow_start(samples: Sequence[float]) -> int:
    """Return how many samples at the beginning are slower than the rest: half of them, or none."""
    half = len(samples) // 2
    if half < FEWEST_OF_HALF:
        return 0
    is_slower = statistics.median(samples[:half]) > (1 + SLOW_START_RATIO) * statistics.median(samples[half:])
    return half if is_slower else 0


def scatters(samples: Sequence[float]) -> bool:
    """Return whether the interquartile range exceeds ``STEADY_RATIO`` of the median."""
    if len(samples) < 2:
        return False
    first, median, third = statistics.quantiles(samples, n=4, method="inclusive")
    return third - first > STEADY_RATIO * median


def iterations_for(aim_s: float, iteration_s: float) -> int:
    """Return how many iterations take about ``aim_s``; at least one."""
    return max(1, round(aim_s / iteration_s))


def warm_up(block: Block, case: Case, progress: Progress) -> tuple[float, int]:
    """Run until two blocks in a row take the same time; return (seconds per iteration, iterations run).

    The first iteration is not compared: it touches the memory, chooses kernels and starts threads. Where it takes all
    the time that a warm-up has, it is enough: what comes first is then little beside the rest.
    """
    deadline_s = time.perf_counter() + case.budget_s * WARM_UP_RATIO
    previous_s, done, count = block(1), 1, 1
    if time.perf_counter() > deadline_s:
        return previous_s, done
    while True:
        progress.check()
        current_s = block(count)
        done += count
        is_steady = abs(current_s - previous_s) <= STEADY_RATIO * current_s
        if is_steady or time.perf_counter() + current_s * count > deadline_s:
            return current_s, done
        previous_s, count = current_s, iterations_for(case.sample_s / 2, current_s)


def block_timer(iteration: Callable[[], object], device: torch.device) -> Block:
    """Return a function that times blocks of iterations with the best clock of the device.

    CUDA and XPU have events, timed on the device itself; elsewhere the host's clock is read after waiting for it.
    """
    if device.type in {"cuda", "xpu"}:
        return _event_timer(iteration, torch.cuda if device.type == "cuda" else torch.xpu)
    wait = torch.mps.synchronize if device.type == "mps" else _nothing_to_wait_for
    return _host_timer(iteration, wait)


def _event_timer(iteration: Callable[[], object], backend: Any) -> Block:
    start = backend.Event(enable_timing=True)
    end = backend.Event(enable_timing=True)

    def block(count: int) -> float:
        backend.synchronize()
        start.record()
        for _ in range(count):
            iteration()
        end.record()
        end.synchronize()
        return max(float(start.elapsed_time(end)) / 1e3, SHORTEST_S) / count

    return block


def _host_timer(iteration: Callable[[], object], wait: Callable[[], None]) -> Block:
    def block(count: int) -> float:
        wait()
        start_s = time.perf_counter()
        for _ in range(count):
            iteration()
        wait()
        return max(time.perf_counter() - start_s, SHORTEST_S) / count

    return block


def _nothing_to_wait_for() -> None:
    """The processor has computed when the call returns."""
