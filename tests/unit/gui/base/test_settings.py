"""What is kept between starts."""

import os
from pathlib import Path

import pytest

from advisor.gui.base.settings import load_settings


def test_first_settings_are_those_of_the_persons_country(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In Germany the words are English, money and electricity German; a kept choice counts before that."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LC_MONETARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    settings = load_settings(tmp_path / "window.ini")
    assert (settings.currency, settings.country, settings.spoken().code) == ("EUR", "DE", "en")

    settings.language_code, settings.currency = "es", "USD"
    settings.save()
    again = load_settings(tmp_path / "window.ini")
    assert (again.currency, again.country, again.spoken().code) == ("USD", "DE", "es")


def test_where_no_country_is_known_it_is_that_of_the_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spanish words with 18,687 photos between them, eighteen to their readers, came of a system without a country."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LC_MONETARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    assert load_settings(tmp_path / "window.ini").country == "US"
    settings = load_settings(tmp_path / "window.ini", "es")
    assert (settings.country, settings.currency, settings.spoken().number(18687)) == ("ES", "EUR", "18.687")


def test_nothing_of_a_damaged_file_is_carried_along(tmp_path: Path) -> None:
    """What was never a choice is gone after the next save; what can be read stays."""
    path = tmp_path / "window.ini"
    path.write_bytes(b"[General]\ntheme=dark\n\x00\xff\x13garbage=\x80\x81\n[\xfe]\nmore=1\n")
    settings = load_settings(path)
    settings.save()

    assert settings.theme == load_settings(path).theme == "dark"
    assert "garbage" not in path.read_text(encoding="utf-8")
    assert "more" not in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "value",
    [
        r"@Variant(\0\0\0\x7f\x1a\x2b)",
        r"@Variant(\0\0\0\x41)",
        "@ByteArray(dark)",
        "@Invalid()",
        "@@dark",
        r"dark, @Variant(\0\0\0\x41)",
    ],
)
def test_no_value_is_decoded_into_an_object(tmp_path: Path, value: str) -> None:
    """Qt would make an object of any kind of these, and end the process at some of them."""
    path = tmp_path / "window.ini"
    path.write_text(f"[General]\ntheme={value}\ncountry=ES\n", encoding="utf-8")
    settings = load_settings(path)
    assert (settings.theme, settings.country) == ("system", "ES")


def test_a_file_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    """Qt wrote quotation marks around texts with an equals sign."""
    path = tmp_path / "window.ini"
    path.write_text(
        '[General]\ngeometry=01d9\ninterval_s=2\nnotifies=false\noverrides="0=RTX 3060:12GB|1=RTX 4090"\n', "utf-8"
    )
    settings = load_settings(path)
    assert settings.overrides == ("0=RTX 3060:12GB", "1=RTX 4090")
    assert (settings.geometry, settings.interval_s, settings.notifies) == ("01d9", 2.0, False)


def test_every_choice_comes_back(tmp_path: Path) -> None:
    """What is written is read, whatever signs it has."""
    settings = load_settings(tmp_path / "new" / "window.ini")
    settings.overrides = ("0=RTX 3060:12GB", "1=Grafik & Größe")
    settings.electricity_usd_per_kwh, settings.warns_before, settings.theme = 0.31, False, "contrast"
    settings.save()
    assert load_settings(settings.path) == settings


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no such pipes")
def test_a_pipe_in_place_of_the_file_is_neither_read_nor_replaced(tmp_path: Path) -> None:
    """It counts as no file; of a device that a link leads to, root would have made one."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "window.ini").symlink_to(tmp_path / "pipe")
    settings = load_settings(tmp_path / "window.ini")
    said: list[bool] = []
    settings.on_unkept = lambda: said.append(True)
    settings.save()
    assert settings.theme == "system"
    assert said
    assert (tmp_path / "pipe").is_fifo()


def test_choices_that_cannot_be_kept_are_said(tmp_path: Path) -> None:
    """A folder in the file's place is not replaced, and nothing is left beside it."""
    (tmp_path / "window.ini").mkdir()
    settings = load_settings(tmp_path / "window.ini")
    said: list[bool] = []
    settings.on_unkept = lambda: said.append(True)
    settings.save()
    assert said
    assert [path.name for path in tmp_path.iterdir()] == ["window.ini"]


def test_the_country_that_was_chosen_decides_how_numbers_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spanish in Spain on an American desktop is written as in Spain, and English stays English there."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LC_MONETARY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    settings = load_settings(tmp_path / "window.ini")
    settings.country, settings.language_code = "ES", "es"

    assert settings.spoken().money(12_300, "EUR") == "12.300\N{NO-BREAK SPACE}€"
    assert settings.language("en").number(49_000) == "49,000"


@pytest.mark.parametrize(("kept", "read"), [("130", 130), ("126", 130), ("1000", 175), ("-3", 100), ("large", 100)])
def test_the_size_of_texts_is_one_of_those_offered(tmp_path: Path, kept: str, read: int) -> None:
    """Another number in the file takes the nearest, and what is no number the usual size."""
    path = tmp_path / "window.ini"
    path.write_text(f"[General]\ntext_percent={kept}\n", encoding="utf-8")
    assert load_settings(path).text_percent == read
