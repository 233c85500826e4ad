"""What Linux does with a process whose parent ends."""

import ctypes

_PR_SET_PDEATHSIG = 1
"""Source: linux/prctl.h."""


def signal_when_orphaned(number: int) -> None:
    """Have this process get a signal when the one that began it ends; for Linux alone.

    Source: PR_SET_PDEATHSIG(2const).
    """
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, number, 0, 0, 0)
