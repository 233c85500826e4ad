"""Hold the user's own code by bubblewrap: no network, no file changed, no other process seen, a limit on memory.

Linux only. It may read what the user may read, and the environment; more than is said here is not promised.
Source: bwrap(1), prlimit(1), getrlimit(2).
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from advisor.errors import InputError, Phrase, system_reason
from advisor.resource import system_environment

TEMPORARY = "/dev/shm"  # inside, a folder in memory that nobody else sees
_SHARE = 0.9
"""Of the memory that is free, what each process of it may take."""
_HIDDEN = ("/tmp", "/run")  # where other programs listen, such as a desktop or a container service
_CARDS = ("nvidia*", "dri", "kfd", "accel", "dxg")
_TRIAL_S = 10.0


def memory_limit() -> int:
    """Return the bytes that each process of confined code may take."""
    import psutil  # a prediction for a ready-made network does without

    return int(psutil.virtual_memory().available * _SHARE)


def check_confinement() -> None:
    """See that code can be held on this computer, before any is run.

    Raises:
        InputError: It cannot.
    """
    if sys.platform != "linux":
        raise _cannot(Phrase("only Linux has the means"))
    for program, package in (("bwrap", "bubblewrap"), ("prlimit", "util-linux")):
        if shutil.which(program) is None:
            raise InputError(
                "--confine cannot be held here: {program} is missing; on Debian or Ubuntu: sudo apt install {package}. "
                "Nothing was run.",
                program=program,
                package=package,
            )
    try:
        tried = subprocess.run(
            confined(("true",)), capture_output=True, timeout=_TRIAL_S, check=False, env=system_environment()
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _cannot(system_reason(error)) from error
    if tried.returncode:
        said = tried.stderr.decode("utf-8", "replace").strip().splitlines() or [f"exit status {tried.returncode}"]
        raise _cannot(said[-1][:200])


def _cannot(reason: str) -> InputError:
    return InputError("--confine cannot be held here: {reason}. Nothing was run.", reason=reason)


def confined(
    command: Sequence[str], *, folder: Path | None = None, readable: Sequence[Path] = (), writable: Sequence[Path] = ()
) -> tuple[str, ...]:
    """Return the command that runs another one confined.

    Args:
        command: The program and its arguments.
        folder: Where it runs; None: where this program does.
        readable: Folders that it needs, beside Python's and that in which it runs.
        writable: Folders that it may write into all the same.
    """
    place = (folder or Path()).absolute()
    needed = _needed([place, *readable])
    return (
        *("bwrap", "--die-with-parent", "--new-session", "--unshare-user-try", "--unshare-net", "--unshare-pid"),
        *("--unshare-ipc", "--cap-drop", "ALL", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
        # Of root's own code, ownership would suffice to set the system's parameters.
        *(word for path in ("/proc/sys", "/proc/sysrq-trigger") for word in ("--ro-bind-try", path, path)),
        *(word for node in _cards() for word in ("--dev-bind-try", node, node)),
        *(word for hidden in _HIDDEN if hidden not in needed for word in ("--tmpfs", hidden)),
        *(word for path in needed for word in ("--ro-bind-try", path, path)),
        *(word for path in _sockets(needed) for word in ("--ro-bind-try", "/dev/null", path)),
        *(word for path in writable for word in ("--bind", str(path), str(path))),
        *("--setenv", "TMPDIR", TEMPORARY, "--setenv", "TORCHINDUCTOR_CACHE_DIR", f"{TEMPORARY}/torchinductor"),
        *("--chdir", str(place), "prlimit", f"--data={memory_limit()}", *command),
    )


def _sockets(needed: Sequence[str]) -> list[str]:
    """Return where other programs listen that is in sight, such as a container service in the user's home.

    What may not be written may be connected to all the same. Source: proc_net_unix(5), whose eighth column is a path.
    """
    try:
        lines = Path("/proc/net/unix").read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return []
    named = {words[7] for words in (line.split(None, 7) for line in lines) if len(words) == 8 and words[7][0] == "/"}
    found = sorted({Path(os.path.realpath(one)) for one in named})  # /var/run leads to /run, which is hidden
    return [str(path) for path in found if (not _is_in(path, _HIDDEN) or _is_in(path, needed)) and _is_socket(path)]


def _is_socket(path: Path) -> bool:
    try:
        return path.is_socket()
    except OSError:  # what this user may not even look at nobody of theirs connects to
        return False


def _is_in(path: Path, places: Sequence[str]) -> bool:
    return any(path.is_relative_to(one) for one in places)


def _cards() -> list[str]:
    return [str(node) for name in _CARDS for node in sorted(Path("/dev").glob(name))]


def _needed(folders: Sequence[Path]) -> list[str]:
    """Return what must stay to be seen of the folders that are hidden: the code, and Python with its libraries."""
    known = [*folders, Path(__file__).parents[1], Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).parent]
    known += [Path(entry) for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry]
    places = [place for path in known for place in (path.absolute(), path.resolve())]
    hidden = {path for path in places if _is_in(path, _HIDDEN)}
    return sorted(str(path) for path in hidden if not hidden.intersection(path.parents))
