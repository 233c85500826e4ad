"""Where the names of marks stand in a chart so that none lies on another: beside its mark, or nowhere. In pixels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

_MARKS_A_STEP = 3
_HALF_A_MARK = 5.0
_MOST_COVERED = 4
"""Of a name that would lie on more marks nothing is gained: a tip and the table say it."""


class Box(NamedTuple):
    """An upright rectangle; y grows downwards."""

    left: float
    top: float
    width: float
    height: float

    def meets(self, other: Box) -> bool:
        """Return whether the two have a point in common."""
        is_beside = self.left + self.width <= other.left or other.left + other.width <= self.left
        return not (is_beside or self.top + self.height <= other.top or other.top + other.height <= self.top)

    def holds(self, other: Box) -> bool:
        """Return whether the other lies wholly inside."""
        is_within = self.left <= other.left and other.left + other.width <= self.left + self.width
        return is_within and self.top <= other.top and other.top + other.height <= self.top + self.height


class Name(NamedTuple):
    """The name of a mark: where its mark is, and how much room it takes."""

    x: float
    y: float
    width: float
    height: float


def label_places(
    names: Sequence[Name],
    area: Box,
    marks: Sequence[tuple[float, float]] = (),
    taken: Sequence[Box] = (),
    distances: Sequence[float] = (11.0, 34.0, 60.0, 90.0),
) -> list[Box | None]:
    """Return a place for each name, the most important first; None where there is none left for it.

    Args:
        names: In the order of their importance.
        area: What the names must lie in.
        marks: Middles of all marks: a place that covers none is taken where there is one, else that with the fewest.
        taken: What no name may lie on.
        distances: Between the middle of a mark and its name, the best first; where none is free, each farther one
            counts as much as a few covered marks.
    """
    used = list(taken)
    places: list[Box | None] = []
    for name in names:
        free = [
            ((covered := _covered(box, marks)) > 0, covered + _MARKS_A_STEP * step, box)
            for step, distance in enumerate(distances)
            for box in _beside(name, area, distance)
            if area.holds(box) and not any(box.meets(other) for other in used)
        ]
        *_cost, place = min(free, key=lambda found: found[:2], default=(False, 0, None))
        if place is not None and places and _covered(place, marks) > _MOST_COVERED:
            place = None
        places.append(place)
        if place is not None:
            used.append(place)
    return places


def leader(name: Name, place: Box) -> tuple[float, float]:
    """Return the point of a name that is nearest to its mark: where a line to it ends."""
    return (
        min(max(name.x, place.left), place.left + place.width),
        min(max(name.y, place.top), place.top + place.height),
    )


def _beside(name: Name, area: Box, distance: float) -> Iterator[Box]:
    """Yield the places around a mark, the usual ones first: beside it towards the middle, then the other side."""
    x, y, width, height = name
    right, left = x + distance, x - distance - width
    is_right_half = x > area.left + area.width / 2
    for side in (left, right) if is_right_half else (right, left):
        yield Box(side, y - height / 2, width, height)
    middle = max(area.left, min(x - width / 2, area.left + area.width - width))  # near an edge it begins there
    for beyond in (y - distance - height, y + distance):
        yield Box(middle, beyond, width, height)
    for side in (left, right) if is_right_half else (right, left):
        yield Box(side, y - height, width, height)
        yield Box(side, y, width, height)


def _covered(box: Box, marks: Sequence[tuple[float, float]]) -> int:
    """Return how many marks a name would lie on, or touch."""
    room = _HALF_A_MARK
    return sum(
        -room <= x - box.left <= box.width + room and -room <= y - box.top <= box.height + room for x, y in marks
    )
