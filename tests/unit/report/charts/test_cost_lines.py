"""The names of the lines in the picture of keeping, buying and renting."""

import re

import msgspec
import pytest

from advisor.locale import language
from advisor.records.job.advice import CostCrossing, CostOverTime
from advisor.report.charts import svg_axes
from advisor.report.charts.cost_lines import above_the_chart, cost_lines
from advisor.report.content.blocks import Chart
from tests.unit.report import samples

EN = language("en")


def drawn(ends: tuple[float, float], crossing_runs: float | None = None, start_usd: float = 0.0) -> Chart:
    """Return the picture of a purchase and a rent that cost so much in the end, of which the rent begins at a price."""
    report = samples.rent()
    over_time = report.advice.cost_over_time
    assert over_time is not None
    bought, rented = over_time.lines
    lines = (
        msgspec.structs.replace(bought, points=((0.0, ends[0]), (10.0, ends[0]))),
        msgspec.structs.replace(rented, points=((0.0, start_usd), (10.0, ends[1]))),
    )
    crossings = () if crossing_runs is None else (CostCrossing(runs_per_month=crossing_runs, usd=ends[0],
                                                               below="rent", above="buy"),)  # fmt: skip
    found = CostOverTime(lines=lines, crossings=crossings, most_runs_per_month=10.0)
    advice = msgspec.structs.replace(report.advice, cost_over_time=found)
    chart = cost_lines(msgspec.structs.replace(report, advice=advice), EN)
    assert chart is not None
    return chart


def heights(chart: Chart) -> tuple[float, float]:
    """Return how far down the name of the purchase stands, and that of the rent."""
    found = dict(re.findall(r'y="([\d.]+)" text-anchor="end" class="label">(Buy|Rent)', chart.svg))
    by_role = {role: float(y) for y, role in found.items()}
    return by_role["Buy"], by_role["Rent"]


@pytest.mark.parametrize("ends", [(1000.0, 995.0), (995.0, 1000.0), (1000.0, 1000.0), (40.0, 1000.0), (1000.0, 40.0)])
def test_the_names_stand_one_above_the_other_as_the_lines_do(ends: tuple[float, float]) -> None:
    """Two that end close to each other were named the wrong way round."""
    bought_y, rented_y = heights(drawn(ends, start_usd=900.0))
    assert ends[0] == ends[1] or (bought_y < rented_y) == (ends[0] > ends[1])
    assert abs(bought_y - rented_y) >= 12


def test_a_name_lies_neither_on_a_line_nor_on_a_crossing() -> None:
    """The name of a rent lay on the purchase's line, the dot of the crossing between its letters."""
    chart = drawn((1000.0, 1040.0), crossing_runs=7.14, start_usd=900.0)
    for y in heights(chart):
        name = svg_axes.Box(svg_axes.WIDTH - svg_axes.RIGHT - 150, y - 10, svg_axes.WIDTH - svg_axes.RIGHT, y + 1)
        dot = re.search(r'<circle cx="([\d.]+)" cy="([\d.]+)"', chart.svg)
        assert dot is not None
        x_dot, y_dot = float(dot[1]), float(dot[2])
        assert not name.overlaps(svg_axes.Box(x_dot - 4, y_dot - 4, x_dot + 4, y_dot + 4))
        for points in re.findall(r'<polyline points="([^"]*)" class="line ', chart.svg):
            (x0, y0), (x1, y1) = (map(float, point.split(",")) for point in points.split())
            for n in range(101):
                at = (x0 + (x1 - x0) * n / 100, y0 + (y1 - y0) * n / 100)
                assert not name.overlaps(svg_axes.Box(at[0], at[1], at[0] + 0.1, at[1] + 0.1)), (y, at)


def test_a_far_dearer_line_leaves_the_height_to_the_others() -> None:
    """Keeping and renting lay on each other at the bottom, under a purchase for hundreds of times as much."""
    keep, rent, buy = ((0.0, 0.0), (4.0, 3.7)), ((0.0, 0.0), (4.0, 3.0)), ((0.0, 289.0), (4.0, 290.0))
    assert above_the_chart([keep, buy, rent]) == {1}
    assert above_the_chart([keep, buy]) == frozenset(), "two stay"
    assert above_the_chart([keep, rent, ((0.0, 10.0), (4.0, 11.0))]) == frozenset(), "it is near"

    report = samples.rent()
    over_time = report.advice.cost_over_time
    assert over_time is not None
    bought, rented = over_time.lines
    options = report.advice.options
    here = next(one for one in options if one.tier == "this_computer")
    lines = (
        msgspec.structs.replace(bought, role="keep", option=here.id, points=keep),
        msgspec.structs.replace(bought, points=buy),
        msgspec.structs.replace(rented, points=rent),
    )
    found = CostOverTime(lines=lines, crossings=(), most_runs_per_month=4.0)
    chart = cost_lines(
        msgspec.structs.replace(report, advice=msgspec.structs.replace(report.advice, cost_over_time=found)), EN
    )
    assert chart is not None
    assert re.search(r'text-anchor="\w+" class="label">↑ Buy', chart.svg)
    ends = [
        float(points.split()[-1].split(",")[1]) for points in re.findall(r'points="([^"]*)" class="line ', chart.svg)
    ]
    assert len(ends) == 2
    assert abs(ends[0] - ends[1]) > 30
