"""The rows of the page of language models."""

import pytest

from advisor.locale import language
from advisor.records.job.serving import ServingJob
from advisor.report.documents.serving_here import (
    NamedServing,
    chosen_models,
    is_read_along,
    models_table,
    of_model,
    pace_phrase,
)
from advisor.session.serving import serve_one

MODELS = tuple(
    NamedServing(name, serve_one(name, "RTX 3060", ServingJob()))
    for name in ("qwen3_4b", "llama3_8b", "llama3_70b", "deepseek_v3")
)


def test_what_is_read_along_comes_first_and_what_does_not_fit_last() -> None:
    """The largest of the former, the smallest of the latter."""
    names = [one.title for one in chosen_models(MODELS, "", only_fitting=False)]
    assert names == ["llama3_8b", "qwen3_4b", "llama3_70b", "deepseek_v3"]
    assert [is_read_along(one.prediction) for one in MODELS] == [True, True, False, False]
    assert [one.title for one in chosen_models(MODELS, "LLAMA", only_fitting=True)] == ["llama3_8b"]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", ("faster than you read", "needs a card of 48 GB", "needs several cards")),
        ("es", ("muy por encima de tu ritmo", "necesita una tarjeta de 48 GB", "necesita varias tarjetas")),
    ],
)
def test_a_row_says_how_it_feels_or_what_is_needed(code: str, said: tuple[str, ...]) -> None:
    """In both languages; every row has where its numbers come from."""
    table = models_table(chosen_models(MODELS, "", only_fitting=False), language(code))
    words = [row[5].replace("\N{NO-BREAK SPACE}", " ") for row in table.rows]
    assert all(any(one in word for word in words) for one in said)
    assert all(origin is not None and origin.check for row in table.origins for origin in row)


@pytest.mark.parametrize(
    ("tokens_per_s", "said"),
    [
        (3.0, "slower than you read"),
        (4.6, "about as fast as you read"),
        (9.3, "about twice as fast as you read"),
        (22.0, "much faster than you read"),
    ],
)
def test_twice_the_speed_is_not_called_the_same(tokens_per_s: float, said: str) -> None:
    """4.6 and 9.3 tokens a second were both "about as fast as you read"; people read 5.3, by the source beside it."""
    assert pace_phrase(tokens_per_s, language("en")) == said
    origin = of_model(MODELS[0], language("en"))
    assert ("Speed of reading", "5.3 tokens a second") in origin.inputs
    assert "Brysbaert" in origin.source


def test_where_it_runs_is_said_only_where_that_differs() -> None:
    """One processor's name stood in all 45 rows, which wrapped for lack of room."""
    elsewhere = NamedServing("qwen3_4b", serve_one("qwen3_4b", "RTX 4090", ServingJob()))
    assert models_table([*MODELS, elsewhere], language("en")).header[-1] == "Runs on"
    table = models_table(MODELS[:1], language("en"))
    assert "Runs on" not in table.header
    assert len(table.rows[0]) == len(table.header)
    assert not any("\n" in cell for cell in table.rows[0])
