"""The figures behind each part of a cost, exact enough to work it out again to the hundredth."""

import math

from advisor.locale import Language
from advisor.records.job.advice import Option
from advisor.records.job.prediction import CostPart
from advisor.records.results.report import Report
from advisor.report.words.advice.costs import part_name
from advisor.report.words.labels import spoken_date
from advisor.units import DAY_S, MONTH_S

_FIGURES = 7
"""Significant figures: of ten thousand dollars they keep the cent."""


def option_figures(option: Option, report: Report, language: Language) -> str:
    """Return of each part of an option's cost what is multiplied, and of when its price is; empty where unknown."""
    asked = report.circumstances
    runs = asked.runs_per_month * asked.horizon_months
    told = [
        (part_name(part.kind, language), _product(part, option, report, language))
        for part in option.cost_parts
        if part.usd(runs)
    ]
    said = "; ".join(f"{name}: {product}" for name, product in told if product)
    if not said or option.price_as_of is None or (option.offer is None and option.purchase_usd <= 0):
        return said
    day = language.gettext("price of {date}").format(date=spoken_date(option.price_as_of, language))
    place = "" if option.offer is None else f"{option.offer.instance}, {option.offer.region}, "
    return f"{said} ({place}{day})"


def _product(part: CostPart, option: Option, report: Report, language: Language) -> str:
    """Return the multiplication, or the sum, that a part is."""
    asked = report.circumstances
    runs = asked.runs_per_month * asked.horizon_months
    if part.kind == "purchase":
        return _purchase(option, report, language)
    if part.quantity <= 0 or part.unit_usd <= 0:
        return ""
    if part.kind == "storage":
        return _storage(part, runs, report, language)
    text, count = {
        "resale": (language.gettext("{count}% of {price}"), 100 * part.quantity),
        "failed_tries": ("{count} × {price}", part.quantity),
        "electricity": ("{count}\N{NO-BREAK SPACE}kWh × {price}", part.quantity * runs),
        "download": (language.gettext("{count} GB × {price}, less 100 GB of each month"), part.quantity * runs),
    }.get(part.kind, ("{count}\N{NO-BREAK SPACE}h × {price}", part.quantity * runs))
    price = _price(part.unit_usd, report, language)
    return text.format(count=language.significant(count, _FIGURES), price=price)


def _purchase(option: Option, report: Report, language: Language) -> str:
    whole = _price(option.purchase_usd, report, language)
    if option.host_usd <= 0:
        return whole
    text = language.ngettext(
        "{card} for the card, {host} for the computer around it",
        "{card} for the cards, {host} for the computer around them",
        option.device_count,
    )
    card = _price(option.purchase_usd - option.host_usd, report, language)
    return text.format(card=card, host=_price(option.host_usd, report, language))


def _storage(part: CostPart, runs: float, report: Report, language: Language) -> str:
    """Return the days of all runs for which the data are kept; where these are more than there are, all months."""
    months = report.circumstances.horizon_months
    size = language.significant(part.quantity, _FIGURES)
    price = _price(part.unit_usd, report, language)
    if part.most_usd is not None and part.run_usd * runs >= part.most_usd:
        text = language.ngettext(
            "{size} GB × {months} month × {price} a month",
            "{size} GB × {months} months × {price} a month",
            round(months),
        )
        return text.format(size=size, months=language.significant(months, _FIGURES), price=price)
    days = math.floor(part.run_usd / (part.quantity * part.unit_usd) * MONTH_S / DAY_S + 0.5) * runs
    text = language.ngettext(
        "{size} GB × {days} day × {price} a month of {month} days",
        "{size} GB × {days} days × {price} a month of {month} days",
        round(days),
    )
    return text.format(
        size=size,
        days=language.significant(days, _FIGURES),
        price=price,
        month=language.number(MONTH_S / DAY_S, 4),
    )


def _price(usd: float, report: Report, language: Language) -> str:
    """Return an amount with all its figures, and the code of its currency."""
    value = language.significant(usd * report.currency_per_usd, _FIGURES)
    return f"{value}\N{NO-BREAK SPACE}{report.circumstances.currency}"
