"""Whether two programs are equally fast, as far as their scatter lets one say: a ratio with its interval.

Of a pair of samples taken in turn, the ratio is a draw. A few are far off wherever a virtual machine's host, or another
program, took the processor from one of the two; so it is their median that counts, with the interval of the sign test,
which supposes no form of the scatter. What the pairs of a round share, such as where memory came to lie when both
programs were built, is no further evidence: the interval is as much wider as the signs within a round agree more often
than by chance.
"""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

AIM_RATIO = 0.03
FEWEST_ROUNDS = 4
"""Of fewer it cannot be seen how much the pairs of a round share."""
_OUTSIDE = 0.05


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A ratio, and where it lies with a probability of 95 %."""

    ratio: float
    low: float
    high: float

    @classmethod
    def of(cls, rounds: Sequence[Sequence[float]]) -> "Estimate":
        """Return the median of the ratios of all pairs, given by round, and its interval; of too few it has no ends."""
        ordered = sorted(ratio for one in rounds for ratio in one)
        ratio = statistics.median(ordered)
        omitted = omitted_at_each_end(len(ordered)) if len(rounds) >= FEWEST_ROUNDS else None
        if omitted is not None:
            half = len(ordered) / 2
            omitted = math.floor(half - (half - omitted) * math.sqrt(_dependence(rounds, ratio)))
        low, high = -math.inf, math.inf
        if omitted is not None and omitted >= 0:
            low, high = ordered[omitted], ordered[-1 - omitted]
        return cls(ratio=ratio, low=low, high=high)

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


def _dependence(rounds: Sequence[Sequence[float]], median: float) -> float:
    """Return how many times as much the count above the median varies as if each pair stood alone; at least 1.

    The variance of a sum over independent rounds is estimated by the sum of their squared sums, here of signs.
    """
    signs = [[(ratio > median) - (ratio < median) for ratio in one] for one in rounds]
    alone = sum(abs(sign) for one in signs for sign in one)
    return max(1.0, sum(sum(one) ** 2 for one in signs) / alone) if alone else 1.0


def omitted_at_each_end(count: int) -> int | None:
    """Return how many of the smallest and of the largest ratios lie outside the interval; None if there is none.

    Each ratio lies below the median with probability 1/2, so the number of those that do is binomial.
    """
    outside, omitted = 0.0, -1
    for below in range(count):
        outside += 2 * math.comb(count, below) / 2**count
        if outside > _OUTSIDE:
            break
        omitted = below
    return omitted if omitted >= 0 else None


def within(aim_ratio: float) -> str:
    """Return an aim in words."""
    return f"within {aim_ratio:.0%} of 1"
