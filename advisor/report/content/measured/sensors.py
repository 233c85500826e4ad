"""What the sensors said while each network ran, mean and peak, laid out like the tables of the profiling study."""

from collections.abc import Callable, Iterator
from typing import Final

from advisor.card_matching import framework_of, sensor_prefix
from advisor.locale import N_, Language
from advisor.records.hardware.machine import Framework
from advisor.records.hardware.telemetry import MetricSummary, TelemetrySummary
from advisor.records.results.measured.measurement import Benchmark, Measurement
from advisor.report.content.blocks import Block, Bullets, Heading, Item, Paragraph, Table
from advisor.report.content.measured.common import device_cell, of_program
from advisor.report.provenance.measurements import in_run
from advisor.report.words import quantities
from advisor.report.words.cases import network_phrase
from advisor.report.words.problems import gap_sentence

_PROGRAMS = ("train", "infer", "sustained")
_FEWEST_SAMPLES = 2


def _ratio(value: float, language: Language) -> str:
    return language.percent(value)


def _celsius(value: float, language: Language) -> str:
    return f"{language.number(value)}\N{NO-BREAK SPACE}°C"


def _watts(value: float, language: Language) -> str:
    return f"{language.number(value)}\N{NO-BREAK SPACE}W"


_Spell = Callable[[float, Language], str]
_COLUMNS: Final[tuple[tuple[str, str, _Spell], ...]] = (
    # metric, with {card} for the accelerator's place; title; how its values are spelled
    ("host.cpu_ratio", N_("Processor"), _ratio),
    ("host.memory_used_bytes", N_("Memory (RAM)"), quantities.memory),
    ("host.cpu_temperature_celsius", N_("Processor, heat"), _celsius),
    ("host.cpu_power_w", N_("Processor, power"), _watts),
    ("{card}.utilisation_ratio", N_("Card"), _ratio),
    ("{card}.memory_used_bytes", N_("Card, memory"), quantities.memory),
    ("{card}.temperature_celsius", N_("Card, heat"), _celsius),
    ("{card}.power_w", N_("Card, power"), _watts),
)


def sensors(benchmark: Benchmark, language: Language) -> tuple[Block, ...]:
    """Return one row a case: use, memory, temperature and power over its own time."""
    _ = language.gettext
    kept = list(_watched(benchmark))
    if not kept:
        return ()
    framework = framework_of(benchmark)
    header = (_("While"), *(_(title) for _metric, title, _spell in _COLUMNS))
    told = [(one, cells) for one, seen in kept if any(cells := tuple(_cells(one, seen, framework, language)))]
    rows = tuple((_title(one, benchmark, language), *cells) for one, cells in told)
    table = Table(header, rows, numeric=frozenset(range(1, len(header)))).without_empty()
    table = table.with_origins(in_run(one, benchmark, language) for one, _cells_of in told)
    text = _("The mean over each test from its beginning to its end, and in brackets the highest value.")
    blocks: list[Block] = [Heading(_("Use, memory, temperature and power")), Paragraph(text), table]
    if silent := tuple(Item(sentence) for sentence in _silent(kept, language)):
        blocks.append(Bullets(silent))
    return tuple(blocks)


def _title(one: Measurement, benchmark: Benchmark, language: Language) -> str:
    _ = language.gettext
    network = network_phrase(one.case.network, language)
    if one.case.program == "sustained":
        work = _("training {network}").format(network=network) if one.case.network else _("matrix products")
        title = _("A minute of {work}").format(work=work)
    else:
        text = (
            _("Training {network}, batch {batch}")
            if one.case.program == "train"
            else _("Applying {network}, batch {batch}")
        )
        title = text.format(network=network, batch=language.number(one.case.batch_size))
    device = device_cell(one.case, benchmark, language)
    return f"{title}\n{device}" if device else title


def _watched(benchmark: Benchmark) -> Iterator[tuple[Measurement, TelemetrySummary]]:
    """Yield the cases that the study's tables have: networks in fp32 and their usual layout, and the long runs."""
    for one in of_program(benchmark, *_PROGRAMS):
        is_plain = one.case.precision == "fp32" and not one.case.options.get("channels_last")
        if is_plain and one.telemetry is not None and one.telemetry.count >= _FEWEST_SAMPLES:
            yield one, one.telemetry


def _cells(one: Measurement, seen: TelemetrySummary, framework: Framework, language: Language) -> Iterator[str]:
    card = sensor_prefix(one.case.device, seen, framework)
    for metric, _title, spell in _COLUMNS:
        found = seen.metrics.get(metric.format(card=card)) if card or "{" not in metric else None
        yield "" if found is None else _cell(found, spell, language)


def _cell(found: MetricSummary, spell: _Spell, language: Language) -> str:
    mean, peak = spell(found.mean, language), spell(found.peak, language)
    return mean if mean == peak else f"{mean} ({peak})"


def _silent(kept: list[tuple[Measurement, TelemetrySummary]], language: Language) -> Iterator[str]:
    """Yield why a sensor of the table says nothing, each reason once."""
    wanted = {metric.rpartition(".")[2] for metric, _title, _spell in _COLUMNS}
    gaps = (gap for _one, seen in kept for gap in seen.gaps)
    yield from dict.fromkeys(gap_sentence(gap, language) for gap in gaps if gap.field.rpartition(".")[2] in wanted)
