"""The list of articles: what stands in it comes out as a source, and a wrong file is named."""

from pathlib import Path

import pytest

from advisor.articles import article_sources, read_toml
from advisor.errors import CatalogError

LISTED = """
[one]
title = "How to choose"
author = "Somebody"
date = "2021-03-04"
date_kind = "{kind}"
"""


@pytest.mark.parametrize("kind", ["published", "read"])
def test_an_article_is_a_source(tmp_path: Path, kind: str) -> None:
    """By its short name; a date says whether it is the article's or that of reading it."""
    path = tmp_path / "articles.toml"
    path.write_text(LISTED.format(kind=kind), encoding="utf-8")
    [(name, source)] = article_sources(path).items()

    assert (name, source.title, source.author, source.date) == ("one", "How to choose", "Somebody", "2021-03-04")
    assert source.is_read_date == (kind == "read")
    assert source.url is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (LISTED.format(kind="guessed"), "is wrong: "),
        (LISTED.format(kind="read") + 'pages = "1-3"\n', "is wrong: "),
        ("[one", "is wrong: "),
        ("title = '\xff'", "is wrong: "),
    ],
    ids=["a kind of date", "a field too much", "no TOML", "no text"],
)
def test_a_wrong_list_is_named(tmp_path: Path, text: str, said: str) -> None:
    """By the file's name, without its folder."""
    path = tmp_path / "articles.toml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(CatalogError, match=f"^articles.toml {said}"):
        article_sources(path)


def test_a_list_that_is_not_there_is_named(tmp_path: Path) -> None:
    """With what the system says of it."""
    with pytest.raises(CatalogError, match=r"^figures\.toml cannot be read: there is no such file or folder"):
        read_toml(tmp_path / "figures.toml", dict[str, str])
