"""What the first page of a report on paper has beside the answer: which computer, when, the options and their cost."""

from advisor.locale import Language
from advisor.records.results.report import Report
from advisor.report.content.blocks import Block, Figure, Table
from advisor.report.content.options.best import best_options
from advisor.report.content.options.option_rows import option_row, time_origin
from advisor.report.provenance.money import of_cost, of_price
from advisor.report.words import quantities
from advisor.report.words.labels import price_title, spoken_date

_MOST_CARDS = 4


def title_block(report: Report, language: Language) -> tuple[tuple[str, str], ...]:
    """Return which computer a report is about, by its parts and the label it was given, and when it was made."""
    _ = language.gettext
    machine = report.machine
    cards = [card.name for card in machine.accelerators if card.trains][:_MOST_CARDS]
    parts = filter(None, (report.label, machine.host.cpu.name, *cards))
    return (
        (_("Computer"), " · ".join(parts)),
        (_("Date"), spoken_date(report.created_at, language)),
    )


def front_page(report: Report, language: Language) -> tuple[Block, ...]:
    """Return the best option of each answer side by side, and what keeping, buying and renting cost over time."""
    from advisor.report.charts.cost_lines import cost_lines

    table, chart = _options(report, language), cost_lines(report, language)
    return (*((table,) if table.rows else ()), *((Figure(chart),) if chart is not None else ()))


def _options(report: Report, language: Language) -> Table:
    _ = language.gettext
    months = quantities.months(report.circumstances.horizon_months, language)
    options = best_options(report)
    rows = [option_row(one, report, language) for one in options]
    return Table(
        (_("Option"), _("Time of a run"), price_title(report, language), _("In {months}").format(months=months)),
        tuple(
            (
                f"{row.title}\n{row.tier}",
                "\n".join(filter(None, (row.time, row.interval, row.start))),
                "\n".join(filter(None, (row.cost, row.price, row.host))),
                f"{row.horizon}\n{row.condition}",
            )
            for row in rows
        ),
        numeric=frozenset({1, 2, 3}),
        marked=next((place for place, one in enumerate(options) if one.id == report.advice.chosen), None),
        tiers=tuple(one.tier for one in options),
        origins=tuple(
            (None, time_origin(one, report, language), of_price(one, report, language), of_cost(one, report, language))
            for one in options
        ),
    )
