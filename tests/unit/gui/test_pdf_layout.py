"""Reports on pages: titles stay with what they belong to, short tables whole, every page numbered."""

import html
import re
from collections.abc import Callable
from io import BytesIO

import msgspec
import pytest
from pypdf import PdfReader
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication

from advisor.gui import pdf_layout
from advisor.locale import Language, language
from advisor.records.results.report import Report
from advisor.report.formats.print_html import Printed, printed_report, printed_sheet
from tests.gui.samples import sample_report
from tests.unit.report import samples
from tests.unit.report.content.measured.results import full

EN, ES = language("en"), language("es")


def laid_out(printed: Printed) -> QTextDocument:
    """Return the pages of a report; the device they were measured for lives as long as they do."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = pdf_layout._writer(buffer, printed.title, EN)
    pages = pdf_layout._lay_out(printed, writer)
    pages.setProperty("kept", [buffer, writer])
    return pages


def reports() -> dict[str, Report]:
    """Return short and long reports."""
    return {"full": full(), **samples.every()}


@pytest.fixture(scope="module")
def in_english(qapp: QApplication) -> dict[str, QTextDocument]:
    """Return the pages of all of them; the tests only look at them."""
    return {name: laid_out(printed_report(report, EN)) for name, report in reports().items()}


@pytest.mark.parametrize("name", reports())
def test_no_title_is_left_alone(in_english: dict[str, QTextDocument], name: str) -> None:
    """Each title is on the page of what follows it, each picture on that of its title."""
    pages = in_english[name]
    for chain in pdf_layout._chains(pages):
        found = {pdf_layout._page(pages, block) for block in chain}
        assert len(found) == 1, chain[0].text()


@pytest.mark.parametrize("spoken", [EN, ES], ids=["en", "es"])
@pytest.mark.parametrize("make", [samples.rent, samples.hostile, sample_report])
def test_the_sheet_is_one_page(qapp: QApplication, spoken: Language, make: Callable[[], Report]) -> None:
    """Whatever the answer, question, verdict, options, chart and reasons fit on one page; the whole report does not."""
    page = printed_sheet(make(), spoken)
    content = pdf_layout.pdf_bytes(page, spoken)

    assert len(re.findall(rb"/Type /Page\b", content)) == 1
    assert page.title in html.unescape(page.html)
    assert len(page.pictures) == 1
    assert laid_out(printed_report(make(), spoken)).pageCount() > 1


def test_the_picture_of_a_sheet_gives_way_to_a_long_text(qapp: QApplication) -> None:
    """One page stays one, also where its reasons take some lines more than there is room."""
    sheet = printed_sheet(samples.rent(), EN)
    lines = 0
    while laid_out(sheet._replace(is_sheet=False)).pageCount() == 1:
        lines += 1
        assert lines < 60
        sheet = sheet._replace(html=sheet.html.replace("</body>", f"<p>Line {lines}</p></body>"))

    assert laid_out(sheet).pageCount() == 1


@pytest.mark.parametrize("country", ["MX", "DE"], ids=["letter", "a4"])
@pytest.mark.parametrize("spoken", [EN, ES], ids=["en", "es"])
def test_the_letters_of_a_sheet_give_way_to_long_warnings(qapp: QApplication, spoken: Language, country: str) -> None:
    """A warning beside a long answer made a second page of "on one sheet": its last line was cut between the two."""
    heard = Language(spoken.code, spoken.region, country)
    sheet = printed_sheet(sample_report(), heard)
    for sentence in ("Cierra lo que no necesites y mide otra vez. " * 8,) * 12:
        sheet = sheet._replace(html=sheet.html.replace("</body>", f"<p>{sentence}</p></body>"))

    assert len(re.findall(rb"/Type /Page\b", pdf_layout.pdf_bytes(sheet, heard))) == 1


def test_a_long_table_goes_on_under_its_head(in_english: dict[str, QTextDocument]) -> None:
    """A table over several pages repeats its head; a short one is on one page."""
    pages = in_english["full"]
    assert pages.pageCount() > 6
    tables = {}
    block = pages.begin()
    while block.isValid():
        table = QTextCursor(block).currentTable()
        if table is not None:
            tables[table.firstPosition()] = table
        block = block.next()
    assert len(tables) > 10
    assert all(table.format().headerRowCount() <= 1 for table in tables.values())
    assert any(table.format().headerRowCount() == 1 and table.rows() > 12 for table in tables.values())


@pytest.mark.parametrize("name", reports())
def test_no_row_is_cut_in_two(in_english: dict[str, QTextDocument], name: str) -> None:
    """Each row of a table is on one page."""
    for pages in (in_english[name], laid_out(printed_report(reports()[name], ES))):
        assert not [row[0].firstCursorPosition().block().text() for row in pdf_layout._rows(pages)
                    if pdf_layout._is_cut(pages, row)]  # fmt: skip


def test_the_foot_counts_the_pages(qapp: QApplication) -> None:
    """In the user's language, without braces from anywhere."""
    assert printed_report(samples.rent(), ES).footer.format(page=1, pages=3).endswith("Página 1 de 3")
    odd = msgspec.structs.replace(samples.rent(), program_version="{pages}{0}")
    assert printed_report(odd, EN).footer.format(page=1, pages=3).endswith("Page 1 of 3")


def test_every_page_is_in_the_file(qapp: QApplication) -> None:
    """As many as were laid out."""
    spoken = Language("es", "es_MX")
    content = pdf_layout.pdf_bytes(printed_report(samples.cluster(), spoken), spoken)
    assert content.startswith(b"%PDF-")
    assert content.count(b"/Type /Page\n") == laid_out(printed_report(samples.cluster(), ES)).pageCount()


@pytest.mark.parametrize(
    ("spoken", "width"),
    [
        (Language("es", "es_MX"), 612),
        (Language("en", "en_001", "MX"), 612),  # English in a country whose English nobody has described
        (Language("en"), 612),
        (Language("es", "es_419", "CA"), 612),
        (Language("es"), 595),
        (Language("en", "en_US", "ES"), 595),
        (Language("es", "es_AR"), 595),
    ],
)
def test_the_paper_is_that_of_the_country(qapp: QApplication, spoken: Language, width: int) -> None:
    """US Letter is 612 points wide, A4 595; the territory decides, not how numbers are written."""
    content = pdf_layout.pdf_bytes(printed_report(samples.cluster(), spoken), spoken)
    assert {round(page.mediabox.width) for page in PdfReader(BytesIO(content)).pages} == {width}


def test_endless_names_end(qapp: QApplication) -> None:
    """A name from a hostile file may be longer than a page; the pages still come to an end."""
    card = msgspec.structs.replace(samples.enough().machine.accelerators[0], name="x" * 20_000)
    machine = msgspec.structs.replace(samples.enough().machine, accelerators=(card,))
    report = msgspec.structs.replace(samples.enough(), machine=machine)
    assert laid_out(printed_report(report, EN)).pageCount() < 40


def test_the_first_page_ends_before_the_evidence(qapp: QApplication) -> None:
    """Answer, options and chart have a page of their own; the rest begins on the next."""
    document = laid_out(printed_report(samples.rent(), EN))
    blocks = [document.begin()]
    while blocks[-1].next().isValid():
        blocks.append(blocks[-1].next())
    titles = [one for one in blocks if one.blockFormat().headingLevel() == 2]
    pictures = [one for one in blocks if "\N{OBJECT REPLACEMENT CHARACTER}" in one.text()]

    assert pdf_layout._page(document, pictures[0]) == 0
    assert pdf_layout._page(document, titles[0]) == 1
