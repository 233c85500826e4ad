"""Whole computers with a training device built in: what one can buy, and what those with a chip of Apple draw.

Owns ``resources/catalog/computers.toml``; must not know cards or rents.
"""

from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec

from advisor.articles import read_toml
from advisor.catalog.hardware.devices import known_device
from advisor.errors import CatalogError
from advisor.records.base import Source
from advisor.records.hardware.device import Computer
from advisor.resource import resource_path
from advisor.units import GIB

_Positive = Annotated[float, msgspec.Meta(gt=0)]


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One computer as the file has it; sources are named by key."""

    name: str
    device: str
    memory_gib: _Positive
    threads: Annotated[int, msgspec.Meta(ge=1)]
    socket_w: _Positive
    price_usd: _Positive
    price_as_of: str
    price_source: str
    power_source: str


class _ChipRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What computers with a chip draw from the socket at most."""

    name: str
    socket_w: _Positive
    source: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file."""

    source: dict[str, Source]
    chip: tuple[_ChipRow, ...]
    computer: tuple[_Row, ...]


@cache
def computers(path: Path | None = None) -> tuple[Computer, ...]:
    """Return the computers that are sold, in the order of the file.

    Args:
        path: The file; None: the one shipped with the program.

    Raises:
        CatalogError: It cannot be read, or a row is wrong; the message names file and computer.
    """
    place = path or _place()
    content = _read(place)
    return tuple(_computer(row, content.source, place.name) for row in content.computer)


def chip_socket_w(chip: str) -> float | None:
    """Return what a computer with a chip draws from the socket at most; None where nobody publishes it.

    Args:
        chip: The name of its processor, or of its device: ``Apple M4``, ``Apple M4 (10-core GPU)``.
    """
    name = chip.partition(" (")[0]
    return next((row.socket_w for row in _read(_place()).chip if row.name == name), None)


def _place() -> Path:
    return resource_path("catalog", "computers.toml")


@cache
def _read(place: Path) -> _File:
    content: _File = read_toml(place, _File)
    if missing := {row.source for row in content.chip} - content.source.keys():
        raise CatalogError(f"{place.name}: there is no source {min(missing)}.")
    return content


def _computer(row: _Row, sources: dict[str, Source], file: str) -> Computer:
    chip = known_device(row.device)
    if chip is None or chip.memory_type != "unified":
        raise CatalogError(f"{file}, {row.name}: {row.device} is no chip of the catalogue that shares its memory.")
    if missing := {row.price_source, row.power_source} - sources.keys():
        raise CatalogError(f"{file}, {row.name}: there is no source {min(missing)}.")
    memory_bytes = round(row.memory_gib * GIB)
    if chip.memory_bytes is None or memory_bytes > chip.memory_bytes:
        raise CatalogError(f"{file}, {row.name}: {row.device} is not sold with so much memory.")
    device = msgspec.structs.replace(
        chip,
        memory_bytes=memory_bytes,
        price_usd=row.price_usd,
        price_kind="launch",
        price_as_of=row.price_as_of,
        sources={**chip.sources, "price": sources[row.price_source], "power": sources[row.power_source]},
    )
    return Computer(
        name=row.name,
        device=device,
        threads=row.threads,
        socket_w=row.socket_w,
        price_usd=row.price_usd,
        price_as_of=row.price_as_of,
    )
