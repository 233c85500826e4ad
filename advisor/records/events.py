"""What a running session announces, one record an event; the interfaces turn them into progress."""

from typing import Literal

from advisor.records.base import Record
from advisor.records.results.measured.measurement import Benchmark, Case, CaseFailure, Condition, Measurement

Step = Literal["probe", "benchmark", "predict", "recommend", "report"]


class StepStarted(Record, frozen=True, kw_only=True, tag="step_started"):
    """A step of the session begins."""

    step: Step


class WorkerStartsSlowly(Record, frozen=True, kw_only=True, tag="worker_starts_slowly"):
    """The measuring process still loads its libraries, or hangs in a driver; it is waited for."""


class BenchmarkPlanned(Record, frozen=True, kw_only=True, tag="benchmark_planned"):
    """The cases that will run, in order, and how long they should take together."""

    cases: tuple[Case, ...]
    budget_s: float


class CaseStarted(Record, frozen=True, kw_only=True, tag="case_started"):
    """A case begins; ``index`` counts from 0."""

    case: Case
    index: int
    count: int
    remaining_s: float


class SampleTaken(Record, frozen=True, kw_only=True, tag="sample_taken"):
    """One timed sample: seconds per iteration."""

    case_id: str
    sample_s: float


class CaseFinished(Record, frozen=True, kw_only=True, tag="case_finished"):
    """A case ended with a result."""

    measurement: Measurement


class CaseFailed(Record, frozen=True, kw_only=True, tag="case_failed"):
    """A case ended without result; the session goes on."""

    failure: CaseFailure


class DoubtsFound(Record, frozen=True, kw_only=True, tag="doubts_found"):
    """Something would spoil what is about to be measured.

    Attributes:
        programs: Names of the programs that do, the busiest first. They are the user's business: they stand in
            events, which reach the screen and are never kept, and in nothing that a report or a file holds.
    """

    conditions: tuple[Condition, ...]
    programs: tuple[str, ...] = ()


class ProgramsNamed(Record, frozen=True, kw_only=True, tag="programs_named"):
    """Other programs used the processor while it was measured; ``programs`` as of ``DoubtsFound``, never empty."""

    programs: tuple[str, ...]


class BenchmarkFinished(Record, frozen=True, kw_only=True, tag="benchmark_finished"):
    """All cases are done."""

    benchmark: Benchmark


Event = (
    StepStarted
    | DoubtsFound
    | WorkerStartsSlowly
    | BenchmarkPlanned
    | CaseStarted
    | SampleTaken
    | CaseFinished
    | CaseFailed
    | BenchmarkFinished
    | ProgramsNamed
)
