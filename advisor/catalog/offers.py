"""Cloud offers: the dated price snapshot shipped with the program, or a newer one the user fetched.

Owns the reading of price files; must not touch the network (``refresh`` does, and only when called). A snapshot is a
folder in the format of gpuhunt's catalogue (``GPUHUNT_CATALOG_DIR``), one ``<provider>.csv`` each, and a
``snapshot.toml`` that says where and when each provider's prices were read. The files are read here, not by gpuhunt,
because importing it takes longer than everything else in this package; a contract test holds the two readings equal.
"""

import csv
import io
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec

from advisor.catalog.hardware.devices import known_device
from advisor.catalog.hardware.interconnects import network_between
from advisor.errors import CatalogError, system_reason
from advisor.records.base import Source
from advisor.records.hardware.device import Device, Offer
from advisor.resource import read_kept, resource_path
from advisor.units import GIB

MARKETPLACES = frozenset({"vastai"})
"""Providers that let the machines of others. Source: vast.ai, "Hosting", 2025."""

COMMUNITY = "community"
"""RunPod's region of machines that others let through it. Source: RunPod documentation, "Community Cloud", 2025."""

_COUNTRY = re.compile(r"[A-Z]{2}")
"""Region of the same machines in gpuhunt's list; RunPod's own have a data centre's, such as ``EU-RO-1``.

Source: gpuhunt 0.1.34, ``gpuhunt/providers/runpod.py``, ``_make_offers``."""

MAX_PRICE_PER_DEVICE_USD_PER_H = 60.0
"""Above this a price is a placeholder: Google's list says 700 USD where a TPU is not sold, the dearest real offer of
October 2026 is 35 USD (B300 in São Paulo)."""

MOST_DEVICES = 65_536
MOST_AMOUNT = 1e6
"""Of processor cores, and of GiB: thirty times the memory of the largest machine for rent (AWS, 32 TiB); above it a row
makes no sense."""

LONGEST_NAME = 200

MAX_BYTES = 64 * 1024**2
"""Of a provider's prices."""

REQUIRED = ("instance_name", "location", "price", "cpu", "memory", "gpu_count", "spot")

_TPU_NAME = re.compile(r"^(?:tpu-)?(?P<generation>v\d+[a-z]*)-(?P<size>\d{1,6})$")
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


class _Details(msgspec.Struct):
    """What a row says in ``provider_data``, as far as it is used here: its own date."""

    as_of: Annotated[str, msgspec.Meta(pattern=r"^\d{4}(-\d\d){0,2}$")] | None = None


class _Prices(NamedTuple):
    """The prices of one provider in use, and why newer ones of the user's own are not (empty where they are)."""

    origin: Origin
    offers: tuple[Offer, ...]
    fault: str = ""


def offers(user_folder: Path | None = None) -> tuple[Offer, ...]:
    """Return the known offers, cheapest per provider first: of each provider the newer of the two snapshots.

    A file of the user's own that cannot be read does not count; see ``refused_prices``.

    Args:
        user_folder: Where ``refresh_offers`` stores; None: ``default_folder()``.

    Raises:
        CatalogError: The shipped snapshot cannot be read.
    """
    return _sorted(user_folder or default_folder())


def clear_offers() -> None:
    """Let the next call of ``offers`` read the files again."""
    _sorted.cache_clear()
    _in_use.cache_clear()


def snapshot_dates(user_folder: Path | None = None) -> dict[str, str]:
    """Return by provider the ISO date of the prices in use."""
    return {provider: source.date for provider, source in offer_sources(user_folder).items()}


def offer_sources(user_folder: Path | None = None) -> dict[str, Source]:
    """Return by provider with at least one offer where the prices in use come from."""
    return {
        provider: Source(title=origin.title, author=origin.author, date=origin.as_of, url=origin.url)
        for provider, (origin, known, _) in _in_use(user_folder or default_folder()).items()
        if known
    }


def refused_prices(user_folder: Path | None = None) -> dict[str, str]:
    """Return by provider what is wrong with the user's own prices, in whose stead the shipped ones are used."""
    known = _in_use(user_folder or default_folder())
    return {provider: prices.fault for provider, prices in known.items() if prices.fault}


def default_folder() -> Path:
    """Return the folder of this user's own price snapshot."""
    from platformdirs import user_data_path

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
    try:
        if not path.is_file():
            return {}
        return msgspec.convert(tomllib.loads(read_kept(path, MAX_BYTES).decode()), dict[str, Origin])
    except (
        OSError,
        ValueError,
        RecursionError,
    ) as error:  # also of numbers with thousands of digits, and lists in lists
        raise CatalogError(f"The price snapshot's description cannot be read: {error}.") from error


def read_offers(text: str, provider: str, as_of: str) -> Iterator[Offer]:
    """Yield the offers with accelerators in one provider's price file; machines without are left out.

    Raises:
        CatalogError: A row has a missing field or a senseless price.
    """
    rows = csv.DictReader(io.StringIO(text))
    try:
        for row in rows:
            offer = offer_from_row(row, provider, as_of)
            if offer is not None:
                yield offer
    except (ValueError, csv.Error) as error:
        raise CatalogError(f"{provider}.csv, line {rows.line_num}: {error}.") from error


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
    listed = int(row["gpu_count"])
    if not 0 <= listed <= MOST_DEVICES:
        raise ValueError(f"gpu_count {listed}")
    if listed == 0:
        return None
    instance, region, name = (_name(row, field) for field in ("instance_name", "location", "gpu_name"))
    memory_gib = _amount(row, "gpu_memory") if row.get("gpu_memory") else None
    device, count = _identify(name, memory_gib, listed, instance)
    if price > MAX_PRICE_PER_DEVICE_USD_PER_H * count:
        return None
    network = network_between(provider, instance)
    return Offer(
        provider=provider,
        instance=instance,
        region=region,
        device=device.name if device else None,
        device_name=name,
        device_count=count,
        device_memory_bytes=_memory_bytes(device, memory_gib),
        cpu_cores=int(_amount(row, "cpu")) or None,
        memory_bytes=round(_amount(row, "memory") * GIB) or None,
        price_usd_per_h=price,
        spot=row["spot"].lower() == "true",
        is_marketplace=_is_marketplace(provider, region),
        network=None if network is None else network.kind,
        network_bytes_per_s=None if network is None else network.bytes_per_s,
        as_of=_own_date(row) or as_of,
    )


def _name(row: dict[str, str], field: str) -> str:
    """Return a name in a row; lists come from outside, and what they name is shown on screens."""
    name = row.get(field) or ""
    if not name:
        raise ValueError(f"no {field}")
    if len(name) > LONGEST_NAME or not name.isprintable():
        raise ValueError(f"{field} is no name")
    return name


def _amount(row: dict[str, str], field: str) -> float:
    value = float(row[field])
    if not 0 <= value <= MOST_AMOUNT:
        raise ValueError(f"{field} {row[field]}")
    return value


def _own_date(row: dict[str, str]) -> str | None:
    """Return the date of a row that is not its provider's."""
    try:
        return msgspec.json.decode(row.get("provider_data") or "{}", type=_Details).as_of
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(f"provider_data: {error}") from error


def _is_marketplace(provider: str, region: str) -> bool:
    """Return whether a machine is let by another customer of the provider."""
    return provider in MARKETPLACES or region == COMMUNITY or (provider == "runpod" and is_country(region))


def is_country(region: str) -> bool:
    """Return whether a region is written as a country's code, as ISO 3166-1 alpha-2 has it."""
    return _COUNTRY.fullmatch(region) is not None


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


@cache
def _sorted(user_folder: Path) -> tuple[Offer, ...]:
    found = [offer for prices in _in_use(user_folder).values() for offer in prices.offers]
    return tuple(sorted(found, key=lambda offer: (offer.provider, offer.price_usd_per_h)))


@cache
def _in_use(user_folder: Path) -> dict[str, _Prices]:
    """Return the prices by provider; a damaged own snapshot, or file of one, does not count."""
    shipped = read_origins(shipped_folder())
    try:
        own = read_origins(user_folder)
    except CatalogError:  # the user's copy is only a convenience; the shipped one still stands, with its own date
        own = {}
    found: dict[str, _Prices] = {}
    for provider in dict.fromkeys([*shipped, *own]):
        origin, newer, fault = shipped.get(provider), own.get(provider), ""
        if newer is not None and (origin is None or newer.as_of > origin.as_of):
            try:
                found[provider] = _Prices(newer, _own(user_folder, provider, newer))
                continue
            except CatalogError as error:
                fault = str(error).removesuffix(".")  # which a sentence repeats in brackets
        if origin is not None:
            found[provider] = _Prices(origin, _read(shipped_folder(), provider, origin), fault)
    return found


def _own(folder: Path, provider: str, origin: Origin) -> tuple[Offer, ...]:
    known = _read(folder, provider, origin)
    if not known:  # a renewal stores no such file: this one was cut short
        raise CatalogError(f"{provider}.csv holds no offer.")
    return known


def _read(folder: Path, provider: str, origin: Origin) -> tuple[Offer, ...]:
    try:
        text = read_kept(folder / f"{provider}.csv", MAX_BYTES).decode()
    except (OSError, UnicodeDecodeError) as error:
        raise CatalogError(
            "{file} cannot be read: {reason}.", file=f"{provider}.csv", reason=system_reason(error)
        ) from error
    return tuple(read_offers(text, provider, origin.as_of))
