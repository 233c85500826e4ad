"""A PDF that says what its parts are, for those who have it read out: titles, paragraphs, lists, tables, pictures.

Qt writes pages without any of that. Needs pypdf, which the headless program does not.

Sources: ISO 32000-1:2008, 7.5.7 "Object streams", 7.5.8 "Cross-reference streams", 14.7 "Logical structure",
14.8 "Tagged PDF".
"""

import struct
from collections.abc import Sequence
from io import BytesIO
from typing import NamedTuple

from pypdf import PdfReader
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    DecodedStreamObject,
    DictionaryObject,
    EncodedStreamObject,
    IndirectObject,
    NameObject,
    NumberObject,
    PdfObject,
    StreamObject,
    TextStringObject,
)

from advisor.report.formats.pdf_marks import Part, Step, marked

_CELLS = frozenset({"/TH", "/TD"})


def tagged(content: bytes, language: str, parts: Sequence[Part], pages: Sequence[int]) -> bytes:
    """Return a PDF of Qt's with its structure.

    Args:
        content: The file; it stays as it is where none of its text is found, as in a font that Qt draws as lines.
        language: Of its texts, as in ``en``.
        parts: Of the document, in the order in which they are read.
        pages: Which of the document's the file has, counted from 0.
    """
    file = _File(content)
    tree = _Tree(file, parts)
    for page, number in zip(file.reader.pages, pages, strict=False):  # a blank one where no page was wanted
        place, drawing = page.indirect_reference, page["/Contents"].get_object()
        assert place is not None
        assert isinstance(drawing, EncodedStreamObject)
        made, owners = marked(drawing.get_data(), float(page.mediabox.height), parts, number)
        drawing.set_data(made)
        tree.add_page(place, owners)
    if not tree.has_marks:
        return content
    catalog = file.reader.root_object
    catalog[NameObject("/StructTreeRoot")] = tree.finish()
    catalog[NameObject("/Lang")] = TextStringObject(language)
    catalog[NameObject("/MarkInfo")] = _dictionary(Marked=BooleanObject(True))
    catalog[NameObject("/ViewerPreferences")] = _dictionary(DisplayDocTitle=BooleanObject(True))
    return file.written()


class _File:
    """A PDF whose objects may be changed and get company; the new ones are packed, for there are many small ones."""

    def __init__(self, content: bytes) -> None:
        self.reader = PdfReader(BytesIO(content))
        size = self.reader.trailer["/Size"]
        assert isinstance(size, NumberObject)
        self._old = {number: self.reader.get_object(number) for number in range(1, size)}
        self._new: dict[int, PdfObject] = {}
        self._next = int(size)

    def add(self, made: PdfObject) -> IndirectObject:
        """Take a new object, and return what refers to it."""
        self._new[self._next] = made
        self._next += 1
        return IndirectObject(self._next - 1, 0, self.reader)

    def written(self) -> bytes:
        """Return the file."""
        out = BytesIO()
        out.write(b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n")
        packed, index = self._next, self._next + 1
        entries = {number: (2, packed, place) for place, number in enumerate(self._new)}
        for number, one in (*self._old.items(), (packed, self._packed())):
            if one is not None:
                entries[number] = 1, out.tell(), 0
                _write(out, number, one)
        begin = out.tell()
        entries[index] = 1, begin, 0
        rows = (entries.get(number, (0, 0, 65535)) for number in range(index + 1))
        _write(out, index, self._index(b"".join(struct.pack(">BIH", *row) for row in rows), index + 1))
        out.write(b"startxref\n%d\n%%%%EOF\n" % begin)
        return out.getvalue()

    def _packed(self) -> StreamObject:
        """Return the new objects as one."""
        body, places = BytesIO(), []
        for number, one in self._new.items():
            places.append(f"{number} {body.tell()}")
            one.write_to_stream(body)
            body.write(b"\n")
        head = (" ".join(places) + "\n").encode()
        return _stream(head + body.getvalue(), Type=NameObject("/ObjStm"), N=NumberObject(len(places)),
                       First=NumberObject(len(head)))  # fmt: skip

    def _index(self, rows: bytes, size: int) -> StreamObject:
        """Return where each object is."""
        stream = _stream(rows, Type=NameObject("/XRef"), Size=NumberObject(size),
                         W=ArrayObject(map(NumberObject, (1, 4, 2))))  # fmt: skip
        for name in ("/Root", "/Info", "/ID"):
            stream[NameObject(name)] = self.reader.trailer.raw_get(name)
        return stream


class _Element(NamedTuple):
    """An element, what is in it, and what refers to it."""

    entries: DictionaryObject
    kids: ArrayObject
    place: IndirectObject


class _Tree:
    """The elements of a document, and which mark of which page belongs to each."""

    def __init__(self, file: _File, parts: Sequence[Part]) -> None:
        self._file, self._parts = file, parts
        self._marks: dict[int, list[DictionaryObject]] = {}
        self._by_page: list[list[int]] = []
        self._root = _dictionary(Type=NameObject("/StructTreeRoot"))
        self._root_place = file.add(self._root)
        self._elements: dict[tuple[Step, ...], _Element] = {}

    def add_page(self, place: IndirectObject, owners: list[int]) -> None:
        """Take a page and the part that each of its marks belongs to."""
        page = place.get_object()  # the page itself: among its pages pypdf hands out copies
        assert isinstance(page, DictionaryObject)
        page[NameObject("/Tabs")] = NameObject("/S")
        page[NameObject("/StructParents")] = NumberObject(len(self._by_page))
        self._by_page.append(owners)
        for mark, owner in enumerate(owners):
            told = _dictionary(Type=NameObject("/MCR"), Pg=place, MCID=NumberObject(mark))
            self._marks.setdefault(owner, []).append(told)

    @property
    def has_marks(self) -> bool:
        """Some part was found on some page."""
        return bool(self._marks)

    def finish(self) -> IndirectObject:
        """Return the root of the elements that show something, with the empty cells beside them."""
        self._elements[()] = self._new_element("/Document", self._root_place)
        self._root[NameObject("/K")] = self._elements[()].place
        rows = {self._parts[owner].path[:-1] for owner in self._marks}
        for number, part in enumerate(self._parts):
            if number in self._marks or (part.path[-1].role in _CELLS and part.path[:-1] in rows):
                self._fill(part, self._marks.get(number, []))
        numbers = ArrayObject()
        for page, owners in enumerate(self._by_page):
            of_marks = ArrayObject(self._elements[self._parts[owner].path].place for owner in owners)
            numbers += [NumberObject(page), self._file.add(of_marks)]
        self._root[NameObject("/ParentTree")] = self._file.add(_dictionary(Nums=numbers))
        self._root[NameObject("/ParentTreeNextKey")] = NumberObject(len(self._by_page))
        return self._root_place

    def _fill(self, part: Part, marks: list[DictionaryObject]) -> None:
        element = self._element(part.path)
        if part.alternative:
            element.entries[NameObject("/Alt")] = TextStringObject(part.alternative)
        for mark in marks:
            page = element.entries.setdefault(NameObject("/Pg"), mark.raw_get("/Pg"))
            element.kids.append(mark["/MCID"] if page == mark.raw_get("/Pg") else mark)

    def _element(self, path: tuple[Step, ...]) -> _Element:
        """Return the element at the end of a path, made and put below its parent where it is new."""
        if path not in self._elements:
            parent, step = self._element(path[:-1]), path[-1]
            made = self._elements[path] = self._new_element(step.role, parent.place)
            if step.scope:
                scope = _dictionary(O=NameObject("/Table"), Scope=NameObject(step.scope))
                made.entries[NameObject("/A")] = scope
            parent.kids.append(made.place)
        return self._elements[path]

    def _new_element(self, role: str, parent: IndirectObject) -> _Element:
        kids = ArrayObject()
        entries = _dictionary(S=NameObject(role), P=parent, K=kids)
        return _Element(entries, kids, self._file.add(entries))


def _dictionary(**entries: PdfObject) -> DictionaryObject:
    return DictionaryObject({NameObject(f"/{name}"): value for name, value in entries.items()})


def _stream(content: bytes, **entries: PdfObject) -> StreamObject:
    """Return a compressed stream."""
    stream = DecodedStreamObject()
    stream.set_data(content)
    stream.update(_dictionary(**entries))
    return stream.flate_encode()


def _write(out: BytesIO, number: int, one: PdfObject) -> None:
    out.write(b"%d 0 obj\n" % number)
    one.write_to_stream(out)
    out.write(b"\nendobj\n")
