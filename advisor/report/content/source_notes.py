"""Where the figures of a page come from, as numbered notes."""

from collections.abc import Iterator
from typing import NamedTuple

from advisor.locale import Language
from advisor.records.results.provenance import Provenance
from advisor.report.content.blocks import Block, Bullets, Figure, Fold, Heading, Pairs, Paragraph, Table
from advisor.report.content.document import Document
from advisor.report.provenance.record import has_number, provenance_rows


class Note(NamedTuple):
    """What a note says: its number, what is known of the figure by name, and the whole of it."""

    number: int
    rows: tuple[tuple[str, str], ...]
    origin: Provenance


class Notes:
    """The notes of a page, numbered in the order of reading; figures that come from the same have one note.

    ``has_folds`` tells whether the layout shows tables that are folded away.
    """

    def __init__(self, page: Document, *, has_folds: bool = True) -> None:
        self._numbers: dict[Provenance, int] = {}
        for text, origin in _asked(page, has_folds=has_folds):
            if origin is not None and has_number(text):
                self._numbers.setdefault(origin, len(self._numbers) + 1)

    @property
    def origins(self) -> tuple[Provenance, ...]:
        """Every origin once, in the order of the numbers."""
        return tuple(self._numbers)

    def number(self, text: str, origin: Provenance | None) -> int | None:
        """Return the number of the note of a text; None where it has no figure, or nothing is known of it."""
        return self._numbers.get(origin) if origin is not None and has_number(text) else None

    def told(self, language: Language) -> Iterator[Note]:
        """Yield what each note says."""
        for origin, number in self._numbers.items():
            yield Note(number, provenance_rows(origin, language), origin)


def _asked(page: Document, *, has_folds: bool) -> Iterator[tuple[str, Provenance | None]]:
    """Yield every text of a page that may hold figures, and where these come from; names of rows are none."""
    yield from (page.question, page.verdict, *page.lead, *page.notes)
    for section in page.sections:
        for block in section.blocks:
            if has_folds or not isinstance(block, Fold):
                yield from _texts(block)


def _texts(block: Block) -> Iterator[tuple[str, Provenance | None]]:
    match block:
        case Paragraph():
            yield block
        case Bullets(items=items):
            yield from ((item.text, item.origin) for item in items)
        case Pairs(rows=rows, origin=origin):
            yield from ((value, origin) for _name, value in rows)
        case Table():
            yield from _cells(block)
        case Fold(table=table):
            yield from _cells(table)
        case Figure(chart=chart):
            yield chart.description, chart.origin
            yield from _cells(chart.table)
        case Heading():
            return


def _cells(table: Table) -> Iterator[tuple[str, Provenance | None]]:
    for place, row in enumerate(table.rows):
        origins = table.origins[place] if table.origins else (None,) * len(row)
        yield from zip(row[1:], origins[1:], strict=True)
