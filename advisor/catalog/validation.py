"""How well predictions held on public measurements: the file that ``tools/fit/validate.py`` writes, read strictly."""

from functools import cache
from pathlib import Path

import msgspec

from advisor.errors import CatalogError, system_reason
from advisor.records.results.validation import Validation
from advisor.resource import resource_path


@cache
def load_validation() -> Validation:
    """Return the figures of the last validation.

    Raises:
        CatalogError: The file is missing or has other fields than expected.
    """
    return read_validation(resource_path("references", "validation.json"))


def read_validation(path: Path) -> Validation:
    """Return the figures in a file.

    Raises:
        CatalogError: It is missing or has other fields than expected.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Validation)
    except (OSError, msgspec.DecodeError) as error:
        raise CatalogError("{file} cannot be read: {reason}.", file=path.name, reason=system_reason(error)) from error
