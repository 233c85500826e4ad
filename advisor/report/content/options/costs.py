"""What keeping, buying and renting cost: each part of the sum, and all of it for any number of runs a month."""

from advisor.locale import Language
from advisor.records.job.advice import Option
from advisor.records.job.prediction import CostKind
from advisor.records.results.provenance import Provenance
from advisor.records.results.report import Report
from advisor.report.content.blocks import Block, Bullets, Figure, Item, Paragraph, Section, Table
from advisor.report.provenance.money import of_cost
from advisor.report.provenance.verdict import of_comparison
from advisor.report.words import quantities
from advisor.report.words.advice.cost_figures import option_figures
from advisor.report.words.advice.costs import (
    PARTS,
    cents,
    crossing_sentences,
    line_title,
    part_method,
    part_name,
    shown_lines,
)


def costs_section(report: Report, language: Language, *, is_plain: bool = False) -> Section:
    """Return the parts of each cost and where the lines cross; empty where there is nothing to compare."""
    _ = language.gettext
    months = quantities.months(report.circumstances.horizon_months, language)
    title = _("What it costs in {months}").format(months=months)
    if not shown_lines(report):
        return Section("costs", title, ())
    sentences = " ".join(crossing_sentences(report, language))
    blocks: list[Block] = [Paragraph(sentences, of_comparison(report, language)), parts_table(report, language)]
    if figures := _figures(report, language):
        blocks.append(Bullets(figures))
    if not is_plain:
        from advisor.report.charts.cost_lines import cost_lines

        if (chart := cost_lines(report, language)) is not None:
            blocks.append(Figure(chart))
    return Section("costs", title, tuple(blocks))


def _figures(report: Report, language: Language) -> tuple[Item, ...]:
    """Return for each line what its parts are multiplied from."""
    told = ((line, option, option_figures(option, report, language)) for line, option in shown_lines(report))
    items = tuple(
        Item(text, lead=line_title(line, option, language), origin=of_cost(option, report, language))
        for line, option, text in told
        if text
    )
    currency = report.circumstances.currency
    if not items or currency == "USD":
        return items
    rate = Item(
        f"1\N{NO-BREAK SPACE}USD = {language.significant(report.currency_per_usd, 7)}\N{NO-BREAK SPACE}{currency}"
    )
    return (*items, rate)


def parts_table(report: Report, language: Language) -> Table:
    """Return a column for each line, a row for each part, to the hundredth; the parts add up to the last row."""
    _ = language.gettext
    lines = shown_lines(report)
    options = [option for _line, option in lines]
    columns = [_column(option, report) for option in options]
    kinds: list[CostKind] = [kind for kind in PARTS if any(kind in amounts for amounts, _total in columns)]
    rows = [
        (
            part_name(kind, language),
            *(_shown(amounts.get(kind), report, language) for amounts, _total in columns),
            part_method(kind, report, language),
        )
        for kind in kinds
    ]
    totals = (_shown(total, report, language) for _amounts, total in columns)
    rows.append((_("Together"), *totals, _("the sum of the parts above")))
    header = (_("Part"), *(line_title(line, option, language) for line, option in lines), _("Method"))
    origins: tuple[Provenance | None, ...] = (None, *(of_cost(one, report, language) for one in options), None)
    return Table(
        header,
        tuple(rows),
        numeric=frozenset(range(1, 1 + len(lines))),
        marked=len(rows) - 1,
        origins=(origins,) * len(rows),
    )


def _column(option: Option, report: Report) -> tuple[dict[CostKind, int], int]:
    """Return each part of an option's cost and their sum, in hundredths of the user's currency."""
    asked = report.circumstances
    runs = asked.runs_per_month * asked.horizon_months
    parts = [part for part in option.cost_parts if part.usd(runs)]
    shown, total = cents([part.usd(runs) * report.currency_per_usd for part in parts])
    return {part.kind: amount for part, amount in zip(parts, shown, strict=True)}, total


def _shown(amount: int | None, report: Report, language: Language) -> str:
    return "–" if amount is None else language.exact_money(amount / 100, report.circumstances.currency)
