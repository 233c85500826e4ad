"""What Windows tells of its processor: instruction sets and caches, asked of the kernel itself.

py-cpuinfo, which asks as well, starts a second Python, ``wmic`` (gone from Windows 11 24H2) and processes that run code
of their own, none with a time limit.
Check: ``coreinfo64``, ``Get-CimInstance Win32_CacheMemory``
"""

import ctypes
import struct
import sys
from collections.abc import Callable

from advisor.probe.readers import ProcessorFacts

# Number of a feature -> our name. Source: Windows SDK, winnt.h, PF_*_AVAILABLE. It has none for VNNI and AMX.
_FEATURES = {19: "NEON", 40: "AVX2", 41: "AVX512F", 46: "SVE", 47: "SVE2"}

# Source: Windows SDK, winnt.h, SYSTEM_LOGICAL_PROCESSOR_INFORMATION of 64 bits: mask, relationship, 4 bytes of nothing,
# then of a cache level, associativity, line size, size, type; 32 bytes in all.
_ENTRY = struct.Struct("<QI4xBBHII4x")
_RELATION_CACHE = 2
_KINDS = {0: "", 1: "i", 2: "d"}  # unified, instructions, data; others are no caches of either


def instruction_sets(is_present: Callable[[int], int]) -> tuple[str, ...]:
    """Return the instruction sets that matter for training.

    Args:
        is_present: ``IsProcessorFeaturePresent``; other than 0 for a feature that is there.
    """
    return tuple(name for number, name in _FEATURES.items() if is_present(number))


def caches(table: bytes) -> dict[str, int]:
    """Return the bytes of each kind of cache, all of that kind together, from the kernel's table."""
    found: dict[str, int] = {}
    for at in range(0, len(table) - _ENTRY.size + 1, _ENTRY.size):
        _, relation, level, _, _, size, kind = _ENTRY.unpack_from(table, at)
        if relation == _RELATION_CACHE and kind in _KINDS and size:
            name = f"L{level}{_KINDS[kind]}"
            found[name] = found.get(name, 0) + size
    return dict(sorted(found.items()))


if sys.platform == "win32":  # pragma: no cover - runs on Windows only

    def read_processor() -> ProcessorFacts:
        """Return what the kernel tells of this computer's processor."""
        kernel = ctypes.windll.kernel32
        return ProcessorFacts(
            instruction_sets=instruction_sets(kernel.IsProcessorFeaturePresent),
            caches_bytes=caches(_table(kernel)),
        )

    def _table(kernel: ctypes.WinDLL) -> bytes:
        size = ctypes.c_uint32(0)
        kernel.GetLogicalProcessorInformation(None, ctypes.byref(size))
        table = ctypes.create_string_buffer(size.value)
        ok = kernel.GetLogicalProcessorInformation(table, ctypes.byref(size))
        return table.raw[: size.value] if ok else b""
