"""The answer beside its alternatives: a row for each, and the sentences that compare them."""

from collections.abc import Iterator

from advisor.locale import Language
from advisor.records.job.advice import Option, TradeRow
from advisor.records.results.report import Report
from advisor.report.content.blocks import Paragraph, Section, Table
from advisor.report.content.job_changes import twice_changes
from advisor.report.content.options.option_rows import option_row
from advisor.report.provenance.money import of_cost, of_instead
from advisor.report.provenance.predictions import of_time
from advisor.report.provenance.verdict import of_comparison
from advisor.report.words import quantities
from advisor.report.words.advice.trade import comparison_sentence, given_up_phrase, role_phrase
from advisor.report.words.advice.verdict import chosen_option
from advisor.report.words.labels import limit_phrase
from advisor.units import HOUR_S


def trade_sentences(report: Report, language: Language) -> Iterator[Paragraph]:
    """Yield the sentences that compare the answer with the others, each with where its numbers come from."""
    trade = report.advice.trade
    options = {option.id: option for option in report.advice.options}
    for reason in () if trade is None else trade.reasons:
        if reason.code in ("twice", "twice_none"):
            yield from twice_changes(report, language)
        about = options.get(str(reason.values.get("option")))
        chosen = options.get(str(reason.values.get("base"))) or chosen_option(report)
        if about is not None and chosen is not None:
            origin = of_instead(about, chosen, report, language)
        elif chosen is not None:
            origin = of_time(chosen, report, language)  # how much of a month the runs take
        else:
            origin = of_comparison(report, language)
        yield Paragraph(comparison_sentence(reason, report, language), origin)


def trade_section(report: Report, language: Language) -> Section:
    """Return the options worth weighing side by side; empty where the answer has no alternative."""
    _ = language.gettext
    title = _("The answer beside its alternatives")
    trade = report.advice.trade
    options = {option.id: option for option in report.advice.options}
    rows = [(row, options[row.option]) for row in (() if trade is None else trade.rows) if row.option in options]
    if len(rows) < 2:
        return Section("trade", title, ())
    header = (
        _("Option"),
        _("Time of a run"),
        _("In all")
        if report.circumstances.is_once
        else _("In {months}").format(months=quantities.months(report.circumstances.horizon_months, language)),
        _("Hours in all") if report.circumstances.is_once else _("Hours a month"),
        _("What holds it back"),
        _("What you give up"),
    )
    table = Table(
        header,
        tuple(_cells(row, option, report, language) for row, option in rows),
        numeric=frozenset({1, 2, 3}),
        marked=0,
        tiers=tuple(option.tier for _row, option in rows),
        origins=tuple(
            (
                None,
                of_time(option, report, language),
                of_cost(option, report, language),
                of_time(option, report, language),
                None,
                of_comparison(report, language),
            )
            for _row, option in rows
        ),
    )
    return Section("trade", title, (table,))


def _cells(row: TradeRow, option: Option, report: Report, language: Language) -> tuple[str, ...]:
    shown = option_row(option, report, language)
    limit = "unknown" if option.prediction is None else option.prediction.limit
    asked = report.circumstances
    busy_s = row.busy_s * (asked.horizon_months if asked.is_once else 1.0)
    return (
        f"{shown.title}\n{', '.join(role_phrase(role, language) for role in row.roles)}",
        f"{shown.time}\n{shown.interval}",
        shown.horizon,
        quantities.round_count(busy_s / HOUR_S, language),
        limit_phrase(limit, language),
        "; ".join(given_up_phrase(one, report, language) for one in row.gives_up) or language.gettext("nothing"),
    )
