"""How an interface steers a running suite: from another thread, or from a signal handler."""


class Control:
    """Asks a running suite to pause, skip a case or end.

    Plain assignments only, no locks: ``cancel`` is called from signal handlers, where a lock that the interrupted
    thread holds would never be released. The runner looks at it several times a second.
    """

    def __init__(self) -> None:
        self._is_cancelled = False
        self._is_paused = False
        self._skips = 0
        self._skips_taken = 0

    @property
    def is_cancelled(self) -> bool:
        """Whether the suite is to end."""
        return self._is_cancelled

    @property
    def is_paused(self) -> bool:
        """Whether the next case is to wait."""
        return self._is_paused and not self._is_cancelled

    def cancel(self) -> None:
        """End the suite as soon as possible; what was measured so far is kept."""
        self._is_cancelled = True

    def skip(self) -> None:
        """Give up the running case, or the next one while none runs."""
        self._skips += 1

    def pause(self) -> None:
        """Wait before the next case; the running one is finished."""
        self._is_paused = True

    def resume(self) -> None:
        """Go on after ``pause``."""
        self._is_paused = False

    def consume_skip(self) -> bool:
        """Return whether a skip was asked for, and take the request as done; for the runner alone."""
        if self._skips_taken == self._skips:
            return False
        self._skips_taken = self._skips
        return True
