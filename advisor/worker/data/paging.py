"""How much longer a sample takes where the C library gives freed memory back and has it cleared anew for each.

Once a block that glibc had from the system is freed, blocks up to that size come from its heap, and a heap with twice
as much free at its end is given back (mallopt(3)). A decoded photo and its copy lie at that border: the same program
keeps their memory or not by what it has freed before, and took 22 or 13 ms of processor time, and 3,900 page faults or
none, for a photo of 1,632 x 1,224. So both are measured, in a process of its own that has freed nothing yet. It holds
its samples until they are a batch, as every loader does: with photos of 1,024 x 768 that alone lets glibc keep the
memory from the third batch on, and larger ones never.
"""

import multiprocessing
import random
import time
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

import numpy

from advisor.worker.allocator import keep_freed_memory
from advisor.worker.data.decode import Item, decode
from advisor.worker.failure import NotSupportedError
from advisor.worker.timing import SHORTEST_S, Progress

START_S = 30.0
_WARM_UP = 2
_FEWEST = 6
"""Samples of each kind, at least; half of them warm up."""
_BATCH = 32
_LEARNING = 2 * _BATCH
_MOST = _LEARNING + 3 * _BATCH
"""Samples until a program treats memory as it will, and those that are enough to see it; large ones are fewer."""


def fresh_ratio(kind: str, items: Sequence[Item], edge: int, *, time_s: float, progress: Progress) -> float:
    """Return how many times as long a fresh process decodes a sample as one that keeps its memory; 1 if unknown.

    Processor time is compared, so that other programs change little.
    """
    if not items or time_s <= 0:
        return 1.0
    context: Any = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(there, kind, list(items), edge, time_s), daemon=True)
    process.start()
    there.close()
    deadline_s = time.monotonic() + START_S + 10 * time_s
    try:
        while not here.poll(0.1):
            progress.check()
            if time.monotonic() > deadline_s:
                return 1.0
        fresh_s, kept_s = here.recv()
    except (EOFError, OSError):
        return 1.0
    finally:
        process.kill()
        process.join()
        here.close()
    return max(1.0, float(fresh_s) / max(float(kept_s), SHORTEST_S))


def settle() -> None:
    """Treat memory from now on as glibc does once a large block was freed, so that what is measured is one state."""
    with suppress(NotSupportedError):  # another C library has no such states
        keep_freed_memory(False)


def _serve(there: Connection, kind: str, items: Sequence[Item], edge: int, time_s: float) -> None:
    """Send the seconds of processor time for a sample: as any fresh program, then with memory kept."""
    with suppress(Exception):  # whatever a decoder raises, nothing is known
        _decode_s(kind, items[:_WARM_UP], edge, 0.0)  # loads the decoder
        fresh_s = _decode_s(kind, items, edge, 0.8 * time_s)
        keep_freed_memory(False)
        _decode_s(kind, items[:_WARM_UP], edge, 0.0)
        there.send((fresh_s, _decode_s(kind, items, edge, 0.2 * time_s)))


def _decode_s(kind: str, items: Sequence[Item], edge: int, time_s: float) -> float:
    """Return the mean seconds of processor time of the samples after those that warm up: half, or two batches."""
    taken: list[float] = []
    batch: list[numpy.ndarray] = []
    chance, began_s = random.Random(0), time.perf_counter()
    while len(taken) < _FEWEST or (time.perf_counter() - began_s < time_s and len(taken) < _MOST):
        before_s = time.process_time()
        batch.append(decode(kind, items[len(taken) % len(items)], edge, chance).astype(numpy.float32))
        if len(batch) == _BATCH:
            numpy.stack(batch)
            batch.clear()
        taken.append(time.process_time() - before_s)
    later = taken[_LEARNING:] or taken[len(taken) // 2 :]
    return sum(later) / len(later)
