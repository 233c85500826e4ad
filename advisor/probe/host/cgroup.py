"""What Linux control groups (version 1 and 2) leave this process of the computer; psutil and /proc show the whole.

A limit of any ancestor counts, so the groups are walked up to the mount point.
Source: kernel documentation, admin-guide/cgroup-v2 (cpu.max, memory.max) and admin-guide/cgroup-v1/memory.
Check: ``systemd-cgls``, ``cat /sys/fs/cgroup/cpu.max``
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from advisor.probe.readers import Files, number

_UNLIMITED_BYTES = 1 << 60  # version 1 writes "no limit" as the largest page-aligned 63-bit number


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The tightest limits found.

    Attributes:
        cores: Processor time per time; None without limit.
        memory_bytes: None without limit.
        memory_used_bytes: Used by the group that has the memory limit, without page cache that can be dropped.
        cores_from: The file that holds the limit.
        memory_from: Likewise.
    """

    cores: float | None = None
    memory_bytes: int | None = None
    memory_used_bytes: int | None = None
    cores_from: str = ""
    memory_from: str = ""


def read_limits(files: Files) -> Limits:
    """Return the limits of this process's control groups and all their ancestors."""
    cores: list[tuple[float, str]] = []
    memory: list[tuple[int, str, str]] = []
    for folder in _folders(files, ""):
        quota = _quota_v2(files.text(f"{folder}/cpu.max"))
        if quota is not None:
            cores.append((quota, f"{folder}/cpu.max"))
        for name in ("memory.max", "memory.high"):
            limit = number(files.text(f"{folder}/{name}"))
            if limit is not None:
                memory.append((limit, f"{folder}/{name}", folder))
    for folder in _folders(files, "cpu"):
        quota = _quota_v1(files, folder)
        if quota is not None:
            cores.append((quota, f"{folder}/cpu.cfs_quota_us"))
    for folder in _folders(files, "memory"):
        limit = number(files.text(f"{folder}/memory.limit_in_bytes"))
        if limit is not None and limit < _UNLIMITED_BYTES:
            memory.append((limit, f"{folder}/memory.limit_in_bytes", folder))
    tightest_cores = min(cores, default=(None, ""))
    if not memory:
        return Limits(cores=tightest_cores[0], cores_from=tightest_cores[1])
    limit, source, folder = min(memory)
    return Limits(
        cores=tightest_cores[0], cores_from=tightest_cores[1], memory_bytes=limit, memory_from=source,
        memory_used_bytes=_used(files, folder),
    )  # fmt: skip


def _quota_v2(text: str | None) -> float | None:
    """Return cores from ``cpu.max``, such as "150000 100000" for one and a half; "max …" is no limit."""
    words = (text or "").split()
    if len(words) != 2:
        return None
    quota, period = number(words[0]), number(words[1])
    return quota / period if quota and period else None


def _quota_v1(files: Files, folder: str) -> float | None:
    quota = number(files.text(f"{folder}/cpu.cfs_quota_us"))
    period = number(files.text(f"{folder}/cpu.cfs_period_us"))
    return quota / period if quota and quota > 0 and period else None


def _used(files: Files, folder: str) -> int | None:
    used = number(files.text(f"{folder}/memory.current"))
    if used is None:
        used = number(files.text(f"{folder}/memory.usage_in_bytes"))
    if used is None:
        return None
    for line in (files.text(f"{folder}/memory.stat") or "").splitlines():
        name, _, value = line.partition(" ")
        if name in {"inactive_file", "total_inactive_file"}:
            return max(used - (number(value) or 0), 0)
    return used


def _folders(files: Files, controller: str) -> Iterator[str]:
    """Yield the folders of this process's group and its ancestors; controller "" means version 2."""
    group = _group(files, controller)
    for mount_root, mount_point in _mounts(files, controller):
        inside = _inside(group, mount_root)
        folder = PurePosixPath(mount_point)
        parts = PurePosixPath(inside.strip("/")).parts if inside else ()
        for depth in range(len(parts), -1, -1):
            yield str(folder.joinpath(*parts[:depth]))


def _group(files: Files, controller: str) -> str:
    """Return this process's group path from ``/proc/self/cgroup`` (lines ``id:controllers:path``)."""
    for line in (files.text("/proc/self/cgroup") or "").splitlines():
        _, _, rest = line.partition(":")
        controllers, _, path = rest.partition(":")
        if controller in controllers.split(","):  # version 2 is the line that names none
            return path
    return "/"


def _inside(group: str, mount_root: str) -> str:
    """Return the group's path below the mount: a container often sees only its own branch of the tree."""
    if ".." in PurePosixPath(group).parts:  # the group lies outside what this container can see
        return ""
    if mount_root != "/" and (group == mount_root or group.startswith(mount_root + "/")):
        return group[len(mount_root) :]
    return group if mount_root == "/" else ""


def _mounts(files: Files, controller: str) -> Iterator[tuple[str, str]]:
    """Yield (root within the hierarchy, mount point) of the hierarchies that carry the controller."""
    for line in (files.text("/proc/self/mountinfo") or "").splitlines():
        left, _, right = line.partition(" - ")
        fields, kind = left.split(), right.split()
        if len(fields) < 5 or len(kind) < 3:
            continue
        carries = controller in kind[2].split(",") if controller else kind[0] == "cgroup2"
        if carries and kind[0] in {"cgroup", "cgroup2"}:
            yield fields[3], fields[4]
