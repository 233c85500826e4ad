"""Highest memory during a case, and giving memory back between cases."""

import gc
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch

from advisor.worker.allocator import c_library

_STATUS = Path("/proc/self/status")
_CLEAR_REFS = Path("/proc/self/clear_refs")


class PeakMemory:
    """Watches the highest memory from its creation on: the device's for accelerators, the process's for the processor.

    Attributes:
        before_bytes: Memory already taken at the start; None where the system does not say.
    """

    def __init__(self, device: torch.device) -> None:
        self._device = device
        self._backend = backend_of(device)
        if self._backend is None:
            self.before_bytes = _reset_process_peak()
        elif device.type == "mps":
            self.before_bytes = int(torch.mps.driver_allocated_memory())
        else:
            self._backend.reset_peak_memory_stats(device)
            self.before_bytes = int(self._backend.memory_reserved(device))

    def peak_bytes(self) -> int | None:
        """Return the peak since the start; None where the system cannot tell it for this case alone.

        For accelerators it is what torch reserved, without the driver's own context.
        """
        if self._backend is None:
            return _process_peak() if self.before_bytes is not None else None
        if self._device.type == "mps":
            return int(
                torch.mps.driver_allocated_memory()
            )  # Apple has no peak counter; memory stays reserved meanwhile
        return int(self._backend.max_memory_reserved(self._device))


def file_bytes() -> int:
    """Return how much of this process's memory are pages of files, its libraries' above all; 0 where nobody says."""
    return (_status_bytes("RssFile") or 0) if sys.platform == "linux" else 0


def release_memory(device_name: str) -> None:
    """Free what the last case left and give cached memory back."""
    gc.collect()
    _trim_heap()
    backend = backend_of(torch.device(device_name))
    if backend is not None:
        backend.empty_cache()


def _trim_heap() -> None:
    """Have the C library give freed memory back, or the next case's memory would seem smaller than it is.

    Source: malloc_trim(3), of glibc alone.
    """
    library = c_library()
    if hasattr(library, "malloc_trim"):
        library.malloc_trim(0)


def backend_of(device: torch.device) -> Any:
    """Return torch's module for an accelerator; None for the processor."""
    return {"cuda": torch.cuda, "xpu": getattr(torch, "xpu", None), "mps": torch.mps}.get(device.type)


def _reset_process_peak() -> int | None:
    """Start a new peak of this process's memory and return what it has now; Linux only.

    Source: proc_pid_clear_refs(5): writing 5 resets the peak resident set size.
    """
    if sys.platform != "linux":
        return None
    with suppress(OSError):  # a container may forbid it; then there is no peak of the case alone
        _CLEAR_REFS.write_text("5", encoding="ascii")
        return _status_bytes("VmRSS")
    return None


def _process_peak() -> int | None:
    return _status_bytes("VmHWM")


def _status_bytes(field: str) -> int | None:
    for line in _STATUS.read_text(encoding="ascii", errors="replace").splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024
    return None
