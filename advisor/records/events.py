"""What a running session announces, one record an event; the faces turn them into progress."""

from typing import Literal

from advisor.records.base import Record
from advisor.records.measurement import Benchmark, Case, CaseFailure, Measurement

Step = Literal["probe", "benchmark", "predict", "recommend", "report"]


class StepStarted(Record, frozen=True, kw_only=True, tag="step_started"):
    """A step of the session begins."""

    step: Step


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


class BenchmarkFinished(Record, frozen=True, kw_only=True, tag="benchmark_finished"):
    """All cases are done."""

    benchmark: Benchmark


Event = StepStarted | BenchmarkPlanned | CaseStarted | SampleTaken | CaseFinished | CaseFailed | BenchmarkFinished
