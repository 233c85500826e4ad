"""How well predictions held on public measurements: the files that ``tools/fit/judging`` writes, read strictly."""

from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

from advisor.errors import CatalogError
from advisor.records.results.validation import HeldOutTimes, Validation
from advisor.resource import resource_path

_Found = TypeVar("_Found")


@cache
def load_validation() -> Validation:
    """Return the figures of the last validation.

    Raises:
        CatalogError: The file is missing or has other fields than expected.
    """
    return read_validation(resource_path("references", "validation.json"))


@cache
def load_held_out_times() -> tuple[HeldOutTimes, ...]:
    """Return measured times beside what was predicted for them, set by set, as the last validation wrote them.

    Raises:
        CatalogError: The file is missing or has other fields than expected.
    """
    return _read(resource_path("references", "validation_times.json"), tuple[HeldOutTimes, ...])


def read_validation(path: Path) -> Validation:
    """Return the figures in a file.

    Raises:
        CatalogError: It is missing or has other fields than expected.
    """
    return _read(path, Validation)


def _read(path: Path, kind: type[_Found]) -> _Found:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError) as error:
        raise CatalogError("{file} cannot be read: {reason}.", file=path.name, reason=error) from error
