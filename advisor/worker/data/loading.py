"""Measure loading the user's own data with 0, 1, 2, 4 … processes, through torch's own ``DataLoader``."""

import os
import random
import time
from collections.abc import Iterator
from typing import Any

import torch

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case, Series
from advisor.worker.data.batches import PREFETCHED, batches
from advisor.worker.data.decode import item_bytes
from advisor.worker.data.paging import fresh_ratio, settle
from advisor.worker.data.reading import time_reading
from advisor.worker.data.samples import Samples
from advisor.worker.data.trial import Tried, try_files
from advisor.worker.failure import NotSupportedError
from advisor.worker.timing import SHORTEST_S, Progress

READ_RATIO, TRY_RATIO, FRESH_RATIO = 0.15, 0.15, 0.27
"""Shares of the case's time for reading, for trying the files, and for trying some in a fresh process; the numbers of
processes share what is left."""


def run_data(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Time reading the user's files, cold and warm, then batches of them as training takes them.

    ``case.size`` is the edge images are resized to. Options: ``files``, their paths joined by NUL, as Latin-1 of what
    ``os.fsencode`` gives; ``kind`` of ``OwnData``; ``by_row`` for arrays that hold many samples; ``augmented``;
    ``most_workers``. Formats that nothing here decodes are read only. The series has samples a second by number
    of processes, whose memory is kept; a fresh program takes up to ``fresh_ratio`` of the details as long. No message
    of a failure names a file.
    """
    del device  # what is loaded stays on the host
    paths = own_paths(case)
    details = time_reading(paths, READ_RATIO * case.budget_s, progress)
    if not details:
        raise NotSupportedError("None of the files can be read.")
    tried = Tried()
    kind = str(case.options["kind"])
    if kind != "table":
        tried = try_files(
            paths,
            kind,
            is_by_row=bool(case.options.get("by_row")),
            time_s=TRY_RATIO * case.budget_s,
            progress=progress,
        )
    details |= {"refused_files": float(tried.refused), "fatal_files": float(tried.fatal)}
    if not tried.items:
        return CaseResult(case_id=case.id, samples_s=(details["warm_file_s"],), details=details)
    details["sample_bytes"] = sum(item_bytes(item) for item in tried.items) / len(tried.items)
    random.Random(2).shuffle(tried.items)
    window_s = FRESH_RATIO * case.budget_s
    if kind in ("image", "archive"):
        details["fresh_ratio"] = fresh_ratio(kind, tried.items, case.size, time_s=window_s, progress=progress)
    settle()
    points = _rates(case, Samples(kind, tried.items, case.size, is_augmented=is_augmented(case)), progress)
    return CaseResult(
        case_id=case.id,
        samples_s=(case.batch_size / points[0][1],),
        items_per_iteration=case.batch_size,
        details=details,
        series=(Series(x="loaders", y="items_per_s", points=tuple(points)),),
    )


def own_paths(case: Case) -> list[str]:
    """Return the user's files that come with a case."""
    return [os.fsdecode(name.encode("latin-1")) for name in str(case.options["files"]).split("\0")]


def is_augmented(case: Case) -> bool:
    """Return whether images are cropped and mirrored at random."""
    return bool(case.options.get("augmented"))


def _rates(case: Case, samples: Samples, progress: Progress) -> list[tuple[float, float]]:
    """Return (processes, samples a second) for 0, 1, 2, 4 … and at last as many as there are cores."""
    most = int(case.options.get("most_workers", 1))
    counts = [0, *(count for count in (1, 2, 4, 8) if count < most), most]
    window_s = (1 - READ_RATIO - TRY_RATIO - FRESH_RATIO) * case.budget_s / len(counts)
    points = []
    for workers in counts:
        with batches(samples, case.batch_size, workers) as loader:
            points.append((float(workers), case.batch_size / _batch_s(loader, workers, window_s, progress)))
    return points


def _batch_s(loader: Iterator[Any], workers: int, window_s: float, progress: Progress) -> float:
    """Return seconds a batch once all processes are at work; batches of several come in bursts, one from each."""
    for _ahead in range(1 + PREFETCHED * workers):
        progress.check()
        next(loader)
    started_s, taken = time.perf_counter(), 0
    while not taken or time.perf_counter() - started_s < window_s:
        for _burst in range(max(workers, 1)):
            next(loader)
            taken += 1
        progress.sampled(max(time.perf_counter() - started_s, SHORTEST_S) / taken)
    return max(time.perf_counter() - started_s, SHORTEST_S) / taken
