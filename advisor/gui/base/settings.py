"""What the user set, kept in a small file between starts. Nothing else is kept here.

The file is read as plain text: Qt's own reader makes objects of any kind of what begins with ``@Variant``, among them
some that end the process. Source: Qt 6 documentation, QSettings, "Limitations".
"""

import math
import os
import string
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from advisor.gui.base.theme import THEMES
from advisor.locale import LANGUAGES, Language, own_language, system_language
from advisor.resource import make_private_folder

TEXT_PERCENTS = (100, 115, 130, 150, 175)
"""Sizes of texts to choose from, in hundredths of the desktop's."""
_DEFAULT_INTERVAL_S = 1.0
_HIGHEST_USD_PER_KWH = 100.0
_KEPT = (
    "language_code",
    "theme",
    "text_percent",
    "currency",
    "country",
    "interval_s",
    "notifies",
    "warns_before",
    "electricity_usd_per_kwh",
    "overrides",
    "geometry",
    "pages_folded",
)
_SECTION = "[General]"
_MOST_BYTES = 64 * 1024
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
        pages_folded: Whether the list of pages shows icons alone; None where the window's width decides.
        text_percent: Size of texts, in hundredths of the desktop's.
        overrides: Graphics cards as the user corrected them, such as ``0=RTX 3060:12GB``.
        on_unkept: Called where the file cannot be written.
    """

    path: Path
    language_code: str | None = None
    theme: str = "system"
    text_percent: int = 100
    currency: str = "USD"
    country: str = "US"
    interval_s: float = _DEFAULT_INTERVAL_S
    notifies: bool = True
    warns_before: bool = True
    electricity_usd_per_kwh: float | None = None
    overrides: tuple[str, ...] = ()
    geometry: str = ""
    pages_folded: bool | None = None
    on_unkept: Callable[[], None] | None = field(default=None, compare=False, repr=False)

    def spoken(self) -> Language:
        """Return the language to speak."""
        return self.language(self.language_code or system_language().code)

    def language(self, code: str) -> Language:
        """Return a language as it is written in the user's country."""
        return own_language(code, country=self.country)

    def save(self) -> None:
        """Write the file whole or not at all; what a damaged one holds beside the choices is not carried along."""
        lines = [_SECTION]
        for name in _KEPT:
            value = getattr(self, name)
            value = _SEPARATOR.join(value) or None if isinstance(value, tuple) else value
            if value is not None:
                text = str(value).lower() if isinstance(value, bool) else str(value)
                lines.append(f"{name}={' '.join(text.split())}")
        target = Path(os.path.realpath(self.path))  # where a link leads, so that the link stays
        temporary = target.with_name(f".{target.name}-{os.urandom(8).hex()}")
        try:
            make_private_folder(target.parent)
            if target.exists() and not target.is_file():  # root could put a file in the place of /dev/zero
                raise FileExistsError(target)
            temporary.write_text("\n".join([*lines, ""]), encoding="utf-8", errors="replace")
            temporary.replace(target)
        except OSError:
            with suppress(OSError):
                temporary.unlink()
            if self.on_unkept is not None:
                self.on_unkept()


def load_settings(path: Path, language_code: str | None = None) -> Settings:
    """Return what the file holds; a missing or damaged file gives the defaults.

    Args:
        path: Of the file.
        language_code: Asked for now, whatever the file says; where no country is known, it is that of the language.
    """
    store = _read(path)
    settings = Settings(path=path)
    code = language_code or str(store.get("language_code", ""))
    settings.language_code = code if code in LANGUAGES else None
    theme = str(store.get("theme", ""))
    settings.theme = theme if theme in THEMES else "system"
    settings.text_percent = _size(store.get("text_percent"))
    country = own_language(settings.language_code or system_language().code).territory
    settings.currency = _code(store.get("currency"), 3) or _currency_of(country)
    settings.country = _code(store.get("country"), 2) or country
    settings.interval_s = _interval(store.get("interval_s"))
    settings.notifies = _is_on(store.get("notifies"))
    settings.warns_before = _is_on(store.get("warns_before"))
    settings.geometry = _digits(store.get("geometry"))
    folded = store.get("pages_folded", "")
    settings.pages_folded = _is_on(folded) if folded else None
    settings.overrides = _texts(store.get("overrides"))
    settings.electricity_usd_per_kwh = _price(store.get("electricity_usd_per_kwh"))
    return settings


def _read(path: Path) -> dict[str, str]:
    """Return the texts of a file by name; what is no line of it, or cannot be read, is not there."""
    try:
        if not path.is_file():  # a pipe would never end
            return {}
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return {}
    found: dict[str, str] = {}
    section = _SECTION
    for line in content.splitlines():
        if line.startswith("["):
            section = line.strip()
        name, _equals, value = line.partition("=")
        if section == _SECTION and name.strip() in _KEPT:
            found[name.strip()] = value.strip().strip('"')  # which earlier versions wrote around some
    return found


def _code(value: object, length: int) -> str | None:
    text = str(value)
    return text.upper() if len(text) == length and text.isascii() and text.isalpha() else None


def _interval(value: object) -> float:
    try:
        interval_s = float(str(value))
    except ValueError:
        return _DEFAULT_INTERVAL_S
    return min(5.0, max(0.25, interval_s)) if math.isfinite(interval_s) else _DEFAULT_INTERVAL_S


def _size(value: object) -> int:
    """Return the size of texts that is nearest to what was kept; 100 where nothing readable was."""
    try:
        percent = int(str(value))
    except ValueError:
        return TEXT_PERCENTS[0]
    return min(TEXT_PERCENTS, key=lambda one: abs(one - percent))


def _is_on(value: object) -> bool:
    """Return a choice; what is not there or not readable counts as on."""
    return str(value).lower() not in {"false", "0"}


def _texts(value: object) -> tuple[str, ...]:
    parts = value.split(_SEPARATOR) if isinstance(value, str) else []
    texts = (" ".join(part.split()) for part in parts[:_MOST_OVERRIDES])  # as they are kept
    return tuple(text for text in texts if text and len(text) <= _LONGEST_OVERRIDE)


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
