"""How many photographs a second the processor gets ready for training, alone or with processes that help it."""

import time
from collections.abc import Iterator
from typing import Any

import torch

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case
from advisor.worker.data.batches import PREFETCHED, batches
from advisor.worker.data.photos import Photos, make_photos
from advisor.worker.timing import SHORTEST_S, Progress, scatters

_FILES = 32


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
