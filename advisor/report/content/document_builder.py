"""What a report says, in order, free of any format: the renderers only lay it out.

The answer comes first, its evidence after: every section below the verdict can be skipped without missing the answer.
"""

from advisor.locale import Language
from advisor.records.job.advice import FiredRule, Option
from advisor.records.results.provenance import Provenance
from advisor.records.results.report import Report
from advisor.report.content import sections
from advisor.report.content.answer import Answer, answer
from advisor.report.content.articles import beside_articles
from advisor.report.content.blocks import Block, Bullets, Figure, Item, Paragraph, Section, Table
from advisor.report.content.document import Document
from advisor.report.content.job_changes import job_changes
from advisor.report.content.options.costs import costs_section
from advisor.report.content.options.option_rows import SHOWN_OPTIONS, OptionRow, option_rows, time_origin
from advisor.report.content.options.purchase import purchase_section
from advisor.report.content.options.trade import trade_section
from advisor.report.content.options.what_if import what_if
from advisor.report.content.own_data import own_data
from advisor.report.content.paper_front_page import front_page, title_block
from advisor.report.content.published import beside_published
from advisor.report.content.receipts import receipts_section
from advisor.report.content.site_cluster import site_cluster
from advisor.report.provenance.money import of_cost, of_energy, of_price
from advisor.report.provenance.predictions import of_job, of_memory, of_prices
from advisor.report.provenance.verdict import of_comparison, of_quantity, of_rule
from advisor.report.words import quantities
from advisor.report.words.advice.prices import price_ages
from advisor.report.words.advice.rules import condition_phrase, rule_title
from advisor.report.words.advice.verdict import chosen_option
from advisor.report.words.labels import price_title

CLOSE_RATIO = 3.0
"""A rule nearly holds where its number is off by no more than this factor."""


def document(report: Report, language: Language, *, is_plain: bool = False) -> Document:
    """Return the report's content in the user's language.

    Args:
        report: The report.
        language: The user's.
        is_plain: For text alone: of the options, which are many, neither pictures nor where each figure comes from.
    """
    said = answer(report, language)
    ordered = [
        receipts_section(report, language),
        trade_section(report, language),
        costs_section(report, language, is_plain=is_plain),
        Section("why", language.gettext("Why"), _listed("", [_item(one) for one in said.reasons])),
        what_if(report, language),
        purchase_section(report, language),
        job_changes(report, language),
        _rules(report, said, language),
        _options(report, language, is_plain=is_plain),
        Section(
            "changes",
            language.gettext("What would change this answer"),
            _listed("", [_item(one) for one in said.changes]),
        ),
        sections.diagnosis(report, language),
        own_data(report, language),
        site_cluster(report, language),
        sections.measurements(report, language),
        beside_articles(report, language),
        beside_published(report, language),
        sections.machine(report, language),
        sections.gaps(report, language),
        sections.certainty(report, language),
        sections.how_to_read(report, language),
    ]
    question = sections.question(report, language)
    return Document(
        question=Paragraph(question, of_job(question, report, language)),
        verdict=said.headline,
        lead=() if chosen_option(report) is None else (*said.sentences, said.confidence),
        notes=said.notes,
        sections=tuple(section for section in ordered if section.blocks),
        colophon=sections.colophon(report, language),
        tier=said.tier,
        about=title_block(report, language),
        front=() if is_plain else front_page(report, language),
    )


def _item(said: Paragraph) -> Item:
    return Item(said.text, origin=said.origin)


def _rules(report: Report, said: Answer, language: Language) -> Section:
    """The scenario beside the numbers, why the two differ where they do, then what else the articles teach here."""
    _ = language.gettext
    fired = sorted(zip(report.advice.fired, said.rules, strict=True), key=lambda pair: _weight(pair[0]))
    near = [one for one in report.advice.nearly if one.rule.tier is not None and _is_close(one, report)]
    blocks = (
        *_listed("", [item for one, item in fired if _weight(one) == 0]),
        *((said.disagreement,) if said.disagreement else ()),
        *_listed(_("Almost applied:"), [_near_item(one, report, language) for one in near]),
        *_listed(_("Good to know:"), [item for one, item in fired if _weight(one) > 0]),
    )
    return Section("rules", _("What the articles' rules say"), blocks)


def _near_item(near: FiredRule, report: Report, language: Language) -> Item:
    text = condition_phrase(near, report, language)
    return Item(text, lead=rule_title(near, language), origin=of_rule(near, report, language))


def _listed(title: str, items: list[Item]) -> tuple[Block, ...]:
    """Return a list under its title; nothing where the list is empty."""
    if not items:
        return ()
    return (Paragraph(title), Bullets(tuple(items))) if title else (Bullets(tuple(items)),)


def _is_close(near: FiredRule, report: Report) -> bool:
    """Return whether the missing condition is worth telling: something the user said, or a number not far off."""
    missing = near.missing
    if missing is None:
        return False
    value = near.facts.get(missing.fact)
    if isinstance(missing.value, bool) or not isinstance(missing.value, (int, float)):
        return any(fact.name == missing.fact and fact.basis == "asked" for fact in report.advice.facts)
    if isinstance(value, (int, float)) and value > 0 < missing.value:
        return max(value / missing.value, missing.value / value) <= CLOSE_RATIO
    return False


def _weight(fired: FiredRule) -> int:
    """Return the order of a rule: those the answer rests on, those with something measured, the others."""
    if fired.rule.tier is not None or fired.rule.sets:
        return 0
    return 1 if "gpu_over_cpu_ratio" in fired.facts else 2


def _options(report: Report, language: Language, *, is_plain: bool) -> Section:
    _ = language.gettext
    rows = option_rows(report, language)
    if not rows:
        return Section("options", _("Options"), ())
    table = _option_table(rows, report, language)
    if not is_plain:
        table = table._replace(origins=tuple(_option_origins(row.option, report, language) for row in rows))
    blocks: list[Block] = [table]
    total = len(report.advice.options)
    if total > SHOWN_OPTIONS:
        text = _("{shown} of {total} options that were compared; the JSON report has them all.")
        counted = of_comparison(report, language)
        blocks.append(Paragraph(text.format(shown=len(rows), total=language.number(total)), counted))
    if ages := price_ages(report, [row.option for row in rows], language):
        blocks.append(Paragraph(ages, of_prices(ages, report, language)))
    if not is_plain:
        from advisor.report.charts import report_charts

        found = (report_charts.time_and_cost(report, language), report_charts.break_even(report, language))
        blocks += [Figure(chart, is_repeated=True) for chart in found if chart is not None]
    return Section("options", _("Options"), tuple(blocks))


def _option_table(rows: tuple[OptionRow, ...], report: Report, language: Language) -> Table:
    _ = language.gettext
    months = quantities.months(report.circumstances.horizon_months, language)
    header = (
        _("Option"),
        _("Time of a run"),
        _("Memory"),
        _("Electricity"),
        price_title(report, language),
        _("In {months}").format(months=months),
        _("Remark"),
    )
    return Table(
        header,
        tuple(
            (
                f"{row.title}\n{row.tier}",
                "\n".join(filter(None, (row.time, row.interval, row.start))),
                row.memory,
                f"{row.energy}\n{row.co2}",
                "\n".join(filter(None, (row.cost, row.price, row.host))),
                row.horizon,
                row.remark,
            )
            for row in rows
        ),
        numeric=frozenset({1, 2, 3, 4, 5}),
        minor=frozenset({2, 3}),
        marked=next((i for i, row in enumerate(rows) if row.option.id == report.advice.chosen), None),
        tiers=tuple(row.option.tier for row in rows),
    )


def _option_origins(option: Option, report: Report, language: Language) -> tuple[Provenance | None, ...]:
    shown = (time_origin, of_memory, of_energy, of_price, of_cost)
    why_not = of_quantity(option.obstacle_values, option, report, language)
    return None, *(of(option, report, language) for of in shown), why_not
