"""What is left of the speed after a minute, and the reason the hardware itself gives for what is lost."""

from typing import Final, NamedTuple

from advisor.card_matching import framework_of, throttle_reasons
from advisor.locale import N_, Language
from advisor.records.results.measured.measurement import Benchmark, Measurement
from advisor.report.charts import svg_axes, svg_plots
from advisor.report.content.blocks import Block, Bullets, Chart, Figure, Heading, Item, Picture, Table
from advisor.report.content.measured.common import NOTHING, of_program, rate
from advisor.report.provenance.measurements import in_run
from advisor.report.words import quantities
from advisor.report.words.cases import NO_LOSS_RATIO, device_phrase, device_title, network_phrase

THROTTLES: Final[dict[str, str]] = {
    "heat": N_("heat"),
    "hardware_slowdown": N_("a slowdown by the hardware"),
    "power_brake": N_("slowed by the power supply"),
    "power_limit": N_("the power limit"),
    "set_clocks": N_("a clock set by hand"),
    "sync_boost": N_("another card it keeps pace with"),
}
_STEP_S = 10.0


class _Run(NamedTuple):
    """A long run, its rate over time, as a share of its first seconds' rate, and why its device was held down."""

    one: Measurement
    name: str
    shares: tuple[tuple[float, float], ...]
    rates: tuple[tuple[float, float], ...]
    reasons: tuple[str, ...]


def sustained(benchmark: Benchmark, language: Language) -> tuple[Block, ...]:
    """Return the long runs: rate over time, and what is lost."""
    _ = language.gettext
    runs = [run for one in of_program(benchmark, "sustained") if (run := _run(one, benchmark, language))]
    if not runs:
        return ()
    origins = [in_run(run.one, benchmark, language) for run in runs]
    items = tuple(Item(_sentence(run, language), origin=one) for run, one in zip(runs, origins, strict=True))
    chart = _chart(runs, language)
    table = chart.table._replace(origins=((None, *origins),) * len(chart.table.rows))
    return Heading(_("A minute at full load")), Bullets(items), Figure(chart._replace(table=table))


def _run(one: Measurement, benchmark: Benchmark, language: Language) -> _Run | None:
    points = next((series.points for series in one.series if series.x == "time_s" and len(series.points) > 2), ())
    first_s = one.details.get("first_s")
    amount = one.case.flop_per_iteration if one.series and one.series[0].y == "flop_per_s" else one.items_per_iteration
    if not points or not first_s or not amount:
        return None
    first = amount / first_s
    shares = tuple((time_s, value / first) for time_s, value in points)
    seen, device = one.telemetry, one.case.device
    reasons = () if seen is None else throttle_reasons(device, seen, framework_of(benchmark))
    return _Run(one, _work(one, language), shares, points, reasons)


def _work(one: Measurement, language: Language) -> str:
    _ = language.gettext
    work = _("training {network}").format(network=network_phrase(one.case.network, language))
    return work if one.case.network else _("matrix products")


def _sentence(run: _Run, language: Language) -> str:
    _ = language.gettext
    lost = run.one.details.get("lost_ratio", 0.0)
    device = device_phrase(run.one.case.device, language)
    known = {"work": run.name, "device": device, "lost": language.percent(lost)}
    known["time"] = quantities.duration(run.one.details.get("run_s", run.shares[-1][0]), language)
    if lost < NO_LOSS_RATIO:
        text = _("{work} on {device}: as fast after {time} as at the beginning.").format(**known)
    else:
        text = _("{work} on {device}: {lost} slower after {time} than at the beginning.").format(**known)
    if run.reasons and lost >= NO_LOSS_RATIO:
        spoken = ", ".join(_(THROTTLES[reason]) if reason in THROTTLES else reason for reason in run.reasons)
        text += " " + _("The hardware names as the reason: {reasons}.").format(reasons=spoken)
    return text[:1].upper() + text[1:]


def _chart(runs: list[_Run], language: Language) -> Chart:
    _ = language.gettext
    several = len({run.one.case.device for run in runs}) > 1
    drawn = [
        svg_plots.Line(_name(run, several, language), run.shares, f"s{n % 6}", False) for n, run in enumerate(runs)
    ]
    panel = svg_plots.lines_panel(line.name for line in drawn)
    x = svg_axes.horizontal(0.0, max(run.shares[-1][0] for run in runs), is_log=False, panel=panel)
    highest = max(share for run in runs for _time, share in run.shares)
    y = svg_axes.vertical(0.0, max(1.1, 1.05 * highest), is_log=False)
    body = svg_axes.grid_x(
        x, [(value, language.number(value)) for value in svg_axes.steps(x)], _("Seconds"), panel=panel
    )
    title_y = _("Speed, as a share of that of the first seconds")
    body += svg_axes.grid_y(y, [(value, language.percent(value)) for value in svg_axes.steps(y)], title_y, panel=panel)
    body += svg_plots.lines(drawn, x, y, lambda name, time_s, share: f"{name}, {time_s:g} s: {language.percent(share)}")
    title = _("Speed over time at full load")
    description = _("A level line is a computer that keeps its speed; one that falls gets too hot or short of power.")
    return Chart(title, Picture(lambda: svg_axes.frame(title, body, description)), description, _table(runs, language))


def _name(run: _Run, several: bool, language: Language) -> str:
    """Return what a line is called, with its device where there are several."""
    return f"{run.name}, {device_title(run.one.case.device, language)}" if several else run.name


def _table(runs: list[_Run], language: Language) -> Table:
    _ = language.gettext
    last_s = max(run.shares[-1][0] for run in runs)
    several = len({run.one.case.device for run in runs}) > 1
    header = (_("Seconds"), *(_name(run, several, language) for run in runs))
    rows = tuple(
        (f"{language.number(start)}–{language.number(start + _STEP_S)}", *(_mean(run, start, language) for run in runs))
        for start in [_STEP_S * n for n in range(int(last_s // _STEP_S) + 1)]
        if start < last_s
    )
    return Table(header, rows, numeric=frozenset(range(len(header))))


def _mean(run: _Run, start_s: float, language: Language) -> str:
    """Return the mean rate of some seconds, and its share of the first rate."""
    inside = [n for n, (time_s, _value) in enumerate(run.rates) if start_s <= time_s < start_s + _STEP_S]
    if not inside:
        return NOTHING
    value, share = (sum(pairs[n][1] for n in inside) / len(inside) for pairs in (run.rates, run.shares))
    is_flop = run.one.series[0].y == "flop_per_s"
    _ = language.gettext
    text = quantities.flop_rate(value, language) if is_flop else _("{rate} a second").format(rate=rate(value, language))
    return f"{text}\n{language.percent(share)}"
