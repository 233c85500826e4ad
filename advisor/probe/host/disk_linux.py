"""The disk that holds the working folder, as Linux shows it.

Check: ``findmnt -T .``, ``lsblk -d -o NAME,ROTA,TRAN``
"""

import re
from pathlib import PurePosixPath

from advisor.probe.readers import DiskKind, Files

_NETWORK = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "ceph", "glusterfs", "lustre", "gpfs", "beegfs", "fuse.sshfs",
            "afs", "fuse.s3fs", "fuse.gcsfuse", "wekafs", "pvfs2", "fuse.rclone"}  # fmt: skip
_VIRTUAL = {"9p", "virtiofs", "vboxsf", "fuse.vmhgfs-fuse", "tmpfs", "ramfs", "drvfs", "fuse.grpcfuse", "prl_fs"}
_VIRTUAL_NAMES = re.compile(r"^(vd|xvd|nbd|loop|zram|ram)")
_VIRTUAL_MODELS = ("virtual", "qemu", "vbox", "vmware", "msft")


def disk_kind(files: Files, folder: str) -> tuple[DiskKind | None, str]:
    """Return how the disk below a folder is attached (None if unknown), and what showed it."""
    mount = _mount(files, folder)
    if mount is None:
        return None, "/proc/self/mountinfo"
    number, kind, source = mount
    if kind in _NETWORK:
        return "network", f"/proc/self/mountinfo: {kind}"
    if kind in _VIRTUAL:
        return "virtual", f"/proc/self/mountinfo: {kind}"
    device = _block_device(files, number, source)
    if device is None:
        return None, f"/proc/self/mountinfo: {kind}"
    return _kind_of(files, device), f"/sys/block/{device}"


def _mount(files: Files, folder: str) -> tuple[str, str, str] | None:
    """Return (major:minor, file system, source) of the innermost mount that holds the folder."""
    best: tuple[int, str, str, str] | None = None
    for line in (files.text("/proc/self/mountinfo") or "").splitlines():
        left, _, right = line.partition(" - ")
        fields, kind = left.split(), right.split()
        if len(fields) < 5 or len(kind) < 2:
            continue
        point = PurePosixPath(fields[4].replace("\\040", " "))
        if PurePosixPath(folder).is_relative_to(point):
            depth = len(point.parts)
            if best is None or depth >= best[0]:  # a later mount on the same point covers the earlier
                best = depth, fields[2], kind[0], kind[1]
    return best[1:] if best else None


def _block_device(files: Files, number: str, source: str) -> str | None:
    """Return the whole disk below a mount; btrfs has an invented number, so its source counts."""
    real = files.target(f"/sys/dev/block/{number}")
    if real is None and source.startswith("/dev/"):
        real = files.target(f"/sys/class/block/{source.removeprefix('/dev/')}")
        if real is None and source.startswith("/dev/mapper/"):
            real = _mapped(files, source.removeprefix("/dev/mapper/"))
    if real is None:
        return None
    for _ in range(8):  # encrypted on logical volume on RAID …
        slaves = files.names(f"{real}/slaves")
        if not slaves:
            break
        real = files.target(f"/sys/class/block/{slaves[0]}") or real
    parts = PurePosixPath(real).parts
    if files.exists(f"{real}/partition") and len(parts) >= 2:
        return parts[-2]
    return parts[-1]


def _mapped(files: Files, name: str) -> str | None:
    for device in files.names("/sys/class/block"):
        if files.text(f"/sys/class/block/{device}/dm/name") == name:
            return files.target(f"/sys/class/block/{device}")
    return None


def _kind_of(files: Files, device: str) -> DiskKind | None:
    model = (files.text(f"/sys/block/{device}/device/model") or "").lower()
    maker = (files.text(f"/sys/block/{device}/device/vendor") or "").lower()
    if _VIRTUAL_NAMES.match(device) or any(word in f"{maker} {model}" for word in _VIRTUAL_MODELS):
        return "virtual"
    if device.startswith("nvme"):
        return "nvme"
    rotational = files.text(f"/sys/block/{device}/queue/rotational")
    return {"0": "ssd", "1": "hdd"}.get(rotational or "")  # type: ignore[return-value]  # both are kinds
