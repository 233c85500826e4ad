"""Names of currencies, countries and cards, and lists of networks, as people call them, in the user's language."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from advisor.locale import Language
from advisor.report.words import quantities
from advisor.report.words.networks import (
    LANGUAGE,
    NETWORKS,
    PARTS,
    PICTURES,
    ROBOTS,
    SERIES,
    SPEECH,
    TABLES,
    TEXTS,
    network_name,
)
from advisor.units import GIB

_GROUPS = (PICTURES, PARTS, TEXTS, LANGUAGE, SPEECH, SERIES, ROBOTS, TABLES)
_GROUP_OF_SAMPLE = {"image": PICTURES, "sequence": TEXTS, "row": TABLES}


def currency_name(code: str, language: Language) -> str:
    """Return a currency's code and name, such as "EUR · euro"."""
    from babel.numbers import get_currency_name

    name = get_currency_name(code, locale=language.region)
    return f"{code} · {name}" if name and name != code else code


def countries_by_name(codes: Iterable[str], language: Language) -> list[tuple[str, str]]:
    """Return countries as (name, code) in the order of their names, accents and capitals aside."""

    def place(row: tuple[str, str]) -> str:
        letters = unicodedata.normalize("NFKD", row[0].casefold())
        return "".join(letter for letter in letters if not unicodedata.combining(letter))

    return sorted(((language.country(code), code) for code in codes), key=place)


def network_choice(name: str, parameters: int, language: Language) -> str:
    """Return a network with its size, such as "ResNet-50 · 26 million parameters"; left out where not known."""
    title = network_name(name, language)
    return f"{title} · {parameters_text(parameters, language)}" if parameters > 0 else title


def parameters_text(parameters: int, language: Language) -> str:
    """Return a number of parameters as people say it, with two figures, such as "26 million parameters"."""
    said = quantities.count_before_noun(float(f"{parameters:.2g}"), language)
    return language.gettext("{n} parameters").format(n=said)


def network_groups(networks: Mapping[str, str], language: Language) -> tuple[tuple[str, Sequence[str]], ...]:
    """Return networks by what they are for: the title of each group, and its networks in a fixed order.

    Args:
        networks: Names with what each takes: ``image``, ``sequence`` or ``row``.
        language: Of the titles.
    """
    order = {name: place for place, name in enumerate(NETWORKS)}
    found: dict[str, list[str]] = {}
    for name in sorted(networks, key=lambda one: (order.get(one, len(order)), one)):
        group = NETWORKS[name][0] if name in NETWORKS else _GROUP_OF_SAMPLE[networks[name]]
        found.setdefault(group, []).append(name)
    return tuple((language.gettext(group), tuple(found[group])) for group in _GROUPS if group in found)


def card_named(text: str, cards: Sequence[str]) -> str:
    """Return the one of these cards that a text names as the command line reads it; empty where it names none."""
    written = text.strip().casefold()
    exact = next((card for card in cards if card.casefold() == written), "")
    if exact or not written:
        return exact
    from advisor.catalog import known_device  # the window appears before the catalogue is read

    device = known_device(text)
    return device.name if device is not None and device.name in cards else ""


def card_line(name: str, language: Language) -> str:
    """Return a graphics card with its memory, unless its name says it, and the year it came out, where known."""
    from advisor.catalog import known_device

    device = known_device(name)
    if device is None:
        return name
    memory = f"{language.number(device.memory_bytes / GIB)}\N{NO-BREAK SPACE}GB" if device.memory_bytes else ""
    if "".join(memory.split()) in "".join(name.split()):
        memory = ""
    year = device.released[:4] if device.released else ""
    return " · ".join(part for part in (name, memory, year) if part)
