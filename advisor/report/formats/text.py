"""The report as plain text for a terminal: fits its width, colours only when asked."""

import math
import textwrap
from collections.abc import Iterator, Sequence

from advisor.locale import Language
from advisor.records.results.report import Report
from advisor.report.content.blocks import Block, Bullets, Figure, Fold, Heading, Item, Pairs, Paragraph, Table
from advisor.report.content.document import Document
from advisor.report.content.document_builder import document

WIDTH = 88
_BOLD, _DIM, _RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"
_NARROWEST, _NARROWEST_NAME = 12, 16
_MOST_LINES = 3  # of a last column beside its row; what needs more goes under it
_READABLE = 100  # longer lines of text are hard to read; tables may be wider


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
            text, min(self.width, _READABLE), initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
        ) or [first.rstrip()]


def text_report(report: Report, language: Language, *, width: int = WIDTH, is_coloured: bool = False) -> str:
    """Return the report as plain text.

    Args:
        report: The report.
        language: The user's.
        width: Characters in a line.
        is_coloured: Whether the terminal shows ANSI styles.
    """
    return text_page(document(report, language, is_plain=True), width=width, is_coloured=is_coloured)


def text_page(page: Document, *, width: int = WIDTH, is_coloured: bool = False) -> str:
    """Return a page as plain text."""
    return "\n".join(_lines(page, _Paper(width, is_coloured))) + "\n"


def _lines(content: Document, paper: _Paper) -> Iterator[str]:
    yield from (paper.faint(line) for line in paper.wrapped(content.question.text))
    yield ""
    yield from (paper.strong(line) for line in paper.wrapped(content.verdict.text))
    for sentence in content.lead:
        yield from paper.wrapped(sentence.text)
    for note in content.notes:
        yield ""
        yield from paper.wrapped(note.text)
    for section in content.sections:
        if all(isinstance(block, Figure) and block.is_repeated for block in section.blocks):
            continue  # a terminal draws no pictures
        yield ""
        yield paper.strong(section.title)
        yield paper.faint("─" * min(len(section.title), paper.width))
        for index, block in enumerate(section.blocks):
            lines = list(_block(block, paper))
            if index and lines and not isinstance(section.blocks[index - 1], Heading):
                yield ""
            yield from lines
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
        case Heading(text=text):
            yield from (paper.strong(line) for line in paper.wrapped(text))
        case Figure(chart=chart, is_repeated=is_repeated):
            if not is_repeated:  # a terminal draws no pictures; their numbers it does
                yield from paper.wrapped(f"{chart.title}. {chart.description}")
                yield from _table(chart.table, paper)
        case Fold():  # pragma: no branch - the last of all kinds
            return  # nothing folds in a terminal


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
    """Columns as wide as their text needs; the minor ones go, the last first, where room is short.

    Where it still is, a last column of words wraps or goes under its row; else the names of the rows wrap; where
    nothing helps, rows become short paragraphs.
    """
    filled = [i for i in range(len(table.header)) if any(row[i] for row in table.rows)]
    columns = filled
    for minor in sorted(table.minor, reverse=True):
        if _width(table, columns) > paper.width:
            columns = [i for i in columns if i != minor]
    fits = _width(table, columns) <= paper.width
    if fits or columns[-1] not in table.numeric:
        yield from _columns(table, columns, paper)
    elif paper.width - _width(table, columns[1:]) - 2 >= _NARROWEST_NAME:
        yield from _named_rows(table, columns, paper)
    else:
        yield from _stacked(table, columns, paper)


def _width(table: Table, columns: Sequence[int]) -> int:
    """Return how wide a table is whose columns are as wide as their texts."""
    return sum(max(len(row[i].partition("\n")[0]) for row in (table.header, *table.rows)) + 2 for i in columns)


def _columns(table: Table, columns: Sequence[int], paper: _Paper) -> Iterator[str]:
    """Rows in columns; the last one wraps, or goes under its row where there is no room."""
    lines = [[row[i].partition("\n")[0] for i in columns] for row in (table.header, *table.rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(columns))]
    room = paper.width - sum(widths[:-1]) - 2 * len(widths)
    narrowest = _NARROWEST if table.tiers else max(_NARROWEST, math.ceil(widths[-1] / _MOST_LINES))
    is_beside = len(widths) <= 2 or room >= min(widths[-1], narrowest)
    if not is_beside and room < -2:
        yield from _stacked(table, columns, paper)
        return
    widths[-1:] = [min(room, widths[-1])] if is_beside else []
    numeric = {place for place, i in enumerate(columns) if i in table.numeric}
    yield paper.faint(_cells(lines[0], widths, numeric))
    for index, (*first, last) in enumerate(lines[1:]):
        beside, *below = textwrap.wrap(last, room) or [""] if is_beside else ("", *_under(last, table, paper))
        head = _cells([*first, beside], widths, numeric)
        yield paper.strong(f"› {head[2:]}") if index == table.marked else head
        indent = paper.width - room if is_beside else 6
        yield from (paper.faint(" " * indent + part) for part in below)
        if table.tiers and (details := _details(table.rows[index], columns if is_beside else columns[:-1])):
            yield from (paper.faint(part) for part in paper.wrapped(details, "      ", "      "))


def _under(last: str, table: Table, paper: _Paper) -> list[str]:
    """Return the lines of a last column that stands under its row; an option says all of itself there anyway."""
    return [] if table.tiers else textwrap.wrap(last, paper.width - 6)


def _details(row: Sequence[str], columns: Sequence[int]) -> str:
    """Return what the columns of a row leave out: second lines of cells, and columns for which there is no room."""
    found = []
    for index, cell in enumerate(row):
        first, _newline, second = cell.partition("\n")
        if index in columns:
            found.append(second)
        else:
            found.append(f"{first} ({second})" if second else first)
    return " · ".join(text for text in found if text and text != "–")


def _named_rows(table: Table, columns: Sequence[int], paper: _Paper) -> Iterator[str]:
    """Rows in columns whose names, the first of them, go on in further lines."""
    rest = columns[1:]
    room = paper.width - _width(table, rest) - 2
    lines = [[row[i].partition("\n")[0] for i in columns] for row in (table.header, *table.rows)]
    widths = [room, *(max(len(line[place]) for line in lines) for place in range(1, len(columns)))]
    numeric = {place for place, i in enumerate(columns) if i in table.numeric}
    for index, line in enumerate(lines):
        names = textwrap.wrap(line[0], room - 2) or [""]
        head = _cells([names[0], *line[1:]], widths, numeric)
        text = f"› {head[2:]}" if index - 1 == table.marked else head
        yield paper.faint(text) if index == 0 else text
        yield from (f"    {name}" for name in names[1:])


def _cells(cells: Sequence[str], widths: Sequence[int], numeric: set[int]) -> str:
    texts = [
        f"{cell:>{width}}" if place in numeric else f"{cell:<{width}}"
        for place, (cell, width) in enumerate(zip(cells, widths, strict=False))
    ]
    return ("  " + "  ".join(texts)).rstrip()


def _stacked(table: Table, columns: Sequence[int], paper: _Paper) -> Iterator[str]:
    """Rows as short paragraphs, where the terminal is too narrow for columns; an option says all of itself."""
    for index, row in enumerate(table.rows):
        is_marked = index == table.marked
        name, _newline, kind = row[columns[0]].partition("\n")
        head = paper.wrapped(name, "› " if is_marked else "  ", "  ")
        yield from (paper.strong(line) if is_marked else line for line in head)
        shown = range(1, len(row)) if table.tiers else columns[1:]
        parts = [kind] if table.tiers and kind else []
        parts += [f"{table.header[i]}: {_spoken(row[i], table)}" for i in shown if row[i] and row[i][0] != "–"]
        if parts:
            yield from paper.wrapped("; ".join(parts), "    ", "    ")


def _spoken(cell: str, table: Table) -> str:
    """Return a cell of a paragraph; its further lines, of an option, in brackets."""
    first, *further = cell.split("\n")
    return f"{first} ({'; '.join(further)})" if further and table.tiers else first
