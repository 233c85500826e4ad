"""The report as plain text for a terminal: fits its width, colours only when asked."""

import textwrap
from collections.abc import Iterator, Sequence

from advisor.locale import Language
from advisor.records.report import Report
from advisor.report.blocks import Block, Bullets, Figure, Item, Pairs, Paragraph, Table
from advisor.report.content import Document, document

WIDTH = 88
_BOLD, _DIM, _RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"
_NARROWEST = 12


class _Paper:
    """What is written on: its width, and whether it takes colour."""

    def __init__(self, width: int, is_coloured: bool) -> None:
        self.width = max(width, 40)
        self._is_coloured = is_coloured

    def strong(self, text: str) -> str:
        return f"{_BOLD}{text}{_RESET}" if self._is_coloured else text

    def faint(self, text: str) -> str:
        return f"{_DIM}{text}{_RESET}" if self._is_coloured else text

    def wrapped(self, text: str, first: str = "", rest: str = "") -> list[str]:
        return textwrap.wrap(
            text, self.width, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
        ) or [first.rstrip()]


def text_report(report: Report, language: Language, *, width: int = WIDTH, is_coloured: bool = False) -> str:
    """Return the report as plain text.

    Args:
        report: The report.
        language: The person's.
        width: Characters in a line.
        is_coloured: Whether the terminal shows ANSI styles.
    """
    paper = _Paper(width, is_coloured)
    return "\n".join(_lines(document(report, language), paper)) + "\n"


def _lines(content: Document, paper: _Paper) -> Iterator[str]:
    yield from (paper.faint(line) for line in paper.wrapped(content.question))
    yield ""
    yield from (paper.strong(line) for line in paper.wrapped(content.verdict))
    for sentence in content.lead:
        yield from paper.wrapped(sentence)
    for note in content.notes:
        yield ""
        yield from paper.wrapped(note)
    for section in content.sections:
        yield ""
        yield paper.strong(section.title)
        yield paper.faint("─" * min(len(section.title), paper.width))
        for index, block in enumerate(section.blocks):
            if index and not isinstance(block, Figure):
                yield ""
            yield from _block(block, paper)
    yield ""
    yield from (paper.faint(line) for line in paper.wrapped(content.colophon))


def _block(block: Block, paper: _Paper) -> Iterator[str]:
    match block:
        case Paragraph(text=text):
            yield from paper.wrapped(text)
        case Bullets(items=items):
            for item in items:
                yield from _item(item, paper)
        case Pairs(rows=rows):
            yield from _pairs(rows, paper)
        case Table():
            yield from _table(block, paper)
        case Figure():  # pragma: no branch - the last of all kinds
            return  # a terminal draws no pictures; the numbers are in the tables


def _item(item: Item, paper: _Paper) -> Iterator[str]:
    text = f"{item.lead}. {item.text}" if item.lead else item.text
    yield from paper.wrapped(text, "• ", "  ")
    if item.source:
        yield from (paper.faint(line) for line in paper.wrapped(item.source, "  ", "  "))


def _pairs(rows: Sequence[tuple[str, str]], paper: _Paper) -> Iterator[str]:
    widest = min(max((len(name) for name, _value in rows), default=0), paper.width // 3) + 2
    for name, value in rows:
        yield from paper.wrapped(value, f"{name:<{widest}}", " " * widest)


def _table(table: Table, paper: _Paper) -> Iterator[str]:
    """Columns as wide as their text needs; the last one takes what is left, or goes under its row."""
    columns = [i for i in range(len(table.header)) if i not in table.minor and any(row[i] for row in table.rows)]
    lines = [[row[i].partition("\n")[0] for i in columns] for row in (table.header, *table.rows)]
    numeric = {place for place, i in enumerate(columns) if i in table.numeric}
    widths = [max(len(line[place]) for line in lines) for place in range(len(columns))]
    room = paper.width - sum(widths[:-1]) - 2 * len(widths)
    is_under = len(widths) > 2 and room < min(widths[-1], _NARROWEST)
    if is_under and room < -2:
        yield from _stacked(table, columns, paper)
        return
    widths[-1] = 0 if is_under else room
    yield paper.faint(_cells(lines[0][:-1] if is_under else lines[0], widths, numeric))
    for index, line in enumerate(lines[1:]):
        is_marked = index == table.marked
        last = [] if is_under and not line[-1] else textwrap.wrap(line[-1], paper.width - 6 if is_under else room)
        head = _cells(line[:-1] if is_under else [*line[:-1], last[0] if last else ""], widths, numeric)
        text = f"› {head[2:]}" if is_marked else head
        yield paper.strong(text) if is_marked else text
        indent = 6 if is_under else paper.width - room
        yield from (paper.faint(" " * indent + part) for part in last[0 if is_under else 1 :])


def _cells(cells: Sequence[str], widths: Sequence[int], numeric: set[int]) -> str:
    texts = [
        f"{cell:>{width}}" if place in numeric else f"{cell:<{width}}"
        for place, (cell, width) in enumerate(zip(cells, widths, strict=False))
    ]
    return ("  " + "  ".join(texts)).rstrip()


def _stacked(table: Table, columns: Sequence[int], paper: _Paper) -> Iterator[str]:
    """Rows as short paragraphs, where the terminal is too narrow for columns."""
    for index, cells in enumerate(table.rows):
        is_marked = index == table.marked
        row = [cell.partition("\n")[0] for cell in cells]
        head = paper.wrapped(row[columns[0]], "› " if is_marked else "  ", "  ")
        yield from (paper.strong(line) if is_marked else line for line in head)
        rest = [f"{table.header[i]}: {row[i]}" for i in columns[1:] if row[i] and row[i] != "–"]
        if rest:
            yield from paper.wrapped("; ".join(rest), "    ", "    ")
