"""A room full of computers and the jobs they are to do: what each can, which is slower than its twins, what to get."""

from typing import Annotated, Literal

import msgspec

from advisor.records.base import Amount, Basis, Duration, Interval, Record
from advisor.records.hardware.machine import Machine
from advisor.records.job.advice import Tier
from advisor.records.job.workload import Workload
from advisor.records.results.diagnosis import FindingKind
from advisor.records.results.measured.measurement import Benchmark

Whole = Annotated[int, msgspec.Meta(ge=0, le=10**9)]

FLEET_VERSION = 1

CellState = Literal["enough", "slow", "does_not_fit", "unknown"]
RefusedReason = Literal["duplicate", "link", "not_a_report", "other_version", "too_large", "unreadable"]


class FleetJob(Record, frozen=True, kw_only=True):
    """A job of the room.

    Attributes:
        title: What its file calls it, or in English what it is.
        titles: What a ready-made job is called, by language code; empty where the file says a title.
        people: How many people run it; None: as many as there are computers.
        runs_per_month: Of each of them.
        deadline_s: All begin at once, and everybody's run must end within this.
        deadline_is_default: Nobody said by when.
    """

    title: str
    titles: dict[str, str] = {}
    workload: Workload
    people: Whole | None = None
    runs_per_month: Amount
    deadline_s: Duration
    deadline_is_default: bool = False


class FleetMember(Record, frozen=True, kw_only=True):
    """What a report tells of one computer; nothing of its user.

    Attributes:
        digest: First signs of the SHA-256 of the file without its advice: the same for the same check, whatever
            its name.
        label: What the administrator called it (``--label``); empty where nobody did.
        is_simulated: A part of it was given by hand or by file.
        is_inventory: It stands in an inventory alone, which is no report.
        findings: What the report found to hold it back.
    """

    digest: str
    label: str = ""
    created_at: str
    machine: Machine
    benchmark: Benchmark | None = None
    is_simulated: bool = False
    is_inventory: bool = False
    findings: tuple[FindingKind, ...] = ()


class RefusedFile(Record, frozen=True, kw_only=True):
    """A file that is no report of a further computer.

    Attributes:
        digest: As of a member; empty where the content was not read. A reader's own words would repeat what stands in
            the file, or its name in an archive.
    """

    digest: str = ""
    reason: RefusedReason


class FleetCell(Record, frozen=True, kw_only=True):
    """One job on one computer.

    Attributes:
        device: The device of this computer that ends it soonest; empty where the job fits none.
        run_s: Of one run; None where it does not fit or is unknown.
        interval: Of ``run_s``.
        memory_bytes: What a step needs on the device; on the one that comes nearest, where it fits none.
        available_bytes: What that device has.
    """

    state: CellState
    device: str = ""
    run_s: Duration | None = None
    interval: Interval | None = None
    memory_bytes: Amount | None = None
    available_bytes: Amount | None = None
    basis: Basis | None = None


class FleetComputer(Record, frozen=True, kw_only=True):
    """One computer of the room.

    Attributes:
        name: Its label, else its digest.
        group: Index of its group.
        is_inventory: It is known from an inventory alone.
        pace_ratio: How long it takes, over the median of its group (1.1: a tenth longer); None where it has too few
            equals that were measured.
        is_slow: It is slower than its equals by more than chance explains.
        causes: What its report found and those of its quick equals did not.
        cells: One for each job.
    """

    name: str
    digest: str
    group: Whole
    is_measured: bool
    is_inventory: bool = False
    pace_ratio: Amount | None = None
    is_slow: bool = False
    causes: tuple[FindingKind, ...] = ()
    cells: tuple[FleetCell, ...]


class FleetGroup(Record, frozen=True, kw_only=True):
    """Equal computers.

    Attributes:
        title: Processor and cards.
        memory_bytes: Main memory, as it is sold.
        members: How many.
        median_s: Of each job's run, over the members it fits; None where it fits none.
        spread_ratio: Of each job: a quarter of the members takes longer than the median by this share or more.
        findings: What several of them suffer from, and how many.
    """

    title: str
    memory_bytes: Amount
    members: Whole
    median_s: tuple[Duration | None, ...]
    spread_ratio: tuple[Amount | None, ...]
    findings: dict[FindingKind, int] = {}


class FleetPurchase(Record, frozen=True, kw_only=True):
    """So many of one thing to buy or rent.

    Attributes:
        option: Its id, as in a report.
        into: Index of the group of computers it is put into; None for what stands for itself.
        count: Cards, computers or rented machines at a time.
        seats: How many people's runs it ends by the deadline, each.
        run_s: Of one run on it.
        purchase_usd: Paid once, for all of them.
        horizon_usd: All that is paid over the horizon.
    """

    tier: Tier
    option: str
    title: str
    into: Whole | None = None
    count: Whole
    seats: Whole
    run_s: Duration
    purchase_usd: Amount
    horizon_usd: Amount


class FleetNeed(Record, frozen=True, kw_only=True):
    """What a job lacks, and the ways to get it, the cheapest over the horizon first.

    Attributes:
        job: Index of the job.
        people: Who run it.
        seats: Computers that are enough for it.
        rounds: Turns that people take on the one of those that does most runs; None where there is none.
        all_done_s: When the last of them is done, taking turns; None where there is no seat.
        all_done_interval: Of ``all_done_s``, where the runs of all take as long as the ends of their own intervals.
        missing: People who have no run by the deadline, even by turns on those.
        ways: Each of them gives all of those a run in time; empty where none is missing, or nothing on sale does.
    """

    job: Whole
    people: Whole
    seats: Whole
    rounds: Whole | None = None
    all_done_s: Duration | None = None
    all_done_interval: Interval | None = None
    missing: Whole
    ways: tuple[FleetPurchase, ...] = ()


class FleetAdvice(Record, frozen=True, kw_only=True):
    """The verdict for a whole room.

    Attributes:
        computers: By group, then by name.
        needs: One for each job.
        shared: The one purchase that serves every job that lacks seats, cheapest first, where several do.
        purchase_usd: Of the cheapest way to have every job done in time.
        horizon_usd: Over the horizon.
        is_complete: Every job that lacks seats can be given them.
        units_per_usd: Of ``currency``.
    """

    fleet_version: int = FLEET_VERSION
    program_version: str
    jobs: tuple[FleetJob, ...]
    groups: tuple[FleetGroup, ...]
    computers: tuple[FleetComputer, ...]
    refused: tuple[RefusedFile, ...] = ()
    needs: tuple[FleetNeed, ...] = ()
    shared: FleetPurchase | None = None
    purchase_usd: Amount = 0.0
    horizon_usd: Amount = 0.0
    is_complete: bool = True
    horizon_months: Amount
    currency: str
    units_per_usd: Amount
