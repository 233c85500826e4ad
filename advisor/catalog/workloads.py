"""Ready-made jobs, and jobs a person writes in a file.

Owns ``resources/catalog/presets.toml`` and the form of a person's TOML file::

    [workload]
    network = "resnet50"        # a name of: advisor --list workloads
    samples = 20_000
    epochs = 30
    batch_size = 64

    [circumstances]
    who = "freelancer"
    runs_per_month = 4
    deadline_h = 12

What a person writes is untrusted: every key, type and value is checked, and the first mistake becomes one sentence that
names the key and says how to mend it.
"""

import difflib
import math
import tomllib
import types
import typing
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from advisor.catalog.networks import (
    find_entry,
    nearest_names,
    network,
    network_index,
    network_names,
    plain_name,
)
from advisor.errors import CatalogError, InputError, UnknownNameError
from advisor.records.base import Record
from advisor.records.workload import Circumstances, Preset, Workload
from advisor.resource import resource_path
from advisor.units import DAY_S, HOUR_S
from advisor.wire import read_limited

_REQUIRED = ("network", "samples")
_TABLES: dict[str, type[Record]] = {"workload": Workload, "circumstances": Circumstances}
_FACTORS = {"deadline_h": ("deadline_s", HOUR_S), "deadline_days": ("deadline_s", DAY_S)}
"""Keys in the units people think in, and what they become."""

_LIMITS: dict[str, tuple[float, float]] = {
    "samples": (1, 1e13),
    "epochs": (0.001, 1e6),
    "steps_per_epoch": (1, 1e10),
    "batch_size": (1, 1e8),
    "image_size": (8, 16_384),
    "sequence_length": (1, 1e7),
    "columns": (1, 1e6),
    "classes": (1, 1e7),
    "runs_per_month": (0.001, 1e5),
    "deadline_s": (1, 1e10),
    "budget_usd": (0, 1e12),
    "horizon_months": (0.1, 600),
    "electricity_usd_per_kwh": (0, 10),
    "resale_ratio": (0, 1),
}
"""Least and greatest sensible value; beyond them is a slip of the pen."""


def presets() -> tuple[Preset, ...]:
    """Return the ready-made jobs, in the order they are shown."""
    return _shipped()[0]


def preset(preset_id: str) -> Preset:
    """Return a ready-made job.

    Raises:
        UnknownNameError: There is none with this id.
    """
    for known in presets():
        if known.workload.id == preset_id:
            return known
    ids = [known.workload.id for known in presets()]
    raise UnknownNameError("workload", preset_id, nearest_names(preset_id, ids))


def find_workload(text: str) -> Preset:
    """Return the job a person names: a file ending in ``.toml``, a preset, or a network with a standard job.

    Raises:
        InputError: The file has a mistake, or nothing has this name.
    """
    if text.casefold().endswith(".toml"):
        return read_workload(Path(text).expanduser())
    wanted = plain_name(text)
    for known in presets():
        if plain_name(known.workload.id) == wanted:
            return known
    for entry in network_index():
        if wanted in {plain_name(entry.name), *map(plain_name, entry.aliases)}:
            return _job_of_network(entry.name, entry.sample)
    names = dict.fromkeys([*(known.workload.id for known in presets()), *network_names()])
    raise UnknownNameError("workload", text, nearest_names(text, names))


def read_workload(path: Path) -> Preset:
    """Return the job in a person's TOML file.

    Raises:
        InputError: It cannot be read, is not TOML, or has an unknown key, a wrong type or a nonsensical value.
    """
    try:
        content = tomllib.loads(read_limited(path).decode())
    except UnicodeDecodeError as error:
        raise InputError(f"{path.name} is not a text file in UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path.name} is not valid TOML: {error}.") from error
    _check_keys(content, tuple(_TABLES), f"{path.name}: ", "table")
    if "workload" not in content:
        raise InputError(f"{path.name} has no table [workload]; begin it with a line [workload].")
    job = _table(content, "workload", path.name)
    for key in _REQUIRED:
        if key not in job:
            raise InputError(f"{path.name}: [workload] has no {key}; add a line such as {key} = {_EXAMPLES[key]}.")
    title = job.get("title", path.stem)
    job = {"id": path.stem, "title": title, **job}
    workload = _convert(job, Workload, f"{path.name}: [workload] ")
    circumstances = _convert(
        _table(content, "circumstances", path.name), Circumstances, f"{path.name}: [circumstances] "
    )
    workload = check_workload(workload, f"{path.name}: ")
    return Preset(workload=workload, circumstances=circumstances)


_EXAMPLES = {"network": '"resnet50"', "samples": "20_000"}


def check_workload(workload: Workload, where: str = "") -> Workload:
    """Return the job, its network by the catalogue's name; refuse one whose parts do not go together.

    Args:
        workload: Already checked field by field.
        where: Put before the sentence.

    Raises:
        InputError: Such as a sequence length for an image network, or a batch larger than the data.
    """
    try:
        entry = find_entry(workload.network)
    except UnknownNameError as error:
        hint = f" Did you mean {', '.join(error.nearest)}?" if error.nearest else ""
        text = f"{where}there is no network '{workload.network}'.{hint} See: advisor --list workloads"
        raise InputError(text) from error
    sample = entry.sample
    for key, wanted in (("image_size", "image"), ("sequence_length", "sequence"), ("columns", "row")):
        if getattr(workload, key) is not None and sample != wanted:
            raise InputError(f"{where}{key} does not apply to {entry.name}, which takes {sample}s; leave it out.")
    classical = workload.method == "classical"
    if classical != (sample == "row"):
        remedy = 'network = "gradient_boosting"' if classical else 'method = "classical"'
        raise InputError(f"{where}method {workload.method} does not go with {entry.name}; write {remedy}.")
    batch, samples = workload.batch_size, workload.samples
    if workload.steps_per_epoch is None and batch > samples:
        raise InputError(f"{where}batch_size is {batch} but there are {samples} samples; make it smaller.")
    try:
        network(
            entry.name,
            image_size=workload.image_size,
            sequence_length=workload.sequence_length,
            columns=workload.columns,
        )
    except InputError as error:
        raise InputError(f"{where}{error}") from error
    return msgspec.structs.replace(workload, network=entry.name)


def _job_of_network(name: str, sample: Literal["image", "sequence", "row"]) -> Preset:
    for known in presets():
        if known.workload.network == name:
            return known
    job = _shipped()[1][sample]
    return Preset(workload=msgspec.structs.replace(job, id=name, title=name, network=name))


def _table(content: Mapping[str, Any], name: str, file_name: str) -> dict[str, Any]:
    table = content.get(name, {})
    if not isinstance(table, dict):
        raise InputError(f"{file_name}: {name} must be a table; write [{name}] on a line of its own.")
    return dict(table)


def _convert(table: dict[str, Any], kind: type[Any], where: str) -> Any:
    _check_keys(table, (*kind.__struct_fields__, *_extra_keys(kind)), where, "key")
    for key, (field, factor) in _FACTORS.items():
        if key in table:
            _check_type(key, table[key], float, where)
            table[field] = table.pop(key) * factor
    hints = typing.get_type_hints(kind)
    for key, value in table.items():
        _check_type(key, value, hints[key], where)
        _check_limits(key, value, where)
    return msgspec.convert(table, type=kind)


def _extra_keys(kind: type[Any]) -> tuple[str, ...]:
    return tuple(key for key, (field, _) in _FACTORS.items() if field in kind.__struct_fields__)


def _check_keys(table: Mapping[str, Any], known: tuple[str, ...], where: str, what: str) -> None:
    for key in table:
        if key not in known:
            nearest = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
            hint = f"did you mean {nearest[0]}?" if nearest else f"known are {', '.join(known)}."
            raise InputError(f"{where}there is no {what} {key}; {hint}")


def _check_type(key: str, value: object, hint: Any, where: str) -> None:
    choices = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    for choice in choices:
        if typing.get_origin(choice) is Literal:
            _check_choice(key, value, typing.get_args(choice), where)
            return
    wanted = next(choice for choice in choices if choice is not types.NoneType)
    good = {
        int: type(value) is int,
        float: type(value) in (int, float) and math.isfinite(typing.cast(float, value)),
        bool: type(value) is bool,
        str: type(value) is str,
    }
    if not good[wanted]:
        words = {int: "a whole number", float: "a number", bool: "true or false", str: "a text in quotes"}
        raise InputError(f"{where}{key} must be {words[wanted]}, not {_shown(value)}.")


def _check_choice(key: str, value: object, choices: tuple[Any, ...], where: str) -> None:
    if value not in choices:
        raise InputError(f"{where}{key} must be one of {', '.join(choices)}, not {_shown(value)}.")


def _check_limits(key: str, value: object, where: str) -> None:
    if isinstance(value, str) and (len(value) > 200 or not value.isprintable()):
        raise InputError(f"{where}{key} must be at most 200 printable characters.")
    if key in ("currency", "country") and not _is_code(str(value), 3 if key == "currency" else 2):
        example = '"EUR"' if key == "currency" else '"ES"'
        raise InputError(f"{where}{key} must be an ISO code such as {example}, not {_shown(value)}.")
    if key not in _LIMITS or not isinstance(value, (int, float)):
        return
    low, high = _LIMITS[key]
    if not low <= value <= high:
        raise InputError(f"{where}{key} must be between {low:,.15g} and {high:,.15g}, not {_shown(value)}.")


def _is_code(text: str, length: int) -> bool:
    return len(text) == length and text.isascii() and text.isalpha() and text.isupper()


def _shown(value: object) -> str:
    text = f"'{value}'" if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


@cache
def _shipped() -> tuple[tuple[Preset, ...], dict[str, Workload]]:
    """Return the presets and the standard jobs by kind of sample."""
    path = resource_path("catalog", "presets.toml")
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        found = tuple(_shipped_preset(table) for table in content["preset"])
        names = {"id": "standard", "title": "standard", "network": "standard"}
        standard = {
            sample: typing.cast(Workload, _convert({**names, **table}, Workload, f"[standard.{sample}] "))
            for sample, table in content["standard"].items()
        }
    except (OSError, tomllib.TOMLDecodeError, KeyError, InputError) as error:
        raise CatalogError(f"The ready-made jobs cannot be read: {error}.") from error
    return found, standard


def _shipped_preset(table: dict[str, Any]) -> Preset:
    titles: dict[str, str] = table["titles"]
    job = {"title": titles["en"], **table["workload"]}
    where = f"{job['id']}: "
    return Preset(
        workload=_convert(job, Workload, where),
        circumstances=_convert(dict(table.get("circumstances", {})), Circumstances, where),
        titles=titles,
        source=table["source"],
    )
