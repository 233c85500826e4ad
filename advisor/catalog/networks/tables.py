"""Networks as tables of work, read from ``resources/catalog/networks``; no torch needed.

A table holds one network for every size it can take (image edge or sequence length). A quantity that depends on the
size is its value at the usual size and the number of a profile; a profile is a sum of terms ``coefficient · ⌊(size +
offset) / stride⌋ ^ power``. Every spatial extent of a convolutional network has this form exactly, because the output
of a strided layer is ``⌊(input + padding) / stride⌋ + 1`` and nested floors collapse; tokens of a vision transformer
and lengths of a sequence have it too. What has no such form (a peak over time) is interpolated between traced sizes.

Written by ``tools/make_catalog.py``.
"""

import bisect
import math
import re
import zipfile
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from advisor.catalog.networks.attention import decompose
from advisor.catalog.networks.classical import GRADIENT_BOOSTING, gradient_boosting
from advisor.catalog.spelling import nearest_names, plain_name, spellings
from advisor.errors import CatalogError, InputError, UnknownNameError
from advisor.records.job.work import Attention, Network, Operation, OperationKind, Phase
from advisor.resource import resource_path

Quantity = float | tuple[float, int]
"""A number, or its value at the usual size and the profile that scales it."""

OWN_NETWORK = "own"
"""What a network is called that the user's own layers describe."""
KINDS: tuple[OperationKind, ...] = OperationKind.__args__  # type: ignore[attr-defined]
PHASES: tuple[Phase, ...] = ("forward", "backward")


class Profile(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a quantity grows with the size; 1 at the usual size.

    Attributes:
        terms: (coefficient, offset, stride, power) each; their sum is proportional to the quantity.
        points: (size, ratio) at the traced sizes, ascending, where no sum of terms holds.
    """

    terms: tuple[tuple[float, int, int, int], ...] = ()
    points: tuple[tuple[int, float], ...] = ()

    def at(self, size: int) -> float:
        """Return the quantity at a size, up to a factor."""
        if self.terms:
            return math.fsum(
                coefficient * float((size + offset) // stride) ** power
                for coefficient, offset, stride, power in self.terms
            )
        return _interpolate(self.points, size)


class Row(msgspec.Struct, frozen=True, array_like=True):
    """One group of equal operations; numbers point into the table's lists."""

    kind: int
    phase: int
    operator: int
    batch_axis: int | None
    shape: tuple[Quantity, ...]
    count: Quantity
    flop_per_sample: Quantity
    flop_fixed: Quantity
    bytes_per_sample: Quantity
    bytes_fixed: Quantity
    kernels: Quantity


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A network's file.

    Attributes:
        size: The usual image edge or sequence length; None where there is no choice.
        step: Sizes must be multiples of it.
        smallest: Least size the network can take.
        largest: Greatest size, or None.
        totals: Numeric fields of ``Network``.
        moments: See ``records.work.Network``, at the usual size; gradients grow as the parameters do.
        texts: Its other fields.
    """

    name: str
    family: str
    sample: Literal["image", "sequence", "row"]
    size: int | None
    step: int
    smallest: int
    largest: int | None
    layers: int | None
    attention: Attention | None
    totals: dict[str, Quantity]
    traced_with: str
    parameter_source: str
    operators: tuple[str, ...]
    profiles: tuple[Profile, ...]
    rows: tuple[Row, ...]
    moments: tuple[tuple[Quantity, float], ...] = ()
    validation_only: bool = False


class IndexEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What is known of a network without opening its table.

    Attributes:
        is_language_model: See ``records.work.Network``; other decoders here are small enough to be tuned whole.
        title: As its makers write it, where it is known by its numbers and has no table.
    """

    name: str
    family: str
    sample: Literal["image", "sequence", "row"]
    parameters: int
    size: int | None = None
    aliases: tuple[str, ...] = ()
    validation_only: bool = False
    is_language_model: bool = False
    title: str = ""


def network_names(*, validation: bool = False) -> tuple[str, ...]:
    """Return the names of all networks; with ``validation`` also those kept only to check predictions."""
    return tuple(entry.name for entry in network_index() if validation or not entry.validation_only)


@cache
def network_index() -> tuple[IndexEntry, ...]:
    """Return a short description of every network, in the order they are shown."""
    index: tuple[IndexEntry, ...] = _decode("index.json", tuple[IndexEntry, ...])
    return index


def network(
    name: str,
    *,
    image_size: int | None = None,
    sequence_length: int | None = None,
    columns: int | None = None,
    attention: Attention | None = None,
) -> Network:
    """Return a network with the work of one training step at a size.

    Args:
        name: As in ``network_names()``, or another common spelling of it.
        image_size: Edge in pixels; None: the usual one.
        sequence_length: In tokens or steps; None: the usual one.
        columns: Of the table, for classical ML.
        attention: ``decomposed``: as products and softmax with all scores in memory, as programs without a fused
            kernel do it. None: fused where there is attention.

    Raises:
        UnknownNameError: No network has this name.
        InputError: The network cannot take this size.
    """
    entry = find_entry(name)
    if entry.name == GRADIENT_BOOSTING:
        return gradient_boosting(columns)
    return _network(entry.name, image_size, sequence_length, attention)


def read_table(path: Path) -> Network:
    """Return the network in a table outside the catalogue, at its usual size; used to check predictions."""
    try:
        table: Table = msgspec.json.decode(path.read_bytes(), type=Table)
    except (OSError, msgspec.DecodeError) as error:
        raise CatalogError(f"The table {path.name} cannot be read: {error}.") from error
    return _at_size(table, table.size)


@lru_cache(maxsize=256)
def _network(name: str, image_size: int | None, sequence_length: int | None, attention: Attention | None) -> Network:
    table = _table(name)
    result = _at_size(table, _checked_size(table, image_size, sequence_length))
    if any(entry.is_language_model and entry.name == name for entry in network_index()):
        result = msgspec.structs.replace(result, is_language_model=True)
    if attention == "decomposed" and table.attention == "fused":
        return decompose(result)
    return result


@lru_cache(maxsize=32)
def _table(name: str) -> Table:
    table: Table = _decode(f"{name}.json", Table) if name in _own_names() else _packed_table(name)
    return table


@cache
def _own_names() -> frozenset[str]:
    return frozenset(entry.name for entry in network_index())


_TIMM = ("catalog", "networks", "timm.zip")


@cache
def _timm_tables() -> dict[str, str]:
    """Return the names in the packed file by their plain spelling; it is opened only where no other name is found."""
    try:
        with zipfile.ZipFile(resource_path(*_TIMM)) as packed:
            names = [Path(member).stem for member in packed.namelist()]
    except (OSError, zipfile.BadZipFile) as error:
        raise CatalogError(f"The tables of networks in {_TIMM[-1]} cannot be read: {error}.") from error
    return {plain_name(name): name for name in names}


def _packed_table(name: str) -> Table:
    try:
        with zipfile.ZipFile(resource_path(*_TIMM)) as packed:
            table: Table = msgspec.json.decode(packed.read(f"{name}.json"), type=Table)
    except (OSError, zipfile.BadZipFile, msgspec.DecodeError) as error:
        raise CatalogError(f"The table of {name} in {_TIMM[-1]} cannot be read: {error}.") from error
    return table


def _decode(file_name: str, kind: Any) -> Any:
    path = resource_path("catalog", "networks", file_name)
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError) as error:
        raise CatalogError(f"The table of networks {file_name} cannot be read: {error}.") from error


def find_entry(name: str) -> IndexEntry:
    """Return what the index says of a network, by its name or another common spelling of it.

    Raises:
        UnknownNameError: No network has this name.
    """
    entry = known_entry(name)
    if entry is None:
        raise UnknownNameError("workload", name, nearest_names(name, (*network_names(), *timm_names())))
    return entry


def known_entry(name: str) -> IndexEntry | None:
    """Return what the index says of a network; None where there is no table of that name."""
    entries = _entries()
    return next((entries[one] for one in spellings(name) if one in entries), None) or timm_entry(name)


def timm_names() -> tuple[str, ...]:
    """Return the names of further models of timm, each traced at its usual image edge."""
    return tuple(_timm_tables().values())


def timm_entry(name: str) -> IndexEntry | None:
    """Return what is known of a model of timm, with or without the tag of its weights (``.in12k_ft_in1k``).

    ``timm/`` before it, as on the Hub, is passed over.
    """
    plain = plain_name(name.removeprefix("timm/").partition(".")[0])
    known = _timm_tables().get(plain) or _timm_tables().get(plain_name(_dino(plain)))
    if known is None:
        return None
    found = _network(known, None, None, None)
    return IndexEntry(
        name=known,
        family=found.family,
        sample=found.sample,
        parameters=found.parameters,
        size=found.image_size,
    )


_DINO = re.compile(r"(?:facebook)?dinov([23])(?:vit)?([sblg])(?:mall|ase|arge|iant)?(?:14|16)?(?:pretrain\w+)?")
_SIZES = {"s": "small", "b": "base", "l": "large", "g": "giant"}


def _dino(plain: str) -> str:
    """Return timm's name of what its makers call ``dinov2_vits14`` or ``facebook/dinov3-vits16-…``; else none."""
    found = _DINO.fullmatch(plain)
    return "" if found is None else f"vit_{_SIZES[found[2]]}_patch{14 if found[1] == '2' else 16}_dinov{found[1]}"


@cache
def _entries() -> dict[str, IndexEntry]:
    return {plain_name(spelling): entry for entry in network_index() for spelling in (*entry.aliases, entry.name)}


def size_limits(name: str) -> tuple[int, int | None] | None:
    """Return the least and the greatest size of a sample that a network takes; None where it has none to choose."""
    entry = known_entry(name)
    if entry is None or entry.name == GRADIENT_BOOSTING:
        return None
    table = _table(entry.name)
    return None if table.size is None else (table.smallest, table.largest)


def _checked_size(table: Table, image_size: int | None, sequence_length: int | None) -> int | None:
    size = image_size if table.sample == "image" else sequence_length
    if size is None or size == table.size:
        return table.size
    what = "image_size" if table.sample == "image" else "sequence_length"
    if table.size is None or table.smallest == table.largest:
        raise InputError(
            "{network} has a fixed {what} of {size}; leave {what} out or take another network.",
            network=table.name,
            what=what,
            size=table.size,
        )
    if table.largest is None and size < table.smallest:
        raise InputError(
            "The {what} of {network} must be {smallest} or more, not {size}.",
            what=what,
            network=table.name,
            smallest=table.smallest,
            size=size,
        )
    if table.largest is not None and not table.smallest <= size <= table.largest:
        raise InputError(
            "The {what} of {network} must be from {smallest} to {largest}, not {size}.",
            what=what,
            network=table.name,
            smallest=table.smallest,
            largest=table.largest,
            size=size,
        )
    if size % table.step:
        below = size // table.step * table.step
        raise InputError(
            "The {what} of {network} must be a multiple of {step}, not {size}; try {smaller} or {larger}.",
            what=what,
            network=table.name,
            step=table.step,
            size=size,
            smaller=max(below, table.smallest),
            larger=below + table.step,
        )
    return size


def _at_size(table: Table, size: int | None) -> Network:
    ratios = [1.0] * len(table.profiles)
    if size is not None and table.size is not None and size != table.size:
        ratios = [profile.at(size) / profile.at(table.size) for profile in table.profiles]

    def value(quantity: Quantity) -> float:
        return quantity[0] * ratios[quantity[1]] if isinstance(quantity, tuple) else quantity

    def whole(quantity: Quantity) -> int:
        return max(1, round(value(quantity)))

    operations = tuple(
        Operation(
            kind=KINDS[row.kind],
            phase=PHASES[row.phase],
            operator=table.operators[row.operator],
            shape=tuple([whole(extent) for extent in row.shape]),
            batch_axis=row.batch_axis,
            count=whole(row.count),
            flop_per_sample=value(row.flop_per_sample),
            flop_fixed=value(row.flop_fixed),
            bytes_per_sample=value(row.bytes_per_sample),
            bytes_fixed=value(row.bytes_fixed),
            kernels=whole(row.kernels),
        )
        for row in table.rows
    )
    totals: dict[str, Any] = {key: value(quantity) for key, quantity in table.totals.items()}
    usual = table.totals["parameters"]
    grown = totals["parameters"] / usual[0] if isinstance(usual, tuple) else 1.0
    for key in ("parameters", "trainable_parameters", "parameter_tensors", "largest_parameter"):
        totals[key] = round(totals.get(key, 0))
    return Network(
        name=table.name,
        family=table.family,
        sample=table.sample,
        image_size=size if table.sample == "image" else None,
        sequence_length=size if table.sample == "sequence" else None,
        operations=operations,
        moments=tuple((value(slope), fixed * grown) for slope, fixed in table.moments),
        attention=table.attention,
        layers=table.layers,
        traced_with=table.traced_with,
        parameter_source=table.parameter_source,
        validation_only=table.validation_only,
        **totals,
    )


def _interpolate(points: tuple[tuple[int, float], ...], size: int) -> float:
    """Return the value at a size, on a straight line in the logarithms; beyond the ends the last line goes on."""
    right = min(max(bisect.bisect_left(points, (size, -math.inf)), 1), len(points) - 1)
    (low, start), (high, end) = points[right - 1], points[right]
    share = math.log(size / low) / math.log(high / low)
    if start <= 0 or end <= 0:
        return max(0.0, start + (end - start) * share)
    return float(start * (end / start) ** share)
