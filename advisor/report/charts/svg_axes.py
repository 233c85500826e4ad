"""Scales and ticks of charts, and the few SVG elements they are drawn with; every text is escaped here."""

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT = 900, 400
LEFT, RIGHT, TOP, BOTTOM = 72, 24, 40, 56


class Scale(NamedTuple):
    """A logarithmic or linear map from values to pixels."""

    low: float
    high: float
    start: float
    end: float
    is_log: bool = True

    def __call__(self, value: float) -> float:
        """Return the pixel of a value, kept inside the axis."""
        value = min(max(value, self.low), self.high)
        if self.is_log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)


class Panel(NamedTuple):
    """The room inside the axes of a chart, in pixels."""

    left: float = LEFT
    top: float = TOP
    right: float = WIDTH - RIGHT
    bottom: float = HEIGHT - BOTTOM


WHOLE = Panel()


def horizontal(low: float, high: float, *, is_log: bool = True, panel: Panel = WHOLE) -> Scale:
    """Return the scale of a horizontal axis with a little room at both ends."""
    return Scale(*_padded(low, high, is_log), panel.left, panel.right, is_log)


def vertical(low: float, high: float, *, is_log: bool = True, panel: Panel = WHOLE) -> Scale:
    """Return the scale of a vertical axis."""
    return Scale(*_padded(low, high, is_log), panel.bottom, panel.top, is_log)


def _padded(low: float, high: float, is_log: bool) -> tuple[float, float]:
    if is_log:
        return low / 1.6, high * 1.6
    return low, high if high > low else low + 1.0


def decades(scale: Scale, most: int = 9) -> list[float]:
    """Return round values inside a logarithmic axis: powers of ten, with 2 and 5 between where there is room."""
    first, last = math.floor(math.log10(scale.low)), math.ceil(math.log10(scale.high))
    tens = [10.0**power for power in range(first, last + 1)]
    fine = [ten * step for ten in tens for step in (1, 2, 5)]
    inside = [value for value in fine if scale.low <= value <= scale.high]
    if len(inside) <= most:
        return inside
    coarse = [value for value in tens if scale.low <= value <= scale.high]
    return coarse[:: max(1, math.ceil(len(coarse) / most))]


def steps(scale: Scale, most: int = 6) -> list[float]:
    """Return round values inside a linear axis."""
    rough = (scale.high - scale.low) / most
    power = 10 ** math.floor(math.log10(rough))
    step = next(power * m for m in (1, 2, 5, 10) if power * m >= rough)
    first = math.ceil(scale.low / step)
    return [n * step for n in range(first, math.floor(scale.high / step) + 1)]


def text(x: float, y: float, content: str, *, anchor: str = "start", style: str = "label") -> str:
    """Return a text element."""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" class="{style}">{escape(content)}</text>'


def line(points: Sequence[tuple[float, float]], style: str) -> str:
    """Return a line through the points."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return f'<polyline points="{path}" class="{style}"/>'


def mark(shape: str, at: tuple[float, float], size: float, *, style: str, title: str) -> str:
    """Return a mark of one of four shapes with its hover text."""
    x, y = at
    hover = f"<title>{escape(title)}</title>"
    if shape == "circle":
        return f'<circle cx="{x:g}" cy="{y:g}" r="{size:g}" class="{style}">{hover}</circle>'
    corners = {
        "square": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
        "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
        "triangle": ((0, -1.2), (1.15, 0.9), (-1.15, 0.9)),
    }[shape]
    points = " ".join(f"{x + dx * size:.1f},{y + dy * size:.1f}" for dx, dy in corners)
    return f'<polygon points="{points}" class="{style}">{hover}</polygon>'


def frame(title: str, body: str, label: str, *, height: float = HEIGHT) -> str:
    """Return the complete picture."""
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-label="{escape(label)}" '
        f'xmlns="http://www.w3.org/2000/svg"><title>{escape(title)}</title>{body}</svg>'
    )


def grid_x(scale: Scale, ticks: Sequence[tuple[float, str]], title: str, *, panel: Panel = WHOLE) -> str:
    """Return the horizontal axis: tick labels, faint lines, title."""
    parts = [line([(panel.left, panel.bottom), (panel.right, panel.bottom)], "axis")]
    for value, label in ticks:
        x = scale(value)
        parts += [
            line([(x, panel.top), (x, panel.bottom)], "grid"),
            text(x, panel.bottom + 18, label, anchor="middle", style="tick"),
        ]
    middle = (panel.left + panel.right) / 2
    parts.append(text(middle, panel.bottom + 44, title, anchor="middle", style="axis-title"))
    return "".join(parts)


def grid_y(scale: Scale, ticks: Sequence[tuple[float, str]], title: str, *, panel: Panel = WHOLE) -> str:
    """Return the vertical axis: tick labels, faint lines, title above."""
    parts = []
    for value, label in ticks:
        y = scale(value)
        parts += [
            line([(panel.left, y), (panel.right, y)], "grid"),
            text(panel.left - 8, y + 4, label, anchor="end", style="tick"),
        ]
    parts.append(text(0, panel.top - 22, title, style="axis-title"))
    return "".join(parts)


def bar(x: float, y: float, width: float, height: float, *, style: str, title: str) -> str:
    """Return a bar with its hover text."""
    hover = f"<title>{escape(title)}</title>"
    return f'<rect x="{x:g}" y="{y:g}" width="{max(width, 1):.1f}" height="{height:g}" class="{style}">{hover}</rect>'


class Box(NamedTuple):
    """The room a label takes."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Box") -> bool:
        """Return whether two labels would touch."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def width_of(content: str) -> float:
    """Return about how wide a text is, in pixels: its font is not known here."""
    return 7.3 * len(content)


BESIDE = (("start", 11, 4), ("end", -11, 4), ("middle", 0, -14), ("middle", 0, 23))
"""Where the label of a mark may stand, best first: anchor and distance."""

AT_END = (("end", 0, -8), ("end", 0, 18))
"""Where the label of a line may stand: above or below its end."""

Spots = Sequence[tuple[str, float, float]]


def place(at: tuple[float, float], content: str, taken: list[Box], *, spots: Spots, style: str = "label") -> str | None:
    """Return a label beside a mark where there is room, and remember its place; None where there is none."""
    x, y = at
    for anchor, dx, dy in spots:
        box = room_of(at, content, (anchor, dx, dy))
        if box is not None and not any(box.overlaps(other) for other in taken):
            taken.append(box)
            return text(x + dx, y + dy, content, anchor=anchor, style=style)
    return None


def room_of(at: tuple[float, float], content: str, spot: tuple[str, float, float]) -> Box | None:
    """Return the room a label would take; None where that is not inside the axes."""
    (x, y), width, (anchor, dx, dy) = at, width_of(content), spot
    left = {"start": x + dx, "end": x + dx - width, "middle": x - width / 2}[anchor]
    box = Box(left, y + dy - 12, left + width, y + dy + 3)
    inside = box.left >= LEFT and box.right <= WIDTH - 4 and box.top >= TOP - 6 and box.bottom <= HEIGHT - BOTTOM
    return box if inside else None
