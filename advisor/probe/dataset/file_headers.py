"""What files of data say of themselves at their beginning: pixels of an image, rows of an array. Decodes nothing."""

import math
import os
import struct
import tarfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from advisor.probe.dataset.formats import format_of
from advisor.records.results.measured.own_data import DataKind

MANY_FILES = 64
"""Of more arrays than these each file is one sample; of fewer, their first extent counts samples."""
_HEAD_BYTES = 256 * 1024
_COUNTED_BYTES = 64 * 1024**2
_SHARDS, _SHARD_S = 4, 1.0
_JPEG_SIZES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""Markers after which a JPEG file says its size. Source: ITU-T T.81, table B.1."""


def _head(path: str, most_bytes: int) -> bytes:
    """Return the beginning of a file, never waiting for a pipe that has taken its name."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        return file.read(most_bytes) or b""


def image_size(path: str) -> tuple[int, int] | None:
    """Return width and height of a JPEG, PNG, GIF or BMP file; None where its beginning does not tell."""
    with suppress(OSError, struct.error, IndexError):
        head = _head(path, _HEAD_BYTES)
        size = _size_in(head)
        if size is not None and min(size) > 0:
            return size
    return None


def _size_in(head: bytes) -> tuple[int, int] | None:
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return struct.unpack_from(">II", head, 16)
    if head.startswith(b"GIF8"):
        return struct.unpack_from("<HH", head, 6)
    if head.startswith(b"BM"):
        width, height = struct.unpack_from("<ii", head, 18)
        return width, abs(height)
    return _jpeg_size(head) if head.startswith(b"\xff\xd8") else None


def _jpeg_size(head: bytes) -> tuple[int, int] | None:
    place = 2
    while place + 9 < len(head) and head[place] == 0xFF:
        if head[place + 1] in _JPEG_SIZES:
            height, width = struct.unpack_from(">HH", head, place + 5)
            return width, height
        place += 2 + struct.unpack_from(">H", head, place + 2)[0]
    return None


def samples_in(kind: DataKind, sizes: Sequence[tuple[str, int]], files: int) -> int | None:
    """Return how many samples there are; None where only a library could tell.

    Args:
        kind: Of the files.
        sizes: Path and bytes of those that were weighed, in any order.
        files: How many there are in all.
    """
    if kind in ("image", "audio"):
        return files
    ratio = files / len(sizes)
    found: float | None
    if kind == "array":
        found = files if files > MANY_FILES else _array_rows(sizes)
    elif kind == "table":
        found = _scaled([_lines(path, size) for path, size in sizes[:MANY_FILES]], ratio * len(sizes))
    else:
        found = _scaled([_members(path) for path, _size in sizes[:_SHARDS]], ratio * len(sizes))
    return None if not found else max(1, round(found))


def _scaled(counts: list[float | None], files: float) -> float | None:
    known = [count for count in counts if count is not None]
    return sum(known) / len(known) * files if known else None


def _array_rows(sizes: Sequence[tuple[str, int]]) -> float | None:
    """Return the rows of all arrays shaped like the largest; labels beside them are no further samples."""
    rows: Counter[tuple[int, ...]] = Counter()
    weight: Counter[tuple[int, ...]] = Counter()
    for path, size in sizes:
        shape = _array_shape(path)
        if shape and min(shape) >= 0 and math.prod(shape) <= size:  # else it claims more than it holds
            rows[shape[1:]] += shape[0]
            weight[shape[1:]] += size
    return rows[weight.most_common(1)[0][0]] if weight else None


def _array_shape(path: str) -> tuple[int, ...] | None:
    from io import BytesIO

    from numpy.lib import format as npy

    with suppress(OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        file = BytesIO(_head(path, 64 * 1024))
        version = npy.read_magic(file)
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        return read(file)[0]
    return None


def _lines(path: str, size: int) -> float | None:
    """Return the rows of a table of text, estimated from its beginning where it is large; its first line is a title."""
    known = format_of(os.path.basename(path))  # noqa: PTH119 - a string is all there is
    if known is None or known[1] == "parquet":
        return None
    with suppress(OSError):
        head = _head(path, _COUNTED_BYTES)
        lines = head.count(b"\n") + (not head.endswith(b"\n"))
        return max(1.0, lines * size / max(len(head), 1) - 1)
    return None


def _members(path: str) -> float | None:
    """Return the samples of a shard: files of one name but for the ending are one, as WebDataset has it."""
    names: set[str] = set()
    deadline_s, place = time.monotonic() + _SHARD_S, 0
    with suppress(OSError, tarfile.TarError, EOFError, ValueError), tarfile.open(path) as shard:
        for member in shard:
            shard.members = []  # type: ignore[attr-defined]  # else it keeps them all
            folder, _, name = member.name.rpartition("/")
            if member.isfile() and not name.startswith("."):
                names.add(f"{folder}/{name.partition('.')[0]}")
            place = member.offset_data + member.size
            if time.monotonic() > deadline_s:
                break
        total = os.path.getsize(path)  # noqa: PTH202 - as above
        is_whole = time.monotonic() <= deadline_s or path.endswith("gz")
        return math.ceil(len(names) * (1.0 if is_whole else total / max(place, 1))) or None
    return len(names) or None
