"""Times of whole jobs that others published, read from ``resources/references/jobs.toml``."""

from functools import cache
from typing import Any

import msgspec

from advisor.catalog.shipped_table import read_shipped
from advisor.records.base import Source
from advisor.resource import resource_path


class PublishedJob(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One published time.

    Attributes:
        network, device, count: What was trained on how many devices.
        seconds, steps: How long so many steps took.
        settings: Fields of the job; its batch is that of one device.
        note: The network that was really trained, where it is a near kin.
    """

    network: str
    device: str
    seconds: float
    steps: float
    settings: dict[str, Any]
    source: Source
    count: int = 1
    note: str = ""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    figure: tuple[PublishedJob, ...]


@cache
def published_jobs() -> tuple[PublishedJob, ...]:
    """Return every published time, in the order of the file.

    Raises:
        CatalogError: The file is missing or damaged.
    """
    return read_shipped(resource_path("references", "jobs.toml"), _File, "published times").figure
