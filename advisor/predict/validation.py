"""Read how well predictions held on public measurements; made by ``tools/fit/validate.py``."""

from functools import cache

import msgspec

from advisor.errors import CatalogError
from advisor.records.validation import Validation
from advisor.resource import resource_path


@cache
def validation() -> Validation:
    """Return the figures of the last validation.

    Raises:
        CatalogError: The file is missing or has other fields than expected.
    """
    path = resource_path("references", "validation.json")
    try:
        return msgspec.json.decode(path.read_bytes(), type=Validation)
    except (OSError, msgspec.DecodeError) as error:
        raise CatalogError(f"The figures of the validation in {path.name} cannot be read: {error}.") from error
