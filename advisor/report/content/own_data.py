"""The user's own data: what they are, how fast they come from the disk, and how many processes loading is worth."""

from collections.abc import Iterator

from advisor.locale import Language
from advisor.records.job.asked_job import FED_PROGRAM
from advisor.records.results.measured.measurement import Measurement
from advisor.records.results.measured.own_data import OwnData
from advisor.records.results.provenance import Provenance
from advisor.records.results.report import Report
from advisor.report.content.blocks import Block, Bullets, Item, Paragraph, Section, Table, with_origin
from advisor.report.content.measured.common import byte_rate, of_program, series_of
from advisor.report.provenance.measurements import in_run
from advisor.report.words import quantities
from advisor.report.words.cases import device_phrase
from advisor.report.words.labels import spoken_date
from advisor.report.words.own_data import DISKS, data_phrase

WORTH_TIMES = 1.1
FRESH_TIMES = 1.3
"""From here on it is said how memory is kept; below, the settings are not worth the trouble."""
"""Repeats of the same loading differ by so much."""


def own_data(report: Report, language: Language) -> Section:
    """Return what was found and measured of the user's data; empty where none were named."""
    _ = language.gettext
    title, data = _("Your data"), report.data
    if data is None:
        return Section("own_data", title, ())
    found = Provenance(
        figure="/data",
        title=title,
        value=data_phrase(data, language),
        basis=_("read from this computer"),
        method=_("files counted and the beginnings of some read; no name and no content is kept"),
        date=spoken_date(report.created_at, language),
    )
    items = [Item(text, origin=found) for text in _found(data, report, language)]
    tables: list[Block] = []
    if (benchmark := report.benchmark) is not None:
        for one in of_program(benchmark, "data"):
            origin = in_run(one, benchmark, language)
            items += [Item(text, origin=origin) for text in _read(one, data, language)]
            if series_of(one, "items_per_s") is not None:
                tables.append(with_origin(_rates(one, language), origin))
        for one in of_program(benchmark, FED_PROGRAM):
            if series_of(one, "fed_step_s") is not None:
                origin = in_run(one, benchmark, language)
                items += [Item(text, origin=origin) for text in (_fed(one, language), *_fewer_threads(one, language))]
                tables.append(with_origin(_fed_steps(one, language), origin))
    return Section("own_data", title, (Paragraph(f"{found.value}.", found), Bullets(tuple(items)), *tables))


def _found(data: OwnData, report: Report, language: Language) -> Iterator[str]:
    _ = language.gettext
    memory = report.machine.host.memory
    is_kept = data.size_bytes <= min(memory.available_bytes, memory.limit_bytes)
    yield (
        _("They fit the free memory: only the first epoch reads the disk.")
        if is_kept
        else _("They do not fit the free memory: every epoch reads the disk.")
    )
    if data.disk.kind is not None and data.disk.free_bytes is not None:
        text = _("They lie on this kind of disk: {disk}; {free} of it are free.")
        yield text.format(disk=_(DISKS[data.disk.kind]), free=quantities.memory(data.disk.free_bytes, language))
    if data.other_files:
        yield _("Other files there: {count}; they count for nothing here.").format(
            count=language.number(data.other_files)
        )
    if data.unreadable:
        yield _("Files and folders that this program may not read: {count}.").format(
            count=language.number(data.unreadable)
        )


def _read(one: Measurement, data: OwnData, language: Language) -> Iterator[str]:
    _ = language.gettext
    details = one.details
    warm = byte_rate(details.get("warm_bytes_per_s", 0.0), language)
    cold, in_order = details.get("cold_bytes_per_s"), details.get("sequential_bytes_per_s")
    if cold is None:
        text = _("Read again from memory: {warm}. How fast the disk is could not be seen here.")
        yield text.format(warm=warm)
    else:
        text = _("Read from the disk, one file here and one there: {cold}; again, from memory: {warm}.")
        yield text.format(cold=byte_rate(cold, language), warm=warm)
    if in_order is not None:
        yield _("A large file read from its beginning: {rate}.").format(rate=byte_rate(in_order, language))
    refused = int(details.get("refused_files", 0))
    if series_of(one, "items_per_s") is None:
        yield (
            _("A table is taken to be read once and kept in memory.")
            if data.kind == "table"
            else _("Nothing installed here decodes these files: they were counted and read, no more.")
        )
    if one.details.get("fresh_ratio", 1.0) >= FRESH_TIMES:
        text = _(
            "A program takes up to {times} times as long to decode one where it gives its memory back after each, and "
            "whether it does is chance. What surely keeps it (Linux, before Python starts): "
            "MALLOC_MMAP_THRESHOLD_=33554432 MALLOC_TRIM_THRESHOLD_=67108864. One alone makes it worse."
        )
        yield text.format(times=language.significant(one.details["fresh_ratio"]))
    if refused and series_of(one, "items_per_s") is not None:
        text = _("Files tried that cannot be decoded: {refused}; training on them would stop there.")
        yield text.format(refused=language.number(refused))


def _fed(one: Measurement, language: Language) -> str:
    _ = language.gettext
    points = () if (series := series_of(one, "fed_step_s")) is None else series.points
    best, shortest_s = min(points, key=lambda point: point[1])
    text = _(
        "A step of your job with {batch} samples takes {alone} on {device} while nothing is loaded, and {fed} while "
        "its samples are. Best number of loading processes (num_workers) of those tried: {loaders}."
    )
    return text.format(
        batch=language.number(round(one.details.get("batch", one.case.batch_size))),
        alone=quantities.duration(one.details.get("alone_s", 0.0), language),
        fed=quantities.duration(shortest_s, language),
        device=device_phrase(one.case.device, language),
        loaders=language.number(best),
    )


def _fewer_threads(one: Measurement, language: Language) -> Iterator[str]:
    """Yield what fewer threads were measured to bring, where that is more than a repeat's scatter."""
    _ = language.gettext
    points = () if (series := series_of(one, "fed_step_s")) is None else series.points
    fewer_s, threads = one.details.get("fewer_threads_s", 0.0), round(one.details.get("fewer_threads", 0.0))
    if not points or threads < 1 or not 0 < WORTH_TIMES * fewer_s < min(seconds for _loaders, seconds in points):
        return
    text = _(
        "The step and the processes that load fight for the same cores: with torch.set_num_threads({threads}) and "
        "num_workers={loaders} a step takes {fewer}, as was measured."
    )
    yield text.format(
        threads=threads,
        loaders=round(one.details.get("fewer_threads_loaders", 0.0)),
        fewer=quantities.duration(fewer_s, language),
    )


def _fed_steps(one: Measurement, language: Language) -> Table:
    _ = language.gettext
    points = () if (series := series_of(one, "fed_step_s")) is None else series.points
    header = (_("Processes that load (num_workers)"), _("From step to step, measured while they load"))
    shown = tuple((language.number(count), quantities.duration(seconds, language)) for count, seconds in points)
    return Table(header, shown, numeric=frozenset({0, 1}))


def _rates(one: Measurement, language: Language) -> Table:
    _ = language.gettext
    series = series_of(one, "items_per_s")
    rows = () if series is None else series.points
    header = (_("Processes that load (num_workers)"), _("Samples a second"))
    shown = tuple((language.number(count), language.significant(rate, 3)) for count, rate in rows)
    return Table(header, shown, numeric=frozenset({0, 1}))
