"""Into a file: whole or not at all, with a clear sentence when it cannot be."""

import errno
import json
import os
import stat
import sys
from pathlib import Path

import pytest

from advisor.errors import InputError, OutputError
from advisor.locale import language
from advisor.report.formats.write import check_target, format_of, render, write_bytes, write_report
from tests.unit.report import samples

EN = language("en")
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's special files")


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.txt", "text"),
        ("a.json", "json"),
        ("a.HTML", "html"),
        ("a.htm", "html"),
        ("a.md", "md"),
        ("a.markdown", "md"),
        ("a.pdf", "pdf"),
        ("a.png", "png"),
    ],
)
def test_the_suffix_says_the_format(name: str, form: str) -> None:
    """Upper or lower case, long or short."""
    assert format_of(Path(name)) == form


@pytest.mark.parametrize("name", ["a", "a.docx", ".json"])
def test_a_suffix_that_says_nothing_is_refused(name: str) -> None:
    """The message names the suffixes there are."""
    with pytest.raises(InputError, match=r"end it in \.txt.*--format"):
        format_of(Path(name))


@pytest.mark.parametrize("form", ["text", "json", "html", "md"])
def test_each_format_is_made(form: str) -> None:
    """Each is text in UTF-8 that ends in a newline."""
    content = render(samples.enough(), form, EN)  # type: ignore[arg-type]
    assert content.decode().endswith("\n")


def test_a_format_nobody_makes_is_refused() -> None:
    """The message names those there are."""
    with pytest.raises(InputError, match="cannot be made as 'docx'; choose one of: text, json, html, md, pdf"):
        render(samples.enough(), "docx", EN)  # type: ignore[arg-type]


def test_a_report_is_written_and_replaced(tmp_path: Path) -> None:
    """The second report takes the place of the first, and nothing else is left in the folder."""
    path = tmp_path / "report.json"
    write_report(samples.rent(), path, "json", EN)
    write_report(samples.enough(), path, "json", EN)
    assert json.loads(path.read_bytes())["advice"]["tier"] == "this_computer"
    assert [one.name for one in tmp_path.iterdir()] == ["report.json"]


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    """Others may read a report as they may read any file the user makes."""
    (tmp_path / "other").touch()
    write_bytes(tmp_path / "report", b"x")
    assert (tmp_path / "report").stat().st_mode == (tmp_path / "other").stat().st_mode


@LINUX
def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    """A private report stays private."""
    path = tmp_path / "report"
    path.touch(mode=0o600)
    write_bytes(path, b"x")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EROFS, "the disk is read-only"),
        (errno.EIO, "the disk or the device fails"),
    ],
)
def test_a_failure_in_the_middle_leaves_the_old_report(tmp_path: Path, number: int, words: str) -> None:
    """Half the bytes are written, then the disk fails: the earlier file is whole, nothing else is there."""
    path = tmp_path / "report.json"
    path.write_text("the earlier report")
    written: list[int] = []

    def half(handle: int, content: bytes) -> int:
        if written:
            raise OSError(number, os.strerror(number))
        written.append(os.write(handle, content[: len(content) // 2]))
        return written[0]

    with pytest.raises(OutputError, match=words) as caught:
        write_bytes(path, b"0123456789", write=half)
    assert "Nothing was left there" in str(caught.value)
    assert path.read_text() == "the earlier report"
    assert [one.name for one in tmp_path.iterdir()] == ["report.json"]


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit])
def test_whoever_ends_the_program_leaves_no_half_file(tmp_path: Path, end: type[BaseException]) -> None:
    """Ctrl-C, or the end of the session, while the report is being written."""

    def interrupted(_handle: int, _content: bytes) -> int:
        raise end

    with pytest.raises(end):
        write_bytes(tmp_path / "report", b"new", write=interrupted)
    assert list(tmp_path.iterdir()) == []


def test_short_writes_are_completed(tmp_path: Path) -> None:
    """A system that takes a byte at a time still gets them all."""
    path = tmp_path / "report"
    write_bytes(path, b"0123456789", write=lambda handle, content: os.write(handle, content[:1]))
    assert path.read_bytes() == b"0123456789"


@pytest.mark.parametrize("target", ["missing/report.txt", "file/report.txt"])
def test_a_folder_that_is_none_is_said(tmp_path: Path, target: str) -> None:
    """Before the work as well as after it."""
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="folder"):
        check_target(tmp_path / target)
    with pytest.raises(OutputError, match="folder"):
        write_bytes(tmp_path / target, b"x")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """A report cannot take the place of a folder."""
    with pytest.raises(OutputError, match="it is a folder"):
        check_target(tmp_path)
    with pytest.raises(OutputError, match="it is a folder"):
        write_bytes(tmp_path, b"x")


@LINUX
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_said(tmp_path: Path) -> None:
    """Read-only folders are found out before a minute of measuring."""
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(OutputError, match="you may not write there"):
            check_target(tmp_path / "report.txt")
    finally:
        tmp_path.chmod(0o700)


@LINUX
def test_a_folder_that_only_grows_is_said_before_a_file_is_left_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new file could be made (``chattr +a``), but not take its name, and nobody could remove it."""
    import fcntl

    monkeypatch.setattr(fcntl, "ioctl", lambda *_: (0x20 | 0x80000).to_bytes(4, sys.byteorder) + bytes(4))
    for attempt in (check_target, lambda path: write_bytes(path, b"{}")):
        with pytest.raises(OutputError, match="append-only"):
            attempt(tmp_path / "report.json")
    assert list(tmp_path.iterdir()) == []


def test_checking_leaves_nothing(tmp_path: Path) -> None:
    """A target that can be written is left as it was."""
    check_target(tmp_path / "report.txt")
    assert list(tmp_path.iterdir()) == []


@LINUX
def test_a_full_device_is_said_and_never_replaced() -> None:
    """A device is written to, not replaced by a file; a full one says so."""
    before = Path("/dev/full").stat().st_rdev
    check_target(Path("/dev/full"))
    with pytest.raises(OutputError, match="the disk is full"):
        write_bytes(Path("/dev/full"), b"x")
    assert Path("/dev/full").stat().st_rdev == before


@LINUX
def test_a_device_is_written_to_as_it_is() -> None:
    """The bytes go into the device, which stays one."""
    write_bytes(Path("/dev/null"), b"x")
    assert not Path("/dev/null").is_file()


@LINUX
def test_an_open_stream_is_written_to_behind_what_is_there(tmp_path: Path) -> None:
    """As the shell says it: ``advisor --report /dev/stdout >> notes.md`` keeps the notes."""
    notes = tmp_path / "notes.md"
    notes.write_bytes(b"mine\n")
    with notes.open("ab") as stream:
        for path in (f"/dev/fd/{stream.fileno()}", f"/proc/self/fd/{stream.fileno()}"):
            check_target(Path(path))
            write_bytes(Path(path), b"report\n")
    assert notes.read_bytes() == b"mine\nreport\nreport\n"
    assert [path.name for path in tmp_path.iterdir()] == ["notes.md"]


@LINUX
def test_a_share_without_modes_takes_a_report_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A share by GVFS refuses to set any, and a new file has them as it is mounted."""

    def refuse(*_arguments: object, **_options: object) -> None:
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))

    monkeypatch.setattr(os, "chmod", refuse)
    for content in (b"one", b"two"):
        write_bytes(tmp_path / "report", content)
    assert (tmp_path / "report").read_bytes() == b"two"


@LINUX
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """The file a link leads to is replaced, not the link."""
    (tmp_path / "folder").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "folder" / "report")
    write_bytes(link, b"x")
    assert link.is_symlink()
    assert (tmp_path / "folder" / "report").read_bytes() == b"x"


@pytest.mark.skipif(os.name == "nt", reason="Windows makes links only for administrators")
def test_a_link_that_leads_back_to_itself_is_said(tmp_path: Path) -> None:
    """It is neither followed for ever nor replaced."""
    loop = tmp_path / "loop.json"
    loop.symlink_to("loop.json")
    for attempt in (lambda: check_target(loop), lambda: write_bytes(loop, b"{}")):
        with pytest.raises(OutputError, match="leads back to itself"):
            attempt()
    assert loop.is_symlink()
    assert len(list(tmp_path.iterdir())) == 1
