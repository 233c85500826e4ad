"""What is said of a language model that writes, in both languages."""

import pytest

from advisor.catalog.language import language_models
from advisor.locale import language
from advisor.records.job.serving import ServingJob
from advisor.report.documents.serving import here_heading, here_rows, model_rows, models_heading, serving_text
from advisor.session.serving import serve_one


@pytest.mark.parametrize(
    ("code", "writes", "fits"),
    [("en", "tokens a second", "there are"), ("es", "tokens por segundo", "para un modelo")],
)
def test_rates_have_an_interval_and_memory_its_parts(code: str, writes: str, fits: str) -> None:
    """And what they rest on."""
    text = serving_text(serve_one("mixtral_8x7b", "A100 80GB", ServingJob(users=4, context=4096)), language(code))
    assert text.count(writes) == 3
    assert fits in text
    assert "llama.cpp" in text
    assert "4" in text


def test_what_does_not_fit_has_no_rate() -> None:
    """In the table of models."""
    english = language("en")
    fits, not_fits = (serve_one(name, "RTX 3060", ServingJob()) for name in ("qwen3_4b", "llama3_70b"))
    rows = here_rows([fits, not_fits], english)
    assert all(len(row) == len(here_heading(english)) for row in rows)
    assert rows[0][3]
    assert rows[1][2:] == ("does not fit", "", "")


def test_every_model_has_a_row() -> None:
    """As wide as the heading."""
    rows = model_rows(language_models(), language("en"))
    assert len(rows) == len(language_models())
    assert {len(row) for row in rows} == {len(models_heading(language("en")))}


def test_published_rates_are_shown_with_source_and_date() -> None:
    """Beside ours."""
    text = serving_text(serve_one("llama3_70b", "RTX 3090", ServingJob(), device_count=2), language("en"))
    assert "16.6 tokens a second while writing 512 tokens (github.com/XiongjieDai" in text
    assert "2024-05" in text
