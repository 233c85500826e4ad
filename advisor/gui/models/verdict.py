"""The answer as the window shows it: a sentence, what it rests on, why, and the options beside it."""

from dataclasses import dataclass

from advisor.locale import Language
from advisor.records.advice import Option
from advisor.records.report import Report
from advisor.report.quantities import duration, money


@dataclass(frozen=True, kw_only=True)
class OptionChip:
    """One option in short: which of the four answers, its name, time and money."""

    kind: str
    title: str
    time: str
    cost: str
    is_chosen: bool


KIND_OF_TIER = {"this_computer": "here", "single_gpu": "buy", "cloud": "rent", "cluster": "cluster"}


def kind_of(option: Option) -> str:
    """Return which of the four colours an option wears: here, buy, rent or cluster."""
    return KIND_OF_TIER[option.tier]


def chips(report: Report, language: Language) -> tuple[OptionChip, ...]:
    """Return the best option of each answer, the chosen one first."""
    best: dict[str, Option] = {}
    for option in report.advice.options:
        if option.run_s is not None and (option.feasible or option.tier == "this_computer"):
            best.setdefault(kind_of(option), option)
    return tuple(_chip(option, report, language) for option in best.values())


def _chip(option: Option, report: Report, language: Language) -> OptionChip:
    _ = language.gettext
    currency = report.circumstances.currency
    if option.tier == "this_computer":
        cost = money(0.0, currency, language)
    elif option.purchase_usd:
        cost = money(option.purchase_usd, currency, language)
    else:
        cost = _("{amount} a run").format(amount=money(option.run_usd or 0.0, currency, language))
    return OptionChip(
        kind=kind_of(option),
        title=option.title,
        time=duration(option.run_s or 0.0, language),
        cost=cost,
        is_chosen=option.id == report.advice.chosen,
    )


def headline(report: Report, language: Language) -> str:
    """Return the answer in one sentence."""
    _ = language.gettext
    texts = {
        "this_computer": _("Your computer is enough."),
        "single_gpu": _("Get a graphics card."),
        "cloud": _("Rent in the cloud."),
        "cluster": _("This needs a cluster."),
    }
    return texts[report.advice.tier]
