"""How a plain program takes turns with a worker's case, in one process: a twin is the progress the case reports to.

Most programs can stop anywhere, so that the twin takes a sample after each of the worker's. Where processes load images
ahead, what they made while the other side was measured would count for nothing: there a turn begins with what lies
ready, which is taken and not measured, then has several samples, and ends when all processes are idle again. What runs
under a profiler would have the other's operations in its records: there whole runs take turns.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack

import psutil
import torch
from plain_loops import PLAIN, PLAIN_LOOPS, Loop, Step, disk_reading, helped_loading, profiled_training

from advisor.records.results.measured.measurement import Case
from advisor.worker.allocator import keep_freed_memory

Sampler = Callable[[int], float]
"""Runs so many iterations and returns the seconds one of them took."""
Times = tuple[float, ...]

WARM_UP_SAMPLES = 2
LONG_S = 0.3
"""A step this long is warmed up by one."""
AHEAD = 2
"""Batches each process works ahead, which is torch's default."""
TURN_SAMPLES = 5
IDLE_S = 0.1
"""Processes that have used no time of the processor for so long are idle."""


class Twin:
    """Takes a sample of the plain program whenever the worker's reports one of its own."""

    def __init__(self, make: Callable[[Case], Sampler], case: Case) -> None:
        self._make = make
        self._case = case
        self._sample: Sampler | None = None
        self._count = 1
        self.samples_s: list[float] = []

    def build(self) -> None:
        """Make the program and warm it up, unless that was done."""
        if self._sample is None:
            self._sample = self._make(self._case)
            for _ in range(WARM_UP_SAMPLES):
                step_s = self._sample(self._count)
                self._count = max(1, round(self._case.sample_s / step_s))
                if step_s > LONG_S:
                    break

    def take(self, count: int) -> float:
        """Return the seconds of an iteration, of so many."""
        self.build()
        assert self._sample is not None
        return self._sample(count)

    def sampled(self, _sample_s: float) -> None:
        """Take a sample in turn."""
        self.build()
        self.samples_s.append(self.take(self._count))

    def check(self) -> None:
        """Want every case to the end; the worker asks in its warm-up, so that no sample of it stands alone."""
        self.build()

    def beside(self, worker_s: Times) -> tuple[Times, Times]:
        """Return the worker's samples that have one of the twin's beside them, and those."""
        return worker_s, tuple(self.samples_s[-len(worker_s) :])

    def close(self) -> None:
        """End what the program started."""


class KeptMemoryTwin(Twin):
    """Of the case that gives memory back and keeps it in turn; its samples are those with memory kept."""

    def sampled(self, _sample_s: float) -> None:
        """Take a sample, after a step that touches the memory as the worker's does."""
        self.take(1)
        super().sampled(_sample_s)

    def beside(self, worker_s: Times) -> tuple[Times, Times]:
        """Return those with memory kept, each of which follows one without."""
        return worker_s, tuple(self.samples_s[1::2][-len(worker_s) :])

    def close(self) -> None:
        """Keep memory again, as all other pairs do; the case ends by giving it back."""
        keep_freed_memory(True)


class Turns(Twin):
    """Takes turns of several samples, of batches that processes load ahead.

    A sample has a batch of each process. Those that lay ready when a turn began are left out on either side.
    """

    def __init__(self, case: Case, make: Callable[[Case, ExitStack], Step] = helped_loading) -> None:
        ending = self._ending = ExitStack()
        super().__init__(by_clock(lambda case: make(case, ending)), case)
        self._helpers = int(case.options["workers"])
        self._turn_s: list[float] = []
        self.worker_s: list[float] = []

    def build(self) -> None:
        """Start the processes and wait until they have worked ahead."""
        if self._sample is None:
            self._sample = self._make(self._case)
            self._sample(1)
            wait_until_idle()

    def sampled(self, sample_s: float) -> None:
        """Take a turn when the worker's is over."""
        self._turn_s.append(sample_s)
        if len(self._turn_s) == AHEAD + TURN_SAMPLES:
            self.worker_s += self._turn_s[AHEAD:]
            self._turn_s.clear()
            wait_until_idle()
            own_s = [self.take(self._helpers) for _ in range(AHEAD + TURN_SAMPLES)]
            self.samples_s += own_s[AHEAD:]
            wait_until_idle()

    def beside(self, worker_s: Times) -> tuple[Times, Times]:
        """Return the samples of whole turns."""
        del worker_s  # those of batches that lay ready are among them
        return tuple(self.worker_s), tuple(self.samples_s)

    def close(self) -> None:
        """End the processes."""
        self._ending.close()


class WholeRuns:
    """Runs the plain program once from beginning to end, before or after the worker's; used as a ``Twin``."""

    def __init__(self, run: Callable[[Case], Sequence[float]], case: Case) -> None:
        self._run = run
        self._case = case
        self.samples_s: list[float] = []

    def build(self) -> None:
        """Run it, unless that was done."""
        if not self.samples_s:
            self.samples_s += self._run(self._case)

    def sampled(self, _sample_s: float) -> None:
        """Leave the worker's program alone."""

    def check(self) -> None:
        """Leave the worker's program alone."""

    def beside(self, worker_s: Times) -> tuple[Times, Times]:
        """Return the samples of both runs."""
        self.build()
        return worker_s, tuple(self.samples_s)

    def close(self) -> None:
        """Leave nothing to be ended."""


def twin_of(case: Case) -> Twin | WholeRuns:
    """Return the plain twin of a case; a program without one is a KeyError."""
    if case.program == "disk":
        return Twin(disk_reading, case)
    if case.program == "profile":
        return WholeRuns(profiled_training, case)
    if case.program == "kept_memory":
        return KeptMemoryTwin(by_clock(PLAIN[case.program]), case)
    if case.options.get("workers"):
        return Turns(case)
    if case.program in PLAIN_LOOPS:
        return Twin(by_clock_around(PLAIN_LOOPS[case.program]), case)
    return Twin(by_clock(PLAIN[case.program]), case)


def by_clock(make: Callable[[Case], Step]) -> Callable[[Case], Sampler]:
    """Return a maker of samples that are taken with Python's clock around a plain loop of steps."""

    def make_loop(case: Case) -> Loop:
        step = make(case)

        def loop(count: int) -> None:
            for _ in range(count):
                step()

        return loop

    return by_clock_around(make_loop)


def by_clock_around(make: Callable[[Case], Loop]) -> Callable[[Case], Sampler]:
    """Return a maker of samples that are taken with Python's clock around a loop."""

    def make_sampler(case: Case) -> Sampler:
        loop = make(case)

        def sample(count: int) -> float:
            synchronise(case.device)
            start_s = time.perf_counter()
            loop(count)
            synchronise(case.device)
            return (time.perf_counter() - start_s) / count

        return sample

    return make_sampler


def synchronise(device: str) -> None:
    """Wait for the device."""
    if device.startswith("cuda"):
        torch.cuda.synchronize()


def wait_until_idle() -> None:
    """Wait until this process's helpers have nothing to do."""
    helpers = psutil.Process().children(recursive=True)
    used_s, before_s = _used_s(helpers), -1.0
    while used_s > before_s:
        time.sleep(IDLE_S)
        used_s, before_s = _used_s(helpers), used_s


def _used_s(processes: Sequence[psutil.Process]) -> float:
    times = [process.cpu_times() for process in processes]
    return sum(one.user + one.system for one in times)
