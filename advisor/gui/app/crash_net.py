"""A net for errors nobody caught: they are logged and said, and the window stays."""

import sys
import traceback
from pathlib import Path
from types import TracebackType

from advisor.crash import write_crash_log
from advisor.gui.app.main_window import MainWindow
from advisor.gui.base.tasks import Problem
from advisor.installation import installation_error, is_loading
from advisor.locale import N_


def report_crash(window: MainWindow, log: Path) -> None:
    """Say that the program ended before its time when it last ran."""
    try:
        details = log.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        details = str(error)
    problem = Problem(error=None, details=f"{log}\n\n{details}", file=str(log))
    window.problem.show_problem(problem, N_("The program ended unexpectedly when it last ran."))


class CrashNet:
    """Takes every error that nobody caught: it is logged in the log folder and said in the window, each kind once."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._seen: set[str] = set()

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Log an error and show it."""
        if issubclass(kind, KeyboardInterrupt):
            self._window.end()
            return
        details = "".join(traceback.format_exception(kind, error, trace))
        if details in self._seen:
            return
        self._seen.add(details)
        place = write_crash_log(details)
        known = installation_error(error) if isinstance(error, Exception) and is_loading(error) else None
        sys.stderr.write(details if known is None else f"{known.sentence(self._window.context.gettext)}\n")
        problem = Problem(error=known, details=f"{place}\n\n{details}", file=place if Path(place).is_file() else None)
        self._window.problem.show_problem(problem, N_("Something in the window went wrong."))
