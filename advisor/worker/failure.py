"""Why a case has no result: exceptions of torch and its libraries as the few reasons the report knows.

torch is not imported here: its exceptions are told by name and message, which also hold when it cannot be imported.
"""

from typing import Literal

from advisor.records.channel import CaseError, CaseErrorReason
from advisor.records.results.measured.measurement import Case

_MAX_DETAIL = 1000

# Messages of allocators that raise a plain RuntimeError: torch's on POSIX and Windows, cuBLAS, cuDNN, MPS, Level Zero
# and OpenCL, XLA. Source: torch, aten/src/ATen/native/mps/OperationUtils.mm ("Invalid buffer size"); Unified Runtime,
# ur_result_t; XLA, absl::StatusCode.
_OUT_OF_MEMORY = (
    "out of memory",
    "out_of_device_memory",
    "out_of_host_memory",
    "out_of_resources",
    "resource_exhausted",
    "invalid buffer size",
    "can't allocate memory",
    "not enough memory",
    "alloc_failed",
    "cannot allocate memory",
)
_NOT_SUPPORTED = ("not implemented for", "not supported", "no kernel image", "doesn't support", "does not support")


class NotSupportedError(Exception):
    """The device cannot do what the case asks for."""


class MissingJaxError(NotSupportedError):
    """JAX, an extra, is not installed."""


class MissingBoostingError(NotSupportedError):
    """No library that boosts trees is installed."""


class NoRoomError(MemoryError):
    """A case states that it needs more memory than it may take, and is not tried.

    Attributes:
        needed_bytes: What it needs.
        left_bytes: What it may take: a share of what is free.
    """

    def __init__(self, needed_bytes: float, left_bytes: float) -> None:
        self.needed_bytes, self.left_bytes = int(needed_bytes), max(int(left_bytes), 0)
        super().__init__(f"It needs about {needed_bytes / 1e9:.1f} GB; {left_bytes / 1e9:.1f} GB may be taken.")


class AbandonedError(Exception):
    """The parent no longer wants the case.

    Attributes:
        reason: ``cancelled`` when everything is to end, ``skipped`` when only this case is.
    """

    def __init__(self, reason: Literal["cancelled", "skipped"]) -> None:
        self.reason = reason
        super().__init__(reason)


_MISSING: dict[type[Exception], CaseErrorReason] = {
    MissingBoostingError: "missing_boosting",
    MissingJaxError: "missing_jax",
}


def describe(error: BaseException) -> str:
    """Return the exception's class and first line, shortened."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0]}"[:_MAX_DETAIL] if lines else type(error).__name__


def failure_of(case: Case, error: Exception) -> CaseError:
    """Return the answer for a case that ended with this exception."""
    reason = reason_of(error)
    return CaseError(
        case_id=case.id,
        reason=reason,
        detail="" if isinstance(error, AbandonedError) else describe(error),
        # After a fault inside a device's driver every later call in the same process fails as well; so it does after
        # Intel's driver, not torch's allocator, ran out (https://github.com/intel/torch-xpu-ops/issues/1324).
        ends_worker=case.device != "cpu" and (reason == "error" or "UR_RESULT_ERROR" in str(error)),
        needed_bytes=error.needed_bytes if isinstance(error, NoRoomError) else None,
        left_bytes=error.left_bytes if isinstance(error, NoRoomError) else None,
    )


def reason_of(error: Exception) -> CaseErrorReason:
    """Return the report's reason for an exception."""
    if isinstance(error, AbandonedError):
        return error.reason
    message = str(error).lower()
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":
        return "does_not_fit"
    if isinstance(error, RuntimeError) and any(text in message for text in _OUT_OF_MEMORY):
        return "does_not_fit"
    if isinstance(error, NotSupportedError | NotImplementedError):
        return _MISSING.get(type(error), "not_supported")
    if isinstance(error, RuntimeError | TypeError) and any(text in message for text in _NOT_SUPPORTED):
        return "not_supported"
    return "error"
