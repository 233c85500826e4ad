"""Suites for the fake worker, and what to look at after they ran."""

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import psutil

from advisor.benchmark.running.control import Control
from advisor.benchmark.running.runner import Limits, run_suite
from advisor.benchmark.running.worker_process import Graces
from advisor.records.events import Event
from advisor.records.results.measured.measurement import Benchmark, Case

FAKE_WORKER = (sys.executable, str(Path(__file__).with_name("worker.py")))
IMPATIENT = Limits(start_s=120.0, graces=Graces(ask_s=0.3, terminate_s=0.3, kill_s=60.0))
"""Short graces, so that the ladder is climbed in a second; starting, and dying, may take long on a busy computer."""


def case(case_id: str, fate: str = "", **fields: object) -> Case:
    """Return a case that meets a fate in the fake worker; without one it is measured."""
    known: dict[str, object] = {"program": "matmul", "timeout_s": 60.0, "options": {"fake": fate} if fate else {}}
    return Case(id=case_id, **(known | fields))  # type: ignore[arg-type]


class Outcome:
    """A finished run: the benchmark, all events, and how many processes are left.

    Attributes:
        left: Children of this process that still run.
    """

    def __init__(self, benchmark: Benchmark, events: list[Event], left: list[psutil.Process]) -> None:
        self.benchmark = benchmark
        self.events = events
        self.left = left

    @property
    def measured(self) -> list[str]:
        """Names of the cases with a result."""
        return [m.case.id for m in self.benchmark.measurements]

    @property
    def reasons(self) -> dict[str, str]:
        """Reason of each case without."""
        return {f.case.id: f.reason for f in self.benchmark.failures}

    @property
    def details(self) -> dict[str, str]:
        """What the system said to each of them."""
        return {f.case.id: f.detail for f in self.benchmark.failures}


def run_cases(
    cases: Sequence[Case],
    *,
    start: str = "",
    command: Sequence[str] = FAKE_WORKER,
    limits: Limits = IMPATIENT,
    control: Control | None = None,
    on_event: Callable[[Event], None] = lambda event: None,
    **options: object,
) -> Outcome:
    """Run cases in the fake worker, or in the one of another command."""
    before = set(psutil.Process().children(recursive=True))
    events: list[Event] = []

    def announce(event: Event) -> None:
        events.append(event)
        on_event(event)

    whole = (*command, "--start", start) if start else command
    benchmark = run_suite(
        lambda ready: cases,
        command=whole,
        limits=limits,
        control=control,
        announce=announce,
        **options,  # type: ignore[arg-type]
    )
    return Outcome(benchmark, events, still_running(set(psutil.Process().children(recursive=True)) - before))


def still_running(processes: set[psutil.Process]) -> list[psutil.Process]:
    """Return the processes that run or wait to be buried.

    What was forked from a warm Python is killed by that one, right after its client.
    """
    forked = [one for one in processes if any("warm_python.py" in " ".join(words) for words in _ancestry(one))]
    psutil.wait_procs(forked, timeout=10)
    return [process for process in processes if process.is_running()]


def _ancestry(process: psutil.Process) -> list[list[str]]:
    try:
        return [one.cmdline() for one in process.parents()]
    except psutil.Error:  # it has just ended
        return []


def has_ended_soon(pid: int, timeout_s: float = 60.0) -> bool:
    """Return whether a process ends within the time; one that only waits to be buried has ended."""
    deadline_s = time.monotonic() + timeout_s
    while time.monotonic() < deadline_s:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False
