"""The user's own data, in numbers alone: no name of a file or a folder has a place here."""

from typing import Annotated, Literal

import msgspec

from advisor.records.base import Bytes, Record
from advisor.records.hardware.machine import Disk
from advisor.records.results.measured.measurement import Count

DataKind = Literal["image", "audio", "array", "table", "archive"]
Total = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class FileFormat(Record, frozen=True, kw_only=True):
    """How many files of one format there are, such as ``jpeg``."""

    name: Annotated[str, msgspec.Meta(max_length=20)]
    files: Count


class OwnData(Record, frozen=True, kw_only=True):
    """What lies in the file or the folder that the user named.

    Attributes:
        kind: Of the files that take most of the room; the other numbers are of these.
        formats: Of these files, the most frequent first.
        files: How many there are; ``is_complete`` is False where the time was over before all were seen.
        other_files: Of other kinds, or of none this program knows.
        unreadable: Folders and files, of those looked into, that the system would not open.
        samples: What a network takes one by one: images, recordings, rows; None where only a library could tell.
        classes: Of images and recordings: names of the folders they lie in, which data loaders take for classes; those
            of training and of validation count once. None where all lie in one folder.
        size_bytes: Of all the files; of many thousands as the mean of some thousands says.
        width, height: Median of the images, in pixels; None where they do not say it at their beginning.
        disk: Where they lie.
    """

    kind: DataKind
    formats: Annotated[tuple[FileFormat, ...], msgspec.Meta(max_length=16)]
    files: Count
    other_files: Total = 0
    unreadable: Total = 0
    is_complete: bool = True
    samples: Count | None = None
    classes: Count | None = None
    size_bytes: Bytes
    width: Count | None = None
    height: Count | None = None
    disk: Disk


class FoundData(Record, frozen=True, kw_only=True):
    """The user's data, and some of the files to measure with; these stay in memory alone.

    Attributes:
        data: Fit for a report.
        files: Paths, as ``os.fsencode`` gives them.
    """

    data: OwnData
    files: tuple[bytes, ...]
