"""Known language models, read from ``resources/catalog/language_models.toml``, or a user's own from its files."""

import difflib
from functools import cache
from pathlib import Path

import msgspec

from advisor.catalog.language.config import read_model, reads
from advisor.catalog.networks.tables import plain_name
from advisor.catalog.shipped_table import read_shipped
from advisor.errors import UnknownNameError
from advisor.records.job.serving import LanguageModel
from advisor.resource import given_path, resource_path

_FEW = 3


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    model: tuple[LanguageModel, ...]


@cache
def language_models() -> tuple[LanguageModel, ...]:
    """Return every known model, in the order of the file.

    Raises:
        CatalogError: The file is missing or damaged.
    """
    return read_shipped(resource_path("catalog", "language_models.toml"), _File, "language models").model


def find_model(text: str) -> LanguageModel:
    """Return the model of a name, or of a ``config.json``, a GGUF file, or the folder that holds one.

    Raises:
        UnknownNameError: There is none of that name; names the nearest.
        InputError: The file is none, or of an architecture that is not known.
    """
    path = given_path(text)
    if reads(path):
        return read_model(path)
    found = _by_name().get(plain_name(Path(text).name))
    if found is None:
        names = {plain_name(one.name): one.name for one in language_models()}
        near = difflib.get_close_matches(plain_name(text), names, _FEW, 0.5)
        raise UnknownNameError("model", text, [names[one] for one in near])
    return found


def is_known(text: str) -> bool:
    """Return whether a text names a known model."""
    return plain_name(Path(text).name) in _by_name()


@cache
def _by_name() -> dict[str, LanguageModel]:
    """Return every model by its name here, and on huggingface.co."""
    elsewhere = {plain_name(Path(one.source).name): one for one in reversed(language_models())}
    return elsewhere | {plain_name(one.name): one for one in language_models()}
