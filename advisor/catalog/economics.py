"""Prices of electricity, currencies and the computer around a card, read from ``resources/catalog/economics.toml``.

Owns the format of that file; must not know workloads or options. Figures stand in it under the source that publishes
them, so that a newer list replaces an older one as a whole.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from advisor.errors import CatalogError
from advisor.records.base import Source
from advisor.records.hardware.economics import Country, Currency, Economics
from advisor.resource import resource_path


@cache
def economics() -> Economics:
    """Return the table shipped with the program.

    Raises:
        CatalogError: It is missing or damaged.
    """
    return read_economics(resource_path("catalog", "economics.toml"))


def read_economics(path: Path) -> Economics:
    """Return the table in a file.

    Raises:
        CatalogError: It is missing, damaged, or two lists have a figure for the same country or currency.
    """
    try:
        table = tomllib.loads(path.read_text("utf-8"))
        electricity = _figures(table["electricity"], "usd_per_kwh")
        co2 = _figures(table["co2"], "g_per_kwh")
        countries = {code: _country(code, row, electricity, co2) for code, row in table["country"].items()}
        currencies = {
            code: Currency(code=code, units_per_usd=value, as_of=as_of, source=source)
            for code, (value, as_of, source) in _figures(table["currency"], "units_per_usd").items()
        }
        _check_codes(countries, currencies, electricity, co2)
        others = {"processors": table["processor"], "around": table["around"], **table["assumption"]}
        return msgspec.convert({"countries": countries, "currencies": currencies, **others}, Economics)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:  # AttributeError: a list for a table
        raise CatalogError(f"The table of prices {path.name} is damaged: {error}") from error


_Figures = dict[str, tuple[float, str, Source]]


def _figures(lists: list[dict[str, Any]], name: str) -> _Figures:
    """Return value, date and source by code from lists that each have one source."""
    found: _Figures = {}
    for one in lists:
        source = msgspec.convert(one["source"], Source)
        for code, value in one[name].items():
            if code in found:
                raise ValueError(f"two figures of {name} for {code}")
            found[code] = (float(value), str(one["as_of"]), source)
    return found


def _country(code: str, row: dict[str, str], electricity: _Figures, co2: _Figures) -> Country:
    found = {"electricity": electricity.get(code), "co2": co2.get(code)}
    power, carbon = found["electricity"], found["co2"]
    return Country(
        code=code,
        name=row["name"],
        currency=row["currency"],
        electricity_usd_per_kwh=power and power[0],
        electricity_as_of=power and power[1],
        co2_g_per_kwh=carbon and carbon[0],
        co2_as_of=carbon and carbon[1],
        sources={group: figure[2] for group, figure in found.items() if figure},
    )


def _check_codes(countries: dict[str, Country], currencies: dict[str, Currency], *figures: _Figures) -> None:
    """Check that no figure stands for a country that is not listed, and that every country's currency has a rate."""
    strangers = {code for table in figures for code in table} - countries.keys()
    if strangers:
        raise ValueError(f"figures for unknown countries {', '.join(sorted(strangers))}")
    missing = {country.currency for country in countries.values()} - currencies.keys()
    if missing:
        raise ValueError(f"no rate for {', '.join(sorted(missing))}")
