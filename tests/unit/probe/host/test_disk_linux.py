"""How the working folder's disk is attached."""

import pytest

from advisor.probe.host.disk_linux import disk_kind
from tests.unit.probe.computers.fakes import RecordedFiles

MOUNT = "28 1 {number} / {point} rw - {kind} {source} rw"


@pytest.mark.parametrize(
    ("kind", "source", "expected"),
    [("nfs4", "server:/home", "network"), ("cifs", "//server/share", "network"), ("9p", "drvfs", "virtual"),
     ("tmpfs", "tmpfs", "virtual"), ("virtiofs", "share", "virtual"), ("zfs", "tank/home", None)],
)  # fmt: skip
def test_file_systems_without_disk(kind: str, source: str, expected: str | None) -> None:
    """Network and shared folders are told by their file system."""
    files = {"/proc/self/mountinfo": MOUNT.format(number="0:50", point="/", kind=kind, source=source)}
    assert disk_kind(RecordedFiles(files, {}), "/work")[0] == expected


def test_innermost_mount_counts() -> None:
    """The folder belongs to the deepest mount above it, and blanks in its name are understood."""
    mounts = [
        MOUNT.format(number="0:50", point="/", kind="nfs", source="a:/"),
        MOUNT.format(number="0:51", point="/my\\040disk", kind="tmpfs", source="tmpfs"),
    ]
    files = RecordedFiles({"/proc/self/mountinfo": "\n".join(mounts)}, {})
    assert disk_kind(files, "/my disk/x")[0] == "virtual"
    assert disk_kind(files, "/my")[0] == "network"


def test_later_mount_on_the_same_point_covers_the_earlier() -> None:
    """What was mounted last is what one sees."""
    mounts = [MOUNT.format(number="0:50", point="/", kind=kind, source="x") for kind in ("tmpfs", "nfs")]
    assert disk_kind(RecordedFiles({"/proc/self/mountinfo": "\n".join(mounts)}, {}), "/")[0] == "network"


@pytest.mark.parametrize(
    ("device", "rotational", "model", "expected"),
    [("nvme0n1", "0", "WD", "nvme"), ("sda", "0", "Samsung", "ssd"), ("sda", "1", "ST2000", "hdd"),
     ("vda", "1", "", "virtual"), ("sda", "1", "QEMU HARDDISK", "virtual"), ("mmcblk0", "0", "", "ssd"),
     ("sda", "", "", None)],
)  # fmt: skip
def test_disks(device: str, rotational: str, model: str, expected: str | None) -> None:
    """Name, rotation and model tell the kinds apart."""
    files = {
        "/proc/self/mountinfo": MOUNT.format(number="8:0", point="/", kind="ext4", source=f"/dev/{device}"),
        f"/sys/block/{device}/queue/rotational": rotational,
        f"/sys/block/{device}/device/model": model,
        f"/sys/devices/x/block/{device}/size": "1",
    }
    links = {"/sys/dev/block/8:0": f"/sys/devices/x/block/{device}"}
    assert disk_kind(RecordedFiles(files, links), "/")[0] == expected


def test_broken_lines_are_passed_over() -> None:
    """A short or foreign line in the list of mounts does no harm."""
    files = RecordedFiles(
        {"/proc/self/mountinfo": "1 2 3\n" + MOUNT.format(number="0:9", point="/", kind="nfs", source="a:/")}, {}
    )
    assert disk_kind(files, "/")[0] == "network"


def test_mapper_of_unknown_name() -> None:
    """A mapped device that is nowhere listed leaves the kind unknown."""
    files = {
        "/proc/self/mountinfo": MOUNT.format(number="0:24", point="/", kind="btrfs", source="/dev/mapper/root"),
        "/sys/class/block/dm-0/dm/name": "other",
    }
    assert disk_kind(RecordedFiles(files, {}), "/")[0] is None
