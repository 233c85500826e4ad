"""The whole of one session: what goes into a file, a window or a terminal."""

from typing import Annotated

import msgspec

from advisor.records.base import Gap, Record, Source
from advisor.records.hardware.device import Board, HostParts
from advisor.records.hardware.machine import Machine
from advisor.records.job.advice import Advice
from advisor.records.job.changes import JobChanges, WhatIf
from advisor.records.job.work import Network
from advisor.records.job.workload import Circumstances, EpochRange, Workload
from advisor.records.results.diagnosis import Finding
from advisor.records.results.measured.measurement import Benchmark
from advisor.records.results.measured.own_data import OwnData
from advisor.records.results.provenance import Provenance
from advisor.records.results.published import BesidePublished
from advisor.records.results.receipt import Receipt
from advisor.records.results.reference import BesideArticle
from advisor.records.results.scaling import SiteCluster
from advisor.records.results.validation import Validation

SCHEMA_VERSION = 1
LONGEST_LABEL = 100


class NetworkSummary(Record, frozen=True, kw_only=True):
    """The network of the workload without its table of operations.

    Attributes:
        batch_normalized: Its training looks at several samples together, so a step in parts is another one.
    """

    name: str
    family: str
    parameters: int
    flop_per_sample_forward: float
    flop_per_sample_train: float
    batch_normalized: bool = False


class JobCommand(Record, frozen=True, kw_only=True):
    """How the command line asks for the job.

    Attributes:
        name: After ``--workload`` or ``--predict``.
        step: Options that make a step of the job of one of the job of that name; the batch is told apart.
        run: Further ones that make the whole run of it; None where the command line has not all of them.
    """

    name: str
    step: tuple[str, ...] = ()
    run: tuple[str, ...] | None = None


class Report(Record, frozen=True, kw_only=True):
    """One session from probe to advice.

    Attributes:
        schema_version: Version of this layout; a reader refuses another one.
        created_at: ISO 8601 in UTC.
        program_version: Of this program.
        label: What whoever looks after the computer calls it (``--label``); never found out by this program.
        is_simulated: The machine or its measurements were given by file or by hand instead of taken here.
        job_command: How the command line asks for the job; None where it cannot.
        titles: What the job is called, by language code; empty where the user named it.
        prices_as_of: Dates of the price snapshots used, by kind (``devices``, ``offers``, ``electricity``, ``rates``).
        currency_per_usd: Units of ``circumstances.currency`` for one US dollar, at the rate of ``prices_as_of``.
        findings: What holds this computer back, the worst first; empty where too little is known to say anything.
        changes: What would make the job fit this computer, or end sooner on it; None where it does well as it is.
        what_if: What the parts that the user asked about would bring.
        articles: The articles' figures, each beside what was measured here; empty where nothing was.
        cost_sources: Where the figures behind the parts of a cost are from, by kind of part; ``upload``: of the line,
            ``host_resale``: of what a computer brings.
        provenance: Where the figures of the report come from, in the language it was written in; worked out whenever a
            report is written for others, and not kept.
        validation: How well this program's predictions hold on public measurements; None in reports of versions
            before it was known.
        usual_epochs: How often such jobs go through their data; None where nobody publishes it.
        published: Times of the job's network that others published, each beside our own.
        data: The user's own data; None where none were named.
        cluster: What the user's own site has, as its answer counts on it; None where nothing was named.
        board: What the card of the best purchase asks of a computer; None where none is named, or nothing is published.
        host: The computer around a card, where its price is part of that purchase.
        receipts: What came of this answer, as far as somebody looked later; kept beside it in the history.
        gaps: What could not be done, beside the machine's own gaps.
    """

    schema_version: int = SCHEMA_VERSION
    created_at: str
    program_version: str
    label: Annotated[str, msgspec.Meta(max_length=LONGEST_LABEL)] = ""
    is_simulated: bool = False
    machine: Machine
    benchmark: Benchmark | None = None
    workload: Workload
    circumstances: Circumstances
    network: NetworkSummary | None = None
    advice: Advice
    findings: tuple[Finding, ...] = ()
    changes: JobChanges | None = None
    what_if: tuple[WhatIf, ...] = ()
    articles: tuple[BesideArticle, ...] = ()
    validation: Validation | None = None
    data: OwnData | None = None
    cluster: SiteCluster | None = None
    usual_epochs: EpochRange | None = None
    published: tuple[BesidePublished, ...] = ()
    provenance: tuple[Provenance, ...] = ()
    job_command: JobCommand | None = None
    titles: dict[str, str] = {}
    prices_as_of: dict[str, str] = {}
    cost_sources: dict[str, Source] = {}
    currency_per_usd: Annotated[float, msgspec.Meta(gt=0, le=1e9)] = 1.0
    board: Board | None = None
    host: HostParts | None = None
    receipts: tuple[Receipt, ...] = ()
    gaps: tuple[Gap, ...] = ()


def is_batch_normalized(network: Network) -> bool:
    """Return whether training looks at several samples together, so that a step in parts is another one."""
    return any("batch_norm" in one.operator and one.batch_axis == 1 for one in network.operations)


def summarise_network(network: Network) -> NetworkSummary:
    """Return the network's size and work per sample (FLOP, multiply-accumulate counted as two)."""
    forward = sum(o.count * o.flop_per_sample for o in network.operations if o.phase == "forward")
    train = sum(o.count * o.flop_per_sample for o in network.operations)
    return NetworkSummary(
        name=network.name,
        family=network.family,
        parameters=network.parameters,
        flop_per_sample_forward=forward,
        flop_per_sample_train=train,
        batch_normalized=is_batch_normalized(network),
    )
