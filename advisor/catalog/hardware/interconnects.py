"""How rented machines are joined to clusters, as their providers publish it.

Owns ``resources/catalog/networks_of_nodes.toml``; must not know prices.
"""

from functools import cache
from pathlib import Path

import msgspec

from advisor.catalog.shipped_table import read_shipped
from advisor.records.base import Source
from advisor.records.hardware.device import NetworkKind
from advisor.resource import resource_path


class NodeNetwork(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The network cards of some machines.

    Attributes:
        instances: Beginnings of the provider's names for them.
        gbit_per_s: Of all cards of one machine together, in one direction.
    """

    provider: str
    instances: tuple[str, ...]
    kind: NetworkKind
    gbit_per_s: float
    source: Source

    @property
    def bytes_per_s(self) -> float:
        """The same in bytes."""
        return self.gbit_per_s * 1e9 / 8


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    network: tuple[NodeNetwork, ...]


@cache
def node_networks() -> tuple[NodeNetwork, ...]:
    """Return the table shipped with the program.

    Raises:
        CatalogError: It is missing or damaged.
    """
    return read_node_networks(resource_path("catalog", "networks_of_nodes.toml"))


def read_node_networks(path: Path) -> tuple[NodeNetwork, ...]:
    """Return the table in a file.

    Raises:
        CatalogError: It is missing or damaged.
    """
    return read_shipped(path, _File, "networks").network


def network_between(provider: str, instance: str) -> NodeNetwork | None:
    """Return how several machines of a kind are joined; None where the provider does not say."""
    found = (one for one in node_networks() if one.provider == provider and instance.startswith(one.instances))
    return next(found, None)
