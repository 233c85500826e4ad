"""Checks what a user writes in a TOML file; each mistake becomes one sentence that says how to fix it."""

import difflib
import math
import re
import sys
import tomllib
import types
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

from advisor.errors import InputError, Phrase, refuse_all
from advisor.records.base import Record
from advisor.records.job.serving import ServingJob
from advisor.records.job.serving_advice import ServingQuestion
from advisor.records.job.workload import Circumstances, Layer, Workload
from advisor.units import DAY_S, HOUR_S

_FACTORS = {"deadline_h": ("deadline_s", HOUR_S), "deadline_days": ("deadline_s", DAY_S)}
"""Keys in the units people think in, and what they become."""


def _limits_of(kind: type[Record]) -> dict[str, tuple[float, float]]:
    """Return the least and the greatest value of the fields of a record that have limits."""
    hints = typing.get_type_hints(kind, include_extras=True).items()
    found = {name: next(_metas(hint), None) for name, hint in hints}
    return {
        name: (meta.ge, meta.le)
        for name, meta in found.items()
        if meta is not None and meta.ge is not None and meta.le is not None
    }


def _metas(hint: Any) -> Iterator[msgspec.Meta]:
    """Yield what a hint says of its values, or of those that are not None."""
    for part in (hint, *typing.get_args(hint)):
        yield from (extra for extra in getattr(part, "__metadata__", ()) if isinstance(extra, msgspec.Meta))


_LIMITS: dict[str, tuple[float, float]] = {
    **_limits_of(Workload),
    **_limits_of(Circumstances),
    **_limits_of(Layer),
    **_limits_of(ServingJob),
    **_limits_of(ServingQuestion),
    "devices": (1, 65_536),
    "people": (1, 100_000),
}
"""Least and greatest sensible value; beyond them is a slip of the pen."""

_LEFT_OUT = {"precision": ("fp64",)}
"""Values that a record may hold and no job: fp64 is measured, but no training is predicted in it."""


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a user's TOML file holds.

    Raises:
        InputError: It cannot be read, is too large, or is no TOML.
    """
    from advisor.wire import read_limited  # loads every record there is; a job of the catalogue does without

    try:
        return tomllib.loads(read_limited(path).decode())
    except UnicodeDecodeError as error:
        raise InputError("{file} is not a text file in UTF-8.", file=path.name) from error
    except (ValueError, RecursionError) as error:  # also of numbers with thousands of digits, and lists in lists
        raise InputError("{file} is not valid TOML: {error}.", file=path.name, error=_toml_cause(error)) from error


def _toml_cause(error: Exception) -> InputError | str:
    """Return where a file is no TOML, and why where that is one of the usual faults."""
    found = re.fullmatch(
        r"(?P<what>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", str(error)
    )
    said = str(error) if found is None else found["what"]
    what = next((phrase for begin, phrase in _TOML_FAULTS.items() if said.startswith(begin)), said)
    if found is None:
        return what
    if found["line"] is None:
        return InputError("{what}, at the end of the file", what=what)
    return InputError("{what}, in line {line}, column {column}", what=what, line=found["line"], column=found["column"])


_TOML_FAULTS = {
    "Invalid value": Phrase("not a value of TOML (texts go in quotes)"),
    "Expected newline or end of document": Phrase("something follows that belongs on a line of its own"),
    "Expected '=' after a key": Phrase("there is no = after the key"),
    "Invalid statement": Phrase("neither a key nor a table"),
    "Invalid initial character for a key part": Phrase("not the name of a key"),
    "Cannot overwrite a value": Phrase("this key was written before"),
    "Cannot declare": Phrase("this table was written before"),
    "Unclosed array": Phrase("a list without its closing bracket"),
    "Unclosed inline table": Phrase("a table without its closing brace"),
    "Unterminated string": Phrase("a text without its closing quote"),
    "Expected ']": Phrase("the name of a table without its closing bracket"),
    "Duplicate inline table key": Phrase("this key was written before"),
    "Cannot redefine": Phrase("this table was written before"),
    "Cannot mutate": Phrase("this table was written before"),
    "Unescaped '\\'": Phrase("a backslash in a text; write it twice, or / in its place"),
    "Escaped character": Phrase("a backslash in a text; write it twice, or / in its place"),
    "Invalid hex value": Phrase("a backslash in a text; write it twice, or / in its place"),
    "Invalid date": Phrase("not a day in the calendar"),
    "maximum recursion depth": Phrase("lists stand too deep in each other"),
    "Exceeds the limit": Phrase("a number has too many digits"),
    "Illegal character": Phrase("a text without its closing quote, or a character that TOML does not allow"),
}
"""How Python's reader of TOML begins its sentences, and what is said in their place."""


def subtable(content: Mapping[str, Any], name: str, file_name: str) -> dict[str, Any]:
    """Return a copy of a table inside a file; empty where there is none."""
    table = content.get(name, {})
    if not isinstance(table, dict):
        raise InputError(
            "{file}: {name} must be a table; write [{name}] on a line of its own.", file=file_name, name=name
        )
    return dict(table)


def convert(table: dict[str, Any], kind: type[Any], where: str) -> Any:
    """Return the record a table describes.

    Args:
        table: As TOML gave it; changed.
        kind: The record.
        where: Put before the sentence of a mistake.

    Raises:
        InputError: Keys are unknown, or values have the wrong type or make no sense; all that is wrong is said.
    """
    refuse_all(faults_of(table, kind, where))
    for key, (field, factor) in _FACTORS.items():
        if key in table:
            table[field] = table.pop(key) * factor
    if "layers" in table:
        table["layers"] = _layers(table["layers"], where)
    return msgspec.convert(table, type=kind)


def faults_of(table: Mapping[str, Any], kind: type[Any], where: str) -> list[InputError]:
    """Return every mistake in a table that is to describe a record."""
    known = (*kind.__struct_fields__, *_extra_keys(kind))
    hints = typing.get_type_hints(kind)
    found = []
    for key, value in table.items():
        try:
            check_keys({key: value}, known, where, Phrase("key"))
            _check_entry(key, value, hints, where)
        except InputError as fault:
            found.append(fault)
    return found


def _check_entry(key: str, value: Any, hints: Mapping[str, Any], where: str) -> None:
    if key == "layers":
        _layers(value, where)
        return
    if key in _FACTORS:
        _check_type(key, value, float, where)
        field, factor = _FACTORS[key]
        check_limits(field, value, where, key, factor=factor)
        return
    _check_type(key, value, hints[key], where)
    _check_limits(key, value, where)


def _layers(value: object, where: str) -> tuple[Layer, ...]:
    if not isinstance(value, list) or not all(isinstance(layer, dict) for layer in value):
        raise InputError("{where}layers must be tables; write [[workload.layers]] on a line before each.", where=where)
    faults: list[InputError] = []
    for number, layer in enumerate(value, start=1):
        if "kind" not in layer:
            faults.append(
                InputError(
                    '{where}layer {number} has no kind; add a line such as kind = "conv".', where=where, number=number
                )
            )
        faults += faults_of(layer, Layer, f"{where}layer {number}: ")
    refuse_all(faults)
    return tuple(msgspec.convert(layer, type=Layer) for layer in value)


def _extra_keys(kind: type[Any]) -> tuple[str, ...]:
    return tuple(key for key, (field, _) in _FACTORS.items() if field in kind.__struct_fields__)


def check_keys(table: Mapping[str, Any], known: tuple[str, ...], where: str, what: Phrase) -> None:
    """Refuse keys that are not known, with the nearest known one."""
    for key in table:
        if key not in known:
            nearest = difflib.get_close_matches(key, known, n=1, cutoff=0.5)
            if nearest:
                raise InputError(
                    "{where}there is no {what} {key}; did you mean {nearest}?",
                    where=where,
                    what=what,
                    key=key,
                    nearest=nearest[0],
                )
            raise InputError(
                "{where}there is no {what} {key}; known are {known}.",
                where=where,
                what=what,
                key=key,
                known=", ".join(known),
            )


def _check_type(key: str, value: object, hint: Any, where: str) -> None:
    choices = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
    for choice in choices:
        if typing.get_origin(choice) is Literal:
            allowed = tuple(one for one in typing.get_args(choice) if one not in _LEFT_OUT.get(key, ()))
            _check_choice(key, value, allowed, where)
            return
    wanted = next(choice for choice in choices if choice is not types.NoneType)
    good = {
        int: type(value) is int,
        float: _is_finite(value),
        bool: type(value) is bool,
        str: type(value) is str,
    }
    if not good[wanted]:
        raise InputError(
            "{where}{key} must be {wanted}, not {value}.",
            where=where,
            key=key,
            wanted=_WANTED[wanted],
            value=_shown(value),
        )


def _is_finite(value: object) -> bool:
    """Return whether a value is a number that a float can hold."""
    if type(value) is int:
        return abs(value) <= sys.float_info.max
    return type(value) is float and math.isfinite(value)


_WANTED = {
    int: Phrase("a whole number"),
    float: Phrase("a number"),
    bool: Phrase("true or false"),
    str: Phrase("a text in quotes"),
}


def _check_choice(key: str, value: object, choices: tuple[Any, ...], where: str) -> None:
    if value not in choices:
        raise InputError(
            "{where}{key} must be one of {known}, not {value}.",
            where=where,
            key=key,
            known=", ".join(choices),
            value=_shown(value),
        )


def _check_limits(key: str, value: object, where: str) -> None:
    if isinstance(value, str) and (len(value) > 200 or not value.isprintable()):
        raise InputError("{where}{key} must be at most 200 printable characters.", where=where, key=key)
    if key in ("currency", "country") and not _is_code(str(value), 3 if key == "currency" else 2):
        example = '"EUR"' if key == "currency" else '"ES"'
        raise InputError(
            "{where}{key} must be an ISO code such as {example}, not {value}.",
            where=where,
            key=key,
            example=example,
            value=_shown(value),
        )
    check_limits(key, value, where)


def check_limits(key: str, value: object, where: str = "", called: str = "", *, factor: float = 1.0) -> None:
    """Refuse a number beyond what makes sense for a field of a workload or of circumstances.

    Args:
        key: The field; one without limits is not looked at.
        value: Of the field.
        where: Put before the sentence.
        called: What the user calls the field, such as ``--epochs``; empty: by its name.
        factor: What the user's unit is of the field's.

    Raises:
        InputError: It is too small or too large; the sentence has the limits.
    """
    if key not in _LIMITS or not isinstance(value, (int, float)):
        return
    low, high = (limit / factor for limit in _LIMITS[key])
    if not low <= value <= high:
        form = ",.15g" if high >= 10_000 else ".15g"  # no comma in a year
        low_form, high_form = (
            (form, form) if factor == 1.0 else (",.0f" if limit >= 1_000 else ",.3g" for limit in (low, high))
        )
        raise InputError(
            "{where}{key} must be between {low} and {high}, not {value}.",
            where=where,
            key=called or key,
            low=format(low, low_form),
            high=format(high, high_form),
            value=_shown(value),
        )


def _is_code(text: str, length: int) -> bool:
    return len(text) == length and text.isascii() and text.isalpha() and text.isupper()


def _shown(value: object) -> str:
    try:
        text = f"'{value}'" if isinstance(value, str) else str(value)
    except ValueError:  # Python writes no number of thousands of digits
        return "…"
    return text if len(text) <= 60 else f"{text[:57]}…"
