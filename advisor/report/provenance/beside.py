"""Where the numbers beside a time come from: the minutes until a rented machine starts, a new PC, what it waits for."""

from collections.abc import Iterator

from msgspec.structs import replace

from advisor.locale import Language
from advisor.records.base import Source
from advisor.records.job.advice import Option
from advisor.records.results.report import Report
from advisor.report.provenance.predictions import of_time, option_pointer
from advisor.report.provenance.record import Provenance
from advisor.report.words import quantities
from advisor.report.words.labels import amount, basis_phrase, limit_phrase, option_title, spoken_date
from advisor.report.words.sources import source_phrase
from advisor.units import BYTES_PER_MBIT, HOUR_S


def of_start(option: Option, report: Report, language: Language) -> Provenance:
    """Return where the minutes come from that pass before a rented machine computes."""
    _ = language.gettext
    known = report.cost_sources
    is_own_line = report.circumstances.upload_bytes_per_s is not None
    cited = [("start", _("start: {source}")), *([] if is_own_line else [("upload", _("ordinary line: {source}"))])]
    return Provenance(
        figure=option_pointer(option, report, "before_s"),
        title=_("Until {option} starts").format(option=option_title(option, language)),
        value=quantities.duration(option.before_s, language),
        basis=basis_phrase("published", language),
        inputs=tuple(start_parts(option, report, language)),
        method=_("from renting to the first command, then the size of your data ÷ the speed of your line"),
        source="; ".join(text.format(source=_cited(known[kind], language)) for kind, text in cited if kind in known),
    )


def of_whole_time(option: Option, report: Report, language: Language) -> Provenance:
    """Return where the time of a run comes from, with what passes until it starts."""
    run = of_time(option, report, language)
    if option.offer is None or option.run_s is None or option.before_s <= 0:
        return run
    start = of_start(option, report, language)
    back = [(language.gettext("Until the result is back"), quantities.duration(option.after_s, language))]
    return replace(
        run,
        figure=option_pointer(option, report, "run_s").rpartition("/")[0],  # a sum of several of its figures
        title=language.gettext("Time with start on {option}").format(option=option_title(option, language)),
        value=quantities.duration(option.done_s, language),
        inputs=(
            (run.title, f"{run.value} ({run.band})"),
            (start.title, start.value),
            *start.inputs,
            *(back if option.after_s >= 1 else ()),
            *run.inputs,
        ),
        source="; ".join(filter(None, (run.source, start.source))),
        band="",
        low=None,
        high=None,
    )


def start_parts(option: Option, report: Report, language: Language) -> Iterator[tuple[str, str]]:
    """Yield what passes before a rented machine computes, part by part."""
    _ = language.gettext
    start_s = sum(part.quantity * HOUR_S for part in option.cost_parts if part.kind == "start")
    setup_s = report.circumstances.setup_s
    upload_s = option.upload_s
    if option.offer is None or start_s <= 0:
        return
    yield _("Start of the machine"), quantities.duration(start_s, language)
    if setup_s > 0:
        yield _("Your minutes to set it up"), quantities.duration(setup_s, language)
    if option.sent_bytes > 0 < upload_s:
        text = _("{time}: {size} at {rate} Mbit/s")
        yield (
            _("Upload of your data"),
            text.format(
                time=quantities.duration(upload_s, language),
                size=quantities.memory(option.sent_bytes, language),
                rate=language.significant(option.sent_bytes / upload_s / BYTES_PER_MBIT, 2),
            ),
        )


def of_host(option: Option, report: Report, language: Language) -> Provenance:
    """Return where the computer comes from that is bought around a card."""
    _, host = language.gettext, report.host
    threads = "–" if option.threads is None else language.number(option.threads)
    inputs = [(_("Price of it"), amount(option.host_usd, report, language))]
    found = Provenance(title=_("Threads of the new PC, which load the data"), value=threads, inputs=tuple(inputs))
    if host is None or host.threads != option.threads:  # of another purchase
        return found
    inputs += [
        (_("Cores of its processor"), language.number(host.cores)),
        (_("Memory (RAM)"), quantities.memory(host.memory_bytes, language)),
    ]
    return replace(
        found,
        basis=basis_phrase("published", language),
        inputs=tuple(inputs),
        source=host_source(option, report, language),
    )


def host_source(option: Option, report: Report, language: Language) -> str:
    """Return who paid how much for the computer around a card, and when; empty where it is not known of this one."""
    host = report.host
    if host is None or option.host_usd <= 0 or host.threads != option.threads:
        return ""
    sources = [host.source, *([] if host.extra_source is None else [host.extra_source])]
    return "; ".join(dict.fromkeys(_cited(one, language) for one in sources))


def of_limit(option: Option, report: Report, language: Language) -> Provenance:
    """Return why a card here is said to wait for the cores of the processor."""
    _ = language.gettext
    time, cpu = of_time(option, report, language), report.machine.host.cpu
    limit = "unknown" if option.prediction is None else option.prediction.limit
    return replace(
        time,
        title=_("Cores of {processor}").format(processor=cpu.name or _("the processor")),
        value="–" if cpu.physical_cores is None else language.number(cpu.physical_cores),
        inputs=((time.title, time.value), (_("What holds it back"), limit_phrase(limit, language))),
        band="",
        low=None,
        high=None,
        figure="/machine/host/cpu/physical_cores",
        source="",
    )


def _cited(source: Source, language: Language) -> str:
    return f"{source_phrase(source, language)}, {spoken_date(source.date, language)}"
