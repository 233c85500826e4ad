"""Where what an option costs comes from: its price, each run, its electricity, and all of it over the months."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from advisor.locale import N_, Language
from advisor.records.job.advice import Option
from advisor.records.results.report import Report
from advisor.report.provenance.beside import host_source, of_start, start_parts
from advisor.report.provenance.predictions import of_time, option_pointer, price_day
from advisor.report.provenance.record import Provenance
from advisor.report.words import quantities
from advisor.report.words.advice.costs import exact_amounts, part_name
from advisor.report.words.advice.money import price_of_pretended
from advisor.report.words.advice.renting import run_parts
from advisor.report.words.labels import amount, option_title, spoken_date, whole_title
from advisor.report.words.sources import source_phrase


def of_price(option: Option, report: Report, language: Language) -> Provenance:
    """Return where the price of an option comes from: once for what is bought, else of a run."""
    _ = language.gettext
    title = whole_title(option, language)
    if option.purchase_usd > 0:
        return Provenance(
            figure=option_pointer(option, report, "purchase_usd"),
            title=_("Price of {option}").format(option=title),
            value=amount(option.purchase_usd, report, language),
            basis=_("published prices"),
            inputs=(*_purchase_parts(option, report, language), *_over_months(option, report, language)),
            source=_price_source(option, report, language),
            date=price_day(option, report, language),
            check="advisor --list devices",
        )
    inputs = [] if option.run_s is None else [(_("Time of one run"), quantities.duration(option.run_s, language))]
    if option.offer is not None:
        inputs.append((_("Rent of one hour"), amount(option.offer.price_usd_per_h, report, language)))
        inputs += run_parts(option, report, language)
        method = _(
            "(time of the run + 5 minutes to start the machine + your minutes to set it up + what interruptions cost, "
            "up to the next full minute) × price of an hour + storage and download"
        )
    else:
        inputs += _electricity(option, report, language)
        method = "" if option.energy_j is None else _("electricity of one run × price of a kilowatt-hour")
    return Provenance(
        figure=option_pointer(option, report, "run_usd"),
        title=_("Cost of one run on {option}").format(option=title),
        value="–" if option.run_usd is None else amount(option.run_usd, report, language),
        basis=_("published prices and the predicted time"),
        inputs=(*inputs, *_over_months(option, report, language)),
        method=method,
        source=_price_source(option, report, language),
        date=price_day(option, report, language),
        check="advisor --list offers" if option.offer is not None else "",
    )


def of_cost(option: Option, report: Report, language: Language) -> Provenance:
    """Return where the cost of an option over the months of use comes from."""
    _ = language.gettext
    asked = report.circumstances
    months = quantities.months(asked.horizon_months, language)
    inputs = [(_("Runs per month"), language.number(asked.runs_per_month, 2))]
    if option.purchase_usd:
        inputs += _purchase_parts(option, report, language)
        inputs += _resale(option, report, language)
    if option.run_usd is not None:
        inputs.append((_("Each run"), amount(option.run_usd, report, language)))
    if option.offer is not None:
        rent = amount(option.offer.price_usd_per_h, report, language)
        inputs.append((_("Rent of one hour"), rent))
        inputs += _rented_parts(option, report, language)
    else:
        inputs += _electricity(option, report, language)
        failed = (part.fixed_usd for part in option.cost_parts if part.kind == "failed_tries")
        inputs += [(part_name("failed_tries", language), amount(usd, report, language)) for usd in failed]
    if (card_usd := price_of_pretended(report, option)) is not None:
        inputs.append((_("The card, which is not counted"), amount(card_usd, report, language)))
    return Provenance(
        figure=option_pointer(option, report, "horizon_usd"),
        title=_("Cost of {option} in {months}").format(option=whole_title(option, language), months=months),
        value="–" if option.horizon_usd is None else amount(option.horizon_usd, report, language),
        basis=_("published prices and the predicted time"),
        inputs=tuple(inputs),
        method=_(_METHODS[_paid_for(option)]),
        source=_price_source(option, report, language),
        date=price_day(option, report, language),
        check={"rent": "advisor --list offers", "purchase": "advisor --list devices"}.get(_paid_for(option), ""),
    )


_METHODS: Final = {
    "electricity": N_("electricity of all runs × price of a kilowatt-hour"),
    "purchase": N_("purchase + electricity of all runs, less what resale brings"),
    "rent": N_("rent of all runs + storage and download"),
}


def _paid_for(option: Option) -> str:
    """Return what an option's cost is mostly paid for."""
    if option.purchase_usd > 0:
        return "purchase"
    return "electricity" if option.tier == "this_computer" else "rent"


def of_instead(option: Option, chosen: Option, report: Report, language: Language) -> Provenance:
    """Return where it comes from what an option costs more, or less, than the chosen one over the months of use.

    The sentences that compare the two name their times as well.
    """
    theirs, ours = of_cost(option, report, language), of_cost(chosen, report, language)
    times = ((one.title, one.value) for one in (of_time(both, report, language) for both in (option, chosen)))
    parts = tuple(start_parts(option, report, language))
    whole = of_start(option, report, language) if parts else None
    aside = (*times, *(() if whole is None else ((whole.title, whole.value),)), *parts)
    return replace(theirs, inputs=((ours.title, ours.value), *aside, *theirs.inputs))


def of_energy(option: Option, report: Report, language: Language) -> Provenance:
    """Return where the electricity of a run comes from."""
    _ = language.gettext
    inputs = [] if option.run_s is None else [(_("Time of one run"), quantities.duration(option.run_s, language))]
    if option.energy_j is not None and option.run_s:
        watts = language.number(option.energy_j / option.run_s)
        inputs.append((_("Draws on average"), f"{watts}\N{NO-BREAK SPACE}W"))
    return Provenance(
        figure=option_pointer(option, report, "energy_j"),
        title=_("Electricity of one run on {option}").format(option=option_title(option, language)),
        value="–" if option.energy_j is None else quantities.energy(option.energy_j, language),
        basis=_("the device's power and the predicted time"),
        inputs=tuple(inputs),
        method=_("power × time of the run, with what the power supply loses"),
    )


def of_break_even(option: Option, report: Report, language: Language) -> Provenance:
    """Return where the months come from after which buying is cheaper than renting."""
    _ = language.gettext
    count = option.break_even_months
    return Provenance(
        figure=option_pointer(option, report, "break_even_months"),
        title=_("When buying {option} pays").format(option=whole_title(option, language)),
        value="–" if count is None else quantities.months(count, language),
        basis=_("published prices and the predicted time"),
        inputs=(
            *_purchase_parts(option, report, language),
            (_("Runs per month"), language.number(report.circumstances.runs_per_month, 2)),
        ),
        method=_("the month in which renting the same work has cost as much; resale is not counted"),
        source=_price_source(option, report, language),
        date=price_day(option, report, language),
    )


def _purchase_parts(option: Option, report: Report, language: Language) -> list[tuple[str, str]]:
    """Return what is paid once, part by part where a computer is bought around the card."""
    _ = language.gettext
    if option.purchase_usd <= 0:
        return []
    if option.host_usd <= 0:
        return [(_("Purchase"), amount(option.purchase_usd, report, language))]
    [card, host], whole = exact_amounts([option.purchase_usd - option.host_usd, option.host_usd], report, language)
    return [(_("The card"), card), (_("A new computer around it"), host), (_("Together"), whole)]


def _resale(option: Option, report: Report, language: Language) -> list[tuple[str, str]]:
    """Return what selling it at the end is taken to bring: a part of its cost."""
    months = quantities.months(report.circumstances.horizon_months, language)
    text = language.gettext("Sold after {months} for")
    if option.host_usd > 0:
        text = language.gettext("Card and PC sold after {months} for")
    name = text.format(months=months)
    brought = [-part.fixed_usd for part in option.cost_parts if part.kind == "resale"]
    return [(name, amount(usd, report, language)) for usd in brought]


def _rented_parts(option: Option, report: Report, language: Language) -> list[tuple[str, str]]:
    """Return what is paid for all runs, and beside them: runs times their price alone is not the whole."""
    runs = report.circumstances.runs_per_month * report.circumstances.horizon_months
    paid = [(part.kind, part.usd(runs)) for part in option.cost_parts if part.usd(runs) > 0]
    said, _total = exact_amounts([usd for _kind, usd in paid], report, language)
    return list(zip((part_name(kind, language) for kind, _usd in paid), said, strict=True))


def _over_months(option: Option, report: Report, language: Language) -> list[tuple[str, str]]:
    """Return what the option costs in all, beside the price that was asked."""
    if option.horizon_usd is None:
        return []
    months = quantities.months(report.circumstances.horizon_months, language)
    total = language.gettext("Cost in {months}").format(months=months)
    return [*_resale(option, report, language), (total, amount(option.horizon_usd, report, language))]


def _electricity(option: Option, report: Report, language: Language) -> Iterator[tuple[str, str]]:
    """Yield the electricity of a run, and what a kilowatt-hour of it costs and where; nothing where it is not paid."""
    if option.energy_j is None or option.site_nodes:
        return
    _, asked = language.gettext, report.circumstances
    yield _("Electricity of one run"), quantities.energy(option.energy_j, language)
    paid = next((part.unit_usd for part in option.cost_parts if part.kind == "electricity"), None)
    if paid is not None:
        price = amount(paid, report, language)
        if asked.electricity_usd_per_kwh is None:
            text = _("{price}, for households in {country}")
            price = text.format(price=price, country=language.country(asked.country))
        yield _("Price of a kilowatt-hour"), price


def _price_source(option: Option, report: Report, language: Language) -> str:
    _ = language.gettext
    if option.offer is not None:
        return f"{option.offer.provider}, {option.offer.instance}, {option.offer.region}"
    if option.tier == "this_computer":
        return _electricity_source(report, language)
    if option.purchase_usd <= 0:
        return ""  # a cluster of one's own, at the price that was given
    said = [_("launch or street price in the United States, without tax")]
    if option.price_as_of is not None:
        text = _("launch or street price in the United States, {month}, without tax")
        said = [text.format(month=spoken_date(option.price_as_of[:7], language))]
    if report.circumstances.currency != "USD":
        day = report.prices_as_of.get("rates")
        text = _("converted at {rate} a dollar")
        if day is not None:
            text = _("converted at {rate} a dollar ({date})")
        rate = f"{language.significant(report.currency_per_usd, 4)}\N{NO-BREAK SPACE}{report.circumstances.currency}"
        said.append(text.format(rate=rate, date=spoken_date(day or "", language)))
    said.append(_("shops ask other prices"))
    computer = host_source(option, report, language)
    if computer:
        said.append(_("the PC: {source}").format(source=computer))
    return "; ".join(said)


def _electricity_source(report: Report, language: Language) -> str:
    if report.circumstances.electricity_usd_per_kwh is not None:
        return language.gettext("the price of electricity that you gave")
    source = report.cost_sources.get("electricity")
    return language.gettext("the country's price of electricity") if source is None else source_phrase(source, language)
