"""Run a user's own program unchanged, watch it, and end it when enough was seen."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

import psutil

from advisor.errors import InputError
from advisor.records.results.watched import Ended
from advisor.resource import system_environment
from advisor.watch.channel import Channel, Seen
from advisor.watch.surroundings import EVERY_S, Lookout, Rhythm, family

LONGEST_S = 180.0
_GRACE_S = 5.0
_CHUNK = 65_536


class Watched(NamedTuple):
    """What came of watching.

    Attributes:
        seen: What was told from inside.
        status: The program's own exit status; None where it was ended here.
        shares: Of the processor: the program's, and that of others.
    """

    seen: Seen
    ended: Ended
    status: int | None
    watched_s: float
    peak_bytes: int
    shares: tuple[float, float]
    rhythm_s: float | None


def watch(
    command: Sequence[str], channel: Channel, *, keeps_running: bool = False, longest_s: float = LONGEST_S
) -> Watched:
    """Run a command with this terminal for its input and output, and watch it.

    Args:
        command: The program and its arguments.
        channel: An open one.
        keeps_running: Let it run to its own end once enough was seen.
        longest_s: Then it is ended where not enough was seen.

    Raises:
        InputError: It cannot be started.
    """
    rhythm = Rhythm()
    began_s = time.monotonic()
    with _started(command, channel.environment(system_environment()), rhythm) as process:
        lookout = Lookout(process.pid)
        ended: Ended = "interrupted"
        try:
            ended = _look_on(process, channel, lookout, keeps_running, longest_s)
            watched_s, shares = time.monotonic() - began_s, lookout.shares()
            if keeps_running:
                process.wait()
        except KeyboardInterrupt:  # it has had the same Ctrl-C, and ends as it likes
            watched_s, shares = time.monotonic() - began_s, lookout.shares()
            _wait(process, _GRACE_S)
        is_own_end = process.poll() is not None
        _end(process)
    status = process.returncode if is_own_end else None
    return Watched(channel.read(), ended, status, watched_s, lookout.peak_bytes, shares, rhythm.period_s())


def _look_on(
    process: subprocess.Popen[bytes], channel: Channel, lookout: Lookout, keeps_running: bool, longest_s: float
) -> Ended:
    deadline_s = time.monotonic() + longest_s
    while not _wait(process, EVERY_S):
        lookout.look()
        if channel.read().is_over:
            return "enough"
        if time.monotonic() > deadline_s:
            return "time"
    return "itself"


@contextmanager
def _started(
    command: Sequence[str], environment: dict[str, str], rhythm: Rhythm
) -> Iterator["subprocess.Popen[bytes]"]:
    """Start the program; output to a terminal goes there itself, all other is handed on as it comes."""
    streams = [sys.stdout, sys.stderr]
    for stream in streams:
        stream.flush()
    out, err = (None if stream.isatty() else subprocess.PIPE for stream in streams)
    place = _checked(command)
    try:
        process = subprocess.Popen([place, *command[1:]], env=environment, stdout=out, stderr=err)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InputError("'{program}' cannot be run: {reason}.", program=command[0], reason=reason) from error
    pairs = [(process.stdout, streams[0]), (process.stderr, streams[1])]
    threads = [
        threading.Thread(target=_hand_on, args=(source, target.fileno(), rhythm), daemon=True)
        for source, target in pairs
        if source is not None
    ]
    for thread in threads:
        thread.start()
    try:
        yield process
    finally:
        for thread in threads:
            thread.join(_GRACE_S)


def _checked(command: Sequence[str]) -> str:
    """Return the program's path; what is no file is said before anything runs."""
    place = shutil.which(command[0])
    if place is None:
        raise InputError("There is no program '{program}'.", program=command[0])
    script = next((word for word in command[1:] if not word.startswith("-")), "")
    is_python = Path(place).name.startswith("python") and "-m" not in command and "-c" not in command
    if is_python and script:
        try:
            with Path(script).open("rb"):
                pass
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise InputError("{file} cannot be read: {reason}.", file=script, reason=reason) from error
    return place


def _hand_on(source: IO[bytes], target: int, rhythm: Rhythm) -> None:
    """Hand on a program's output as it comes, keeping none of it; without a reader the program has none either."""
    with source:
        while piece := os.read(source.fileno(), _CHUNK):
            rhythm.feed(piece)
            rest = memoryview(piece)
            try:
                while rest:
                    rest = rest[os.write(target, rest) :]
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
