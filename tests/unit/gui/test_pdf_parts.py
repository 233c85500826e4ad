"""The structure of pages that were made: what is read out, in which order and as what."""

import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from io import BytesIO
from itertools import groupby
from typing import Any, NamedTuple

import pytest
from pypdf import PdfReader
from pypdf.generic import DictionaryObject, EncodedStreamObject
from PySide6.QtWidgets import QApplication

from advisor.gui import pdf_layout
from advisor.locale import Language, language
from advisor.report.documents.serving_advice import serving_page
from advisor.report.formats.pdf import Paper
from advisor.report.formats.pdf_tags import tagged
from advisor.report.formats.print_html import Printed, printed_page, printed_report, printed_sheet
from tests.unit.gui.test_pdf_layout import laid_out
from tests.unit.report import samples
from tests.unit.report.content.measured.results import full
from tests.unit.report.documents.test_serving_advice import advice

EN = language("en")
MARK = re.compile(rb"/(?:Artifact BMC|(\w+) <</MCID (\d+)>> BDC)\n(.*?)\nEMC", re.DOTALL)


@cache
def pages(code: str) -> dict[str, Printed]:
    """Return what is printed in a language."""
    spoken = language(code)
    return {
        "full": printed_report(full(), spoken),
        "hostile": printed_report(samples.hostile(), spoken),
        "sheet": printed_sheet(samples.rent(), spoken),
        "serving": printed_page(serving_page(advice(), spoken), spoken),
    }


@cache
def made(printed: Printed, code: str) -> bytes:
    """Return the file."""
    return pdf_layout.pdf_bytes(printed, language(code))


class Element(NamedTuple):
    """An element of the tree, with its marks: pages, counted from 0, and numbers."""

    role: str
    entry: Any
    marks: list[tuple[int, int]]


class Read:
    """A file as it is read out."""

    def __init__(self, content: bytes) -> None:
        self.reader = PdfReader(BytesIO(content))
        self.catalog: Any = self.reader.root_object
        self._numbers = {page.indirect_reference: place for place, page in enumerate(self.reader.pages)}
        self.drawings = [drawing_of(page) for page in self.reader.pages]
        self.marks = [self._marks(drawing) for drawing in self.drawings]
        tree = self.catalog["/StructTreeRoot"]
        assert isinstance(tree, DictionaryObject)
        self.elements = list(self._elements(tree["/K"]))

    def _elements(self, entry: Any) -> Iterator[Element]:
        marks: list[tuple[int, int]] = []
        yield Element(entry["/S"], entry, marks)
        for kid in entry["/K"]:
            one = kid.get_object()
            if isinstance(one, int):
                marks.append((self._numbers[entry.raw_get("/Pg")], int(one)))
            elif "/MCID" in one:
                marks.append((self._numbers[one.raw_get("/Pg")], int(one["/MCID"])))
            else:
                assert one.raw_get("/P") == entry.indirect_reference
                yield from self._elements(one)

    def _marks(self, drawing: bytes) -> list[tuple[str, bytes]]:
        """Return the role and the drawing of each mark of a page."""
        found = [one for one in MARK.finditer(drawing) if one[1]]
        assert [int(one[2]) for one in found] == list(range(len(found)))
        return [(f"/{one[1].decode()}", one[3]) for one in found]

    def text(self, elements: Iterable[Element]) -> str:
        """Return what elements say, one after the other."""
        marks = (mark for element in elements for mark in element.marks)
        by_page = [(page, [number for _page, number in some]) for page, some in groupby(marks, lambda mark: mark[0])]
        assert [page for page, _numbers in by_page] == sorted({page for page, _numbers in by_page})
        drawn = [(page, b"\n".join(self.marks[page][number][1] for number in numbers)) for page, numbers in by_page]
        return "".join(self.drawn_text(page, drawing) for page, drawing in drawn)

    def drawn_text(self, number: int, drawing: bytes) -> str:
        """Return the letters of a drawing."""
        page = self.reader.pages[number]
        stream = page["/Contents"].get_object()
        assert isinstance(stream, EncodedStreamObject)
        stream.set_data(drawing)
        return page.extract_text()


def drawing_of(page: DictionaryObject) -> bytes:
    """Return what is drawn on a page."""
    stream = page["/Contents"].get_object()
    assert isinstance(stream, EncodedStreamObject)
    return stream.get_data()


def letters(text: str) -> str:
    """Return a text without its spaces, which a font may not tell from tabs, and ligatures as their letters."""
    return re.sub(r"[\s\N{OBJECT REPLACEMENT CHARACTER}]+", "", unicodedata.normalize("NFKC", text))


@pytest.fixture(params=["en", "es"])
def spoken(request: pytest.FixtureRequest) -> Language:
    """Return each language."""
    return language(request.param)


@pytest.fixture(params=pages("en"))
def printed(request: pytest.FixtureRequest, spoken: Language, qapp: QApplication) -> Printed:
    """Return each page."""
    return pages(spoken.code)[request.param]


@pytest.fixture
def read(printed: Printed, spoken: Language) -> Read:
    """Return it as it is read out."""
    return Read(made(printed, spoken.code))


def test_it_says_its_language_and_title(read: Read, printed: Printed, spoken: Language) -> None:
    """So that it is read out in its language, and a window's title is the answer, not the file's name."""
    assert read.catalog["/Lang"] == spoken.code
    assert read.catalog["/MarkInfo"] == {"/Marked": True}
    assert read.catalog["/ViewerPreferences"] == {"/DisplayDocTitle": True}
    assert read.reader.metadata is not None
    assert read.reader.metadata.title == printed.title


def test_every_mark_belongs_to_one_element(read: Read) -> None:
    """Each mark of each page is in the tree once, each of the tree on its page, and its page leads to its element."""
    found = Counter(mark for element in read.elements for mark in element.marks)
    drawn = {(page, number) for page in range(len(read.drawings)) for number in range(len(read.marks[page]))}
    assert set(found.values()) == {1}
    assert set(found) == drawn

    numbers = read.catalog["/StructTreeRoot"]["/ParentTree"]["/Nums"]
    for place, page in enumerate(read.reader.pages):
        assert page["/Tabs"] == "/S"
        assert (page["/StructParents"], numbers[2 * place]) == (place, place)
        of_page = numbers[2 * place + 1].get_object()
        assert len(of_page) == len(read.marks[place])
        for element in read.elements:
            for number in (number for page_of, number in element.marks if page_of == place):
                assert of_page[number] == element.entry.indirect_reference
                assert read.marks[place][number][0] == element.role


def test_everything_is_read_in_the_reports_order(read: Read, printed: Printed) -> None:
    """All letters of the report but those of its charts, once; what decorates is feet and repeated heads."""
    heads = [element for element in read.elements if element.role in {f"/H{level}" for level in range(1, 7)}]
    assert heads[0].role == "/H1"
    assert letters(read.text(heads[:1])).startswith(letters(printed.title))
    assert {element.role for element in heads[1:]} <= {"/H2", "/H3", "/H4"}

    told = read.text(element for element in read.elements if element.role != "/Figure")
    assert letters(told) == letters(laid_out(printed).toPlainText())


def test_what_decorates_is_feet_and_repeated_heads(read: Read, printed: Printed) -> None:
    """What else is drawn twice is cut off at the edge of the other page; nothing is left out."""
    read_out = letters(read.text(read.elements))
    for number, drawing in enumerate(read.drawings):
        left = [one[3] for one in MARK.finditer(drawing) if not one[1] and b"BT" in one[3]]
        foot = letters(printed.footer.format(page=number + 1, pages=len(read.drawings)))
        told = [letters(read.drawn_text(number, one)) for one in left]
        assert told[-1] == foot
        assert not [text for text in told[:-1] if text not in read_out]


def test_charts_have_a_text_instead(read: Read, printed: Printed) -> None:
    """Each chart is one picture, with what one sees in it."""
    figures = [element for element in read.elements if element.role == "/Figure"]
    assert [element.entry["/Alt"] for element in figures] == list(printed.descriptions)
    assert all(printed.descriptions)
    for element in figures:
        ((page, number),) = element.marks
        assert read.marks[page][number][1].count(b"\nBT\n") > 1


def test_tables_have_rows_with_a_cell_in_each_column(read: Read) -> None:
    """Cells without a text, too; each table has heads, which say what they are the heads of."""
    tables = [element for element in read.elements if element.role == "/Table"]
    assert tables
    for table in tables:
        rows = [[cell.get_object() for cell in row.get_object()["/K"]] for row in table.entry["/K"]]
        assert {row.get_object()["/S"] for row in table.entry["/K"]} == {"/TR"}
        assert len({len(row) for row in rows}) == 1
        heads = [cell for row in rows for cell in row if cell["/S"] == "/TH"]
        scopes = {cell["/A"]["/Scope"] for cell in heads}
        assert scopes in ({"/Row"}, {"/Column"})
        assert heads == (rows[0] if scopes == {"/Column"} else [row[0] for row in rows])


def test_lists_have_items(spoken: Language, qapp: QApplication) -> None:
    """Each with its text."""
    read = Read(pdf_layout.pdf_bytes(printed_report(samples.rent(), spoken), spoken))
    lists = [element.entry for element in read.elements if element.role == "/L"]
    assert len(lists) > 2
    for one in lists:
        items = [item.get_object() for item in one["/K"]]
        assert {item["/S"] for item in items} == {"/LI"}
        assert all([body.get_object()["/S"] for body in item["/K"]] == ["/LBody"] for item in items)


def test_what_is_seen_stays(read: Read, printed: Printed, spoken: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the marks the drawings are Qt's; the file has less than a fifth more, and pypdf may be missing."""
    monkeypatch.setitem(sys.modules, "advisor.report.formats.pdf_tags", None)
    plain = pdf_layout.pdf_bytes(printed, spoken)
    reader = PdfReader(BytesIO(plain))
    assert b"StructTreeRoot" not in plain
    assert [MARK.sub(rb"\3", drawing) for drawing in read.drawings] == [drawing_of(page) for page in reader.pages]
    assert read.reader.stream.seek(0, 2) < 1.2 * len(plain)


def test_pages_that_are_not_printed_are_not_read(qapp: QApplication) -> None:
    """Of the pages that were chosen on the system's dialog."""
    paper = Paper(printer="", file="x.pdf", width_points=595, height_points=842, is_landscape=False, copies=1,
                  is_collated=False, is_grey=False, duplex=0, first=2, last=3)  # fmt: skip
    read = Read(pdf_layout.pdf_bytes(printed_report(samples.rent(), EN), EN, paper))
    assert len(read.drawings) == 2
    assert {page for element in read.elements for page, _number in element.marks} == {0, 1}
    assert "/H1" not in {element.role for element in read.elements}
    assert all(element.marks or element.role in {"/Document", "/Table", "/TR", "/TD", "/L", "/LI"}
               for element in read.elements)  # fmt: skip


def test_a_file_whose_text_is_not_found_stays_as_it_is(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that says to have a structure, and has none, is worse to read than one without."""
    monkeypatch.setitem(sys.modules, "advisor.report.formats.pdf_tags", None)
    plain = pdf_layout.pdf_bytes(printed_sheet(samples.rent(), EN), EN)
    assert tagged(plain, "en", [], [0]) == plain
