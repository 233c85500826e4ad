"""argparse in the user's language: its own words in help and errors, and errors as one sentence."""

import contextlib
from pathlib import Path

import pytest

from advisor.cli.arguments import build_parser, parse_arguments, requested_language
from advisor.errors import InputError, OutputError
from advisor.locale import LANGUAGES, language


@pytest.mark.parametrize("argv", [["--lang", "es"], ["--report", "--lang=es"]])
def test_the_language_is_known_before_the_rest_is_read(argv: list[str]) -> None:
    """Help and errors already speak it."""
    assert requested_language(argv).code == "es"


def test_a_chosen_language_is_written_as_where_the_person_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spanish in Mexico has the decimal point of Mexico, also where it is asked for by name."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LC_MONETARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "es_MX.UTF-8")
    spoken = requested_language(["--lang", "es"])
    assert (spoken.region, spoken.territory) == ("es_MX", "MX")
    assert spoken.number(12_345.5, 1) == "12,345.5"
    assert requested_language(["--lang", "en"]).territory == "MX"


@pytest.mark.parametrize("argv", [["--lang", "es", "--country", "es"], ["--lang=es", "--country=ES"]])
def test_numbers_are_written_as_in_the_country_that_is_named(argv: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """With --country ES on a system of the United States, money was still written "EUR 4.62"."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LC_MONETARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    assert requested_language(argv).money(4.62, "EUR") == "4,62\N{NO-BREAK SPACE}€"
    assert requested_language(["--country", "ES"]).code == "en"


def test_a_language_that_does_not_exist_is_refused() -> None:
    """The sentence names the ones there are."""
    with pytest.raises(InputError, match="en, es"):
        requested_language(["--lang", "fr"])


@pytest.mark.parametrize("code", LANGUAGES)
def test_help_is_complete_in_each_language(code: str) -> None:
    """Every option has a help text, and the two languages do not share them."""
    parser = build_parser(language(code))
    helps = [action.help for action in parser._actions]

    assert all(helps)
    if code != "en":
        english = {action.help for action in build_parser(language("en"))._actions}
        assert not set(helps) & english


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["--suite", "huge"], "--suite no puede ser 'huge'; elige una de estas opciones: quick, full, none."),
        (["--budget", "x"], "--budget: «x» no es un número mayor que 0."),
        (["--lang"], "--lang necesita un valor."),
        (["--compare", "a.json"], "--compare necesita 2 valores."),
        (["--report", "--doctor"], "--doctor no va con --report."),
        (["--doctor=now"], "--doctor no lleva ningún valor."),
        (["--no-such-option"], "No existe la opción --no-such-option."),
        (["--repot", "--once"], "No existe la opción --repot; ¿quisiste decir --report?"),
        (["--report", "--wrkload", "resnet50"], "No existe la opción --wrkload; ¿quisiste decir --workload?"),
        (["--gui"], "No existe la opción --gui: la ventana se abre sin opciones."),
        (["doctor"], "No existe la opción doctor; ¿quisiste decir --doctor?"),
    ],
)
def test_errors_of_the_parser_speak_the_persons_language(argv: list[str], sentence: str) -> None:
    """No English word of argparse is left in them."""
    spanish = language("es")
    with pytest.raises(InputError) as caught:
        parse_arguments(argv, spanish)

    assert caught.value.sentence(spanish.gettext) == f"{sentence} Consulta: advisor --help"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no such device")
def test_help_that_cannot_be_written_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of itself argparse would end as if it had been shown."""
    with contextlib.suppress(OSError), Path("/dev/full").open("w", encoding="utf-8") as full:
        monkeypatch.setattr("sys.stdout", full)
        with pytest.raises(OutputError, match="the disk is full"):
            parse_arguments(["--help"], language("en"))


def test_the_help_speaks_the_persons_language() -> None:
    """Headings, placeholders and argparse's own words, too."""
    text = build_parser(language("es")).format_help()

    assert text.startswith("uso: advisor")
    assert "--report [ARCHIVO]" in text
    assert not [word for word in ("usage", "options:", "show", "FILE ", "HOURS") if word in text]


@pytest.mark.parametrize(("text", "shape"), [("3,224,224", (3, 224, 224)), ("1x28x28", (1, 28, 28)), ("7", (7,))])
def test_the_shape_of_a_sample_is_written_as_people_do(text: str, shape: tuple[int, ...]) -> None:
    """With commas or crosses."""
    arguments = ["--workload", "model.py:build", "--input-shape", text]
    assert parse_arguments(arguments, language("en")).input_shape == shape
