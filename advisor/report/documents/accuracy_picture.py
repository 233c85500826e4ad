"""Predicted beside measured times of all sets in one picture: the page "How sure are we?" begins with it."""

import math
from collections.abc import Sequence
from statistics import median
from typing import Final, NamedTuple

from advisor.locale import N_, Language
from advisor.records.results.validation import HeldOutTimes
from advisor.report.charts import svg_axes
from advisor.report.content.blocks import Chart, Picture, Table
from advisor.report.words import quantities

_HEIGHT: Final = 540.0
_PANEL: Final = svg_axes.Panel(left=72, right=svg_axes.WIDTH - 12, top=svg_axes.TOP, bottom=_HEIGHT - 56)
_LEGEND_X: Final = _PANEL.left + 20  # where no points are: left above the diagonal
_LEGEND_ROW: Final = 24.0
_SHAPES: Final = ("circle", "triangle", "square")
_COLOURS: Final = 6
_MOST_TICKS: Final = 6


IMAGES_TRAINED: Final = N_("Training of image networks")
IMAGES_USED: Final = N_("Inference of image networks")
WORDS: Final = N_("Transformers and language models")
FAMILIES: Final[dict[str, tuple[str, ...]]] = {
    IMAGES_TRAINED: ("ryujaehun", "cnn_benchmarks", "lamikr", "timm_train", "pycls", "people_small"),
    IMAGES_USED: ("timm_infer", "timm_blackwell", "timm_processor"),
    WORDS: (
        "neusight",
        "neusight_amd",
        "llm_foundry",
        "gpt_iteration",
        "texts",
        "tuning",
    ),
    N_("Whole jobs, and figures that people publish"): ("lambda", "people"),
}
"""What is told apart in the picture, and the sets of each; fifteen names beside it were a riddle. The table has all."""


class Marks(NamedTuple):
    """How the points of a family look: families with one colour differ in shape."""

    shape: str
    style: str


def picture(sets: Sequence[HeldOutTimes], language: Language) -> Chart:
    """Return the chart: each point a measurement, the diagonal where we are right, around it the usual interval."""
    _ = language.gettext
    width = median(one.width for one in sets)
    title = _("Each dot is a measurement: on the line its prediction was exact, and the band is the usual range")
    description = _(
        "Each point is a time that others measured; what we say of it, without having seen its device or network, is "
        "its height. The band reaches from {low} to {high} of what we say."
    )
    description = description.format(low=language.percent(1 / width), high=language.percent(width))
    return Chart(
        title, Picture(lambda: _drawn(sets, width, title, description, language)), description, _table(sets, language)
    )


def _drawn(sets: Sequence[HeldOutTimes], width: float, title: str, description: str, language: Language) -> str:
    _ = language.gettext
    every = [value for one in sets for value in (*one.measured_s, *one.predicted_s)]
    low, high = min(every) / 1.5, max(every) * 1.5
    x = svg_axes.Scale(low, high, _PANEL.left, _PANEL.right)
    y = svg_axes.Scale(low, high, _PANEL.bottom, _PANEL.top)
    ticks = [(value, quantities.exact_seconds(value, language)) for value in _ticks(low, high)]
    body = svg_axes.grid_x(x, ticks, _("Measured"), panel=_PANEL) + svg_axes.grid_y(
        y, ticks, _("Predicted"), panel=_PANEL
    )
    body += _band(x, y, width) + svg_axes.line([(x(low), y(low)), (x(high), y(high))], "ideal")
    for number, (title_of, members) in enumerate(_families(sets)):
        shape, style = _marks(number)
        for one in members:
            for measured, predicted in zip(one.measured_s, one.predicted_s, strict=True):
                body += _point(shape, x(measured), y(predicted), style)
        at = svg_axes.TOP + 8 + _LEGEND_ROW * number
        name = language.gettext(title_of)
        body += svg_axes.mark(shape, (_LEGEND_X, at), 4.5, style=style, title=name)
        body += svg_axes.text(_LEGEND_X + 14, at + 4, name, style="legend")
    return svg_axes.frame(title, body, description, height=_HEIGHT)


def _families(sets: Sequence[HeldOutTimes]) -> list[tuple[str, list[HeldOutTimes]]]:
    """Return the sets by what is told apart of them, the most points first; a set of no family stands by itself."""
    known = {name: title for title, names in FAMILIES.items() for name in names}
    found: dict[str, tuple[str, list[HeldOutTimes]]] = {}
    for one in sets:
        title = known.get(one.name, one.title)
        found.setdefault(known.get(one.name, one.name), (title, []))[1].append(one)
    return sorted(found.values(), key=lambda family: -sum(len(one.measured_s) for one in family[1]))


def _marks(number: int) -> Marks:
    return Marks(_SHAPES[number // _COLOURS % len(_SHAPES)], " ".join(("dot", "dense", f"s{number % _COLOURS}")))


def _point(shape: str, x: float, y: float, style: str) -> str:
    """Return a small mark without hover text: there are a thousand of them."""
    if shape == "circle":
        return f'<circle cx="{x:g}" cy="{y:g}" r="2.2" class="{style}"/>'
    if shape == "square":
        return f'<rect x="{x - 2:.1f}" y="{y - 2:.1f}" width="4" height="4" class="{style}"/>'
    return (
        f'<polygon points="{x:.1f},{y - 2.9:.1f} {x + 2.7:.1f},{y + 2:.1f} {x - 2.7:.1f},{y + 2:.1f}" class="{style}"/>'
    )


def _band(x: svg_axes.Scale, y: svg_axes.Scale, width: float) -> str:
    """Return the band around the diagonal, cut at the corners of the panel."""
    low, high = x.low, x.high
    corners = (
        (low, low),
        (low, low * width),
        (high / width, high),
        (high, high),
        (high, high / width),
        (low * width, low),
    )
    points = " ".join(f"{x(across):g},{y(up):g}" for across, up in corners)
    return f'<polygon points="{points}" class="band"/>'


def _ticks(low: float, high: float) -> list[float]:
    """Return powers of ten inside the axis, every second or third where there are many."""
    tens = [10.0**power for power in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1)]
    return tens[:: math.ceil(len(tens) / _MOST_TICKS)]


def _table(sets: Sequence[HeldOutTimes], language: Language) -> Table:
    _ = language.gettext
    header = (_("Measurements"), _("In the picture"), _("Measured"), _("Half within"), _("Usual interval"))
    rows = tuple(
        (
            language.gettext(one.title),
            _("{shown} of {all}").format(shown=language.number(len(one.measured_s)), all=language.number(one.of_rows)),
            _("{low} to {high}").format(
                low=quantities.exact_seconds(min(one.measured_s), language),
                high=quantities.exact_seconds(max(one.measured_s), language),
            ),
            language.percent(_half_within(one), 1),
            _("{low} to {high}").format(low=language.percent(1 / one.width), high=language.percent(one.width)),
        )
        for one in sets
    )
    return Table(header, rows, numeric=frozenset({1, 2, 3, 4}))


def _half_within(one: HeldOutTimes) -> float:
    return median(abs(said / true - 1.0) for true, said in zip(one.measured_s, one.predicted_s, strict=True))
