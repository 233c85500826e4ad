"""Whether two programs are equally fast, as far as their scatter lets one say: a ratio with its interval.

A round's ratio is a draw: where memory came to lie when both were built, and who disturbed the computer meanwhile, is
the same for all its samples. So not samples are counted but rounds. A few of them are far off wherever a virtual
machine's host, or another program, took the processor from one of the two; so it is their median that counts, with the
interval of the sign test, which supposes no form of the scatter.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

AIM_RATIO = 0.03
FEWEST_ROUNDS = 6
"""Of fewer even the whole range is no interval of 95 %."""
_OUTSIDE = 0.05


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A ratio, and where it lies with a probability of 95 %."""

    ratio: float
    low: float
    high: float

    @classmethod
    def of(cls, ratios: Sequence[float]) -> "Estimate":
        """Return the median of the rounds' ratios and the interval of the sign test; of too few it has no ends."""
        ordered = sorted(ratios)
        left_out = omitted_at_each_end(len(ordered))
        ends = (-math.inf, math.inf) if left_out is None else (ordered[left_out], ordered[-1 - left_out])
        return cls(ratio=statistics.median(ordered), low=ends[0], high=ends[1])

    def verdict(self, aim_ratio: float) -> bool | Literal["undecided"]:
        """Return whether the ratio is as near to 1 as aimed at; undecided where the interval crosses the aim."""
        if 1 - aim_ratio <= self.low and self.high <= 1 + aim_ratio:
            return True
        is_outside = self.high < 1 - aim_ratio or self.low > 1 + aim_ratio
        return False if is_outside else "undecided"

    def __str__(self) -> str:
        """Return both as they are printed; the error is that of the wider side."""
        error = max(self.high - self.ratio, self.ratio - self.low)
        return (
            f"{self.ratio:.3f} \N{PLUS-MINUS SIGN} {error:.1%}" if error < math.inf else f"{self.ratio:.3f}, few rounds"
        )


def omitted_at_each_end(rounds: int) -> int | None:
    """Return how many of the smallest and of the largest ratios lie outside the interval; None if there is none.

    Each round lies below the median with probability 1/2, so the number of those that do is binomial.
    """
    outside, omitted = 0.0, -1
    for below in range(rounds):
        outside += 2 * math.comb(rounds, below) / 2**rounds
        if outside > _OUTSIDE:
            break
        omitted = below
    return omitted if omitted >= 0 else None


def within(aim_ratio: float) -> str:
    """Return an aim in words."""
    return f"within {aim_ratio:.0%} of 1"
