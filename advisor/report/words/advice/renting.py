"""What renting a machine costs in parts, how little it can cost, and how it is begun."""

from urllib.parse import urlsplit

from advisor.locale import Language
from advisor.records.job.advice import Option
from advisor.records.results.report import Report
from advisor.report.words.advice.costs import PARTS, exact_amounts, part_name
from advisor.report.words.labels import PROVIDERS, amount
from advisor.units import HOUR_S

_LEAST_USD = 0.01


def run_parts(option: Option, report: Report, language: Language) -> tuple[tuple[str, str], ...]:
    """Return what a run on a rented machine consists of, each part with its name; nothing for other options."""
    if option.offer is None:
        return ()
    runs = report.circumstances.runs_per_month * report.circumstances.horizon_months
    paid = {part.kind: part.usd(runs) / runs for part in option.cost_parts if part.run_usd > 0 < part.usd(runs)}
    kinds = [kind for kind in PARTS if kind in paid]
    said, _total = exact_amounts([paid[kind] for kind in kinds], report, language)
    return tuple(zip((part_name(kind, language) for kind in kinds), said, strict=True))


def rental_facts(
    option: Option, report: Report, language: Language, page: str, unit_s: float
) -> tuple[tuple[str, str], ...]:
    """Return what who rents wants to know, as names and values; nothing for other options.

    Args:
        option: The machine.
        report: Where it is from.
        language: Of the words.
        page: Address of the provider's page; empty where there is none.
        unit_s: What is billed is a whole number of so many seconds.
    """
    offer = option.offer
    if offer is None:
        return ()
    _ = language.gettext
    parts = "\n".join(f"{name}: {money}" for name, money in run_parts(option, report, language))
    start_usd = sum(part.run_usd for part in option.cost_parts if part.kind in {"start", "setup"})
    least = amount(start_usd + offer.price_usd_per_h * unit_s / HOUR_S, report, language)
    billed = _("by the minute from the start of the machine: the shortest run costs {amount}")
    steps = (
        _("1. Open an account at {site}.").format(site=urlsplit(page).netloc.removeprefix("www.") or offer.provider),
        _("2. Start {instance} in {region}, from an image with PyTorch.").format(
            instance=offer.instance, region=offer.region
        ),
        _copying(option, report, language),
        _("4. Copy the result back and delete the machine: it costs until then."),
    )
    return (
        (_("Parts of a run"), parts),
        (_("Billed"), billed.format(amount=least)),
        (_("How to start"), "\n".join(steps)),
    )


def _copying(option: Option, report: Report, language: Language) -> str:
    """Return the step in which the data get there, with what the machine costs meanwhile where that is not counted."""
    _ = language.gettext
    step = _("3. Copy your data and your program there, and run it.")
    hours = option.upload_s / HOUR_S
    if option.offer is None or option.sent_bytes <= 0 or hours * option.offer.price_usd_per_h < _LEAST_USD:
        return step
    more = _(
        "Prices count storage that is filled before the machine starts; where {provider} has none, copying costs"
        " {amount} more a run."
    )
    money = amount(hours * option.offer.price_usd_per_h, report, language)
    return f"{step} {more.format(provider=PROVIDERS.get(option.offer.provider, option.offer.provider), amount=money)}"
