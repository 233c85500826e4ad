"""Batches without end through torch's own ``DataLoader``, alone or with processes that help it."""

import itertools
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from torch.utils.data import DataLoader, Dataset, Sampler

PREFETCHED = 2
"""Batches each process works ahead; torch's default."""


class _Endless(Sampler[int]):
    """Names one sample after another, until nobody wants more."""

    def __init__(self) -> None:
        self.has_ended = False

    def __iter__(self) -> Iterator[int]:
        """Yield 0, 1, 2, … until the end is asked for."""
        return itertools.takewhile(lambda _index: not self.has_ended, itertools.count())


@contextmanager
def batches(photos: Dataset[Any], batch_size: int, workers: int, *, patience_s: float = 0.0) -> Iterator[Iterator[Any]]:
    """Yield batches without end; the processes that make them are gone afterwards.

    They start as those of any program do, on Linux as copies of this one until Python 3.14: a copy inherits how the C
    library treats memory, and decoded 85 photos of 1,632 x 1,224 a second where a fresh process had to touch new pages
    for each, and decoded 45 (two cores, November 2026). Where a batch of theirs does not come within ``patience_s``, a
    RuntimeError says so; 0: it is waited for.
    """
    samples = _Endless()
    loader = DataLoader(
        photos,
        batch_size=batch_size,
        sampler=samples,
        num_workers=workers,
        prefetch_factor=PREFETCHED if workers else None,
        timeout=patience_s if workers else 0.0,
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
