"""What the person set, kept in a small file between starts. Nothing else is kept here."""

import math
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QSettings

from advisor.locale import LANGUAGES, Language, language, system_language

_DEFAULT_INTERVAL_S = 1.0


@dataclass
class Settings:
    """The person's choices; unreadable entries count as not set.

    Attributes:
        path: The file.
        language_code: None follows the system.
        theme: ``system``, ``light`` or ``dark``.
        currency, country: ISO codes.
        interval_s: Between two samples of the live page.
    """

    path: Path
    language_code: str | None = None
    theme: str = "system"
    currency: str = "USD"
    country: str = "US"
    interval_s: float = _DEFAULT_INTERVAL_S

    def spoken(self) -> Language:
        """Return the language to speak."""
        return language(self.language_code) if self.language_code in LANGUAGES else system_language()

    def save(self) -> None:
        """Write the file."""
        store = QSettings(str(self.path), QSettings.Format.IniFormat)
        for name in ("language_code", "theme", "currency", "country", "interval_s"):
            value = getattr(self, name)
            if value is None:
                store.remove(name)
            else:
                store.setValue(name, value)
        store.sync()


def load_settings(path: Path) -> Settings:
    """Return what the file holds; a missing or damaged file gives the defaults."""
    store = QSettings(str(path), QSettings.Format.IniFormat)
    settings = Settings(path=path)
    code = str(store.value("language_code", ""))
    settings.language_code = code if code in LANGUAGES else None
    theme = str(store.value("theme", ""))
    settings.theme = theme if theme in {"system", "light", "dark"} else "system"
    region = settings.spoken().region
    settings.currency = _code(store.value("currency"), 3) or _currency_of(region)
    settings.country = _code(store.value("country"), 2) or _country_of(region)
    settings.interval_s = _interval(store.value("interval_s"))
    return settings


def _code(value: object, length: int) -> str | None:
    text = str(value)
    return text.upper() if len(text) == length and text.isascii() and text.isalpha() else None


def _interval(value: object) -> float:
    try:
        interval_s = float(str(value))
    except ValueError:
        return _DEFAULT_INTERVAL_S
    return min(5.0, max(0.25, interval_s)) if math.isfinite(interval_s) else _DEFAULT_INTERVAL_S


def _country_of(region: str) -> str:
    return region.partition("_")[2][:2] or "US"


def _currency_of(region: str) -> str:
    from babel.numbers import get_territory_currencies

    found = get_territory_currencies(_country_of(region))
    return str(found[0]) if found else "USD"
