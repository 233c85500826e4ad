"""Throughput and memory against the batch size, and the best batch by name."""

from advisor.locale import Language
from advisor.records.results.measured.measurement import Benchmark, Measurement
from advisor.report.charts import svg_axes
from advisor.report.content.blocks import Block, Chart, Figure, Heading, Paragraph, Picture, Table, with_origin
from advisor.report.content.measured.common import NOTHING, memory, of_program, rate, series_of
from advisor.report.provenance.measurements import in_run
from advisor.report.words import quantities
from advisor.report.words.cases import device_phrase, network_phrase
from advisor.units import GIB

_UPPER = svg_axes.Panel(right=svg_axes.WIDTH - 60, bottom=220)
_LOWER = svg_axes.Panel(right=svg_axes.WIDTH - 60, top=300, bottom=440)
_HEIGHT = 500


def sweeps(benchmark: Benchmark, language: Language) -> tuple[Block, ...]:
    """Return the search for the best batch of each network and device."""
    _ = language.gettext
    blocks = [
        with_origin(block, in_run(one, benchmark, language))
        for one in of_program(benchmark, "sweep")
        for block in _sweep(one, language)
    ]
    return (Heading(_("The best batch size")), *blocks) if blocks else ()


def _sweep(one: Measurement, language: Language) -> tuple[Block, ...]:
    series = series_of(one, "items_per_s")
    if series is None:
        return ()
    sentence = _sentence(one, language)
    if len(series.points) < 2:
        return (Paragraph(sentence),)
    return (Figure(_chart(one, series.points, sentence, language)),)


def _sentence(one: Measurement, language: Language) -> str:
    """Return the best batch, and why the search went no further."""
    _ = language.gettext
    details = one.details
    known = {
        "network": network_phrase(one.case.network, language),
        "device": device_phrase(one.case.device, language),
        "batch": language.number(details.get("best_batch", 0.0)),
    }
    text = _("The best batch for {network} on {device} is {batch}: larger ones are hardly faster.")
    if details.get("best_batch") == details.get("largest_batch_that_fits"):
        text = _("The best batch for {network} on {device} is {batch}, the largest that was tried.")
    unfit = details.get("first_batch_that_does_not_fit")
    if unfit is not None:
        return text.format(**known) + " " + _unfit(unfit, details.get("it_would_take_bytes"), language)
    if details.get("ended_by_time"):
        return text.format(**known) + " " + _("The time for this test was over before the memory was full.")
    return text.format(**known)


def _unfit(batch: float, needed_bytes: float | None, language: Language) -> str:
    _ = language.gettext
    count = language.number(batch)
    if needed_bytes is None:
        return _("A batch of {batch} no longer fits into memory.").format(batch=count)
    text = _("A batch of {batch} no longer fits into memory: it would take {size}.")
    return text.format(batch=count, size=quantities.memory(needed_bytes, language))


def _chart(one: Measurement, points: tuple[tuple[float, float], ...], sentence: str, language: Language) -> Chart:
    _ = language.gettext
    x = svg_axes.horizontal(points[0][0], points[-1][0], panel=_UPPER)
    ticks = [(batch, language.number(batch)) for batch, _rate in points]
    held = series_of(one, "memory_bytes")
    has_memory = held is not None and len(held.points) > 1
    body = svg_axes.grid_x(x, ticks, "" if has_memory else _("Batch size (logarithmic)"), panel=_UPPER)
    body += _throughput(points, one.details.get("best_batch"), x, language)
    if held is not None and has_memory:
        body += svg_axes.grid_x(x, ticks, _("Batch size (logarithmic)"), panel=_LOWER)
        body += _memory(held.points, one.details.get("limit_bytes"), x, language)
    title = _("{network} on {device}: speed and memory against batch size").format(
        network=network_phrase(one.case.network, language), device=device_phrase(one.case.device, language)
    )
    picture = Picture(lambda: svg_axes.frame(title, body, sentence, height=_HEIGHT if has_memory else 280))
    return Chart(title, picture, sentence, _table(one, points, language))


def _throughput(
    points: tuple[tuple[float, float], ...], best: float | None, x: svg_axes.Scale, language: Language
) -> str:
    _ = language.gettext
    y = svg_axes.vertical(0.0, 1.12 * max(value for _batch, value in points), is_log=False, panel=_UPPER)
    ticks = [(value, language.number(value, 1)) for value in svg_axes.steps(y, 4)]
    body = svg_axes.grid_y(y, ticks, _("Samples a second"), panel=_UPPER)
    body += svg_axes.line([(x(batch), y(value)) for batch, value in points], "line s0")
    for batch, value in points:
        label = f"{language.number(batch)}: {rate(value, language)}"
        body += svg_axes.mark("circle", (x(batch), y(value)), 7 if batch == best else 3, style="dot s0", title=label)
        if batch == best:
            named = _("best: {batch}").format(batch=language.number(batch))
            at_end = x(batch) > _UPPER.right - 80
            spot = (x(batch) - 12, "end") if at_end else (x(batch), "middle")
            body += svg_axes.text(spot[0], y(value) - 13, named, anchor=spot[1], style="label strong")
    return body


def _memory(
    points: tuple[tuple[float, float], ...], limit_bytes: float | None, x: svg_axes.Scale, language: Language
) -> str:
    _ = language.gettext
    most = max(size for _batch, size in points) / GIB
    limit = None if limit_bytes is None or limit_bytes / GIB > 3 * most else limit_bytes / GIB
    y = svg_axes.vertical(0.0, 1.12 * max(most, limit or 0.0), is_log=False, panel=_LOWER)
    ticks = [(value, language.number(value, 2)) for value in svg_axes.steps(y, 4)]
    body = svg_axes.grid_y(y, ticks, _("Memory in GB"), panel=_LOWER)
    body += svg_axes.line([(x(batch), y(size / GIB)) for batch, size in points], "line s1")
    for batch, size in points:
        label = f"{language.number(batch)}: {memory(size, language)}"
        body += svg_axes.mark("circle", (x(batch), y(size / GIB)), 3, style="dot s1", title=label)
    if limit is not None:
        body += svg_axes.line([(_LOWER.left, y(limit)), (_LOWER.right, y(limit))], "limit")
        text = _("free memory: {size}").format(size=quantities.memory(limit * GIB, language))
        body += svg_axes.text(_LOWER.left + 8, y(limit) - 6, text, style="tick")
    return body


def _table(one: Measurement, points: tuple[tuple[float, float], ...], language: Language) -> Table:
    _ = language.gettext
    steps, held = (
        dict(found.points) if found else {} for found in (series_of(one, "step_s"), series_of(one, "memory_bytes"))
    )
    rows = tuple(
        (
            language.number(batch),
            rate(value, language),
            quantities.exact_seconds(steps[batch], language) if batch in steps else NOTHING,
            memory(held.get(batch), language),
        )
        for batch, value in points
    )
    best = next((n for n, (batch, _value) in enumerate(points) if batch == one.details.get("best_batch")), None)
    header = (_("Batch"), _("Samples/s"), _("One step"), _("Memory"))
    return Table(header, rows, numeric=frozenset({0, 1, 2, 3}), marked=best)
