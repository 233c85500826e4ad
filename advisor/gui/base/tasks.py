"""What runs behind the window: tasks in threads of their own, what came of them, and how all of it is ended."""

import contextlib
import gc
import os
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEvent, QThread, Signal, SignalInstance

from advisor.errors import AdvisorError


@dataclass(frozen=True, kw_only=True)
class Problem:
    """Something went wrong.

    Attributes:
        error: Speaks to the user, where it was raised on purpose; else None.
        details: What helps whoever fixes it.
        file: Path of the log that keeps the details; None where there is none.
    """

    error: AdvisorError | None
    details: str
    file: str | None = None


def describe(error: BaseException) -> Problem:
    """Return an error in words."""
    details = "".join(traceback.format_exception(error))
    return Problem(error=error if isinstance(error, AdvisorError) else None, details=details)


_DEADLOCK = "_DeadlockError"
"""Of ``_frozen_importlib``, which has no name for others."""


class TaskThread(QThread):
    """Do one thing away from the painting thread.

    Signals:
        succeeded: With what the task returned.
        failed: With what went wrong.
    """

    succeeded = Signal(object)
    failed = Signal(Problem)

    def __init__(self, task: Callable[[], object], name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._task = task

    def run(self) -> None:
        """Do it."""
        try:
            result = self._done()
        except BaseException as error:  # noqa: BLE001 - shown to the user; Qt's process dies of a thread's SystemExit
            self.failed.emit(describe(error))
        else:
            self.succeeded.emit(result)

    def _done(self) -> object:
        """Do it; once more where Python ended the import it begins with, which then goes on in another thread.

        Two threads that load a package and a module of it wait for each other; Python lets one of them fail.
        """
        try:
            return self._task()
        except RuntimeError as error:
            if type(error).__name__ != _DEADLOCK:
                raise
        return self._task()


class BackgroundTasks:
    """Starts tasks and knows which threads still run."""

    def __init__(self) -> None:
        self._threads: list[QThread] = []
        self._is_closed = False

    def run(
        self,
        task: Callable[[], object],
        name: str,
        on_success: Callable[..., None] | SignalInstance,
        on_failure: Callable[[Problem], None] | SignalInstance,
    ) -> None:
        """Do something in a thread; what follows is called in the painting one.

        Args:
            task: What to do.
            name: Of the thread.
            on_success: Method or signal of a Qt object (anything else would be called in the thread); gets the result.
            on_failure: The same for a problem.
        """
        if self._is_closed:
            return
        thread = TaskThread(task, name)
        thread.succeeded.connect(on_success)
        thread.failed.connect(on_failure)
        self.watch(thread)
        thread.start()

    def watch(self, thread: QThread) -> None:
        """Wait for this thread too when the window closes."""
        self._threads = [known for known in self._threads if not known.isFinished()]
        self._threads.append(thread)

    def is_running(self) -> bool:
        """Return whether anything runs."""
        return any(thread.isRunning() for thread in self._threads)

    def wait(self, timeout_ms: int) -> bool:
        """Wait until nothing runs any more; return whether it came so far."""
        deadline = QDeadlineTimer(timeout_ms)
        ended = [thread.wait(deadline) for thread in self._threads]
        return all(ended)

    def close(self) -> None:
        """Begin nothing more, and hear of nothing that still runs: what would be told is about to be deleted."""
        if self._is_closed:
            return
        self._is_closed = True
        for thread in self._threads:
            if isinstance(thread, TaskThread):
                thread.blockSignals(True)  # disconnecting fails where who was to hear it is gone already
        deliver()


def deliver() -> None:
    """Call in the painting thread what other threads have asked it to."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.MetaCall)


def stop_children() -> None:
    """End every process started here for work by force: the last resort when a session does not end.

    Workers and installers lead process groups of their own; what shares ours is multiprocessing's bookkeeping, which
    the next process started would miss, and which ends with us.
    """
    import psutil

    try:
        children = psutil.Process().children(recursive=True)
    except (
        psutil.Error,
        OSError,
        ValueError,
        LookupError,
        RuntimeError,
    ):  # a /proc that nobody can read
        return
    for child in children:
        with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):
            if not _is_of_our_group(child.pid):
                child.kill()


def _is_of_our_group(pid: int) -> bool:
    """Return whether a process shares this one's group; Windows has none, nor has multiprocessing a helper there."""
    return sys.platform != "win32" and os.getpgid(pid) == os.getpgrp()


def load_session() -> None:
    """Import what the first check needs, away from the painting thread."""
    import numpy  # noqa: F401 - what takes longest of the plots' imports, and knows no Qt

    import advisor.session.run  # noqa: F401


def load_plots() -> None:
    """Import what the first plot needs, a moment after the window has appeared, when nobody clicks yet.

    In the painting thread, although it takes a fifth of a second: in another one it crashed one start in some hundred.
    """
    import pyqtgraph  # noqa: F401

    # What is there now stays: later collections need not look through it, and hold the painting thread up half as long.
    gc.freeze()
