"""Runs a month against the money of the whole horizon: a line each for keeping, buying and renting."""

from itertools import pairwise

from advisor.locale import Language
from advisor.records.job.advice import CostLine, CostOverTime
from advisor.records.results.report import Report
from advisor.report.charts import svg_axes
from advisor.report.content.blocks import Chart, Picture, Table
from advisor.report.provenance.verdict import of_comparison
from advisor.report.words import quantities
from advisor.report.words.advice.costs import line_title, shown_lines

STYLES = {"keep": "this_computer", "buy": "single_gpu", "rent": "cloud"}


def money_at(line: CostLine, runs: float) -> float | None:
    """Return US dollars over the horizon at so many runs a month; None where the month has no room for them."""
    for (x0, y0), (x1, y1) in pairwise(line.points):
        if x0 <= runs <= x1:
            return y0 + (y1 - y0) * ((runs - x0) / (x1 - x0) if x1 > x0 else 0.0)
    return None


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
    highest = max(usd * rate for line in found.lines for _runs, usd in line.points)
    x = svg_axes.horizontal(0.0, found.most_runs_per_month * scale, is_log=False)
    y = svg_axes.vertical(0.0, 1.08 * max(highest, 0.01), is_log=False)
    ticks = [(value, language.number(value, 2)) for value in svg_axes.steps(x)]
    body = svg_axes.grid_x(x, ticks, _runs_title(report, language))
    months = quantities.months(report.circumstances.horizon_months, language)
    costs = [(value, quantities.money(value, currency, language)) for value in svg_axes.steps(y)]
    body += svg_axes.grid_y(y, costs, _("Cost in {months}").format(months=months))
    asked = x(report.circumstances.runs_per_month * scale)
    body += svg_axes.line([(asked, svg_axes.TOP), (asked, svg_axes.HEIGHT - svg_axes.BOTTOM)], "limit")
    taken: list[svg_axes.Box] = []
    body += svg_axes.place((asked, svg_axes.TOP), _("you"), taken, spots=(("start", 5, 10),), style="tick") or ""
    for line, name in zip(found.lines, names, strict=True):
        pixels = [(x(runs * scale), y(usd * rate)) for runs, usd in line.points]
        body += svg_axes.line(pixels, f"line {STYLES[line.role]}")
        body += svg_axes.place(pixels[-1], name, taken, spots=_AT_END) or ""
    for crossing in found.crossings:
        at = (x(crossing.runs_per_month * scale), y(crossing.usd * rate))
        text = _("{runs} runs in all") if report.circumstances.is_once else _("{runs} runs a month")
        label = text.format(runs=quantities.round_count(crossing.runs_per_month * scale, language))
        body += svg_axes.mark("circle", at, 4, style="mark crossing", title=label)
        body += svg_axes.place(at, label, taken, spots=svg_axes.BESIDE[2:], style="label strong") or ""
    return body


_AT_END = (*svg_axes.AT_END, ("end", 0, -24), ("end", 0, 34), ("end", 0, -40))
"""Lines may end close to each other: farther places as well."""
