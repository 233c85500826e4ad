"""What came of an answer: the time that was said, and the one that it took."""

from typing import Annotated, Literal

import msgspec

from advisor.records.base import Duration, Interval, Record

MOST_TEXT = 200


class Receipt(Record, frozen=True, kw_only=True):
    """One time of an answer, beside the true one.

    Attributes:
        checked_at: When that was found out; ISO 8601 in UTC.
        option: Id of the option it is about.
        title: Its name, as the answer had it.
        is_here: Whether that option is the computer of the answer.
        how: ``told`` by the user after a whole run, or a step ``measured`` again and counted up.
        said_s: Time of one run, as the answer said it.
        interval: Of it.
        true_s: Time of one run, as it turned out.
    """

    checked_at: Annotated[str, msgspec.Meta(max_length=MOST_TEXT)]
    option: Annotated[str, msgspec.Meta(max_length=MOST_TEXT)]
    title: Annotated[str, msgspec.Meta(max_length=MOST_TEXT)]
    is_here: bool = True
    how: Literal["told", "measured"]
    said_s: Duration
    interval: Interval
    true_s: Duration

    @property
    def ratio(self) -> float:
        """The true time over the one that was said; above 1: it took longer."""
        return self.true_s / self.said_s

    @property
    def holds(self) -> bool:
        """Whether the true time lies in the interval that was said."""
        return self.interval.low <= self.true_s <= self.interval.high


class TrackRecord(Record, frozen=True, kw_only=True):
    """How answers held.

    Attributes:
        count: Answers whose true time is known.
        held: Those of them whose true time lay in the interval.
        told: Those of them whose true time is that of a whole run.
        median_off: Median of how far off the times were, as a share of what was said.
    """

    count: int
    held: int
    told: int
    median_off: float
