"""Walk through a folder of any size, in bounded time and memory, and say what is in it.

Links to folders are followed, as data loaders do, and each folder is entered once: a loop ends. What is no plain file
(a pipe would never answer) is not opened. Only some thousands of files are kept by path; the rest are counted.
"""

import os
import random
import stat
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from advisor.errors import InputError, Phrase
from advisor.probe.dataset.file_headers import image_size, samples_in
from advisor.probe.dataset.formats import PACKED, format_of, unread_ending
from advisor.probe.host.disk_linux import disk_kind
from advisor.probe.readers import DiskKind, Readers
from advisor.records.hardware.machine import Disk
from advisor.records.results.measured.own_data import DataKind, FileFormat, FoundData, OwnData

WALK_S = 8.0
"""A million files in some thousand folders take about 3 s where the system has them in memory."""
WEIGHED = 4096
"""Files of each kind whose sizes are read; of up to so many the sum is exact."""
TRIED = 256
"""Files that the measuring process reads."""
LOOKED_INTO = 64
_WAITING = 200_000
"""Folders found and not yet entered, at most."""
_MOST_CLASSES = 100_000


@dataclass
class _Kind:
    """The files of one kind: how many of each format, a fair sample of them, and in folders of which names they lie."""

    formats: Counter[str] = field(default_factory=Counter)
    paths: list[str] = field(default_factory=list)
    folders: set[str] = field(default_factory=set)

    def add(self, name: str, path: str, chance: random.Random) -> None:
        self.formats[name] += 1
        if len(self.folders) < _MOST_CLASSES:
            self.folders.add(os.path.basename(os.path.dirname(path)))  # noqa: PTH119, PTH120 - as below
        if len(self.paths) < WEIGHED:
            self.paths.append(path)
        elif (place := chance.randrange(self.formats.total())) < WEIGHED:
            self.paths[place] = path


@dataclass
class _Walk:
    """What a walk has found."""

    time_s: float
    kinds: dict[DataKind, _Kind] = field(default_factory=dict)
    others: int = 0
    unread: Counter[str] = field(default_factory=Counter)
    unreadable: int = 0
    is_complete: bool = True

    def through(self, top: str) -> None:
        """Count what is below a folder."""
        chance, deadline_s = random.Random(0), time.monotonic() + self.time_s
        waiting, entered = [top], set[tuple[int, int]]()
        while waiting:
            folder = waiting.pop()
            try:
                facts = os.stat(folder)  # noqa: PTH116 - a Path for each of a million folders takes seconds
                if (facts.st_dev, facts.st_ino) in entered:
                    continue
                entered.add((facts.st_dev, facts.st_ino))
                with os.scandir(folder) as entries:
                    for entry in entries:
                        self._take(entry, waiting, chance)
                        if time.monotonic() > deadline_s:
                            self.is_complete = False
                            return
            except OSError:
                self.unreadable += 1

    def _take(self, entry: "os.DirEntry[str]", waiting: list[str], chance: random.Random) -> None:
        try:
            if entry.is_dir():
                if not entry.name.startswith("."):
                    waiting.append(entry.path)
                    self.is_complete &= len(waiting) < _WAITING
                return
            known = format_of(entry.name) if entry.is_file() else None
        except OSError:  # a ring of links
            self.unreadable += 1
            return
        if known is None:
            self.others += not entry.name.startswith(".")
            self.unread.update(unread_ending(entry.name))
        else:
            self.kinds.setdefault(known[0], _Kind()).add(known[1], entry.path, chance)


def survey(path: Path, *, readers: Readers | None = None, time_s: float = WALK_S) -> FoundData:
    """Return what lies in a file or folder.

    Args:
        path: Of either.
        readers: What the disk is read through.
        time_s: After this no further files are counted; what follows takes two or three seconds more.

    Raises:
        InputError: There is nothing of that name, it cannot be read, or holds no data. The sentence names no file.
    """
    walk = _walked(path, time_s)
    weighed = {kind: list(_weighed(found.paths, walk)) for kind, found in walk.kinds.items()}
    weights = {kind: _total_bytes(walk.kinds[kind], sizes) for kind, sizes in weighed.items() if sizes}
    if not weights:
        raise _nothing(walk)
    kind = max(weights, key=lambda one: weights[one])
    found, sizes = walk.kinds[kind], weighed[kind]
    order = random.Random(1).sample(sizes, len(sizes))
    widths = [size for file, _bytes in order[:LOOKED_INTO] if (size := image_size(file))] if kind == "image" else []
    files = found.formats.total()
    data = OwnData(
        kind=kind,
        formats=tuple(FileFormat(name=name, files=count) for name, count in found.formats.most_common(16)),
        files=files,
        other_files=walk.others + sum(one.formats.total() for other, one in walk.kinds.items() if other != kind),
        unreadable=walk.unreadable,
        is_complete=walk.is_complete,
        samples=samples_in(kind, order, files),
        classes=len(found.folders) if kind in ("image", "audio") and 1 < len(found.folders) < _MOST_CLASSES else None,
        size_bytes=weights[kind],
        width=round(median(width for width, _height in widths)) if widths else None,
        height=round(median(height for _width, height in widths)) if widths else None,
        disk=_disk(path, readers or Readers()),
    )
    return FoundData(data=data, files=tuple(os.fsencode(file) for file, _bytes in order[:TRIED]))


_NOTHING = Phrase("--data: nothing there is an image, a recording, .npy, .csv, .parquet or .tar.")
_UNREADABLE = Phrase("--data: none of its files and folders can be read.")
_MISSING = Phrase("--data: there is no such file or folder.")


def _nothing(walk: _Walk) -> InputError:
    """Return what to say where nothing is data: what is there instead, where it is something people train on."""
    if walk.unreadable or not walk.unread:
        return InputError(_UNREADABLE if walk.unreadable else _NOTHING)
    ending, count = walk.unread.most_common(1)[0]
    if ending in PACKED:
        return InputError("--data: files in .{ending} are not looked into. Unpack them first.", ending=ending)
    return InputError(
        "--data: .{ending} is not read here ({count} of them). Say how many samples there are with --samples; what "
        "loading them takes is then not measured.",
        ending=ending,
        count=count,
    )


def _walked(path: Path, time_s: float) -> _Walk:
    walk = _Walk(time_s)
    try:
        facts = path.stat()
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise InputError(_UNREADABLE if isinstance(error, PermissionError) else _MISSING) from error
    if stat.S_ISDIR(facts.st_mode):
        walk.through(str(path.absolute()))
    elif stat.S_ISREG(facts.st_mode) and (known := format_of(path.name)) is not None:
        walk.kinds[known[0]] = _Kind(Counter({known[1]: 1}), [str(path.absolute())])
    else:
        walk.unread.update(unread_ending(path.name))
    return walk


def _weighed(paths: Sequence[str], walk: _Walk) -> Iterator[tuple[str, int]]:
    """Yield the files one may read that hold anything, with their sizes."""
    for path in paths:
        with suppress(OSError):  # it has vanished
            facts = os.stat(path)  # noqa: PTH116 - as above
            if not stat.S_ISREG(facts.st_mode) or facts.st_size == 0:
                continue
            if os.access(path, os.R_OK):
                yield path, facts.st_size
            else:
                walk.unreadable += 1


def _total_bytes(found: _Kind, sizes: Sequence[tuple[str, int]]) -> int:
    """Return the size of all files: those that were weighed stand for the others."""
    ratio = max(1.0, found.formats.total() / len(found.paths))
    return round(ratio * sum(size for _path, size in sizes))


def _disk(path: Path, readers: Readers) -> Disk:
    folder = str(path.resolve() if path.is_dir() else path.resolve().parent)
    kind: DiskKind | None = None
    if readers.platform == "linux":
        kind = disk_kind(readers.files, folder)[0]
    elif readers.platform == "windows":
        kind = readers.drive_kind(folder)
    free = None
    with suppress(OSError):
        free = readers.free_bytes(folder)
    return Disk(kind=kind, free_bytes=free)
