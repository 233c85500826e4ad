"""How much memory a case may still take without harming anybody, and refusing it beforehand when that is too little.

A processor's memory is never tried to the end: where it runs out, Linux ends a process, and not always this one.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import torch

from advisor.records.results.measured.measurement import Case
from advisor.worker.failure import NoRoomError
from advisor.worker.memory import backend_of

HOST_RATIO = 0.75
"""Share of the host's free memory a case may take."""
DEVICE_RATIO = 0.95
"""Share of an accelerator's free memory; what does not fit there is an error without consequences."""

_CGROUPS = Path("/sys/fs/cgroup")
_OWN_CGROUP = Path("/proc/self/cgroup")


def free_bytes(device: torch.device) -> int | None:
    """Return the memory a case may take on a device; None where the device does not say."""
    if device.type == "mps":
        return int(DEVICE_RATIO * (torch.mps.recommended_max_memory() - torch.mps.driver_allocated_memory()))
    backend = backend_of(device)
    if backend is None:
        return int(HOST_RATIO * min([psutil.virtual_memory().available, *_left_by_cgroups(_CGROUPS, _OWN_CGROUP)]))
    if not hasattr(backend, "mem_get_info"):
        return None
    with suppress(RuntimeError):  # some drivers of Intel cannot tell
        return int(DEVICE_RATIO * backend.mem_get_info(device)[0])
    return None


def require_room(case: Case, device: torch.device) -> None:
    """Refuse a case that states it needs more memory (option ``needs_bytes``) than there is.

    Raises:
        NoRoomError: It does not fit.
    """
    needed, free = float(case.options.get("needs_bytes", 0.0)), free_bytes(device)
    if free is not None and needed > free:
        raise NoRoomError(needed, free)


def _left_by_cgroups(root: Path, own: Path) -> Iterator[int]:
    """Yield what each limit above this process leaves; file pages that can be dropped count as free."""
    for limit_name, used_name, folder in _limits(root, own):
        with suppress(OSError, ValueError):  # ValueError: the word "max" stands for no limit
            limit = int((folder / limit_name).read_text(encoding="ascii"))
            used = int((folder / used_name).read_text(encoding="ascii"))
            yield max(0, limit - used + _droppable(folder))


def _limits(root: Path, own: Path) -> Iterator[tuple[str, str, Path]]:
    """Yield (limit, usage, folder) of version 2 from this process's group upwards, then of version 1."""
    with suppress(OSError):
        for line in own.read_text(encoding="utf-8").splitlines():
            _number, controllers, path = line.split(":", 2)
            if controllers not in {"", "memory"}:
                continue
            names = ("memory.max", "memory.current") if not controllers else _VERSION_1
            folder = (root / "memory" if controllers else root) / path.lstrip("/")
            yield from ((*names, parent) for parent in (folder, *folder.parents) if parent.is_relative_to(root))
    yield ("memory.max", "memory.current", root)
    yield (*_VERSION_1, root / "memory")


_VERSION_1 = ("memory.limit_in_bytes", "memory.usage_in_bytes")


def _droppable(folder: Path) -> int:
    with suppress(OSError):
        for line in (folder / "memory.stat").read_text(encoding="ascii").splitlines():
            if line.startswith("inactive_file "):
                return int(line.split()[1])
    return 0
