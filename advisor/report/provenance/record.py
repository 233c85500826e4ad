"""What all that shows a figure's provenance shares, whether window or report."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from advisor.locale import Language
from advisor.records.results.provenance import Provenance

__all__ = ["Provenance", "behind", "has_number", "of_cell", "provenance_rows"]


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


def behind(text: str, origin: Provenance) -> Provenance:
    """Return what is known of the numbers of a text: headed by the text where the known figure is not among them.

    Who asks about "$0.20 more" is to read that first, and then the cost it is worked out from, not another number.
    """
    known = next(_numbers(origin.value), None)
    if known is None or known in _numbers(text) or not has_number(text):
        return origin
    return replace(origin, title="", value=text, inputs=((origin.title, origin.value), *origin.inputs))


def _numbers(text: str) -> Iterator[str]:
    return (word.strip("(),.;:") for word in text.split() if has_number(word))


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
