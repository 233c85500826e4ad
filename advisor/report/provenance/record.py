"""What all that shows a figure's provenance shares, whether window or report."""

from collections.abc import Sequence

from msgspec.structs import replace

from advisor.locale import Language
from advisor.records.results.provenance import Provenance

__all__ = ["Provenance", "has_number", "of_cell", "provenance_rows"]


def provenance_rows(origin: Provenance, language: Language) -> tuple[tuple[str, str], ...]:
    """Return what is known of a number, by name, in the order one asks."""
    _ = language.gettext
    rows = (
        (_("Based on"), origin.basis),
        (_("Likely range"), origin.band),
        *origin.inputs,
        (_("Method"), origin.method),
        (_("Source"), origin.source),
        (_("Date"), origin.date),
    )
    return tuple((name, text) for name, text in rows if text)


def has_number(text: str) -> bool:
    """Return whether a text holds a number that can be asked."""
    return any(sign.isdecimal() for sign in text)


def of_cell(header: Sequence[str], row: Sequence[str], column: int, common: Provenance) -> Provenance | None:
    """Return where a number in a table comes from: what all of the table share, and the rest of its row.

    Args:
        header: Titles of the columns.
        row: The texts of its row; the first names it.
        column: Which of them is asked.
        common: What holds for the whole row.
    """
    if not has_number(row[column]):
        return None
    cells = [
        (" ".join(title.split()), cell.replace("\n", " · ").strip()) for title, cell in zip(header, row, strict=True)
    ]
    others = [pair for place, pair in enumerate(cells) if place not in {0, column} and pair[1]]
    name, title = row[0].partition("\n")[0].strip(), cells[column][0]
    return replace(
        common,
        title=": ".join(part for part in (name if column else "", title) if part) or common.title,
        value=cells[column][1],
        inputs=(*others, *common.inputs),
    )
