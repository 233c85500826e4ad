"""Memory that a virtual machine has not been given yet."""

import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.torch


class _Counts:
    """A case that is no longer wanted after so many blocks."""

    def __init__(self, most: int = 1_000) -> None:
        self.checks, self._most = 0, most

    def sampled(self, sample_s: float) -> None:
        raise AssertionError(sample_s)

    def check(self) -> None:
        from advisor.worker.failure import AbandonedError

        self.checks += 1
        if self.checks >= self._most:
            raise AbandonedError("cancelled")


def test_the_wanted_memory_is_touched_and_given_back() -> None:
    """The process had it for a moment, page by page, and has it no more.

    In a process of its own, whose peak no other test has raised.
    """
    code = (
        "import sys, torch, psutil;"
        "from pathlib import Path;"
        "from advisor.worker.untouched_memory import touch_memory;"
        "from tests.unit.worker.test_untouched_memory import _Counts;"
        "before = psutil.Process().memory_info().rss;"
        "touch_memory(320 * 1024**2, torch.device('cpu'), _Counts());"
        "lines = Path('/proc/self/status').read_text().splitlines() if sys.platform == 'linux' else [];"
        "peak = [int(line.split()[1]) * 1024 for line in lines if line.startswith('VmHWM')];"
        "print(before, psutil.Process().memory_info().rss, *peak)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=240, check=True)
    before, after, *peak = map(int, done.stdout.split())

    assert after - before < 32 * 1024**2
    if not peak:
        pytest.skip("this system does not tell the peak of a process")
    assert peak[0] - before == pytest.approx(320 * 1024**2, rel=0.1)


def test_a_cancelled_case_touches_no_more() -> None:
    """Between two blocks it hears that nobody wants it."""
    import torch

    from advisor.worker.failure import AbandonedError
    from advisor.worker.untouched_memory import touch_memory

    counts = _Counts(most=1)
    with pytest.raises(AbandonedError):
        touch_memory(512 * 1024**2, torch.device("cpu"), counts)

    assert counts.checks == 1


def test_no_more_than_half_of_what_is_free_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job that needs more than the computer has costs nobody their memory."""
    import torch

    from advisor.worker import untouched_memory

    monkeypatch.setattr(untouched_memory, "free_bytes", lambda _device: 300 * 1024**2)
    counts = _Counts()
    untouched_memory.touch_memory(1e15, torch.device("cpu"), counts)

    assert counts.checks == 2


def test_slow_memory_ends_it_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host that gives its pages slowly does not hold up the check."""
    import torch

    from advisor.worker import untouched_memory

    clock = iter(range(0, 1_000, 3))
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(clock)))
    counts = _Counts()
    untouched_memory.touch_memory(1 << 30, torch.device("cpu"), counts)

    assert counts.checks == 1


def test_a_card_has_none_of_this() -> None:
    """Only the processor's memory is the host's."""
    import torch

    from advisor.worker.untouched_memory import touch_memory

    counts = _Counts()
    touch_memory(1 << 30, torch.device("meta"), counts)

    assert counts.checks == 0
