"""Do something away from the painting thread, and say what came of it."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QThread, Signal

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
        except Exception as error:  # noqa: BLE001 - whatever went wrong is shown to the user, never swallowed
            self.failed.emit(describe(error))
        else:
            self.succeeded.emit(result)
