"""What the user set, kept in a small file between starts. Nothing else is kept here."""

import math
import string
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QSettings

from advisor.gui.base.theme import THEMES
from advisor.locale import LANGUAGES, Language, own_language, system_language

_DEFAULT_INTERVAL_S = 1.0
_HIGHEST_USD_PER_KWH = 100.0
_KEPT = (
    "language_code",
    "theme",
    "currency",
    "country",
    "interval_s",
    "notifies",
    "warns_before",
    "electricity_usd_per_kwh",
    "overrides",
    "geometry",
)
_SEPARATOR = "|"
_MOST_OVERRIDES, _LONGEST_OVERRIDE = 16, 120
_LONGEST_GEOMETRY = 512


@dataclass
class Settings:
    """The user's choices; unreadable entries count as not set.

    Attributes:
        path: The file.
        language_code: None follows the system.
        theme: ``system``, ``light``, ``dark`` or ``contrast``.
        currency, country: ISO codes.
        interval_s: Between two samples of the live page.
        notifies: Say on the desktop that a check has ended while the user looked elsewhere.
        warns_before: Say before a check what would spoil it.
        electricity_usd_per_kwh: The user's own price; None takes the country's.
        geometry: Size and place of the window when it was last closed, as Qt writes it, in hexadecimal digits.
        overrides: Graphics cards as the user corrected them, such as ``0=RTX 3060:12GB``.
        on_unkept: Called where the file cannot be written.
    """

    path: Path
    language_code: str | None = None
    theme: str = "system"
    currency: str = "USD"
    country: str = "US"
    interval_s: float = _DEFAULT_INTERVAL_S
    notifies: bool = True
    warns_before: bool = True
    electricity_usd_per_kwh: float | None = None
    overrides: tuple[str, ...] = ()
    geometry: str = ""
    on_unkept: Callable[[], None] | None = field(default=None, compare=False, repr=False)

    def spoken(self) -> Language:
        """Return the language to speak."""
        return own_language(self.language_code) if self.language_code in LANGUAGES else system_language()

    def save(self) -> None:
        """Write the file; what a damaged one holds beside the choices is not carried along."""
        store = QSettings(str(self.path), QSettings.Format.IniFormat)
        if set(store.allKeys()) - set(_KEPT):
            store.clear()
        for name in _KEPT:
            value = getattr(self, name)
            value = _SEPARATOR.join(value) or None if isinstance(value, tuple) else value
            if value is None:
                store.remove(name)
            else:
                store.setValue(name, value)
        store.sync()
        if store.status() == QSettings.Status.AccessError and self.on_unkept is not None:
            self.on_unkept()


def load_settings(path: Path) -> Settings:
    """Return what the file holds; a missing or damaged file gives the defaults."""
    store = QSettings(str(path), QSettings.Format.IniFormat)
    settings = Settings(path=path)
    code = str(store.value("language_code", ""))
    settings.language_code = code if code in LANGUAGES else None
    theme = str(store.value("theme", ""))
    settings.theme = theme if theme in THEMES else "system"
    country = settings.spoken().territory
    settings.currency = _code(store.value("currency"), 3) or _currency_of(country)
    settings.country = _code(store.value("country"), 2) or country
    settings.interval_s = _interval(store.value("interval_s"))
    settings.notifies = _is_on(store.value("notifies"))
    settings.warns_before = _is_on(store.value("warns_before"))
    settings.geometry = _digits(store.value("geometry"))
    settings.overrides = _texts(store.value("overrides"))
    settings.electricity_usd_per_kwh = _price(store.value("electricity_usd_per_kwh"))
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


def _is_on(value: object) -> bool:
    """Return a choice; what is not there or not readable counts as on."""
    return str(value).lower() not in {"false", "0"}


def _texts(value: object) -> tuple[str, ...]:
    parts = str(value).split(_SEPARATOR) if isinstance(value, str) else []
    return tuple(part for part in parts[:_MOST_OVERRIDES] if part.strip() and len(part) <= _LONGEST_OVERRIDE)


def _digits(value: object) -> str:
    """Return hexadecimal digits; anything else counts as not set."""
    text = str(value)
    return text if len(text) <= _LONGEST_GEOMETRY and not set(text) - set(string.hexdigits) else ""


def _price(value: object) -> float | None:
    try:
        price = float(str(value))
    except ValueError:
        return None
    return price if 0.0 <= price <= _HIGHEST_USD_PER_KWH else None


def _currency_of(country: str) -> str:
    from babel.numbers import get_territory_currencies

    found = get_territory_currencies(country)
    return str(found[0]) if found else "USD"
