"""Run a suite in a worker: one case after another, whatever the worker does; every case ends as result or as reason."""

import datetime
import math
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from advisor.benchmark.planning.schedule import START_RATIO, TooLong, fit, total_s
from advisor.benchmark.results.case_conditions import by_others, slowed_card
from advisor.benchmark.results.pace import with_pace
from advisor.benchmark.results.statistics import summarise
from advisor.benchmark.running.control import Control
from advisor.benchmark.running.fault import Fault, cause_of_death
from advisor.benchmark.running.redact_messages import shorten
from advisor.benchmark.running.worker_process import Ended, Garbage, Graces, Heard, WorkerProcess, worker_command
from advisor.card_matching import spelled_devices
from advisor.errors import WorkerError
from advisor.records.base import Record
from advisor.records.channel import AbandonCase, CaseBegun, CaseError, CaseResult, Ready, RunCase, Sample
from advisor.records.events import (
    BenchmarkFinished,
    BenchmarkPlanned,
    CaseFailed,
    CaseFinished,
    CaseStarted,
    Event,
    SampleTaken,
    WorkerStartsSlowly,
)
from advisor.records.hardware.machine import Framework
from advisor.records.hardware.telemetry import TelemetrySummary
from advisor.records.job.asked_job import FED_PROGRAM, JOB_PROGRAM, AskedJob
from advisor.records.results.measured.measurement import (
    DISTURBED_RATIO,
    FIRST_TRY_DETAIL,
    Benchmark,
    Case,
    CaseFailure,
    Condition,
    Measurement,
    Series,
    Suite,
    is_slowed,
    load_ratio,
)
from advisor.units import MIB

HELD_BYTES = 256 * MIB
"""Of freed memory in a worker's heap, at which it is no longer like a new program, which has about 70 MB of them.

Measured with glibc 2.36: a training step of the articles' CNN had 378,000 page faults in a new program as in a new
worker; 359,000 where a case before had left 620 MB, and 180,000, in three fifths of the time, where it had left 1.7 GB.
"""
LEAST_START_S = 30.0
"""So long a worker may load its libraries, however short the suite is: torch just installed, and not yet compiled by
Python, took more than 15 s beside other work on two cores."""
SLOW_START_S = 10.0
"""After which the user hears what is being waited for."""
POLL_S = 0.05
"""How often the control is looked at."""

CheckConditions = Callable[[Literal["before", "during"], int | None], tuple[Condition, ...]]
"""Called as a case begins (``before``) and as it ends (``during``), with the worker's process id, so that a check can
compare counters of the two moments and leave the worker's own load out."""
PlanFor = Callable[[Ready], Sequence[Case]]
LimitFor = Callable[[Ready], float]
TracePathFor = Callable[[Case], Path]


class Sensors(Protocol):
    """What watches the computer while a case runs."""

    def begin(self) -> None:
        """A case begins."""

    def end(self) -> TelemetrySummary | None:
        """Return what was seen since the beginning; the case has ended."""

    def series(self, device: str, framework: Framework) -> tuple[Series, ...]:
        """Return how a device's clock, temperature and power went since the beginning."""


class NoSensors:
    """Sees nothing."""

    def begin(self) -> None:
        """Do nothing."""

    def end(self) -> None:
        """Return nothing."""

    def series(self, device: str, framework: Framework) -> tuple[Series, ...]:
        """Return none for any device."""
        return ()


class Limits(Record, frozen=True, kw_only=True):
    """What a worker is allowed.

    Attributes:
        start_s: From the start of the process to its first answer; importing torch from a cold disk takes long.
        deaths: After so many in a row no further worker is started.
        graces: Of the stop ladder.
    """

    start_s: float = 180.0
    deaths: int = 3
    graces: Graces = Graces()


def run_suite(
    plan_for: PlanFor,
    *,
    suite: Suite = "quick",
    limit_for: LimitFor = lambda ready: math.inf,
    announce: Callable[[Event], None] = lambda event: None,
    control: Control | None = None,
    command: Sequence[str] | None = None,
    check_conditions: CheckConditions | None = None,
    sensors: Sensors | None = None,
    peaks_flop_per_s: Mapping[tuple[str, str], float] | None = None,
    limits: Limits | None = None,
    trace_path_for: TracePathFor | None = None,
    job: AskedJob | None = None,
    own_files: Sequence[bytes] = (),
) -> Benchmark:
    """Measure and return everything that was measured, and why the rest was not.

    Blocks until done; the worker and all it started have ended by then.

    Args:
        plan_for: Returns the cases, given what the worker can do.
        suite: What the plan is called in the result.
        limit_for: Returns how many seconds all may take, given what the worker can do; a pause does not count.
        announce: Hears of each step, in this thread.
        control: Cancels, skips, pauses, from other threads.
        command: Starts the worker; None: this program's own.
        check_conditions: Looks for what spoils a measurement.
        sensors: Watch each case; None: nothing does.
        peaks_flop_per_s: Theoretical peaks by (device, precision), where they are known.
        limits: What the worker is allowed.
        trace_path_for: Returns the file in which a profiled case leaves a trace for Perfetto; None: nowhere.
        job: What the user asked about, for the cases that measure it.
        own_files: Paths of the user's data, for the case that loads them; they stay out of the result.
    """
    started_at = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    clock_s = time.monotonic()
    run = _Run(
        limit_for=limit_for,
        announce=announce,
        control=control or Control(),
        command=command or worker_command(),
        check_conditions=check_conditions or (lambda when, pid: ()),
        sensors=sensors or NoSensors(),
        peaks_flop_per_s=peaks_flop_per_s or {},
        limits=limits or Limits(),
        trace_path_for=trace_path_for,
        job=job,
        own_files=own_files,
    )
    conditions = run.check_conditions("before", None)
    try:
        run.measure_all(plan_for)
    finally:
        run.drop_worker()
    benchmark = Benchmark(
        suite=suite,
        started_at=started_at,
        wall_s=time.monotonic() - clock_s,
        limit_s=run.limit_s if math.isfinite(run.limit_s) else None,
        measurements=with_pace(run.measurements),
        failures=tuple(run.failures),
        conditions=conditions,
        environment=run.environment,
        worker_lingers=run.worker_lingers,
    )
    announce(BenchmarkFinished(benchmark=benchmark))
    return benchmark


class _Run:
    """One run of a suite.

    Attributes:
        ready: What the worker said it can do; empty while it has said nothing.
        limit_s: What all may take.
        worker_lingers: A worker could not be ended.
    """

    def __init__(
        self,
        *,
        limit_for: LimitFor,
        announce: Callable[[Event], None],
        control: Control,
        command: Sequence[str],
        check_conditions: CheckConditions,
        sensors: Sensors,
        peaks_flop_per_s: Mapping[tuple[str, str], float],
        limits: Limits,
        trace_path_for: TracePathFor | None,
        job: AskedJob | None,
        own_files: Sequence[bytes],
    ) -> None:
        self._limit_for = limit_for
        self._deadline_s = math.inf
        self._announce = announce
        self._control = control
        self._command = command
        self._sensors = sensors
        self._peaks_flop_per_s = peaks_flop_per_s
        self._limits = limits
        self._trace_path_for = trace_path_for
        self._job = job
        self._own_files = own_files
        self._worker: WorkerProcess | None = None
        self._deaths: Counter[str] = Counter()
        self._given_up: dict[str, Fault] = {}
        self._no_worker: Fault | None = None
        self._held_bytes, self._has_run = 0, False
        self._repeated: set[str] = set()
        self.check_conditions = check_conditions
        self.ready = Ready(framework=Framework())
        self.limit_s = math.inf
        self.measurements: list[Measurement] = []
        self.failures: list[CaseFailure] = []
        self.worker_lingers = False

    @property
    def environment(self) -> dict[str, str]:
        """What the worker says of itself, and what kept it from a device."""
        problem = self.ready.problem
        seen = spelled_devices(self.ready.framework)
        return self.ready.environment | seen | ({"problem": shorten(problem)} if problem else {})

    def measure_all(self, plan_for: PlanFor) -> None:
        """Start a worker, have the cases planned, and run each."""
        began_s = time.monotonic()
        # A worker that hangs in its start must not last longer than all was to.
        self._deadline_s = began_s + max(self._limit_for(self.ready), LEAST_START_S)
        self._start()
        cases = tuple(plan_for(self.ready))
        self.limit_s = self._limit_for(self.ready)
        self._deadline_s = max(began_s + self.limit_s, time.monotonic() + START_RATIO * self.limit_s)
        self._announce(BenchmarkPlanned(cases=cases, budget_s=total_s(cases, (), self._left_s)))
        for index, case in enumerate(cases):
            self._wait_while_paused()
            fault = self._run(case, index, cases)
            if fault is not None:
                failure = CaseFailure(case=case, **msgspec.structs.asdict(fault))
                self.failures.append(failure)
                self._announce(CaseFailed(failure=failure))
            self._measure_again(cases, index)

    @property
    def _left_s(self) -> float:
        return self._deadline_s - time.monotonic()

    def _run(self, case: Case, index: int, cases: Sequence[Case]) -> Fault | None:
        """Run a case with the time it gets; return the fault if there is no result."""
        fault = self._fault_before(case)
        if fault is not None:
            return fault
        found = self._fit_and_measure(case, cases[index + 1 :], index, len(cases))
        if isinstance(found, Fault):
            return found
        self.measurements.append(found)
        self._announce(CaseFinished(measurement=found))
        return None

    def _measure_again(self, cases: Sequence[Case], index: int) -> None:
        """Measure jobs whose test others slowed once more where they left the last one alone.

        The less disturbed of both counts: nothing else tells as much of the job.

        Args:
            cases: The plan.
            index: Of the case that has just ended.
        """
        left_alone = self.measurements and load_ratio(self.measurements[-1:]) < DISTURBED_RATIO
        jobs = [one for one in self.measurements if one.case.program == JOB_PROGRAM and is_slowed(one)]
        for first in jobs if left_alone else []:
            self._wait_while_paused()
            if first.case.id in self._repeated or self._fault_before(first.case) is not None:
                continue
            self._repeated.add(first.case.id)
            at = next(place for place, case in enumerate(cases) if case.id == first.case.id)
            again = self._fit_and_measure(cases[at], cases[index + 1 :], at, len(cases))
            if isinstance(again, Measurement) and load_ratio((again,)) < load_ratio((first,)):
                again = msgspec.structs.replace(again, details=again.details | {FIRST_TRY_DETAIL: first.median_s})
                self.measurements[self.measurements.index(first)] = again
                self._announce(CaseFinished(measurement=again))

    def _fit_and_measure(self, case: Case, later: Sequence[Case], index: int, count: int) -> Measurement | Fault:
        """Return what a case measured in the time that later ones leave it, or why it has no result."""
        fitted = fit(case, later, self._left_s, self.measurements)
        if isinstance(fitted, TooLong):
            return Fault(reason="no_time", needed_s=fitted.needed_s, left_s=fitted.left_s)
        fault = self._ensure_worker(case)
        if fault is not None:
            return fault
        remaining_s = total_s((case, *later), self.measurements, self._left_s)
        self._announce(CaseStarted(case=fitted, index=index, count=count, remaining_s=remaining_s))
        return self._measure(fitted)

    def drop_worker(self) -> None:
        """End the worker, if there is one, and all it started."""
        worker, self._worker = self._worker, None
        if worker is not None and not worker.stop():
            self.worker_lingers = True

    def _wait_while_paused(self) -> None:
        paused_s = time.monotonic()
        while self._control.is_paused:
            time.sleep(POLL_S)
        self._deadline_s += time.monotonic() - paused_s

    def _fault_before(self, case: Case) -> Fault | None:
        """Return why a case is not even begun."""
        if self._control.is_cancelled:
            return Fault(reason="cancelled")
        if self._no_worker is not None:
            return self._no_worker
        if case.device in self._given_up:
            return Fault(reason="given_up", detail=self._given_up[case.device].detail)
        return Fault(reason="skipped") if self._control.consume_skip() else None

    def _ensure_worker(self, case: Case) -> Fault | None:
        """Return why there is no worker; when there is nothing, there is one, like new where that matters."""
        has_ended = self._worker is not None and self._worker.exit_status is not None
        is_unlike = self._has_run and _wants_new(case)
        is_used = is_unlike or (_takes_memory(case) and self._held_bytes > HELD_BYTES)
        if has_ended or is_used:
            self.drop_worker()  # if it ended between two cases, that is the fault of neither
        if self._worker is None:
            self._start()
        return self._no_worker

    def _start(self) -> None:
        """Start a worker and hear what it can do; one that does not even get so far is not tried again."""
        self._held_bytes, self._has_run = 0, False
        try:
            self._worker = WorkerProcess(self._command, self._limits.graces)
        except WorkerError as error:
            self._no_worker = Fault(reason="error", detail=shorten(str(error)))
            return
        self._no_worker = self._await_ready(self._worker)
        if self._no_worker is not None:
            self.drop_worker()

    def _await_ready(self, worker: WorkerProcess) -> Fault | None:
        began_s = time.monotonic()
        allowed_s = min(self._limits.start_s, self._left_s)
        is_slow = False
        while (waited_s := time.monotonic() - began_s) < allowed_s:
            if self._control.is_cancelled:
                return Fault(reason="cancelled")
            if waited_s > SLOW_START_S and not is_slow:
                is_slow = True
                self._announce(WorkerStartsSlowly())
            match heard := worker.hear(POLL_S):
                case None | Garbage():  # what prints before this program's first line runs is no answer yet
                    continue
                case Ready():
                    self.ready = heard
                    is_missing = heard.framework.version is None
                    return Fault(reason="missing_torch", detail=shorten(heard.problem)) if is_missing else None
                case _:
                    return _fault_of(worker, heard)
        has_never_answered = self.ready.framework.version is None
        return (
            _hung(round(allowed_s)) if has_never_answered or self._left_s > 0 else Fault(reason="no_time", left_s=0.0)
        )

    def _measure(self, case: Case) -> Measurement | Fault:
        """Run one case; return what it measured, or why it did not."""
        worker = self._worker
        assert worker is not None, "a case is begun with a worker only"
        before = self.check_conditions("before", worker.pid)
        self._sensors.begin()
        is_of_job = case.program in (JOB_PROGRAM, FED_PROGRAM)
        self._has_run = True
        worker.send(RunCase(case=self._with_paths(case), job=self._job if is_of_job else None))
        answer = self._listen(worker, case)
        telemetry = self._sensors.end()
        if isinstance(answer, Fault):
            return answer
        self._deaths[case.device] = 0
        self._held_bytes = answer.held_bytes or 0
        if isinstance(answer, CaseError):
            return _refusal(answer)
        slowed = slowed_card(case.device, telemetry, self.ready.framework)
        conditions = (*before, *by_others(case, self.check_conditions("during", worker.pid)), *slowed)
        if case.program == "sustained":
            answer = msgspec.structs.replace(
                answer, series=(*answer.series, *self._sensors.series(case.device, self.ready.framework))
            )
        peak = self._peaks_flop_per_s.get((case.device, case.precision))
        return summarise(case, answer, conditions=conditions, peak_flop_per_s=peak, telemetry=telemetry)

    def _with_paths(self, case: Case) -> Case:
        """Return the case with the user's data, or with a file for its trace; paths stay out of the result."""
        if case.program in ("data", FED_PROGRAM):  # Latin-1 carries names that are no UTF-8
            files = b"\0".join(self._own_files).decode("latin-1")
            return msgspec.structs.replace(case, options=case.options | {"files": files})
        if self._trace_path_for is None or case.program != "profile":
            return case
        path = str(self._trace_path_for(case).resolve())
        return msgspec.structs.replace(case, options=case.options | {"trace_path": path})

    def _listen(self, worker: WorkerProcess, case: Case) -> CaseResult | CaseError | Fault:
        """Follow a case to its end, within its time."""
        # A new worker may have taken of its time. The suite's own end, not what is left of it: a moment lies between
        # two looks at the clock, and who stops before the end takes lack of time for a hang.
        deadline_s = min(time.monotonic() + case.timeout_s, self._deadline_s)
        is_unwanted = False
        while True:
            match heard := worker.hear(POLL_S):
                case CaseError(case_id=case.id, ends_worker=True):
                    return self._lost(case, _refusal(heard))
                case CaseResult(case_id=case.id) | CaseError(case_id=case.id):
                    return heard
                case Sample(case_id=case.id, sample_s=sample_s):
                    self._announce(SampleTaken(case_id=case.id, sample_s=sample_s))
                case None | CaseBegun(case_id=case.id):
                    pass
                case _:
                    return self._lost(case, _fault_of(worker, heard))
            if self._control.is_cancelled:
                self.drop_worker()
                return Fault(reason="cancelled")
            if self._control.consume_skip() and not is_unwanted:
                is_unwanted = True
                worker.send(AbandonCase(case_id=case.id))
                deadline_s = time.monotonic() + self._limits.graces.ask_s
            if time.monotonic() > deadline_s:
                return self._overdue(case, is_unwanted=is_unwanted)

    def _overdue(self, case: Case, *, is_unwanted: bool) -> Fault:
        """End the worker of a case whose time is over; return why."""
        if not is_unwanted and self._left_s > 0:
            return self._lost(case, _hung(case.timeout_s))
        self.drop_worker()
        if is_unwanted:
            return Fault(reason="skipped")
        return Fault(reason="no_time", left_s=case.timeout_s)  # the end of the whole suite cut its time short

    def _lost(self, case: Case, fault: Fault) -> Fault:
        """Take a worker for lost; after too many in a row on one device, that device is given up.

        On the processor a case that takes too long speaks of a slow or busy computer, not of a broken device.
        """
        self.drop_worker()
        if fault.reason != "hung" or case.device != "cpu":
            self._deaths[case.device] += 1
        if self._deaths[case.device] >= self._limits.deaths:
            self._given_up[case.device] = fault
        return fault


def _wants_new(case: Case) -> bool:
    """Return whether a case is measured as the user's program runs it, in a process that has computed nothing yet.

    See ``advisor.worker.fresh_process`` and ``advisor.worker.data.paging``.
    """
    return case.program == FED_PROGRAM or (case.program == JOB_PROGRAM and case.device == "cpu")


def _takes_memory(case: Case) -> bool:
    """Return whether a case takes the host's memory and frees it again and again, as training on the processor does."""
    return bool(case.network) and case.device == "cpu"


def _refusal(answer: CaseError) -> Fault:
    """Return why the worker gave a case up."""
    return Fault(
        reason=answer.reason,
        detail=shorten(answer.detail),
        needed_bytes=answer.needed_bytes,
        left_bytes=answer.left_bytes,
    )


def _fault_of(worker: WorkerProcess, heard: Heard) -> Fault:
    """Return what is wrong with an answer that was not expected."""
    match heard:
        case Garbage(detail=detail):
            return Fault(reason="garbage", detail=detail)
        case Ended():
            status = worker.end_of_life()
            return cause_of_death(status, worker.last_words)
        case _:
            return Fault(reason="garbage", detail=f"The measuring process said {type(heard).__name__} out of turn.")


def _hung(time_s: float) -> Fault:
    return Fault(reason="hung", detail=f"No result within {time_s:g} s.")
