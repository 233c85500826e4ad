"""The threads beside the painting one: one looks at the computer, one runs the session, one samples the sensors.

Signals carry only ends and failures; events and samples wait in queues that the window empties on its own timer, so
that a busy session never floods the painting thread.
"""

import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QThread, Signal

from advisor.errors import AdvisorError
from advisor.gui.services import RunSession

if TYPE_CHECKING:
    from advisor.benchmark import Control
    from advisor.records.events import Event
    from advisor.records.report import Report
    from advisor.session.request import Request


@dataclass(frozen=True, kw_only=True)
class Problem:
    """Something went wrong.

    Attributes:
        error: Speaks to the person, where it was raised on purpose; else None.
        details: What helps whoever mends it.
        file: Path of the log that keeps the details; None where there is none.
    """

    error: AdvisorError | None
    details: str
    file: str | None = None


def describe(error: BaseException) -> Problem:
    """Return an error in words."""
    details = "".join(traceback.format_exception(error))
    return Problem(error=error if isinstance(error, AdvisorError) else None, details=details)


class TaskThread(QThread):
    """Do one thing away from the painting thread.

    Signals:
        succeeded: With the result.
        failed: With a ``Problem``.
    """

    succeeded = Signal(object)
    failed = Signal(object)

    def __init__(self, task: Callable[[], object], name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._task = task

    def run(self) -> None:
        """Do it."""
        try:
            result = self._task()
        except Exception as error:  # noqa: BLE001 - whatever went wrong is shown to the person, never swallowed
            self.failed.emit(describe(error))
        else:
            self.succeeded.emit(result)


class SessionThread(TaskThread):
    """Run one session; ``events`` fills while it runs, and ``finish`` makes of the report what is shown."""

    def __init__(
        self, run_session: RunSession, request: "Request", control: "Control", finish: "Callable[[Report], object]"
    ) -> None:
        self.events: deque[Event] = deque()
        self.control = control
        self.is_cancelled = False
        super().__init__(lambda: finish(run_session(request, self.events.append, control)), "session")

    def cancel(self) -> None:
        """Ask the session to end."""
        self.is_cancelled = True
        self.control.cancel()
