"""What renting a machine costs in parts, how little it can cost, and how it is begun."""

from urllib.parse import urlsplit

from advisor.locale import Language
from advisor.records.job.advice import Option
from advisor.records.results.report import Report
from advisor.report.words.costs import PARTS, part_name
from advisor.report.words.labels import amount
from advisor.units import HOUR_S


def run_parts(option: Option, report: Report, language: Language) -> tuple[tuple[str, str], ...]:
    """Return what a run on a rented machine consists of, each part with its name; nothing for other options."""
    if option.offer is None:
        return ()
    paid = {part.kind: part.run_usd for part in option.cost_parts if part.run_usd > 0}
    return tuple((part_name(kind, language), amount(paid[kind], report, language)) for kind in PARTS if kind in paid)


def rental_facts(option: Option, report: Report, language: Language) -> tuple[tuple[str, str], ...]:
    """Return what who rents wants to know, as names and values; nothing for other options."""
    if option.offer is None:
        return ()
    _ = language.gettext
    parts = "\n".join(f"{name}: {money}" for name, money in run_parts(option, report, language))
    return (
        (_("Parts of a run"), parts),
        (_("Billed"), _billing(option, report, language)),
        (_("How to start"), _steps(option, language)),
    )


def page_of(option: Option) -> str:
    """Return the address of the provider's page; empty where there is none."""
    from advisor.catalog import offer_sources

    source = None if option.offer is None else offer_sources().get(option.offer.provider)
    return "" if source is None or not source.url else source.url


def _billing(option: Option, report: Report, language: Language) -> str:
    """Return the least that a run costs, however short it is: the start, and one unit of billing."""
    from advisor.catalog import economics

    if option.offer is None:
        return ""
    unit_usd = option.offer.price_usd_per_h * economics().billing_unit_s.value / HOUR_S
    least_usd = unit_usd + sum(part.run_usd for part in option.cost_parts if part.kind in {"start", "setup"})
    text = language.gettext("by the minute from the start of the machine: the shortest run costs {amount}")
    return text.format(amount=amount(least_usd, report, language))


def _steps(option: Option, language: Language) -> str:
    if option.offer is None:
        return ""
    _ = language.gettext
    site = urlsplit(page_of(option)).netloc.removeprefix("www.")
    steps = (
        _("1. Open an account at {site}.").format(site=site or option.offer.provider),
        _("2. Start {instance} in {region}, from an image with PyTorch.").format(
            instance=option.offer.instance, region=option.offer.region
        ),
        _("3. Copy your data and your program there, and run it."),
        _("4. Copy the result back and delete the machine: it costs until then."),
    )
    return "\n".join(steps)
