"""Why a worker is gone."""

import signal
import sys

import pytest

from advisor.benchmark.running.fault import Fault, cause_of_death

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")


@posix_only
@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM"])
def test_ended_by_another(name: str) -> None:
    """A process that was ended from outside was killed, and the signal is named."""
    assert cause_of_death(-signal.Signals[name], "") == Fault(reason="killed", detail=name)


@posix_only
def test_ended_by_a_fault_of_its_own() -> None:
    """A bad memory access is a crash, with the last words beside it."""
    fault = cause_of_death(-signal.SIGSEGV, "Fatal Python error: Segmentation fault")

    assert fault == Fault(reason="crashed", detail="SIGSEGV: Fatal Python error: Segmentation fault")


@pytest.mark.parametrize(
    ("status", "words", "detail"),
    [
        (1, "ImportError: no", "exit status 1: ImportError: no"),
        (0, "", "exit status 0"),
        (0xC0000005, "", "exit status 0xC0000005"),
        (-99, "", "signal 99"),
        (None, "", "The measuring process closed its channel."),
    ],
)
def test_everything_else_is_a_crash(status: int | None, words: str, detail: str) -> None:
    """The status is said as people know it."""
    assert cause_of_death(status, words) == Fault(reason="crashed", detail=detail)
