"""Charts: what they show, and their tables."""

import re

import msgspec

from advisor.locale import language
from advisor.records.results.measured.measurement import Condition
from advisor.report.charts import report_charts
from tests.unit.report import samples

EN = language("en")


def test_rates_against_size() -> None:
    """One line a device, named at its end, with the same numbers as a table."""
    chart = report_charts.matrix_rates(samples.enough(), EN)
    assert chart is not None
    assert chart.svg.count("<polyline") >= 2
    assert chart.table.header == ("Size", "Graphics card, fp32", "Processor, fp32")
    assert [row[0] for row in chart.table.rows] == ["128", "512", "1,024", "2,048", "4,096"]
    assert chart.table.rows[0][1] == "–"
    assert chart.table.rows[3][2].replace("\N{NO-BREAK SPACE}", " ") == "181 GFLOP/s"


def test_rates_of_disturbed_tests_are_marked() -> None:
    """The line dipped where other programs had the processor, and nothing said so."""
    report = samples.enough()
    assert report.benchmark is not None
    load = Condition(kind="other_load", value=0.4, unit="ratio", when="during")
    measured = tuple(
        msgspec.structs.replace(one, conditions=(load,)) if one.case.size == 512 else one
        for one in report.benchmark.measurements
    )
    benchmark = msgspec.structs.replace(report.benchmark, measurements=measured)
    chart = report_charts.matrix_rates(msgspec.structs.replace(report, benchmark=benchmark), EN)
    assert chart is not None
    assert chart.svg.count("hollow") == 1, "of the processor; a card computes on"
    assert [[cell.startswith("⚠ ") for cell in row] for row in chart.table.rows if "⚠" in "".join(row)] == [
        [False, False, True]
    ]
    assert "Empty marks" in chart.description
    quiet = report_charts.matrix_rates(report, EN)
    assert quiet is not None
    assert "hollow" not in quiet.svg
    assert "⚠" not in quiet.description


def test_no_chart_of_nothing() -> None:
    """Without measurements, without three sizes, without two options, there is no picture."""
    assert report_charts.matrix_rates(samples.buy(), EN) is None
    whole = samples.benchmark()
    few = tuple(one for one in whole.measurements if one.case.program != "matmul" or one.case.size in (128, 4096))
    assert {one.case.size for one in few if one.case.program == "matmul"} == {128, 4096}
    two = msgspec.structs.replace(whole, measurements=few)
    assert report_charts.matrix_rates(msgspec.structs.replace(samples.enough(), benchmark=two), EN) is None
    assert report_charts.time_and_cost(samples.classical(), EN) is None
    assert report_charts.break_even(samples.classical(), EN) is None
    assert report_charts.break_even(samples.enough(), EN) is None


def test_time_against_cost_shows_each_kind_by_shape_and_name() -> None:
    """Circle, square and diamond, each with its name; the deadline is a line."""
    chart = report_charts.time_and_cost(samples.rent(), EN)
    assert chart is not None
    assert "<circle" in chart.svg
    assert chart.svg.count("<polygon") > 6
    for name in ("This computer", "Buy", "Rent", "time limit"):
        assert f">{name}</text>" in chart.svg
    assert len(chart.table.rows) == len(chart.table.tiers) == 10


def test_every_option_has_its_mark() -> None:
    """Beyond those worth a name as small marks, of equal places one; clusters only where the answer is one."""
    report = samples.rent()
    found = report.advice.options
    more = tuple(
        msgspec.structs.replace(
            one, id=f"{one.id}/{n}", device=f"{one.device}{n}", horizon_usd=one.horizon_usd * 1.3**n
        )
        for n in range(1, 6)
        for one in found
        if one.horizon_usd is not None
    )
    spot = msgspec.structs.replace(found[0], id="spot", obstacle="interruptible", run_s=77.0, device="cheap")
    away = msgspec.structs.replace(found[0], id="away", tier="cluster", run_s=7.0, device="huge")
    advice = msgspec.structs.replace(report.advice, options=(*found, *more, spot, spot, away))
    chart = report_charts.time_and_cost(msgspec.structs.replace(report, advice=advice), EN)
    assert chart is not None
    assert "all the others" in chart.description
    assert "mark small" in chart.svg
    assert "hollow" in re.findall(r'<polygon [^>]*class="([^"]*)"><title>[^<]*may be interrupted', chart.svg)[0]
    assert "Cluster" not in chart.svg
    assert chart.svg.count("<title>") < len(advice.options) + 10


def test_the_picture_draws_a_rented_run_with_its_start() -> None:
    """It said 17 seconds where the answer said 12 minutes until it starts."""
    report = samples.rent()
    options = tuple(
        msgspec.structs.replace(one, before_s=720.0, after_s=0.0, run_s=17.0) if one.tier == "cloud" else one
        for one in report.advice.options
    )
    advice = msgspec.structs.replace(report.advice, options=options)
    chart = report_charts.time_and_cost(msgspec.structs.replace(report, advice=advice), EN)
    assert chart is not None
    rented = [row for row, tier in zip(chart.table.rows, chart.table.tiers, strict=True) if tier == "cloud"]
    assert {row[1] for row in rented} == {"12 minutes"}
    assert "17 seconds" not in chart.svg
    assert "Time with start (logarithmic)" in chart.svg


def test_a_deadline_outside_the_chart_is_not_drawn() -> None:
    """A line that would lie on the frame is left out."""
    chart = report_charts.time_and_cost(samples.enough(), EN)
    assert chart is not None
    assert "time limit" not in chart.svg


def test_break_even_has_both_lines() -> None:
    """Buying starts at its price, renting at nothing, and the table has both."""
    chart = report_charts.break_even(samples.buy(), EN)
    assert chart is not None
    assert chart.table.header == ("Months", "GeForce RTX 5060 Ti 16 GB", "L4 at RunPod")
    assert chart.table.rows[0] == ("0", "$1,330", "$0")
    assert chart.table.rows[-1][0] == "24"


def test_the_month_of_break_even_is_marked() -> None:
    """Where the lines cross stands the month; where they do not cross in the picture, nothing does."""
    chart = report_charts.break_even(samples.buy(), EN)
    assert chart is not None
    assert ">11 months</text>" in chart.svg
    seldom = report_charts.break_even(samples.rent(), EN)
    assert seldom is not None
    assert "crossing" not in seldom.svg
    assert "The lines do not cross" in seldom.description
    assert "do not cross" not in chart.description


def test_break_even_needs_a_horizon() -> None:
    """No months, no lines."""
    asked = msgspec.structs.replace(samples.buy().circumstances, horizon_months=0.0)
    assert report_charts.break_even(msgspec.structs.replace(samples.buy(), circumstances=asked), EN) is None


def test_break_even_needs_both_sides() -> None:
    """Where nothing can be rented, there is nothing to pay back against."""
    report = samples.buy()
    options = tuple(one for one in report.advice.options if one.tier != "cloud")
    advice = msgspec.structs.replace(report.advice, options=options)
    assert report_charts.break_even(msgspec.structs.replace(report, advice=advice), EN) is None


def test_ticks_are_round_in_the_persons_currency() -> None:
    """Euro ticks are powers of ten of euros, not of converted dollars."""
    chart = report_charts.time_and_cost(samples.enough(), EN)
    assert chart is not None
    ticks = re.findall(r">€([\d,.]+)</text>", chart.svg)
    assert ticks
    assert all(re.fullmatch(r"[125]0*|0\.[0-9]?[125]0?|[125]\.00", tick.replace(",", "")) for tick in ticks)


def test_each_name_of_the_legend_stands_close_behind_its_own_shape() -> None:
    """Of a name whose width was guessed too wide the shape stood nearer to the name before it."""
    chart = report_charts.time_and_cost(samples.enough(), language("es"))
    assert chart is not None
    circle = re.search(r'<circle cx="([\d.]+)" [^>]*><title>Este equipo</title>', chart.svg)
    name = re.search(r'<text x="([\d.]+)" [^>]*text-anchor="start" class="legend">Este equipo<', chart.svg)
    assert circle is not None
    assert name is not None
    assert float(name[1]) - float(circle[1]) == 10
