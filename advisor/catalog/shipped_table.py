"""Read a TOML table that is shipped with the program."""

from pathlib import Path
from typing import TypeVar

import msgspec

from advisor.errors import CatalogError

T = TypeVar("T")


def read_shipped(path: Path, kind: type[T], what: str) -> T:
    """Return a table as records of a kind.

    Args:
        path: Its file.
        kind: Of the whole file.
        what: It is a table of, for the error.

    Raises:
        CatalogError: It is missing or damaged.
    """
    try:
        return msgspec.toml.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CatalogError(f"The table of {what} {path.name} is damaged: {error}.") from error
