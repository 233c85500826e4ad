"""How old the prices are that a user sees."""

import msgspec
import pytest

from advisor.locale import language
from advisor.report.formats.text import text_report
from advisor.report.words.advice.prices import price_ages
from tests.unit.report import samples

EN = language("en")


def test_the_prices_that_are_seen_have_their_days() -> None:
    """From the oldest to the newest of what is shown, whatever else was compared."""
    first, second, *_rest = [one for one in samples.buy().advice.options if one.purchase_usd > 0]
    shown = [
        msgspec.structs.replace(first, price_as_of="2026-11-01"),
        msgspec.structs.replace(second, price_as_of="2024-11-20"),
    ]
    report = msgspec.structs.replace(samples.buy(), prices_as_of={"devices": "2020-01-01", "electricity": "2025-11"})
    assert price_ages(report, shown, EN) == (
        "Prices change: prices of graphics cards from Nov 20, 2024 to Nov 1, 2026 (up to 2 years old), "
        "electricity prices of November 2025 (13 months old)."
    )


def test_a_price_of_today_has_no_age() -> None:
    """Nor has one whose day is none."""
    report = msgspec.structs.replace(samples.buy(), prices_as_of={"rates": "2026-11-21", "moon": "unknown"})
    assert price_ages(report, [], EN) == "Prices change: moon of unknown, exchange rates of Nov 21, 2026."
    assert price_ages(msgspec.structs.replace(report, prices_as_of={}), [], EN) == ""


def test_the_days_stand_under_the_options() -> None:
    """Where the prices are, not at the end."""
    lines = text_report(samples.rent(), EN).splitlines()
    [place] = [n for n, line in enumerate(lines) if line.startswith("Prices change:")]
    assert lines.index("Options") < place < lines.index("What would change this answer")


@pytest.mark.parametrize(
    ("day", "said"),
    [("2026-08-21", "3 months old"), ("2026-08-01", "3½ months old"), ("2026-10-10", "7 weeks old")],
)
def test_an_age_is_what_has_passed(day: str, said: str) -> None:
    """Rates of August 21 were "3½ months old" on November 28: three months and a week had passed."""
    then = msgspec.structs.replace(samples.buy(), created_at="2026-11-28T12:00:00+00:00", prices_as_of={"rates": day})
    assert said in price_ages(then, [], EN)
