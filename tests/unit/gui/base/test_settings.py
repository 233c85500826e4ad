"""What is kept between starts."""

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


def test_nothing_of_a_damaged_file_is_carried_along(tmp_path: Path) -> None:
    """What was never a choice is gone after the next save; what can be read stays."""
    path = tmp_path / "window.ini"
    path.write_bytes(b"[General]\ntheme=dark\n\x00\xff\x13garbage=\x80\x81\n[\xfe]\nmore=1\n")
    settings = load_settings(path)
    settings.save()

    assert settings.theme == load_settings(path).theme == "dark"
    assert "garbage" not in path.read_text(encoding="utf-8")
    assert "more" not in path.read_text(encoding="utf-8")
