"""What is kept of an unexpected error."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.crash import KEPT_LOGS, FaultLog, collect_faults, write_crash_log


def test_details_are_kept_in_a_file(tmp_path: Path) -> None:
    """The file holds the details and the versions."""
    place = write_crash_log("ValueError: 3", tmp_path / "logs")

    content = Path(place).read_text(encoding="utf-8")
    assert "ValueError: 3" in content
    assert content.startswith("advisor ")


def test_only_the_newest_files_are_kept(tmp_path: Path) -> None:
    """A program that fails every minute does not fill the disk."""
    for number in range(KEPT_LOGS + 3):
        write_crash_log(f"error {number}", tmp_path)

    contents = [path.read_text(encoding="utf-8") for path in sorted(tmp_path.iterdir())]
    assert len(contents) == KEPT_LOGS
    assert f"error {KEPT_LOGS + 2}" in contents[-1]


def test_a_folder_that_cannot_be_written_is_no_second_error(tmp_path: Path) -> None:
    """The last line of the details is returned where no file can be made."""
    (tmp_path / "file").write_text("in the way", encoding="utf-8")

    place = write_crash_log("Traceback\nValueError: 3", tmp_path / "file")

    assert "ValueError: 3" in place


def test_a_folder_that_takes_nothing_away_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An orderly end stays one, and a log that was written is named, in a folder that is append-only by now."""

    def refuse(*_arguments: object, **_options: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    for number in range(KEPT_LOGS):
        write_crash_log(f"error {number}", tmp_path)
    log = FaultLog(tmp_path)
    monkeypatch.setattr(Path, "unlink", refuse)

    log.close()
    place = write_crash_log("ValueError: 3", tmp_path)

    assert "ValueError: 3" in Path(place).read_text(encoding="utf-8")


DIE = """
import os, sys
from pathlib import Path
from advisor.crash import FaultLog
log = FaultLog(Path(sys.argv[1]))
if sys.argv[2] == "abort":
    os.abort()
if sys.argv[2] == "kill":
    os.kill(os.getpid(), 9)
log.close()
"""


@pytest.mark.slow
@pytest.mark.parametrize("end", ["abort", "kill", "orderly"])
def test_only_a_fault_is_found_at_the_next_start(tmp_path: Path, end: str) -> None:
    """A process that aborts leaves a log with the place; one that is killed or ends in order leaves nothing to say."""
    subprocess.run([sys.executable, "-c", DIE, str(tmp_path), end], check=False, timeout=240, capture_output=True)

    found = collect_faults(tmp_path)

    if end == "abort":
        assert found is not None
        assert "Fatal Python error: Aborted" in found.read_text(encoding="utf-8")
    else:
        assert found is None
    assert collect_faults(tmp_path) is None
    assert not list(tmp_path.glob("fault-*.txt"))


@pytest.mark.skipif(sys.platform != "linux", reason="made with Linux' special files")
def test_only_the_beginning_of_a_file_is_read(tmp_path: Path) -> None:
    """A pipe would hold the window before it opens, a device has no end, and a file may be a hole."""
    os.mkfifo(tmp_path / "fault-99999997.txt")
    (tmp_path / "fault-99999998.txt").symlink_to("/dev/zero")
    (tmp_path / "fault-99999999.txt").write_text("Fatal", encoding="utf-8")
    os.truncate(tmp_path / "fault-99999999.txt", 2**40)

    found = collect_faults(tmp_path)

    assert found is not None
    assert found.stat().st_size < 200_000


def test_a_program_that_still_runs_is_left_alone(tmp_path: Path) -> None:
    """The file of a second window that is open is not taken for a crash."""
    log = FaultLog(tmp_path)
    log.write("words")

    assert collect_faults(tmp_path) is None
    log.close()
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps rights in other ways")
def test_only_the_user_can_read_the_logs(tmp_path: Path) -> None:
    """They name files and programs of the user's."""
    path = Path(write_crash_log("details", tmp_path / "logs"))
    assert (path.parent.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o700, 0o600)
