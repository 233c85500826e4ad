"""What the answer costs, in a sentence: the purchase, the rent, the electricity."""

from advisor.locale import Language
from advisor.records.job.advice import Option
from advisor.records.job.workload import ONCE_RUNS
from advisor.records.results.report import Report
from advisor.report.words import quantities
from advisor.report.words.advice.verdict import chosen_option, outlasts_hardware
from advisor.report.words.labels import amount, named_amount, option_title
from advisor.units import MONTH_S

KEPT_RATIO = 0.05
"""Keeping data at a provider is worth a word from a twentieth of what a rent costs."""

LEAST_COIN = 0.01
"""Of a currency: what is less than a hundredth of it is no sum to speak of."""


def money_sentence(report: Report, language: Language) -> str:
    """Return what the answer costs."""
    _ = language.gettext
    chosen = chosen_option(report)
    if chosen is not None and chosen.tier == "this_computer" and chosen.run_usd is None:
        return _(
            "It costs nothing but electricity; how much is not known, because nobody publishes what {device} draws."
        ).format(device=option_title(chosen, language))
    if chosen is not None and outlasts_hardware(chosen) and chosen.tier != "this_computer":
        return ""  # nobody is advised to pay for it
    if chosen is None or chosen.run_usd is None:
        return _("What it costs is not known.")
    return _money(chosen, chosen.run_usd, report, language)


def is_beyond_budget(option: Option, report: Report) -> bool:
    """Return whether the user must have more money for an option than they said: its price, or its rent over time."""
    budget_usd, spent_usd = report.circumstances.budget_usd, option.purchase_usd or option.horizon_usd or 0.0
    return budget_usd is not None and option.tier != "this_computer" and spent_usd > budget_usd


def _money(chosen: Option, run_usd: float, report: Report, language: Language) -> str:
    _ = language.gettext
    run, named_run = (said(run_usd, report, language) for said in (amount, named_amount))
    if chosen.tier == "this_computer":
        price_usd = price_of_pretended(report, chosen)
        if price_usd is None and run_usd == 0:
            return _("It costs nothing: you pay nothing for electricity.")
        if price_usd is None:
            return _("It costs nothing but electricity: {amount} a run.").format(amount=named_run)
        text = _("The card itself costs about {price}; then it costs {amount} of electricity a run.")
        return text.format(price=named_amount(price_usd, report, language), amount=run)
    if chosen.purchase_usd <= 0:
        return _rent(chosen, run_usd, report, language)
    price, note = named_amount(chosen.purchase_usd, report, language), price_note(chosen, report, language)
    text = _("It costs {price} once, and {amount} of electricity a run.")
    if note:
        text = _("It costs {price} once ({note}), and {amount} of electricity a run.")
    text = text.format(price=price, amount=run, note=note)
    if chosen.host_usd > 0:
        host = amount(chosen.host_usd, report, language)
        text += " " + _("{host} of that are for a computer to put the card in.").format(host=host)
    return text


def price_note(option: Option, report: Report, language: Language) -> str:
    """Return that no tax is in the price of a purchase, and where it is if the user buys elsewhere; empty of others."""
    if option.tier != "single_gpu" or option.purchase_usd <= 0:
        return ""
    return tax_note(report, language)


def tax_note(report: Report, language: Language) -> str:
    """Return that no tax is in a price, and of where it is, for whoever buys elsewhere."""
    if report.circumstances.country == "US":
        return language.gettext("before tax")
    return language.gettext("US price, before tax")


def price_of_pretended(report: Report, chosen: Option) -> float | None:
    """Return what the card costs that this computer was said to have; None where it has it, or nobody sells it."""
    is_pretended = report.is_simulated and any(card.is_overridden for card in report.machine.accelerators)
    is_here = chosen.tier == "this_computer" and chosen.is_card
    if not is_pretended or not is_here or chosen.device_count != 1:
        return None
    sold = (one for one in report.advice.options if one.tier == "single_gpu" and one.title == chosen.title)
    return next((one.purchase_usd - one.host_usd for one in sold if one.device_count == 1), None)


def _rent(chosen: Option, run_usd: float, report: Report, language: Language) -> str:
    """Return what a rent costs, and how much of that keeps the data at the provider."""
    _ = language.gettext
    asked = report.circumstances
    runs, total_usd = asked.runs_per_month * asked.horizon_months, chosen.horizon_usd
    run = named_amount(run_usd, report, language)
    if total_usd is None or (chosen.run_s or 0.0) > asked.horizon_months * MONTH_S:
        return _("It costs {amount}.").format(amount=run)
    total = amount(total_usd, report, language)
    months = quantities.months(asked.horizon_months, language)
    text = _("It costs {amount} a run, {total} in {months}.").format(amount=run, total=total, months=months)
    if runs < ONCE_RUNS:
        text = _("It costs {amount}.").format(amount=named_amount(total_usd, report, language))
    aside = (
        ("storage", _("{amount} of that keep your data there, by the day.")),
        ("failed_tries", _("{amount} of that are for tries that fail.")),
    )
    for kind, said in aside:
        usd = sum(part.usd(runs) for part in chosen.cost_parts if part.kind == kind)
        if usd >= KEPT_RATIO * total_usd and usd * report.currency_per_usd >= LEAST_COIN:
            text += " " + said.format(amount=amount(usd, report, language))
    return text
