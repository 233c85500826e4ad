"""Run a user's own program unchanged, watch it, and end it when enough was seen."""

import contextlib
import errno
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import IO, NamedTuple, TextIO

import psutil

from advisor.confinement import confined
from advisor.errors import InputError, system_reason
from advisor.records.results.measured.watched import Ended, Unseen
from advisor.resource import system_environment
from advisor.watch.channel import Channel, Seen
from advisor.watch.process_usage import EVERY_S, Lookout, Rhythm, family

LONGEST_S = 180.0
_GRACE_S = 5.0
_CHUNK = 65_536
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")


class Watched(NamedTuple):
    """What came of watching.

    Attributes:
        seen: What was told from inside.
        status: The program's own exit status; None where it was ended here.
        shares: Of the processor: the program's, and that of others.
        unseen: What keeps out what watches it inside.
    """

    seen: Seen
    ended: Ended
    status: int | None
    watched_s: float
    peak_bytes: int
    shares: tuple[float, float]
    rhythm_s: float | None
    swapped_bytes: int = 0
    unseen: Unseen | None = None


class Progress(NamedTuple):
    """How far watching is.

    Attributes:
        elapsed_s: Since the start.
        steps: Training steps seen; timed: of them, those past warm-up, of ``TIMED``.
    """

    elapsed_s: float
    steps: int
    timed: int


def watch(
    command: Sequence[str],
    channel: Channel,
    *,
    keeps_running: bool = False,
    longest_s: float = LONGEST_S,
    announce: Callable[[Progress], None] | None = None,
    stop: threading.Event | None = None,
    output: Callable[[bytes], None] | None = None,
    folder: Path | None = None,
    confine: bool = False,
) -> Watched:
    """Run a command with this terminal for its input and output, and watch it.

    Args:
        command: The program and its arguments.
        channel: An open one.
        keeps_running: Let it run to its own end once enough was seen.
        longest_s: Then it is ended where not enough was seen.
        announce: Hears every half second how far watching is, in this thread.
        stop: Once it is set, by another thread, the program is ended.
        folder: Where it runs; None: where this program does.
        confine: Hold it; see ``advisor.confinement``.
        output: Takes the program's output, from other threads, where there is no terminal; it then has no input either.

    Raises:
        InputError: It cannot be started.
    """
    rhythm = Rhythm()
    began_s = time.monotonic()
    stop = stop or threading.Event()
    command, own = _parted(command)
    environment = channel.environment({**system_environment(), **own})
    if not keeps_running:
        environment["ADVISOR_WATCHER"] = str(os.getpid())  # with which it is to end
    words: Sequence[str] = [_checked(command, folder or Path(), environment.get("PATH")), *command[1:]]
    if confine:
        words = confined(words, folder=folder, writable=[channel.folder])
    with _started(words, environment, rhythm, output, folder) as process:
        lookout = Lookout(process.pid, channel.folder)
        ended: Ended = "interrupted"
        try:
            ended = _look_on(process, channel, lookout, longest_s=longest_s, announce=announce, stop=stop)
            watched_s, shares = time.monotonic() - began_s, lookout.shares()
            while keeps_running and not stop.is_set() and not _wait(process, EVERY_S):
                pass
        except KeyboardInterrupt:  # it has had the same Ctrl-C, and ends as it likes
            watched_s, shares = time.monotonic() - began_s, lookout.shares()
            _wait(process, _GRACE_S)
        is_own_end = process.poll() is not None
    status = process.returncode if is_own_end else None
    held, swapped = lookout.peak_bytes, lookout.swapped_bytes()
    return Watched(channel.read(), ended, status, watched_s, held, shares, rhythm.period_s(), swapped, lookout.unseen)


def _look_on(
    process: subprocess.Popen[bytes],
    channel: Channel,
    lookout: Lookout,
    *,
    longest_s: float,
    announce: Callable[[Progress], None] | None,
    stop: threading.Event,
) -> Ended:
    began_s = time.monotonic()
    while not _wait(process, EVERY_S):
        lookout.look()
        seen = channel.read()
        elapsed_s = time.monotonic() - began_s
        if announce is not None:
            announce(Progress(elapsed_s, len(seen.steps), seen.timed))
        if seen.is_over:
            return "enough"
        if stop.is_set():
            return "interrupted"
        if elapsed_s > longest_s:
            return "time"
    return "itself"


@contextmanager
def _started(
    command: Sequence[str],
    environment: dict[str, str],
    rhythm: Rhythm,
    output: Callable[[bytes], None] | None,
    folder: Path | None,
) -> Iterator["subprocess.Popen[bytes]"]:
    """Start the program; output to a terminal goes there itself, all other is handed on as it comes."""
    sinks = [_to(stream) if output is None else output for stream in (sys.stdout, sys.stderr)]
    out, err = (None if sink is None else subprocess.PIPE for sink in sinks)
    try:
        process = subprocess.Popen(
            command,
            env=environment,
            cwd=folder,
            stdin=None if output is None else subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=output is not None,  # whoever asks for a password would ask the terminal behind a window
        )
    except OSError as error:
        raise _cannot_run(command[0], error) from error
    pipes = [
        (source, sink)
        for source, sink in zip((process.stdout, process.stderr), sinks, strict=True)
        if source is not None and sink is not None
    ]
    threads = [threading.Thread(target=_hand_on, args=(*pipe, rhythm), daemon=True) for pipe in pipes]
    try:
        for thread in threads:
            _begin(thread, command[0])
        yield process
    finally:
        _end(process)  # also where this program itself is to end
        for thread, (source, _sink) in zip(threads, pipes, strict=True):
            if thread.ident is None:
                source.close()
            else:
                thread.join(_GRACE_S)


def _begin(thread: threading.Thread, program: str) -> None:
    try:
        thread.start()
    except RuntimeError as error:  # the system has no thread left to give
        raise _cannot_run(program, OSError(errno.EAGAIN, str(error))) from error


def _cannot_run(program: str, error: OSError) -> InputError:
    return InputError("'{program}' cannot be run: {reason}.", program=Path(program).name, reason=system_reason(error))


def _to(stream: TextIO) -> Callable[[bytes], None] | None:
    """Return what writes to a stream of this program; None for a terminal, which needs nobody between."""
    stream.flush()
    if stream.isatty():
        return None
    target = stream.fileno()

    def write(piece: bytes) -> None:
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(target, rest) :]

    return write


def _parted(command: Sequence[str]) -> tuple[Sequence[str], dict[str, str]]:
    """Return a command without the variables before its program, as a shell and ``env`` take them, and these.

    A ``PYTHONPATH`` among them would hide what watches the program; so it only comes after that.
    """
    begin = 1 if Path(command[0]).name == "env" else 0
    set_ = list(takewhile(_ASSIGNMENT.match, command[begin:]))
    rest = command[begin + len(set_) :]
    if not set_ or not rest or rest[0].startswith("-"):  # env has options of its own
        return command, {}
    return rest, dict(one.split("=", 1) for one in set_)


def _checked(command: Sequence[str], folder: Path, path: str | None) -> str:
    """Return the program's path; what is no file is said before anything runs."""
    place = shutil.which(command[0], path=path)
    if place is None and (folder / command[0]).is_file():
        raise InputError(
            "{file} is not a program that can be started by itself. Start a Python script with: python {file}",
            file=command[0],
        )
    if place is None:
        raise InputError("There is no program '{program}'.", program=command[0])
    script = next((word for word in command[1:] if not word.startswith("-")), "")
    is_python = Path(place).name.startswith("python") and "-m" not in command and "-c" not in command
    if is_python and script:
        try:
            with (folder / script).open("rb"):
                pass
        except OSError as error:
            reason = system_reason(error)
            raise InputError("{file} cannot be read: {reason}.", file=script, reason=reason) from error
    return place


def _hand_on(source: IO[bytes], sink: Callable[[bytes], None], rhythm: Rhythm) -> None:
    """Hand on a program's output as it comes, keeping none of it; without a reader the program has none either."""
    with source:
        while piece := os.read(source.fileno(), _CHUNK):
            rhythm.feed(piece)
            try:
                sink(piece)
            except OSError:
                return


def _wait(process: subprocess.Popen[bytes], time_s: float) -> bool:
    try:
        process.wait(time_s)
    except subprocess.TimeoutExpired:
        return False
    return True


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the program and what it started: asked first, then at once."""
    left = family(process.pid) if process.poll() is None else []
    if not left:
        return
    process.send_signal(signal.SIGTERM)
    _wait(process, _GRACE_S)
    _gone, staying = psutil.wait_procs(left[1:], timeout=1.0)
    for one in (*staying, left[0]):
        with contextlib.suppress(psutil.Error):
            one.kill()
    process.wait()
