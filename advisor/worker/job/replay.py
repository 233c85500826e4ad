"""The step of a network that is known by its table of operations, run on tensors of the real sizes.

First each kind of operation alone, the heaviest first, until the time is up; what is left out is worked out from the
rates of those that ran. Where all of a step then still fits into the time, it is run as a whole, in order.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import msgspec
import torch

from advisor.records.channel import CaseResult
from advisor.records.job.asked_job import AskedJob
from advisor.records.job.work import Operation
from advisor.records.results.measured.measurement import Case, Series
from advisor.worker.cases.train import paging
from advisor.worker.failure import NoRoomError, NotSupportedError
from advisor.worker.job.optimizers import optimizer_named
from advisor.worker.job.replay_kernels import Kernel, Kernels
from advisor.worker.memory import release_memory
from advisor.worker.memory_guard import free_bytes
from advisor.worker.resource_usage import Usage, usage, used_since
from advisor.worker.timing import Block, Progress, Timing, block_timer, time_iterations
from advisor.worker.torch_settings import dtype_of

_ALONE_RATIO, _MOST_RATIO = 0.5, 0.9
"""Share of the time for operations one by one: by guess, and at most."""
_FEWEST_STEPS = 2
"""One to warm up, and one that counts."""
_REPEATS = 3
_AGAIN_RATIO, _ONLY_RATIO = 0.005, 0.03
"""Share of the time within which an operation is repeated: where all of them still run in order, and where not."""
_LATE_RATIO = 0.5
"""By so much more than its time a job may take where its whole step can then be measured."""
_GUESSED_FLOP_PER_S, _GUESSED_BYTES_PER_S = 5e10, 1e10
"""Of a small processor: by them the heaviest operations are told, and a batch is found that can be tried at all."""
_LORA_RATIO = 0.006
_FEW_PARAMETERS, _MOST_PARAMETERS = 2_000_000, 50_000_000
_UPDATE_RATIO = 0.02
"""An optimizer that would take more than this share of the time for one step is judged by few parameters."""
_SHORT = {"fp16": torch.float16, "bf16": torch.bfloat16}


@dataclass
class _Part:
    """Equal operations of a step.

    Attributes:
        count: How many the step has.
        step_s: What one of them takes at the whole batch; None while that is unknown.
    """

    one: Operation
    count: float
    step_s: float | None = None

    def guessed_s(self, batch: float) -> float:
        """Return what one would take on a small processor."""
        flop, moved = _work(self.one, batch)
        return flop / _GUESSED_FLOP_PER_S + moved / _GUESSED_BYTES_PER_S


class _Update(NamedTuple):
    """Seconds that the optimizer takes for all parameters, and what the process uses for that."""

    step_s: float
    used: Usage | None


_NO_UPDATE = _Update(0.0, Usage(0.0, 0.0, 0.0))


def run_replay(case: Case, device: torch.device, progress: Progress, job: AskedJob) -> CaseResult:
    """Time the job's step by its operations.

    Details: ``measured_ratio`` is the share of the time that was measured; ``measured_batch`` the batch it was measured
    at, which may be a part of a sample; where the step was run as a whole, ``page_faults`` and ``system_ratio`` are as
    of a training case.

    Raises:
        NoRoomError: Not even the operands of a part of a sample fit into the memory.
    """
    run = _Run(case, device, progress, job)
    with torch.no_grad():
        trains = job.workload.task == "train"
        update = _timed_update(job, device, progress, _UPDATE_RATIO * case.budget_s) if trains else _NO_UPDATE
        measured_s = update.step_s + run.time_alone()
        worked_out_s = run.work_out()
        whole_s = measured_s + worked_out_s
        timing = Timing(samples_s=(whole_s,), iterations_per_sample=1, warm_up_iterations=1)
        room_s = run.left_s + _LATE_RATIO * case.budget_s
        if not worked_out_s and run.is_whole and whole_s * _FEWEST_STEPS < room_s:
            timing = _with(run.time_whole(), update)
    step_s = statistics.median(timing.samples_s)
    return CaseResult(
        case_id=case.id,
        samples_s=timing.samples_s,
        iterations_per_sample=timing.iterations_per_sample,
        items_per_iteration=case.batch_size,
        parameters=job.network.trainable_parameters or None,
        details={"measured_ratio": measured_s / whole_s, "measured_batch": run.batch} | paging(timing, device),
        series=(Series(x="batch_size", y="step_s", points=((float(case.batch_size), step_s),)),),
    )


@contextmanager
def replayed_step(
    case: Case, device: torch.device, progress: Progress, job: AskedJob
) -> Iterator[tuple[Callable[[], object], int]]:
    """Yield (a function that does one step by its operations, its batch): the whole one where the time allows that.

    Raises:
        NotSupportedError: Not even a single sample can be tried in the time.
    """
    run = _Run(case, device, progress, job)
    batch = int(run.batch)
    if batch < 1:
        raise NotSupportedError("A step of one sample takes too long to be repeated.")
    with torch.no_grad():
        operations = run.whole_step(batch)
        update = _update(job, device, _MOST_PARAMETERS)[0] if job.workload.task == "train" else None

        def step() -> None:
            with torch.no_grad():
                operations()
            if update is not None:
                update()

        yield step, batch
    release_memory(str(device))


def _with(timing: Timing, update: _Update) -> Timing:
    """Return the timing with the optimizer's part of each iteration."""
    return Timing(
        samples_s=tuple(sample + update.step_s for sample in timing.samples_s),
        iterations_per_sample=timing.iterations_per_sample,
        warm_up_iterations=timing.warm_up_iterations,
        used=timing.used and update.used and timing.used.plus(update.used),
    )


def _parts(job: AskedJob, *, is_processor: bool) -> list[_Part]:
    """Return the operations of a step of the job, in order; without what this device does along with another."""
    workload = job.workload
    is_frozen = workload.method in ("lora", "qlora")
    repeats = 2.0 if workload.checkpointing and workload.task == "train" else 1.0
    parts = []
    for one in job.network.operations:
        if workload.task == "infer" and (
            one.phase != "forward" or one.kind == "loss" or one.operator == "native_dropout"
        ):
            continue
        if one.phase == "optimizer" or (is_frozen and _is_weight_gradient(one)):
            continue
        if is_processor and one.operator.endswith("conv_bias"):
            continue  # its convolutions add the bias themselves
        parts.append(_Part(one, one.count * (repeats if one.phase == "forward" else 1.0)))
    if workload.method == "qlora":
        parts.append(_unpacking(job, 3.0 if workload.checkpointing else 2.0))
    return parts


def _unpacking(job: AskedJob, passes: float) -> _Part:
    """Return the weights being unpacked from 4 bit, block for block, for every pass through the network."""
    blocks = max(job.network.layers or 1, 1)
    elements = max(job.network.parameters // blocks, 1)
    one = Operation(kind="copy", phase="forward", operator="clone", shape=(elements,), bytes_fixed=8.0 * elements)
    return _Part(one, blocks * passes)


def _is_weight_gradient(one: Operation) -> bool:
    if one.phase != "backward":
        return False
    return one.batch_axis == 3 if one.kind == "gemm" else one.operator.endswith(("weight_gradient", "bias_gradient"))


def _work(one: Operation, batch: float) -> tuple[float, float]:
    return (
        max(one.flop_per_sample * batch + one.flop_fixed, 0.0),
        max(one.bytes_per_sample * batch + one.bytes_fixed, 1.0),
    )


def _batch(parts: Sequence[_Part], case: Case, device: torch.device) -> float:
    """Return the batch at which each operation can be tried: the whole one, or a part of it that time and memory allow.

    Raises:
        NoRoomError: The memory does not hold the operands of a part of a sample.
    """
    batch = float(case.batch_size)
    room, free = case.budget_s * _ALONE_RATIO, free_bytes(device)
    while batch > 1 / 16:
        guessed = sum(part.guessed_s(batch) for part in parts) * (1 if device.type == "cpu" else 0.01)
        largest = max(_work(part.one, batch)[1] for part in parts)
        if guessed <= room and (free is None or 3 * largest <= free):
            return batch
        batch = float(batch // 2) if batch >= 2 else batch / 4  # whole samples as long as there are some
    needed = max(_work(part.one, batch)[1] for part in parts)
    if free is not None and 3 * needed > free:
        raise NoRoomError(3 * needed, free)
    return batch


def _growth(one: Operation, batch: float, whole: int) -> float:
    """Return how many times the work of one operation is at the whole batch."""
    (flop, moved), (all_flop, all_moved) = _work(one, batch), _work(one, whole)
    return max(all_flop / flop if flop > 0 else 1.0, all_moved / moved)


class _Run:
    """The operations of a step on a device.

    Attributes:
        batch: At which they are measured alone.
    """

    def __init__(self, case: Case, device: torch.device, progress: Progress, job: AskedJob) -> None:
        short = _SHORT.get(str(case.options.get("autocast"))) if case.precision == "amp" else None
        is_last = case.options.get("channels_last") is True
        self._case, self._device, self._progress = case, device, progress
        self._kernels = Kernels(device, dtype_of(case), short or dtype_of(case), is_last=is_last)
        self._parts = _parts(job, is_processor=device.type == "cpu")
        self._deadline_s = time.perf_counter() + case.budget_s
        self._keeps = job.network.saved_bytes_per_sample * case.batch_size if job.workload.task == "train" else 0.0
        self.batch = _batch(self._parts, case, device)

    @property
    def is_whole(self) -> bool:
        """Whether they are measured at the job's own batch."""
        return self.batch == self._case.batch_size

    @property
    def left_s(self) -> float:
        """Time that is left."""
        return self._deadline_s - time.perf_counter()

    def time_alone(self) -> float:
        """Measure one operation of each part, the heaviest first, until its time is up; return their sum in a step."""
        total_s = 0.0
        for part in sorted(self._parts, key=lambda part: -part.count * part.guessed_s(self.batch)):
            if self.left_s < (1 - _MOST_RATIO) * self._case.budget_s:
                break
            self._progress.check()
            block = block_timer(self._kernels.of(part.one, self.batch), self._device)
            part.step_s = self._repeated_s(block) * _growth(part.one, self.batch, self._case.batch_size)
            total_s += part.count * part.step_s
        return total_s

    def _repeated_s(self, block: Block) -> float:
        """Return what one operation takes: the first time, and again only where that costs little."""
        taken_s = [block(1)]
        most_s = (_AGAIN_RATIO if self.is_whole else _ONLY_RATIO) * self._case.budget_s
        while sum(taken_s) < most_s and len(taken_s) <= _REPEATS:
            taken_s.append(block(1))
        return statistics.median(taken_s[1:] or taken_s)

    def work_out(self) -> float:
        """Return what the operations that were not run take, at the rate of those that were."""
        batch = self._case.batch_size
        known = [part for part in self._parts if part.step_s is not None]
        guessed_s = sum(part.guessed_s(batch) for part in known)
        usual = sum(part.step_s or 0.0 for part in known) / guessed_s if guessed_s > 0 else 1.0
        return sum(part.count * part.guessed_s(batch) * usual for part in self._parts if part.step_s is None)

    def time_whole(self) -> Timing:
        """Time all operations in order."""
        settled = msgspec.structs.replace(self._case, budget_s=max(self.left_s, 0.1))
        return time_iterations(self.whole_step(self._case.batch_size), self._device, settled, self._progress)

    def whole_step(self, batch: int) -> Callable[[], None]:
        """Return all operations in order, results of the forward pass kept until the backward pass has used them."""
        forward: list[Kernel] = []
        backward: list[tuple[Kernel, bool]] = []
        for part in self._parts:
            kernel, count = self._kernels.of(part.one, batch), round(part.count)
            if part.one.phase == "forward":
                forward += [kernel] * count
            else:
                backward += [(kernel, _is_weight_gradient(part.one))] * count
        return _step(forward, backward, self._keeps * batch / self._case.batch_size)


def _step(forward: Sequence[Kernel], backward: Sequence[tuple[Kernel, bool]], keeps: float) -> Callable[[], None]:
    """Return a step that frees what the forward pass left as the backward pass goes, and gradients of weights last."""

    def step() -> None:
        kept: list[object] = []
        left = keeps
        for kernel in forward:
            made = kernel()
            size = _size(made)
            if size <= left:
                kept.append(made)
                left -= size
        all_kept, gradients = len(kept), []
        for done, (kernel, is_weights) in enumerate(backward, start=1):
            made = kernel()
            if is_weights:
                gradients.append(made)
            del kept[round(all_kept * (1 - done / len(backward))) :]

    return step


def _size(made: object) -> float:
    tensors = made if isinstance(made, (tuple, list)) else (made,)
    return float(sum(one.nbytes for one in tensors if isinstance(one, torch.Tensor)))


def _update(job: AskedJob, device: torch.device, most: int) -> tuple[Callable[[], object] | None, float]:
    """Return (what updates at most so many parameters, how many times as long all take); None where none learn."""
    network = job.network
    is_adapted = job.workload.method in ("lora", "qlora")
    learning = network.parameters * _LORA_RATIO if is_adapted else network.trainable_parameters
    if learning < 1:
        return None, 1.0
    taken = min(learning, most)
    tensors = max(1, round(max(network.parameter_tensors, 1) * taken / learning))
    each = max(1, int(taken / tensors))
    parameters = [torch.nn.Parameter(torch.rand(each, device=device)) for _ in range(tensors)]
    for parameter in parameters:
        parameter.grad = torch.rand_like(parameter)
    update = optimizer_named(job.workload.optimizer, parameters, fused=job.workload.fused_optimizer).step
    return torch.enable_grad()(update), learning / taken


def _timed_update(job: AskedJob, device: torch.device, progress: Progress, time_s: float) -> _Update:
    """Return what the optimizer takes for all parameters, by few of them where more would take longer than that."""
    found = _NO_UPDATE
    for most in (_FEW_PARAMETERS, _MOST_PARAMETERS):
        update, times = _update(job, device, most)
        if update is None:
            return _NO_UPDATE
        block = block_timer(update, device)
        block(1)
        progress.check()
        before = usage()
        step_s = times * statistics.median(block(1) for _ in range(_REPEATS))
        used = used_since(before)
        found = _Update(step_s, None if used is None else used.over(_REPEATS / times))
        del update, block
        release_memory(str(device))
        if times == 1.0 or step_s > time_s:
            break
    return found
