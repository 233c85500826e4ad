"""The parts a report is made of, whatever its format."""

from typing import NamedTuple

from advisor.records.job.advice import Tier


class Item(NamedTuple):
    """One entry of a list, with an optional title before it and source after it."""

    text: str
    lead: str = ""
    source: str = ""


class Paragraph(NamedTuple):
    """A sentence or several."""

    text: str


class Bullets(NamedTuple):
    """A list."""

    items: tuple[Item, ...]


class Table(NamedTuple):
    """A table. A cell may have a second line, after a newline, for what matters less.

    Attributes:
        numeric: Columns that are aligned to the right.
        minor: Columns to leave out where there is little room.
        marked: Row that is the answer.
        tiers: Which of the four colours each row wears; empty where colours mean nothing.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = frozenset()
    minor: frozenset[int] = frozenset()
    marked: int | None = None
    tiers: tuple[Tier, ...] = ()

    def without_empty(self) -> "Table":
        """Return the table without the columns in which nothing stands."""
        kept = [i for i in range(len(self.header)) if any(row[i] for row in self.rows)]
        return self._replace(
            header=tuple(self.header[i] for i in kept),
            rows=tuple(tuple(row[i] for i in kept) for row in self.rows),
            numeric=frozenset(place for place, i in enumerate(kept) if i in self.numeric),
            minor=frozenset(place for place, i in enumerate(kept) if i in self.minor),
        )


class Pairs(NamedTuple):
    """Names and values."""

    rows: tuple[tuple[str, str], ...]


class Chart(NamedTuple):
    """A picture with the same numbers as a table.

    Attributes:
        title: What it shows.
        svg: The picture, complete; texts in it are escaped.
        description: What one sees, for those who do not see it.
        table: The same numbers.
    """

    title: str
    svg: str
    description: str
    table: Table


class Figure(NamedTuple):
    """A chart in its place.

    Attributes:
        is_repeated: Its numbers stand in another table of the report as well.
    """

    chart: Chart
    is_repeated: bool = False


class Heading(NamedTuple):
    """The title of a part of a section."""

    text: str


class Fold(NamedTuple):
    """A long table that is folded away where that is possible; it adds nothing to what stands above it.

    Attributes:
        title: What is in it.
    """

    title: str
    table: Table


Block = Paragraph | Bullets | Table | Pairs | Figure | Heading | Fold


class Section(NamedTuple):
    """A part of the report under its own heading.

    Attributes:
        id: Anchor in the HTML report.
    """

    id: str
    title: str
    blocks: tuple[Block, ...]
