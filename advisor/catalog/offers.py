"""Cloud offers: the dated price snapshot shipped with the program, or a newer one the person fetched.

Owns the reading of price files; must not touch the network (``refresh`` does, and only when called). A snapshot is a
folder in the format of gpuhunt's catalogue (``GPUHUNT_CATALOG_DIR``), one ``<provider>.csv`` each, and a
``snapshot.toml`` that says where and when each provider's prices were read. The files are read here, not by gpuhunt,
because importing it takes longer than everything else in this package; a contract test holds the two readings equal.
"""

import csv
import io
import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
from platformdirs import user_data_path

from advisor.catalog.devices import known_device
from advisor.catalog.node_networks import network_between
from advisor.errors import CatalogError
from advisor.records.base import Source
from advisor.records.device import Device, Offer
from advisor.resource import resource_path
from advisor.units import GIB

MARKETPLACES = frozenset({"vastai"})
"""Providers that let the machines of others. Source: vast.ai, "Hosting", 2025."""

COMMUNITY = "community"
"""RunPod's region of machines that others let through it. Source: RunPod documentation, "Community Cloud", 2025."""

MAX_PRICE_PER_DEVICE_USD_PER_H = 60.0
"""Above this a price is a placeholder: Google's list says 700 USD where a TPU is not sold, the dearest real offer of
October 2026 is 35 USD (B300 in São Paulo)."""

REQUIRED = ("instance_name", "location", "price", "cpu", "memory", "gpu_count", "spot")

_TPU_NAME = re.compile(r"^(?:tpu-)?(?P<generation>v\d+[a-z]*)-(?P<size>\d+)$")
_TPU_DEVICES = {
    "v2": ("TPU v2", 2),
    "v3": ("TPU v3", 2),
    "v4": ("TPU v4", 2),
    "v5p": ("TPU v5p", 2),
    "v5litepod": ("TPU v5e", 1),
    "v5e": ("TPU v5e", 1),
    "v6e": ("TPU v6e (Trillium)", 1),
}
"""Device and TensorCores per chip: up to v4 and in v5p the number in a TPU's type counts cores, else chips.

Source: Cloud TPU documentation, "TPU configurations" (2025)."""

_PCIE_INSTANCES = re.compile(r"pcie|^Standard_NC\d", re.IGNORECASE)
"""Machines whose A100 and H100 are the PCIe cards, which price lists do not say in the GPU's name."""


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where and when the prices of one provider were read."""

    as_of: str
    title: str
    author: str
    url: str | None = None


@cache
def offers(user_folder: Path | None = None) -> tuple[Offer, ...]:
    """Return the known offers, cheapest per provider first: of each provider the newer of the two snapshots.

    Args:
        user_folder: Where ``refresh_offers`` stores; None: ``default_folder()``.

    Raises:
        CatalogError: The shipped snapshot cannot be read.
    """
    rows = [
        offer
        for provider, (folder, origin) in _preferred(user_folder or default_folder()).items()
        for offer in read_offers((folder / f"{provider}.csv").read_text(encoding="utf-8"), provider, origin.as_of)
    ]
    return tuple(sorted(rows, key=lambda offer: (offer.provider, offer.price_usd_per_h)))


def snapshot_dates(user_folder: Path | None = None) -> dict[str, str]:
    """Return by provider the ISO date of the prices in use."""
    return {provider: source.date for provider, source in offer_sources(user_folder).items()}


def offer_sources(user_folder: Path | None = None) -> dict[str, Source]:
    """Return by provider with at least one offer where the prices in use come from."""
    providers = {offer.provider for offer in offers(user_folder)}
    return {
        provider: Source(title=origin.title, author=origin.author, date=origin.as_of, url=origin.url)
        for provider, (_, origin) in _preferred(user_folder or default_folder()).items()
        if provider in providers
    }


def default_folder() -> Path:
    """Return the folder of this person's own price snapshot."""
    return user_data_path("advisor", appauthor=False) / "offers"


def shipped_folder() -> Path:
    """Return the folder of the snapshot shipped with the program."""
    return resource_path("catalog", "offers")


def read_origins(folder: Path) -> dict[str, Origin]:
    """Return the origin of each provider's prices in a snapshot; empty where there is no snapshot.

    Raises:
        CatalogError: The snapshot's description cannot be read.
    """
    path = folder / "snapshot.toml"
    if not path.is_file():
        return {}
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), dict[str, Origin])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise CatalogError(f"The price snapshot's description cannot be read: {error}.") from error


def read_offers(text: str, provider: str, as_of: str) -> Iterator[Offer]:
    """Yield the offers with accelerators in one provider's price file; machines without are left out.

    Raises:
        CatalogError: A row has a missing field or a senseless price.
    """
    for number, row in enumerate(csv.DictReader(io.StringIO(text)), start=2):
        try:
            offer = offer_from_row(row, provider, as_of)
        except (KeyError, TypeError, ValueError) as error:
            raise CatalogError(f"{provider}.csv, line {number}: {error}.") from error
        if offer is not None:
            yield offer


def offer_from_row(row: dict[str, str], provider: str, as_of: str) -> Offer | None:
    """Return the offer in one row; None for a machine without accelerator or with a placeholder for a price.

    Raises:
        ValueError: A field is missing or senseless.
    """
    missing = [field for field in REQUIRED if not row.get(field)]
    if missing:
        raise ValueError(f"no {' and no '.join(missing)}")
    price = float(row["price"])
    if not 0 < price < float("inf"):
        raise ValueError(f"price {row['price']}")
    if int(row["gpu_count"]) == 0:
        return None
    name = row.get("gpu_name") or ""
    if not name:
        raise ValueError("no gpu_name")
    memory_gib = float(row["gpu_memory"]) if row.get("gpu_memory") else None
    device, count = _identify(name, memory_gib, int(row["gpu_count"]), row["instance_name"])
    if price > MAX_PRICE_PER_DEVICE_USD_PER_H * count:
        return None
    details = json.loads(row.get("provider_data") or "{}")
    network = network_between(provider, row["instance_name"])
    return Offer(
        provider=provider,
        instance=row["instance_name"],
        region=row["location"],
        device=device.name if device else None,
        device_name=name,
        device_count=count,
        device_memory_bytes=_memory_bytes(device, memory_gib),
        cpu_cores=int(float(row["cpu"])) or None,
        memory_bytes=round(float(row["memory"]) * GIB) or None,
        price_usd_per_h=price,
        spot=row["spot"].lower() == "true",
        is_marketplace=provider in MARKETPLACES or row["location"] == COMMUNITY,
        network=None if network is None else network.kind,
        network_bytes_per_s=None if network is None else network.bytes_per_s,
        as_of=details.get("as_of", as_of),
    )


@cache
def _identify(name: str, memory_gib: float | None, count: int, instance: str) -> tuple[Device | None, int]:
    """Return the catalogue device a price list means, and how many of them."""
    tpu = _TPU_NAME.match(name.lower())
    if tpu and tpu["generation"] in _TPU_DEVICES:
        device_name, cores = _TPU_DEVICES[tpu["generation"]]
        return known_device(device_name), max(1, int(tpu["size"]) // cores) * count
    memory_bytes = round(memory_gib * GIB) if memory_gib else None
    spellings = [instance, name]  # RunPod names its machines after the GPU, more exactly than the GPU's column does
    if _PCIE_INSTANCES.search(instance):
        spellings.insert(0, f"{name} PCIe")
    found = (known_device(spelling, memory_bytes) for spelling in spellings)
    return next((device for device in found if device is not None), None), count


def _memory_bytes(device: Device | None, memory_gib: float | None) -> int | None:
    if device is not None:
        return device.memory_bytes
    return round(memory_gib * GIB) if memory_gib else None


def _preferred(user_folder: Path) -> dict[str, tuple[Path, Origin]]:
    """Return by provider the folder and origin of its newer snapshot; a damaged own snapshot does not count."""
    chosen = {provider: (shipped_folder(), origin) for provider, origin in read_origins(shipped_folder()).items()}
    try:
        own = read_origins(user_folder)
    except CatalogError:  # the person's copy is only a convenience; the shipped one still stands, with its own date
        own = {}
    for provider, origin in own.items():
        is_newer = provider not in chosen or origin.as_of > chosen[provider][1].as_of
        if is_newer and (user_folder / f"{provider}.csv").is_file():
            chosen[provider] = (user_folder, origin)
    return chosen
