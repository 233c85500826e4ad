"""Errors speak English by themselves, and the user's language through an interface."""

import errno
import os
import urllib.error

import pytest

from advisor.errors import (
    AdvisorError,
    InputError,
    InputErrors,
    OutputError,
    Phrase,
    UnknownNameError,
    refuse_all,
    system_reason,
)
from advisor.locale import language

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


@pytest.mark.parametrize(
    ("number", "english", "spanish"),
    [
        (errno.ENOENT, "there is no such file or folder", "no existe ese archivo o carpeta"),
        (errno.EACCES, "you do not have the rights for it", "tus permisos no bastan"),
        (errno.EISDIR, "it is a folder", "es una carpeta"),
        (errno.ENOSPC, "the disk is full", "el disco está lleno"),
        (errno.ENAMETOOLONG, "the name is too long", "el nombre es demasiado largo"),
        (errno.EMLINK, "there are too many links to it", "tiene demasiados enlaces"),
    ],
)
def test_the_system_speaks_the_language_that_was_chosen(number: int, english: str, spanish: str) -> None:
    """Whatever the language of the system's own words."""
    reason = system_reason(OSError(number, "palabras del sistema"))
    error = OutputError("The output could not be written: {reason}.", reason=reason)
    assert str(error).endswith(f": {english}.")
    assert error.sentence(language("es").gettext).endswith(f": {spanish}.")


def test_every_known_reason_is_translated() -> None:
    """None is left in English for a Spanish reader."""
    numbers = [number for number in errno.errorcode if isinstance(system_reason(OSError(number, "x")), Phrase)]
    assert len(numbers) > 25
    for number in numbers:
        reason = system_reason(OSError(number, "x"))
        assert language("es").gettext(reason) != reason


def test_a_rare_reason_keeps_the_words_of_the_system() -> None:
    """Better those than none."""
    assert system_reason(OSError(errno.ESRCH, os.strerror(errno.ESRCH))) == os.strerror(errno.ESRCH)
    assert system_reason(OSError("larger than 64 MiB")) == "larger than 64 MiB"
    assert system_reason(OSError()) == "OSError"


def test_the_reason_below_a_failed_request_counts() -> None:
    """Of what urllib raises the system's error inside is said."""
    error = urllib.error.URLError(OSError(errno.ENETUNREACH, "unreachable"))
    assert system_reason(error) == "there is no network"


@pytest.mark.parametrize("error", [TimeoutError("timed out"), urllib.error.URLError(TimeoutError("timed out"))])
def test_no_answer_in_time_has_no_number(error: Exception) -> None:
    """Python says it of a connection in English."""
    assert language("es").gettext(system_reason(error)) == "no hay respuesta"


def test_of_thousands_of_mistakes_the_first_are_said() -> None:
    """And how many there are besides; those that come of a part of the file count one by one."""
    part = InputErrors([InputError("layer {n} is wrong.", n=number) for number in range(1, 1501)])
    with pytest.raises(InputErrors) as refusal:
        refuse_all([InputError("samples is wrong."), part])
    lines = str(refusal.value).splitlines()
    assert (len(lines), lines[0], lines[-1]) == (21, "samples is wrong.", "There are 1,481 more mistakes.")
    assert refusal.value.sentence(str) == str(refusal.value)
    assert len(refusal.value.faults) == 1501
