"""The report as PDF or on paper, laid out by Qt in a process of its own: the headless program never loads it.

Nor does the window lay pages out in a thread: what registers a handler there holds Python's lock while it waits for one
of Qt's, and a thread that paints may hold that one while it waits for Python's.
"""

import subprocess
import sys
from pathlib import Path
from typing import Final

import msgspec

from advisor import wire
from advisor.errors import OutputError, system_reason
from advisor.locale import Language
from advisor.records.base import Record
from advisor.records.results.report import Report
from advisor.report.formats.write import check_target, write_bytes
from advisor.resource import program_command, program_environment

NO_FONTS: Final = 4
"""Exit status of the process that lays out pages, on a system without a single font."""
NO_PRINTER: Final = 5
"""The same, for a printer that takes nothing."""
WRONG: Final = 2
"""The same, where what it is to print is no report."""
SERVING: Final = "serving"
"""Says to that process that the page is the advice for a language model."""
SHEET: Final = "sheet"
"""Says to that process that the answer alone is wanted, on one page."""
PICTURE: Final = "picture"
"""Says to that process that not a page is wanted, but the answer as a picture."""
PRINT: Final = "print"
"""Says to that process that the report goes to a printer; a ``Paper`` as JSON follows."""
_TIMEOUT_S: Final = 180.0
_LEAST_POINTS: Final = 140.0
"""Edge of a sheet, 5 cm. On 3.5 cm, of a printer of labels, pages are laid out for minutes, without edge for ever."""
_DETAIL_LENGTH: Final = 200

if sys.platform == "win32":
    _CREATION_FLAGS = subprocess.CREATE_NO_WINDOW
else:
    _CREATION_FLAGS = 0


class Paper(Record, frozen=True, kw_only=True):
    """What was chosen in the system's print dialog.

    Attributes:
        printer: Its name; empty where a file is written.
        file: Of PDF, to print into; empty for a printer.
        width_points, height_points: Of the sheet, upright.
        is_landscape: The sheet lies on its long side.
        copies: Of each page.
        is_collated: All pages of a copy come before those of the next.
        is_grey: Without colours.
        duplex: Number of Qt's ``QPrinter.DuplexMode``.
        first, last: Pages, counted from 1; 0: all.
    """

    printer: str
    file: str
    width_points: float
    height_points: float
    is_landscape: bool
    copies: int
    is_collated: bool
    is_grey: bool
    duplex: int
    first: int
    last: int


def print_report(report: Report, paper: Paper, language: Language) -> None:
    """Print a report, laid out as its PDF is, on the paper that a printer has.

    Raises:
        OutputError: The printer takes nothing, the file cannot be written, the paper is too small, or Qt failed.
    """
    if not (paper.width_points >= _LEAST_POINTS and paper.height_points >= _LEAST_POINTS):  # nor is what is no number
        raise OutputError("The paper is too small for a report; choose one of at least 5 cm each way.")
    if paper.file:
        check_target(Path(paper.file))
    made = pdf_bytes(report, language, PRINT, msgspec.json.encode(paper).decode())
    if paper.file:
        write_bytes(Path(paper.file), made)


def pdf_bytes(record: Record, language: Language, *what: str) -> bytes:
    """Return a report, or another page, as PDF.

    Args:
        record: What it is about.
        language: Of its texts.
        what: ``SHEET``, ``PICTURE`` (no PDF then), ``SERVING`` or ``PRINT`` and a ``Paper``; of a room of computers,
            when its page was made.

    Raises:
        OutputError: It cannot be made here; the message says why and what to do instead.
    """
    return _printed(wire.encode(record), language.code, language.region, language.territory, *what)


def check_pdf() -> None:
    """Make sure, before any work, that a PDF can be made.

    Raises:
        OutputError: It cannot; the message says why and what to do instead.
    """
    _printed(b"")


def _printed(content: bytes, *arguments: str) -> bytes:
    try:
        done = subprocess.run(
            program_command("--print-pdf", *arguments),
            input=content,
            capture_output=True,
            timeout=_TIMEOUT_S,
            env=program_environment(),
            creationflags=_CREATION_FLAGS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:  # whose own words are the whole command, in English
        raise _failure(system_reason(TimeoutError())) from error
    except OSError as error:
        raise _failure(system_reason(error)) from error
    if done.returncode == NO_FONTS:
        raise OutputError(
            "A PDF cannot be made: no font is installed. Install one, such as DejaVu Sans, or choose html instead."
        )
    if done.returncode == NO_PRINTER:
        raise OutputError("The printer does not respond; check that it is connected and switched on.")
    if done.returncode:
        raise _failure(_last_line(done.stderr.decode("utf-8", "replace")) or _ending(done.returncode))
    return done.stdout


def _last_line(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()] or [""]
    return lines[-1][:_DETAIL_LENGTH]


def _ending(status: int) -> str:
    """Return how a process ended that said nothing, such as one that the system killed for its memory."""
    return f"signal {-status}" if status < 0 else f"status {status}"


def _failure(detail: str) -> OutputError:
    return OutputError(
        "A PDF cannot be made here: Qt, which lays out its pages, failed ({detail}). Choose html instead and print it "
        "from the browser.",
        detail=detail,
    )
