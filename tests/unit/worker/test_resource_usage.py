"""Page faults and time in the system, from this process's own account."""

import contextlib
import mmap
import sys

import pytest

from advisor.worker.resource_usage import Usage, mean_usage, usage, used_since


@pytest.mark.skipif(sys.platform == "win32", reason="getrusage is POSIX")
def test_pages_touched_are_counted() -> None:
    """Four megabytes that nobody has touched before are a thousand page faults of 4 KiB, or fewer larger ones."""
    before = usage()
    with mmap.mmap(-1, 4 * 2**20) as fresh:
        if hasattr(mmap, "MADV_NOHUGEPAGE"):
            with contextlib.suppress(OSError):  # a kernel without huge pages knows no such advice
                fresh.madvise(mmap.MADV_NOHUGEPAGE)
        for offset in range(0, len(fresh), mmap.PAGESIZE):
            fresh[offset] = 1
    used = used_since(before)

    assert used is not None
    assert used.page_faults >= 4 * 2**20 / mmap.PAGESIZE
    assert used.user_s + used.system_s > 0


def test_share_of_the_system() -> None:
    """It is its part of both, and nothing where nothing was used."""
    assert Usage(0.0, 3.0, 1.0).system_ratio == 0.25
    assert Usage(0.0, 0.0, 0.0).system_ratio == 0.0


def test_a_system_that_does_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has no such account: nothing is said."""
    monkeypatch.setattr(sys, "platform", "win32")
    assert usage() is None
    assert used_since(Usage(0.0, 0.0, 0.0)) is None


def test_what_an_iteration_used_is_an_average() -> None:
    """Of one process by its iterations, of several processes by themselves, of both parts of a step together."""
    assert Usage(1.0, 2.0, 3.0).plus(Usage(1.0, 0.0, 1.0)) == Usage(2.0, 2.0, 4.0)
    assert Usage(10.0, 4.0, 2.0).over(2) == Usage(5.0, 2.0, 1.0)
    assert mean_usage([Usage(2.0, 1.0, 0.0), Usage(4.0, 3.0, 2.0)]) == Usage(3.0, 2.0, 1.0)
    assert mean_usage([Usage(2.0, 1.0, 0.0), None]) is None
