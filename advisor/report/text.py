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
        case Figure():
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
    """Columns as wide as their text needs; the last one takes what is left and wraps."""
    widths = [max(len(row[i]) for row in (table.header, *table.rows)) for i in range(len(table.header))]
    room = paper.width - sum(widths[:-1]) - 2 * (len(widths) - 1) - 2
    if room < _NARROWEST:
        yield from _stacked(table, paper)
        return
    widths[-1] = room
    yield paper.faint(_row(table.header, widths, table)[0])
    for index, row in enumerate(table.rows):
        sign = "›" if index == table.marked else " "
        for number, line in enumerate(_row(row, widths, table)):
            text = (sign if number == 0 else " ") + line[1:]
            yield paper.strong(text) if index == table.marked else text


def _row(row: Sequence[str], widths: Sequence[int], table: Table) -> list[str]:
    cells = [
        f"{cell:>{width}}" if index in table.numeric else f"{cell:<{width}}"
        for index, (cell, width) in enumerate(zip(row[:-1], widths, strict=False))
    ]
    head = "  " + "".join(f"{cell}  " for cell in cells)
    last = textwrap.wrap(row[-1], widths[-1]) or [""]
    if len(row) - 1 in table.numeric:
        last = [f"{last[0]:>{widths[-1]}}", *last[1:]]
    return [(head + last[0]).rstrip(), *(" " * len(head) + line for line in last[1:])]


def _stacked(table: Table, paper: _Paper) -> Iterator[str]:
    """Rows as short paragraphs, where the terminal is too narrow for columns."""
    for index, row in enumerate(table.rows):
        sign = "› " if index == table.marked else "  "
        head = " · ".join(cell for cell in row[:2] if cell)
        yield from (paper.strong(line) if index == table.marked else line for line in paper.wrapped(head, sign, "  "))
        rest = [f"{name}: {cell}" for name, cell in zip(table.header[2:], row[2:], strict=True) if cell and cell != "–"]
        if rest:
            yield from paper.wrapped("; ".join(rest), "    ", "    ")
