"""Wait for what may never answer."""

import os
import sys
import threading

import pytest

from advisor.waiting import within


def test_a_driver_that_hangs_is_left_alone() -> None:
    """Who asked goes on after the time."""
    release = threading.Event()
    with pytest.raises(TimeoutError):
        within(0.05, release.wait)
    release.set()


def test_what_a_driver_raises_reaches_who_asked() -> None:
    """As does what it answers."""
    assert within(60.0, lambda: 7) == 7
    with pytest.raises(KeyError):
        within(60.0, lambda: os.environ["ADVISOR_NO_SUCH_VARIABLE"])


def test_a_driver_cannot_end_the_program() -> None:
    """A binding that leaves with SystemExit once ended a report with status 0 and no file."""
    with pytest.raises(ChildProcessError, match="SystemExit: 0"):
        within(60.0, lambda: sys.exit(0))
