"""A measuring process without torch: a real process that speaks the protocol and misbehaves on demand.

How it starts is told on its command line (``--start hang``), what it does with a case by the case itself
(``options={"fake": "kill_itself"}``), so that a worker started again meets the same fate with the same case only.
"""

import argparse
import ctypes
import faulthandler
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import BinaryIO, NoReturn

from advisor.records.channel import (
    Answer,
    Bye,
    CaseBegun,
    CaseError,
    CaseResult,
    Ready,
    RunCase,
    Sample,
    Stop,
    WorkerDevice,
)
from advisor.records.hardware.machine import Framework
from advisor.records.job.asked_job import FED_PROGRAM, JOB_PROGRAM
from advisor.records.results.measured.measurement import Case
from advisor.wire import MAX_LINE_BYTES, encode_line
from advisor.worker.channel import Inbox, Outbox, claim_standard_streams
from advisor.worker.failure import AbandonedError, NotSupportedError, failure_of

SAMPLE_S = 0.001
READY = Ready(
    framework=Framework(version="0.0.fake", built_for="cpu"),
    devices=(WorkerDevice(name="cpu", precisions=("fp32",)),),
    environment={"torch": "0.0.fake", "threads": "1"},
)


class FakeWorker:
    """Answers like the real worker until told otherwise."""

    def __init__(self, results: BinaryIO, inbox: Inbox) -> None:
        self.results = results
        self.outbox = Outbox(results)
        self.inbox = inbox

    def serve(self) -> int:
        """Answer until told to stop."""
        while not isinstance(command := self.inbox.next_command(), Stop):
            assert isinstance(command, RunCase)
            answer = self.run(command)
            self.outbox.send(answer)
            if isinstance(answer, CaseError) and answer.ends_worker:
                break
        self.outbox.send(Bye())
        return 0

    def run(self, command: RunCase) -> Answer:
        """Return the answer to a case, if its fate lets it."""
        case = command.case
        self.outbox.send(CaseBegun(case_id=case.id))
        try:
            fate = str(case.options.get("fake", ""))
            if fate:
                FATES[fate](self, case)
            if case.program not in ("matmul", "train", JOB_PROGRAM, FED_PROGRAM):
                raise NotSupportedError(f"This worker has no program '{case.program}'.")
            return self.measure(case, SAMPLE_S)
        except Exception as error:  # noqa: BLE001 - as the real worker does
            return failure_of(case, error)

    def measure(self, case: Case, pause_s: float) -> CaseResult:
        """Take the samples that are wanted."""
        samples = []
        for number in range(case.min_samples):
            time.sleep(pause_s)
            samples.append(SAMPLE_S * (1 + number / 1000))
            self.outbox.send(Sample(case_id=case.id, sample_s=samples[-1]))
            self.check(case)
        return CaseResult(
            case_id=case.id,
            samples_s=tuple(samples),
            iterations_per_sample=3,
            details={"pid": float(os.getpid())},
            held_bytes=int(case.options.get("held_bytes", 0)),
        )

    def check(self, case: Case) -> None:
        """Give the case up when it is no longer wanted."""
        if self.inbox.stop_requested.is_set():
            raise AbandonedError("cancelled")
        if self.inbox.is_abandoned(case.id):
            raise AbandonedError("skipped")


def kill_itself(worker: FakeWorker, case: Case) -> None:
    """Die as under the system's out-of-memory killer."""
    os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))


def crash(worker: FakeWorker, case: Case) -> None:
    """Die of a bad memory access, as a driver does."""
    faulthandler._sigsegv()  # type: ignore[attr-defined]


def exit_with_message(worker: FakeWorker, case: Case) -> None:
    """End with a status and a line on standard error."""
    sys.stderr.write("some noise\nRuntimeError: the driver is gone\n")
    sys.stderr.flush()
    os._exit(3)


def hang(worker: FakeWorker, case: Case) -> NoReturn:
    """Never answer again."""
    while True:
        time.sleep(60)


def hang_firmly(worker: FakeWorker, case: Case) -> NoReturn:
    """Never answer again and ignore the polite signal."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hang(worker, case)


def write_garbage(worker: FakeWorker, case: Case) -> None:
    """Write bytes that are no text."""
    worker.results.write(bytes(range(256)) * 4 + b"\n")
    hang(worker, case)


def write_overlong(worker: FakeWorker, case: Case) -> None:
    """Write a line without end."""
    for _ in range(2 * MAX_LINE_BYTES // 65536 + 1):
        worker.results.write(b"x" * 65536)
    hang(worker, case)


def write_partial(worker: FakeWorker, case: Case) -> None:
    """Write half a line and end."""
    worker.results.write(encode_line(CaseResult(case_id=case.id, samples_s=(1.0,)))[:-20])
    os._exit(0)


def write_other_case(worker: FakeWorker, case: Case) -> None:
    """Answer for a case that was not asked for."""
    worker.outbox.send(CaseResult(case_id="another", samples_s=(1.0,)))
    hang(worker, case)


def write_impossible(worker: FakeWorker, case: Case) -> None:
    """Claim a time below zero."""
    worker.results.write(b'{"type":"sample","case_id":"' + case.id.encode() + b'","sample_s":-1.0}\n')
    hang(worker, case)


def flood(worker: FakeWorker, case: Case) -> None:
    """Write samples as fast as possible, without end."""
    while True:
        worker.outbox.send(Sample(case_id=case.id, sample_s=SAMPLE_S))


def run_out_of_memory(worker: FakeWorker, case: Case) -> None:
    """Fail as an allocation does."""
    raise MemoryError


def lose_device(worker: FakeWorker, case: Case) -> None:
    """Fail as a device does whose driver has given up."""
    raise RuntimeError("CUDA error: unspecified launch failure")


def be_slow(worker: FakeWorker, case: Case) -> None:
    """Take long, but listen."""
    for _ in range(600):
        time.sleep(0.05)
        worker.check(case)


def be_deaf(worker: FakeWorker, case: Case) -> None:
    """Take long and listen to nothing."""
    time.sleep(60)


def print_everywhere(worker: FakeWorker, case: Case) -> None:
    """Print in every way there is, then go on."""
    print("printed by Python", flush=True)
    os.write(1, b"printed through the descriptor\n")
    if sys.platform != "win32":
        library = ctypes.CDLL(None)
        library.puts(b"printed by C")
        library.fflush(None)


def leave_grandchild(worker: FakeWorker, case: Case) -> None:
    """Start a process that keeps the channel open, say its number on standard error, and die."""
    os.set_inheritable(worker.results.fileno(), True)
    child = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(120)"], close_fds=False, stderr=subprocess.DEVNULL
    )
    sys.stderr.write(f"GrandchildError: {child.pid}\n")
    sys.stderr.flush()
    os._exit(4)


def shout(worker: FakeWorker, case: Case) -> None:
    """Fill standard error with far more than is kept, and die."""
    for number in range(200_000):
        sys.stderr.write(f"line {number} of very much noise\n")
    sys.stderr.write("ValueError: the last line counts\n")
    sys.stderr.flush()
    os._exit(5)


FATES: dict[str, Callable[[FakeWorker, Case], None]] = {
    fate.__name__: fate
    for fate in (
        kill_itself,
        crash,
        exit_with_message,
        hang,
        hang_firmly,
        write_garbage,
        write_overlong,
        write_partial,
        write_other_case,
        write_impossible,
        flood,
        run_out_of_memory,
        lose_device,
        be_slow,
        be_deaf,
        print_everywhere,
        leave_grandchild,
        shout,
    )
}


def main() -> int:
    """Start as the command line says."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", default="", choices=("", "missing_torch", "hang", "die", "garbage", "greeting"))
    start = parser.parse_args().start
    if start == "greeting":
        print("Welcome! This site prints at start.", flush=True)
    commands, results = claim_standard_streams()
    worker = FakeWorker(results, Inbox(commands))
    if start == "hang":
        time.sleep(60)
    if start == "die":
        sys.stderr.write("ImportError: a library of torch is broken\n")
        return 1
    if start == "garbage":
        worker.results.write(b"\x00\xff{]\n")
        return 0
    ready = READY
    if start == "missing_torch":
        ready = Ready(framework=Framework(version=None), problem="ModuleNotFoundError: No module named 'torch'")
    worker.outbox.send(ready)
    return worker.serve()


if __name__ == "__main__":
    sys.exit(main())
