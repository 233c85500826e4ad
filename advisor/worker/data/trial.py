"""Decode each file once in a process of its own, so that one that crashes, hangs or bursts its decoder costs itself.

The process may take ``MOST_BYTES`` of memory and ``FILE_S`` for a file; where it dies or is too slow, the file at hand
is left out and another process goes on with the next.
"""

import math
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

from advisor.worker.data.decode import Item, decode, items_in
from advisor.worker.timing import Progress

MOST_BYTES = 4 * 1024**3
FILE_S = 5.0
START_S = 60.0
"""Until the first file is decoded: on a busy computer a process takes seconds to start."""
MOST_DEATHS = 4
EDGE = 224


@dataclass
class Tried:
    """What came of it.

    Attributes:
        items: Samples that can be decoded.
        refused: Files that cannot.
        fatal: Of them, those that ended the process or took too long.
    """

    items: list[Item] = field(default_factory=list)
    refused: int = 0
    fatal: int = 0


def try_files(paths: Sequence[str], kind: str, *, is_by_row: bool, time_s: float, progress: Progress) -> Tried:
    """Return the samples of the files that this computer can decode; after ``time_s`` of decoding it tries no more."""
    tried, left = Tried(), list(paths)
    while left and tried.fatal < MOST_DEATHS and time_s > 0:
        context: Any = multiprocessing.get_context("spawn")  # its pipes have a type of their own on Windows
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_serve, args=(there, list(left), kind, is_by_row), daemon=True)
        process.start()
        there.close()
        try:
            time_s = _follow(here, left, time_s, tried, progress)
        finally:
            process.kill()
            process.join()
            here.close()
    return tried


def _follow(here: Connection, left: list[str], time_s: float, tried: Tried, progress: Progress) -> float:
    """Take one file after another off those left, until one ends the process or takes too long; return the time left.

    Starting the process does not count.
    """
    deadline_s = math.inf
    while left and time.monotonic() < deadline_s:
        found = _heard(here, START_S if math.isinf(deadline_s) else FILE_S, progress)
        del left[0]
        tried.items += found or ()
        tried.refused += not found
        if found is None:
            tried.fatal += 1
            break
        deadline_s = min(deadline_s, time.monotonic() + time_s)
    return time_s if math.isinf(deadline_s) else deadline_s - time.monotonic()


def _heard(here: Connection, patience_s: float, progress: Progress) -> list[Item] | None:
    """Return the samples of the next file; None where the process is gone or silent for too long."""
    deadline_s = time.monotonic() + patience_s
    while not here.poll(0.1):
        progress.check()
        if time.monotonic() > deadline_s:
            return None
    try:
        return [Item(*fields) for fields in here.recv()]
    except (EOFError, OSError):
        return None


def _serve(there: Connection, paths: list[str], kind: str, is_by_row: bool) -> None:
    """Send the samples of each file, none where it cannot be decoded.

    What decoders print may name it: nobody is to hear.
    """
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    if sys.platform != "win32":
        import resource

        with suppress(OSError, ValueError):  # a limit that is lower already
            resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for path in paths:
        try:
            items = items_in(kind, path, is_by_row=is_by_row)
            for item in items[:1] if kind == "array" else items:
                decode(kind, item, EDGE, random.Random(0))
        # Whatever a decoder raises, the file is of no use.
        except Exception:  # noqa: BLE001
            items = []
        there.send([tuple(item) for item in items])
