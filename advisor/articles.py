"""The articles that rules and figures come from, and how a file of them is read."""

from pathlib import Path
from typing import Any, Literal

import msgspec

from advisor.errors import CatalogError, system_reason
from advisor.records.base import Source


class _Article(msgspec.Struct, forbid_unknown_fields=True):
    """One entry of the list of articles."""

    title: str
    author: str
    date: str
    date_kind: Literal["published", "read"]
    url: str | None = None


def article_sources(path: Path) -> dict[str, Source]:
    """Return each article of a list as a source, by the short name that rules and figures use for it.

    Raises:
        CatalogError: The file cannot be read, or an entry is wrong.
    """
    articles: dict[str, _Article] = read_toml(path, dict[str, _Article])
    return {
        name: Source(
            title=article.title,
            author=article.author,
            date=article.date,
            is_read_date=article.date_kind == "read",
            url=article.url,
        )
        for name, article in articles.items()
    }


def read_toml(path: Path, kind: Any) -> Any:
    """Return what a TOML file shipped with the program holds, checked against a type.

    Raises:
        CatalogError: It cannot be read, or is not of that type; the message names the file.
    """
    try:
        return msgspec.toml.decode(path.read_bytes(), type=kind)
    except OSError as error:
        raise CatalogError("{file} cannot be read: {reason}.", file=path.name, reason=system_reason(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CatalogError(f"{path.name} is wrong: {error}.") from error
