"""Files of many hands in a folder, a .zip or a .jsonl: no link is followed, nothing large is read, nothing unpacked."""

import codecs
import io
import os
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from advisor import wire
from advisor.records.results.fleet import RefusedFile

ENDINGS = frozenset({".json", ".jsonl", ".zip"})
_DEEPEST = 100
"""Folders within folders: Python 3.11 goes down by recursion."""
_DAMAGED = (zipfile.BadZipFile, zlib.error, RuntimeError, NotImplementedError, EOFError, ValueError)
"""What a file that says it is a .zip may lead to; the third and fourth where it is encrypted."""


def contents(path: Path) -> Iterator[tuple[str, bytes | RefusedFile]]:
    """Yield the name and the content of each file that may be a report, or why it was not read."""
    if not path.is_dir():
        yield from _in_file(path, path.name)
        return
    closed: list[OSError] = []
    for folder, below, names in os.walk(path, onerror=closed.append):
        below.sort()
        if len(Path(folder).relative_to(path).parts) == _DEEPEST:
            yield from ((os.path.relpath(Path(folder, name), path), RefusedFile(reason="unreadable")) for name in below)
            below.clear()
        links = [name for name in below if Path(folder, name).is_symlink()]  # which os.walk does not follow
        for file in (Path(folder, name) for name in links + [n for n in sorted(names) if _may_be_report(n)]):
            shown = str(file.relative_to(path))
            if file.is_symlink():
                yield shown, RefusedFile(reason="link")
            else:
                yield from _in_file(file, shown)
    for error in closed:
        yield os.path.relpath(error.filename, path), RefusedFile(reason="unreadable")


def _may_be_report(name: str) -> bool:
    return Path(name).suffix.lower() in ENDINGS


def _in_file(file: Path, shown: str) -> Iterator[tuple[str, bytes | RefusedFile]]:
    try:
        if not file.is_file():
            yield shown, RefusedFile(reason="unreadable")
        elif file.suffix.lower() == ".zip":
            yield from _in_archive(file, shown)
        else:
            with file.open("rb") as opened:
                if file.suffix.lower() == ".jsonl":
                    yield from _in_lines(opened, shown)
                else:
                    yield shown, _limited(opened)
    except OSError:
        yield shown, RefusedFile(reason="unreadable")


def _in_lines(opened: IO[bytes], shown: str) -> Iterator[tuple[str, bytes | RefusedFile]]:
    """Yield the reports in a file of many: one in each line, or as written, one after the other (``cat *.json``)."""
    document: list[bytes] = []
    size, number = 0, 0
    for line in _lines(opened):
        if document and line.rstrip() == b"{":  # within a document a brace is indented: the one before was cut off
            yield f"{shown}:{number}", b"".join(document).strip()
            document, size = [], 0
        number += 1
        size += len(line)
        if size > wire.MAX_FILE_BYTES:
            yield f"{shown}:{number}", RefusedFile(reason="too_large")
            return  # what follows is the rest of it
        document.append(line)
        if document[0].strip() != b"{" or line.rstrip() == b"}":
            content = b"".join(document).strip()
            document, size = [], 0
            if content:
                yield f"{shown}:{number}", content
    if document:
        yield f"{shown}:{number}", b"".join(document)


def _lines(opened: IO[bytes]) -> Iterator[bytes]:
    """Yield lines in UTF-8, cut where one is longer than any report."""
    begin = opened.read(len(codecs.BOM_UTF8))
    opened.seek(0)
    if begin.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # as PowerShell's > writes it
        text = io.TextIOWrapper(opened, encoding="utf-16", errors="replace")
        try:
            while sign := text.readline(wire.MAX_FILE_BYTES + 1):
                yield sign.encode()
        finally:
            text.detach()  # who opened the file closes it
        return
    if begin == codecs.BOM_UTF8:
        opened.seek(len(begin))
    while line := opened.readline(wire.MAX_FILE_BYTES + 1):
        yield line


def _in_archive(file: Path, shown: str) -> Iterator[tuple[str, bytes | RefusedFile]]:
    try:
        with zipfile.ZipFile(file) as archive:
            if sum(entry.compress_size for entry in archive.infolist()) > file.stat().st_size:
                raise zipfile.BadZipFile("its files overlap")  # and would unpack to any size
            for entry in sorted(archive.infolist(), key=lambda one: one.filename):
                if entry.filename.lower().endswith(".json"):
                    yield f"{shown}/{entry.filename}", _unpacked(archive, entry)
    except _DAMAGED:
        yield shown, RefusedFile(reason="unreadable")


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes | RefusedFile:
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # the others have errors of their own
        return RefusedFile(reason="unreadable")
    try:
        with archive.open(entry) as opened:
            return _limited(opened)
    except _DAMAGED:  # or encrypted; the other files may be well
        return RefusedFile(reason="unreadable")


def _limited(opened: IO[bytes]) -> bytes | RefusedFile:
    content = opened.read(wire.MAX_FILE_BYTES + 1)
    return RefusedFile(reason="too_large") if len(content) > wire.MAX_FILE_BYTES else content
