"""Which other programs use the processor most? Only their names, and only for the user's own screen.

What is found here is the user's business: it is no ``Condition`` and stands in no record that a report holds.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from advisor.probe.conditions import check_conditions
from advisor.probe.readers import Platform, Readers
from advisor.records.hardware.interference import Interference
from advisor.records.results.measured.measurement import Condition

MOST_PROGRAMS = 3
NAMED_RATIO = 0.02
"""A program that took less of the whole processor is not named: a fifth of the load that is worth a word at all."""
_LONGEST_NAME = 40
_KERNEL = frozenset({"kernel_task", "System", "System Idle Process"})
"""Parts of macOS and Windows that nobody can close; Linux has threads of its kernel instead, all of one parent."""
_KERNEL_THREADS = "kthreadd"
_ATTRIBUTES = ("pid", "name", "create_time", "cpu_times")  # each parent would take Windows a look at all processes


@dataclass(frozen=True, kw_only=True)
class Process:
    """One process at one moment.

    Attributes:
        used_s: Processor time since it began.
    """

    name: str
    used_s: float


ProcessKey = tuple[int, float]
"""Number of a process and when it began: numbers are used again."""


@dataclass(frozen=True, kw_only=True)
class ProgramTimes:
    """Processor time of every process that could be read, at one moment.

    Attributes:
        left_out: Processes that are ours or the system's own.
    """

    taken_s: float
    processes: Mapping[ProcessKey, Process] = field(default_factory=dict)
    left_out: frozenset[int] = frozenset()


def find_interference(
    *,
    readers: Readers | None = None,
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> Interference:
    """Return what would spoil a measurement that began now; takes a third of a second.

    Args:
        readers: Replaces what is read through.
        sleep: Waits so many seconds.
        clock: Seconds from an arbitrary start.
    """
    readers = readers or Readers()
    load = ProgramLoad(readers, clock=clock)
    load.begin()
    conditions = check_conditions("before", readers=readers, sleep=sleep, clock=clock)
    if is_loaded(conditions):
        load.count()
    return Interference(conditions=conditions, programs=load.busiest())


def is_loaded(conditions: Iterable[Condition]) -> bool:
    """Return whether other programs are among what spoils a measurement."""
    return any(one.kind == "other_load" for one in conditions)


@dataclass
class ProgramLoad:
    """Adds up, by name, what other programs used of the processor while somebody wanted to know.

    A look at 300 processes takes some 20 ms; it belongs between measurements, never beside one. Where the processes
    cannot be read, nobody is named.

    Attributes:
        readers: What is read through.
        clock: Seconds from an arbitrary start.
    """

    readers: Readers = field(default_factory=Readers)
    clock: Callable[[], float] = time.monotonic
    _began: ProgramTimes | None = None
    _used_s: dict[str, float] = field(default_factory=dict)
    _watched_s: float = 0.0

    def begin(self) -> None:
        """Count from now on."""
        self._began = read_program_times(self.readers, self.clock)

    def begin_unless_within(self, seconds: float) -> None:
        """Count from now on, unless it has just begun: two looks in a row would tell the same."""
        if self._began is None or self.clock() - self._began.taken_s > seconds:
            self.begin()

    def count(self) -> None:
        """Add what was used since the beginning, and begin again."""
        before, now = self._began, read_program_times(self.readers, self.clock, tells_own=True)
        self._began = now
        if before is None or not before.processes or not now.processes:
            return
        for name, used_s in used_between(before, now).items():
            self._used_s[name] = self._used_s.get(name, 0.0) + used_s
        self._watched_s += max(now.taken_s - before.taken_s, 0.0)

    def busiest(self) -> tuple[str, ...]:
        """Return the names of those that used most, the busiest first; none where none could be seen to use much."""
        if self._watched_s <= 0:
            return ()
        least_s = NAMED_RATIO * self._watched_s * int(self.readers.psutil().cpu_count(logical=True) or 1)
        most = sorted(self._used_s.items(), key=lambda one: (-one[1], one[0]))[:MOST_PROGRAMS]
        return tuple(name for name, used_s in most if used_s >= least_s)


def read_program_times(
    readers: Readers, clock: Callable[[], float] = time.monotonic, *, tells_own: bool = False
) -> ProgramTimes:
    """Return the processor time of all processes that may be read; none where the system gives no list.

    Check: ``ps -eo pid,comm,times`` or the task manager.

    Args:
        readers: What is read through.
        clock: Seconds from an arbitrary start.
        tells_own: Whether to find out which of them are ours or the system's, which takes as long again.
    """
    taken_s, psutil = clock(), readers.psutil()
    found: dict[ProcessKey, Process] = {}
    try:
        for one in psutil.process_iter(_ATTRIBUTES):
            times = one.info["cpu_times"]
            if times is not None and one.info["name"]:
                name = _plain(psutil, one, readers.platform)
                key = (one.info["pid"], one.info["create_time"] or 0.0)
                found[key] = Process(name=name, used_s=times.user + times.system)
        left_out = _left_out(psutil, found, readers.process_id) if tells_own else frozenset()
    # No list of processes, or not in the form it should have, as in some containers; of a /proc/stat without the time
    # of the start psutil says RuntimeError.
    except (psutil.Error, OSError, ValueError, LookupError, TypeError, RuntimeError):
        return ProgramTimes(taken_s=taken_s)
    return ProgramTimes(taken_s=taken_s, processes=found, left_out=left_out)


def _plain(psutil: Any, process: Any, platform: Platform) -> str:
    """Return a program's name as people know it: no ending, and nothing that would command a terminal.

    On Linux a process may call itself something else, as Firefox's "Isolated Web Co"; the name of a program's file
    hardly ever has a space, and that of the file is asked for then.
    """
    name = str(process.info["name"]).removesuffix(".exe")
    if platform == "linux" and " " in name:
        with suppress(psutil.Error):  # of somebody else's, what it calls itself must do
            name = PurePosixPath(process.exe()).name or name
    return "".join(sign for sign in name if sign.isprintable())[:_LONGEST_NAME].strip()


def _left_out(psutil: Any, found: Mapping[ProcessKey, Process], own_pid: int) -> frozenset[int]:
    """Return this process with its descendants, and the threads of Linux's kernel."""
    roots = {own_pid} | {pid for (pid, _began_s), one in found.items() if one.name == _KERNEL_THREADS}
    below = [child.pid for root in roots for child in psutil.Process(root).children(recursive=True)]
    system = [pid for (pid, _began_s), one in found.items() if one.name in _KERNEL]
    return frozenset((*roots, *below, *system))


def used_between(before: ProgramTimes, now: ProgramTimes) -> dict[str, float]:
    """Return processor seconds of others by program; what began between the two looks counts from its beginning."""
    used_s: dict[str, float] = {}
    for key, process in now.processes.items():
        known = before.processes.get(key)
        spent_s = process.used_s - (0.0 if known is None else known.used_s)
        if process.name and key[0] not in now.left_out and spent_s > 0:
            used_s[process.name] = used_s.get(process.name, 0.0) + spent_s
    return used_s
