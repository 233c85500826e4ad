"""Two runs, or two machines, side by side."""

from advisor.records.base import Record
from advisor.records.results.measured.measurement import Case

MOST_NOISE_RATIO = 1.0
"""Beyond it times vary by their own size, and no difference can be told."""
_UNEVEN_RATIO = 0.3
"""Where repeats vary by more, times that are not farther apart are not called the same."""


class ComparedCase(Record, frozen=True, kw_only=True):
    """One case that both have measured.

    Attributes:
        case: As the first measured it.
        first_s, second_s: Median seconds per iteration.
        speed_ratio: How many times as fast the second is.
        noise_ratio: Relative difference that repeating alone may cause, from the spread and the pace of both.
        is_beyond_noise: The difference is larger than that, and that is not too much to tell.
    """

    case: Case
    first_s: float
    second_s: float
    speed_ratio: float
    noise_ratio: float
    is_beyond_noise: bool

    @property
    def is_too_noisy(self) -> bool:
        """Whether noise hides every difference, or one that would be noticed."""
        return self.noise_ratio > (MOST_NOISE_RATIO if self.is_beyond_noise else _UNEVEN_RATIO)


class Comparison(Record, frozen=True, kw_only=True):
    """What both have measured, and the ids of what only one of them has.

    Attributes:
        first_taken_ratio, second_taken_ratio: Share of the processor that others had on average during each check, as
            it is told wherever a check is shown.
        first_repeat_ratio, second_repeat_ratio: By how much a repeat of each would differ, from how steady the computer
            was; None where that was not measured.
    """

    cases: tuple[ComparedCase, ...]
    only_first: tuple[str, ...] = ()
    only_second: tuple[str, ...] = ()
    first_taken_ratio: float = 0.0
    second_taken_ratio: float = 0.0
    first_repeat_ratio: float | None = None
    second_repeat_ratio: float | None = None
