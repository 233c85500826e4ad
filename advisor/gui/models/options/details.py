"""All that is known of one option, with where each figure comes from."""

from __future__ import annotations

import math

import msgspec

from advisor.gui.models.options.beside_pick import beside_pick
from advisor.gui.models.options.filters import device_of
from advisor.locale import Language
from advisor.records.base import Interval
from advisor.records.job.advice import Option
from advisor.records.job.prediction import Prediction
from advisor.records.results.report import Report
from advisor.report.content.options.option_rows import option_row, time_origin
from advisor.report.provenance.money import of_break_even, of_cost, of_energy, of_price
from advisor.report.provenance.predictions import of_memory, of_time
from advisor.report.provenance.record import Provenance
from advisor.report.words import quantities
from advisor.report.words.advice.reasons import obstacle_phrase
from advisor.report.words.advice.renting import rental_facts
from advisor.report.words.labels import basis_phrase, limit_phrase, option_sureness, price_title, spoken_date, sureness
from advisor.report.words.learned import rests_on
from advisor.report.words.sources import source_phrase

_OF_THE_PROCESSOR = frozenset({"input", "launch"})
_NEVER_MONTHS = 120.0
"""Longer than a card is of use."""


def _exchange(prediction: Prediction | None, language: Language) -> str:
    if prediction is None or prediction.exchange_basis is None:
        return ""
    return basis_phrase(prediction.exchange_basis, language)


def option_facts(option: Option, report: Report, language: Language) -> tuple[tuple[str, str], ...]:
    """Return all that is known of an option, as names and values, what decides first; what is not known is left out."""
    _ = language.gettext
    row = option_row(option, report, language)
    months = quantities.months(report.circumstances.horizon_months, language)
    prediction = option.prediction
    rows = (
        (_("Time of a run"), _with(row.time, ", ".join(filter(None, (row.interval, row.start))))),
        (price_title(report, language), _with(row.cost, _price_notes(option, row.host, language))),
        (_("Cost in {months}").format(months=months), _with(row.horizon, row.condition)),
        (_("Compared with our pick"), compared(option, report, language)),
        (_("How sure"), _sureness(option, language, counts_start=bool(row.start))),
        (_("Bottleneck"), _bottleneck(option, language)),
        (_("Memory"), row.memory),
        (_("Based on"), "" if prediction is None else rests_on(prediction, language)),
        (_("Exchange between devices"), _exchange(prediction, language)),
        (_("Buying pays after"), _break_even(option, language)),
        (_("Electricity"), _with(_a_run(row.energy, language), row.co2)),
        *rental_facts(option, report, language, *rental_terms(option)),
        (_("Machine"), "" if option.offer is None else option.offer.instance),
        (_("Price of"), "" if option.price_as_of is None else spoken_date(option.price_as_of, language)),
        (_("Source"), _source(option, language)),
    )
    return tuple((name, value) for name, value in rows if value not in {"", "–"})


def _bottleneck(option: Option, language: Language) -> str:
    """Return what the time is spent with; where a card waits for its processor, that stronger ones wait as long."""
    if option.prediction is None:
        return ""
    said = limit_phrase(option.prediction.limit, language)
    if not option.is_card or option.is_computer or option.prediction.limit not in _OF_THE_PROCESSOR:
        return said
    return language.gettext("{limit}; a stronger card beside it would wait as long").format(limit=said)


def _price_notes(option: Option, host: str, language: Language) -> str:
    """Return what a price is of: of a purchase, that no tax is in it."""
    return ", ".join(filter(None, (host, language.gettext("before tax") if option.purchase_usd > 0 else "")))


def _a_run(energy: str, language: Language) -> str:
    """Return that a run takes so much: beside it stands what all of them cost."""
    return language.gettext("{amount} a run").format(amount=energy) if energy not in {"", "–"} else energy


def compared(option: Option, report: Report, language: Language) -> str:
    """Return all that is said of an option beside the recommended one; of that one nothing."""
    if option.id == report.advice.chosen:
        return ""
    difference = beside_pick(option, report, language)
    is_said = option.obstacle != "not_needed"  # the difference says what is dearer or slower
    remark = obstacle_phrase(option, report, language)
    return difference if difference and is_said else "; ".join(filter(None, (difference, remark)))


def option_origins(option: Option, report: Report, language: Language) -> dict[str, Provenance]:
    """Return where the numbers among an option's facts come from, by the facts' names."""
    _ = language.gettext
    months = quantities.months(report.circumstances.horizon_months, language)
    time = of_time(option, report, language)
    return {
        _("Time of a run"): time_origin(option, report, language),
        _("How sure"): time,
        _("Memory"): of_memory(option, report, language),
        price_title(report, language): with_providers_page(of_price(option, report, language), option),
        _("Cost in {months}").format(months=months): with_providers_page(of_cost(option, report, language), option),
        _("Electricity"): of_energy(option, report, language),
        _("Buying pays after"): of_break_even(option, report, language),
    }


def rental_terms(option: Option) -> tuple[str, float]:
    """Return the address of the page of who rents a machine, and in what units of time it is billed."""
    if option.offer is None:
        return "", 0.0
    from advisor.catalog import economics, offer_sources

    source = offer_sources().get(option.offer.provider)
    page = "" if source is None or source.url is None else source.url
    return page, economics().billing_unit_s.value


def with_providers_page(origin: Provenance, option: Option) -> Provenance:
    """Return where a price comes from, with the provider's page, which a menu can open."""
    page, _unit_s = rental_terms(option)
    return msgspec.structs.replace(origin, source=f"{origin.source}, {page}") if page else origin


def _sureness(option: Option, language: Language, *, counts_start: bool) -> str:
    """Return how sure the time is that is told: of the run alone, or with what passes before it."""
    if option.prediction is None:
        return ""
    if not counts_start or option.interval is None or option.run_s is None:
        return option_sureness(option, language)
    start_s = option.done_s - option.run_s
    ends = Interval(low=option.interval.low + start_s, high=option.interval.high + start_s)
    return sureness(option.done_s, ends, language)


def _with(text: str, more: str) -> str:
    return f"{text} ({more})" if more else text


def _break_even(option: Option, language: Language) -> str:
    if option.break_even_months is None:
        return ""
    months = max(1.0, math.ceil(option.break_even_months))
    if months > _NEVER_MONTHS:
        return language.gettext("not within {time}").format(time=quantities.months(_NEVER_MONTHS, language))
    return quantities.months(months, language)


def _source(option: Option, language: Language) -> str:
    """Return where an option's figures are from: of a rent the price list, else the device's specifications."""
    device = device_of(option)
    if device is None:
        return ""
    groups = ("price", "specifications") if option.purchase_usd > 0 else ("specifications",)
    found = [device.sources[group] for group in groups if group in device.sources]
    return "; ".join(dict.fromkeys(source_phrase(one, language) for one in found))
