"""Two kinds of chart that several series share: lines over an axis, and bars beside their names."""

import re

from advisor.report.charts import svg_axes, svg_plots


def test_names_of_lines_carry_their_colour() -> None:
    """Where lines end close together, a stroke in each line's style says which name is whose, in one column."""
    drawn = [svg_plots.Line(name, ((0.0, 1.0), (end, 1.0)), style, has_marks=False)
             for name, end, style in (("one", 9.0, "s0"), ("other", 10.0, "s1"))]  # fmt: skip
    scale = svg_axes.Scale(0.0, 10.0, 0.0, 100.0, is_log=False)
    svg = svg_plots.lines(drawn, scale, scale, lambda name, x, y: "")

    assert svg.count("line s0") == svg.count("line s1") == 2
    places = re.findall(r'<text[^>]* x="([\d.]+)"[^>]*>(?:one|other)<', svg)
    assert len(places) == 2
    assert len(set(places)) == 1
