"""Memory that a virtual machine has not been given yet: its host adds each page when it is first touched.

A training run pays for that once, in its first seconds; a case of a few seconds would pay in most of its steps. On a
machine begun four minutes before, a page of 4 KiB took 9.2 µs to touch first and 0.36 µs ever after, and the same
step of a network 1.57 s in the first check and 0.80 to 0.89 s in the next two.
"""

import mmap
import time
from contextlib import suppress

import torch

from advisor.units import MIB
from advisor.worker.memory_guard import free_bytes
from advisor.worker.timing import Progress

_BLOCK_BYTES = 64 * MIB
_MOST_RATIO = 0.5
"""Share of what a case may take: others may come for memory meanwhile."""
_MOST_S = 5.0
"""Enough for some 2 GB that are new to the machine, and for 50 GB that are not."""


def touch_memory(wanted_bytes: float, device: torch.device, progress: Progress) -> None:
    """Touch so much free memory of a processor once and give it back, so that steps find pages the machine has.

    It ends early when its time is up or the system refuses; what is measured then says by its scatter what it met.
    """
    if device.type != "cpu":
        return
    end_s = time.perf_counter() + _MOST_S
    most = min(wanted_bytes, _MOST_RATIO * (free_bytes(device) or 0))
    blocks: list[mmap.mmap] = []
    pages = bytes(_BLOCK_BYTES // mmap.PAGESIZE)
    try:
        with suppress(OSError):  # a limit on addresses, set by whoever began the program
            while (len(blocks) + 1) * _BLOCK_BYTES <= most and time.perf_counter() < end_s:
                blocks.append(mmap.mmap(-1, _BLOCK_BYTES))
                blocks[-1][:: mmap.PAGESIZE] = pages
                progress.check()
    finally:
        for block in blocks:
            block.close()
