"""How well predictions hold on public measurements that they were not fitted on."""

from typing import Literal

from advisor.records.base import Record

HeldOut = Literal["device", "network", "nothing"]


class ValidationRow(Record, frozen=True, kw_only=True):
    """One set of measurements.

    Attributes:
        name: Short name of the set.
        source: Where it is published.
        what: ``time`` or ``memory``.
        held_out: What the predicted row shares with no row of the fit: its device, its network, or nothing (reported
            where there is too little to hold out).
        rows: Measurements compared.
        devices, networks: How many different ones.
        error_ratio: Mean of |predicted / measured - 1|.
        median_ratio: Median of it.
        largest_ratio: Greatest of it.
        within_10_ratio, within_25_ratio: Share of rows within 10 and within 25 %.
        under_5_ratio: Share of rows predicted more than 5 % too low.
        coverage_ratio: Share of rows inside the 80 % interval; None where no interval is given.
        naive_ratio: Mean error of a plain rule fitted on the same rows: a power law of peak rate and bandwidth for
            devices, of arithmetic and bytes for networks.
        rival: Who published a predictor for such measurements, and ``rival_ratio``, its error.
        aim_ratio: What we wanted to reach.
        note: Why it falls short, or what limits it, as a code the report knows; empty where it does not.
    """

    name: str
    source: str
    what: Literal["time", "memory"] = "time"
    held_out: HeldOut
    rows: int
    devices: int
    networks: int
    error_ratio: float
    median_ratio: float
    largest_ratio: float
    within_10_ratio: float
    within_25_ratio: float
    under_5_ratio: float
    coverage_ratio: float | None = None
    naive_ratio: float | None = None
    rival: str | None = None
    rival_ratio: float | None = None
    aim_ratio: float | None = None
    note: str = ""


class ArticleRow(Record, frozen=True, kw_only=True):
    """One duration an article reports, beside the interval predicted for it."""

    name: str
    measured_s: float
    predicted_s: float
    low_s: float
    high_s: float
    is_inside: bool
    note: str = ""


class Validation(Record, frozen=True, kw_only=True):
    """The figures of the page "How sure are we?".

    Attributes:
        made: ISO date.
        coverage_ratio: Share of all held-out times inside their 80 % intervals.
    """

    made: str
    coverage_ratio: float
    rows: tuple[ValidationRow, ...]
    articles: tuple[ArticleRow, ...] = ()
