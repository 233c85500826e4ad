"""What cannot be loaded is said with the way out."""

from pathlib import Path

import babel.localtime
import pytest

from advisor.installation import installation_error
from advisor.locale import language

NUMPY = ImportError("\n\nIMPORTANT: PLEASE READ THIS\n\n" + "numpy could not be imported. " * 40)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            ImportError("libEGL.so.1: cannot open shared object file: No such file or directory"),
            "on Debian or Ubuntu: sudo apt install libegl1 libgl1",
        ),
        (
            ImportError("libglib-2.0.so.0: cannot open shared object file: No such file or directory"),
            "sudo apt install libglib2.0-0 libegl1 libgl1",  # all that a window needs, and none of them twice
        ),
        (
            ImportError("libgomp.so.1: cannot open shared object file: No such file or directory"),
            "sudo apt install libgomp1. ",
        ),
        (
            ImportError("libnew-2.so.7: cannot open shared object file: No such file or directory"),
            "install the package of your system that has libnew-2.so.7",
        ),
        (ModuleNotFoundError("No module named 'PySide6'", name="PySide6"), "install advisor[gui]"),
        (ModuleNotFoundError("No module named 'rich'", name="rich"), "The module rich is missing"),
        (ImportError("wrong ELF class"), "cannot be loaded: wrong ELF class"),
        (OverflowError("timestamp too large to convert to C _PyTime_t"), "clock of this computer is set beyond"),
    ],
)
def test_an_import_that_fails_is_said_with_the_way_out(error: Exception, words: str) -> None:
    """In both languages, in one line."""
    found = installation_error(error)
    assert words in str(found)
    assert "\n" not in found.sentence(language("es").gettext)


def test_a_time_zone_that_is_none_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library of languages reads it while it is loaded."""
    monkeypatch.setenv("TZ", str(tmp_path))
    with pytest.raises(OSError) as caught:  # noqa: PT011 - the words are the system's
        babel.localtime.get_localzone()
    assert "time zone of this computer cannot be read" in str(installation_error(caught.value))


def test_a_message_of_paragraphs_becomes_a_line() -> None:
    """As numpy makes them."""
    sentence = str(installation_error(NUMPY))
    assert "IMPORTANT: PLEASE READ THIS numpy could" in sentence
    assert len(sentence) < 500
