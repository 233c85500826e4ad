"""The parts a report is made of, whatever its format; each knows where the figures in it come from."""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NamedTuple

from advisor.records.job.advice import Tier
from advisor.records.results.provenance import Provenance


class Item(NamedTuple):
    """One entry of a list, with an optional title before it and source after it."""

    text: str
    lead: str = ""
    source: str = ""
    origin: Provenance | None = None


class Paragraph(NamedTuple):
    """A sentence or several."""

    text: str
    origin: Provenance | None = None


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
        origins: Where the figure in each cell comes from, row by row; empty where nothing says.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numeric: frozenset[int] = frozenset()
    minor: frozenset[int] = frozenset()
    marked: int | None = None
    tiers: tuple[Tier, ...] = ()
    origins: tuple[tuple[Provenance | None, ...], ...] = ()

    def with_origins(self, origins: Iterable[Provenance | None]) -> "Table":
        """Return the table with one origin for all figures of each row."""
        return self._replace(origins=tuple((one,) * len(self.header) for one in origins))

    def without_empty(self) -> "Table":
        """Return the table without the columns in which nothing stands."""
        kept = [i for i in range(len(self.header)) if any(row[i] for row in self.rows)]
        return self._replace(
            header=tuple(self.header[i] for i in kept),
            rows=tuple(tuple(row[i] for i in kept) for row in self.rows),
            numeric=frozenset(place for place, i in enumerate(kept) if i in self.numeric),
            minor=frozenset(place for place, i in enumerate(kept) if i in self.minor),
            origins=tuple(tuple(row[i] for i in kept) for row in self.origins),
        )


class Pairs(NamedTuple):
    """Names and values."""

    rows: tuple[tuple[str, str], ...]
    origin: Provenance | None = None


class Picture:
    """A drawing that is made when it is first looked at: text and tables never do."""

    def __init__(self, draw: Callable[[], str]) -> None:
        self._draw = draw

    @cached_property
    def svg(self) -> str:
        """The drawing, complete; texts in it are escaped."""
        return self._draw()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Picture) and self.svg == other.svg

    def __hash__(self) -> int:
        return hash(self.svg)

    def __repr__(self) -> str:
        return f"Picture({self.svg!r})"


LEAST_POINTS = 3
"""Two points are no curve."""


class Chart(NamedTuple):
    """A picture with the same numbers as a table.

    Attributes:
        title: What it shows.
        picture: What is drawn.
        description: What one sees, for those who do not see it.
        table: The same numbers.
        origin: Where the figures in the description come from.
    """

    title: str
    picture: Picture
    description: str
    table: Table
    origin: Provenance | None = None

    @property
    def svg(self) -> str:
        """The picture, complete; texts in it are escaped."""
        return self.picture.svg


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


def with_origin(block: Block, origin: Provenance) -> Block:
    """Return a block in which every figure whose origin was not told is of this one."""
    match block:
        case Paragraph() | Pairs():
            return block._replace(origin=block.origin or origin)
        case Bullets(items=items):
            return Bullets(tuple(item._replace(origin=item.origin or origin) for item in items))
        case Table():
            return _filled(block, origin)
        case Fold(table=table):
            return block._replace(table=_filled(table, origin))
        case Figure(chart=chart):
            full = chart._replace(table=_filled(chart.table, origin), origin=chart.origin or origin)
            return block._replace(chart=full)
        case Heading():
            return block


def _filled(table: Table, origin: Provenance) -> Table:
    origins = table.origins or ((None,) * len(table.header),) * len(table.rows)
    return table._replace(origins=tuple(tuple(one or origin for one in row) for row in origins))


class Section(NamedTuple):
    """A part of the report under its own heading.

    Attributes:
        id: Anchor in the HTML report.
        is_folded: Whether it is folded away where that is possible, for those who want it.
    """

    id: str
    title: str
    blocks: tuple[Block, ...]
    is_folded: bool = False
