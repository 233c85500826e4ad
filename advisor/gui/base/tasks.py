"""What runs behind the window: short tasks in threads of their own, and how all of it is brought to an end."""

import contextlib
import gc
import os
import sys
from collections.abc import Callable

from PySide6.QtCore import QDeadlineTimer, QThread

from advisor.gui.base.threads import Problem, TaskThread


class Background:
    """Starts tasks and knows which threads still run."""

    def __init__(self) -> None:
        self._threads: list[QThread] = []

    def run(
        self,
        task: Callable[[], object],
        name: str,
        on_success: Callable[..., None],
        on_failure: Callable[[Problem], None],
    ) -> None:
        """Do something in a thread; what follows is called in the painting one.

        Args:
            task: What to do.
            name: Of the thread.
            on_success: Method of a Qt object (anything else would be called in the thread); gets the result.
            on_failure: The same for a problem.
        """
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


def end_children() -> None:
    """End every process started here for work by force: the last resort when a session does not end.

    Workers and installers lead process groups of their own; what shares ours is multiprocessing's bookkeeping, which
    the next process started would miss, and which ends with us.
    """
    import psutil

    for child in psutil.Process().children(recursive=True):
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

    In the painting thread, although it takes a fifth of a second: Qt's classes are made when they are first asked for,
    and two threads that ask at once crash the process (one start in some hundred).
    """
    import pyqtgraph  # noqa: F401

    # What is there now stays: later collections need not look through it, and hold the painting thread up half as long.
    gc.freeze()
