"""The report for paper, in the HTML that a text engine without a browser understands; its charts stay pictures."""

import re
import zlib

import pytest

from advisor.locale import language
from advisor.report.content.blocks import Table
from advisor.report.formats.print_html import column_widths, printed_report
from advisor.report.formats.write import render
from tests.unit.report import samples

EN = language("en")


def drawings(content: bytes) -> bytes:
    """Return what is drawn on the pages."""
    streams = re.findall(rb"stream\r?\n(.*?)endstream", content, re.DOTALL)
    return b"".join(_unpacked(stream) for stream in streams)


def _unpacked(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""


@pytest.mark.slow
def test_charts_are_lines_and_text_is_text() -> None:
    """Nothing is a picture of dots, so that every page can be enlarged and searched."""
    content = render(samples.rent(), "pdf", EN)

    assert b"/Subtype /Image" not in content
    assert b"/ToUnicode" in content
    assert len(printed_report(samples.rent(), EN).pictures) == 4
    assert drawings(content).count(b" l\n") > 50


@pytest.mark.parametrize("name", samples.every())
def test_a_picture_stands_alone(name: str) -> None:
    """Its colours are resolved, its style is inside, and no letter is drawn over by its own outline."""
    for picture in printed_report(samples.every()[name], EN).pictures:
        assert "var(" not in picture
        assert "<style>" in picture
        assert "paint-order" not in picture


def test_everything_on_paper_is_escaped() -> None:
    """A name from a report file of unknown origin is text on paper too, and no file is read for it."""
    html = printed_report(samples.hostile(), EN).html

    assert set(re.findall(r"<img [^>]*>", html)) == {f'<img src="chart-{n}">' for n in range(3)}
    assert "&lt;img" in html


def test_a_column_of_sentences_gets_the_room_that_figures_leave() -> None:
    """Words do not run down the page beside empty columns; no column is narrower than its longest word."""
    said = "the share of the price that is left by then (CalcBee: Used GPU value calculator, 2026), and more"
    table = Table(
        ("Part", "Keep AMD EPYC", "Buy GeForce RTX 3050 6GB", "Rent RTX A4000 at Hyperstack", "Method"),
        (("Purchase", "–", "$843.00", "–", said), ("Electricity", "$0.73", "$0.05", "–", said)),
        numeric=frozenset({1, 2, 3}),
    )
    widths = column_widths(table)
    assert 98 <= sum(widths) <= 102
    assert widths[-1] == max(widths)
    assert widths[-1] > 30
    assert widths[0] >= 100 * len("Electricity") / 118
    assert column_widths(Table(("A", "B"), ())) == (50, 50)
