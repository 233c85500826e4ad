"""The report as PDF. Pages are laid out by Qt, in a process of its own: the headless program never loads it."""

import subprocess
import sys
from typing import Final

from advisor import wire
from advisor.errors import OutputError, system_reason
from advisor.locale import Language
from advisor.records.job.serving_advice import ServingAdvice
from advisor.records.results.fleet import FleetAdvice
from advisor.records.results.report import Report
from advisor.resource import program_command, program_environment

NO_FONTS: Final = 4
"""Exit status of the process that lays out pages, on a system without a single font."""
SERVING: Final = "serving"
"""Says to that process that the page is the advice for a language model."""
SHEET: Final = "sheet"
"""Says to that process that the answer alone is wanted, on one page."""
PICTURE: Final = "picture"
"""Says to that process that not a page is wanted, but the answer as a picture."""
_TIMEOUT_S: Final = 180.0
_DETAIL_LENGTH: Final = 200

if sys.platform == "win32":
    _CREATION_FLAGS = subprocess.CREATE_NO_WINDOW
else:
    _CREATION_FLAGS = 0


def pdf_report(report: Report, language: Language) -> bytes:
    """Return the report as PDF.

    Raises:
        OutputError: It cannot be made here; the message says why and what to do instead.
    """
    return _printed(wire.encode(report), language.code, language.region, language.territory)


def sheet_pdf(report: Report, language: Language) -> bytes:
    """Return the answer of a report as a PDF of one page.

    Raises:
        OutputError: It cannot be made here; the message says why and what to do instead.
    """
    return _printed(wire.encode(report), language.code, language.region, language.territory, SHEET)


def answer_png(report: Report, language: Language) -> bytes:
    """Return the answer of a report as a picture of 1200 x 630 pixels.

    Raises:
        OutputError: It cannot be made here; the message says why and what to do instead.
    """
    return _printed(wire.encode(report), language.code, language.region, language.territory, PICTURE)


def fleet_pdf(advice: FleetAdvice, language: Language, *, made: str) -> bytes:
    """Return the page of a room of computers as PDF.

    Raises:
        OutputError: It cannot be made here; the message says why and what to do instead.
    """
    return _printed(wire.encode(advice), language.code, language.region, language.territory, made)


def serving_pdf(advice: ServingAdvice, language: Language) -> bytes:
    """Return the advice for a language model as PDF.

    Raises:
        OutputError: It cannot be made here; the message says why and what to do instead.
    """
    return _printed(wire.encode(advice), language.code, language.region, language.territory, SERVING)


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
    except (OSError, subprocess.TimeoutExpired) as error:
        raise _failure(system_reason(error)) from error
    if done.returncode == NO_FONTS:
        raise OutputError(
            "A PDF cannot be made: no font is installed. Install one, such as DejaVu Sans, or choose html instead."
        )
    if done.returncode:
        raise _failure(_last_line(done.stderr.decode("utf-8", "replace")))
    return done.stdout


def _last_line(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()] or [""]
    return lines[-1][:_DETAIL_LENGTH]


def _failure(detail: str) -> OutputError:
    return OutputError(
        "A PDF cannot be made here: Qt, which lays out its pages, failed ({detail}). Choose html instead and print it "
        "from the browser.",
        detail=detail,
    )
