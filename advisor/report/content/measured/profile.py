"""Where the time of a training step goes, by kind of work and operation by operation."""

from advisor.locale import Language
from advisor.records.results.measured.measurement import Benchmark, Measurement
from advisor.records.results.measured.profile import Profile, ProfiledOperation
from advisor.report.charts import svg_axes, svg_plots
from advisor.report.content.blocks import Block, Chart, Figure, Heading, Paragraph, Picture, Table, with_origin
from advisor.report.content.measured.common import NOTHING, of_program
from advisor.report.provenance.measurements import in_run
from advisor.report.words import quantities
from advisor.report.words.cases import PROFILE_KINDS, device_phrase, network_phrase

SHOWN_OPERATIONS = 12
_SMALL_RATIO = 0.005


def profiles(benchmark: Benchmark, language: Language) -> tuple[Block, ...]:
    """Return the profiles: shares as bars, the longest operations as a table."""
    return tuple(
        with_origin(block, in_run(one, benchmark, language))
        for one in of_program(benchmark, "profile")
        for block in _profile(one, language)
    )


def _profile(one: Measurement, language: Language) -> tuple[Block, ...]:
    _ = language.gettext
    found = one.profile
    if found is None or not found.steps or not found.shares:
        return ()
    title = _("Where the time goes: training {network} on {device}").format(
        network=network_phrase(one.case.network, language), device=device_phrase(one.case.device, language)
    )
    blocks: list[Block] = [Heading(title), Figure(_chart(found, title, language))]
    if found.operations:
        blocks.append(_operations(found, language))
        left = len(found.operations) - SHOWN_OPERATIONS + found.omitted
        if left > 0:
            blocks.append(Paragraph(_("{n} shorter ones are left out here.").format(n=language.number(left))))
    return tuple(blocks)


def _chart(found: Profile, title: str, language: Language) -> Chart:
    _ = language.gettext
    shown = [share for share in found.shares if share.ratio >= _SMALL_RATIO]
    names = {share.kind: _(PROFILE_KINDS[share.kind]) for share in found.shares}
    steps = {share.kind: quantities.exact_seconds(share.time_s / found.steps, language) for share in found.shares}
    rows = [
        svg_plots.Bar(names[share.kind], share.ratio, f"{language.percent(share.ratio)} · {steps[share.kind]}", "s0")
        for share in shown
    ]
    body, height = svg_plots.bars(rows)
    table = Table(
        (_("Kind of work"), _("Share"), _("In a step")),
        tuple((names[share.kind], language.percent(share.ratio, 1), steps[share.kind]) for share in found.shares),
        numeric=frozenset({1, 2}),
    )
    description = _description(found, language)
    return Chart(
        _("Shares of a training step"),
        Picture(lambda: svg_axes.frame(title, body, description, height=height)),
        description,
        table,
    )


def _description(found: Profile, language: Language) -> str:
    _ = language.gettext
    watched_s = found.wall_s / found.steps
    known = {
        "watched": quantities.exact_seconds(watched_s, language),
        "plain": quantities.exact_seconds(found.plain_step_s, language),
    }
    if found.is_device_time:
        text = _("Shares of the card's time. A step took {watched} under the profiler and {plain} without it.")
    else:
        text = _("Shares of the processor's time. A step took {watched} under the profiler and {plain} without it.")
    return text.format(**known)


def _operations(found: Profile, language: Language) -> Table:
    _ = language.gettext
    header = (
        _("Operation"),
        _("Kind of work"),
        _("Shapes"),
        _("Calls a step"),
        _("Processor"),
        _("Card"),
        _("Memory kept"),
    )
    rows = tuple(_operation_row(one, found.steps, language) for one in found.operations[:SHOWN_OPERATIONS])
    return Table(header, rows, numeric=frozenset({3, 4, 5, 6}), minor=frozenset({1, 2, 6})).without_empty()


def _operation_row(one: ProfiledOperation, steps: int, language: Language) -> tuple[str, ...]:
    kept = one.device_memory_bytes or one.cpu_memory_bytes
    return (
        one.name.rpartition("#")[2],  # torch marks steps and loaders as what they are, #, and what was called
        language.gettext(PROFILE_KINDS[one.kind]),
        one.shapes.replace("x", "×"),
        language.number(one.calls / steps, 1),
        quantities.exact_seconds(one.cpu_s / steps, language) if one.cpu_s > 0 else NOTHING,
        quantities.exact_seconds(one.device_s / steps, language) if one.device_s > 0 else "",
        quantities.memory(kept / steps, language) if kept > 0 else "",
    )
