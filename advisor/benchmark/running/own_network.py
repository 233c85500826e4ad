"""Have a user's own program run, and its network traced, in a process of its own that may do whatever it likes."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Literal

from advisor.benchmark.running.control import Control
from advisor.benchmark.running.fault import cause_of_death
from advisor.benchmark.running.redact_messages import shorten
from advisor.benchmark.running.runner import Limits
from advisor.benchmark.running.worker_process import Ended, Garbage, WorkerProcess, worker_command
from advisor.errors import TraceError, WorkerError
from advisor.records.channel import Ready, TraceCalls, Traced, TraceFault, TraceFile
from advisor.records.job.work import Network, Operation

TRACE_S: Final = 120.0
"""So long the file may run; a network of thousands of layers is traced in seconds, and without its values."""
POLL_S: Final = 0.1
_EXTENTS: Final = {"gemm": 4, "conv": 8, "depthwise_conv": 8, "attention": 5, "recurrent": 7}
"""Least number of extents of a shape whose kind the predictions take apart."""


def trace_program(
    reference: str,
    *,
    file: str,
    input_shape: tuple[int, ...] | None = None,
    input_kind: Literal["numbers", "tokens"] = "numbers",
    command: Sequence[str] | None = None,
    limits: Limits | None = None,
    time_s: float = TRACE_S,
    control: Control | None = None,
) -> Network:
    """Return the work of the network in a user's program; this runs their code, in a process that ends with it.

    Args:
        reference: Path and name, such as ``/somewhere/model.py:build``.
        file: What to call the file in a sentence.
        input_shape: Of one sample; None: the file says it itself.
        input_kind: ``tokens`` are whole numbers.
        command: Starts the worker; None: this program's own.
        limits: What the worker is allowed.
        time_s: How long the file may run.
        control: Its cancellation ends the file.

    Raises:
        TraceError: The file has no network that can be traced; the sentence says how to fix it.
        WorkerError: The process cannot be started, or has no torch.
    """
    asked = TraceFile(reference=reference, input_shape=input_shape, input_kind=input_kind)
    return _asked(asked, file, command, limits or Limits(), time_s, control=control)


def trace_calls(
    path: Path, *, batch: int | None, parts: int = 1, name: str, command: Sequence[str] | None = None
) -> Network:
    """Return the work of a watched step from the operators that it called.

    Args:
        path: The file that the watched process wrote.
        batch: Samples of the step; None: as many as its first operand has.
        parts: Equal ones that they go through the network in, one after another.
        name: What to call the network.
        command: Starts the worker; None: this program's own.

    Raises:
        TraceError: No network can be made of them.
        WorkerError: The process cannot be started, or has no torch.
    """
    return _asked(TraceCalls(path=str(path), batch=batch, parts=parts, name=name), name, command, Limits(), TRACE_S)


def _asked(
    asked: TraceFile | TraceCalls,
    file: str,
    command: Sequence[str] | None,
    allowed: Limits,
    time_s: float,
    *,
    control: Control | None = None,
) -> Network:
    worker = WorkerProcess(command or worker_command(), allowed.graces)
    try:
        _await_ready(worker, allowed.start_s)
        worker.send(asked)
        return _checked(_await_network(worker, file, time_s, control), file)
    finally:
        worker.stop()


def _await_ready(worker: WorkerProcess, start_s: float) -> None:
    deadline_s = time.monotonic() + start_s
    while time.monotonic() < deadline_s:
        match heard := worker.hear(POLL_S):
            case None | Garbage():  # what prints before this program's first line runs is no answer yet
                continue
            case Ready(framework=framework, problem=problem):
                if framework.version is None:
                    raise WorkerError("A network of your own needs torch to be looked at: {reason}", reason=problem)
                return
            case _:
                raise WorkerError(
                    "The process that would run your file is gone: {reason}.", reason=_cause_of_end(worker, heard)
                )
    raise WorkerError("The process that would run your file did not start within {seconds} s.", seconds=f"{start_s:g}")


def _await_network(worker: WorkerProcess, file: str, time_s: float, control: Control | None) -> Network:
    deadline_s = time.monotonic() + time_s
    while time.monotonic() < deadline_s:
        if control is not None and control.is_cancelled:
            raise TraceError("stopped", file=file)
        match heard := worker.hear(POLL_S):
            case None:
                continue
            case Traced(network=network):
                return network
            case TraceFault(code=code, values=values):
                raise _told(code, values, file)
            case _:
                raise TraceError("died", file=file, detail=_cause_of_end(worker, heard))
    raise TraceError("hung", file=file, seconds=f"{time_s:g}")


def _told(code: str, values: dict[str, str], file: str) -> TraceError:
    """Return the fault as the worker told it; a code or values nobody knows are no reason to fail here."""
    try:
        return TraceError(code, **values)
    except (KeyError, TypeError):
        return TraceError("died", file=file, detail=shorten(f"{code} {values}"))


def _cause_of_end(worker: WorkerProcess, heard: object) -> str:
    if isinstance(heard, Garbage):
        return heard.detail
    if isinstance(heard, Ended):
        return cause_of_death(worker.end_of_life(), worker.last_words).detail
    return type(heard).__name__


def _checked(network: Network, file: str) -> Network:
    """Return a network that predictions can work with; what came over the channel is untrusted."""
    amounts = [
        network.parameters,
        network.trainable_parameters,
        network.saved_bytes_per_sample,
        network.largest_bytes_per_sample,
        network.inference_bytes_per_sample,
        *(amount for operation in network.operations for amount in _amounts(operation)),
    ]
    if min(amounts) < 0 or not network.operations or any(_is_short(one) for one in network.operations):
        raise TraceError("died", file=file, detail="its description makes no sense")
    return network


def _amounts(one: Operation) -> tuple[float, ...]:
    # Fixed amounts come from a straight line through two sizes of batch and may be a little below zero.
    return one.flop_per_sample, one.bytes_per_sample, one.count, one.kernels, *one.shape


def _is_short(one: Operation) -> bool:
    return len(one.shape) < _EXTENTS.get(one.kind, 1)
