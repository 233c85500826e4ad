"""Two kinds of chart that several series share: lines over an axis, and bars beside their names."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from advisor.report.charts import svg_axes

ROW, BAR = 30, 16
"""Height of a row of bars, and of its bar."""
_NAMES = 400  # room at the left for the names of bars, at most
_LABELS = 360  # room at the right for the names of lines, at most
_LINE_GAP = 15
_KEY = 14
"""Length of the stroke before a name, in the colour of its line: ends of lines may lie close together."""


class Line(NamedTuple):
    """One line of a chart.

    Attributes:
        name: Stands at its end.
        points: Pairs (x, y).
        style: Classes of the style sheet, such as ``s0``.
        has_marks: Whether each point is marked.
        hollow: Values of x whose mark is empty: what they tell is doubtful.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    style: str
    has_marks: bool = True
    hollow: frozenset[float] = frozenset()


def lines_panel(names: Iterable[str]) -> svg_axes.Panel:
    """Return the room for lines that have these names at their right end."""
    widest = max((svg_axes.width_of(name) for name in names), default=0.0)
    return svg_axes.WHOLE._replace(right=svg_axes.WIDTH - min(widest, _LABELS) - _KEY - 16)


def lines(
    drawn: Sequence[Line], x: svg_axes.Scale, y: svg_axes.Scale, hover: Callable[[str, float, float], str]
) -> str:
    """Return lines with their names at the right end, moved down where two would lie on each other.

    Args:
        drawn: The lines.
        x: Scale of the first number of each point.
        y: Scale of the second.
        hover: Returns what stands at a mark, from the line's name and its point.
    """
    parts: list[str] = []
    free = float("-inf")
    end = max((x(px) for one in drawn for px, _py in one.points), default=0.0)
    for one in sorted(drawn, key=lambda line: y(line.points[-1][1])):
        pixels = [(x(px), y(py)) for px, py in one.points]
        parts.append(svg_axes.line(pixels, f"line {one.style}"))
        if one.has_marks:
            marks = zip(pixels, one.points, strict=True)
            parts += [
                svg_axes.mark("circle", at, 3, style=_dot(one, point[0]), title=hover(one.name, *point))
                for at, point in marks
            ]
        place = max(pixels[-1][1] + 4, free)
        free = place + _LINE_GAP
        parts.append(svg_axes.line([(end + 8, place - 4), (end + 8 + _KEY, place - 4)], f"line {one.style}"))
        parts.append(svg_axes.text(end + _KEY + 13, place, one.name))
    return "".join(parts)


def _dot(line: Line, x: float) -> str:
    return f"dot {line.style}{' hollow' * (x in line.hollow)}"


class Bar(NamedTuple):
    """One bar.

    Attributes:
        name: Stands at its left.
        value: Its length.
        label: Stands at its right end.
        style: Classes of the style sheet.
    """

    name: str
    value: float
    label: str
    style: str = "s0"


def bars(rows: Sequence[Bar], *, right: float = 150) -> tuple[str, float]:
    """Return bars from zero with their names and values, and the height of the picture.

    Args:
        rows: From top to bottom; a style with ``gap`` leaves room above.
        right: Room at the right for the values.
    """
    most = max((row.value for row in rows), default=0.0) or 1.0
    left = min(max((svg_axes.width_of(row.name) for row in rows), default=0.0), _NAMES) + 14
    scale = svg_axes.Scale(0.0, most, left, svg_axes.WIDTH - right, is_log=False)
    parts, y = [], 8.0
    for row in rows:
        if "gap" in row.style.split():
            y += 10
        middle = y + BAR / 2 + 4.5
        parts.append(svg_axes.text(left - 10, middle, row.name, anchor="end"))
        title = f"{row.name}: {row.label}"
        parts.append(svg_axes.bar(left, y, scale(row.value) - left, BAR, style=f"bar {row.style}", title=title))
        parts.append(svg_axes.text(scale(row.value) + 8, middle, row.label, style="tick"))
        y += ROW
    return "".join(parts), y
