"""What a report says, in order, free of any format: the renderers only lay it out.

The answer comes first, its evidence after: every section below the verdict can be skipped without missing the answer.
"""

from collections.abc import Iterator

from advisor.locale import Language
from advisor.records.job.advice import FiredRule
from advisor.records.results.report import Report
from advisor.report.charts import report_charts
from advisor.report.content import sections
from advisor.report.content.articles import beside_articles
from advisor.report.content.blocks import Block, Bullets, Figure, Item, Paragraph, Section, Table
from advisor.report.content.document import Document
from advisor.report.content.option_rows import SHOWN_OPTIONS, option_rows
from advisor.report.content.own_data import own_data
from advisor.report.words import quantities
from advisor.report.words.diagnosis import diagnosis
from advisor.report.words.prices import price_ages
from advisor.report.words.reasons import (
    disagreement_sentence,
    flip_sentence,
    reason_sentence,
    rule_sentence,
    rule_source,
    rule_title,
)
from advisor.report.words.rules import condition_phrase
from advisor.report.words.verdict import (
    chosen_option,
    confidence_sentence,
    memory_sentence,
    money_sentence,
    time_sentence,
    verdict_sentence,
)

CLOSE_RATIO = 3.0
"""A rule nearly holds where its number is off by no more than this factor."""


def document(report: Report, language: Language) -> Document:
    """Return the report's content in the user's language."""
    ordered = [
        _why(report, language),
        _rules(report, language),
        _options(report, language),
        _changes(report, language),
        diagnosis(report, language),
        own_data(report, language),
        sections.measurements(report, language),
        beside_articles(report, language),
        sections.machine(report, language),
        sections.gaps(report, language),
        sections.certainty(report, language),
        sections.how_to_read(report, language),
    ]
    return Document(
        question=sections.question(report, language),
        verdict=verdict_sentence(report, language),
        lead=tuple(text for text in _lead(report, language) if text),
        notes=tuple(_notes(report, language)),
        sections=tuple(section for section in ordered if section.blocks),
        colophon=sections.colophon(report, language),
        tier=report.advice.tier,
    )


def _lead(report: Report, language: Language) -> Iterator[str]:
    if chosen_option(report) is not None:
        yield time_sentence(report, language)
        yield memory_sentence(report, language)
        yield money_sentence(report, language)
        yield confidence_sentence(report, language)


def _notes(report: Report, language: Language) -> Iterator[str]:
    _ = language.gettext
    if report.is_simulated:
        yield _("This computer, or a part of it, was described by a file or by hand.")
    elif report.benchmark is None:
        yield _("Nothing was measured: all times are worked out from published specifications.")
    taken_ratio = _taken_ratio(report)
    if taken_ratio > 0:
        text = _("Others used {share} of the processor while this was measured; alone, this computer may be faster.")
        yield text.format(share=language.percent(taken_ratio))


def _taken_ratio(report: Report) -> float:
    """Return what others took of the processor during the measurements that the chosen option's time rests on."""
    option = chosen_option(report)
    if report.benchmark is None or option is None or option.prediction is None or option.tier != "this_computer":
        return 0.0
    return report.benchmark.taken_ratio(option.prediction.basis_detail)


def _why(report: Report, language: Language) -> Section:
    _ = language.gettext
    items = [Item(reason_sentence(reason, report, language)) for reason in report.advice.reasons]
    blocks: list[Block] = [Bullets(tuple(items))] if items else []
    return Section("why", _("Why"), tuple(blocks))


def _rules(report: Report, language: Language) -> Section:
    """The scenario beside the numbers, why the two differ where they do, then what else the articles teach here."""
    _ = language.gettext
    fired = sorted(report.advice.fired, key=_weight)
    deciding = [_rule_item(one, report, language) for one in fired if _weight(one) == 0]
    teaching = [_rule_item(one, report, language) for one in fired if _weight(one) > 0]
    near = [one for one in report.advice.nearly if one.rule.tier is not None and _is_close(one, report)]
    nearly = [Item(condition_phrase(one, report, language), lead=rule_title(one, language)) for one in near]
    blocks: list[Block] = _listed("", deciding)
    if disagreement := disagreement_sentence(report, language):
        blocks.append(Paragraph(disagreement))
    blocks += _listed(_("Nearly:"), nearly)
    blocks += _listed(_("Worth knowing here:"), teaching)
    return Section("rules", _("What the articles' rules say"), tuple(blocks))


def _rule_item(fired: FiredRule, report: Report, language: Language) -> Item:
    text, title = rule_sentence(fired, report, language), rule_title(fired, language)
    return Item(text, lead=title, source=rule_source(fired, language))


def _listed(title: str, items: list[Item]) -> list[Block]:
    """Return a list under its title; nothing where the list is empty."""
    blocks: list[Block] = [Paragraph(title)] if title and items else []
    return [*blocks, Bullets(tuple(items))] if items else []


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


def _options(report: Report, language: Language) -> Section:
    _ = language.gettext
    rows = option_rows(report, language)
    if not rows:
        return Section("options", _("Options"), ())
    months = quantities.months(report.circumstances.horizon_months, language)
    header = (
        _("Option"),
        _("Time of a run"),
        _("Memory"),
        _("Electricity"),
        _("Price"),
        _("In {months}").format(months=months),
        _("Why not"),
    )
    table = Table(
        header,
        tuple(
            (
                f"{row.title}\n{row.tier}",
                f"{row.time}\n{row.interval}",
                row.memory,
                f"{row.energy}\n{row.co2}",
                f"{row.cost}\n{row.host}",
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
    blocks: list[Block] = [table]
    total = len(report.advice.options)
    if total > SHOWN_OPTIONS:
        text = _("{shown} of {total} options that were compared; the JSON report has them all.")
        blocks.append(Paragraph(text.format(shown=len(rows), total=language.number(total))))
    if ages := price_ages(report, [row.option for row in rows], language):
        blocks.append(Paragraph(ages))
    found = (report_charts.time_and_cost(report, language), report_charts.break_even(report, language))
    blocks += [Figure(chart, is_repeated=True) for chart in found if chart is not None]
    return Section("options", _("Options"), tuple(blocks))


def _changes(report: Report, language: Language) -> Section:
    _ = language.gettext
    items = tuple(Item(flip_sentence(flip, report, language)) for flip in report.advice.flips)
    return Section("changes", _("What would change this answer"), (Bullets(items),) if items else ())
