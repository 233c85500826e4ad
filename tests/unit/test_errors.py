"""Errors speak English by themselves, and the user's language through an interface."""

import pytest

from advisor.errors import AdvisorError, InputError, Phrase, UnknownNameError

SPANISH = {
    "{file}: {key} must be {wanted}.": "{file}: {key} debe ser {wanted}.",
    "a number": "un número",
    "line {line}: {fault}": "línea {line}: {fault}",
}


def spanish(text: str) -> str:
    """Translate what this small dictionary knows."""
    return SPANISH.get(text, text)


def test_an_error_is_a_sentence_in_english_and_in_another_language() -> None:
    """Values are put in after translating; those that are texts themselves are translated too."""
    error = InputError("{file}: {key} must be {wanted}.", file="mine.toml", key="epochs", wanted=Phrase("a number"))
    assert str(error) == "mine.toml: epochs must be a number."
    assert error.sentence(spanish) == "mine.toml: epochs debe ser un número."


def test_an_error_within_another_is_translated_too() -> None:
    """Such as the fault of one layer in the sentence about the file."""
    inner = InputError("{file}: {key} must be {wanted}.", file="a", key="b", wanted=Phrase("a number"))
    outer = InputError("line {line}: {fault}", line=3, fault=inner)
    assert str(outer) == "line 3: a: b must be a number."
    assert outer.sentence(spanish) == "línea 3: a: b debe ser un número."


def test_braces_in_a_text_without_values_stay() -> None:
    """A text made elsewhere is no template."""
    error = AdvisorError("{not a place}")
    assert str(error) == error.sentence(spanish) == "{not a place}"


@pytest.mark.parametrize("nearest", [(), ("RTX 4090", "RTX 4080")])
def test_an_unknown_name_comes_with_the_nearest_ones(nearest: tuple[str, ...]) -> None:
    """Did you mean …, where there is something alike."""
    text = str(UnknownNameError("device", "RTX 409", nearest))
    assert text.startswith("There is no device named 'RTX 409'.")
    assert ("Did you mean RTX 4090, RTX 4080?" in text) == bool(nearest)
    assert text.endswith("See: advisor --list devices")
