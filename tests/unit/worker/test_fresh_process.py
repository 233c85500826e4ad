"""A forked process does what it is told, hands on what it measures, and ends with the case."""

import os
import signal
import sys
import time
from typing import Any

import psutil
import pytest

from advisor.worker.failure import AbandonedError, NoRoomError
from advisor.worker.fresh_process import EndedError, SilentError, in_fresh_process
from tests.fakes.suite import has_ended_soon
from tests.unit.worker.whole import Silent

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forked on Linux alone")


class Listening:
    """Hears of samples; after so many it wants no more."""

    def __init__(self, most: float = float("inf")) -> None:
        self.heard: list[float] = []
        self._most = most

    def sampled(self, sample_s: float) -> None:
        """Keep it."""
        self.heard.append(sample_s)

    def check(self) -> None:
        """Give up where enough was heard."""
        if len(self.heard) >= self._most:
            raise AbandonedError("skipped")


def test_it_returns_what_another_process_found() -> None:
    """Samples arrive in order; nothing changes here."""
    listening = Listening()
    seen: list[int] = []

    def measure(relay: Any) -> int:
        for sample_s in (1.0, 2.0):
            relay.sampled(sample_s)
            relay.check()
        seen.append(1)
        return os.getpid()

    assert in_fresh_process(measure, listening) != os.getpid()
    assert (listening.heard, seen) == ([1.0, 2.0], [])


class StubbornError(Exception):
    """Cannot be made again from its text."""

    def __init__(self, first: str, second: str) -> None:
        super().__init__(f"{first} {second}")


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValueError("no"), ValueError("no")),
        (NoRoomError(2e9, 1e9), RuntimeError("NoRoomError: It needs about 2.0 GB; 1.0 GB may be taken.")),
        (StubbornError("a", "b"), RuntimeError("StubbornError: a b")),
    ],
)
def test_what_is_raised_there_is_raised_here(error: Exception, told: Exception) -> None:
    """As itself, or in its words where its class cannot be sent."""

    def fail(_relay: object) -> None:
        raise error

    with pytest.raises(type(told)) as caught:
        in_fresh_process(fail, Silent())
    assert str(caught.value) == str(told)


def test_one_that_dies_tells_how() -> None:
    """By a signal or by an exit of its own."""
    with pytest.raises(EndedError) as killed:
        in_fresh_process(lambda relay: os.kill(os.getpid(), signal.SIGKILL), Silent())
    with pytest.raises(EndedError) as left:
        in_fresh_process(lambda relay: os._exit(3), Silent())
    assert (killed.value.status, left.value.status) == (-signal.SIGKILL, 3)


def test_what_is_not_wanted_ends() -> None:
    """The process is gone when the case is given up, or when its time is over."""

    def hang(relay: Any) -> None:
        relay.sampled(float(os.getpid()))
        time.sleep(60)

    listening = Listening(most=1)
    with pytest.raises(AbandonedError):
        in_fresh_process(hang, listening)
    assert not psutil.pid_exists(int(listening.heard[0]))
    listening = Listening()
    with pytest.raises(SilentError):
        in_fresh_process(hang, listening, patience_s=0.2)
    assert not psutil.pid_exists(int(listening.heard[0]))


def test_it_does_not_outlive_who_asked() -> None:
    """A worker that is killed leaves nobody measuring."""
    grandchild: list[int] = []

    def ask(relay: Any) -> None:
        def hang(inner: Any) -> None:
            inner.sampled(float(os.getpid()))
            time.sleep(60)

        in_fresh_process(hang, relay)

    class Killing(Listening):
        def sampled(self, sample_s: float) -> None:
            grandchild.append(int(sample_s))
            for child in psutil.Process().children():
                if grandchild[0] in [one.pid for one in child.children()]:
                    child.kill()

    with pytest.raises(EndedError):
        in_fresh_process(ask, Killing())
    assert has_ended_soon(grandchild[0])
