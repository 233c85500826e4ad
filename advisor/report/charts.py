"""The charts of a report as inline SVG, each with a table of the same numbers. Colours come from the page's style."""

from collections.abc import Iterable
from typing import NamedTuple

from advisor.locale import Language
from advisor.records.advice import Option, Tier
from advisor.records.measurement import Measurement
from advisor.records.report import Report
from advisor.report import axes, quantities
from advisor.report.blocks import Chart, Table
from advisor.report.cases import device_phrase
from advisor.report.choices import shown_options
from advisor.report.terms import amount, option_title, tier_name
from advisor.report.verdict import chosen_option
from advisor.units import DAY_S, HOUR_S, MINUTE_S, YEAR_S

SHAPES: dict[Tier, str] = {
    "this_computer": "circle",
    "single_gpu": "square",
    "cloud": "diamond",
    "cluster": "triangle",
}
CHART_OPTIONS = 24
_TIMES = (1.0, 10.0, MINUTE_S, 10 * MINUTE_S, HOUR_S, 10 * HOUR_S, DAY_S, 10 * DAY_S, 100 * DAY_S, YEAR_S, 10 * YEAR_S)


def matrix_rates(report: Report, language: Language) -> Chart | None:
    """Return GFLOP/s against matrix size, one line a device and precision; None below two sizes."""
    _ = language.gettext
    series = _matrix_series(report, language)
    points = [point for one in series.values() for point in one]
    if len({size for size, _rate in points}) < 2:
        return None
    x = axes.horizontal(min(p[0] for p in points), max(p[0] for p in points), right=150)
    y = axes.vertical(min(p[1] for p in points), max(p[1] for p in points))
    sizes = sorted({size for size, _rate in points})
    body = axes.grid_x(x, [(size, language.number(size)) for size in sizes], _("Matrix size (logarithmic)"))
    ticks = [(value, language.significant(value / 1e9, 2)) for value in axes.decades(y)]
    body += axes.grid_y(y, ticks, _("GFLOP/s (logarithmic)"))
    ends: list[float] = []
    for index, (name, line) in enumerate(sorted(series.items(), key=lambda item: -item[1][-1][1])):
        pixels = [(x(size), y(rate)) for size, rate in line]
        body += axes.line(pixels, f"line s{index % 6}")
        for (px, py), (size, rate) in zip(pixels, line, strict=True):
            hover = f"{name}, {language.number(size)}: {quantities.flop_rate(rate, language)}"
            body += axes.mark("circle", (px, py), 3, style=f"dot s{index % 6}", title=hover)
        height = max(pixels[-1][1] + 4, ends[-1] + 14 if ends else 0)
        ends.append(height)
        body += axes.text(pixels[-1][0] + 10, height, name)
    title = _("Speed of matrix products")
    header = (_("Device and precision"), *(language.number(size) for size in sizes))
    rows = tuple((name, *(_rate_at(line, size, language) for size in sizes)) for name, line in sorted(series.items()))
    table = Table(header, rows, numeric=frozenset(range(1, len(header))))
    description = _("Higher is faster. Small matrices leave the hardware idle; the plateau is what it can do.")
    return Chart(title, axes.frame(title, body, description), description, table)


def _matrix_series(report: Report, language: Language) -> dict[str, list[tuple[float, float]]]:
    found: dict[str, list[tuple[float, float]]] = {}
    for one in report.benchmark.measurements if report.benchmark is not None else ():
        if one.case.program == "matmul" and one.flop_per_s and one.case.size > 0:
            found.setdefault(_series_name(one, language), []).append((one.case.size, one.flop_per_s))
    return {name: sorted(line) for name, line in found.items()}


def _series_name(one: Measurement, language: Language) -> str:
    return f"{device_phrase(one.case.device, language)}, {one.case.precision}"


def _rate_at(line: Iterable[tuple[float, float]], size: float, language: Language) -> str:
    rate = dict(line).get(size)
    return "–" if rate is None else quantities.flop_rate(rate, language)


def time_and_cost(report: Report, language: Language) -> Chart | None:
    """Return a chart of all options worth showing, time of a run against cost over the horizon."""
    _ = language.gettext
    options = _plotted(report)
    if len(options) < 2:
        return None
    floor = _floor([o.horizon_usd or 0.0 for o in options])
    x = axes.horizontal(min(o.run_s or 1.0 for o in options), max(o.run_s or 1.0 for o in options))
    y = axes.vertical(floor, max(*(o.horizon_usd or 0.0 for o in options), floor * 10))
    shown = [time for time in _TIMES if x.low <= time <= x.high]
    body = axes.grid_x(x, [(t, quantities.duration(t, language)) for t in shown], _("Time of one run (logarithmic)"))
    months = quantities.months(report.circumstances.horizon_months, language)
    cost_title = _("Cost in {months} (logarithmic)").format(months=months)
    body += axes.grid_y(y, [(value, amount(value, report, language)) for value in axes.decades(y)], cost_title)
    body += _deadline(report, x, language) + _marks(report, options, _Plane(x, y, floor), language)
    title = _("Time against cost")
    description = _("Each mark is one option; down and left is better. Hollow marks do not meet your wishes.")
    header = (_("Answer"), _("Option"), _("Time of a run"), cost_title.split(" (")[0])
    rows = tuple(
        (
            tier_name(option.tier, language),
            option_title(option, language),
            quantities.duration(option.run_s or 0.0, language),
            amount(option.horizon_usd or 0.0, report, language),
        )
        for option in options
    )
    table = Table(header, rows, numeric=frozenset({2, 3}), tiers=tuple(option.tier for option in options))
    return Chart(title, axes.frame(title, body, description), description, table)


def _plotted(report: Report) -> list[Option]:
    shown = shown_options(report.advice.options, CHART_OPTIONS)
    return [o for o in shown if o.run_s is not None and o.run_s > 0 and o.horizon_usd is not None]


def _floor(costs: list[float]) -> float:
    """Return the lowest cost drawn: what costs next to nothing lies on the axis."""
    above = [cost for cost in costs if cost >= 0.01]
    return min(above, default=0.01)


def _deadline(report: Report, x: axes.Scale, language: Language) -> str:
    facts = {fact.name: fact.value for fact in report.advice.facts}
    deadline = facts.get("deadline_s")
    if not isinstance(deadline, (int, float)) or not x.low < deadline < x.high:
        return ""
    place = x(deadline)
    label = language.gettext("deadline")
    return axes.line([(place, axes.TOP), (place, axes.HEIGHT - axes.BOTTOM)], "limit") + axes.text(
        place - 6, axes.TOP + 10, label, anchor="end", style="tick"
    )


class _Plane(NamedTuple):
    """Where an option lies in the chart of time and cost."""

    x: axes.Scale
    y: axes.Scale
    floor: float

    def at(self, option: Option) -> tuple[float, float]:
        """Return the pixels of an option; what costs next to nothing lies on the axis."""
        return self.x(option.run_s or 1.0), self.y(max(option.horizon_usd or 0.0, self.floor))


def _marks(report: Report, options: list[Option], plane: _Plane, language: Language) -> str:
    """Return the marks, and labels for the answer and the best of each tier where there is room."""
    spots = [plane.at(option) for option in options]
    taken = [axes.Box(px - 6, py - 6, px + 6, py + 6) for px, py in spots]
    named: set[Tier] = set()
    marks, labels = [], []
    for option, at in zip(options, spots, strict=True):
        is_chosen = option.id == report.advice.chosen
        style = f"mark {option.tier}" + ("" if option.feasible else " hollow") + (" chosen" if is_chosen else "")
        time = quantities.duration(option.run_s or 0.0, language)
        title = f"{option_title(option, language)}: {time}, {amount(option.horizon_usd or 0.0, report, language)}"
        marks.append(axes.mark(SHAPES[option.tier], at, 7 if is_chosen else 5, style=style, title=title))
        label = None if option.tier in named else axes.place(*at, option.title, taken)
        if label is not None:
            named.add(option.tier)
            labels.append(label)
    return "".join(reversed(marks)) + "".join(labels)


def break_even(report: Report, language: Language) -> Chart | None:
    """Return the cost of buying and of renting over the months; None where one of the two is not there."""
    _ = language.gettext
    pair = _buy_and_rent(report)
    runs, horizon = report.circumstances.runs_per_month, report.circumstances.horizon_months
    if pair is None or horizon <= 0:
        return None
    months = [horizon * step / 12 for step in range(13)]
    lines = [
        (option, [(month, option.purchase_usd + month * runs * (option.run_usd or 0.0)) for month in months])
        for option in pair
    ]
    x = axes.horizontal(0.0, horizon, is_log=False, right=40)
    y = axes.vertical(0.0, max(cost for _option, line in lines for _month, cost in line), is_log=False)
    body = axes.grid_x(x, [(value, language.number(value)) for value in axes.steps(x)], _("Months"))
    body += axes.grid_y(y, [(value, amount(value, report, language)) for value in axes.steps(y)], _("Spent so far"))
    taken: list[axes.Box] = []
    for option, line in lines:
        pixels = [(x(month), y(cost)) for month, cost in line]
        body += axes.line(pixels, f"line {option.tier}")
        middle = pixels[len(pixels) * 2 // 3]
        body += axes.place(*middle, option_title(option, language), taken) or ""
    title = _("When buying pays back")
    description = _("Where the lines cross, buying has cost as much as renting; resale is not counted.")
    header = (_("Months"), *(option_title(option, language) for option, _line in lines))
    rows = tuple(
        (language.number(month, 1), *(amount(line[index][1], report, language) for _option, line in lines))
        for index, month in enumerate(months)
        if index % 2 == 0
    )
    table = Table(header, rows, numeric=frozenset(range(len(header))))
    return Chart(title, axes.frame(title, body, description), description, table)


def _buy_and_rent(report: Report) -> tuple[Option, Option] | None:
    """Return the best purchase and the best rent, where the answer is one of them."""
    chosen = chosen_option(report)
    if chosen is None or chosen.tier not in {"single_gpu", "cloud"}:
        return None
    best: dict[str, Option] = {chosen.tier: chosen}
    for option in report.advice.options:
        does_job = option.feasible or option.obstacle == "over_budget"
        if does_job and option.run_usd is not None and option.obstacle != "interruptible":
            best.setdefault(option.tier, option)
    buy, rent = best.get("single_gpu"), best.get("cloud")
    return None if buy is None or rent is None else (buy, rent)
