"""What the list of earlier checks shows of each, without its whole report."""

from typing import Literal

from advisor.records.base import Basis, Precision, Record
from advisor.records.job.advice import Option, Tier
from advisor.records.job.sample_kind import SampleKind, sample_kind
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.results.measured.measurement import Benchmark, Suite
from advisor.records.results.own_computer import falls_short, is_enough, is_untrusted, needs_patience
from advisor.records.results.receipt import Receipt, TrackRecord
from advisor.records.results.report import Report

Origin = Literal["here", "imported"]

_MAX_TEXT, _MAX_CARDS = 200, 16  # names in a report from elsewhere may be of any length


class Summary(Record, frozen=True, kw_only=True):
    """A report in a few facts.

    Attributes:
        created_at: ISO 8601 in UTC.
        cpu: Name of the processor.
        cards: Names of the graphics cards that train.
        job: Id of the job; empty where it was kept before ids were.
        workload: English title of the job.
        titles: Its title by language code.
        samples: How many examples it trains on; 0 where it was kept before this was.
        precision: Numeric format that was asked for; empty where it was kept before this was.
        sample_kind: What those are; ``example`` also where it was kept before this was.
        tier: The answer.
        chosen: Title of the recommended option; empty where none is named.
        run_s: Duration of one run on it; None where unknown.
        low_s, high_s: The ends of its range; None where unknown, or it was kept before these were.
        taken_ratio: Share of the processor that others had while this time was measured, or on average during the
            check where it was not; 0.0 also where it was kept before this was.
        load_ratio: The same on average during the check; 0.0 also where it was kept before this was.
        basis: What that rests on; None where it was kept before this was, or nothing is known.
        suite: What was measured; ``none`` where nothing was.
        measured: Cases with a result.
        failed: Cases without one.
        untimed: Of those, how many for want of time; 0 also where it was kept before this was.
        is_cancelled: The check was stopped before its end.
        is_simulated: The computer, or a part of it, was described by hand.
        is_enough: It is that computer, and in time; False also where it was kept before this was.
        is_patient: It is that computer for who can wait; False also where it was kept before this was.
        is_doubtful: It is that computer, of which other programs took so much meanwhile that no time of it holds.
        falls_short: It does not do what was asked, since nothing does, and comes closest.
        is_earlier: Its time is what an earlier check measured, since other programs slowed this one.
    """

    created_at: str
    cpu: str
    cards: tuple[str, ...] = ()
    job: str = ""
    workload: str
    titles: dict[str, str] = {}
    samples: int = 0
    precision: Precision | Literal[""] = ""
    sample_kind: SampleKind = "example"
    tier: Tier
    chosen: str = ""
    run_s: float | None = None
    low_s: float | None = None
    high_s: float | None = None
    taken_ratio: float = 0.0
    load_ratio: float = 0.0
    basis: Basis | None = None
    suite: Suite = "none"
    measured: int = 0
    failed: int = 0
    untimed: int = 0
    is_cancelled: bool = False
    is_simulated: bool = False
    is_enough: bool = False
    is_patient: bool = False
    is_doubtful: bool = False
    falls_short: bool = False
    is_earlier: bool = False


class Entry(Record, frozen=True, kw_only=True):
    """One earlier check in the list.

    Attributes:
        id: Its number in the store.
        label: The user's own name for it; empty where none was given.
        origin: Checked on this computer, or read from a file of another.
        summary: None where this entry is damaged.
        receipts: What came of its answer, the oldest first.
    """

    id: int
    label: str = ""
    origin: Origin = "here"
    summary: Summary | None = None
    receipts: tuple[Receipt, ...] = ()


class PastQuestion(Record, frozen=True, kw_only=True):
    """What was asked last, with or without a check; ``asked_at`` is ISO 8601 in UTC."""

    asked_at: str
    workload: Workload
    circumstances: Circumstances


class PastAnswers(Record, frozen=True, kw_only=True):
    """Every earlier answer, and how those held whose true time is known; None: it is known of none."""

    answers: tuple[Entry, ...]
    record: TrackRecord | None = None


def summarise(report: Report) -> Summary:
    """Return a report's summary."""
    benchmark, advice = report.benchmark, report.advice
    chosen = next((option for option in advice.options if option.id == advice.chosen), None)
    failures = () if benchmark is None else benchmark.failures
    return Summary(
        created_at=report.created_at[:_MAX_TEXT],
        cpu=report.machine.host.cpu.name[:_MAX_TEXT],
        cards=tuple(card.name[:_MAX_TEXT] for card in report.machine.accelerators if card.trains)[:_MAX_CARDS],
        job=report.workload.id[:_MAX_TEXT],
        workload=report.workload.title[:_MAX_TEXT],
        titles={code[:_MAX_TEXT]: title[:_MAX_TEXT] for code, title in list(report.titles.items())[:_MAX_CARDS]},
        samples=report.workload.samples,
        precision=report.workload.precision,
        sample_kind=sample_kind(report.workload),
        tier=advice.tier,
        chosen="" if chosen is None else chosen.title[:_MAX_TEXT],
        run_s=None if chosen is None else chosen.run_s,
        low_s=None if chosen is None or chosen.interval is None else chosen.interval.low,
        high_s=None if chosen is None or chosen.interval is None else chosen.interval.high,
        taken_ratio=_taken_ratio(chosen, benchmark),
        load_ratio=0.0 if benchmark is None else benchmark.load_ratio,
        basis=None if chosen is None or chosen.prediction is None else chosen.prediction.basis,
        suite="none" if benchmark is None else benchmark.suite,
        measured=0 if benchmark is None else len(benchmark.measurements),
        failed=len(failures),
        untimed=sum(failure.reason == "no_time" for failure in failures),
        is_cancelled=any(failure.reason == "cancelled" for failure in failures),
        is_simulated=report.is_simulated,
        is_enough=is_enough(report),
        is_patient=needs_patience(report),
        is_doubtful=advice.tier == "this_computer" and is_untrusted(report),
        falls_short=falls_short(report),
        is_earlier=_is_earlier(chosen, benchmark),
    )


def _is_earlier(chosen: Option | None, benchmark: Benchmark | None) -> bool:
    """Return whether the time of the answer is that of an earlier check."""
    if benchmark is None or chosen is None or chosen.prediction is None or chosen.tier != "this_computer":
        return False
    return benchmark.slowed_times(chosen.prediction.basis_detail) > 1.0


def _taken_ratio(chosen: Option | None, benchmark: Benchmark | None) -> float:
    """Return what others took of the processor while the time of the answer was measured, or of the whole check."""
    if benchmark is None:
        return 0.0
    if chosen is None or chosen.prediction is None or chosen.tier != "this_computer" or chosen.is_card:
        return benchmark.load_ratio
    return benchmark.taken_ratio(chosen.prediction.basis_detail)
