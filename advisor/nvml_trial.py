"""Load NVIDIA's library in a process of its own first: a broken driver then ends or holds up that one alone.

Python 3.11 holds its lock while a library is being loaded, so that no thread could give up waiting for it.
"""

import ctypes
import os
import selectors
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from advisor.resource import program_command

LIBRARY = "libnvidia-ml.so.1"
ARGUMENT = "--try-nvml"
_CACHE = Path("/etc/ld.so.cache")
_USUAL = ("/usr/lib", "/usr/lib64", "/lib", "/lib64")
_NO_ATTACH = 2  # NVML_INIT_FLAG_NO_ATTACH
_PR_SET_PDEATHSIG = 1
_ANSWERED = b"answered\n"
_failed: dict[bool, OSError] = {}
"""What a trial ended with, by whether it touched the cards; no second one is made, as the driver is the same."""


@contextmanager
def nvml_tried(limit_s: float, *, attach: bool) -> Iterator[None]:
    """Hold the library open in another process, so that a driver that is slow to start does so once.

    Args:
        limit_s: After which it counts as hung.
        attach: Whether the cards may be touched; else those that sleep go on sleeping.

    Raises:
        TimeoutError: The library does not answer in time.
        ChildProcessError: It ends the process that loads it.
    """
    if attach in _failed:
        raise _failed[attach]
    if not _is_there():
        yield
        return
    try:
        trial = subprocess.Popen(
            program_command(ARGUMENT, str(int(attach))),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except OSError:  # no process more; the library may still be fine
        yield
        return
    try:
        try:
            _wait(trial, limit_s)
        except (TimeoutError, ChildProcessError) as error:
            _failed[attach] = error
            raise
        yield
    finally:
        trial.kill()
        _let_go(trial)


def _wait(trial: subprocess.Popen[bytes], limit_s: float) -> None:
    assert trial.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(trial.stdout, selectors.EVENT_READ)
        if not selector.select(limit_s):
            raise TimeoutError(f"NVML: no answer within {limit_s:g} s")
    if trial.stdout.read(len(_ANSWERED)) != _ANSWERED:
        raise ChildProcessError(f"{LIBRARY} ends the program that loads it: {_end(trial)}")


def _end(trial: subprocess.Popen[bytes]) -> str:
    status = trial.wait()
    return signal.Signals(-status).name if status < 0 else f"exit status {status}"


def _let_go(trial: subprocess.Popen[bytes]) -> None:
    """Close what leads to a process that was killed; one within a hung driver ends when the driver lets it."""
    for stream in (trial.stdin, trial.stdout):
        if stream is not None:
            stream.close()
    with suppress(subprocess.TimeoutExpired):
        trial.wait(1.0)


def _is_there() -> bool:
    """Return whether the system's loader would find the library, without loading it; on Linux alone it is tried."""
    if sys.platform != "linux":
        return False
    named = [folder for folder in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if folder]
    try:
        if any(Path(folder, LIBRARY).exists() for folder in (*named, *_USUAL)):
            return True
        return LIBRARY.encode() in _CACHE.read_bytes()
    except (OSError, ValueError):  # where nobody may look, the trial itself will tell
        return True


def try_nvml(attach: str) -> int:
    """Load the library and open it, say so, and wait until whoever asked has seen enough."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    with suppress(OSError, AttributeError):  # not there, or of another kind: that is an answer, too
        library = ctypes.CDLL(LIBRARY)
        _open(library, attach=attach == "1")
    os.write(1, _ANSWERED)
    os.read(0, 1)
    return 0


def _open(library: Any, *, attach: bool) -> None:
    start: Callable[..., int] = library.nvmlInit_v2 if attach else library.nvmlInitWithFlags
    start() if attach else start(_NO_ATTACH)
