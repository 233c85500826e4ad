"""Files of many hands in a folder, a .zip or a .jsonl: no link is followed, nothing large is read, nothing unpacked."""

import os
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from advisor import wire
from advisor.errors import system_reason
from advisor.records.results.fleet import RefusedFile

ENDINGS = frozenset({".json", ".jsonl", ".zip"})


def contents(path: Path) -> Iterator[tuple[str, bytes | RefusedFile]]:
    """Yield the name and the content of each file that may be a report, or why it was not read."""
    if not path.is_dir():
        yield from _in_file(path, path.name)
        return
    for folder, below, names in os.walk(path):
        below.sort()
        for name in sorted(names):
            file = Path(folder, name)
            if file.suffix.lower() not in ENDINGS:
                continue
            shown = str(file.relative_to(path))
            if file.is_symlink():
                yield shown, RefusedFile(reason="link")
            else:
                yield from _in_file(file, shown)


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
    except OSError as error:
        yield shown, RefusedFile(reason="unreadable", detail=str(system_reason(error)))


def _in_lines(opened: IO[bytes], shown: str) -> Iterator[tuple[str, bytes | RefusedFile]]:
    number = 0
    while line := opened.readline(wire.MAX_FILE_BYTES + 1):
        number += 1
        if len(line) > wire.MAX_FILE_BYTES:
            yield f"{shown}:{number}", RefusedFile(reason="too_large")
            return  # what follows is the rest of it
        if line.strip():
            yield f"{shown}:{number}", line.strip()


def _in_archive(file: Path, shown: str) -> Iterator[tuple[str, bytes | RefusedFile]]:
    try:
        with zipfile.ZipFile(file) as archive:
            for entry in sorted(archive.namelist()):
                if not entry.lower().endswith(".json"):
                    continue
                with archive.open(entry) as opened:
                    yield f"{shown}/{entry}", _limited(opened)
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, ValueError) as error:
        # damaged, encrypted, or packed in a way this Python does not know
        yield shown, RefusedFile(reason="unreadable", detail=" ".join(str(error).split()))


def _limited(opened: IO[bytes]) -> bytes | RefusedFile:
    content = opened.read(wire.MAX_FILE_BYTES + 1)
    return RefusedFile(reason="too_large") if len(content) > wire.MAX_FILE_BYTES else content
