"""Turn a report into bytes of a format, and bytes into a file: whole or not at all."""

import errno
import os
import re
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Literal, TypeVar, get_args

import msgspec

from advisor import wire
from advisor.errors import InputError, OutputError, Phrase, system_reason
from advisor.locale import N_, Language
from advisor.records.results.report import Report
from advisor.report.content.document_builder import document
from advisor.report.content.source_notes import Notes

Format = Literal["text", "json", "html", "md", "pdf", "sheet", "png"]

_SUFFIXES: Final[dict[str, Format]] = {
    ".txt": "text",
    ".text": "text",
    ".json": "json",
    ".html": "html",
    ".htm": "html",
    ".md": "md",
    ".markdown": "md",
    ".pdf": "pdf",
    ".png": "png",
}
_ON_PAPER: Final = frozenset({"pdf", "sheet", "png"})
_REASONS: Final[dict[int, str]] = {
    errno.EACCES: N_("you may not write there"),
    errno.EPERM: N_("you may not write there"),
    errno.ENOENT: N_("the folder does not exist"),
    errno.ENOTDIR: N_("the folder is not a folder"),
}
"""What means something more here than elsewhere."""

_GET_FLAGS: Final = 0x80086601
_APPEND_ONLY: Final = 0x20
"""Of what a file system knows of a folder. Source: ioctl_iflags(2); linux/fs.h, FS_IOC_GETFLAGS and FS_APPEND_FL."""

_STREAMS: Final = re.compile(r"/proc/\d+(/task/\d+)?/fd")

Write = Callable[[int, bytes], int]
F = TypeVar("F")


def render(report: Report, form: Format, language: Language) -> bytes:
    """Return the report in a format.

    Raises:
        InputError: There is no such format.
        OutputError: A PDF or a picture cannot be made here.
    """
    if form == "json":
        origins = Notes(document(report, language)).origins
        return wire.encode(msgspec.structs.replace(report, provenance=origins)) + b"\n"
    if form not in get_args(Format):
        known = ", ".join(get_args(Format))
        raise InputError("A report cannot be made as '{form}'; choose one of: {known}.", form=form, known=known)
    if form in _ON_PAPER:
        from advisor.report.formats import pdf  # what only another format needs is not loaded

        return pdf.pdf_bytes(report, language, *{"sheet": [pdf.SHEET], "png": [pdf.PICTURE]}.get(form, []))
    render_text: Callable[[Report, Language], str]
    if form == "html":
        from advisor.report.formats.html import html_report as render_text
    elif form == "md":
        from advisor.report.formats.markdown import markdown_report as render_text
    else:
        from advisor.report.formats.text import text_report as render_text
    return render_text(report, language).encode()


def format_of(path: Path) -> Format:
    """Return the format a file name asks for.

    Raises:
        InputError: Its suffix names none.
    """
    return by_ending(path, _SUFFIXES)


def by_ending(path: Path, known: Mapping[str, F]) -> F:
    """Return what stands for the ending of a file name.

    Raises:
        InputError: Nothing does.
    """
    form = known.get(path.suffix.lower())
    if form is None:
        raise InputError(
            "'{file}' does not say its format; end it in {endings}, or add --format.",
            file=path.name,
            endings=", ".join(known),
        )
    return form


def check_format(form: Format) -> None:
    """Make sure, before any work, that this format can be made here.

    Raises:
        OutputError: It cannot; the message says why.
    """
    if form in _ON_PAPER:
        from advisor.report.formats.pdf import check_pdf

        check_pdf()


def check_target(path: Path) -> None:
    """Make sure, before any work, that a report can be written there.

    Raises:
        OutputError: It cannot; the message says why.
    """
    try:
        if _is_special(path):
            return
        with _beside(_target(path)) as temporary:
            os.close(_created(temporary))
    except OSError as error:
        raise _failure(path, error) from error


def write_report(report: Report, path: Path, form: Format, language: Language) -> None:
    """Write the report into a file, replacing an earlier one; either the whole report is there or nothing changed.

    Raises:
        InputError: There is no such format.
        OutputError: It cannot be written; the message says why.
    """
    write_bytes(path, render(report, form, language))


def write_bytes(path: Path, content: bytes, *, write: Write = os.write) -> None:
    """Write a file whole or not at all: into a new file beside it, to the disk, then in its place.

    Args:
        path: The file; a pipe, a device or an open stream is written to as it is, behind what is there.
        content: All of it.
        write: How bytes reach a file descriptor.

    Raises:
        OutputError: It cannot be written; the message says why.
    """
    try:
        if _is_special(path):
            _write_into(os.open(path, os.O_WRONLY | os.O_APPEND), content, write, is_file=False)
        else:
            _replace(_target(path), content, write)
    except OSError as error:
        raise _failure(path, error) from error


def _replace(target: Path, content: bytes, write: Write) -> None:
    with _beside(target) as temporary:
        _write_into(_created(temporary), content, write, is_file=True)
        if target.exists():
            with suppress(OSError):  # a share or a stick whose files have no modes
                temporary.chmod(target.stat().st_mode & 0o777)
        temporary.replace(target)


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """Yield the name of a file in the folder of the target, which is gone afterwards, Ctrl-C at any moment included."""
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if _only_grows(target.parent):
        raise _refused(target, Phrase("files in this folder may not be renamed or removed (it is append-only)"))
    temporary = target.with_name(f".advisor-{secrets.token_hex(8)}")
    try:
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)  # it has taken its place, or was never made


def _only_grows(folder: Path) -> bool:
    """Return whether a new file could be made there, but neither take its name nor be taken away again."""
    if sys.platform != "linux":
        return False
    import fcntl

    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:  # the file that is made next says why
        return False
    try:
        flags = fcntl.ioctl(handle, _GET_FLAGS, bytes(8))
    except OSError:  # a file system that knows none
        return False
    finally:
        os.close(handle)
    return bool(int.from_bytes(flags[:4], sys.byteorder) & _APPEND_ONLY)


def _created(path: Path) -> int:
    """Create an empty file with the permissions that any new file gets."""
    return os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666)


def _write_into(handle: int, content: bytes, write: Write, *, is_file: bool) -> None:
    try:
        left = memoryview(content)
        while left:
            left = left[write(handle, bytes(left)) :]
        if is_file:
            _settle(handle)
    finally:
        os.close(handle)


def _settle(handle: int) -> None:
    """Have a file on its disk before it takes its name; some file systems know no such promise.

    Source: fsync(2), "EROFS, EINVAL: fd is bound to a special file which does not support synchronization".
    """
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP, errno.ENOSYS}:
            raise


def _target(path: Path) -> Path:
    """Return where a link leads, so that the link stays and its file is replaced.

    Raises:
        OSError: It leads in a circle.
    """
    if not path.is_symlink():
        return path
    try:
        return Path(os.path.realpath(path, strict=True))
    except FileNotFoundError:  # the report will be what is there
        return Path(os.path.realpath(path))


def _is_special(path: Path) -> bool:
    """Return whether the path is a pipe, a device or an open stream, which must never be replaced by a file."""
    return path.exists() and not path.is_dir() and (not path.is_file() or _is_stream(path))


def _is_stream(path: Path) -> bool:
    """Return whether a path that exists is what a process has open, such as ``/dev/stdout``, whatever that leads to."""
    if _STREAMS.fullmatch(os.path.realpath(path.parent)):
        return True
    return path.is_symlink() and _is_stream(path.parent / path.readlink())


def _failure(path: Path, error: OSError) -> OutputError:
    known = _REASONS.get(error.errno or 0)
    return _refused(path, Phrase(known) if known else system_reason(error))


def _refused(path: Path, reason: str) -> OutputError:
    return OutputError(
        "The file '{path}' could not be written: {reason}. Nothing was left there.", path=path, reason=reason
    )
