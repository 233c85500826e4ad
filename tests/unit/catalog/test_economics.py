"""The money facts: how the file is read, and what is refused."""

from pathlib import Path

import pytest

from advisor.catalog.economics import economics, read_economics
from advisor.errors import CatalogError
from advisor.resource import resource_path

SHIPPED = resource_path("catalog", "economics.toml").read_text(encoding="utf-8")


def test_table_is_read_once() -> None:
    """The table is cached."""
    assert economics() is economics()


def test_country_joins_its_lists() -> None:
    """A country has the figures of all lists, each with its own date and source."""
    spain = economics().countries["ES"]
    assert (spain.name, spain.currency) == ("Spain", "EUR")
    assert spain.electricity_usd_per_kwh == 0.25
    assert spain.co2_g_per_kwh == 146.15
    assert (spain.electricity_as_of, spain.co2_as_of) == ("2025", "2024")
    assert spain.sources.keys() == {"electricity", "co2"}


def test_unpublished_price_is_unknown() -> None:
    """Where nobody publishes a price it is unknown, not zero."""
    assert economics().countries["GQ"].electricity_usd_per_kwh is None
    assert "electricity" not in economics().countries["GQ"].sources
    assert economics().countries["VE"].electricity_usd_per_kwh == 0


def test_host_price_follows_from_its_parts_list() -> None:
    """The computer's price is what was paid in Australian dollars at the rate of the same table."""
    table = economics()
    assert table.host_usd.value == pytest.approx(939.67 / table.currencies["AUD"].units_per_usd, abs=1)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("value = 674", 'value = "much"'),
        ("[assumption.host_cores]", "[assumption.host_colour]"),
        ('ES = { name = "Spain", currency = "EUR" }', 'ES = { name = "Spain", currency = "ESP" }'),
        ('ES = { name = "Spain", currency = "EUR" }', ""),
        ("VE = 0.0", "ES = 0.1"),
        ("[country]", "[country"),
        ("[country]", "[[country]]"),
        ('as_of = "2026-08-21"\n', ""),
    ],
    ids=["no number", "unknown field", "no rate", "stranger", "two figures", "no TOML", "not a table", "no date"],
)
def test_damaged_table_is_refused(tmp_path: Path, old: str, new: str) -> None:
    """A table with a wrong, missing or doubled figure is refused as a whole."""
    assert old in SHIPPED
    path = tmp_path / "economics.toml"
    path.write_text(SHIPPED.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(CatalogError, match=r"economics\.toml"):
        read_economics(path)


def test_missing_table_is_refused(tmp_path: Path) -> None:
    """A missing file is said by its name."""
    with pytest.raises(CatalogError, match="none"):
        read_economics(tmp_path / "none.toml")
