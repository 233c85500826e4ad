"""What the C library does with memory that a program frees: give it back to the system, or keep it for the next use.

glibc asks the system for every block of 32 MiB and more, and gives it back when it is freed; the system clears each of
its pages again when they are next touched. That is one page fault for every 4 KiB, in every training step.
"""

import ctypes
import sys
from typing import Any

from advisor.units import MIB
from advisor.worker.failure import NotSupportedError

# Source: mallopt(3) and malloc.h of glibc.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD, _M_MMAP_MAX = -1, -3, -4
_USUAL = {_M_MMAP_MAX: 65_536, _M_MMAP_THRESHOLD: 32 * MIB, _M_TRIM_THRESHOLD: 64 * MIB}
"""Where glibc's own thresholds, which rise with the blocks that are freed, come to rest where those are large."""
_KEEPING = {_M_MMAP_MAX: 0, _M_TRIM_THRESHOLD: -1}
"""As MALLOC_MMAP_MAX_=0 and MALLOC_TRIM_THRESHOLD_=-1 in the environment: nothing is given back."""


def keep_freed_memory(keeps: bool) -> None:
    """Have the C library keep what is freed from now on, or treat it as it usually does and give back what it has.

    Raises:
        NotSupportedError: This C library cannot be told.
    """
    library = _glibc()
    for parameter, value in (_KEEPING if keeps else _USUAL).items():
        if library.mallopt(parameter, value) != 1:
            raise NotSupportedError("The C library of this system refuses to keep freed memory.")
    if not keeps:
        library.malloc_trim(0)


_HEAP_FIELDS = (
    *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
    *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
)


class _HeapInfo(ctypes.Structure):
    """Bytes of the heap; ``fordblks`` are those of free blocks. Source: mallinfo2(3), of glibc 2.33 and later."""

    _fields_ = tuple((name, ctypes.c_size_t) for name in _HEAP_FIELDS)


def held_bytes() -> int | None:
    """Return the bytes of free blocks below others in use, which the heap keeps; None where the C library does not say.

    Their pages go back to the system, but they are taken first, and once touched they stay: a later network finds
    memory there without the page faults that it has in a program of its own.
    """
    library = c_library()
    if not hasattr(library, "mallinfo2"):
        return None
    library.mallinfo2.restype = _HeapInfo
    return int(library.mallinfo2().fordblks)


def c_library() -> Any:
    """Return Linux's C library, whichever it is; None on other systems."""
    return ctypes.CDLL(None) if sys.platform == "linux" else None


def _glibc() -> Any:
    library = c_library()
    if not hasattr(library, "gnu_get_libc_version"):
        raise NotSupportedError("Only the C library of Linux (glibc) can be told to keep freed memory.")
    return library
