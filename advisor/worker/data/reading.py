"""How fast the user's files come from their disk, and from memory once they are there."""

import os
import time
from collections.abc import Sequence
from contextlib import suppress

from advisor.worker.data.decode import read
from advisor.worker.data.page_cache import cached_ratio, drop_pages
from advisor.worker.timing import SHORTEST_S, Progress

WHOLE_BYTES = 4 * 1024**2
"""Of a larger file a part from its midst is read, as one of many samples in it would be."""
STRETCH_BYTES = 32 * 1024**2
"""Read from the beginning of a large file, for the rate in order."""
LEFT_RATIO = 0.5
"""Where more of the dropped files than this stays in memory, what is read then says nothing about the disk."""


def time_reading(paths: Sequence[str], time_s: float, progress: Progress) -> dict[str, float]:
    """Return seconds a file and bytes a second, cold and warm; empty where no file could be read.

    Cold readings, of files in no order, are left out where the system does not drop files from memory, or does not say.
    """
    found: dict[str, float] = {}
    left = [ratio for path in paths if (ratio := _dropped(path)) is not None]
    is_cold = bool(left) and sum(left) / len(left) < LEFT_RATIO
    first = _pass(paths, time_s / 2, progress)
    again = _pass(paths[: len(first)], time_s / 2, progress)
    if not first or not again:
        return {}
    found |= {"warm_file_s": _mean(again, 1), "warm_bytes_per_s": _rate(again), "read_files": float(len(first))}
    if is_cold:
        found |= {"cold_file_s": _mean(first, 1), "cold_bytes_per_s": _rate(first)}
        largest = max(paths, key=_size)
        if _size(largest) >= 2 * WHOLE_BYTES and _dropped(largest) is not None:
            with suppress(OSError):
                found["sequential_bytes_per_s"] = _stretch(largest, progress)
    return found


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)  # noqa: PTH202
    except OSError:  # it has vanished
        return 0


def _dropped(path: str) -> float | None:
    """Have the system drop a file from memory; return the share that stays, None where nobody can tell."""
    with suppress(OSError, ValueError):
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        try:
            size = os.fstat(handle).st_size
            if size and drop_pages(handle):
                return next(iter(cached_ratio(handle, size)), None)
        finally:
            os.close(handle)
    return None


def _pass(paths: Sequence[str], time_s: float, progress: Progress) -> list[tuple[int, float]]:
    """Return (bytes, seconds) of each file read until the time is up; one that cannot be read is passed over."""
    taken: list[tuple[int, float]] = []
    deadline_s = time.perf_counter() + time_s
    for path in paths:
        progress.check()
        started_s = time.perf_counter()
        if started_s > deadline_s and taken:
            break
        with suppress(OSError):
            size = _size(path)
            content = read(path, max(0, size - WHOLE_BYTES) // 2, WHOLE_BYTES)
            taken.append((len(content), max(time.perf_counter() - started_s, SHORTEST_S)))
    return taken


def _mean(taken: Sequence[tuple[int, float]], column: int) -> float:
    return sum(pair[column] for pair in taken) / len(taken)


def _rate(taken: Sequence[tuple[int, float]]) -> float:
    return _mean(taken, 0) / _mean(taken, 1)


def _stretch(path: str, progress: Progress) -> float:
    started_s, place = time.perf_counter(), 0
    while place < STRETCH_BYTES and (part := read(path, place, WHOLE_BYTES)):
        progress.check()
        place += len(part)
    return place / max(time.perf_counter() - started_s, SHORTEST_S)
