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
def batches(
    photos: Dataset[Any], batch_size: int, workers: int, *, context: Any = "spawn", patience_s: float = 0.0
) -> Iterator[Iterator[Any]]:
    """Yield batches without end; the processes that make them are gone afterwards.

    They are fresh instead of copies of this one: a copy would hold torch's threads half alive, and a card's state.
    Where a batch of theirs does not come within ``patience_s``, a RuntimeError says so; 0: it is waited for.
    """
    samples = _Endless()
    loader = DataLoader(
        photos,
        batch_size=batch_size,
        sampler=samples,
        num_workers=workers,
        prefetch_factor=PREFETCHED if workers else None,
        multiprocessing_context=context if workers else None,
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
