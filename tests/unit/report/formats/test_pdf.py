"""A report on pages: laid out by Qt in a process of its own, and clear words where that fails."""

import errno
import os
import re
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from advisor.errors import OutputError
from advisor.locale import Language, language
from advisor.report import check_format, render, write_report
from advisor.report.charts.standalone_svg import font_families, standalone, with_family
from advisor.report.formats import pdf
from advisor.report.formats.print_html import printed_report
from tests.unit.report import samples

EN = language("en")
A4, LETTER = "0 0 595.000000 842.000000", "0 0 612.000000 792.000000"


def page_sizes(content: bytes) -> set[str]:
    """Return the sizes of the pages, in points."""
    return {size.decode() for size in re.findall(rb"/MediaBox \[([\d. ]+)\]", content)}


def drawings(content: bytes) -> bytes:
    """Return what is drawn on the pages."""
    streams = re.findall(rb"stream\r?\n(.*?)endstream", content, re.DOTALL)
    return b"".join(_unpacked(stream) for stream in streams)


def _unpacked(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""


@pytest.mark.parametrize(("region", "size"), [("en_US", LETTER), ("es_MX", LETTER), ("en_GB", A4), ("es_ES", A4)])
def test_the_paper_is_that_of_the_region(region: str, size: str) -> None:
    """Letter in most of America, A4 elsewhere."""
    content = render(samples.rent(), "pdf", Language(region[:2], region))

    assert content.startswith(b"%PDF-")
    assert page_sizes(content) == {size}


def test_charts_are_lines_and_text_is_text() -> None:
    """Nothing is a picture of dots, so that every page can be enlarged and searched."""
    content = render(samples.rent(), "pdf", EN)

    assert b"/Subtype /Image" not in content
    assert b"/ToUnicode" in content
    assert len(printed_report(samples.rent(), EN).pictures) == 3
    assert drawings(content).count(b" l\n") > 50


def test_the_process_that_asks_does_not_load_qt() -> None:
    """Only its child does."""
    code = (
        "import sys; from advisor.locale import language; from advisor.report import check_format;"
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

    assert "timed out" in str(fails(monkeypatch, "import time; time.sleep(60)").value)


def test_it_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that is gone is a sentence too."""
    monkeypatch.setattr(pdf, "program_command", lambda *_arguments: ("/nonexistent/program",))
    with pytest.raises(OutputError, match=re.escape(os.strerror(errno.ENOENT))):
        check_format("pdf")


@pytest.mark.parametrize("name", samples.every())
def test_a_picture_stands_alone(name: str) -> None:
    """Its colours are resolved, its style is inside, and no letter is drawn over by its own outline."""
    for picture in printed_report(samples.every()[name], EN).pictures:
        assert "var(" not in picture
        assert "<style>" in picture
        assert "paint-order" not in picture


def test_a_picture_keeps_what_it_shows() -> None:
    """Only a style is added."""
    assert standalone("<svg a='b'><g/></svg>").endswith("</style><g/></svg>")


def test_labels_stand_out_from_what_is_below_them() -> None:
    """Their outline is a text of its own, under them."""
    picture = standalone('<svg a="b"><text x="1" class="label strong">L4</text><text class="tick">9</text></svg>')
    assert '<text x="1" class="halo">L4</text><text x="1" class="label strong">L4</text>' in picture
    assert picture.count("<text") == 3


def test_a_picture_has_one_font_where_lists_are_not_known() -> None:
    """The rest of its style stays."""
    picture = with_family(standalone("<svg><text>a</text></svg>"), "DejaVu Sans")
    assert 'font-family: "DejaVu Sans";' in picture
    assert "Segoe" not in picture
    assert "DejaVu Sans" in font_families()


def test_everything_on_paper_is_escaped() -> None:
    """A name from a report file of unknown origin is text on paper too, and no file is read for it."""
    html = printed_report(samples.hostile(), EN).html

    assert set(re.findall(r"<img [^>]*>", html)) == {'<img src="chart-0">', '<img src="chart-1">'}
    assert "&lt;img" in html


def test_it_is_written_whole(tmp_path: Path) -> None:
    """A PDF takes its place like any other format."""
    path = tmp_path / "report.pdf"
    write_report(samples.enough(), path, "pdf", language("es"))
    assert path.read_bytes().endswith(b"%%EOF\n")
    assert [one.name for one in tmp_path.iterdir()] == ["report.pdf"]
