"""The command line's grammar."""

import pytest

from advisor.cli.arguments import build_parser, parse_arguments, requested_language
from advisor.errors import InputError
from advisor.locale import LANGUAGES, language


def test_report_without_a_file_goes_to_the_screen() -> None:
    """A dash stands for stdout."""
    assert parse_arguments(["--report"], language("en")).report == "-"


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (["--suite", "huge"], "--suite"),
        (["--budget", "-5"], "above 0"),
        (["--deadline", "nan"], "above 0"),
        (["--deadline", "soon"], "'soon'"),
        (["--batch-size", "2.5"], "whole number"),
        (["--devices", "0"], "whole number"),
        (["--predict", "resnet50"], "--on"),
        (["--on", "T4"], "--predict"),
        (["--report", "--doctor"], "--doctor"),
        (["--no-such-option"], "--no-such-option"),
        (["--sui", "quick"], "--sui"),
    ],
)
def test_wrong_arguments_get_one_sentence_that_names_them(argv: list[str], hint: str) -> None:
    """The message names the argument and fits on one line."""
    with pytest.raises(InputError) as caught:
        parse_arguments(argv, language("en"))

    assert hint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("argv", [["--lang", "es"], ["--report", "--lang=es"]])
def test_the_language_is_known_before_the_rest_is_read(argv: list[str]) -> None:
    """Help and errors already speak it."""
    assert requested_language(argv).code == "es"


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
    ],
)
def test_errors_of_the_parser_speak_the_persons_language(argv: list[str], sentence: str) -> None:
    """No English word of argparse is left in them."""
    spanish = language("es")
    with pytest.raises(InputError) as caught:
        parse_arguments(argv, spanish)

    assert caught.value.sentence(spanish.gettext) == f"{sentence} Consulta: advisor --help"


def test_the_help_speaks_the_persons_language() -> None:
    """Headings, placeholders and argparse's own words, too."""
    text = build_parser(language("es")).format_help()

    assert text.startswith("uso: advisor")
    assert "--report [ARCHIVO]" in text
    assert not [word for word in ("usage", "options:", "show", "FILE ", "HOURS") if word in text]
