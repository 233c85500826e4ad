"""NVML's words in ours: error codes as reasons, throttle bits as names."""

from typing import Any

from advisor.records.base import GapReason

# Source: NVML API reference, "nvmlReturn_t".
_REASONS: dict[int, GapReason] = {
    1: "unreadable",  # UNINITIALIZED
    3: "not_supported",  # NOT_SUPPORTED
    4: "permission_denied",  # NO_PERMISSION
    6: "not_found",  # NOT_FOUND
    9: "no_driver",  # DRIVER_NOT_LOADED
    10: "timeout",  # TIMEOUT
    12: "driver_without_library",  # LIBRARY_NOT_FOUND
    13: "not_supported",  # FUNCTION_NOT_FOUND
    15: "device_lost",  # GPU_IS_LOST
    16: "unreadable",  # RESET_REQUIRED
    18: "library_mismatch",  # LIB_RM_VERSION_MISMATCH
    20: "unreadable",  # MEMORY
    21: "not_supported",  # NO_DATA
    25: "not_supported",  # ARGUMENT_VERSION_MISMATCH
    26: "not_supported",  # DEPRECATED
    28: "device_lost",  # GPU_NOT_FOUND
}
DEVICE_LOST_CODES = frozenset({1, 15, 16})

# Source: NVML API reference, "NvmlClocksEventReasons". Bits 0x1 (idle) and 0x100 (display clock) hold no work back.
_THROTTLES: tuple[tuple[int, str], ...] = (
    (0x4, "power_limit"),
    (0x20, "heat"),
    (0x40, "heat"),
    (0x80, "power_brake"),
    (0x8, "hardware_slowdown"),
    (0x2, "set_clocks"),
    (0x10, "sync_boost"),
)


def error_code(error: BaseException) -> int:
    """Return NVML's number of an error, 999 (unknown) where it has none."""
    value: Any = getattr(error, "value", None)
    return value if isinstance(value, int) else 999


def gap_reason(error: BaseException) -> GapReason:
    """Return an NVML error as a reason."""
    return _REASONS.get(error_code(error), "unreadable")


def throttle_names(bits: int) -> tuple[str, ...]:
    """Return why the clock is held down, without repetition."""
    return tuple(dict.fromkeys(name for bit, name in _THROTTLES if bits & bit))


def system_address(bus_id: str | bytes) -> str:
    """Return a PCI address as the kernel writes it: ``0000:01:00.0`` for NVML's ``00000000:01:00.0``."""
    text = bus_id.decode("ascii", "replace") if isinstance(bus_id, bytes) else bus_id
    domain, _colon, rest = text.lower().partition(":")
    return f"{domain[-4:]}:{rest}"
