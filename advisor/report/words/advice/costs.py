"""What a cost consists of, and where the cheapest of keeping, buying and renting changes, in words."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from advisor.locale import N_, Language
from advisor.records.job.advice import CostLine, CostRole, Option
from advisor.records.job.prediction import CostKind
from advisor.records.results.report import Report
from advisor.report.words import quantities
from advisor.report.words.advice.reasons import obstacle_phrase
from advisor.report.words.labels import amount, option_title, spoken_date, with_article
from advisor.report.words.sources import source_phrase

PARTS: Final[dict[CostKind, tuple[str, str]]] = {
    # what it is called, and how it is worked out
    "purchase": (N_("Purchase"), N_("launch or street price in the catalogue, paid once")),
    "resale": (N_("Resale at the end"), N_("the share of the price that is left by then, of a card and of a PC")),
    "electricity": (N_("Electricity"), N_("power × time of all runs × price of a kilowatt-hour")),
    "rent": (N_("Rent while it computes"), N_("time of all runs × price of an hour")),
    "start": (N_("Rent while it starts"), N_("the minutes until it is ready, before each run × price of an hour")),
    "setup": (N_("Rent while you set it up"), N_("the minutes you gave, before each run")),
    "rounding": (N_("Rounding up"), N_("each run is billed to the next full minute")),
    "interruptions": (
        N_("Interruptions"),
        N_("how often such machines are taken away × half an epoch that is computed again, and a new start"),
    ),
    "storage": (N_("Storage"), N_("the data and the trained network, for every day begun from upload to end of a run")),
    "download": (N_("Download of the result"), N_("the trained network after each run, beyond 100 GB a month")),
    "failed_tries": (N_("Failed tries"), N_("as many whole runs more as you gave")),
}

ROLES: Final[dict[CostRole, str]] = {
    "keep": N_("Keep {option}"),
    "buy": N_("Buy {option}"),
    "rent": N_("Rent {option}"),
}


def part_name(kind: CostKind, language: Language) -> str:
    """Return what a part of a cost is called."""
    return language.gettext(PARTS[kind][0])


def part_method(kind: CostKind, report: Report, language: Language) -> str:
    """Return how a part is worked out, with the sources of the figures behind it where they are not the user's own."""
    method, known = language.gettext(PARTS[kind][1]), report.cost_sources
    sources = [known[name] for name in (kind, f"host_{kind}") if name in known]
    said = "; ".join(f"{source_phrase(one, language)}, {spoken_date(one.date, language)}" for one in sources)
    return f"{method} ({said})" if said else method


_CROSSINGS: Final[dict[tuple[bool, bool], str]] = {
    (True, False): N_(
        "Of what is compared here, “{below}” costs the least over {months} up to {runs} runs a month, “{above}” "
        "from there on; you said {asked}."
    ),
    (True, True): N_(
        "Of what is compared here, “{below}” costs the least over {months} up to {runs} runs a month, and a month"
        " has no time for more; from there on “{above}” does. You said {asked}."
    ),
    (False, False): N_("From {runs} runs a month on, “{above}” costs the least."),
    (False, True): N_("“{below}” can do no more than {runs} runs a month; beyond that, “{above}”."),
}
"""What is said of a crossing, by whether it is the first, and whether it is where a month has no room for more."""

_OF_ONE_RUN: Final = (
    N_(
        "Of what is compared here, “{below}” costs the least over {months} up to {runs} runs in all, “{above}” from "
        "there on; you said one."
    ),
    N_("From {runs} runs in all on, “{above}” costs the least."),
)
"""What is said of the first crossing, and of others, where the job is done once."""


def cents(amounts: Sequence[float]) -> tuple[list[int], int]:
    """Return amounts in whole hundredths that add up to their total in whole hundredths, and that total.

    Each is rounded down or up; those are rounded up that are nearest to it.
    """
    exact = [100 * amount for amount in amounts]
    total = round(sum(exact))
    found = [int(value // 1) for value in exact]
    nearest = sorted(range(len(exact)), key=lambda place: found[place] - exact[place])
    for place in nearest[: max(0, total - sum(found))]:
        found[place] += 1
    return found, total


def exact_amounts(parts_usd: Sequence[float], report: Report, language: Language) -> tuple[list[str], str]:
    """Return US dollars in the user's currency, to the hundredth, so that they add up, and their total."""
    found, total = cents([usd * report.currency_per_usd for usd in parts_usd])
    currency = report.circumstances.currency
    said = [
        language.exact_money(one / 100, currency) if one else amount(usd, report, language)
        for one, usd in zip(found, parts_usd, strict=True)
    ]
    return said, language.exact_money(total / 100, currency)


def shown_lines(report: Report) -> list[tuple[CostLine, Option]]:
    """Return what is kept, bought and rented; nothing where a report by another hand names what is not there."""
    over_time = report.advice.cost_over_time
    by_id = {option.id: option for option in report.advice.options}
    lines = () if over_time is None else over_time.lines
    found = [(line, by_id[line.option]) for line in lines if line.option in by_id]
    crossings = () if over_time is None else over_time.crossings
    crossed = {role for one in crossings for role in (one.below, one.above)}
    return found if len(found) == len(lines) and crossed <= {line.role for line in lines} else []


def line_title(line: CostLine, option: Option, language: Language) -> str:
    """Return what is done, and with what: ``Rent L4 at Lambda``."""
    return language.gettext(ROLES[line.role]).format(option=option_title(option, language))


def crossing_sentences(report: Report, language: Language) -> Iterator[str]:
    """Yield from how many runs on another of the three is the cheapest, and where keeping is none of them."""
    over_time, asked = report.advice.cost_over_time, report.circumstances
    shown = shown_lines(report)
    if over_time is None or not shown:
        return
    _ = language.gettext
    lines = {line.role: line_title(line, option, language) for line, option in shown}
    months = quantities.months(asked.horizon_months, language)
    scale = asked.horizon_months if asked.is_once else 1.0
    if not over_time.crossings:
        text = _(
            "Of what is compared here, “{option}” costs the least over {months}, whatever the number of runs up to "
            "{runs} a month."
        )
        if asked.is_once:
            text = _("Of what is compared here, “{option}” costs the least over {months}, for one run or {runs}.")
        most = quantities.round_count(over_time.most_runs_per_month * scale, language)
        least = min(over_time.lines, key=lambda line: line.by_month[-1][1])
        yield text.format(months=months, runs=most, option=lines[least.role])
    limits = {line.role: line.most_runs_per_month for line in over_time.lines}
    for place, crossing in enumerate(over_time.crossings):
        is_full = limits[crossing.below] == crossing.runs_per_month
        text = _OF_ONE_RUN[min(place, 1)] if asked.is_once else _CROSSINGS[place == 0, is_full]
        yield _(text).format(
            months=months,
            below=lines[crossing.below],
            above=lines[crossing.above],
            runs=quantities.round_count(crossing.runs_per_month * scale, language),
            asked=quantities.round_count(asked.runs_per_month, language),
        )
    yield from _left_out(report, lines, language)
    yield from _cheaper_still(report, [option for _line, option in shown], language)


def _left_out(report: Report, lines: Mapping[CostRole, str], language: Language) -> Iterator[str]:
    """Yield that what one has is not compared, where nobody says what it draws."""
    rows = () if report.advice.trade is None else report.advice.trade.rows
    kept = next((row.option for row in rows if "stay" in row.roles), None)
    option = next((one for one in report.advice.options if one.id == kept), None)
    if option is not None and option.run_usd is None and "keep" not in lines:
        text = language.gettext("{option} is not among them, because nobody publishes what it draws.")
        yield text.format(option=option_title(option, language))


def _cheaper_still(report: Report, shown: Sequence[Option], language: Language) -> Iterator[str]:
    """Yield that something costs less than all that is compared, and why it does not count: elsewhere it is named."""
    rows = () if report.advice.trade is None else report.advice.trade.rows
    cheapest = next((row.option for row in rows if "cheapest" in row.roles), None)
    option = next((one for one in report.advice.options if one.id == cheapest), None)
    known_usd = [one.horizon_usd for one in shown if one.horizon_usd is not None]
    if option is None or option.horizon_usd is None or option.horizon_usd >= min(known_usd, default=0.0):
        return
    if why := obstacle_phrase(option, report, language):
        text = language.gettext("{option} would cost less ({money}), but is not compared here ({why}).")
        money = amount(option.horizon_usd, report, language)
        said = text.format(option=with_article(option, option_title(option, language), language), money=money, why=why)
        yield said[:1].upper() + said[1:]
