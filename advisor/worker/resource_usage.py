"""What steps cost beside their arithmetic: pages touched for the first time, and time spent in the system."""

import statistics
import sys
from collections.abc import Sequence
from typing import NamedTuple


class Usage(NamedTuple):
    """Of all threads of this process since its start, or the difference of two such.

    Attributes:
        page_faults: Minor ones: pages the system had to hand out, none of which came from a disk.
        user_s: Time in the program.
        system_s: Time in the system.
    """

    page_faults: float
    user_s: float
    system_s: float

    @property
    def system_ratio(self) -> float:
        """Return the system's share of the processor's time."""
        return self.system_s / (self.user_s + self.system_s) if self.system_s > 0 else 0.0

    def plus(self, other: "Usage") -> "Usage":
        """Return what both used together."""
        return Usage(*map(sum, zip(self, other, strict=True)))

    def over(self, iterations: float) -> "Usage":
        """Return what each of equal iterations used."""
        return Usage(*(one / iterations for one in self))


def usage() -> Usage | None:
    """Return what this process has used; None where the system does not tell.

    Source: getrusage(2); Windows has none.
    """
    if sys.platform == "win32":
        return None
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    return Usage(float(used.ru_minflt), used.ru_utime, used.ru_stime)


def used_since(before: Usage | None) -> Usage | None:
    """Return what has been used since then; None where that is unknown."""
    now = usage()
    if before is None or now is None:
        return None
    return Usage(*(after - one for one, after in zip(before, now, strict=True)))


def mean_usage(parts: Sequence[Usage | None]) -> Usage | None:
    """Return what one of several used on average; None where that of one is unknown."""
    known = [one for one in parts if one is not None]
    return Usage(*map(statistics.fmean, zip(*known, strict=True))) if len(known) == len(parts) else None
