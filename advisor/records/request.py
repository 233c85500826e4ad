"""What an interface asks of a session, and what a session has seen before it concludes."""

from advisor.records.base import Record
from advisor.records.hardware.machine import Machine
from advisor.records.job.asked_job import OwnSource
from advisor.records.job.work import Network
from advisor.records.job.workload import Circumstances, Workload
from advisor.records.results.measured.measurement import Benchmark, Suite
from advisor.records.results.measured.own_data import FoundData, OwnData
from advisor.records.results.report import Report
from advisor.records.results.scaling import SiteCluster


class Request(Record, frozen=True, kw_only=True):
    """One question.

    Attributes:
        workload: What the user wants to train.
        network: The work of its network where it stands in the user's own program; None: a catalogue has it.
        source: Where that program is, so that a check runs its network; None: the check does not run it.
        circumstances: The user's side of it.
        suite: How much to measure.
        limit_s: How long all may take, from the command to the report; None: what the suite usually may.
        trace_folder: Where traces of the profiled steps are written; None: nowhere.
        overrides: Graphics cards set by hand, such as ``RTX 3060:12GB``.
        found: The user's data; None: none were named.
        recorded: A report whose machine and measurements stand for this computer's, or a machine alone; nothing is
            measured then.
        cluster: What the user's own site has; None where nothing was named.
        earlier: The last check of this job here, to say what it measured beside this one; None where there is none.
    """

    workload: Workload
    network: Network | None = None
    source: OwnSource | None = None
    circumstances: Circumstances = Circumstances()
    suite: Suite = "quick"
    limit_s: float | None = None
    trace_folder: str | None = None
    overrides: tuple[str, ...] = ()
    found: FoundData | None = None
    recorded: Report | Machine | None = None
    cluster: SiteCluster | None = None
    earlier: Report | None = None


class Observation(Record, frozen=True, kw_only=True):
    """A computer as seen and measured; advice for any workload follows from it without measuring again.

    Attributes:
        data: What lies where the user keeps the data; None where nothing was named.
        cluster: What the user's own site has; None where nothing was named.
    """

    machine: Machine
    benchmark: Benchmark | None = None
    is_simulated: bool = False
    data: OwnData | None = None
    cluster: SiteCluster | None = None


def observation_of(report: Report) -> Observation:
    """Return what a report's answer rests on."""
    return Observation(
        machine=report.machine,
        benchmark=report.benchmark,
        is_simulated=report.is_simulated,
        data=report.data,
        cluster=report.cluster,
    )
