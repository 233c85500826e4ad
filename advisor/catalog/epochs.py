"""How many epochs jobs of a kind usually take, as their authors publish it.

Owns ``resources/catalog/epochs.toml``; must not know how long an epoch takes.
"""

import math
from functools import cache

import msgspec

from advisor.catalog.shipped_table import read_shipped
from advisor.records.base import Source
from advisor.records.job.workload import EpochRange, Workload
from advisor.resource import resource_path

UNPUBLISHED_EPOCHS = 10.0
"""Taken where nobody says how many, and nobody publishes how many are usual; our choice, and said to be one."""


class _Kind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    low: float
    high: float
    source: Source
    networks: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    samples: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    most_samples: float = math.inf

    def holds(self, workload: Workload, family: str, sample: str) -> bool:
        said = ((self.families, family), (self.samples, sample), (self.methods, workload.method))
        is_network = not self.networks or workload.network.startswith(self.networks)
        return (
            is_network
            and workload.samples <= self.most_samples
            and all(not known or value in known for known, value in said)
        )


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    kind: tuple[_Kind, ...]


@cache
def _kinds() -> tuple[_Kind, ...]:
    return read_shipped(resource_path("catalog", "epochs.toml"), _File, "epochs").kind


def usual_epochs(workload: Workload, family: str, sample: str) -> EpochRange | None:
    """Return how many epochs such a job usually takes; None where nobody publishes it, or it is applied.

    Args:
        workload: The job.
        family: Of its network.
        sample: What one sample of it is.

    Raises:
        CatalogError: The table is missing or damaged.
    """
    if workload.task != "train":
        return None
    found = next((kind for kind in _kinds() if kind.holds(workload, family, sample)), None)
    return None if found is None else EpochRange(low=found.low, high=found.high, source=found.source)


def assume_epochs(workload: Workload, family: str, sample: str) -> Workload:
    """Return the job with the fewest epochs that are usual, where nobody said how many; else as it is.

    Args:
        workload: The job.
        family: Of its network.
        sample: What one sample of it is.

    Raises:
        CatalogError: The table is missing or damaged.
    """
    if not workload.epochs_are_default or workload.task != "train":
        return workload
    usual = usual_epochs(workload, family, sample)
    return msgspec.structs.replace(workload, epochs=UNPUBLISHED_EPOCHS if usual is None else usual.low)
