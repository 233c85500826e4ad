"""What a face asks of a session, and what a session has seen before it concludes."""

from advisor.records.base import Record
from advisor.records.machine import Machine
from advisor.records.measurement import Benchmark, Suite
from advisor.records.report import Report
from advisor.records.workload import Circumstances, Workload


class Request(Record, frozen=True, kw_only=True):
    """One question.

    Attributes:
        workload: What the person wants to train.
        circumstances: The person's side of it.
        suite: How much to measure.
        overrides: Graphics cards set by hand, such as ``RTX 3060:12GB``.
        recorded: A report whose machine and measurements stand for this computer's; nothing is measured then.
    """

    workload: Workload
    circumstances: Circumstances = Circumstances()
    suite: Suite = "quick"
    overrides: tuple[str, ...] = ()
    recorded: Report | None = None


class Observation(Record, frozen=True, kw_only=True):
    """A computer as seen and measured; advice for any workload follows from it without measuring again."""

    machine: Machine
    benchmark: Benchmark | None = None
    is_simulated: bool = False
