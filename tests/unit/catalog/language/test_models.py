"""Models and formats are found by name, also as people write it."""

import pytest

from advisor.catalog.language import find_format, find_model, language_models, weight_formats
from advisor.errors import UnknownNameError


@pytest.mark.parametrize("name", ["llama3_8b", "Llama3-8B", "meta-llama/Meta-Llama-3-8B", "LLAMA3 8b"])
def test_a_model_is_found_as_people_write_it(name: str) -> None:
    """Case, hyphens and the name on huggingface.co."""
    assert find_model(name).name == "llama3_8b"


def test_an_unknown_model_names_the_nearest() -> None:
    """And how to see all."""
    with pytest.raises(UnknownNameError, match="qwen3_8b"):
        find_model("qwen3_9b")


def test_every_model_has_a_source() -> None:
    """And a name of its own."""
    names = [one.name for one in language_models()]
    assert len(set(names)) == len(names)
    assert all("/" in one.source for one in language_models())


@pytest.mark.parametrize(("name", "found"), [("Q4_K_M", "q4_k_m"), ("f16", "fp16"), ("q8-0", "q8_0")])
def test_a_format_is_found_as_people_write_it(name: str, found: str) -> None:
    """Case and short forms."""
    assert find_format(name).name == found


def test_formats_stand_from_the_shortest_with_their_source() -> None:
    """An unknown one names those there are."""
    bits = [one.bits for one in weight_formats().values()]
    assert bits == sorted(bits)
    assert all(one.source for one in weight_formats().values())
    with pytest.raises(UnknownNameError, match="q4_k_m"):
        find_format("q9")
