"""How fast a file that is not in memory comes from the disk, as training data does in the first epoch."""

import io
import os
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs
import psutil
import torch

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case
from advisor.worker.data.page_cache import cached_ratio, drop_pages
from advisor.worker.failure import NotSupportedError
from advisor.worker.timing import SHORTEST_S, Progress

READ_BYTES = 4 * 1024**2
FEWEST_SAMPLES = 2
"""Of a disk so slow that its time is over."""
_IN_MEMORY = {"tmpfs", "ramfs", "devtmpfs"}
_ROOM_RATIO = 0.25
"""The file may take this share of what is free on its disk."""


def run_disk(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Time the reading of a fresh file of ``case.size`` bytes from beginning to end.

    The file is written, brought to the disk, and its pages are dropped from memory before each reading, where the
    system lets a program do so. Details: ``asked_to_drop_ratio`` is 1 where it was asked, ``cached_ratio`` the share
    that was in memory all the same, where the system tells. What the disk itself, or the host of a virtual machine,
    keeps in its own memory cannot be dropped from here. A slow disk is read less often. The first reading after the
    writing does not count: on virtual disks it took up to twice as long as the others.
    """
    del device  # the disk is everybody's
    folder = folder_on_disk((Path(platformdirs.user_cache_dir()), Path("/var/tmp"), Path(tempfile.gettempdir())))
    if case.size > _ROOM_RATIO * psutil.disk_usage(str(folder)).free:
        raise NotSupportedError("The disk has too little room for the file that would be read.")
    samples_s: list[float] = []
    deadline_s = time.perf_counter() + case.budget_s
    with _fresh_file(case.size, folder, progress) as file:
        has_dropped = drop_pages(file)
        cached = cached_ratio(file, case.size)
        buffer = bytearray(READ_BYTES)
        _read_all(file, buffer)
        while len(samples_s) < (case.min_samples if time.perf_counter() < deadline_s else FEWEST_SAMPLES):
            drop_pages(file)
            samples_s.append(_read_all(file, buffer))
            progress.sampled(samples_s[-1])
    details = {"bytes_per_s": case.size / statistics.median(samples_s), "asked_to_drop_ratio": float(has_dropped)}
    if cached:
        details["cached_ratio"] = cached[0]
    return CaseResult(case_id=case.id, samples_s=tuple(samples_s), details=details)


def folder_on_disk(candidates: Iterable[Path]) -> Path:
    """Return the first folder one can write to that is not kept in memory.

    Raises:
        NotSupportedError: There is none.
    """
    kinds = {Path(part.mountpoint): part.fstype for part in psutil.disk_partitions(all=True)}
    for folder in candidates:
        place = folder.resolve()
        mount = next((parent for parent in (place, *place.parents) if parent in kinds), None)
        is_in_memory = mount is not None and kinds[mount] in _IN_MEMORY
        if folder.is_dir() and os.access(folder, os.W_OK) and not is_in_memory:
            return folder
    raise NotSupportedError("There is no folder on a disk this program may write to.")


@contextmanager
def _fresh_file(size_bytes: int, folder: Path, progress: Progress) -> Iterator[int]:
    """Yield the descriptor of a file of random bytes that are on the disk; it is gone afterwards, whatever happens."""
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        left_bytes = size_bytes
        while left_bytes > 0:
            progress.check()
            left_bytes -= file.write(os.urandom(min(READ_BYTES, left_bytes)))
        os.fsync(file.fileno())
        yield file.fileno()


def _read_all(file: int, buffer: bytearray) -> float:
    """Return the seconds it takes, into memory that is there already, as ``dd`` does it: from the second time on."""
    with io.FileIO(file, closefd=False) as reader:
        reader.seek(0)
        started_s = time.perf_counter()
        while reader.readinto(buffer):
            pass
        return max(time.perf_counter() - started_s, SHORTEST_S)
