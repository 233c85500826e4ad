"""Known language models, read from ``resources/catalog/language_models.toml``, or a user's own from its files."""

from functools import cache
from pathlib import Path

import msgspec

from advisor.catalog.language.config import read_model, reads
from advisor.catalog.shipped_table import read_shipped
from advisor.catalog.spelling import nearest_names, plain_name, spellings
from advisor.errors import UnknownNameError
from advisor.records.job.serving import LanguageModel
from advisor.resource import given_path, resource_path


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    model: tuple[LanguageModel, ...]
    same: dict[str, str]
    """Names of models that have the numbers of another, which learned something else."""


def language_models() -> tuple[LanguageModel, ...]:
    """Return every known model, in the order of the file.

    Raises:
        CatalogError: The file is missing or damaged.
    """
    return _read().model


@cache
def _read() -> _File:
    return read_shipped(resource_path("catalog", "language_models.toml"), _File, "language models")


def find_model(text: str) -> LanguageModel:
    """Return the model of a name, or of a ``config.json``, a GGUF file, or the folder that holds one.

    Raises:
        UnknownNameError: There is none of that name; names the nearest.
        InputError: The file is none, or of an architecture that is not known.
    """
    path = given_path(text)
    if reads(path):
        return read_model(path)
    found = named_model(text)
    if found is None:
        raise UnknownNameError(
            "model", text, nearest_names(text, [*(one.name for one in language_models()), *_read().same])
        )
    return found


def named_model(text: str) -> LanguageModel | None:
    """Return the known model of a name; None where there is none."""
    known = _by_name()
    return next((known[one] for one in spellings(text) if one in known), None)


@cache
def _by_name() -> dict[str, LanguageModel]:
    """Return every model by its name here, and on huggingface.co."""
    elsewhere = {plain_name(Path(one.source).name): one for one in reversed(language_models())}
    here = {plain_name(one.name): one for one in language_models()}
    return elsewhere | {plain_name(name): here[plain_name(like)] for name, like in _read().same.items()} | here
