"""Tests of the year of a processor."""

import pytest

from advisor.catalog import devices
from advisor.catalog.hardware.processor_years import processor_year


@pytest.mark.parametrize(
    ("name", "year"),
    [
        ("Intel(R) Core(TM) i7-10750H CPU @ 2.60GHz", 2020),
        ("Intel(R) Core(TM) i7-3770 CPU @ 3.40GHz", 2012),
        ("12th Gen Intel(R) Core(TM) i9-12900K", 2021),
        ("Intel(R) Core(TM) i5-8250U CPU @ 1.60GHz", 2017),
        ("Intel(R) Core(TM) Ultra 7 155H", 2023),
        ("Intel(R) Xeon(R) CPU E5-2630 v3 @ 2.40GHz", 2014),
        ("Intel(R) Xeon(R) Platinum 8480+", 2023),
        ("Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz", 2017),
        ("AMD Ryzen 9 9950X 16-Core Processor", 2024),
        ("AMD Ryzen Threadripper PRO 5975WX 32-Cores", 2020),
        ("AMD RYZEN AI MAX+ 395 w/ Radeon 8060S", 2025),
        ("AMD EPYC 7B12", 2019),
        ("AMD EPYC 9654 96-Core Processor", 2022),
        ("Intel(R) Xeon(R) CPU @ 2.20GHz", None),
        ("QEMU Virtual CPU version 2.5+", None),
        ("", None),
    ],
)
def test_the_year_is_read_off_the_name(name: str, year: int | None) -> None:
    """Of each maker and series, as systems write the names."""
    assert processor_year(name) == year


def test_years_agree_with_the_table_of_processors() -> None:
    """Within two years: a later model of a generation has the generation's year."""
    known = [(one, processor_year(one.name)) for one in devices() if one.device_class == "cpu"]
    assert sum(year is not None for _, year in known) > 20
    assert [
        (one.name, one.released, year) for one, year in known if year and abs(int(one.released or 0) - year) > 2
    ] == []
