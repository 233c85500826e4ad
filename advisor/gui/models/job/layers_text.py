"""A network of the user's own as lines of text, one layer each, such as ``conv 32 kernel=5`` or ``dense 128 x2``."""

import re
from typing import Any, get_args

import msgspec

from advisor.errors import InputError
from advisor.records.job.workload import Layer, LayerKind

MAX_LINES = 500
EXAMPLE = "conv 32\nmax_pool\nconv 64\nmax_pool\nflatten\ndense 128\ndense 10"
_NUMBERS = ("kernel", "stride", "vocabulary", "heads")
_WORD = re.compile(r"(?P<size>\d{1,9})|x(?P<repeat>\d{1,4})|(?P<name>[a-z]+)=(?P<value>[a-z0-9_]{1,12})", re.IGNORECASE)
_ALONE = ("same", "valid")


def layers_of(text: str) -> tuple[Layer, ...]:
    """Return the layers that lines of text describe; blank lines and what follows ``#`` count for nothing.

    Raises:
        InputError: A line is not understood; names the line and what would be.
    """
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        raise InputError("A network of more than {most} lines is not read.", most=MAX_LINES)
    found = []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].replace(",", " ").split()
        if words:
            found.append(_layer(number, words))
    if not found:
        raise InputError("Write one layer a line, such as 'conv 32' or 'dense 10'.")
    return tuple(found)


def _layer(number: int, words: list[str]) -> Layer:
    kind = words[0].casefold()
    if kind not in get_args(LayerKind):
        raise InputError(
            "Line {number}: '{word}' is not a layer; choose one of: {known}.",
            number=number,
            word=words[0][:40],
            known=", ".join(get_args(LayerKind)),
        )
    fields: dict[str, Any] = {"kind": kind}
    for word in words[1:]:
        fields.update(_field(number, word))
    try:
        return msgspec.convert(fields, Layer)
    except msgspec.ValidationError as error:
        raise InputError("Line {number}: {reason}.", number=number, reason=str(error)) from error


def _field(number: int, word: str) -> dict[str, Any]:
    if word.casefold() in _ALONE:
        return {"padding": word.casefold()}
    match = _WORD.fullmatch(word)
    if match is not None and match["size"]:
        return {"size": int(match["size"])}
    if match is not None and match["repeat"]:
        return {"repeat": int(match["repeat"])}
    if match is not None and match["name"].casefold() in _NUMBERS and match["value"].isdecimal():
        return {match["name"].casefold(): int(match["value"])}
    raise InputError(
        "Line {number}: '{word}' is not understood; write a size such as 32, kernel=3, stride=2, heads=8, "
        "vocabulary=30000, valid, or x4 for four such layers.",
        number=number,
        word=word[:40],
    )


def text_of(layers: tuple[Layer, ...]) -> str:
    """Return the lines that describe layers."""
    return "\n".join(" ".join(_words(layer)) for layer in layers)


def _words(layer: Layer) -> list[str]:
    words: list[str] = [layer.kind]
    if layer.size is not None:
        words.append(str(layer.size))
    words += [f"{name}={getattr(layer, name)}" for name in _NUMBERS if getattr(layer, name) is not None]
    if layer.padding != "same":
        words.append(layer.padding)
    if layer.repeat != 1:
        words.append(f"x{layer.repeat}")
    return words
