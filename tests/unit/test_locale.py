"""Texts, numbers, dates and money in both languages."""

import ctypes
import datetime
import re
from types import SimpleNamespace

import pytest
from babel.localedata import locale_identifiers
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale

from advisor import locale
from advisor.errors import InputError
from advisor.locale import (
    LANGUAGES,
    Language,
    catalogue_path,
    compile_catalogue,
    language,
    own_language,
    system_language,
)

SPACE = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("region", "expected"), [("en_US", "12,345.5"), ("es_ES", "12.345,5"), ("es_MX", "12,345.5"), ("es_CO", "12.345,5")]
)
def test_numbers_follow_the_region(region: str, expected: str) -> None:
    """Signs and grouping are the region's, not the language's."""
    assert expected == Language(region[:2], region).number(12_345.5, 1)


@pytest.mark.parametrize("region", ["es_ES", "es_PH"])
def test_four_figures_stand_together_in_spanish(region: str) -> None:
    """Fields wrote 8005 where sentences wrote 8.005, and tables 1.024 beside a title with 2048."""
    spanish = language("es", region)
    said = (spanish.number(8005), spanish.significant(9996, 4), spanish.percent(12.34), spanish.money(1310, "EUR"))
    assert re.findall(r"\d+", " ".join(said)) == ["8005", "9996", "1234", "1310"]
    assert len(spanish.number(9999.6)) == len("10.000"), "as it is rounded"
    assert language("en").number(8005) == "8,005"


@pytest.mark.parametrize("region", [one for one in locale_identifiers() if one.startswith("es_")])
def test_four_figures_are_grouped_where_the_country_does(region: str) -> None:
    """A Mexican read 1234, and the fields of the system beside it 1,234: CLDR, as Qt has it, is the judge."""
    spanish, judge = Language("es", region), QLocale(region)
    if judge.name() == region:
        assert [spanish.number(value) for value in (999, 1234, 12_345)] == [
            judge.toString(value) for value in (999, 1234, 12_345)
        ]


def test_the_last_of_several_names_follows_an_and() -> None:
    """Other programs were "sobre todo python, git"."""
    names = ("python", "git", "make")
    assert [language("es").listed(names[:count]) for count in (1, 2, 3)] == [
        "python",
        "python y git",
        "python, git y make",
    ]


def test_round_money_beside_an_axis() -> None:
    """An axis said 1.000 €, 10 € and 1,00 €."""
    marks = [language("es", "es_ES").money_mark(amount, "EUR") for amount in (1000.0, 10.0, 1.0, 0.1)]
    assert marks == [f"{text}{SPACE}€" for text in ("1000", "10", "1", "0,10")]


def test_money_stands_where_the_region_puts_it() -> None:
    """Euro amounts follow the number in Spain, dollars precede it in the United States, cents only below ten."""
    assert f"430{SPACE}€" == language("es").money(430.2, "EUR")
    assert language("en").money(2.5, "USD") == "$2.50"


@pytest.mark.parametrize(
    ("code", "country", "texts"),
    [
        ("es", "ES", ("49.000", f"2,27{SPACE}€", f"1310{SPACE}€")),
        ("es", "MX", ("49,000", f"EUR{SPACE}2.27", f"EUR{SPACE}1,310")),
        ("en", "ES", ("49,000", "€2.27", "€1,310")),
        ("en", "DE", ("49,000", "€2.27", "€1,310")),
        ("es", "DE", ("49.000", f"2,27{SPACE}€", f"1310{SPACE}€")),
        ("en", "GB", ("49,000", "€2.27", "€1,310")),
    ],
)
def test_numbers_go_with_the_words_and_the_country(
    code: str, country: str, texts: tuple[str, ...], environment: pytest.MonkeyPatch
) -> None:
    """Whatever the system's region, what the user chose decides how numbers and money are written."""
    for system in ("en_US.UTF-8", "es_ES.UTF-8"):
        environment.setenv("LANG", system)
        chosen = own_language(code, country=country)
        assert texts == (chosen.number(49_000), chosen.money(2.27, "EUR"), chosen.money(1310, "EUR"))


def test_percent_has_a_space_in_spanish_only() -> None:
    """Spanish separates the sign from the number."""
    assert f"15{SPACE}%" == language("es").percent(0.15)
    assert language("en").percent(0.15) == "15%"


def test_texts_write_percentages_one_way() -> None:
    """As ``percent`` does: no space before the sign in English, one that does not break in Spanish."""
    with catalogue_path("es").open("rb") as file:
        messages = list(read_po(file))
    english = [str(one.id) for one in messages if re.search(r"\s%", str(one.id))]
    sign = re.compile(rf"[^{SPACE}(]%(?!\d)")  # %1 in Qt's own texts is no percentage
    spanish = [str(one.string) for one in messages if sign.search(str(one.string))]
    assert (english, spanish) == ([], [])


def test_dates_are_written_out() -> None:
    """The month is a word, so that no order of day and month can be mistaken."""
    assert "nov" in language("es").date(datetime.date(2026, 11, 21)).lower()


@given(st.floats(min_value=1e-6, max_value=1e15), st.integers(min_value=1, max_value=4))
def test_rounding_keeps_the_value(value: float, figures: int) -> None:
    """A number rounded for reading stays within the rounding of its figures."""
    text = language("en").significant(value, figures).replace(",", "")

    assert abs(float(text) - value) <= 0.51 * value * 10.0 ** (1 - figures) + 5e-7


@pytest.mark.parametrize("code", ["en", "es"])
@pytest.mark.parametrize("value", [1e27, 1e28, 3e40, 1.7e308, -1.7e308])
def test_a_number_of_any_size_has_words(code: str, value: float) -> None:
    """The digits of a float's end are more than Babel's usual context rounds."""
    spoken = language(code)
    texts = spoken.number(value, 2), spoken.percent(value), spoken.money(value, "EUR"), spoken.significant(value)
    for text in texts:
        assert sum(sign.isdigit() for sign in text) > 27


def test_a_column_has_as_many_figures_in_each_row() -> None:
    """A 5 stood below 4.6, as if it were less exact."""
    assert [language("en").fixed(value) for value in (4.62, 5.0, 0.3, 12.4, 1234.0, 9.96, 0.0)] == [
        "4.6", "5.0", "0.30", "12", "1,200", "10", "0",
    ]  # fmt: skip
    assert language("es").fixed(5.0) == "5,0"


def test_an_unknown_language_is_refused_with_the_known_ones() -> None:
    """The sentence names what can be chosen."""
    with pytest.raises(InputError, match="en, es"):
        Language("fr")


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Return a way to set variables, in an environment without any of a locale."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LC_MONETARY", "LANG"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"LANG": "es_AR.UTF-8"}, ("es", "es_AR", "AR")),
        ({"LANG": "en_GB.UTF-8", "LANGUAGE": "es:en"}, ("es", "es_ES", "GB")),
        ({"LANG": "de_DE.UTF-8"}, ("en", "en_001", "DE")),
        ({"LANG": "ca_ES.UTF-8@valencia"}, ("en", "en_001", "ES")),
        ({"LANG": "lo_LA.UTF-8"}, ("en", "en_001", "LA")),
        ({"LANG": "en_NG"}, ("en", "en_NG", "NG")),
        ({"LANG": "en_US.UTF-8", "LC_MONETARY": "es_MX.UTF-8"}, ("en", "en_US", "MX")),
        ({"LANG": "C"}, ("en", "en_US", "US")),
        ({}, ("en", "en_US", "US")),
        ({"LC_ALL": "es_XX.UTF-8"}, ("es", "es_ES", "ES")),
    ],
)
def test_the_systems_language_is_found(
    variables: dict[str, str], expected: tuple[str, str, str], environment: pytest.MonkeyPatch
) -> None:
    """The user's variables decide; the words are English where theirs are not spoken, the country stays."""
    for name, value in variables.items():
        environment.setenv(name, value)

    found = system_language("linux")

    assert expected == (found.code, found.region, found.territory)


def test_another_language_is_written_as_at_home(environment: pytest.MonkeyPatch) -> None:
    """A Mexican who reads English, and then Spanish again, is in Mexico all the time."""
    environment.setenv("LANG", "es_MX.UTF-8")

    found = [own_language(code) for code in ("en", "es")]

    assert [(one.code, one.region, one.territory) for one in found] == [("en", "en_US", "MX"), ("es", "es_MX", "MX")]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        ((0x080A, 0x080A), ("es", "es_MX", "MX")),
        ((0x0409, 0x0C0A), ("en", "en_001", "ES")),
        ((0x0407, 0x0407), ("en", "en_001", "DE")),
        ((0x1000, 0x1000), ("en", "en_US", "US")),
    ],
)
def test_windows_is_asked_where_there_are_no_variables(
    numbers: tuple[int, int], expected: tuple[str, str, str], environment: pytest.MonkeyPatch
) -> None:
    """Windows' own language and region count; a number that nobody knows falls back."""
    kernel = SimpleNamespace(GetUserDefaultUILanguage=lambda: numbers[0], GetUserDefaultLCID=lambda: numbers[1])
    environment.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)

    found = system_language("win32")

    assert expected == (found.code, found.region, found.territory)


@pytest.mark.parametrize(
    ("languages", "place", "expected"),
    [
        ('(\n    "es-MX",\n    "en-US"\n)', "es_MX", ("es", "es_MX", "MX")),
        ('(\n    "es-419"\n)', "es_CO", ("es", "es_CO", "CO")),
        ("(\n    en,\n    es\n)", "en_ES@rg=eszzzz", ("en", "en_001", "ES")),
        ('(\n    "zh-Hans-CN"\n)', "zh_CN", ("en", "en_001", "CN")),
        ("", "", ("en", "en_US", "US")),
    ],
)
def test_macos_is_asked_where_there_are_no_variables(
    languages: str, place: str, expected: tuple[str, str, str], environment: pytest.MonkeyPatch
) -> None:
    """From the Finder the user's first language and region count."""
    environment.setattr(locale, "read_default", {"AppleLanguages": languages, "AppleLocale": place}.__getitem__)

    found = system_language("darwin")

    assert expected == (found.code, found.region, found.territory)


def test_a_variable_counts_before_the_desktop(environment: pytest.MonkeyPatch) -> None:
    """What the user sets in a terminal holds there."""
    environment.setattr(locale, "read_default", {"AppleLanguages": '("es-ES")', "AppleLocale": "es_ES"}.__getitem__)
    environment.setenv("LANG", "en_GB.UTF-8")

    assert system_language("darwin").region == "en_GB"


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_catalogues_compile(code: str) -> None:
    """Every translator's file is valid and compiles to something gettext accepts."""
    assert compile_catalogue(catalogue_path(code)).startswith(b"\xde\x12\x04\x95")
    assert language(code).gettext("") != ""


def test_a_small_price_keeps_the_figures_that_are_asked_for() -> None:
    """Seven of 0.15385932 are as many decimals; with six, 49,273 kWh of it come to two cents less."""
    assert language("en").significant(0.18 * 0.854774, 7) == "0.1538593"
    assert language("en").significant(0.00000012) == "0"


@pytest.mark.parametrize(
    ("code", "region", "territory", "currency", "is_other"),
    [
        ("en", "en_US", None, "USD", False),
        ("es", "es_EC", None, "USD", False),
        ("es", "es_MX", None, "USD", False),  # USD 1234
        ("es", "es_MX", None, "MXN", True),
        ("es", "es_CL", None, "CLP", True),
        ("en", "en_CA", None, "CAD", True),
        ("en", "en_US", "MX", "USD", True),  # a Mexican who reads English
        ("es", "es_ES", None, "USD", False),  # 1234 US$
        ("es", "es_ES", None, "EUR", False),
    ],
)
def test_a_dollar_that_may_be_another_is_known(
    code: str, region: str, territory: str | None, currency: str, *, is_other: bool
) -> None:
    """The sign alone does not say whether it is a peso, or whose dollar."""
    assert language(code, region, territory).is_other_dollar(currency) == is_other


@pytest.mark.parametrize("now_s", [5.0, 1e12])
def test_whose_dollar_it_is_does_not_hang_on_the_clock(now_s: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither that of a computer whose battery is empty, before Ecuador took the dollar, nor one that runs ahead."""
    monkeypatch.setattr("time.time", lambda: now_s)
    monkeypatch.setattr("advisor.locale._uses_usd", locale._uses_usd.__wrapped__)
    assert not language("es", "es_EC", "EC").is_other_dollar("USD")


def test_numbers_in_texts_of_the_catalogue_are_grouped_as_in_the_region() -> None:
    """A card said "1034 fotos" beside "20,000 fotos"; names and sizes of models are no counts."""
    text = "61.135 textos y 1034 fotos con Qwen2.5 1.5B, DenseNet121 y 28 × 28"
    assert (
        Language("es", "es_MX").regrouped(text) == "61,135 textos y 1,034 fotos con Qwen2.5 1.5B, DenseNet121 y 28 × 28"
    )
    assert Language("es", "es_ES").regrouped(text) == text
    assert Language("en").regrouped("1034 photos") == "1034 photos"
