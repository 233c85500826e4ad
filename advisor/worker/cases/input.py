"""How many photographs a second the processor gets ready for training, alone or with processes that help it."""

import itertools
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.utils.data import DataLoader, Sampler

from advisor.records.channel import CaseResult
from advisor.records.results.measurement import Case
from advisor.worker.photos import Photos, make_photos
from advisor.worker.timing import SHORTEST_S, Progress, scatters

PREFETCHED = 2
"""Batches each process works ahead; torch's default."""
_FILES = 32


class _Endless(Sampler[int]):
    """Names one sample after another, until nobody wants more."""

    def __init__(self) -> None:
        self.has_ended = False

    def __iter__(self) -> Iterator[int]:
        """Yield 0, 1, 2, … until the end is asked for."""
        return itertools.takewhile(lambda _index: not self.has_ended, itertools.count())


def run_input(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Time batches of decoded, resized and augmented photographs.

    ``case.size`` is the edge they are resized to. Options: ``workers`` processes beside this one (0: this one does the
    work itself), ``augmented``. Starting the processes is not in the times.
    """
    del device  # what is loaded stays on the host
    workers = int(case.options.get("workers", 0))
    photos = Photos(
        files=make_photos(_FILES),
        edge=case.size,
        is_augmented=bool(case.options.get("augmented", False)),
    )
    started_s = time.perf_counter()
    with batches(photos, case.batch_size, workers) as loader:
        next(loader)
        start_s = time.perf_counter() - started_s
        per_sample = max(1, workers)
        for _ahead in range(PREFETCHED * workers):  # what was made ready while nobody took it
            progress.check()
            next(loader)
        samples_s = _sample(loader, per_sample, case, progress)
    return CaseResult(
        case_id=case.id,
        samples_s=tuple(samples_s),
        iterations_per_sample=per_sample,
        items_per_iteration=case.batch_size,
        details={"start_s": start_s, "file_bytes": sum(map(len, photos.files)) / len(photos.files)},
    )


@contextmanager
def batches(photos: Photos, batch_size: int, workers: int) -> Iterator[Iterator[Any]]:
    """Yield batches without end; the processes that make them are gone afterwards."""
    # Fresh processes instead of copies of this one: a copy would hold torch's threads half alive, and a card's state.
    samples = _Endless()
    loader = DataLoader(
        photos,
        batch_size=batch_size,
        sampler=samples,
        num_workers=workers,
        prefetch_factor=PREFETCHED if workers else None,
        multiprocessing_context="spawn" if workers else None,
    )
    iterator = iter(loader)
    try:
        yield iterator
    finally:
        samples.has_ended = True
        if workers:
            _end(iterator)


def _end(iterator: Iterator[Any]) -> None:
    """Take what is still on its way, then have the processes end.

    One that ends while its thread hands over a batch dies by SIGABRT now and then, on a busy machine every second
    time, and this process is told of it as of a failure: Python before 3.14 ends such a thread by unwinding its stack,
    and C++ within torch forbids that. Source: CPython, issue 87135 and "What's new in Python 3.14", daemon threads.
    """
    try:
        deque(iterator, maxlen=0)
    finally:
        iterator._shutdown_workers()  # type: ignore[attr-defined]  # else they end some time after


def _sample(loader: Iterator[Any], per_sample: int, case: Case, progress: Progress) -> list[float]:
    """Return seconds per batch; a sample has a batch from each process, since their batches come in bursts."""
    deadline_s = time.perf_counter() + case.budget_s / 2
    samples_s: list[float] = []
    while len(samples_s) < case.min_samples or (scatters(samples_s) and time.perf_counter() < deadline_s):
        started_s = time.perf_counter()
        for _batch in range(per_sample):
            next(loader)
        samples_s.append(max(time.perf_counter() - started_s, SHORTEST_S) / per_sample)
        progress.sampled(samples_s[-1])
    return samples_s
