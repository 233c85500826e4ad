"""Put values into texts: the name of a value says its unit, and so how it is spelled."""

import pytest

from advisor.locale import language
from advisor.records.job.advice import FactValue
from advisor.report.words.placeholders import fill, spell
from advisor.units import GIB
from tests.unit.report import samples

EN = language("en")
REPORT = samples.rent()


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("run_s", 210.0, "3½ minutes"),
        ("needed_bytes", 6 * GIB, "6\xa0GB"),
        ("run_usd", 0.5, "$0.50"),
        ("idle_ratio", 0.7, "70%"),
        ("gpu_over_cpu_ratio", 9.63, "9.6"),
        ("busy_hours", 481.0, "480"),
        ("months", 9.0, "9 months"),
        ("horizon_months", 24.0, "2 years"),
        ("times", 9.63, "9.6"),
        ("count", 8, "8"),
        ("is_small", True, "yes"),
        ("is_small", False, "no"),
        ("who", "student", "student"),
        ("anything", None, "unknown"),
    ],
)
def test_a_value_is_spelled_by_its_name(name: str, value: FactValue, expected: str) -> None:
    """The unit in the name decides."""
    assert spell(name, value, REPORT, EN) == expected


def test_only_plain_names_are_filled_in() -> None:
    """A text from a hostile file cannot reach into objects or ask for endless padding."""
    text = "{a} {a.__class__} {a!r} {a:>99999999} {0}"
    assert fill(text, {"a": "x"}, REPORT, EN) == "x {a.__class__} {a!r} {a:>99999999} unknown"


@pytest.mark.parametrize(("region", "expected"), [("en_US", "9.6"), ("es_MX", "9.6"), ("es_ES", "9,6")])
def test_a_number_of_the_text_is_written_as_in_the_country(region: str, expected: str) -> None:
    """The articles' «9,6 veces» stood among the points of Mexico."""
    spoken = language(region[:2], region)
    assert fill("{9.6} {times}", {"times": 9.63}, REPORT, spoken) == f"{expected} {expected}"
