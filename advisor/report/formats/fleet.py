"""Turn the verdict for a room of computers into bytes of a format."""

import datetime
from pathlib import Path
from typing import Final, Literal

from advisor.locale import Language
from advisor.records.results.fleet import FleetAdvice
from advisor.report.documents.fleet import fleet_page
from advisor.report.documents.fleet_csv import fleet_csv
from advisor.report.formats.page import render_page
from advisor.report.formats.pdf import pdf_bytes
from advisor.report.formats.text import WIDTH
from advisor.report.formats.write import by_ending

FleetFormat = Literal["text", "json", "html", "md", "pdf", "csv"]

ENDINGS: Final[dict[str, FleetFormat]] = {
    ".html": "html",
    ".pdf": "pdf",
    ".csv": "csv",
    ".json": "json",
    ".md": "md",
    ".txt": "text",
}


def fleet_format_of(path: Path) -> FleetFormat:
    """Return the format a file name asks for.

    Raises:
        InputError: Its suffix names none.
    """
    return by_ending(path, ENDINGS)


def render_fleet(
    advice: FleetAdvice, form: FleetFormat, language: Language, *, width: int = WIDTH, is_coloured: bool = False
) -> bytes:
    """Return the verdict in a format, made today.

    Args:
        advice: The verdict.
        form: Of the page or of the data.
        language: The reader's.
        width: Characters in a line of text.
        is_coloured: Whether the terminal shows ANSI styles.

    Raises:
        OutputError: A PDF cannot be made here.
    """
    if form == "csv":
        return fleet_csv(advice).encode()
    made = datetime.datetime.now(datetime.UTC).date().isoformat()
    if form == "pdf":
        return pdf_bytes(advice, language, made)
    return render_page(
        advice, lambda: fleet_page(advice, language, made=made), form, language, width=width, is_coloured=is_coloured
    )
