"""Predicted beside measured times of all sets in one picture."""

import re

from advisor.catalog import load_held_out_times
from advisor.locale import language
from advisor.records.results.validation import HeldOutTimes
from advisor.report.documents.accuracy_picture import picture

EN = language("en")


def times(name: str = "one", **changes: object) -> HeldOutTimes:
    """Return two measurements of a set: one predicted right, one at twice its time."""
    usual: dict[str, object] = {
        "title": "Training jobs on one card",
        "held_out": "device",
        "of_rows": 504,
        "width": 1.5,
        "measured_s": (0.01, 1.0),
        "predicted_s": (0.01, 2.0),
    }
    return HeldOutTimes(name=name, **usual | changes)  # type: ignore[arg-type]


def circles(svg: str, style: str) -> list[tuple[float, float]]:
    """Return where the small marks of a set lie."""
    found = re.findall(rf'<circle cx="([\d.]+)" cy="([\d.]+)" r="2.2" class="{style}"/>', svg)
    return [(float(x), float(y)) for x, y in found]


def test_its_title_is_a_sentence_that_reads_the_picture() -> None:
    """“On the line we are right, the band is the usual interval” was read twice and not understood."""
    assert picture([times()], EN).title == (
        "Each dot is a measurement: on the line its prediction was exact, and the band is the usual range"
    )
    assert picture([times()], language("es")).title.startswith("Cada punto es una medición: sobre la línea")


def test_a_right_prediction_lies_on_the_line_and_a_long_one_above_it() -> None:
    """The axes are alike: what is predicted as measured lies on the diagonal, what is predicted too long above it."""
    svg = picture([times()], EN).svg
    [ideal] = re.findall(r'<polyline points="([\d.]+),([\d.]+) ([\d.]+),([\d.]+)" class="ideal"/>', svg)
    x0, y0, x1, y1 = map(float, ideal)
    (right_x, right_y), (long_x, long_y) = circles(svg, "dot dense s0")
    assert abs(right_y - (y0 + (y1 - y0) * (right_x - x0) / (x1 - x0))) < 0.2
    assert long_y < y0 + (y1 - y0) * (long_x - x0) / (x1 - x0) - 10


def test_sets_differ_in_colour_and_then_in_shape() -> None:
    """The seventh set has the first one's colour and another shape; each has its name in the legend."""
    svg = picture([times(f"set {number}") for number in range(7)], EN).svg
    assert len(circles(svg, "dot dense s0")) == 2
    assert len(re.findall(r'<polygon points="[^"]*" class="dot dense s0"/>', svg)) == 2
    assert svg.count(">Training jobs on one card</text>") == 7


def test_the_shipped_sets_are_told_apart_in_five_lines() -> None:
    """Fifteen names beside the picture were a riddle; every point is still drawn, and the table names every set."""
    sets = load_held_out_times()
    chart = picture(sets, EN)
    assert len(re.findall(r'class="legend"', chart.svg)) <= 5
    assert len(chart.table.rows) == len(sets)


def test_the_band_is_the_usual_interval_and_the_table_has_the_sets() -> None:
    """The middle width of all sets is said; the twin table counts what is shown and what there is."""
    chart = picture([times(width=1.25), times("gemm", width=2.0), times("cnn", width=1.6)], EN)
    assert "from 62% to 160% of what we say" in chart.description.replace("\N{NO-BREAK SPACE}", " ")
    assert [row[1] for row in chart.table.rows] == ["2 of 504"] * 3
    assert chart.table.rows[0][3] == "50%"


def test_the_points_have_the_width_of_the_picture() -> None:
    """They had two fifths of it, beside a column of names."""
    svg = picture([times()], EN).svg
    [ideal] = re.findall(r'<polyline points="([\d.]+),[\d.]+ ([\d.]+),[\d.]+" class="ideal"/>', svg)
    [width] = re.findall(r'viewBox="0 0 ([\d.]+) ', svg)
    assert float(ideal[1]) - float(ideal[0]) > 0.85 * float(width)
