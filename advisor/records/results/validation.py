"""How well predictions hold on public measurements that they were not fitted on."""

from typing import Literal

from advisor.records.base import Record

HeldOut = Literal["device", "network", "nothing"]


class ValidationRow(Record, frozen=True, kw_only=True):
    """One set of measurements.

    Attributes:
        name: Short name of the set.
        title: What was measured, in a few English words that the interfaces translate.
        source: Where it is published; ``date``: the day it was read.
        what: ``time`` or ``memory``.
        held_out: What the predicted row shares with no row of the fit: its device, its network, or nothing (reported
            where there is too little to hold out).
        rows: Measurements compared.
        devices, networks: How many different ones.
        error_ratio: Mean of |predicted / measured - 1|.
        median_ratio: Median of it.
        largest_ratio: Greatest of it.
        within_10_ratio, within_25_ratio: Share of rows within 10 and within 25 %.
        under_5_ratio: Share of rows predicted more than 5 % too low; ``bound_under_5_ratio``: share of rows more than
            5 % above the upper end of the interval, which is what memory is compared with.
        coverage_ratio: Share of rows inside the 80 % interval, each fifth of the devices (or networks) scored by
            an interval fitted on the others; None where no interval is given.
        untold_ratio: Mean error where the year of the framework is not told, ``untold_coverage_ratio``: share of rows
            inside the then wider interval; None where nothing depends on it.
        fitted_ratio: Mean error where the published job's own software, computer and copies are known, which the
            program cannot know of a user's job; None where there are none.
        device_known_ratio: Mean error that would remain if one factor for each device were known, as its other networks
            tell it; None where devices were not held out. ``network_known_ratio``: for each network, as its other rows
            tell it; None where networks were not held out.
        noise_ratio: How far published measurements of the same thing lie from their middle on average: no prediction
            can be better; None where nothing was measured twice.
        naive_ratio: Mean error of a plain rule fitted on the same rows: a power law of peak rate and bandwidth for
            devices, of arithmetic and bytes for networks.
        rival: Who published a predictor for such measurements, and ``rival_ratio``, its error.
        aim_ratio: What we wanted to reach; ``aim_median_ratio`` and ``aim_largest_ratio``: median and largest error.
        note: What has to be known of the set, as an English sentence that interfaces translate, with ``note_ratios``
            in its places.
    """

    name: str
    title: str = ""
    source: str
    date: str = ""
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
    bound_under_5_ratio: float | None = None
    coverage_ratio: float | None = None
    untold_ratio: float | None = None
    untold_coverage_ratio: float | None = None
    fitted_ratio: float | None = None
    device_known_ratio: float | None = None
    network_known_ratio: float | None = None
    noise_ratio: float | None = None
    naive_ratio: float | None = None
    rival: str | None = None
    rival_ratio: float | None = None
    aim_ratio: float | None = None
    aim_median_ratio: float | None = None
    aim_largest_ratio: float | None = None
    note: str = ""
    note_ratios: dict[str, float] = {}

    @property
    def has_aim(self) -> bool:
        """Whether something was aimed at."""
        return self.aim_ratio is not None

    @property
    def is_met(self) -> bool:
        """Whether every aim was reached; true where there was none."""
        pairs = (
            (self.error_ratio, self.aim_ratio),
            (self.median_ratio, self.aim_median_ratio),
            (self.largest_ratio, self.aim_largest_ratio),
        )
        return all(aim is None or reached <= aim for reached, aim in pairs)


class ArticleRow(Record, frozen=True, kw_only=True):
    """One duration an article reports, or how many times as long something takes, beside the interval predicted for it.

    Attributes:
        name: Short name; ``title``: what ran, in a few English words that the interfaces translate.
        source: Who reports it, and ``date``, when.
        unit: ``s``, or ``times`` where the article gives a ratio of durations; the figures are then such ratios.
        measured_s: What the article says.
        predicted_s, low_s, high_s: Prediction and 80 % interval, input pipeline included.
        note: What limits it, as an English sentence that the interfaces translate.
    """

    name: str
    title: str = ""
    source: str = ""
    date: str = ""
    unit: Literal["s", "times"] = "s"
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
        coverage_ratio: Share of times on held-out devices inside their 80 % intervals, mean of all sets, with the year
            of the framework told and not.
    """

    made: str
    coverage_ratio: float
    rows: tuple[ValidationRow, ...]
    articles: tuple[ArticleRow, ...] = ()


class HeldOutTimes(Record, frozen=True, kw_only=True):
    """Some of a set's measured times, evenly chosen by their length, and what was predicted for each, held out.

    Attributes:
        name, title, held_out: Of the set, as in ``ValidationRow``.
        of_rows: Measurements of the whole set.
        width: How many times as long, or as short, the 80 % interval reaches for half of the set.
        measured_s, predicted_s: In the same order.
    """

    name: str
    title: str
    held_out: HeldOut
    of_rows: int
    width: float
    measured_s: tuple[float, ...]
    predicted_s: tuple[float, ...]
