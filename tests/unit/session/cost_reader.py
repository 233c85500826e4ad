"""Reads the section of costs as a user with a pocket calculator: its table, and the figures below it."""

import re
from collections.abc import Iterator
from decimal import Decimal

from advisor.locale import Language
from advisor.records.results.report import Report
from advisor.report.content.blocks import Bullets, Table
from advisor.report.content.options.costs import costs_section

NUMBER = r"\d[\d.,]*"
CENT = Decimal("0.01")


def number(text: str, spoken: Language) -> Decimal:
    """Return a number as a person of that language reads it."""
    group, point = (",", ".") if spoken.code == "en" else (".", ",")
    return Decimal(text.rstrip(".,").replace(group, "").replace(point, "."))


def money(cell: str, spoken: Language) -> Decimal | None:
    """Return the amount in a cell of the table; None where there is a dash alone."""
    found = re.search(NUMBER, cell)
    if found is None:
        return None
    return number(found[0], spoken) * (-1 if "-" in cell else 1)


def told_columns(report: Report, spoken: Language) -> dict[str, dict[str, Decimal]]:
    """Return the table of parts: of each option's title the amount of each part, and of all together."""
    table = next((one for one in costs_section(report, spoken).blocks if isinstance(one, Table)), None)
    if table is None:
        return {}
    return {
        title: {row[0]: amount for row in table.rows if (amount := money(row[place], spoken)) is not None}
        for place, title in enumerate(table.header[1:-1], start=1)
    }


def worked_out(report: Report, spoken: Language) -> Iterator[tuple[str, str, Decimal]]:
    """Yield the title of an option, a part of its cost, and what its figures come to."""
    lists = [one for one in costs_section(report, spoken).blocks if isinstance(one, Bullets)]
    for item in (one for some in lists for one in some.items):
        for part in item.text.partition(" (")[0].split("; ") if item.lead else ():
            name, _, product = part.partition(": ")
            yield item.lead, name, _product(product, spoken)


def _product(text: str, spoken: Language) -> Decimal:
    """Return what a multiplication comes to; a price alone is itself, and two prices are a sum."""
    if "×" not in text and "%" not in text:
        return sum((number(one, spoken) for one in re.findall(NUMBER, text)), Decimal(0))
    if "%" in text:
        share, price = (number(one, spoken) for one in re.findall(NUMBER, text))
        return -share * price / 100
    factors = [number(one, spoken) for one in re.findall(NUMBER, re.sub(r"100\s?GB", "", text)) if one.strip(".,")]
    if "GB" in text and len(factors) == 4:  # days of a month of so many
        size, days, price, month = factors
        return size * days * price / month
    result = Decimal(1)
    for one in factors:
        result *= one
    return result
