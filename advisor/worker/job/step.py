"""One step of the job that the user asked about, at its batch, precision, layout, task and optimizer.

What takes too long is measured at two smaller batches, and a line through them tells the rest.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

import msgspec
import torch

from advisor.records.channel import CaseResult
from advisor.records.job.asked_job import AskedJob, step_flop
from advisor.records.results.measured.measurement import Case, Series
from advisor.worker.cases.train import arrange, mixed_precision, paging, updating
from advisor.worker.failure import reason_of
from advisor.worker.fresh_process import in_fresh_process
from advisor.worker.job.network import job_network
from advisor.worker.job.optimizers import optimizer_named
from advisor.worker.job.replay import replayed_step, run_replay
from advisor.worker.memory import PeakMemory, file_bytes, release_memory
from advisor.worker.memory_guard import free_bytes
from advisor.worker.timing import Progress, Timing, block_timer, time_iterations, together
from advisor.worker.torch_settings import dtype_of
from advisor.worker.tracing.trace_file import import_program
from advisor.worker.untouched_memory import touch_memory

_SMALL_RATIO = 0.3
"""Share of the time for the smaller of two batches."""
_FEWEST_STEPS = 4
"""So many steps of the whole batch must fit into the time, warm-up included; else smaller ones are measured."""
_SLOW_FLOP_PER_S = 2e9
"""What small operations reach on a small processor; on another the whole batch takes less than foreseen."""
_BEGINNINGS, _STEPS_OF_BEGINNING, _LEAST_S = 4, 3, 0.1
"""So often a step on a processor is begun anew, where so many of the slow steps that are tried fit into each share of
the time: its page faults differ from one beginning to the next."""
_SEEN_RATIO = 0.25
"""Share of the libraries' pages touched by a forked process that are no more than what a plain program has: with none
the peak of four networks came out 1.5 to 8.6 % too high, with 0.6 that of 24 networks 3 % too low."""
_WORTH_RATIO = 1.5
"""A larger batch that is not larger by so much tells nothing new."""

_ELEMENT_RATIO = {"fp64": 2.0, "fp16": 0.5, "bf16": 0.5}

Step = Callable[[], object]


@dataclass(frozen=True)
class _Size:
    """What was measured at one batch size."""

    batch: int
    timing: Timing
    peak_bytes: int | None

    @property
    def step_s(self) -> float:
        return statistics.median(self.timing.samples_s)


@dataclass(frozen=True)
class _Tried:
    """What trying found.

    Attributes:
        batch: The largest that time and memory allow.
        whole_batch: That of the job.
        step_s: What the first step of that batch took.
        start_s: What making the network took; each process of its own makes it anew.
        left_s: Of the case's time.
        parameters: Of those that learn.
        found: Details that turned up on the way.
        has_pages: The device is a processor, whose page faults differ from one beginning to the next.
    """

    batch: int
    whole_batch: int
    step_s: float
    start_s: float
    left_s: float
    parameters: int
    found: dict[str, float]
    has_pages: bool

    def beginnings(self, time_s: float, start_s: float) -> int:
        """Return how often a step can be begun anew in the time, with enough steps each time."""
        needed_s = _BEGINNINGS * (start_s + _STEPS_OF_BEGINNING * self.step_s)
        return _BEGINNINGS if self.has_pages and time_s > needed_s else 1


def run_job(
    case: Case, device: torch.device, progress: Progress, job: AskedJob, *, is_fresh: bool = False
) -> CaseResult:
    """Time the job's step with ``case.batch_size`` samples, or with fewer where those take too much time or memory.

    Then the samples are what the whole batch would take. Details: ``measured_batch`` is the largest that ran;
    ``largest_batch`` the largest that fits, where the whole one does not; ``memory_before_bytes``, ``page_faults`` and
    ``system_ratio`` are as of a training case. The series gives the time by batch.

    Args:
        case: What is measured.
        device: Where.
        progress: Hears of each sample.
        job: What was asked.
        is_fresh: Nothing was computed in this process yet, which then only forks those that do; of a processor alone.
    """
    touch_memory(_needed_bytes(case, job), device, progress)
    if job.source is None and not job.workload.layers:
        return run_replay(case, device, progress, job)
    before_bytes = PeakMemory(device).before_bytes
    if is_fresh and job.source is not None:
        import_program(job.source.reference)  # what it imports is then loaded once, not in each process
    tried, sizes = _measured(lambda heard: _Runner(case, device, heard, job, before_bytes), progress, is_apart=is_fresh)
    largest = sizes[-1]
    ratio = _line(sizes, case.batch_size) / largest.step_s
    details = {"measured_batch": float(largest.batch)} | tried.found | paging(largest.timing, device)
    if before_bytes is not None:
        details["memory_before_bytes"] = float(before_bytes)
    return CaseResult(
        case_id=case.id,
        samples_s=tuple(sample * ratio for sample in largest.timing.samples_s),
        iterations_per_sample=largest.timing.iterations_per_sample,
        items_per_iteration=case.batch_size,
        parameters=tried.parameters or None,
        peak_memory_bytes=largest.peak_bytes if largest.batch == case.batch_size else None,
        details=details,
        series=(Series(x="batch_size", y="step_s", points=tuple((float(s.batch), s.step_s) for s in sizes)),),
    )


def _measured(
    make: Callable[[Progress], "_Runner"], progress: Progress, *, is_apart: bool
) -> tuple["_Tried", list["_Size"]]:
    """Return what trying found, and the sizes, the smaller first.

    A step that is quick is begun several times, each in a process of its own where that can be; a slow one goes on in
    the process that tried it.
    """

    def first(runner: _Runner) -> tuple[_Tried, list[_Size]]:
        tried = runner.try_out()
        if is_apart and tried.beginnings(tried.left_s, tried.start_s) > 1:
            return tried, []
        return tried, _sizes(lambda do: do(runner), tried, start_s=0.0)

    def apart(do: "Callable[[_Runner], Found]") -> Found:
        return in_fresh_process(lambda relay: do(make(relay)), progress)

    tried, sizes = apart(first) if is_apart else first(make(progress))
    return tried, sizes or _sizes(apart, tried, start_s=tried.start_s)


def _sample_bytes(case: Case, job: AskedJob) -> float:
    """Return what each sample of a batch takes of memory at the peak of a step."""
    network, trains = job.network, job.workload.task == "train"
    alive = max(network.peak_bytes_per_sample, network.saved_bytes_per_sample)
    return (alive if trains else network.inference_bytes_per_sample) * _ELEMENT_RATIO.get(case.precision, 1.0)


def _needed_bytes(case: Case, job: AskedJob) -> float:
    """Return about what a step takes of memory: samples, and parameters with gradients and Adam's two states."""
    return case.batch_size * _sample_bytes(case, job) + 16.0 * job.network.parameters


@contextmanager
def repeated_step(case: Case, device: torch.device, progress: Progress, job: AskedJob) -> Iterator[tuple[Step, int]]:
    """Yield (a function that does one step of the job, its batch), the batch as large as time and memory allow.

    Raises:
        NotSupportedError: Not even a single sample can be tried in the time.
    """
    if job.source is None and not job.workload.layers:
        with replayed_step(case, device, progress, job) as replayed:
            yield replayed
        return
    runner = _Runner(case, device, progress, job)
    with runner.repeated() as (step, batch):
        yield step, batch


def _line(sizes: list[_Size], batch: int) -> float:
    """Return the time at a batch on the line through the two largest sizes; it never falls with the batch."""
    if len(sizes) == 1 or sizes[-1].batch == batch:
        return sizes[-1].step_s * (batch / sizes[-1].batch if sizes[-1].batch < batch else 1.0)
    small, large = sizes[-2:]
    slope = max((large.step_s - small.step_s) / (large.batch - small.batch), 0.0)
    return large.step_s + slope * (batch - large.batch)


Found = TypeVar("Found")


class _Ask(Protocol):
    """Has a runner do something: always the same one, or one in a process of its own."""

    def __call__(self, do: Callable[["_Runner"], Found]) -> Found: ...


def _sizes(ask: _Ask, tried: _Tried, *, start_s: float) -> list[_Size]:
    """Return what half of the batch takes, then what the batch does that was tried.

    The larger is measured first: smaller blocks leave a heap that a plain program never has.

    Args:
        ask: Has a runner do something.
        tried: The batch and the time.
        start_s: What each asking costs before it begins.
    """
    end_s = time.perf_counter() + tried.left_s
    whole, largest = tried.whole_batch, tried.batch
    small = max(1 if whole == 1 else min(2, largest), largest // 2)
    sizes = [_size(ask, tried, largest, (1.0 - _SMALL_RATIO if small < largest else 1.0) * tried.left_s, start_s)]
    if small < largest:
        sizes.insert(0, _size(ask, tried, small, max(end_s - time.perf_counter(), _LEAST_S), start_s))
    return sizes


def _size(ask: _Ask, tried: _Tried, batch: int, time_s: float, start_s: float) -> _Size:
    count = tried.beginnings(time_s, start_s)
    each_s = max(time_s / count - start_s, _LEAST_S)
    parts = [ask(lambda runner: runner.begin(batch, each_s)) for _ in range(count)]
    peaks = [peak for _timing, peak in parts if peak is not None]
    return _Size(batch, together([timing for timing, _peak in parts]), max(peaks, default=None))


class _Runner:
    """The job's network on its device, run at several batch sizes.

    Args:
        before_bytes: Memory of the process that has begun this one, or that is this one; None where nobody says.
    """

    def __init__(
        self, case: Case, device: torch.device, progress: Progress, job: AskedJob, before_bytes: int | None = None
    ) -> None:
        begun_s = time.perf_counter()
        own_bytes = PeakMemory(device).before_bytes
        # A forked process has the pages of its libraries only once it touches them.
        self._unseen_bytes = max((before_bytes or 0) - (own_bytes or 0), 0) if device.type == "cpu" else 0
        self._file_bytes = file_bytes()
        self._case, self._device, self._progress = case, device, progress
        self._network = network = job_network(job)
        self._model = arrange(case, network.module.to(device=device, dtype=dtype_of(case)))
        self._trains = job.workload.task == "train"
        self._model.train(self._trains)
        learning = [parameter for parameter in self._model.parameters() if parameter.requires_grad]
        asked = job.workload
        self._optimizer = (
            optimizer_named(asked.optimizer, learning, fused=asked.fused_optimizer) if self._trains else None
        )
        self._deadline_s = time.perf_counter() + case.budget_s
        self._sample_bytes = _sample_bytes(case, job)
        self._parameters = sum(parameter.numel() for parameter in learning)
        self._start_s = time.perf_counter() - begun_s
        self._taken_bytes, self._tried_s = 0, 0.0
        self._whole_flop = step_flop(job.workload, job.network, case.batch_size)
        self._found: dict[str, float] = {}

    def try_out(self) -> _Tried:
        """Find the batch that is measured."""
        batch = self._affordable()
        return _Tried(
            batch=batch,
            whole_batch=self._case.batch_size,
            step_s=self._tried_s,
            start_s=self._start_s,
            left_s=self._left_s,
            parameters=self._parameters,
            found=self._found,
            has_pages=self._device.type == "cpu",
        )

    def begin(self, batch: int, time_s: float) -> tuple[Timing, int | None]:
        """Time steps of a batch as a program that begins with them; return that and the peak of memory."""
        self._start_over()
        peak = PeakMemory(self._device)
        with self._step(batch) as step:
            case = msgspec.structs.replace(self._case, budget_s=time_s)
            timing = time_iterations(step, self._device, case, self._progress)
        return timing, self._as_begun_alone(peak.peak_bytes())

    def _as_begun_alone(self, peak_bytes: int | None) -> int | None:
        """Return the peak with the pages of libraries that a program has which was not forked."""
        if peak_bytes is None:
            return None
        seen_bytes = _SEEN_RATIO * max(file_bytes() - self._file_bytes, 0)
        return peak_bytes + max(self._unseen_bytes - int(seen_bytes), 0)

    @contextmanager
    def repeated(self) -> Iterator[tuple[Step, int]]:
        """Yield a step to be repeated, and its batch."""
        batch = self._affordable()
        with self._step(batch) as step:
            yield step, batch

    def _affordable(self) -> int:
        """Return the largest batch that time and memory allow."""
        first = min(self._case.batch_size, 2)
        self._once(first)  # loads what is loaded but once, and makes the optimizer's state
        return self._largest(first, self._once(first))

    @property
    def _left_s(self) -> float:
        return max(self._deadline_s - time.perf_counter(), _LEAST_S)

    def _largest(self, first: int, step_s: float) -> int:
        """Return the largest batch whose steps fit into the time and the memory: all, or so many times a half of it."""
        batch, whole = first, self._case.batch_size
        while batch < whole:
            wanted = min(whole, batch * 8)
            room = self._left_s / _FEWEST_STEPS
            affordable = int(batch * room / step_s)
            # Few samples of a small network take as long as many; by its arithmetic the whole batch is tried at once.
            is_light = self._whole_flop / _SLOW_FLOP_PER_S < room
            wanted = whole if is_light else min(wanted, affordable)
            if wanted < min(whole, _WORTH_RATIO * batch) or not self._has_room(batch, wanted):
                return batch
            try:
                step_s = self._once(wanted)
            except Exception as error:
                if reason_of(error) != "does_not_fit":
                    raise
                release_memory(self._case.device)
                self._found["largest_batch"] = float(batch)
                return batch
            batch = wanted
        return batch

    def _has_room(self, batch: int, wanted: int) -> bool:
        """Return whether a larger batch leaves the host its memory, judged by what this one took at most."""
        free = free_bytes(self._device)
        if free is None or self._device.type != "cpu" or self._sample_bytes <= 0:
            return True
        most = batch + int((free - self._taken_bytes) / self._sample_bytes)
        if wanted <= most:
            return True
        self._found["largest_batch"] = float(max(most, batch))
        return False

    def _once(self, batch: int) -> float:
        """Return the seconds of a single step, which also tells what it takes of memory."""
        release_memory(self._case.device)
        peak = PeakMemory(self._device)
        with self._step(batch) as step:
            step_s = block_timer(step, self._device)(1)
        taken, before = peak.peak_bytes(), peak.before_bytes
        self._tried_s = step_s
        self._taken_bytes = 0 if taken is None or before is None else max(taken - before, 0)
        self._progress.check()
        return step_s

    def _start_over(self) -> None:
        """Have the next step make the optimizer's state, as the first step of a plain program does.

        Where on the heap it then lies is chance, here as there, and decides whether the end of the heap is free after
        every step, goes back to the system, and faults page by page in the next (decision 81).
        """
        if self._optimizer is not None:
            self._optimizer.state.clear()
        release_memory(self._case.device)

    @contextmanager
    def _step(self, batch: int) -> Iterator[Step]:
        """Yield a function that does one step on data made beforehand; nothing of it stays."""
        inputs = self._network.batch(batch, self._device, self._arranged)
        yield self._training(inputs) if self._trains else self._applying(inputs)
        self._model.zero_grad(set_to_none=True)

    def _arranged(self, tensor: torch.Tensor) -> torch.Tensor:
        tensor = tensor.to(dtype_of(self._case))
        return arrange(self._case, tensor) if tensor.dim() == 4 else tensor

    def _training(self, inputs: object) -> Step:
        optimizer, network = self._optimizer, self._network
        assert optimizer is not None, "who trains has one"
        return updating(self._case, self._device, optimizer, lambda: network.loss(network.run(inputs), inputs))

    def _applying(self, inputs: object) -> Step:
        autocast, _scaler = mixed_precision(self._case, self._device)

        def step() -> object:
            with torch.inference_mode(), autocast():
                return self._network.run(inputs)

        return step
