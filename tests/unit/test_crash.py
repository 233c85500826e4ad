"""What is kept of an unexpected error."""

from pathlib import Path

from advisor.crash import KEPT_LOGS, write_crash_log


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
