"""The charts of a report as inline SVG, each with a table of the same numbers. Colours come from the page's style."""

import math
from typing import NamedTuple

from advisor.locale import Language
from advisor.records.base import Precision
from advisor.records.job.advice import SECOND_CHOICES, Option, Tier
from advisor.records.results.measured.measurement import Case, Measurement, is_slowed
from advisor.records.results.provenance import Provenance
from advisor.records.results.report import Report
from advisor.report.charts import svg_axes, svg_plots
from advisor.report.content.blocks import LEAST_POINTS, Chart, Picture, Table
from advisor.report.content.options.best import best_options
from advisor.report.content.options.option_rows import shown_options
from advisor.report.provenance.beside import of_whole_time
from advisor.report.provenance.measurements import in_run
from advisor.report.provenance.money import of_cost
from advisor.report.provenance.verdict import of_comparison
from advisor.report.words import quantities
from advisor.report.words.advice.reasons import obstacle_phrase
from advisor.report.words.advice.verdict import chosen_option
from advisor.report.words.cases import device_title, disturbed_marks
from advisor.report.words.labels import amount, option_title, tier_name
from advisor.units import DAY_S, HOUR_S, MINUTE_S, YEAR_S

SHAPES: dict[Tier, str] = {
    "this_computer": "circle",
    "single_gpu": "square",
    "cloud": "diamond",
    "cluster": "triangle",
}
CHART_OPTIONS = 24
_Series = dict[str, list[tuple[float, float]]]
_Sizes = dict[str, frozenset[float]]
_FORMATS: tuple[Precision, ...] = ("fp32", "tf32", "bf16", "fp16", "fp64", "amp")
"""In the order of the colours of lines."""
NAMED_PER_TIER = 3
_TIMES = (1.0, 10.0, MINUTE_S, 10 * MINUTE_S, HOUR_S, 10 * HOUR_S, DAY_S, 10 * DAY_S, 100 * DAY_S, YEAR_S, 10 * YEAR_S)


def matrix_rates(report: Report, language: Language) -> Chart | None:
    """Return GFLOP/s against matrix size, one line a device and precision; None below three sizes."""
    _ = language.gettext
    series = _matrix_series(report, language)
    points = [point for one in series.values() for point in one]
    if len({size for size, _rate in points}) < LEAST_POINTS:
        return None
    panel = svg_plots.lines_panel(series)
    x = svg_axes.horizontal(min(p[0] for p in points), max(p[0] for p in points), panel=panel)
    y = svg_axes.vertical(min(p[1] for p in points), max(p[1] for p in points))
    sizes = sorted({size for size, _rate in points})
    body = svg_axes.grid_x(
        x, [(size, language.number(size)) for size in sizes], _("Matrix size (logarithmic)"), panel=panel
    )
    ticks = [(value, language.significant(value / 1e9, 2)) for value in svg_axes.decades(y)]
    body += svg_axes.grid_y(y, ticks, _("GFLOP/s (logarithmic)"), panel=panel)
    named = sorted(series.items(), key=lambda item: -item[1][-1][1])
    styles = _line_styles(report, language)
    disturbed = _disturbed_sizes(report, language)
    drawn = [
        svg_plots.Line(name, tuple(line), styles[name], hollow=disturbed.get(name, frozenset())) for name, line in named
    ]
    body += svg_plots.lines(drawn, x, y, lambda name, size, _rate: _rate_hover(name, size, series, disturbed, language))
    title = _("Speed of matrix products")
    header = (_("Size"), *(name for name, _line in named))
    rows = tuple(
        (language.number(size), *(_rate_at(name, size, series, disturbed, language) for name, _line in named))
        for size in sizes
    )
    origins = tuple(_rate_origins(report, [name for name, _line in named], size, language) for size in sizes)
    table = Table(header, rows, numeric=frozenset(range(len(header))), origins=origins)
    description = _("Higher is faster. Small matrices leave the hardware idle; the plateau is what it can do.")
    if disturbed:
        description = f"{description} {disturbed_marks(language)}"
    return Chart(title, Picture(lambda: svg_axes.frame(title, body, description)), description, table)


def _rate_origins(report: Report, names: list[str], size: float, language: Language) -> tuple[Provenance | None, ...]:
    """Return where the rates of a row come from."""
    benchmark = report.benchmark
    if benchmark is None:
        return ()
    products = (one for one in benchmark.measurements if one.case.program == "matmul" and one.case.size == size)
    found = {_series_name(one, language): in_run(one, benchmark, language) for one in products}
    return None, *(found.get(name) for name in names)


def _rate_hover(name: str, size: float, series: _Series, disturbed: _Sizes, language: Language) -> str:
    return f"{name}, {language.number(size)}: {_rate_at(name, size, series, disturbed, language)}"


def _matrix_series(report: Report, language: Language) -> _Series:
    found: _Series = {}
    for one in report.benchmark.measurements if report.benchmark is not None else ():
        if one.case.program == "matmul" and one.flop_per_s and one.case.size > 0:
            found.setdefault(_series_name(one, language), []).append((one.case.size, one.flop_per_s))
    return {name: sorted(line) for name, line in found.items()}


def _disturbed_sizes(report: Report, language: Language) -> _Sizes:
    """Return the sizes whose test others disturbed, by line."""
    measured = () if report.benchmark is None else report.benchmark.measurements
    found = [(_series_name(one, language), one.case.size) for one in measured if _is_disturbed_product(one)]
    return {name: frozenset(size for other, size in found if other == name) for name, _size in found}


def _is_disturbed_product(one: Measurement) -> bool:
    return one.case.program == "matmul" and is_slowed(one)


def _line_styles(report: Report, language: Language) -> dict[str, str]:
    """Return the style of each line: a number format keeps its colour, and beside a card the processor is dashed."""
    measured = () if report.benchmark is None else report.benchmark.measurements
    cases = [one.case for one in measured if one.case.program == "matmul"]
    has_card = any(case.device != "cpu" for case in cases)
    return {
        _case_name(case, language): f"s{_FORMATS.index(case.precision)}"
        + (" second" if has_card and case.device == "cpu" else "")
        for case in cases
    }


def _series_name(one: Measurement, language: Language) -> str:
    return _case_name(one.case, language)


def _case_name(case: Case, language: Language) -> str:
    return f"{device_title(case.device, language)}, {case.precision}"


def _rate_at(name: str, size: float, series: _Series, disturbed: _Sizes, language: Language) -> str:
    rate = dict(series[name]).get(size)
    if rate is None:
        return "–"
    return f"{'⚠ ' * (size in disturbed.get(name, ()))}{quantities.flop_rate(rate, language)}"


def time_and_cost(report: Report, language: Language) -> Chart | None:
    """Return a chart of all options worth showing, time with start against cost over the horizon."""
    _ = language.gettext
    options = _plotted(report)
    if len(options) < 2:
        return None
    others = _others(report, options)
    months = quantities.months(report.circumstances.horizon_months, language)
    title = _("Time against cost")
    description = _(
        "Each mark is one option; down and left is better. Hollow marks do not meet your wishes, or win only where "
        "nothing else will do."
    )
    if others:
        text = _("Large: those worth a look, which the table names; small: all the others ({n}).")
        description += " " + text.format(n=language.number(len(others)))
    table = _time_and_cost_table(report, options, _("Cost in {months}").format(months=months), language)
    picture = Picture(
        lambda: svg_axes.frame(title, _time_and_cost_body(report, options, others, language), description)
    )
    return Chart(title, picture, description, table, of_comparison(report, language))


def _time_and_cost_body(report: Report, options: list[Option], others: list[Option], language: Language) -> str:
    _ = language.gettext
    plane = _plane([*options, *others], report)
    shown = [time for time in _TIMES if plane.x.low <= time <= plane.x.high]
    times = [(time, quantities.duration(time, language)) for time in shown]
    body = svg_axes.grid_x(plane.x, times, _("Time with start (logarithmic)"))
    months = quantities.months(report.circumstances.horizon_months, language)
    currency = report.circumstances.currency
    costs = [(value, language.money_mark(value, currency)) for value in svg_axes.decades(plane.y)]
    body += svg_axes.grid_y(plane.y, costs, _("Cost in {months} (logarithmic)").format(months=months))
    body += _legend(options, language) + _deadline(report, plane.x, language)
    return body + _small_marks(report, others, plane, language) + _marks(report, options, plane, language)


def _time_and_cost_table(report: Report, options: list[Option], cost_title: str, language: Language) -> Table:
    _ = language.gettext
    rows = tuple(
        (
            f"{option_title(option, language)}\n{tier_name(option.tier, language)}",
            quantities.duration(option.done_s, language),
            amount(option.horizon_usd or 0.0, report, language),
        )
        for option in options
    )
    header = (_("Option"), _("Time with start"), cost_title)
    origins = tuple((None, of_whole_time(one, report, language), of_cost(one, report, language)) for one in options)
    tiers = tuple(option.tier for option in options)
    return Table(header, rows, numeric=frozenset({1, 2}), tiers=tiers, origins=origins)


def _plotted(report: Report) -> list[Option]:
    shown = shown_options(report.advice.options, CHART_OPTIONS)
    return [o for o in shown if o.run_s is not None and o.run_s > 0 and o.horizon_usd is not None]


def _others(report: Report, options: list[Option]) -> list[Option]:
    """Return all other options that have a time and a cost; clusters only where the answer is one."""
    named = {option.id for option in options}
    tiers = {option.tier for option in options}
    return [
        o
        for o in report.advice.options
        if o.id not in named and o.tier in tiers and (o.run_s or 0.0) > 0 and o.horizon_usd is not None
    ]


def _small_marks(report: Report, others: list[Option], plane: "_Plane", language: Language) -> str:
    """Return small marks, of those that would lie on each other only one."""
    places: dict[tuple[str, bool, int, int], Option] = {}
    for option in others:
        x, y = plane.at(option)
        places.setdefault((option.tier, _is_hollow(option), round(x / 3), round(y / 3)), option)
    marks = []
    for option in places.values():
        style = f"mark small {option.tier}" + (" hollow" if _is_hollow(option) else "")
        marks.append(
            svg_axes.mark(
                SHAPES[option.tier], plane.at(option), 2.5, style=style, title=_hover(option, report, language)
            )
        )
    return "".join(marks)


def _hover(option: Option, report: Report, language: Language) -> str:
    time = quantities.duration(option.done_s, language)
    text = f"{option_title(option, language)}: {time}, {amount(option.horizon_usd or 0.0, report, language)}"
    why_not = obstacle_phrase(option, report, language)
    return f"{text} ({why_not})" if why_not else text


def _is_hollow(option: Option) -> bool:
    """Return whether an option may not win, or only where nothing else will do."""
    return not option.feasible or option.obstacle in SECOND_CHOICES


def _deadline(report: Report, x: svg_axes.Scale, language: Language) -> str:
    facts = {fact.name: fact.value for fact in report.advice.facts}
    deadline = facts.get("deadline_s")
    if not isinstance(deadline, (int, float)) or not x.low < deadline < x.high:
        return ""
    place = x(deadline)
    label = language.gettext("time limit")
    return svg_axes.line([(place, svg_axes.TOP), (place, svg_axes.HEIGHT - svg_axes.BOTTOM)], "limit") + svg_axes.text(
        place - 6, svg_axes.HEIGHT - svg_axes.BOTTOM - 8, label, anchor="end", style="tick"
    )


def _legend(options: list[Option], language: Language) -> str:
    """Return the shapes and what they stand for, from the right, above the chart."""
    tiers = [tier for tier in SHAPES if any(option.tier == tier for option in options)]
    x, y, parts = float(svg_axes.WIDTH - svg_axes.RIGHT), svg_axes.TOP - 14, []
    for tier in reversed(tiers):
        name = tier_name(tier, language)
        x -= svg_axes.width_of(name)
        parts.append(svg_axes.text(x, y + 4, name, anchor="start", style="legend"))
        x -= 10  # each name close behind its own shape: its width is only guessed
        parts.append(svg_axes.mark(SHAPES[tier], (x, y), 4.5, style=f"mark {tier}", title=name))
        x -= 14
    return "".join(parts)


class _Plane(NamedTuple):
    """Where an option lies in the chart of time and cost; cost in the user's currency."""

    x: svg_axes.Scale
    y: svg_axes.Scale
    rate: float

    def at(self, option: Option) -> tuple[float, float]:
        """Return the pixels of an option; what costs next to nothing lies on the axis."""
        return self.x(option.done_s), self.y((option.horizon_usd or 0.0) * self.rate)


def _plane(options: list[Option], report: Report) -> _Plane:
    times = [option.done_s for option in options]
    rate = report.currency_per_usd
    costs = [(option.horizon_usd or 0.0) * rate for option in options]
    low = min((cost for cost in costs if cost >= 0.01), default=0.01)
    return _Plane(svg_axes.horizontal(min(times), max(times)), svg_axes.vertical(low, max(*costs, low * 10)), rate)


def _marks(report: Report, options: list[Option], plane: _Plane, language: Language) -> str:
    """Return the marks, and the names of the answer and of the best ones where there is room."""
    spots = [plane.at(option) for option in options]
    taken = [svg_axes.Box(px - 7, py - 7, px + 7, py + 7) for px, py in spots]
    marks, labels = [], []
    counts: dict[Tier, int] = {}
    for option, at in zip(options, spots, strict=True):
        is_chosen = option.id == report.advice.chosen
        style = f"mark {option.tier}" + (" hollow" if _is_hollow(option) else "")
        title = _hover(option, report, language)
        marks.append(svg_axes.mark(SHAPES[option.tier], at, 8 if is_chosen else 5, style=style, title=title))
        counts[option.tier] = counts.get(option.tier, 0) + 1
        if counts[option.tier] <= NAMED_PER_TIER:
            name = "label strong" if is_chosen else "label"
            labels.append(svg_axes.place(at, option.title, taken, spots=svg_axes.BESIDE, style=name) or "")
    return "".join(reversed(marks)) + "".join(labels)


def break_even(report: Report, language: Language) -> Chart | None:
    """Return the cost of buying and of renting over the months; None where one of the two is not there."""
    _ = language.gettext
    pair = buy_and_rent(report)
    horizon = report.circumstances.horizon_months
    if pair is None or horizon <= 0:
        return None
    months = [horizon * step / 12 for step in range(13)]
    lines = [(option, [(month, _spent(option, month, report)) for month in months]) for option in pair]
    currency = report.circumstances.currency
    title = _("When buying pays back")
    description = _("Where the lines cross, buying has cost as much as renting; resale is not counted.")
    if _pays_after(pair, report) > horizon:
        description = _("The lines do not cross: renting costs less for all that time. Resale is not counted.")
    header = (_("Months"), *(option_title(option, language) for option, _line in lines))
    rows = tuple(
        (language.number(month, 1), *(quantities.money(line[i][1], currency, language) for _option, line in lines))
        for i, month in enumerate(months)
        if i % 2 == 0
    )
    costs = tuple(of_cost(option, report, language) for option in pair)
    table = Table(header, rows, numeric=frozenset(range(len(header))), origins=((None, *costs),) * len(rows))
    picture = Picture(lambda: svg_axes.frame(title, _break_even_body(report, lines, language), description))
    return Chart(title, picture, description, table)


def _break_even_body(report: Report, lines: list[tuple[Option, list[tuple[float, float]]]], language: Language) -> str:
    _ = language.gettext
    pair = lines[0][0], lines[1][0]
    x = svg_axes.horizontal(0.0, report.circumstances.horizon_months, is_log=False)
    y = svg_axes.vertical(0.0, 1.08 * max(cost for _option, line in lines for _month, cost in line), is_log=False)
    currency = report.circumstances.currency
    body = svg_axes.grid_x(x, [(value, language.number(value)) for value in svg_axes.steps(x)], _("Months"))
    body += svg_axes.grid_y(
        y, [(value, quantities.money(value, currency, language)) for value in svg_axes.steps(y)], _("Spent so far")
    )
    taken: list[svg_axes.Box] = []
    for option, line in lines:
        pixels = [(x(month), y(cost)) for month, cost in line]
        body += svg_axes.line(pixels, f"line {option.tier}")
        name = f"{tier_name(option.tier, language)}: {option_title(option, language)}"
        body += svg_axes.place(pixels[-1], name, taken, spots=svg_axes.AT_END) or ""
    return body + _crossing(pair, report, (x, y), taken, language)


def _crossing(
    pair: tuple[Option, Option],
    report: Report,
    scales: tuple[svg_axes.Scale, svg_axes.Scale],
    taken: list[svg_axes.Box],
    language: Language,
) -> str:
    """Return a mark where buying has cost as much as renting, with its month; nothing where that is not drawn."""
    months = _pays_after(pair, report)
    if months > report.circumstances.horizon_months:
        return ""
    at = scales[0](months), scales[1](_spent(pair[1], months, report))
    label = quantities.months(months, language)
    mark = svg_axes.mark("circle", at, 4, style="mark crossing", title=label)
    return mark + (svg_axes.place(at, label, taken, spots=svg_axes.BESIDE[2:], style="label strong") or "")


def _pays_after(pair: tuple[Option, Option], report: Report) -> float:
    """Return after how many months the first of two has cost as little as the second; infinite where it never has."""
    buy, rent = pair
    saved = ((rent.run_usd or 0.0) - (buy.run_usd or 0.0)) * report.circumstances.runs_per_month
    return buy.purchase_usd / saved if saved > 0 else math.inf


def _spent(option: Option, months: float, report: Report) -> float:
    """Return what an option has cost after some months, in the user's currency."""
    runs = months * report.circumstances.runs_per_month
    return (option.purchase_usd + runs * (option.run_usd or 0.0)) * report.currency_per_usd


def buy_and_rent(report: Report) -> tuple[Option, Option] | None:
    """Return the best purchase and the best rent, where the answer is one of them; also one that is over the budget."""
    chosen = chosen_option(report)
    if chosen is None or chosen.tier not in {"single_gpu", "cloud"}:
        return None
    best = {one.tier: one for one in best_options(report) if one.run_usd is not None}
    for option in report.advice.options:
        does_job = option.feasible or option.obstacle == "over_budget"
        if does_job and option.run_usd is not None and option.obstacle != "interruptible":
            best.setdefault(option.tier, option)
    buy, rent = best.get("single_gpu"), best.get("cloud")
    return None if buy is None or rent is None else (buy, rent)
