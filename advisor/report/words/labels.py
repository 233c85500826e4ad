"""Names of things: answers, confidence, bases, limits, fields; each code has its words here, defined once."""

import datetime
import re
from collections.abc import Mapping
from typing import Final, Literal

from advisor.locale import N_, Language
from advisor.records.base import Basis, Interval
from advisor.records.hardware.machine import Accelerator, Host, Isolation, Machine
from advisor.records.job.advice import FactValue, Option, Tier
from advisor.records.job.prediction import Confidence, Limit, confidence_of
from advisor.records.job.workload import Method
from advisor.records.results.report import Report
from advisor.records.results.scaling import Scaling
from advisor.report.words import quantities

TIERS: dict[Tier, str] = {
    "this_computer": N_("This computer"),
    "single_gpu": N_("Buy"),
    "cloud": N_("Rent"),
    "cluster": N_("Cluster"),
}
CONFIDENCES: dict[Confidence, str] = {
    "good": N_("good (up to ±15%)"),
    "fair": N_("fair (up to ±30%)"),
    "rough": N_("rough (more than ±30%)"),
}
_ROUGH = {
    "time": (
        N_("rough (may be {less} shorter or longer)"),
        N_("rough (may be {less} shorter or {more} longer)"),
        N_("rough (may be {less} shorter or {times} times as long)"),
    ),
    "speed": (
        N_("rough (may be {less} slower or faster)"),
        N_("rough (may be {less} slower or {more} faster)"),
        N_("rough (may be {less} slower or {times} times as fast)"),
    ),
}
"""By the same share to both sides, by two shares, and by so much that a factor says it."""
_FACTOR_FROM = 2.0
_WHOLE_TIMES = 3.0
"""From here on nobody needs the tenths of a factor."""
BASES: dict[Basis, str] = {
    "measured": N_("measured here"),
    "scaled": N_("scaled from a measurement on this computer"),
    "shared": N_("taken from measurements of other computers with this device"),
    "modelled": N_("worked out from published specifications"),
    "published": N_("published by somebody else"),
}
_ISOLATIONS: dict[Isolation, str] = {
    "none": N_("none: directly on the computer"),
    "virtual_machine": N_("a virtual machine"),
    "container": N_("a container"),
    "wsl": N_("Windows Subsystem for Linux"),
}
_NAMELESS = frozenset({"", "hypervisor"})  # a virtual machine that does not say whose it is
LIMITS: dict[Limit, str] = {
    "compute": N_("arithmetic"),
    "memory_bandwidth": N_("moving data to and from memory"),
    "launch": N_("starting many small operations"),
    "input": N_("preparing the input data on the processor"),
    "disk": N_("reading the input data from the hard disk"),
    "communication": N_("exchanging data between devices"),
    "unknown": N_("not known"),
}
METHODS: dict[Method, str] = {
    "scratch": N_("training from scratch"),
    "full": N_("full fine-tuning"),
    "transfer": N_("transfer learning"),
    "lora": N_("fine-tuning with LoRA"),
    "qlora": N_("fine-tuning with QLoRA"),
    "classical": N_("classical machine learning"),
}
PRICES: dict[str, str] = {
    "devices": N_("prices of graphics cards"),
    "offers": N_("prices of cloud offers"),
    "electricity": N_("electricity prices"),
    "rates": N_("exchange rates"),
}
PARTS: dict[str, str] = {
    "compute": N_("arithmetic"),
    "memory_bandwidth": N_("memory traffic"),
    "launch": N_("starting operations"),
    "optimizer": N_("updating the parameters"),
    "communication": N_("exchange between devices"),
    "input": N_("waiting for input data"),
}


def tier_name(tier: Tier, language: Language) -> str:
    """Return the name of an answer as tables and charts use it."""
    return language.gettext(TIERS[tier])


def confidence_phrase(confidence: Confidence, language: Language) -> str:
    """Return how sure a time is, in a word with its figure."""
    return language.gettext(CONFIDENCES[confidence])


def sureness(guess: float, interval: Interval | None, language: Language, of: Literal["time", "speed"] = "time") -> str:
    """Return how sure a number is: the word with what it stands for, beside which the interval stands.

    A share of its own beside it contradicted both: "fair (±25%)" of 45 minutes (40 to 55). Of a rough one each side is
    told by itself: "up to 2.1 times longer or shorter" stood beside "2 hours (55 minutes to 2½ hours)"; and of times as
    they are told: "4 times longer" stood beside "45 minutes (40 minutes to 2½ hours)". From twice as much on it is a
    factor, "as long", since 3 times longer is 4 times as long to some.
    """
    if interval is None or guess <= 0 or interval.low <= 0:
        return confidence_phrase("rough", language)
    confidence = confidence_of(guess, interval)
    if confidence != "rough":
        return confidence_phrase(confidence, language)
    ends = (interval.low, interval.high)
    if of == "time":
        ends = quantities.spoken_ends(guess, *ends, language)
        guess, ends = quantities.spoken_s(guess), (quantities.spoken_s(ends[0]), quantities.spoken_s(ends[1]))
    times = ends[1] / guess
    less, more = (language.percent(abs(end / guess - 1.0)) for end in ends)
    alike, apart, several = _ROUGH[of]
    text = several if times >= _FACTOR_FROM else alike if less == more else apart
    whole = language.number(times) if times >= _WHOLE_TIMES else quantities.factor(times, language)
    return language.gettext(text).format(less=less, more=more, times=whole)


def option_confidence(option: Option, language: Language) -> str:
    """Return how sure the time of an option is: the same words wherever the option is shown; a rough one has its range.

    Where the range stands beside it, ``option_sureness`` says how wide that is.
    """
    ends = option.interval
    if not option.run_s or ends is None or ends.low <= 0 or confidence_of(option.run_s, ends) != "rough":
        return option_sureness(option, language)
    span = quantities.range_around(option.run_s, ends.low, ends.high, language)
    return language.gettext("rough ({range})").format(range=span)


def option_sureness(option: Option, language: Language) -> str:
    """Return how sure the time of an option is, without its range."""
    return sureness(option.run_s or 0.0, option.interval, language)


def basis_phrase(basis: Basis, language: Language) -> str:
    """Return what a number rests on."""
    return language.gettext(BASES[basis])


def limit_phrase(limit: Limit, language: Language) -> str:
    """Return what holds a device back."""
    return language.gettext(LIMITS[limit])


def part_phrase(name: str, language: Language) -> str:
    """Return the name of a part of a step; an unknown one as it is written."""
    return language.gettext(PARTS[name]) if name in PARTS else name


def amount(usd: float, report: Report, language: Language) -> str:
    """Return US dollars in the user's currency."""
    return quantities.money(usd * report.currency_per_usd, report.circumstances.currency, language)


def named_amount(usd: float, report: Report, language: Language) -> str:
    """Return US dollars in the user's currency, named where an amount stands alone and its sign is others' as well."""
    said, currency = amount(usd, report, language), report.circumstances.currency
    return f"{said}\N{NO-BREAK SPACE}{currency}" if language.is_other_dollar(currency) else said


def price_title(report: Report, language: Language) -> str:
    """Return what a column of prices is called, with the currency where its sign is that of others as well."""
    title, currency = language.gettext("Price"), report.circumstances.currency
    return f"{title} ({currency})" if language.is_other_dollar(currency) else title


def money_between(usd: float, other_usd: float, report: Report, language: Language) -> str:
    """Return how far two amounts are apart, as who reads both subtracts one from the other.

    One that rounding hides in the other takes nothing from it: beside $6,300 and $0.98 nobody reads $6,299.
    """
    rate = report.currency_per_usd
    less, more = sorted(quantities.shown_money(one * rate) for one in (usd, other_usd))
    if more > 0 and quantities.shown_money(more + less) == more == quantities.shown_money(more - less):
        less = 0.0
    apart = more - less
    if apart >= 1:  # not rounded again: 1,360 less 313 is 1,047, not 1,050
        return language.money(apart, report.circumstances.currency)
    apart = apart or abs(usd - other_usd) * rate  # both read the same
    return quantities.money(apart, report.circumstances.currency, language)


_APART: Final = (("total_usd", "least_usd"), ("rival_usd", "chosen_usd"), ("rival_usd", "base_usd"))
"""Names of two amounts whose difference is told."""


def with_spoken_difference(values: Mapping[str, FactValue], report: Report, language: Language) -> dict[str, FactValue]:
    """Return values with what one thing costs more than another by the amounts that are said of both."""
    for one, other in _APART:
        usd, other_usd = values.get(one), values.get(other)
        if isinstance(usd, (int, float)) and isinstance(other_usd, (int, float)):
            return {**values, "extra_usd": money_between(usd, other_usd, report, language)}
    return dict(values)


_CORES = re.compile(r"\((?P<count>\d{1,3})-core GPU\)")
"""Variants of Apple's chips: the name of a device says which."""


def device_title(name: str, language: Language) -> str:
    """Return the name of a device, with what is no name in it said in the language: ``(16-core GPU)``."""
    return _CORES.sub(lambda found: language.gettext("({n}-core GPU)").format(n=found["count"]), name)


def option_title(option: Option, language: Language) -> str:
    """Return the name of an option, with the provider where it is rented."""
    _ = language.gettext
    if option.site_nodes:
        return _site_title(option, language)
    if option.offer is None:
        return device_title(option.title, language)
    name = PROVIDERS.get(option.offer.provider, option.offer.provider)
    if option.offer.spot:
        return _("{device} at {provider} (interruptible)").format(device=option.title, provider=name)
    return _("{device} at {provider}").format(device=option.title, provider=name)


def whole_title(option: Option, language: Language) -> str:
    """Return the name of an option, with the computer around a card where its price is of both."""
    title = option_title(option, language)
    return language.gettext("{name} in a new PC").format(name=title) if option.host_usd > 0 else title


def with_article(option: Option, title: str, language: Language) -> str:
    """Return a title of an option as it stands in a sentence: "una GeForce RTX 4090" where a language wants an article.

    What is here already, or several of a kind, has none.
    """
    if option.tier == "this_computer" or option.site_nodes > 0 or option.device_count > 1:
        return title
    named = language.pgettext("a computer", "{name}") if option.is_computer else language.pgettext("a card", "{name}")
    return named.format(name=title)


def _site_title(option: Option, language: Language) -> str:
    if option.site_nodes == 1 and option.device_count == 1:
        return language.gettext("your cluster: 1 node, {device}").format(device=option.title)
    ratio = 1.0 if option.prediction is None else option.prediction.scaling_efficiency_ratio
    text = language.ngettext(
        "your cluster: {n} node, {times} x one device ({device})",
        "your cluster: {n} nodes, {times} x one device ({device})",
        option.site_nodes,
    )
    times = language.number(ratio * option.device_count, 1)
    return text.format(n=language.number(option.site_nodes), times=times, device=option.title)


def cluster_phrase(scaling: Scaling, language: Language) -> str:
    """Return what was measured of a cluster: "4 nodes of 8 × NVIDIA H100, measured on November 23, 2026"."""
    _, nodes = language.gettext, len(scaling.nodes)
    title = next((rank.title for rank in scaling.ranks if rank.title), "") or _("without a card")
    each = len(scaling.ranks) // max(nodes, 1)
    text = language.ngettext("{n} node ({device}), measured on {day}", "{n} nodes ({device}), measured on {day}", nodes)
    device = title if each <= 1 else f"{language.number(each)} × {title}"
    return text.format(n=language.number(nodes), device=device, day=spoken_date(scaling.created_at, language))


PROVIDERS: dict[str, str] = {
    "aws": "AWS",
    "azure": "Azure",
    "gcp": "Google Cloud",
    "lambdalabs": "Lambda",
    "lambda": "Lambda",
    "runpod": "RunPod",
    "vastai": "Vast.ai",
    "datacrunch": "Verda",
    "verda": "Verda",
    "cudo": "CUDO",
    "nebius": "Nebius",
    "oci": "Oracle Cloud",
    "tensordock": "TensorDock",
    "vultr": "Vultr",
    "cloudrift": "CloudRift",
    "digitalocean": "DigitalOcean",
    "hotaisle": "Hot Aisle",
    "crusoe": "Crusoe",
    "coreweave": "CoreWeave",
    "hyperstack": "Hyperstack",
    "jarvislabs": "JarvisLabs",
    "scaleway": "Scaleway",
}


def spoken_date(day: str, language: Language) -> str:
    """Return an ISO date, or a month, as people write it; anything else as it is."""
    try:
        if len(day) == len("2020-10"):
            return language.month(datetime.date.fromisoformat(f"{day}-01"))
        return language.date(datetime.date.fromisoformat(day[:10]))
    except ValueError:
        return day


def spoken_moment(moment: str, language: Language, *, is_short: bool = False) -> str:
    """Return date and time as people write them, in a list with a short month; in the time of this place.

    Anything else is returned as it is.
    """
    from babel.dates import format_date, format_time

    try:
        local = datetime.datetime.fromisoformat(moment).astimezone()
    except (ValueError, OverflowError, OSError):
        return moment
    time = str(format_time(local.time(), format="short", locale=language.region))
    if is_short:
        return f"{format_date(local.date(), format='medium', locale=language.region)}, {time}"
    return f"{spoken_date(local.date().isoformat(), language)}, {time}"


def users_phrase(card: Accelerator, language: Language) -> str | None:
    """Return who uses a card: programs by name, or, as in a report, how many; None where nobody does."""
    if not card.used_by or all(card.used_by):
        return ", ".join(card.used_by) or None
    count = len(card.used_by)
    return language.ngettext("{n} program", "{n} programs", count).format(n=language.number(count))


def is_laptop(machine: Machine) -> bool:
    """Return whether the computer is called a laptop."""
    return machine.host.form_factor == "laptop"


FIELDS: dict[str, str] = {
    "accelerators": N_("Graphics cards"),
    "architectures": N_("Cards PyTorch was built for"),
    "base_frequency_hz": N_("Nominal clock of the processor"),
    "battery": N_("Battery"),
    "benchmark": N_("Measurements"),
    "caches_bytes": N_("Caches of the processor"),
    "charge_ratio": N_("Charge of the battery"),
    "cpu_power_w": N_("Power of the processor"),
    "cpu_ratio": N_("Use of the processor"),
    "cpu_temperature_celsius": N_("Temperature of the processor"),
    "compute_api_version": N_("CUDA version of the driver"),
    "compute_capability": N_("Compute capability of the card"),
    "disk": N_("Disk"),
    "driver_version": N_("Driver version"),
    "ecc_enabled": N_("Error correction of the card's memory"),
    "electricity": N_("Electricity price"),
    "form_factor": N_("Laptop or desktop"),
    "framework": N_("PyTorch and the card"),
    "free_bytes": N_("Free space on the disk"),
    "instruction_sets": N_("Instruction sets of the processor"),
    "is_plugged_in": N_("Mains or battery"),
    "isolation": N_("Virtual machine or container"),
    "kind": N_("Kind"),
    "max_frequency_hz": N_("Highest clock of the processor"),
    "memory": N_("Memory (RAM)"),
    "memory_bytes": N_("Memory of the card"),
    "memory_used_bytes": N_("Used memory of the card"),
    "mig_enabled": N_("Whether the card is split (MIG)"),
    "name": N_("Name"),
    "network": N_("Network of the workload"),
    "offers": N_("Cloud offers"),
    "pci_id": N_("PCI identification"),
    "pcie": N_("Link between processor and card"),
    "physical_cores": N_("Cores of the processor"),
    "power_w": N_("Power of the card"),
    "power_limit_w": N_("Power limit of the card"),
    "prediction": N_("Predicted time"),
    "temperature_celsius": N_("Temperature of the card"),
    "trains": N_("Whether the card can train networks"),
    "unified_memory": N_("Whether the card shares the main memory"),
    "usable_cores": N_("Cores this program may use"),
    "utilisation_ratio": N_("Use of the card"),
    "used_by": N_("Programs that use the card"),
    "version": N_("PyTorch version"),
    "visible_devices": N_("Cards PyTorch can use"),
}


def field_phrase(field: str, language: Language) -> str:
    """Return what a dotted field is called; an unknown one as it is written, without underscores.

    Args:
        field: Such as ``accelerators.0.power_limit_w``; the last part that is a word counts.
        language: The user's.
    """
    words = [part for part in field.split(".") if part and not part.isdigit()]
    for word in reversed(words):
        if word in FIELDS:
            return language.gettext(FIELDS[word])
    return (words[-1] if words else field).replace("_", " ")


def isolation_phrase(host: Host, language: Language) -> str:
    """Return what programs run inside of, such as "a container (Docker) inside a virtual machine"."""
    if host.isolation != "container":
        return _named_isolation(host.isolation, host.isolation_detail, language)
    name, _comma, around = host.isolation_detail.partition(", ")
    inner = _named_isolation("container", name, language)
    if not around:
        return inner
    outer = around if around.startswith("WSL") else _named_isolation("virtual_machine", around, language)
    return language.gettext("{inner} inside {outer}").format(inner=inner, outer=outer)


def _named_isolation(kind: Isolation, name: str, language: Language) -> str:
    words = language.gettext(_ISOLATIONS[kind])
    return words if name in _NAMELESS else f"{words} ({name})"
