"""Every text and number a user reads, in English or Spanish.

Texts are written in English in the code, wrapped in a call to a function named ``_`` (or ``ngettext``) and translated
through gettext; ``resources/locale/es/LC_MESSAGES/advisor.po`` holds the Spanish. Numbers, dates and money follow the
user's region through Babel. This module must not know what the texts say.
"""

import datetime
import decimal
import gettext
import io
import math
import os
import re
import struct
import sys
from collections.abc import Callable, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Literal

from advisor.errors import CatalogError, InputError
from advisor.resource import resource_path

LANGUAGES = ("en", "es")
_DEFAULT_REGION = {"en": "en_US", "es": "es_ES"}
_DOMAIN = "advisor"
SPACE = "\N{NO-BREAK SPACE}"
_ALL_DIGITS = decimal.Context(prec=400)
"""Babel rounds in the context of the thread, whose 28 digits are too few for what follows from a large job."""
_COUNT = re.compile(r"(?<![\w.,-])(?:\d{1,3}(?:\.\d{3})+|\d{4,})(?![.,]?\d|\w)")
_CREATED = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)  # equal texts make equal files, whenever


def N_(message: str) -> str:  # noqa: N802 - the customary gettext name for a deferred message
    """Mark a text for translation without translating it yet."""
    return message


class Language:
    """One language with its region: translates texts, formats numbers, dates and money.

    Attributes:
        code: ``en`` or ``es``.
        region: A CLDR locale such as ``es_MX``; decides signs and order in numbers, dates and money.
        territory: ISO code of the country the user is in, as far as the system tells; else that of the region.
    """

    def __init__(self, code: str, region: str | None = None, territory: str | None = None) -> None:
        if code not in LANGUAGES:
            raise InputError(
                "Language '{code}' is not available; choose one of: {known}.", code=code, known=", ".join(LANGUAGES)
            )
        self.code = code
        self.region = region or _DEFAULT_REGION[code]
        self.territory = territory or self.region.rpartition("_")[2]

    @cached_property
    def _translations(self) -> gettext.NullTranslations:
        return gettext.NullTranslations() if self.code == "en" else _load_translations(self.code)

    @property
    def gettext(self) -> Callable[[str], str]:
        """The translating function; bind it to the name ``_`` so that texts are found for translation."""
        return self._translations.gettext

    @property
    def ngettext(self) -> Callable[[str, str, int], str]:
        """The translating function for texts that depend on a count."""
        return self._translations.ngettext

    @property
    def pgettext(self) -> Callable[[str, str], str]:
        """The translating function for texts another language says differently by their context, named first."""
        return self._translations.pgettext

    @property
    def counts_in_millions(self) -> bool:
        """Whether people here say a thousand million, so that a billion is a million million."""
        return self.code == "es"

    def number(self, value: float, digits: int = 0) -> str:
        """Return a decimal number with at most ``digits`` decimals, grouped by thousands."""
        pattern = self._grouped(value, digits) + ("." + "#" * digits if digits else "")
        return _decimal(round(value, digits) + 0.0, pattern, self.region)  # the sum turns -0.0 into 0.0

    def regrouped(self, text: str) -> str:
        """Return a Spanish text of the catalogue with its numbers as the region groups them.

        There they stand as in Spain: 1034, 61.135.
        """
        if self.code != "es":
            return text
        return _COUNT.sub(lambda found: self.number(int(found[0].replace(".", ""))), text)

    def fixed(self, value: float, figures: int = 2) -> str:
        """Return a number with just so many significant figures, as a column needs it: 5.0 below 4.6."""
        rounded = float(f"{value:.{figures}g}")
        digits = max(0, figures - 1 - math.floor(math.log10(abs(rounded)))) if rounded else 0
        return _decimal(rounded, self._grouped(rounded, digits) + ("." + "0" * digits if digits else ""), self.region)

    def significant(self, value: float, figures: int = 2) -> str:
        """Return a number rounded to so many significant figures, as people round."""
        if value == 0:
            return self.number(0)
        rounded = float(f"{value:.{figures}g}")
        digits = 0
        while digits < max(6, figures + 2) and round(rounded, digits) != rounded:
            digits += 1
        return self.number(rounded, digits)

    def halves(self, count: int) -> str:
        """Return a number of halves as it stands in a range: seven are ``3½``, in Spanish ``3,5``."""
        whole, half = divmod(count, 2)
        if not half:
            return self.number(whole)
        return self.number(count / 2, 1) if self.code == "es" else f"{self.number(whole)}½"

    def percent(self, ratio: float, digits: int = 0) -> str:
        """Return a share (0 to 1) as a percentage."""
        pattern = self._grouped(100 * ratio, digits) + ("." + "#" * digits if digits else "") + "%"
        if self.code == "es":
            pattern = pattern.replace("%", "\N{NO-BREAK SPACE}%")
        return _percentage(ratio, pattern, self.region)

    def money(self, amount: float, currency: str) -> str:
        """Return an amount with its currency, in whole units from 10 upwards; of few hundredths also thousandths.

        What a run costs is multiplied by the reader: "$0.03 a run" was no 24th of "$0.65 in 2 years".
        """
        is_whole = abs(amount) >= 10 or amount == 0
        small = "0.00#" if abs(amount) < 0.1 else "0.00"
        return _money(amount, currency, self.region, self._grouped(amount, 0) if is_whole else small)

    def money_mark(self, amount: float, currency: str) -> str:
        """Return a round amount beside an axis: from one unit upwards without hundredths, which all would have."""
        return _money(amount, currency, self.region, self._grouped(amount, 0) if amount >= 1 else "0.00##")

    def is_other_dollar(self, currency: str) -> bool:
        """Return whether a currency's bare ``$`` may be taken for a peso, or another country's dollar."""
        return _symbol(currency, self.region) == "$" and not (currency == "USD" and _uses_usd(self.territory))

    def exact_money(self, amount: float, currency: str) -> str:
        """Return an amount with its currency, to the hundredth."""
        return _money(amount, currency, self.region, self._grouped(amount, 2) + ".00")

    def _grouped(self, value: float, digits: int) -> str:
        """Return the pattern of a number's whole part.

        Sources: Unicode CLDR, ``minimumGroupingDigits``, which Babel does not apply: 2 in Spanish, and 1 in America's;
        Real Academia Española, "Ortografía de la lengua española" (2010), chapter VIII: numbers of four figures are
        written without a sign between them.
        """
        is_plain = self.code == "es" and not _is_american(self.region) and abs(round(value, digits)) < 10_000
        return "0" if is_plain else "#,##0"

    def date(self, day: datetime.date) -> str:
        """Return a date with its month as a word: in Spanish the whole word, for no other is written in a sentence."""
        return _date(day, self.region, "long" if self.code == "es" else "medium")

    def month(self, day: datetime.date) -> str:
        """Return the month of a day and its year, as a word."""
        return _date(day, self.region, "month")

    def listed(self, names: Sequence[str]) -> str:
        """Return names as they stand in a sentence, the last after an "and"."""
        from babel.lists import format_list

        return format_list(names, locale=self.region)

    def country(self, code: str) -> str:
        """Return the name of a country; of an unknown one its code."""
        from babel import Locale

        return str(Locale.parse(self.region).territories.get(code, code))


@cache
def _is_american(region: str) -> bool:
    """Return whether a Spanish is one of America's, whose common ground CLDR describes as that of region 419."""
    from babel.core import get_global

    return "es_419" in (region, get_global("parent_exceptions").get(region))


# What changes every second on the screen takes few values, and Babel 0.1 ms to put each into words; a report names few
# days, hundreds of times.
@lru_cache(maxsize=64)
def _date(day: datetime.date, region: str, form: Literal["medium", "long", "month"]) -> str:
    from babel.dates import format_date, format_skeleton

    if form == "month":
        return str(format_skeleton("yMMMM", day, locale=region))
    return str(format_date(day, format=form, locale=region))


@lru_cache(maxsize=4096)
def _decimal(value: float, pattern: str, region: str) -> str:
    from babel.numbers import format_decimal

    with decimal.localcontext(_ALL_DIGITS):
        return str(format_decimal(value, format=pattern, locale=region))


@lru_cache(maxsize=4096)
def _money(amount: float, currency: str, region: str, number: str) -> str:
    from babel.numbers import format_currency

    pattern = _money_pattern(currency, region).format(number=number)
    with decimal.localcontext(_ALL_DIGITS):
        return str(format_currency(amount, currency, format=pattern, locale=region, currency_digits=False))


@cache
def _symbol(currency: str, region: str) -> str:
    from babel.numbers import get_currency_symbol

    return str(get_currency_symbol(currency, locale=region))


@cache
def _uses_usd(territory: str) -> bool:
    from babel.numbers import get_territory_currencies

    # Those in use now are those without an end, whatever this computer's clock says.
    return "USD" in get_territory_currencies(territory, start_date=datetime.date.max)


@cache
def _money_pattern(currency: str, region: str) -> str:
    from babel import Locale

    if not Locale.parse(region).currency_formats["standard"].pattern.startswith("¤"):
        return f"{{number}}{SPACE}¤"
    is_word = _symbol(currency, region)[-1].isalpha()
    return f"¤{SPACE}{{number}}" if is_word else "¤{number}"


@lru_cache(maxsize=4096)
def _percentage(ratio: float, pattern: str, region: str) -> str:
    from babel.numbers import format_percent

    with decimal.localcontext(_ALL_DIGITS):
        return str(format_percent(ratio, format=pattern, locale=region))


@cache
def language(code: str, region: str | None = None, territory: str | None = None) -> Language:
    """Return the shared Language object of a code (``en`` or ``es``)."""
    return Language(code, region, territory)


def system_language(platform: str = sys.platform) -> Language:
    """Return the user's own language where this program speaks it, else English, as written where they are."""
    code = _parts(_system_names(platform)[0])[0]
    return own_language(code if code in LANGUAGES else "en", platform)


def own_language(code: str, platform: str = sys.platform, *, country: str | None = None) -> Language:
    """Return a language as it is written where the user is, in numbers as those who read it expect them.

    Args:
        code: ``en`` or ``es``.
        platform: As in ``sys.platform``.
        country: Where the user says to be; None: where the system says.
    """
    spoken, place = _system_names(platform)
    variety = _territory(spoken) if _parts(spoken)[0] == code else None
    territory = country or _territory(place) or _territory(spoken)
    region = _region(code, territory) or _region(code, variety)
    if region is None and territory is not None and code == "en":
        # No such English is described: as in the United States where Spanish is spoken, else as in most of the world.
        region = "en_US" if _region("es", territory) else "en_001"
    return language(code, region, territory)


def _system_names(platform: str) -> tuple[str, str]:
    """Return the names of the locale the user reads in and of the one for money, such as ``es_MX``; maybe empty."""
    spoken = _first_set("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    if spoken:
        return spoken, _first_set("LC_ALL", "LC_MONETARY", "LANG")
    # What is started from the desktop of Windows and macOS has none of these variables.
    desktop = {"win32": _windows_names, "darwin": _mac_names}.get(platform)
    return ("", "") if desktop is None else desktop()


def _first_set(*variables: str) -> str:
    found = (os.environ.get(name, "").split(":")[0] for name in variables)
    return next((name.partition(".")[0].partition("@")[0] for name in found if name), "")


def _windows_names() -> tuple[str, str]:
    """Ask Windows for the language of its windows and for the user's region.

    Source: Microsoft, "GetUserDefaultUILanguage" and "GetUserDefaultLCID", winnls.h.
    """
    import ctypes
    from locale import windows_locale

    kernel = vars(ctypes)["windll"].kernel32  # there on Windows alone
    numbers = kernel.GetUserDefaultUILanguage(), kernel.GetUserDefaultLCID()
    spoken, place = (windows_locale.get(number, "") for number in numbers)
    return spoken, place


def _mac_names() -> tuple[str, str]:
    """Ask macOS for the first of the user's languages and for their region.

    Check: ``defaults read -g AppleLanguages; defaults read -g AppleLocale``
    """
    first = re.search(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]+)*", read_default("AppleLanguages"))
    return "" if first is None else first[0], read_default("AppleLocale").partition("@")[0]


@cache
def read_default(name: str) -> str:
    """Return one of the user's general settings on macOS; empty where it cannot be read."""
    import subprocess

    try:
        done = subprocess.run(["defaults", "read", "-g", name], capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def _parts(name: str) -> tuple[str, ...]:
    """Return a locale's language and, where it is named, its territory: of ``zh-Hans-CN`` these are zh and CN."""
    code, *rest = re.split("[-_]", name)
    territory = next((part.upper() for part in rest if len(part) == 2 and part.isalpha()), None)
    return (code.lower(),) if territory is None else (code.lower(), territory)


def _territory(name: str) -> str | None:
    """Return the country of a locale's name where there is such a country."""
    from babel import Locale

    parts = _parts(name)
    return parts[1] if len(parts) > 1 and parts[1] in Locale.parse("en").territories else None


def _region(code: str, territory: str | None) -> str | None:
    """Return the CLDR locale of a language in a country; None where none is described.

    Where English is written with a decimal comma, such as in Germany, it is that of most of the world instead: among
    English words 49.000 are forty-nine.
    """
    from babel import Locale, UnknownLocaleError

    if territory is None:
        return None
    try:
        found = Locale.parse(f"{code}_{territory}")
    except (UnknownLocaleError, ValueError):
        return None
    if code == "en" and found.number_symbols["latn"]["decimal"] != ".":
        return "en_001"
    return f"{code}_{territory}"


def catalogue_path(code: str) -> Path:
    """Return the path of the translator's file (.po) of a language."""
    return resource_path("locale", code, "LC_MESSAGES", f"{_DOMAIN}.po")


def _load_translations(code: str) -> gettext.NullTranslations:
    """Load the compiled texts, compiling them in memory where the compiled file is missing or older.

    Of files that are damaged nothing is taken: the program then speaks English.
    """
    source = catalogue_path(code)
    compiled = source.with_suffix(".mo")
    try:
        if compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime:
            with compiled.open("rb") as file:
                return gettext.GNUTranslations(file)
        return gettext.GNUTranslations(io.BytesIO(compile_catalogue(source)))
    except OSError as error:
        if not error.errno:  # gettext's own, of a file that is none of its kind
            return gettext.NullTranslations()
        raise CatalogError("The texts for '{code}' cannot be read: {error}.", code=code, error=str(error)) from error
    except (ValueError, LookupError, EOFError, SyntaxError, struct.error):  # cut short, or of bytes at random
        return gettext.NullTranslations()


def compile_catalogue(source: Path) -> bytes:
    """Return the binary form (.mo) of a translator's file (.po)."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with source.open("rb") as file:
        texts = read_po(file)
    texts.creation_date = _CREATED
    buffer = io.BytesIO()
    write_mo(buffer, texts)
    return buffer.getvalue()
