"""Read the reports of many computers from a folder, a .zip or a .jsonl; each file that is none is named and left out.

What lies there comes from many hands: no link is followed, nothing larger than a report is read, nothing is unpacked.
"""

import hashlib
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from advisor import wire
from advisor.errors import InputError, system_reason
from advisor.records.results.fleet import FleetMember, RefusedFile, RefusedReason

ENDINGS = frozenset({".json", ".jsonl", ".zip"})
_DIGEST_SIGNS = 12


class Refused(NamedTuple):
    """A file that was left out, by the name it has on this computer: for the screen alone, a name may be a host's."""

    name: str
    file: RefusedFile


class Found(NamedTuple):
    """What lay in the folder.

    Attributes:
        members: In the order of their digests, so that names and dates of the files change nothing.
    """

    members: tuple[FleetMember, ...]
    refused: tuple[Refused, ...]


def read_fleet(path: Path) -> Found:
    """Return the reports in a folder and those below it, in a ``.zip``, or in a ``.jsonl`` with one in each line.

    Of several of one label the newest counts; of equal files one.

    Raises:
        InputError: The path is neither, or holds no report at all.
    """
    if not (path.is_dir() or (path.is_file() and path.suffix.lower() in ENDINGS)):
        raise InputError("{file} is no folder, .zip or .jsonl of reports.", file=path.name or str(path))
    members: dict[str, FleetMember] = {}
    refused: list[Refused] = []
    for name, content in _contents(path):
        if isinstance(content, RefusedFile):
            refused.append(Refused(name, content))
            continue
        digest = hashlib.sha256(content).hexdigest()[:_DIGEST_SIGNS]
        if digest in members:
            refused.append(Refused(name, RefusedFile(digest=digest, reason="duplicate")))
            continue
        try:
            members[digest] = wire.decode_member(content, digest)
        except InputError as error:
            reason: RefusedReason = "other_version" if wire.is_other_version(content) else "not_a_report"
            refused.append(Refused(name, RefusedFile(digest=digest, reason=reason, detail=str(error))))
    kept, older = _newest([members[digest] for digest in sorted(members)])
    refused += older
    if not kept:
        raise InputError(
            "There is no report of this program in {file}; make some with advisor --report NAME.json --label NAME.",
            file=path.name or str(path),
        )
    return Found(tuple(kept), tuple(sorted(refused, key=lambda one: (one.file.digest, one.file.reason, one.name))))


def _newest(members: list[FleetMember]) -> tuple[list[FleetMember], list[Refused]]:
    """Return the newest report of each label, and the others; those without a label all count."""
    newest: dict[str, FleetMember] = {}
    for one in members:
        key = one.label or one.digest
        newest[key] = max(newest.get(key, one), one, key=lambda each: (each.created_at, each.digest))
    kept = [one for one in members if newest[one.label or one.digest] is one]
    older = [one for one in members if newest[one.label or one.digest] is not one]
    return kept, [Refused(one.label, RefusedFile(digest=one.digest, reason="duplicate")) for one in older]


def _contents(path: Path) -> Iterator[tuple[str, bytes | RefusedFile]]:
    """Yield the name and the content of each file that may be a report."""
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
