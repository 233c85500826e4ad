"""The report for paper, in the HTML that a text engine without a browser understands; its charts stay pictures."""

from __future__ import annotations

from collections.abc import Container, Iterable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from advisor.locale import Language
from advisor.records.job.advice import Tier
from advisor.records.results.report import Report
from advisor.report.charts.report_charts import time_and_cost
from advisor.report.charts.standalone_svg import page_colours, standalone
from advisor.report.content.answer import answer
from advisor.report.content.blocks import Block, Bullets, Chart, Figure, Item, Section, Table
from advisor.report.content.document import Document
from advisor.report.content.document_builder import document
from advisor.report.content.source_notes import Notes
from advisor.report.formats.html import KINDS, load_template, note_labels

if TYPE_CHECKING:
    from jinja2 import Template

SIGNS: dict[Tier, str] = {"this_computer": "●", "single_gpu": "■", "cloud": "◆", "cluster": "▲"}
"""The marks of the charts, as letters."""


_LETTERS = 118
"""How many letters of a table stand in a line of the page, about."""
_EDGES = 5
"""Of them, what the edges of a cell take."""
_MOST_ALTERNATIVES = 3
_MOST_REASONS = 4
"""On the single page; they are in the order of their weight."""
_NUMBER = 18
"""The longest figure with its unit that is kept in one line."""


class Printed(NamedTuple):
    """A report for paper.

    Attributes:
        title: The answer.
        html: The text; ``<img src="chart-N">`` stands for picture N, as wide as the text.
        pictures: SVG files.
        descriptions: What one sees in each, for those who do not see it.
        footer: What stands at the foot of every page, with ``{page}`` and ``{pages}``.
        is_sheet: It must be one page: its pictures give way.
    """

    title: str
    html: str
    pictures: tuple[str, ...]
    descriptions: tuple[str, ...]
    footer: str
    is_sheet: bool = False


def printed_report(report: Report, language: Language) -> Printed:
    """Return the report as it goes to paper; everything from the report is escaped."""
    return printed_page(document(report, language), language)


def printed_sheet(report: Report, language: Language) -> Printed:
    """Return the answer alone, on one sheet: question, verdict, how sure, price and cost over time, and the date."""
    whole = document(report, language)
    found = answer(report, language)
    compared = (*found.others, *found.twice)[:_MOST_ALTERNATIVES]  # as in the window: the options stand below
    lead = (*found.facts, *compared, found.confidence) if whole.lead else ()
    reasons = Bullets(tuple(Item(one.text) for one in found.reasons[:_MOST_REASONS]))
    kept = (Section("why", language.gettext("Why"), (reasons,)),) if reasons.items else ()
    front = whole.front
    if not _charts(front):
        chart = time_and_cost(report, language)
        front = (*front, *(() if chart is None else (Figure(chart),)))
    return printed_page(whole._replace(lead=lead, sections=kept, front=front), language, is_sheet=True)


def printed_page(content: Document, language: Language, *, is_sheet: bool = False) -> Printed:
    """Return a page as it goes to paper; a sheet has no notes and no tables behind its charts."""
    charts = _charts(content.front)
    in_front = {chart.title for chart in charts}
    content = content._replace(sections=tuple(_without(section, in_front) for section in content.sections))
    charts += [chart for section in content.sections for chart in _charts(section.blocks)]
    notes = Notes(content, has_folds=False)
    html = _template().render(
        content=content,
        note_of=(lambda _text, _origin: 0) if is_sheet else notes.number,
        notes=() if is_sheet else tuple(notes.told(language)),
        **note_labels(language),
        charts=() if is_sheet else charts,
        is_sheet=is_sheet,
        code=language.code,
        colours=page_colours(),
        signs=SIGNS,
        kind_of=lambda block: KINDS[type(block)],
        widths_of=column_widths,
        behind_label=language.gettext("The numbers behind the charts"),
    )
    pictures = tuple(standalone(chart.svg) for chart in charts)
    descriptions = tuple(chart.description for chart in charts)
    return Printed(content.verdict.text, html, pictures, descriptions, _footer(content.colophon, language), is_sheet)


def column_widths(table: Table) -> tuple[int, ...]:
    """Return what each column of a table takes of the page's width, in percent.

    Each gets its longest word, a column of numbers its longest line; what is left goes to those that have more to say,
    so that no text runs down the page word by word beside empty columns.
    """
    lines = [[line for cell in column for line in cell.split("\n")] for column in zip(*table.rows, strict=True)]
    lines = lines or [[] for _title in table.header]
    wanted = [max(map(len, column), default=1) for column in lines]
    words = [
        max((len(word) for line in (title, *column) for word in line.split()), default=1)
        for title, column in zip(table.header, lines, strict=True)
    ]
    least = [
        _EDGES + (max(word, min(want, _NUMBER)) if place in table.numeric else word)
        for place, (word, want) in enumerate(zip(words, wanted, strict=True))
    ]
    more = [max(0, _EDGES + want - few) for want, few in zip(wanted, least, strict=True)]
    left = max(0, _LETTERS - sum(least))
    widths = [few + (left * extra / sum(more) if sum(more) else 0) for few, extra in zip(least, more, strict=True)]
    return tuple(round(100 * width / sum(widths)) for width in widths)


def _charts(blocks: Iterable[Block]) -> list[Chart]:
    return [block.chart for block in blocks if isinstance(block, Figure)]


def _without(section: Section, titles: Container[str]) -> Section:
    """Return a section without the charts that stand on the first page."""
    kept = (one for one in section.blocks if not (isinstance(one, Figure) and one.chart.title in titles))
    return section._replace(blocks=tuple(kept))


def _footer(colophon: str, language: Language) -> str:
    page = language.gettext("Page {page} of {pages}")
    return f"{colophon.replace('{', '').replace('}', '')}\t{page}"


@cache
def _template() -> Template:
    return load_template("report.print.jinja")
