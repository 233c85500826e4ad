"""One measuring process: started, spoken to, listened to within limits, and ended by a ladder. Knows no suite."""

import contextlib
import errno
import os
import queue
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import IO, Any, Final

import psutil
from platformdirs import user_cache_path

from advisor.benchmark.running.redact_messages import shorten
from advisor.errors import InputError, WorkerError, system_reason
from advisor.records.base import Record
from advisor.records.channel import Answer, Command, Ready, Stop
from advisor.resource import APPLICATION, program_command, program_environment, system_environment
from advisor.wire import MAX_LINE_BYTES, decode_line, encode_line

STDERR_BYTES: Final = 64 * 1024
"""So much of the end of the worker's standard error is kept."""
QUEUE_LINES: Final = 64
"""A worker that writes faster than it is read has to wait."""
_CHUNK_BYTES: Final = 64 * 1024
_THREAD_S: Final = 2.0
_MARK: Final = "ADVISOR_WORKER"
"""Variable of the worker's environment by which all it starts is known, whatever group or parent it has."""


class Graces(Record, frozen=True, kw_only=True):
    """How long each rung of the stop ladder waits: after asking, after terminating, after killing."""

    ask_s: float = 2.0
    terminate_s: float = 2.0
    kill_s: float = 5.0


class Ended(Record, frozen=True, kw_only=True):
    """The channel is closed."""


class Garbage(Record, frozen=True, kw_only=True):
    """A line that is no answer: too long, not JSON, or with wrong fields."""

    detail: str


Heard = Answer | Ended | Garbage


def worker_command() -> tuple[str, ...]:
    """Return the command that starts the worker: this very program."""
    return program_command("--worker")


class WorkerProcess:
    """A running worker.

    Attributes:
        pid: Of the process.
    """

    def __init__(self, command: Sequence[str], graces: Graces) -> None:
        """Start the process.

        Raises:
            WorkerError: It cannot be started.
        """
        self._graces = graces
        self._mark = secrets.token_hex(16)
        self._popen = _start(command, self._mark)
        self.pid = self._popen.pid
        self._heard: queue.Queue[Heard] = queue.Queue(QUEUE_LINES)
        self._is_deaf = threading.Event()
        self._has_answered = False
        self._stderr = bytearray()
        self._threads = [
            threading.Thread(target=target, args=(_pipe(stream),), name=f"worker-{self.pid}", daemon=True)
            for target, stream in ((self._listen, self._popen.stdout), (self._drain, self._popen.stderr))
        ]
        try:
            for thread in self._threads:
                thread.start()
        except RuntimeError as error:  # the system has no thread left to give
            self._popen.kill()
            self._popen.communicate()
            reason = system_reason(OSError(errno.EAGAIN, str(error)))
            raise WorkerError("The measuring process could not be started: {reason}.", reason=reason) from error

    @property
    def exit_status(self) -> int | None:
        """The status the process ended with, negative for a signal; None while it runs."""
        return self._popen.poll()

    @property
    def last_words(self) -> str:
        """The line of its standard error that names an error, else the last one."""
        lines = bytes(self._stderr).decode("utf-8", "replace").strip().splitlines()
        named = [line for line in lines if "Error" in line or "error:" in line]
        return shorten((named or lines or [""])[-1])

    def send(self, command: Command) -> None:
        """Write a command; that a worker is gone shows in its silence."""
        self.send_line(encode_line(command))

    def send_line(self, line: bytes) -> None:
        """Write a line as it is."""
        with contextlib.suppress(OSError, ValueError):  # ValueError: hung up already
            _pipe(self._popen.stdin).write(line)

    def hang_up(self) -> None:
        """Close its input, by which a worker knows that its parent is gone."""
        with contextlib.suppress(OSError):  # what was not yet written to it no longer matters
            _pipe(self._popen.stdin).close()

    def hear(self, timeout_s: float) -> Heard | None:
        """Return the next thing it said, or None after the timeout.

        ``Ended`` comes after everything it said; also when another process keeps its end of the channel open.
        """
        try:
            return self._heard.get(timeout=timeout_s)
        except queue.Empty:
            if self.exit_status is None:
                return None
        self._end_heirs()
        try:
            return self._heard.get(timeout=_THREAD_S)
        except queue.Empty:
            return Ended()

    def end_of_life(self) -> int | None:
        """Return the exit status of a worker whose channel is closed; None when it goes on nevertheless."""
        if self._has_ended_within(_THREAD_S):
            self._end_heirs()
            self._threads[-1].join(_THREAD_S)  # its last words are to be complete
        return self.exit_status

    def stop(self) -> bool:
        """Ask, terminate, kill; return False when even that did not end it (it hangs inside a driver).

        One that has not yet said anything still loads its libraries and could not hear a question.
        """
        self._is_deaf.set()
        self.send(Stop())
        family = _family(self.pid)
        if not self._has_answered or not self._has_ended_within(self._graces.ask_s):
            _end_group(self._popen, family, signal.SIGTERM)
            if not self._has_ended_within(self._graces.terminate_s):
                _end_group(self._popen, family, _KILL)
        has_ended = self._has_ended_within(self._graces.kill_s)
        self._end_heirs(family)
        self._close()
        return has_ended

    def _end_heirs(self, family: Sequence[psutil.Process] = ()) -> None:
        """End what a dead worker has started and left behind; it may hold the channel open."""
        _end_group(self._popen, list(family), _KILL)
        _end_marked(self._mark)

    def _has_ended_within(self, timeout_s: float) -> bool:
        try:
            self._popen.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _close(self) -> None:
        self.hang_up()
        for thread, stream in zip(self._threads, (self._popen.stdout, self._popen.stderr), strict=True):
            thread.join(_THREAD_S)
            if not thread.is_alive():  # a pipe that is being read must not be closed under the reader
                _pipe(stream).close()

    def _listen(self, stream: IO[bytes]) -> None:
        """Put every line into the queue; memory stays within the limits whatever comes."""
        waiting = bytearray()
        while chunk := _read(stream):
            waiting += chunk
            *lines, waiting = waiting.split(b"\n")
            for line in lines:
                self._enqueue(_heard(bytes(line)))
            if len(waiting) > MAX_LINE_BYTES:
                self._enqueue(_heard(bytes(waiting)))
                waiting.clear()
        self._enqueue(Ended())

    def _enqueue(self, heard: Heard) -> None:
        self._has_answered = self._has_answered or isinstance(heard, Ready)
        while not self._is_deaf.is_set():
            try:
                self._heard.put(heard, timeout=0.1)
            except queue.Full:
                continue
            return

    def _drain(self, stream: IO[bytes]) -> None:
        while chunk := _read(stream):
            self._stderr += chunk
            del self._stderr[:-STDERR_BYTES]


def _start(command: Sequence[str], mark: str) -> subprocess.Popen[bytes]:
    """Start the worker at the head of a process group of its own, so that all it starts can be ended with it."""
    options: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        options = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    try:
        return subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=_environment(command) | {_MARK: mark},
            **options,
        )
    except OSError as error:
        raise WorkerError(
            "The measuring process could not be started: {reason}.", reason=system_reason(error)
        ) from error


def _environment(command: Sequence[str]) -> dict[str, str]:
    """Return the worker's environment.

    CUDA counts cards as the driver does and not the fastest first. What torch compiles is kept in the user's own cache,
    not under a name in the temporary folder that anybody could foresee.
    """
    environment = program_environment() if sys.executable in command else system_environment()
    compiled = str(user_cache_path(APPLICATION, appauthor=False) / "torchinductor")
    return {"CUDA_DEVICE_ORDER": "PCI_BUS_ID", "TORCHINDUCTOR_CACHE_DIR": compiled} | environment


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None, "every stream of the worker is a pipe"
    return stream


def _read(stream: IO[bytes]) -> bytes:
    try:
        return os.read(stream.fileno(), _CHUNK_BYTES)
    except OSError:  # Windows reports a broken pipe where others report the end of the file
        return b""


def _heard(line: bytes) -> Heard:
    try:
        answer: Answer = decode_line(line, Answer)
    except InputError as error:
        return Garbage(detail=shorten(str(error)))
    return answer


def _end_marked(mark: str) -> None:
    """End every process that carries the mark, also one that left the worker's group for a session of its own."""
    try:
        pids = psutil.pids()
    except (psutil.Error, OSError, IndexError):  # the last one where /proc is hidden and so none is seen
        return
    for pid in pids:
        with contextlib.suppress(psutil.Error, OSError):
            process = psutil.Process(pid)
            if process.environ().get(_MARK) == mark:
                process.kill()


if sys.platform == "win32":
    _KILL = signal.SIGTERM

    def _family(pid: int) -> list[psutil.Process]:
        """Return the processes the worker has started."""
        try:
            return psutil.Process(pid).children(recursive=True)
        except psutil.Error:
            return []

    def _end_group(popen: subprocess.Popen[bytes], family: list[psutil.Process], _signal: int) -> None:
        """End the worker and what it has started; Windows knows no milder way."""
        popen.terminate()
        for process in family:
            with contextlib.suppress(psutil.Error):
                process.kill()

else:
    _KILL = signal.SIGKILL

    def _family(pid: int) -> list[psutil.Process]:
        """Return nothing: the process group holds all the worker has started."""
        return []

    def _end_group(popen: subprocess.Popen[bytes], family: list[psutil.Process], number: int) -> None:
        """Send the signal to the worker and what it has started; a group without members is no fault."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(popen.pid, number)
