"""Two runs, or two machines, side by side."""

import math
from typing import Literal

from advisor.records.base import Record
from advisor.records.results.measured.measurement import DISTURBED_RATIO, Case, FailureReason

MOST_NOISE_RATIO = 1.0
"""Beyond it times vary by their own size, and no difference can be told."""
REPEATABILITY_RATIO = 0.03
"""Median difference between repeated quick runs on an idle machine; a smaller difference says nothing."""
ONCE_RATIO = 1.0
"""Difference from which a test is told that was timed once, so that no repeat says how far it is apart by chance.

On a computer that nobody had changed such tests were 1.3 and 1.7 times apart from one check to the next; what lies
between that and twice the time is room for worse days.
"""

Finding = Literal["disturbed", "faster", "slower", "same", "chance", "once", "noisy"]
"""What is found of the second: a difference within noise may be chance, one within noise that hides any is noisy.

Of a test that was timed once the noise is not known, and nothing less than ``ONCE_RATIO`` can be told.
What other programs slowed in either tells nothing of the computers.
"""

Side = Literal["", "A", "B", "both"]
"""The first of two, the second, or both; empty: neither."""


def side_of(first: bool, second: bool) -> Side:
    """Return which of two something holds of."""
    if first and second:
        return "both"
    return "A" if first else "B" if second else ""


def is_same(speed_ratio: float) -> bool:
    """Return whether two times are no farther apart than those of repeats on an idle machine."""
    return abs(math.log(speed_ratio)) <= math.log1p(REPEATABILITY_RATIO)


class ComparedCase(Record, frozen=True, kw_only=True):
    """One case that both have measured.

    Attributes:
        case: As the first measured it.
        first_s, second_s: Median seconds per iteration.
        speed_ratio: How many times as fast the second is.
        noise_ratio: Relative difference that repeating alone may cause, from the spread and the pace of both.
        is_beyond_noise: The difference is larger than that, and that is not too much to tell.
        first_taken_ratio, second_taken_ratio: Share of the processor that others had meanwhile.
        is_once: Either was timed once, and nothing is known of its kind: ``noise_ratio`` is ``ONCE_RATIO`` at least.
    """

    case: Case
    first_s: float
    second_s: float
    speed_ratio: float
    noise_ratio: float
    is_beyond_noise: bool
    first_taken_ratio: float = 0.0
    second_taken_ratio: float = 0.0
    is_once: bool = False

    @property
    def disturbed(self) -> Side:
        """Which of two times of the processor others disturbed; a card computes on beside them."""
        ratios = (self.first_taken_ratio, self.second_taken_ratio)
        return side_of(*(self.case.device == "cpu" and ratio >= DISTURBED_RATIO for ratio in ratios))

    @property
    def finding(self) -> Finding:
        """What two times come to; those that are equal are so however noisy they are."""
        if self.disturbed:
            return "disturbed"
        if self.is_beyond_noise:
            return "faster" if self.speed_ratio > 1 else "slower"
        if is_same(self.speed_ratio):
            return "same"
        if self.noise_ratio > MOST_NOISE_RATIO:
            return "noisy"
        return "once" if self.is_once else "chance"


class Comparison(Record, frozen=True, kw_only=True):
    """What both have measured, and the ids of what only one of them has.

    Attributes:
        first_taken_ratio, second_taken_ratio: Share of the processor that others had on average during each check, as
            it is told wherever a check is shown.
        first_repeat_ratio, second_repeat_ratio: By how much a repeat of each would differ, from how steady the computer
            was; None where that was not measured.
        pace_noise_ratio: Relative difference that their pace alone may cause; part of the noise of each case.
        reasons: Why a case that only one of them has, by its id, was not measured by the other; not of what was not
            asked of it.
    """

    cases: tuple[ComparedCase, ...]
    only_first: tuple[str, ...] = ()
    only_second: tuple[str, ...] = ()
    first_taken_ratio: float = 0.0
    second_taken_ratio: float = 0.0
    first_repeat_ratio: float | None = None
    second_repeat_ratio: float | None = None
    pace_noise_ratio: float = 0.0
    reasons: dict[str, FailureReason] = {}
