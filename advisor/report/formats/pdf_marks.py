"""Marks in what is drawn on a page: which part of the document each letter and line belongs to.

Sources: ISO 32000-1:2008, 14.6 "Marked content", 14.8.2.2 "Real content and artifacts".
"""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

FIGURE = "/Figure"

_Matrix = tuple[float, float, float, float, float, float]

_SLACK = 0.5
"""Points by which a letter or line may begin outside of its box: numbers are rounded."""
_PLAIN: _Matrix = (1, 0, 0, 1, 0, 0)
_NUMBER = rb"[-+.\d]+\s+"
_DRAWN = re.compile(
    rb"(?<!\S)(?:(?P<text>BT\s.*?\sET)|(?P<matrix>(?:%b){6}cm)|(?P<begin>(?:%b){2}(?:m|(?:%b){2}re))"
    rb"|(?P<state>[qQ])|(?P<end>f\*?|F|S|s|B\*?|b\*?)|(?P<nothing>n)|(?P<picture>/\S+\s+Do))(?!\S)"
    % (_NUMBER, _NUMBER, _NUMBER),
    re.DOTALL,
)
_FIRST_LETTER = re.compile(rb"((?:%b){6})Tm\s+((?:%b){2})Td\s" % (_NUMBER, _NUMBER))


class Box(NamedTuple):
    """A place on a page, counted from 0, in points from its upper left corner."""

    page: int
    left: float
    top: float
    right: float
    bottom: float


class Step(NamedTuple):
    """An element of the document on the way to a part.

    Attributes:
        role: Its name in PDF, such as ``/P``.
        number: Tells it from its neighbours.
        scope: Of the head of a table: what it is the head of.
    """

    role: str
    number: int
    scope: str = ""


class Part(NamedTuple):
    """What is read out in one go, such as a paragraph or a cell.

    Attributes:
        path: Its elements, the outermost first.
        boxes: Where its lines stand; none where it shows nothing.
        alternative: What is read out instead of a picture.
    """

    path: tuple[Step, ...]
    boxes: tuple[Box, ...]
    alternative: str = ""


class _Stroke(NamedTuple):
    """Something drawn: from where to where it is told, and its place on the page, in points from below."""

    begin: int
    end: int
    is_text: bool
    place: tuple[float, float] | None


def marked(drawing: bytes, height: float, parts: Sequence[Part], page: int) -> tuple[bytes, list[int]]:
    """Return what is drawn on a page with its marks, and which part each mark belongs to; all else decorates.

    Args:
        drawing: The operators, as Qt writes them.
        height: Of the page, in points.
        parts: All of the document.
        page: Of the document, counted from 0.
    """
    boxes = [(box, number) for number, part in enumerate(parts) for box in part.boxes if box.page == page]
    told: list[bytes] = []
    owners: list[int] = []
    done = 0
    for owner, strokes in groupby(_strokes(drawing), lambda stroke: _owner(stroke, height, boxes, parts)):
        begin, *_others, end = [place for stroke in strokes for place in (stroke.begin, stroke.end)]
        mark = b"/Artifact BMC"
        if owner is not None:
            mark = b"%b <</MCID %d>> BDC" % (parts[owner].path[-1].role.encode(), len(owners))
            owners.append(owner)
        told += [drawing[done:begin], mark, b"\n", drawing[begin:end], b"\nEMC"]
        done = end
    return b"".join((*told, drawing[done:])), owners


def _owner(stroke: _Stroke, height: float, boxes: Sequence[tuple[Box, int]], parts: Sequence[Part]) -> int | None:
    """Return the part in one of whose lines a stroke begins; of lines and areas only a picture is made."""
    if stroke.place is None:
        return None
    x, y = stroke.place[0], height - stroke.place[1]
    for box, number in boxes:
        if (
            box.left - _SLACK <= x <= box.right + _SLACK
            and box.top - _SLACK <= y <= box.bottom + _SLACK
            and (stroke.is_text or parts[number].path[-1].role == FIGURE)
        ):
            return number
    return None


def _strokes(drawing: bytes) -> Iterator[_Stroke]:
    """Yield what is drawn, in its order; what only clips draws nothing."""
    now, saved = _PLAIN, [_PLAIN]
    begun: tuple[int, tuple[float, float]] | None = None
    for found in _DRAWN.finditer(drawing):
        match found.lastgroup:
            case "state" if found[0] == b"q":
                saved.append(now)
            case "state":
                now = saved.pop()
            case "matrix":
                now = _times(_matrix(found[0].split()[:6]), now)
            case "text":
                yield _Stroke(found.start(), found.end(), True, _text_place(found[0], now))
            case "picture":
                yield _Stroke(found.start(), found.end(), True, now[4:])
            case "begin" if begun is None:
                x, y = found[0].split()[:2]
                begun = found.start(), _at(float(x), float(y), now)
            case "end" if begun is not None:
                yield _Stroke(begun[0], found.end(), False, begun[1])
                begun = None
            case "nothing":
                begun = None


def _text_place(text: bytes, now: _Matrix) -> tuple[float, float] | None:
    """Return where the first letter of a text stands; None where that is told in another way than Qt's."""
    found = _FIRST_LETTER.search(text)
    if found is None:
        return None
    x, y = map(float, found[2].split())
    return _at(x, y, _times(_matrix(found[1].split()), now))


def _matrix(numbers: Sequence[bytes]) -> _Matrix:
    a, b, c, d, e, f = map(float, numbers)
    return a, b, c, d, e, f


def _at(x: float, y: float, now: _Matrix) -> tuple[float, float]:
    return _times((1, 0, 0, 1, x, y), now)[4:]


def _times(inner: _Matrix, outer: _Matrix) -> _Matrix:
    """Return the matrix that does what both do, the inner one first. Source: ISO 32000-1:2008, 8.3.4."""
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m
