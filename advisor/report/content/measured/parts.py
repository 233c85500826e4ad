"""How fast data moves and operations start, and what more threads bring."""

from collections.abc import Callable, Iterator
from typing import Final

from advisor.locale import Language
from advisor.records.results.measured.measurement import Benchmark, Measurement
from advisor.report.charts import svg_axes, svg_plots
from advisor.report.content.blocks import Block, Chart, Figure, Heading, Paragraph, Picture, Table, with_origin
from advisor.report.content.measured.common import byte_rate, of_program, series_of, times
from advisor.report.provenance.measurements import in_run
from advisor.report.words import quantities
from advisor.report.words.cases import device_phrase, network_title


def parts(benchmark: Benchmark, language: Language) -> tuple[Block, ...]:
    """Return the speeds of memory, links, disk and of starting operations."""
    _ = language.gettext
    found = [
        (one, row)
        for program, describe in _PROGRAMS.items()
        for one in of_program(benchmark, program)
        for row in describe(one, language)
    ]
    if not found:
        return ()
    header = (_("What"), _("Result"), _("How it was measured"))
    table = Table(header, tuple(row for _one, row in found), numeric=frozenset({1}))
    origins = (in_run(one, benchmark, language) for one, _row in found)
    return Heading(_("Moving data and starting operations")), table.with_origins(origins)


_Rows = Iterator[tuple[str, str, str]]
"""What was measured, the result, and how it was measured."""


def _paging(one: Measurement, language: Language) -> _Rows:
    _ = language.gettext
    texts = {
        "usual": _("A step of {network}, freed memory given back"),
        "kept": _("A step of {network}, freed memory kept"),
    }
    for way, text in texts.items():
        time_s = one.details.get(f"{way}_s")
        if time_s is not None:
            faults = language.number(round(one.details.get(f"{way}_page_faults", 0.0)))
            how = _("{count} page faults a step; both in turn").format(count=faults)
            yield text.format(network=network_title(one.case.network)), quantities.exact_seconds(time_s, language), how


def _bytes_per_s(one: Measurement) -> float:
    return one.details.get("bytes_per_s") or (one.case.bytes_per_iteration or 0.0) / one.median_s


def _bandwidth(one: Measurement, language: Language) -> _Rows:
    _ = language.gettext
    device = device_phrase(one.case.device, language)
    size = quantities.memory(4.0 * one.case.size, language)
    if one.case.options.get("loop") == "triad":
        how = _("a = b + s × c over three arrays of {size}").format(size=size)
    else:
        how = _("an array of {size} copied to another").format(size=size)
    loop = _("triad") if one.case.options.get("loop") == "triad" else _("copy")
    name = _("Main memory, {loop}") if one.case.device == "cpu" else _("Memory of {device}, {loop}")
    yield name.format(device=device, loop=loop), byte_rate(_bytes_per_s(one), language), how


def _transfer(one: Measurement, language: Language) -> _Rows:
    _ = language.gettext
    device = device_phrase(one.case.device, language)
    text = _("To {device}") if one.case.options.get("to_device") else _("Back from {device}")
    is_pinned = one.case.options.get("pinned")
    how = _("from pinned memory, which the system never moves") if is_pinned else _("from ordinary memory")
    yield text.format(device=device), byte_rate(_bytes_per_s(one), language), how


def _disk(one: Measurement, language: Language) -> _Rows:
    _ = language.gettext
    cached = one.details.get("cached_ratio")
    size = quantities.memory(one.case.size, language)
    how = _("a file of {size}, read from beginning to end").format(size=size)
    if cached is None or not one.details.get("asked_to_drop_ratio"):
        how += "; " + _("the system may have kept it in memory")
    elif cached > 0.01:
        how += "; " + _("{share} of it lay in memory").format(share=language.percent(cached))
    yield _("Reading from the disk"), byte_rate(_bytes_per_s(one), language), how


def _launch(one: Measurement, language: Language) -> _Rows:
    _ = language.gettext
    device = device_phrase(one.case.device, language)
    name = _("Starting an operation on {device}").format(device=device)
    yield name, quantities.exact_seconds(one.median_s, language), _("a tiny operation, many in a row")
    trip_s = one.details.get("round_trip_s")
    if trip_s is not None:
        yield name, quantities.exact_seconds(trip_s, language), _("and waiting for its result each time")


_PROGRAMS: Final[dict[str, Callable[[Measurement, Language], _Rows]]] = {
    "bandwidth": _bandwidth,
    "transfer": _transfer,
    "disk": _disk,
    "launch": _launch,
    "kept_memory": _paging,
}
"""How each program's results are told, in the order of the table."""


def threads(benchmark: Benchmark, language: Language) -> tuple[Block, ...]:
    """Return what each further thread of the processor brings to a large matrix product."""
    return tuple(
        with_origin(block, in_run(one, benchmark, language))
        for one in of_program(benchmark, "threads")
        for block in _threads(one, language)
    )


def _threads(one: Measurement, language: Language) -> Iterator[Block]:
    _ = language.gettext
    series = series_of(one, "flop_per_s")
    if series is None or len(series.points) < 2 or series.points[0][1] <= 0:
        return
    count, best = series.points[-1]
    first = series.points[0][1]
    text = _("{n} threads compute {times} times as fast as one.")
    sentence = text.format(n=language.number(count), times=quantities.factor(best / first, language))
    yield Heading(_("More and more threads"))
    if len(series.points) > 2:
        yield Figure(_thread_chart(series.points, sentence, language))
    else:
        yield Paragraph(sentence)


def _thread_chart(points: tuple[tuple[float, float], ...], sentence: str, language: Language) -> Chart:
    _ = language.gettext
    names = _("if each brought as much"), _("measured")
    panel = svg_plots.lines_panel(names)
    first = points[0][1] / points[0][0]
    ideal = tuple((count, first * count) for count, _rate in points)
    x = svg_axes.horizontal(points[0][0], points[-1][0], panel=panel)
    y = svg_axes.vertical(0.0, 1.05 * max(value for line in (points, ideal) for _count, value in line), is_log=False)
    body = svg_axes.grid_x(x, [(count, language.number(count)) for count, _rate in points], _("Threads"), panel=panel)
    ticks = [(value, language.significant(value / 1e9, 3)) for value in svg_axes.steps(y)]
    body += svg_axes.grid_y(y, ticks, "GFLOP/s", panel=panel)
    drawn = [svg_plots.Line(names[0], ideal, "ideal", has_marks=False), svg_plots.Line(names[1], points, "s0")]
    body += svg_plots.lines(
        drawn, x, y, lambda name, n, value: f"{name}, {n:g}: {quantities.flop_rate(value, language)}"
    )
    rows = tuple(
        (language.number(count), quantities.flop_rate(value, language), times(value / points[0][1], language))
        for count, value in points
    )
    table = Table((_("Threads"), _("Result"), _("Against one")), rows, numeric=frozenset({0, 1, 2}))
    title = _("Speed against threads")
    return Chart(title, Picture(lambda: svg_axes.frame(title, body, sentence)), sentence, table)
