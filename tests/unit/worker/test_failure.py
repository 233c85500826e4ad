"""Exceptions of torch as the few reasons the report knows."""

import pytest

from advisor.records.channel import CaseError
from advisor.records.results.measured.measurement import Case
from advisor.worker.failure import (
    AbandonedError,
    MissingBoostingError,
    MissingJaxError,
    NoRoomError,
    NotSupportedError,
    describe,
    failure_of,
    reason_of,
)


class OutOfMemoryError(RuntimeError):
    """Named as torch's own."""


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (MemoryError(), "does_not_fit"),
        (OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB"), "does_not_fit"),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 4 bytes"), "does_not_fit"),
        (RuntimeError("DefaultCPUAllocator: not enough memory: you tried to allocate 4 bytes"), "does_not_fit"),
        (RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate`"), "does_not_fit"),
        (RuntimeError("MPS backend out of memory (MPS allocated: 1 GB)"), "does_not_fit"),
        (RuntimeError("Invalid buffer size: 19.38 GiB"), "does_not_fit"),
        (RuntimeError("UR backend failed. UR backend returns:40 (UR_RESULT_ERROR_OUT_OF_RESOURCES)"), "does_not_fit"),
        (
            RuntimeError("level_zero backend failed with error: 39 (UR_RESULT_ERROR_OUT_OF_DEVICE_MEMORY)"),
            "does_not_fit",
        ),
        (RuntimeError("RESOURCE_EXHAUSTED: Attempting to allocate 16.00G"), "does_not_fit"),
        (NotSupportedError("no tf32"), "not_supported"),
        (MissingJaxError("no JAX"), "missing_jax"),
        (MissingBoostingError("no trees"), "missing_boosting"),
        (NotImplementedError("no kernel"), "not_supported"),
        (RuntimeError("\"addmm_impl_cpu_\" not implemented for 'Half'"), "not_supported"),
        (RuntimeError("CUDA error: no kernel image is available for execution on the device"), "not_supported"),
        (TypeError("Cannot convert: the MPS framework doesn't support float64"), "not_supported"),
        (RuntimeError("CUDA error: unspecified launch failure"), "error"),
        (ValueError("out of memory lane"), "error"),
        (AbandonedError("skipped"), "skipped"),
        (AbandonedError("cancelled"), "cancelled"),
    ],
)
def test_reasons(error: Exception, reason: str) -> None:
    """Each way in which a case can fail is told from the others."""
    assert reason_of(error) == reason


def test_only_the_first_line_is_kept() -> None:
    """A message of many lines is shortened to what matters."""
    assert describe(RuntimeError("first\nsecond")) == "RuntimeError: first"
    assert describe(MemoryError()) == "MemoryError"
    assert len(describe(RuntimeError("x" * 100_000))) <= 1000


@pytest.mark.parametrize(
    ("device", "error", "ends"),
    [
        ("cuda:0", RuntimeError("unspecified launch failure"), True),
        ("cpu", RuntimeError("bad argument"), False),
        ("cuda:0", OutOfMemoryError("CUDA out of memory"), False),
        ("xpu:0", OutOfMemoryError("XPU out of memory"), False),
        ("xpu:0", RuntimeError("UR backend returns:40 (UR_RESULT_ERROR_OUT_OF_RESOURCES)"), True),
        ("cuda:0", AbandonedError("skipped"), False),
    ],
)
def test_a_fault_of_a_device_ends_the_worker(device: str, error: Exception, ends: bool) -> None:
    """After a driver's fault the process is of no more use; memory and choice leave it sound."""
    assert failure_of(Case(id="a", program="matmul", device=device), error).ends_worker is ends


def test_being_abandoned_needs_no_detail() -> None:
    """The user knows why."""
    failure = failure_of(Case(id="a", program="matmul"), AbandonedError("skipped"))

    assert failure == CaseError(case_id="a", reason="skipped")


def test_a_case_that_is_not_tried_says_what_it_needs() -> None:
    """Both numbers reach the report, and the memory is not blamed for what nobody tried."""
    failure = failure_of(Case(id="a", program="train", device="cuda:0"), NoRoomError(10e9, 9e9))

    assert (failure.reason, failure.needed_bytes, failure.left_bytes) == ("does_not_fit", 10**10, 9 * 10**9)
    assert not failure.ends_worker
    assert failure_of(Case(id="a", program="train"), MemoryError()).needed_bytes is None
    assert NoRoomError(1e9, -5.0).left_bytes == 0
