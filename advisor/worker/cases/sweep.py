"""Train a network with 1, 2, 4, … samples at once up to the memory limit, which is found without running into it.

From the memory of two batches follows that of the next, since it grows in a straight line; a batch that would not fit
is not tried. Where that foresight fails on an accelerator, its refusal is a result like any other. The processor's own
limit stays well below what the system has (``room``).
"""

import statistics
import time
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
import torch

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case, Series
from advisor.worker.cases.train import training_step
from advisor.worker.failure import reason_of
from advisor.worker.memory import PeakMemory, release_memory
from advisor.worker.memory_guard import free_bytes
from advisor.worker.networks import network_named
from advisor.worker.timing import Progress, block_timer, iterations_for

MOST_SAMPLES = 65_536
SUFFICIENT_RATIO = 0.95
"""The best batch is the smallest that reaches this share of the highest rate: a larger one only costs memory."""
_BLOCKS = 2
"""Steps before the samples of a batch: one that chooses kernels, one that tells the duration."""


class Point(NamedTuple):
    """What one batch took."""

    batch_size: int
    samples_s: tuple[float, ...]
    iterations_per_sample: int
    peak_bytes: int | None

    @property
    def step_s(self) -> float:
        """Median duration of a step."""
        return statistics.median(self.samples_s)

    @property
    def items_per_s(self) -> float:
        """Samples trained on per second."""
        return self.batch_size / self.step_s


@dataclass(kw_only=True)
class End:
    """Why no larger batch was tried.

    Attributes:
        unfit_batch: The first that does not fit.
        unfit_bytes: What it would take; None where the device refused it.
        is_late: The time was over.
    """

    unfit_batch: int | None = None
    unfit_bytes: float | None = None
    is_late: bool = False


def run_sweep(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Sweep over batches of ``case.network``; the samples are those of the best batch.

    Options: ``limit_bytes`` to stay below (else what is free), ``most_samples`` in a batch, ``fixed_bytes`` and
    ``bytes_per_sample`` by formula, for systems that do not tell what a case takes.
    """
    limit_bytes = _limit(case, device)
    points, end = _sweep(case, device, progress, limit_bytes)
    if not points:
        raise MemoryError(f"Not even one sample fits into {(limit_bytes or 0) / 1e9:.2f} GB.")
    best = best_point(points)
    known = [(float(p.batch_size), float(p.peak_bytes)) for p in points if p.peak_bytes is not None]
    return CaseResult(
        case_id=case.id,
        samples_s=best.samples_s,
        iterations_per_sample=best.iterations_per_sample,
        items_per_iteration=best.batch_size,
        peak_memory_bytes=max((p.peak_bytes for p in points if p.peak_bytes is not None), default=None),
        details=_details(points, best, end, limit_bytes),
        series=(
            Series(x="batch_size", y="items_per_s", points=tuple((float(p.batch_size), p.items_per_s) for p in points)),
            Series(x="batch_size", y="step_s", points=tuple((float(p.batch_size), p.step_s) for p in points)),
            *((Series(x="batch_size", y="memory_bytes", points=tuple(known)),) if known else ()),
        ),
    )


def _limit(case: Case, device: torch.device) -> float | None:
    limits = [free_bytes(device), case.options.get("limit_bytes")]
    return min((float(limit) for limit in limits if limit is not None), default=None)


def _sweep(case: Case, device: torch.device, progress: Progress, limit_bytes: float | None) -> tuple[list[Point], End]:
    deadline_s = time.perf_counter() + case.budget_s
    # What this process holds anyway is not the network's.
    before_bytes = PeakMemory(device).before_bytes if device.type == "cpu" else 0
    points: list[Point] = []
    batch_size = 1
    while batch_size <= int(case.options.get("most_samples", MOST_SAMPLES)):
        needed_bytes = foreseen_bytes(points, batch_size, case)
        if needed_bytes is not None and limit_bytes is not None and needed_bytes > limit_bytes:
            return points, End(unfit_batch=batch_size, unfit_bytes=needed_bytes)
        if points and time.perf_counter() + foreseen_s(points[-1], case) > deadline_s:
            return points, End(is_late=True)
        progress.check()
        release_memory(case.device)
        try:
            points.append(
                _measure(msgspec.structs.replace(case, batch_size=batch_size), device, before_bytes, progress)
            )
        except (RuntimeError, MemoryError) as error:
            if reason_of(error) != "does_not_fit":
                raise
            return points, End(unfit_batch=batch_size)
        batch_size *= 2
    return points, End()


def _measure(case: Case, device: torch.device, before_bytes: int | None, progress: Progress) -> Point:
    peak = PeakMemory(device)
    network = network_named(case.network)
    step = training_step(case, network, network.build().to(device), device)
    block = block_timer(step, device)
    block(1)
    count = iterations_for(case.sample_s, block(1))
    samples_s = []
    for _sample in range(case.min_samples):
        samples_s.append(block(count))
        progress.sampled(samples_s[-1])
    peak_bytes = peak.peak_bytes()
    taken = None if peak_bytes is None or before_bytes is None else max(0, peak_bytes - before_bytes)
    return Point(case.batch_size, tuple(samples_s), count, taken)


def foreseen_bytes(points: list[Point], batch_size: int, case: Case) -> float | None:
    """Return what a batch will take at most; None where neither two batches nor the plan's formula tell.

    It is on the line through the last two batches. The formula's slope counts where it is steeper: with small batches
    the optimizer sets the peak, and the line is still flat.
    """
    by_formula = float(case.options.get("bytes_per_sample", 0.0))
    known = [(point.batch_size, point.peak_bytes) for point in points if point.peak_bytes is not None]
    if len(known) >= 2:
        (one, one_bytes), (other, other_bytes) = known[-2:]
        slope = max(by_formula, (other_bytes - one_bytes) / (other - one))
        return other_bytes + slope * (batch_size - other)
    return float(case.options.get("fixed_bytes", 0.0)) + batch_size * by_formula if by_formula else None


def foreseen_s(last: Point, case: Case) -> float:
    """Return how long twice the last batch takes, if its step takes twice as long."""
    step_s = 2 * last.step_s
    return step_s * _BLOCKS + max(step_s, case.sample_s) * case.min_samples


def best_point(points: list[Point]) -> Point:
    """Return the smallest batch that is nearly as fast as the fastest."""
    highest = max(point.items_per_s for point in points)
    return next(point for point in points if point.items_per_s >= SUFFICIENT_RATIO * highest)


def _details(points: list[Point], best: Point, end: End, limit_bytes: float | None) -> dict[str, float]:
    details = {
        "best_batch": float(best.batch_size),
        "largest_batch_that_fits": float(points[-1].batch_size),
        "ended_by_time": float(end.is_late),
    }
    if limit_bytes is not None:
        details["limit_bytes"] = limit_bytes
    if end.unfit_batch is not None:
        details["first_batch_that_does_not_fit"] = float(end.unfit_batch)
    if end.unfit_bytes is not None:
        details["it_would_take_bytes"] = end.unfit_bytes
    return details
