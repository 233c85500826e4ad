"""Serve the interface's commands until it says stop or is gone."""

import faulthandler
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import msgspec

from advisor.errors import TraceError
from advisor.records.channel import (
    Answer,
    Bye,
    CaseBegun,
    CaseError,
    CaseResult,
    RunCase,
    Sample,
    Stop,
    TraceCalls,
    Traced,
    TraceFault,
    TraceFile,
)
from advisor.records.group import GroupAnswer, HostGroup, RunGroup
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.job.work import Network
from advisor.records.results.measured.measurement import WAITED_DETAIL, Case
from advisor.wire import MAX_LINE_BYTES, encode_line
from advisor.worker.channel import Inbox, Outbox, claim_standard_streams
from advisor.worker.failure import AbandonedError, describe, failure_of
from advisor.worker.fresh_process import FORKS, EndedError, SilentError, in_fresh_process
from advisor.worker.orphaned import signal_when_orphaned

if TYPE_CHECKING:
    from advisor.worker.group import GroupServer
    from advisor.worker.timing import Progress

PACE_PATIENCE_S = 10.0
"""A tenth of a second is meant, so even a busy computer is done by then."""


def run_worker() -> int:
    """Answer commands on the private channel and return the exit status."""
    commands, results = claim_standard_streams()
    volunteer_for_out_of_memory_kill()
    wake_when_orphaned()
    if sys.stderr is not None:
        faulthandler.enable(sys.stderr)
    inbox, outbox = Inbox(commands), Outbox(results)
    from advisor.worker.framework import read_framework

    ready = read_framework()
    outbox.send(ready)
    group = _Group()
    is_fresh = FORKS
    while not isinstance(command := inbox.next_command(), Stop):
        if isinstance(command, HostGroup | RunGroup):
            outbox.send(group.answer(command))
            continue
        if isinstance(command, TraceFile | TraceCalls):
            answer = trace(command)
        else:
            answer = run_case(command, inbox, outbox, is_fresh=is_fresh)
        is_fresh = False
        outbox.send(answer)
        if isinstance(answer, CaseError) and answer.ends_worker:
            break
    outbox.send(Bye())
    return 0


def volunteer_for_out_of_memory_kill() -> None:
    """Let Linux end this process first when memory runs out, and spare the program it works for.

    Source: proc_pid_oom_score_adj(5); raising the score needs no privilege.
    """
    with suppress(OSError):  # other systems have no such file, a sandbox may forbid it
        Path("/proc/self/oom_score_adj").write_text("900", encoding="ascii")


def wake_when_orphaned() -> None:
    """Let Linux continue this process, should it be stopped when its parent ends: it then ends too."""
    if sys.platform == "linux":
        signal_when_orphaned(signal.SIGCONT)


def run_case(command: RunCase, inbox: Inbox, outbox: Outbox, *, is_fresh: bool) -> Answer:
    """Return the result of a case or the reason there is none; leave torch and the memory as they were, or say so.

    Args:
        command: The case, with what the user asked about.
        inbox: Says when the case is no longer wanted.
        outbox: Hears of each sample.
        is_fresh: Nothing was computed in this process yet, and it can fork.
    """
    from advisor.worker.allocator import held_bytes
    from advisor.worker.memory import release_memory

    outbox.send(CaseBegun(case_id=command.case.id))
    answer = _measure(command, _ChannelProgress(command.case, inbox, outbox), is_fresh=is_fresh)
    release_memory(command.case.device)
    return msgspec.structs.replace(answer, held_bytes=held_bytes())


def _measure(command: RunCase, progress: "Progress", *, is_fresh: bool) -> CaseResult | CaseError:
    from advisor.worker.cases import program_of
    from advisor.worker.torch_settings import case_settings

    case = command.case
    try:
        with case_settings(case) as device:
            before = _pace(case, progress, is_fresh=is_fresh)
            result = program_of(case, command.job, is_fresh=before.is_apart)(case, device, progress)
            # What is over by now, such as a program that was starting, was not in the way all the time.
            after = _pace(case, progress, is_fresh=before.is_apart) if before.waited_ratio else before
            waited = {WAITED_DETAIL: min(before.waited_ratio, after.waited_ratio)} if before.waited_ratio else {}
            return msgspec.structs.replace(result, pace_s=before.pace_s, details=result.details | waited)
    except EndedError as error:
        end_alike(error.status)
    # Whatever a library raises costs this case only; the reason goes to the report.
    except Exception as error:  # noqa: BLE001
        sys.stderr.write(f"{case.id}: {describe(error)}\n")
        return failure_of(case, error)


class _Pace(NamedTuple):
    """What the small product found, and whether a forked process did it."""

    pace_s: float
    waited_ratio: float = 0.0
    is_apart: bool = False


def _pace(case: Case, progress: "Progress", *, is_fresh: bool) -> _Pace:
    """Return the pace before or after a case; for a job on the processor with how its threads get on with each other.

    The job's own step needs a process that has computed nothing, so the product has one of its own; not where threads
    of a forked process do not start in this build of torch.
    """
    from advisor.worker.pace import measure_pace, measure_waiting

    def whole(relay: object = None) -> _Pace:
        pace_s = measure_pace()
        return _Pace(pace_s, measure_waiting(pace_s))

    if case.program != JOB_PROGRAM or case.device != "cpu":
        return _Pace(measure_pace())
    if is_fresh:
        with suppress(SilentError):
            return in_fresh_process(whole, progress, patience_s=PACE_PATIENCE_S)._replace(is_apart=True)
    return whole()


def end_alike(status: int) -> NoReturn:
    """End this process as one ended that worked for it, by the same signal, so that the reason is told as it is."""
    if status < 0:
        os.kill(os.getpid(), -status)
    os._exit(status)


def trace(command: TraceFile | TraceCalls) -> Answer:
    """Return the work of the network in a user's program or of a step of it, or why there is none."""
    try:
        network = _network(command)
    except TraceError as error:
        return TraceFault(code=error.code, values=error.values)
    answer = Traced(network=network)
    if len(encode_line(answer)) > MAX_LINE_BYTES:
        named = command.path if isinstance(command, TraceCalls) else command.reference.rpartition(":")[0]
        return TraceFault(code="too_large", values={"file": Path(named).name})
    return answer


def _network(command: TraceFile | TraceCalls) -> Network:
    if isinstance(command, TraceCalls):
        from advisor.worker.tracing.recorded_calls import network_of_calls

        return network_of_calls(Path(command.path), batch=command.batch, parts=command.parts, name=command.name)
    from advisor.worker.job.tried_step import traced_or_tried

    return traced_or_tried(command.reference, input_shape=command.input_shape, input_kind=command.input_kind)


class _Group:
    """Loads what measures together with other workers when it is first asked for."""

    def __init__(self) -> None:
        self._server: GroupServer | None = None

    def answer(self, command: HostGroup | RunGroup) -> GroupAnswer:
        if self._server is None:
            from advisor.worker.group import GroupServer

            self._server = GroupServer()
        return self._server.answer(command)


class _ChannelProgress:
    """Sends each sample, and ends the case when the parent no longer wants it."""

    def __init__(self, case: Case, inbox: Inbox, outbox: Outbox) -> None:
        self._case = case
        self._inbox = inbox
        self._outbox = outbox

    def sampled(self, sample_s: float) -> None:
        self._outbox.send(Sample(case_id=self._case.id, sample_s=sample_s))
        self.check()

    def check(self) -> None:
        if self._inbox.stop_requested.is_set():
            raise AbandonedError("cancelled")
        if self._inbox.is_abandoned(self._case.id):
            raise AbandonedError("skipped")
