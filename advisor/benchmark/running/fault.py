"""Why a case or a worker came to nothing. Pure."""

import signal

from advisor.records.base import Record
from advisor.records.results.measured.measurement import FailureReason


class Fault(Record, frozen=True, kw_only=True):
    """A reason, what the system said, and for lack of time or memory how much was needed and how much was left."""

    reason: FailureReason
    detail: str = ""
    needed_s: float | None = None
    left_s: float | None = None
    needed_bytes: int | None = None
    left_bytes: int | None = None


def cause_of_death(status: int | None, last_words: str) -> Fault:
    """Return why a worker is gone.

    Args:
        status: Its exit status, negative for a signal; None while it runs although its channel is closed.
        last_words: The end of its standard error.
    """
    if status is None:
        return Fault(reason="crashed", detail="The measuring process closed its channel.")
    if status == -signal.SIGTERM or status == -getattr(signal, "SIGKILL", 9):
        return Fault(reason="killed", detail=_signal_name(-status))
    how = _signal_name(-status) if status < 0 else f"exit status {_windows_code(status)}"
    return Fault(reason="crashed", detail=f"{how}: {last_words}" if last_words else how)


def _windows_code(status: int) -> str:
    """Return the status; the codes of Windows' own faults, such as 0xC0000005, in their usual form."""
    return f"0x{status:08X}" if status >= 0x80000000 else str(status)


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
