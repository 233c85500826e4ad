"""The rows of ``make bench``: each says what was measured, what came out, what was aimed at, and whether it was met.

A tool prints its own table; run by ``bench.py``, it also leaves its rows in a file, and one table is made of all.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple

ROWS_VARIABLE: Final = "ADVISOR_BENCH_ROWS"
"""Names the file the rows are added to."""
HEADER: Final = ("what", "result", "aim", "met")


Met = bool | Literal["undecided"] | None
"""Whether an aim was met; None where nothing was aimed at."""


class Row(NamedTuple):
    """One line; undecided is what scatters too much to say."""

    what: str
    result: str
    aim: str = ""
    met: Met = None

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """What is printed."""
        said = {True: "yes", False: "NO", None: "", "undecided": "undecided"}[self.met]
        return self.what, self.result, self.aim, said


def show(title: str, rows: Iterable[Row]) -> None:
    """Print rows under a title, each as soon as it is there, and leave them for the table of all."""
    print(f"\n{title}", flush=True)
    for row in rows:
        what, result, aim, met = row.cells
        print(f"  {what:<46} {result:>40}   {aim:<20} {met}".rstrip(), flush=True)
        hand_over(title, row)


def hand_over(title: str, row: Row) -> None:
    """Add a row to the file of ``bench.py``, where it asked for that."""
    if path := os.environ.get(ROWS_VARIABLE):
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(json.dumps((title, *row)) + "\n")


def read_rows(path: Path) -> dict[str, list[Row]]:
    """Return the rows all tools left, by title."""
    found: dict[str, list[Row]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        title, *cells = json.loads(line)
        found.setdefault(title, []).append(Row(*cells))
    return found


def lines(rows: Mapping[str, Sequence[Row]]) -> Iterator[str]:
    """Yield one table of all: aligned columns, each group of rows under its title."""
    cells = [HEADER, *(row.cells for group in rows.values() for row in group)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    yield aligned(HEADER, widths)
    for title, group in rows.items():
        yield f"-- {title} --"
        yield from (aligned(row.cells, widths) for row in group)


def summary(rows: Iterable[Row]) -> str:
    """Return how many of the aims were met, and how many could not be decided."""
    aimed = [row.met for row in rows if row.met is not None]
    undecided = aimed.count("undecided")
    return f"{aimed.count(True)} of {len(aimed)} aims met" + (f", {undecided} undecided" if undecided else "")


def aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return a line with each cell as wide as its column."""
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
