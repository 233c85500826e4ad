"""How busy is the processor, with this program and without it? Two snapshots and the time between them answer that."""

import os
import re
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from advisor.probe.host.cpu_linux import CPU_FOLDER
from advisor.probe.readers import Files, Readers, number


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """Counters at one moment; only differences between two of them mean something.

    Attributes:
        taken_s: When, on a clock that only goes forward.
        busy_s: Processor time of all programs.
        own_s: Processor time of this program and its child processes.
        stolen_s: Time in which a core had work and the host of this virtual machine gave it to others (steal); 0 where
            the system does not tell.
        throttle_count: How often the processor slowed down for heat; None where the system does not count.
    """

    taken_s: float
    busy_s: float
    own_s: float
    stolen_s: float = 0.0
    throttle_count: int | None = None


def read_counters(
    readers: Readers | None = None,
    *,
    own_pids: Collection[int] = (),
    clock: Callable[[], float] = time.monotonic,
) -> Snapshot:
    """Return the counters now.

    Args:
        readers: Replaces what is read through.
        own_pids: Further processes whose load is ours, beside this program and its children.
        clock: Seconds from an arbitrary start.
    """
    readers = readers or Readers()
    roots = {readers.process_id, *own_pids}
    taken_s = clock()
    if readers.platform == "linux":
        (busy_s, stolen_s), own_s = _busy_linux(readers.files), _own_linux(readers.files, roots)
    else:
        (busy_s, own_s), stolen_s = _busy_psutil(readers.psutil(), roots), 0.0
    return Snapshot(
        taken_s=taken_s, busy_s=busy_s, own_s=own_s, stolen_s=stolen_s, throttle_count=_throttle_count(readers.files)
    )


def own_busy_cores(before: Snapshot, after: Snapshot) -> float | None:
    """Return how many cores this program kept busy between two snapshots, None where no time passed."""
    elapsed_s = after.taken_s - before.taken_s
    return (after.own_s - before.own_s) / elapsed_s if elapsed_s > 0 else None


def other_busy_cores(before: Snapshot, after: Snapshot) -> float | None:
    """Return how many cores others kept busy between two snapshots, None where no time passed."""
    elapsed_s = after.taken_s - before.taken_s
    if elapsed_s <= 0:
        return None
    return max((after.busy_s - before.busy_s) - (after.own_s - before.own_s), 0.0) / elapsed_s


def stolen_cores(before: Snapshot, after: Snapshot) -> float | None:
    """Return how many cores the host of this virtual machine took between two snapshots, None where no time passed."""
    elapsed_s = after.taken_s - before.taken_s
    return max(after.stolen_s - before.stolen_s, 0.0) / elapsed_s if elapsed_s > 0 else None


def _ticks_per_s() -> float:
    return float(os.sysconf("SC_CLK_TCK")) if hasattr(os, "sysconf") else 100.0


def _busy_linux(files: Files) -> tuple[float, float]:
    """Return busy and stolen seconds of all processors. Source: proc_stat(5)."""
    for line in (files.text("/proc/stat") or "").splitlines():
        if line.startswith("cpu "):
            ticks = [int(word) for word in line.split()[1:9]]  # guest time is part of user time
            user, nice, system, _idle, _waiting, interrupts, soft_interrupts, stolen = ticks + [0] * (8 - len(ticks))
            return (user + nice + system + interrupts + soft_interrupts) / _ticks_per_s(), stolen / _ticks_per_s()
    return 0.0, 0.0


def _own_linux(files: Files, roots: Collection[int]) -> float:
    """Return processor seconds of the given processes and all their descendants, ended ones included."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for name in files.names("/proc"):
        if name.isdigit():
            fields = (files.text(f"/proc/{name}/stat") or "").rpartition(")")[2].split()
            if len(fields) > 14:
                parents[int(name)] = int(fields[1])
                ticks[int(name)] = sum(int(field) for field in fields[11:15])  # utime stime cutime cstime
    own = {pid for pid in roots if pid in ticks}
    grown = True
    while grown:
        children = {pid for pid, parent in parents.items() if parent in own} - own
        own |= children
        grown = bool(children)
    return sum(ticks[pid] for pid in own) / _ticks_per_s()


def _busy_psutil(psutil: Any, roots: Collection[int]) -> tuple[float, float]:
    times = psutil.cpu_times()
    busy = sum(getattr(times, name, 0.0) for name in ("user", "system", "nice", "interrupt", "dpc"))
    own = 0.0
    seen: set[int] = set()
    for root in roots:
        try:
            process = psutil.Process(root)
            family = [process, *process.children(recursive=True)]
        except psutil.Error:
            continue
        for member in family:
            try:
                spent = member.cpu_times()
            except psutil.Error:  # it ended meanwhile
                continue
            if member.pid not in seen:
                seen.add(member.pid)
                own += spent.user + spent.system
    return busy, own


def _throttle_count(files: Files) -> int | None:
    """Return how often all cores slowed down for heat. Source: arch/x86/kernel/cpu/mce/therm_throt.c (Intel only)."""
    counts = [
        number(files.text(f"{CPU_FOLDER}/{name}/thermal_throttle/{kind}_throttle_count"))
        for name in files.names(CPU_FOLDER)
        if re.fullmatch(r"cpu\d+", name)
        for kind in ("core", "package")
    ]
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
