"""Do something as a program does that has just begun: in a process forked from this one before it computed anything.

What a step of a network takes on a processor hangs on what its process freed before (see decision 81), so one process
cannot stand for another. A fork costs no second loading of PyTorch.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import sys
import time
import warnings
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from advisor.worker.failure import describe
from advisor.worker.orphaned import signal_when_orphaned

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from advisor.worker.timing import Progress

FORKS = sys.platform == "linux"
"""macOS's frameworks do not survive a fork, Windows has none."""
POLL_S = 0.05

Found = TypeVar("Found")


class SilentError(Exception):
    """The forked process has said nothing for longer than it was given."""


@dataclass(frozen=True)
class _Sampled:
    sample_s: float


@dataclass(frozen=True)
class _Raised:
    error: Exception


class EndedError(Exception):
    """The forked process has ended before it was done.

    Attributes:
        status: Its exit status; that of a signal is negative.
    """

    def __init__(self, status: int) -> None:
        self.status = status
        super().__init__(f"A measuring process ended with status {status}.")


def in_fresh_process(
    function: Callable[[Progress], Found], progress: Progress, *, patience_s: float | None = None
) -> Found:
    """Return what the function returns in a process forked from this one, or raise what it raises there.

    Args:
        function: Is given the progress it reports to, which hands its samples on.
        progress: Hears of each sample, and ends the process when the case is no longer wanted.
        patience_s: How long the process may take; None: as long as the case is wanted.

    Raises:
        EndedError: The process has ended without an answer.
        SilentError: There is no answer in time.
    """
    context: Any = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_serve, args=(there, function))
    with warnings.catch_warnings():
        # Since 3.12 Python warns where another thread runs: here it is the one that waits for commands, and holds
        # nothing that the forked process needs.
        warnings.simplefilter("ignore", DeprecationWarning)
        process.start()
    there.close()
    try:
        answer = _answer(here, progress, patience_s)
    except EOFError:
        process.join()
        raise EndedError(process.exitcode or 0) from None
    finally:
        process.kill()
        process.join()
        here.close()
    if isinstance(answer, _Raised):
        raise answer.error
    return answer  # type: ignore[no-any-return]


def _answer(here: Connection, progress: Progress, patience_s: float | None) -> Any:
    """Hand samples on until there is an answer."""
    end_s = None if patience_s is None else time.monotonic() + patience_s
    while True:
        while not here.poll(POLL_S):
            progress.check()
            if end_s is not None and time.monotonic() > end_s:
                raise SilentError
        answer = here.recv()
        if not isinstance(answer, _Sampled):
            return answer
        progress.sampled(answer.sample_s)


class _Relay:
    """Hands samples to the process that forked this one, which ends it where the case is not wanted."""

    def __init__(self, there: Connection) -> None:
        self._there = there

    def sampled(self, sample_s: float) -> None:
        self._there.send(_Sampled(sample_s))

    def check(self) -> None:
        """Go on."""


def _serve(there: Connection, function: Callable[[Progress], object]) -> None:
    if sys.platform == "linux":  # as wherever this runs: who measures for a process that is gone measures for nobody
        signal_when_orphaned(signal.SIGKILL)
    answer: object
    try:
        answer = function(_Relay(there))
    # Whatever a library or a user's network raises is raised by the one who asked.
    except Exception as error:  # noqa: BLE001
        answer = _Raised(_portable(error))
    there.send(answer)


def _portable(error: Exception) -> Exception:
    """Return an error that another process can be told: itself, or one that says the same."""
    with suppress(Exception):  # whatever its class does when it is made again
        pickle.loads(pickle.dumps(error))
        return error
    return RuntimeError(describe(error))
