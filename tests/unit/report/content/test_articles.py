"""The articles' figures beside the same measured here: their hardware as rows to compare with, no score."""

import re

import msgspec
import pytest

from advisor.benchmark.results.references import beside_articles
from advisor.locale import language
from advisor.report.content.document_builder import document
from tests.unit.report import samples
from tests.unit.report.content.measured.results import full, one, run, watched, words

EN, ES = language("en"), language("es")


@pytest.mark.parametrize(
    ("times", "text"),
    [(1.0, "as fast here"), (0.98, "as fast here"), (1.3, "1.3 times as fast here"), (0.5, "2 times as slow here")],
)
def test_equal_times_are_said_to_be_equal(times: float, text: str) -> None:
    """Nobody says "1 times as slow"."""
    from advisor.report.content.articles import _comparison

    assert _comparison(times, EN) == text


def test_the_articles_figures_stand_beside_ours() -> None:
    """Their hardware as rows, how many times as fast, what differs, and why something is missing."""
    [section] = [one for one in document(full(), EN).sections if one.id == "articles"]
    text = words(section.blocks)
    assert (
        "An epoch of CNN | Core i7-10750H | 413 s\n408 s to 424 s | 704 s\nthe processor | 1.7 times as slow here"
        in text
    )
    assert "GeForce RTX 2060 | 43 s\n38 s to 45 s | –\n | no such device here" in text
    assert "with batches of 16; batches of 64: there was no time left" in text
    assert "here: all layers trained" in text
    assert "more figures are about a graphics card" in text
    assert not re.search(r"\bscore\b", text)


def test_what_an_article_has_and_this_run_has_not() -> None:
    """A card that was not measured with large products says so; a silent sensor says why."""
    card = watched("cuda:0", host__cpu_ratio=0.62)
    rows = beside_articles(run(card, one("train", "cuda:0", network="article_cnn", batch_size=32)))
    report = msgspec.structs.replace(samples.enough(), articles=rows)
    [section] = [one for one in document(report, EN).sections if one.id == "articles"]
    text = words(section.blocks)
    assert (
        "Large matrix products: card against processor | NVIDIA T4, Xeon 2.00 GHz | 4 ×\n | –\n | not measured" in text
    )
    assert "with batches of 64; sensor: not found" in text


def test_no_articles_section_without_figures() -> None:
    """A report of an older version has none."""
    assert "articles" not in {section.id for section in document(samples.enough(), EN).sections}
