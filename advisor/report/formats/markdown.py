"""The report as Markdown, for notes, issues and chats. Texts of unknown origin are escaped."""

import re
from collections.abc import Iterator, Sequence

from advisor.locale import Language
from advisor.records.results.report import Report
from advisor.report.content.blocks import Block, Bullets, Figure, Fold, Heading, Item, Pairs, Paragraph, Table
from advisor.report.content.document import Document
from advisor.report.content.document_builder import document

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~])")


def markdown_report(report: Report, language: Language) -> str:
    """Return the report as Markdown with tables (GitHub's dialect)."""
    return markdown_page(document(report, language))


def markdown_page(content: Document) -> str:
    """Return a page as Markdown with tables."""
    lines = [f"# {_escaped(content.verdict.text)}", "", _escaped(content.question.text), ""]
    for sentence in content.lead:
        lines += [_escaped(sentence.text), ""]
    for note in content.notes:
        lines += [f"> {_escaped(note.text)}", ""]
    for section in content.sections:
        lines += [f"## {_escaped(section.title)}", ""]
        for block in section.blocks:
            lines += [*_block(block), ""]
    lines.append(f"*{_escaped(content.colophon)}*")
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    main, _newline, detail = text.partition("\n")
    joined = f"{main} ({detail})" if detail else main
    return _SPECIAL.sub(r"\\\1", " ".join(joined.split()))


def _block(block: Block) -> Iterator[str]:
    match block:
        case Paragraph(text=text):
            yield _escaped(text)
        case Bullets(items=items):
            yield from (_item(item) for item in items)
        case Pairs(rows=rows):
            yield from _table(Table(("", ""), rows))
        case Table():
            yield from _table(block)
        case Heading(text=text):
            yield f"### {_escaped(text)}"
        case Fold(title=title, table=table):
            yield f"### {_escaped(title)}"
            yield ""
            yield from _table(table)
        case Figure(chart=chart):  # pragma: no branch - the last of all kinds
            yield f"**{_escaped(chart.title)}.** {_escaped(chart.description)}"
            yield ""
            yield from _table(chart.table)


def _item(item: Item) -> str:
    text = f"**{_escaped(item.lead)}.** {_escaped(item.text)}" if item.lead else _escaped(item.text)
    return f"- {text} ({_escaped(item.source)})" if item.source else f"- {text}"


def _table(table: Table) -> Iterator[str]:
    yield _row(table.header)
    yield _row(["---:" if index in table.numeric else "---" for index in range(len(table.header))], is_rule=True)
    for index, row in enumerate(table.rows):
        yield _row(row, is_marked=index == table.marked)


def _row(cells: Sequence[str], *, is_rule: bool = False, is_marked: bool = False) -> str:
    texts = [cell if is_rule else _escaped(cell) for cell in cells]
    if is_marked:
        texts = [f"**{text}**" if text else "" for text in texts]
    return "| " + " | ".join(texts) + " |"
