"""Steps of the asked job while torch's own ``DataLoader`` makes the batches for them out of the user's files.

Loading and training share a processor's cores, caches and memory: what both take together follows neither from their
sum nor from the longer of them.
"""

import itertools
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
import torch

from advisor.records.channel import CaseResult
from advisor.records.job.asked_job import AskedJob
from advisor.records.results.measured.measurement import Case, Series
from advisor.worker.data.batches import PREFETCHED, batches
from advisor.worker.data.loading import is_augmented, own_paths
from advisor.worker.data.samples import Samples
from advisor.worker.data.trial import try_files
from advisor.worker.failure import AbandonedError, NotSupportedError, describe
from advisor.worker.job.step import repeated_step
from advisor.worker.memory import backend_of, release_memory
from advisor.worker.timing import SHORTEST_S, Progress, block_timer

TRY_RATIO, STEP_RATIO, ALONE_RATIO = 0.1, 0.2, 0.1
"""Shares of the case's time for trying the files, for finding a batch, and for steps alone."""
PATIENCE_S = 30.0
"""A batch that takes longer does not come any more."""
LATE_RATIO = 0.5
"""Share of the time after which the case is given up; beyond it no further number is begun."""
LOST_RATIO = 1.15
"""A fed step that takes so many times as long as one alone is tried with fewer threads."""
FEWEST = 2
"""Fed steps that are counted, at least."""

Step = Callable[[], object]


def run_fed(case: Case, device: torch.device, progress: Progress, job: AskedJob) -> CaseResult:
    """Time the job's steps alone, then fed by each number of processes.

    A number that fails ends it, and so does the time; what was measured by then is kept.

    Options: those of the job's case and of the case that loads the files; ``loaders``, the numbers of processes joined
    by commas, the most interesting first. The batch is smaller where the job's own takes too long. Details: ``batch``,
    and ``alone_s`` of a step that waits for nothing. The series have seconds from step to step by number of processes,
    and by how much longer than its steps the beginning of an epoch takes, which starts its processes anew.
    """
    deadline_s = time.perf_counter() + LATE_RATIO * case.timeout_s
    tried = try_files(
        own_paths(case),
        str(case.options["kind"]),
        is_by_row=bool(case.options.get("by_row")),
        time_s=TRY_RATIO * case.budget_s,
        progress=progress,
    )
    if not tried.items:
        raise NotSupportedError("None of the files can be decoded.")
    samples = Samples(str(case.options["kind"]), tried.items, case.size, is_augmented=is_augmented(case))
    numbers = [int(number) for number in str(case.options["loaders"]).split(",")]
    window_s = (1 - TRY_RATIO - STEP_RATIO - ALONE_RATIO) * case.budget_s / len(numbers)
    quick = msgspec.structs.replace(
        case, budget_s=STEP_RATIO * case.budget_s, batch_size=_loadable(samples, case.batch_size, window_s / FEWEST)
    )
    with repeated_step(quick, device, progress, job) as (step, batch):
        alone_s = _alone_s(step, device, ALONE_RATIO * case.budget_s, progress)
        feeding = _Feeding(step, device, samples=samples, batch=batch, window_s=window_s, progress=progress)
        points = []
        for point in feeding.points(numbers, case.id):
            points.append(point)
            if time.perf_counter() > deadline_s:
                break
        points.sort()
        starts = tuple((count, feeding.starts_s[count]) for count, _seconds in points)
        details = {"batch": float(batch), "alone_s": alone_s}
        if device.type == "cpu" and time.perf_counter() < deadline_s:
            details |= _with_fewer_threads(feeding, points, alone_s, case.id)
    release_memory(case.device)
    return CaseResult(
        case_id=case.id,
        samples_s=(min((seconds for _, seconds in points), default=alone_s),),
        items_per_iteration=batch,
        details=details,
        series=(
            Series(x="loaders", y="fed_step_s", points=tuple(points)),
            Series(x="loaders", y="epoch_start_s", points=starts),
        )
        if points
        else (),
    )


def _with_fewer_threads(
    feeding: "_Feeding", points: Sequence[tuple[float, float]], alone_s: float, case_id: str
) -> dict[str, float]:
    """Return what a fed step takes whose threads leave the processes that load a core each; empty where none is lost.

    The details are ``fewer_threads``, ``fewer_threads_s`` and the processes, ``fewer_threads_loaders``.
    """
    loaders, fed_s = min((point for point in points if point[0]), key=lambda point: point[1], default=(0.0, 0.0))
    threads = torch.get_num_threads()
    fewer = max(1, threads - round(loaders))
    if fewer == threads or fed_s < LOST_RATIO * alone_s:
        return {}
    torch.set_num_threads(fewer)
    try:
        found = [seconds for _loaders, seconds in feeding.points([round(loaders)], case_id)]
    finally:
        torch.set_num_threads(threads)
    names = ("fewer_threads", "fewer_threads_loaders", "fewer_threads_s")
    return dict(zip(names, (float(fewer), loaders, found[0]), strict=True)) if found else {}


def _loadable(samples: Samples, most: int, time_s: float) -> int:
    """Return how many samples one process loads in the time, judged by two of them."""
    samples[0]
    started_s = time.perf_counter()
    samples[1]
    return max(1, min(most, math.floor(time_s / max(time.perf_counter() - started_s, SHORTEST_S))))


def _alone_s(step: Step, device: torch.device, time_s: float, progress: Progress) -> float:
    """Return the mean seconds of a step, as a loop over a whole epoch would have it."""
    block = block_timer(step, device)
    block(1)
    taken_s: list[float] = []
    started_s = time.perf_counter()
    while len(taken_s) < FEWEST or time.perf_counter() - started_s < time_s:
        taken_s.append(block(1))
        progress.check()
    return sum(taken_s) / len(taken_s)


class _Feeding:
    """Steps that wait for their batch, with one number of processes after another.

    Attributes:
        starts_s: By number of processes, how much longer the first steps took than as many later ones.
    """

    def __init__(
        self, step: Step, device: torch.device, *, samples: Samples, batch: int, window_s: float, progress: Progress
    ) -> None:
        self._step, self._device, self._samples = step, device, samples
        self._batch, self._window_s, self._progress = batch, window_s, progress
        self.starts_s: dict[float, float] = {}

    def points(self, numbers: Sequence[int], case_id: str) -> Iterator[tuple[float, float]]:
        """Yield (processes, seconds from step to step) until one number fails."""
        for number in numbers:
            began_s = time.perf_counter()
            try:
                with batches(self._samples, self._batch, number, patience_s=PATIENCE_S) as loader:
                    yield float(number), self._fed_s(loader, number, began_s)
            except AbandonedError:
                raise
            # Whatever loading with so many processes costs, what came before is known.
            except Exception as error:  # noqa: BLE001
                sys.stderr.write(f"{case_id}: {number} processes: {describe(error)}\n")
                return

    def _fed_s(self, loader: Iterator[Any], number: int, began_s: float) -> float:
        """Return the mean seconds from step to step once what was loaded ahead is used up."""
        backend = backend_of(self._device)
        wait = _nothing_to_wait_for if backend is None else backend.synchronize
        ahead = 1 + PREFETCHED * number
        for _step in range(ahead):
            self._one(loader)
        wait()
        started_s = time.perf_counter()
        for taken in itertools.count(1):
            for _burst in range(max(number, 1)):
                self._one(loader)
            wait()
            passed_s = time.perf_counter() - started_s
            mean_s = max(passed_s, SHORTEST_S) / (taken * max(number, 1))
            self._progress.sampled(mean_s)
            if taken * max(number, 1) >= FEWEST and passed_s >= self._window_s:
                self.starts_s[float(number)] = max(0.0, started_s - began_s - ahead * mean_s)
                return mean_s
        raise AssertionError("counting has no end")

    def _one(self, loader: Iterator[Any]) -> None:
        self._progress.check()
        inputs, _labels = next(loader)
        if self._device.type != "cpu":
            inputs = inputs.to(self._device)
        self._step()


def _nothing_to_wait_for() -> None:
    """The processor has computed when the call returns."""
