"""A PDF that says what its parts are, for those who have it read out: titles, paragraphs, lists, tables, pictures.

Qt writes pages without any of that. Needs pypdf, which the headless program does not.

Sources: ISO 32000-1:2008, 7.5.7 "Object streams", 7.5.8 "Cross-reference streams", 14.7 "Logical structure",
14.8 "Tagged PDF".
"""

import struct
from collections.abc import Sequence
from io import BytesIO

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

_CELLS = frozenset({"TH", "TD"})


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
    for page, number in zip(file.pages(), pages, strict=False):  # a blank one where no page was wanted
        drawing = page["/Contents"].get_object()
        assert isinstance(drawing, EncodedStreamObject)
        made, owners = marked(drawing.get_data(), float(page["/MediaBox"][3]), parts, number)
        drawing.set_data(made)
        tree.add_page(page, owners)
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
        size = int(self.reader.trailer["/Size"])
        self._old = {number: self.reader.get_object(number) for number in range(1, size)}
        self._new: dict[int, PdfObject] = {}
        self._next = size

    def pages(self) -> list[DictionaryObject]:
        """Return the pages themselves; pypdf hands out copies, with what they inherit."""
        return [self._old[page.indirect_reference.idnum] for page in self.reader.pages]

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


class _Tree:
    """The elements of a document, and which mark of which page belongs to each."""

    def __init__(self, file: _File, parts: Sequence[Part]) -> None:
        self._file, self._parts = file, parts
        self._marks: dict[int, list[DictionaryObject]] = {}
        self._by_page: list[list[int]] = []
        self._root = _dictionary(Type=NameObject("/StructTreeRoot"))
        self._root_place = file.add(self._root)
        self._elements: dict[tuple[Step, ...], tuple[DictionaryObject, IndirectObject]] = {}

    def add_page(self, page: DictionaryObject, owners: list[int]) -> None:
        """Take a page and the part that each of its marks belongs to."""
        page[NameObject("/Tabs")] = NameObject("/S")
        page[NameObject("/StructParents")] = NumberObject(len(self._by_page))
        self._by_page.append(owners)
        for mark, owner in enumerate(owners):
            told = _dictionary(Type=NameObject("/MCR"), Pg=page.indirect_reference, MCID=NumberObject(mark))
            self._marks.setdefault(owner, []).append(told)

    @property
    def has_marks(self) -> bool:
        """Some part was found on some page."""
        return bool(self._marks)

    def finish(self) -> IndirectObject:
        """Return the root of the elements that show something, with the empty cells beside them."""
        document = _dictionary(S=NameObject("/Document"), P=self._root_place, K=ArrayObject())
        self._elements[()] = document, self._file.add(document)
        self._root[NameObject("/K")] = self._elements[()][1]
        rows = {self._parts[owner].path[:-1] for owner in self._marks}
        for number, part in enumerate(self._parts):
            if number in self._marks or (part.path[-1].role in _CELLS and part.path[:-1] in rows):
                self._fill(part, self._marks.get(number, []))
        numbers = ArrayObject()
        for page, owners in enumerate(self._by_page):
            of_marks = ArrayObject(self._elements[self._parts[owner].path][1] for owner in owners)
            numbers += [NumberObject(page), self._file.add(of_marks)]
        self._root[NameObject("/ParentTree")] = self._file.add(_dictionary(Nums=numbers))
        self._root[NameObject("/ParentTreeNextKey")] = NumberObject(len(self._by_page))
        return self._root_place

    def _fill(self, part: Part, marks: list[DictionaryObject]) -> None:
        element = self._element(part.path)[0]
        if part.alternative:
            element[NameObject("/Alt")] = TextStringObject(part.alternative)
        for mark in marks:
            page = element.setdefault(NameObject("/Pg"), mark.raw_get("/Pg"))
            is_here = page == mark.raw_get("/Pg")
            element["/K"].append(mark.raw_get("/MCID") if is_here else mark)

    def _element(self, path: tuple[Step, ...]) -> tuple[DictionaryObject, IndirectObject]:
        """Return the element at the end of a path, made and put below its parent where it is new."""
        if path not in self._elements:
            parent, place = self._element(path[:-1])
            made = _dictionary(S=NameObject(f"/{path[-1].role}"), P=place, K=ArrayObject())
            if path[-1].scope:
                made[NameObject("/A")] = _dictionary(O=NameObject("/Table"), Scope=NameObject(f"/{path[-1].scope}"))
            self._elements[path] = made, self._file.add(made)
            parent["/K"].append(self._elements[path][1])
        return self._elements[path]


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
