"""The worker's private channel: results leave, commands arrive, and no print of any library can get between."""

import os
import signal
import sys
import threading
from contextlib import suppress
from queue import SimpleQueue
from typing import BinaryIO, NoReturn

from advisor.errors import InputError
from advisor.records.channel import AbandonCase, Answer, Command, RunCase, Stop, TraceCalls, TraceFile
from advisor.records.group import HostGroup, RunGroup
from advisor.wire import MAX_LINE_BYTES, decode_line, encode_line

EXIT_PARENT_GONE = 75
EXIT_BAD_COMMAND = 76

Work = RunCase | TraceFile | TraceCalls | HostGroup | RunGroup | Stop
"""What is done one after the other."""


def claim_standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return (commands, results) on file descriptors of their own.

    From then on descriptor 0 reads nothing and descriptor 1 is standard error, for Python and for C code alike. It must
    happen before torch is imported.
    """
    # WORKAROUND: on Windows, while a thread waits on a piped standard input, the import of numpy hangs, because its
    # libraries look at that handle (https://github.com/numpy/numpy/issues/24290); so 0 becomes the null device.
    commands = os.fdopen(os.dup(0), "rb")
    results = os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return commands, results


class Outbox:
    """Writes answers; a parent that is gone ends the process."""

    def __init__(self, results: BinaryIO) -> None:
        self._results = results

    def send(self, answer: Answer) -> None:
        """Write one answer."""
        rest = memoryview(encode_line(answer))
        try:
            while rest:
                rest = rest[self._results.write(rest) :]
        except OSError:
            stop_at_once(EXIT_PARENT_GONE)


class Inbox:
    """Reads commands in a thread, so that a running case learns at once that it is to stop.

    Attributes:
        stop_requested: Set when the process is to end.
    """

    def __init__(self, commands: BinaryIO) -> None:
        self._commands = commands
        self._queue: SimpleQueue[Work] = SimpleQueue()
        self._abandoned: set[str] = set()
        self.stop_requested = threading.Event()
        threading.Thread(target=self._read, name="commands", daemon=True).start()

    def next_command(self) -> Work:
        """Wait for the next command."""
        return self._queue.get()

    def is_abandoned(self, case_id: str) -> bool:
        """Return whether the parent no longer wants this case."""
        return case_id in self._abandoned

    def _read(self) -> None:
        try:
            while line := self._commands.readline(MAX_LINE_BYTES + 1):
                try:
                    command: Command = decode_line(line, Command)
                except InputError as error:
                    sys.stderr.write(f"{error}\n")
                    stop_at_once(EXIT_BAD_COMMAND)
                self._accept(command)
        finally:
            # End of file: the parent is gone, however it ended; a case in its midst must not outlive it. Nor may a case
            # go on that nobody can end, because this thread has found no memory.
            stop_at_once(EXIT_PARENT_GONE)

    def _accept(self, command: Command) -> None:
        match command:
            case AbandonCase(case_id=case_id):
                self._abandoned.add(case_id)
            case Stop():
                self.stop_requested.set()
                self._queue.put(command)
            case TraceFile() | TraceCalls() | HostGroup() | RunGroup():
                self._queue.put(command)
            case RunCase(case=case):
                self._abandoned.discard(case.id)  # what was said of an earlier run of it is over
                self._queue.put(command)


def stop_at_once(status: int) -> NoReturn:
    """End this process and, where it leads a group of its own, every process it started."""
    if sys.platform != "win32" and os.getpgrp() == os.getpid():
        with suppress(ProcessLookupError):
            os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(status)
