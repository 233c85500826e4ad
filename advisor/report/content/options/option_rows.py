"""The options as rows: which ones to show of hundreds, and what each costs in time and money."""

from collections.abc import Callable, Container, Iterable
from typing import NamedTuple

from advisor.locale import Language
from advisor.records.job.advice import Advice, Option, Tier
from advisor.records.results.own_computer import falls_short
from advisor.records.results.report import Report
from advisor.report.provenance.beside import of_whole_time
from advisor.report.provenance.predictions import of_time
from advisor.report.provenance.record import Provenance
from advisor.report.words import quantities
from advisor.report.words.advice.money import price_note, price_of_pretended
from advisor.report.words.advice.reasons import obstacle_phrase
from advisor.report.words.labels import amount, named_amount, option_title, tier_name
from advisor.units import MONTH_S

SHOWN_OPTIONS = 12
_PER_TIER = 3
_LEAST_START_S = 60.0


class OptionRow(NamedTuple):
    """One option in the words of a table.

    Attributes:
        host: The computer around the card that is in the price.
        price: Of where the price of a purchase is, where that has to be known.
        time: Until the result is there: of a rented machine with its start, as ``interval``.
        start: Of what that is made; empty where the start is nothing to speak of.
        horizon: Cost over the months of use.
        condition: Under which that is the cost; empty where there is none.
    """

    option: Option
    tier: str
    title: str
    time: str
    interval: str
    start: str
    memory: str
    cost: str
    price: str
    host: str
    horizon: str
    condition: str
    energy: str
    co2: str
    remark: str


def named_options(advice: Advice) -> frozenset[str]:
    """Return the ids of the options that the reasons for the answer name."""
    return frozenset(str(reason.values["option"]) for reason in advice.reasons if "option" in reason.values)


def shown_options(
    options: Iterable[Option], limit: int = SHOWN_OPTIONS, named: Container[str] = ()
) -> tuple[Option, ...]:
    """Return the options worth a line: the chosen one, this computer, the best of each tier, then the next best.

    A device is shown once in a tier: of equal ones, the best ranked stands for all. Clusters are shown only where the
    answer, the first of all, is one. Those with a given id are always among them.
    """
    ordered = list(options)
    if ordered and ordered[0].tier != "cluster":
        ordered = [option for option in ordered if option.tier != "cluster" or option.site_nodes]
    best: dict[tuple[str, ...], Option] = {}
    for option in ordered:
        own_row = option.id if option.tier == "this_computer" or option.id in named else ""
        best.setdefault((option.tier, option.device, str(option.device_count), own_row), option)
    distinct = list(best.values())
    counts: dict[Tier, int] = {}
    picked: list[Option] = []
    for option in distinct:
        counts[option.tier] = counts.get(option.tier, 0) + 1
        if counts[option.tier] <= _PER_TIER or option.id in named:
            picked.append(option)
    rest = [option for option in distinct if option not in picked and option.feasible]
    return tuple(sorted((picked + rest)[:limit], key=ordered.index))


def option_rows(report: Report, language: Language) -> tuple[OptionRow, ...]:
    """Return the rows of the table of options."""
    shown = shown_options(report.advice.options, SHOWN_OPTIONS, named_options(report.advice))
    return tuple(option_row(option, report, language) for option in shown)


def option_row(option: Option, report: Report, language: Language, *, is_alone: bool = False) -> OptionRow:
    """Return one option in words; where it stands alone, no title of a column names the currency."""
    is_chosen, is_too_small = option.id == report.advice.chosen, option.obstacle == "does_not_fit"
    return OptionRow(
        option=option,
        tier=tier_name(option.tier, language),
        title=option_title(option, language),
        time="–" if option.run_s is None or is_too_small else quantities.duration(_shown_s(option), language),
        interval="" if is_too_small else _interval(option, language),
        start="" if is_too_small else _start(option, language),
        memory=_memory(option, language),
        cost=_cost(option, report, language, named_amount if is_alone else amount),
        price=price_note(option, report, language),
        host=_host(option, language),
        horizon=_horizon(option, report, language),
        condition=_condition(option, report, language),
        energy="–" if option.energy_j is None or is_too_small else quantities.energy(option.energy_j, language),
        co2="" if option.co2_g is None or is_too_small else f"{quantities.co2(option.co2_g, language)} CO₂",
        remark=pick_phrase(report, language) if is_chosen else obstacle_phrase(option, report, language),
    )


def pick_phrase(report: Report, language: Language) -> str:
    """Return what the option that is named first is called."""
    return language.gettext("comes closest") if falls_short(report) else language.gettext("recommended")


def over_months(row: OptionRow, report: Report, language: Language) -> str:
    """Return what an option costs over the months of use, with its condition; empty where unknown, or said already."""
    asked, option = report.circumstances, row.option
    is_here = option.tier == "this_computer"
    is_beyond = is_here and (option.run_s or 0.0) * asked.runs_per_month > MONTH_S
    if row.horizon == "–" or asked.is_once or is_beyond:  # so many runs do not end in these months
        return row.condition if is_here else ""
    months = quantities.months(asked.horizon_months, language)
    total = language.gettext("{cost} in {months}").format(cost=row.horizon, months=months)
    return ", ".join(filter(None, (total, row.condition)))


def _interval(option: Option, language: Language) -> str:
    if option.interval is None or option.run_s is None:
        return ""
    shown_s = _shown_s(option)
    low_s, high_s = (end_s + shown_s - option.run_s for end_s in (option.interval.low, option.interval.high))
    return quantities.range_around(shown_s, low_s, high_s, language)


def _has_start(option: Option) -> bool:
    return option.offer is not None and option.before_s >= _LEAST_START_S


def _shown_s(option: Option) -> float:
    return option.done_s if _has_start(option) else option.run_s or 0.0


def time_origin(option: Option, report: Report, language: Language) -> Provenance:
    """Return where the time in an option's row comes from."""
    return (of_whole_time if _has_start(option) else of_time)(option, report, language)


def _start(option: Option, language: Language) -> str:
    if not _has_start(option) or option.run_s is None:
        return ""
    run, before = (quantities.duration(part_s, language) for part_s in (option.run_s, option.before_s))
    return language.gettext("{run} + {start} until it starts").format(run=run, start=before)


def _memory(option: Option, language: Language) -> str:
    memory = option.prediction.memory if option.prediction is not None else None
    if memory is None:
        return "–"
    if memory.available_bytes is None:
        return quantities.memory(memory.total_bytes, language)
    return quantities.memory_of(memory.total_bytes, memory.available_bytes, language)


def _horizon(option: Option, report: Report, language: Language) -> str:
    """Return the cost over the horizon; none where not even one run would be done by then, or ever."""
    is_beyond = (option.run_s or 0.0) > report.circumstances.horizon_months * MONTH_S
    if option.horizon_usd is None or is_beyond or option.obstacle == "does_not_fit":
        return "–"
    return amount(option.horizon_usd, report, language)


def _condition(option: Option, report: Report, language: Language) -> str:
    """Return under which condition the cost over the months is as low, or what it does not count."""
    _, asked = language.gettext, report.circumstances
    if option.purchase_usd > 0:
        return _("if you sell card and PC then") if option.host_usd > 0 else _("if you sell it then")
    if (price_usd := price_of_pretended(report, option)) is not None:
        return _("plus about {price} for the card").format(price=amount(price_usd, report, language))
    runs = asked.runs_per_month * asked.horizon_months
    is_stored = any(part.kind == "storage" and part.usd(runs) > 0 for part in option.cost_parts)
    return _("with storage") if is_stored else ""


def _host(option: Option, language: Language) -> str:
    """Return that a computer around the card is in the price, and what it has to prepare data with."""
    if option.host_usd <= 0:
        return ""
    if option.threads is None:
        return language.gettext("in a new PC")
    return language.gettext("in a new PC with {threads} threads").format(threads=language.number(option.threads))


def _cost(option: Option, report: Report, language: Language, said: Callable[[float, Report, Language], str]) -> str:
    _ = language.gettext
    if option.purchase_usd > 0:
        return _("{amount} once").format(amount=said(option.purchase_usd, report, language))
    if option.run_usd is None or option.obstacle == "does_not_fit":
        return "–"
    return _("{amount} a run").format(amount=said(option.run_usd, report, language))
