"""Texts, numbers, dates and money in both languages."""

import datetime
import re

import pytest
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st

from advisor.errors import InputError
from advisor.locale import LANGUAGES, Language, catalogue_path, compile_catalogue, language, system_language

SPACE = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("region", "expected"), [("en_US", "1,234.5"), ("es_ES", "1.234,5"), ("es_MX", "1,234.5"), ("es_CO", "1.234,5")]
)
def test_numbers_follow_the_region(region: str, expected: str) -> None:
    """Signs and grouping are the region's, not the language's."""
    assert expected == Language(region[:2], region).number(1234.5, 1)


def test_money_stands_where_the_region_puts_it() -> None:
    """Euro amounts follow the number in Spain, dollars precede it in the United States, cents only below ten."""
    assert f"430{SPACE}€" == language("es").money(430.2, "EUR")
    assert language("en").money(2.5, "USD") == "$2.50"


def test_percent_has_a_space_in_spanish_only() -> None:
    """Spanish separates the sign from the number."""
    assert f"15{SPACE}%" == language("es").percent(0.15)
    assert language("en").percent(0.15) == "15%"


def test_texts_write_percentages_one_way() -> None:
    """As ``percent`` does: no space before the sign in English, one that does not break in Spanish."""
    with catalogue_path("es").open("rb") as file:
        messages = list(read_po(file))
    english = [str(one.id) for one in messages if re.search(r"\s%", str(one.id))]
    spanish = [str(one.string) for one in messages if re.search(rf"[^{SPACE}(]%", str(one.string))]
    assert (english, spanish) == ([], [])


def test_dates_are_written_out() -> None:
    """The month is a word, so that no order of day and month can be mistaken."""
    assert "nov" in language("es").date(datetime.date(2026, 11, 21)).lower()


@given(st.floats(min_value=1e-6, max_value=1e15), st.integers(min_value=1, max_value=4))
def test_rounding_keeps_the_value(value: float, figures: int) -> None:
    """A number rounded for reading stays within the rounding of its figures."""
    text = language("en").significant(value, figures).replace(",", "")

    assert abs(float(text) - value) <= 0.51 * value * 10.0 ** (1 - figures) + 5e-7


def test_an_unknown_language_is_refused_with_the_known_ones() -> None:
    """The sentence names what can be chosen."""
    with pytest.raises(InputError, match="en, es"):
        Language("fr")


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"LANG": "es_AR.UTF-8"}, ("es", "es_AR")),
        ({"LANG": "en_GB.UTF-8", "LANGUAGE": "es:en"}, ("es", "es_ES")),
        ({"LANG": "de_DE.UTF-8"}, ("en", "en_US")),
        ({"LANG": "C"}, ("en", "en_US")),
        ({}, ("en", "en_US")),
        ({"LC_ALL": "es_XX.UTF-8"}, ("es", "es_ES")),
    ],
)
def test_the_systems_language_is_found(
    environment: dict[str, str], expected: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person's variables decide; a language or region that is not known falls back."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    found = system_language()

    assert expected == (found.code, found.region)


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_catalogues_compile(code: str) -> None:
    """Every translator's file is valid and compiles to something gettext accepts."""
    assert compile_catalogue(catalogue_path(code)).startswith(b"\xde\x12\x04\x95")
    assert language(code).gettext("") != ""
