"""A report on pages: laid out by Qt in a process of its own, and clear words where that fails."""

import re
import struct
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import msgspec
import pytest
from pypdf import PdfReader

from advisor.errors import OutputError
from advisor.locale import Language, language
from advisor.report.formats import pdf
from advisor.report.formats.write import check_format, render, write_report
from tests.unit.report import samples

LETTER = (0, 0, 612, 792)


def page_sizes(content: bytes) -> set[tuple[float, ...]]:
    """Return the sizes of the pages, in points."""
    return {tuple(page.mediabox) for page in PdfReader(BytesIO(content)).pages}


@pytest.mark.slow
def test_the_report_is_laid_out_for_the_region() -> None:
    """Which paper that is, and what stands on each page: ``tests/unit/gui/test_pdf_layout.py``."""
    content = render(samples.rent(), "pdf", Language("es", "es_419", "CA"))

    assert content.startswith(b"%PDF-")
    assert page_sizes(content) == {LETTER}
    assert len(re.findall(rb"/Type /Page\b", content)) > 1


@pytest.mark.slow
def test_a_sheet_is_one_page_where_the_paper_is_low() -> None:
    """Letter is 18 mm lower than A4: a last line stood alone on a second page."""
    report = samples.rent()
    many = msgspec.structs.replace(report.advice, reasons=report.advice.reasons * 4)
    report = msgspec.structs.replace(report, advice=many)
    content = render(report, "sheet", Language("en", "en_US", "US"))
    assert page_sizes(content) == {LETTER}
    assert len(re.findall(rb"/Type /Page\b", content)) == 1


@pytest.mark.slow
def test_the_answer_is_a_picture_as_large_as_a_links_preview() -> None:
    """1200 x 630 pixels, as PNG keeps them in its first chunk."""
    content = render(samples.rent(), "png", language("es"))

    assert content.startswith(b"\x89PNG")
    assert struct.unpack(">II", content[16:24]) == (1200, 630)


@pytest.mark.slow
def test_the_process_that_asks_does_not_load_qt() -> None:
    """Only its child does."""
    code = (
        "import sys; from advisor.locale import language; from advisor.report.formats.write import check_format;"
        "check_format('pdf'); sys.exit(any(name.startswith('PySide6') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=240, check=False).returncode == 0


def fails(monkeypatch: pytest.MonkeyPatch, program: str) -> pytest.ExceptionInfo[OutputError]:
    """Let another program stand for the one that prints, and return what is said."""
    monkeypatch.setattr(pdf, "program_command", lambda *_arguments: (sys.executable, "-c", program))
    with pytest.raises(OutputError) as caught:
        check_format("pdf")
    return caught


def test_no_qt(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is missing is named, and another way to paper."""
    caught = fails(monkeypatch, "raise ModuleNotFoundError('No module named PySide6')")

    assert "No module named PySide6" in str(caught.value)
    assert "html" in str(caught.value)


def test_no_font(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system without a font says so."""
    assert "no font is installed" in str(fails(monkeypatch, f"raise SystemExit({pdf.NO_FONTS})").value)


def test_it_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not waited for without end."""
    monkeypatch.setattr(pdf, "_TIMEOUT_S", 0.2)

    assert "failed (there is no answer)" in str(fails(monkeypatch, "import time; time.sleep(60)").value)


@pytest.mark.parametrize(
    ("program", "ending"),
    [
        pytest.param(
            "import os; os.kill(os.getpid(), 9)",
            "signal 9",
            marks=pytest.mark.skipif(sys.platform == "win32", reason="no such signal there"),
        ),
        ("raise SystemExit(7)", "status 7"),
    ],
)
def test_it_ends_without_a_word(monkeypatch: pytest.MonkeyPatch, program: str, ending: str) -> None:
    """As one that the system kills where memory is short; the sentence had empty brackets."""
    assert f"failed ({ending})" in str(fails(monkeypatch, program).value)


def test_it_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that is gone is a sentence too."""
    monkeypatch.setattr(pdf, "program_command", lambda *_arguments: ("/nonexistent/program",))
    with pytest.raises(OutputError, match="there is no such file"):
        check_format("pdf")


@pytest.mark.slow
def test_it_is_written_whole(tmp_path: Path) -> None:
    """A PDF takes its place like any other format."""
    path = tmp_path / "report.pdf"
    write_report(samples.hostile(), path, "pdf", language("es"))
    assert path.read_bytes().endswith(b"%%EOF\n")
    assert [one.name for one in tmp_path.iterdir()] == ["report.pdf"]


@pytest.mark.parametrize("edge", [0.0, -5.0, 100.0, float("nan")])
def test_paper_without_room_is_said_before_anything_is_laid_out(monkeypatch: pytest.MonkeyPatch, edge: float) -> None:
    """A roll of labels, or a printer that does not know its paper: three minutes would go by."""
    monkeypatch.setattr(pdf, "_printed", lambda *_: pytest.fail("pages are laid out"))
    paper = pdf.Paper(
        printer="labels",
        file="",
        width_points=595.0,
        height_points=edge,
        is_landscape=False,
        copies=1,
        is_collated=True,
        is_grey=False,
        duplex=0,
        first=0,
        last=0,
    )
    with pytest.raises(OutputError, match="too small"):
        pdf.print_report(samples.enough(), paper, language("en"))
