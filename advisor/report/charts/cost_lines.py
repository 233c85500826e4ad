"""Runs a month against the money of the whole horizon: a line each for keeping, buying and renting."""

from collections.abc import Iterator, Sequence
from itertools import pairwise, product

from advisor.locale import Language
from advisor.records.job.advice import CostLine, CostOverTime
from advisor.records.results.report import Report
from advisor.report.charts import svg_axes
from advisor.report.content.blocks import Chart, Picture, Table
from advisor.report.provenance.verdict import of_comparison
from advisor.report.words import quantities
from advisor.report.words.advice.costs import line_title, shown_lines

_ABOVE_RATIO = 5.0
"""A way whose least cost is so many times all that the others ever cost leaves no height to tell those apart."""
SHAPES = {"keep": "circle", "buy": "square", "rent": "diamond"}
STYLES = {"keep": "this_computer", "buy": "single_gpu", "rent": "cloud"}


def money_at(line: CostLine, runs: float) -> float | None:
    """Return US dollars over the horizon at so many runs a month; None where the month has no room for them."""
    for (x0, y0), (x1, y1) in pairwise(line.points):
        if x0 <= runs <= x1:
            return y0 + (y1 - y0) * ((runs - x0) / (x1 - x0) if x1 > x0 else 0.0)
    return None


def above_the_chart(lines: Sequence[Sequence[tuple[float, float]]]) -> frozenset[int]:
    """Return which lines are left out above the chart, so that the others part: those far dearer at any number of runs.

    Two lines at least stay.
    """
    order = sorted(range(len(lines)), key=lambda place: min(cost for _runs, cost in lines[place]))
    above: list[int] = []
    while len(order) > 2:
        highest = max(cost for place in order[:-1] for _runs, cost in lines[place])
        if min(cost for _runs, cost in lines[order[-1]]) <= _ABOVE_RATIO * highest:
            break
        above.append(order.pop())
    return frozenset(above)


def cost_lines(report: Report, language: Language) -> Chart | None:
    """Return the lines as a picture and a table; None where there are not two to compare."""
    _ = language.gettext
    found = report.advice.cost_over_time
    lines = shown_lines(report)
    if found is None or not lines:
        return None
    title = _("Keep, buy or rent")
    description = _("The lowest line is the cheapest; where lines cross, the cheapest changes.")
    names = [line_title(line, option, language) for line, option in lines]
    asked = report.circumstances.runs_per_month
    top = found.most_runs_per_month
    places = sorted({asked, *(crossing.runs_per_month for crossing in found.crossings), top / 4, top / 2, top})
    rows = tuple(
        (
            quantities.round_count(runs * _scale(report), language),
            *(_money(money_at(line, runs), report, language) for line in found.lines),
        )
        for runs in places
    )
    table = Table((_runs_title(report, language), *names), rows, numeric=frozenset(range(len(names) + 1)))
    table = table.with_origins(of_comparison(report, language) for _row in rows)
    picture = Picture(lambda: svg_axes.frame(title, _body(found, names, report, language), description))
    return Chart(title, picture, description, table, of_comparison(report, language))


def _scale(report: Report) -> float:
    """Return by what runs a month are told: as they are; of who trains once, as runs in all."""
    return report.circumstances.horizon_months if report.circumstances.is_once else 1.0


def _runs_title(report: Report, language: Language) -> str:
    return language.gettext("Runs in all") if report.circumstances.is_once else language.gettext("Runs a month")


def _money(usd: float | None, report: Report, language: Language) -> str:
    if usd is None:
        return "–"
    return quantities.money(usd * report.currency_per_usd, report.circumstances.currency, language)


def _body(found: CostOverTime, names: list[str], report: Report, language: Language) -> str:
    _ = language.gettext
    rate, currency, scale = report.currency_per_usd, report.circumstances.currency, _scale(report)
    above = above_the_chart([line.points for line in found.lines])
    seen = [
        (line, name) for place, (line, name) in enumerate(zip(found.lines, names, strict=True)) if place not in above
    ]
    highest = max(usd * rate for line, _name in seen for _runs, usd in line.points)
    x = svg_axes.horizontal(0.0, found.most_runs_per_month * scale, is_log=False)
    y = svg_axes.vertical(0.0, 1.08 * max(highest, 0.01), is_log=False)
    ticks = [(value, language.number(value, 2)) for value in svg_axes.steps(x)]
    body = svg_axes.grid_x(x, ticks, _runs_title(report, language))
    months = quantities.months(report.circumstances.horizon_months, language)
    costs = [(value, quantities.money(value, currency, language)) for value in svg_axes.steps(y)]
    body += svg_axes.grid_y(y, costs, _("Cost in {months}").format(months=months))
    asked_runs = report.circumstances.runs_per_month
    asked = x(asked_runs * scale)
    body += svg_axes.line([(asked, svg_axes.TOP), (asked, svg_axes.HEIGHT - svg_axes.BOTTOM)], "limit")
    taken: list[svg_axes.Box] = []
    body += svg_axes.place((asked, svg_axes.TOP), _("you"), taken, spots=(("start", 5, 10),), style="tick") or ""
    for place in above:
        name = f"↑ {names[place]}: {_money(money_at(found.lines[place], asked_runs), report, language)}"
        body += svg_axes.place((asked, svg_axes.TOP), name, taken, spots=_AT_TOP) or ""
    drawn = [[(x(runs * scale), y(usd * rate)) for runs, usd in line.points] for line, _name in seen]
    crossed = [(x(crossing.runs_per_month * scale), y(crossing.usd * rate)) for crossing in found.crossings]
    for (line, name), pixels in zip(seen, drawn, strict=True):
        body += svg_axes.line(pixels, f"line {STYLES[line.role]}")
        cost = money_at(line, asked_runs)
        if cost is not None:
            style, title = f"mark {STYLES[line.role]}", f"{name}: {_money(cost, report, language)}"
            body += svg_axes.mark(SHAPES[line.role], (asked, y(cost * rate)), _MARK_PX, style=style, title=title)
    shown_names = [name for _line, name in seen]
    body += _names([pixels[-1] for pixels in drawn], shown_names, taken, [*_around(drawn), *map(_dot, crossed)])
    for crossing, at in zip(found.crossings, crossed, strict=True):
        text = _("{runs} runs in all") if report.circumstances.is_once else _("{runs} runs a month")
        label = text.format(runs=quantities.round_count(crossing.runs_per_month * scale, language))
        body += svg_axes.mark("circle", at, 4, style="mark crossing", title=label)
        body += svg_axes.place(at, label, taken, spots=svg_axes.BESIDE[2:], style="label strong") or ""
    return body


_AT_END = tuple(("end", 0.0, dy) for dy in (-8.0, 18.0, -24.0, 34.0, -40.0, 50.0, -56.0, 66.0))
"""Lines may end close to each other: farther places as well."""
_AT_TOP = (("start", 5.0, 26.0), ("end", -5.0, 26.0))
"""Beside the dashed line: the ends of the other lines keep their names."""
_BETWEEN_PX = 6.0
_MARK_PX = 5.0
_DOT_PX = 5.0
_HIDDEN = 1000.0
"""What a name costs that lies on a line, in pixels from its end."""


def _names(
    ends: list[tuple[float, float]], names: list[str], taken: list[svg_axes.Box], hindrances: list[svg_axes.Box]
) -> str:
    """Return the names of the lines at their ends, one above the other as the lines are; on no line if they can."""
    found = sorted(zip(ends, names, strict=True), key=lambda one: one[0][1])
    places = []
    for at, name in found:
        boxes = [(spot[2], svg_axes.room_of(at, name, spot)) for spot in _AT_END]
        free = [(dy, box) for dy, box in boxes if box is not None and not any(map(box.overlaps, taken))]
        places.append([(dy, box, abs(dy) + _HIDDEN * any(map(box.overlaps, hindrances))) for dy, box in free])
    ordered = (
        ways for ways in product(*places) if all(upper[1].bottom <= lower[1].top for upper, lower in pairwise(ways))
    )
    best = min(ordered, key=lambda ways: sum(way[2] for way in ways), default=())
    taken += [box for _dy, box, _cost in best]
    chosen = zip(found, best, strict=False)
    return "".join(svg_axes.text(at[0], at[1] + way[0], name, anchor="end") for (at, name), way in chosen)


def _around(lines: Sequence[Sequence[tuple[float, float]]]) -> Iterator[svg_axes.Box]:
    """Yield the room that lines take, in short pieces."""
    for (x0, y0), (x1, y1) in (pair for line in lines for pair in pairwise(line)):
        count = max(1, round(max(abs(x1 - x0), abs(y1 - y0)) / _BETWEEN_PX))
        for n in range(count + 1):
            yield _dot((x0 + (x1 - x0) * n / count, y0 + (y1 - y0) * n / count), 1.0)


def _dot(at: tuple[float, float], size: float = _DOT_PX) -> svg_axes.Box:
    x, y = at
    return svg_axes.Box(x - size, y - size, x + size, y + size)
