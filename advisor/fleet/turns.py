"""Who gets a run when several people take turns on one computer: how many in time, and when the last is done. Pure."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from advisor.records.results.fleet import FleetJob
from advisor.units import MONTH_S

_HALVINGS = 60
_ROUNDING = 1e-9


class Turns(NamedTuple):
    """How people take turns.

    Attributes:
        rounds: Runs, one after the other, on the computer that does most of them.
        all_done_s: When the last person has one run.
    """

    rounds: int
    all_done_s: float


def in_time(run_s: float, job: FleetJob) -> int:
    """Return how many people's runs one computer ends by the deadline, and all their runs within a month."""
    return min(_runs(job.deadline_s, run_s), _runs(MONTH_S, run_s * job.runs_per_month))


def take_turns(people: int, times: Sequence[float]) -> Turns | None:
    """Return how people take turns where all begin at once and nobody waits for a slower computer than need be.

    Args:
        people: Each of whom has one run.
        times: Seconds of a run on each computer that is enough.
    """
    if not times or not people:
        return None
    low_s, high_s = 0.0, math.ceil(people / len(times)) * max(times)
    for _ in range(_HALVINGS):
        middle_s = (low_s + high_s) / 2
        is_enough = sum(_runs(middle_s, run_s) for run_s in times) >= people
        low_s, high_s = (low_s, middle_s) if is_enough else (middle_s, high_s)
    return Turns(max(_runs(high_s, run_s) for run_s in times), max(_runs(high_s, run_s) * run_s for run_s in times))


def _runs(span_s: float, run_s: float) -> int:
    return math.floor(span_s / run_s * (1 + _ROUNDING)) if run_s > 0 else 0
