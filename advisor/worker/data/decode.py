"""One sample of the user's files from its bytes to an array. Without torch: the process that tries files has none."""

import io
import math
import os
import random
import stat
import tarfile
import wave
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

import numpy

IMAGES = frozenset({"jpg", "jpeg", "jpe", "png", "bmp", "gif", "tif", "tiff", "webp", "ppm", "pgm", "avif"})
MEMBERS = 64
"""Images of a shard that are tried."""
ROWS = 64
AUDIO_VALUES = 160_000
"""Every recording is cut, or filled up, to 10 s at 16 kHz, as in AudioSet and most sets of speech."""
_LEAST_AREA, _ASPECT = 0.08, math.log(4 / 3)
"""Of the part an image is cropped to. Source: Szegedy et al. 2015, section 6; torchvision's RandomResizedCrop."""


class Item(NamedTuple):
    """A sample: a file, a part of a shard, or a row of an array."""

    path: str
    offset: int = 0
    size: int = -1
    row: int = -1


def ending(path: str) -> str:
    """Return the ending of a file's name, in small letters."""
    return path.rpartition(".")[2].casefold()


def read(path: str, offset: int = 0, size: int = -1) -> bytes:
    """Return the bytes of a plain file, or of a part of it.

    Raises:
        OSError: It cannot be read, or is a pipe, which might never answer.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(handle, "rb") as file:  # noqa: PTH123 - a descriptor has no path
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError("no plain file")
        file.seek(offset)
        return file.read(size)


def items_in(kind: str, path: str, *, is_by_row: bool) -> list[Item]:
    """Return the samples of a file, some of them where there are many.

    Raises:
        OSError: It cannot be read.
        ValueError: It cannot be decoded here.
    """
    if kind == "array" and is_by_row and ending(path) == "npy":
        rows = len(numpy.load(path, mmap_mode="r", allow_pickle=False))
        return [Item(path, row=row) for row in sorted(random.Random(0).sample(range(rows), min(rows, ROWS)))]
    return list(_members(path)) if kind == "archive" else [Item(path)]


def _members(path: str) -> Iterator[Item]:
    found = 0
    with tarfile.open(path, "r:") as shard:  # a compressed one has no places to jump to
        for member in shard:
            if found < MEMBERS and member.isfile() and ending(member.name) in IMAGES:
                found += 1
                yield Item(path, member.offset_data, member.size)
            if found == MEMBERS:
                return


def item_bytes(item: Item) -> float:
    """Return how many bytes of its file a sample is; 0 where the file has gone."""
    if item.size >= 0:
        return item.size
    with suppress(OSError, ValueError):
        if item.row >= 0:
            return float(numpy.load(item.path, mmap_mode="r", allow_pickle=False)[item.row].nbytes)
        return os.stat(item.path).st_size  # noqa: PTH116
    return 0.0


def decode(kind: str, item: Item, edge: int, chance: random.Random | None) -> numpy.ndarray:
    """Return a sample as an array: an image as (height, width, 3) bytes, else numbers as they are.

    Args:
        kind: Of the user's files.
        item: The sample.
        edge: Pixels of the square an image becomes.
        chance: Crops and mirrors an image at random; None: only its size is changed.

    Raises:
        Exception: Whatever a decoder raises.
    """
    if kind == "array":
        if item.row >= 0:
            return numpy.array(numpy.load(item.path, mmap_mode="r", allow_pickle=False)[item.row])
        loaded = numpy.load(io.BytesIO(read(item.path)), allow_pickle=False)
        return loaded if isinstance(loaded, numpy.ndarray) else loaded[loaded.files[0]]
    if kind == "audio":
        return _recording(item)
    return _image(read(item.path, item.offset, item.size), edge, chance)


def _image(content: bytes, edge: int, chance: random.Random | None) -> numpy.ndarray:
    """Return an image as torchvision's ``RandomResizedCrop`` and ``RandomHorizontalFlip`` make it with Pillow."""
    from PIL import Image

    with Image.open(io.BytesIO(content)) as file:
        photo = file.convert("RGB")
    box = None if chance is None else _crop(photo.width, photo.height, chance)
    photo = photo.resize((edge, edge), Image.Resampling.BILINEAR, box)
    if chance is not None and chance.random() < 0.5:
        photo = photo.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    return numpy.array(photo)


def _crop(width: int, height: int, chance: random.Random) -> tuple[int, int, int, int]:
    for _try in range(10):
        area = width * height * chance.uniform(_LEAST_AREA, 1.0)
        aspect = math.exp(chance.uniform(-_ASPECT, _ASPECT))
        wide, high = round(math.sqrt(area * aspect)), round(math.sqrt(area / aspect))
        if 0 < wide <= width and 0 < high <= height:
            left, top = chance.randint(0, width - wide), chance.randint(0, height - high)
            return left, top, left + wide, top + high
    edge = min(width, height)
    left, top = (width - edge) // 2, (height - edge) // 2
    return left, top, left + edge, top + edge


def _recording(item: Item) -> numpy.ndarray:
    """Return the first channel, at the rate it was recorded in, cut or filled up to one length."""
    content = read(item.path)
    values: numpy.ndarray
    if ending(item.path) == "wav":
        with suppress(wave.Error), wave.open(io.BytesIO(content)) as file:
            width = file.getsampwidth()
            kind = {1: "u1", 2: "<i2", 4: "<i4"}.get(width)
            if kind is not None:
                values = numpy.frombuffer(file.readframes(file.getnframes()), kind)[:: file.getnchannels()]
                return _cut(values.astype(numpy.float32) / 2.0 ** (8 * width - 1))
    import soundfile  # type: ignore[import-not-found, unused-ignore]  # where it is installed

    values, _rate = soundfile.read(io.BytesIO(content), dtype="float32", always_2d=True)
    return _cut(values[:, 0])


def _cut(values: numpy.ndarray) -> numpy.ndarray:
    return numpy.pad(values[:AUDIO_VALUES], (0, max(0, AUDIO_VALUES - len(values))))
