"""The thread that runs a session.

Signals carry only ends and failures; events wait in a queue that the window empties on its own timer, so that a busy
session never floods the painting thread.
"""

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from advisor.gui.backend import Backend
from advisor.gui.base.threads import TaskThread

if TYPE_CHECKING:
    from advisor.records.events import Event
    from advisor.records.request import Request
    from advisor.records.results.report import Report


class SessionThread(TaskThread):
    """Run one session; ``events`` fills while it runs, and ``finish`` makes of the report what is shown."""

    def __init__(self, backend: Backend, request: "Request", finish: "Callable[[Report], object]") -> None:
        self.events: deque[Event] = deque()
        self.control = backend.make_control()
        self.is_cancelled = False
        super().__init__(lambda: finish(backend.run_session(request, self.events.append, self.control)), "session")

    def cancel(self) -> None:
        """Ask the session to end."""
        self.is_cancelled = True
        self.control.cancel()
