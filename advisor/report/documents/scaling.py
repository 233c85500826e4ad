"""What several devices reach together, as a page."""

import statistics
from collections.abc import Iterator
from typing import Final

from advisor.locale import N_, Language
from advisor.records.results.scaling import (
    ProblemKind,
    Scaling,
    ScalingLevel,
    ScalingProblem,
    ScalingStep,
    ScalingTiming,
)
from advisor.report.content.blocks import Block, Bullets, Fold, Item, Paragraph, Section, Table
from advisor.report.content.document import Document
from advisor.report.formats.page import render_page
from advisor.report.formats.text import WIDTH
from advisor.report.words import quantities
from advisor.report.words.labels import spoken_date

OPERATIONS: Final[dict[str, str]] = {
    "all_reduce": N_("all-reduce"),
    "all_gather": N_("all-gather"),
    "reduce_scatter": N_("reduce-scatter"),
    "all_to_all": N_("all-to-all"),
    "ring": N_("ring"),
}
_PROBLEMS: Final[dict[ProblemKind, str]] = {
    "clock": N_("The clock of {node} is off by {detail}. Set it (NTP), then measure again."),
    "ended": N_("The measuring process on {node} ended halfway. {detail}"),
    "launch": N_("No measuring process could be started on {node}. {detail}"),
    "no_answer": N_("Nothing was heard of {node} in time."),
    "no_interface": N_(
        "GLOO_SOCKET_IFNAME or NCCL_SOCKET_IFNAME names a network interface that {node} does not have; name one that "
        "ip address lists there, or unset it."
    ),
    "not_supported": N_("What carries the messages lacks something it needs on {node}. {detail}"),
    "peer_gone": N_("The connection to {node} was closed by the other side."),
    "port_taken": N_("The port is taken on {node}; choose another one with --port, or leave it out."),
    "timeout": N_(
        "No message arrived within the time limit (seen on {node}): a network cable, a switch or a firewall stands "
        "between the computers."
    ),
    "torch": N_("PyTorch cannot be loaded on {node}. {detail}"),
    "too_little_time": N_("Some of it was left out for lack of time; --max-minutes allows more."),
    "torch_versions": N_("PyTorch on {node} is {detail}, elsewhere {usual}. Install the same version everywhere."),
    "unresolved": N_("{node} cannot find the address of the others. {detail}"),
    "error": N_("Measuring failed on {node}. {detail}"),
}
_DISTURBED_RATIO: Final = 1.2
"""Of the usual pace over the quickest one; without other programs they are a few percent apart."""
_OWN_CLOCK: Final = N_(
    "The clock of the computer that started the measuring is off by {detail} from all others. Set it (NTP), then "
    "measure again."
)


def scaling_page(scaling: Scaling, language: Language) -> Document:
    """Return the page."""
    _ = language.gettext
    made = spoken_date(scaling.created_at[:10], language)
    return Document(
        question=Paragraph(_question(scaling, language)),
        verdict=Paragraph(_verdict(scaling, language)),
        lead=tuple(Paragraph(text) for text in _lead(scaling, language)),
        notes=tuple(Paragraph(text) for text in problem_sentences(scaling, language)),
        sections=tuple(section for section in _sections(scaling, language) if section.blocks),
        colophon=_("Made by advisor {version} on {date}.").format(version=scaling.program_version, date=made),
    )


def render_scaling(
    scaling: Scaling, form: str, language: Language, *, width: int = WIDTH, is_coloured: bool = False
) -> bytes:
    """Return what was measured in a format: text, json, html or md."""
    return render_page(
        scaling, lambda: scaling_page(scaling, language), form, language, width=width, is_coloured=is_coloured
    )


def problem_sentences(scaling: Scaling, language: Language) -> Iterator[str]:
    """Yield what went wrong or was left out, each once."""
    yield from dict.fromkeys(_problem(one, scaling, language) for one in scaling.problems)


def _problem(problem: ScalingProblem, scaling: Scaling, language: Language) -> str:
    _ = language.gettext
    node = _("one of them") if problem.node is None else _name(scaling, problem.node, language)
    said = _OWN_CLOCK if (problem.kind, problem.node) == ("clock", None) else _PROBLEMS[problem.kind]
    text = _(said).format(node=node, detail=problem.detail, usual=scaling.torch_version).rstrip()
    return text[:1].upper() + text[1:]


def _name(scaling: Scaling, node: int, language: Language) -> str:
    """Return what a computer is called; one without a label by its place."""
    name = scaling.nodes[node].name
    return language.gettext("node {number}").format(number=node + 1) if name == f"node {node + 1}" else name


def _question(scaling: Scaling, language: Language) -> str:
    devices = language.ngettext("{n} device", "{n} devices", len(scaling.ranks))
    nodes = language.ngettext("{n} computer", "{n} computers", len(scaling.nodes))
    return language.gettext("What do they reach together? {devices} in {nodes}.").format(
        devices=devices.format(n=language.number(len(scaling.ranks))),
        nodes=nodes.format(n=language.number(len(scaling.nodes))),
    )


def _verdict(scaling: Scaling, language: Language) -> str:
    _ = language.gettext
    done = [level for level in scaling.levels if level.steps]
    if not done:
        return _("No step of training could be measured together.")
    level = done[-1]
    most = max(step.speedup for step in level.steps)
    best, worst = (language.significant(ends(step.speedup for step in level.steps)) for ends in (max, min))
    if most < 1:
        text = _("{n} devices train no faster than one: {times} times as fast. The link is the limit.")
    elif best == worst:
        text = _("{n} devices train {times} times as fast as one.")
    else:
        text = _("{n} devices train {times} times as fast as one, depending on the network.")
    times = best if best == worst else _("{low} to {high}").format(low=worst, high=best)
    return text.format(n=language.number(level.ranks), times=times)


def _lead(scaling: Scaling, language: Language) -> Iterator[str]:
    _ = language.gettext
    for level in scaling.levels[-1:]:
        if level.link is not None:
            text = _("A message between {n} devices takes {latency}, and each sends {rate}.")
            yield text.format(
                n=language.number(level.ranks),
                latency=quantities.exact_seconds(max(level.link.latency_s, 1e-9), language),
                rate=_rate(level.link.bytes_per_s, language),
            )
    for rank in scaling.ranks:
        if rank.is_slow:
            text = _(
                "{node} computes more slowly than the others ({device}): look for heat, power limits, other programs."
            )
            yield text.format(node=_name(scaling, rank.node, language), device=rank.device)
    unseen = _unseen_ratio(scaling)
    if unseen > _DISTURBED_RATIO:
        text = _("Other programs disturbed the measuring: a device that takes up to {percent} longer is not named.")
        yield text.format(percent=language.percent(unseen - 1))
    for index, node in enumerate(scaling.nodes):
        if node.has_slow_link:
            text = _("The link of {node} carries less than the others: look at its cable, port and network card.")
            yield text.format(node=_name(scaling, index, language))
    for pair in scaling.pairs:
        if pair.is_slow:
            first, second = (_name(scaling, index, language) for index in pair.nodes)
            text = _("The link between {first} and {second} carries less than their other links.")
            yield text.format(first=first, second=second)


def _unseen_ratio(scaling: Scaling) -> float:
    """Return by how much a device must lie above its equals to be named: as what disturbs makes all of them vary."""
    known = [(one.pace_s, one.pace_low_s) for one in scaling.ranks if one.pace_s and one.pace_low_s]
    if len(known) < 2:
        return 1.0
    return statistics.median(usual for usual, _ in known) / statistics.median(low for _, low in known)


def _sections(scaling: Scaling, language: Language) -> Iterator[Section]:
    _ = language.gettext
    yield Section("steps", _("Steps of training together"), tuple(_steps(scaling, language)))
    yield Section("devices", _("Each by itself"), tuple(_paces(scaling, language)))
    yield Section("pairs", _("Between two computers"), tuple(_pairs(scaling, language)))
    yield Section("messages", _("Messages by size"), tuple(_levels(scaling, language)))
    if not scaling.torch_version:  # nothing was measured that would have to be explained
        return
    text = _(
        "Alone is a step in which nothing is exchanged, on all devices at once; together, one in which the "
        "gradients are averaged (DistributedDataParallel). Hidden is the share of the exchange that goes on while"
        " the devices compute. The rate of a message is that of the slowest link it needs, so you can compare it "
        "with what the network is sold as. Messages went by {backend}, PyTorch {torch}; it took {time}."
    )
    said = text.format(
        backend=scaling.backend,
        torch=scaling.torch_version,
        time=quantities.duration(max(scaling.wall_s, 1.0), language),
    )
    yield Section("reading", _("How to read this"), (Paragraph(said),))


def _steps(scaling: Scaling, language: Language) -> Iterator[Block]:
    _ = language.gettext
    rows = [_step_row(level, step, language) for level in scaling.levels for step in level.steps]
    if rows:
        header = (
            _("Devices"),
            _("Network"),
            _("Batch of each"),
            _("Alone"),
            language.pgettext("devices", "Together"),
            _("Hidden"),
            _("Times as fast"),
        )
        yield Table(header, tuple(rows), numeric=frozenset({0, 2, 3, 4, 5, 6}), minor=frozenset({2}))


def _step_row(level: ScalingLevel, step: ScalingStep, language: Language) -> tuple[str, ...]:
    return (
        language.number(level.ranks),
        step.network,
        language.number(step.batch_size),
        quantities.exact_seconds(step.alone_s, language),
        quantities.exact_seconds(step.together_s, language),
        "" if step.hidden_ratio is None else language.percent(step.hidden_ratio),
        language.significant(step.speedup),
    )


def _paces(scaling: Scaling, language: Language) -> Iterator[Block]:
    _ = language.gettext
    known = [rank for rank in scaling.ranks if rank.pace_s is not None]
    rows = tuple(
        (
            _name(scaling, rank.node, language),
            rank.title or rank.device,
            quantities.exact_seconds(rank.pace_s or 0.0, language),
            _("slow") if rank.is_slow else "",
        )
        for rank in known
    )
    if rows:
        header = (_("Computer"), _("Device"), _("One matrix product"), _("Seen"))
        yield Table(header, rows, numeric=frozenset({2})).without_empty()


def _pairs(scaling: Scaling, language: Language) -> Iterator[Block]:
    _ = language.gettext
    rows = tuple(
        (
            *(_name(scaling, index, language) for index in pair.nodes),
            quantities.exact_seconds(pair.latency_s, language),
            _rate(pair.bytes_per_s, language),
            _("slow") if pair.is_slow or any(scaling.nodes[i].has_slow_link for i in pair.nodes) else "",
        )
        for pair in scaling.pairs
    )
    if rows:
        header = (_("From"), _("To"), _("Latency"), _("Rate"), _("Seen"))
        yield Table(header, rows, numeric=frozenset({2, 3})).without_empty()


def _levels(scaling: Scaling, language: Language) -> Iterator[Block]:
    _ = language.gettext
    rows = [row for level in scaling.levels for row in _short_rows(level, language)]
    if rows:
        header = (_("Devices"), _("Operation"), _("Shortest message"), _("Rate of the longest"))
        yield Table(header, tuple(rows), numeric=frozenset({0, 2, 3}))
    for level in scaling.levels:
        devices = language.ngettext("{n} device", "{n} devices", level.ranks).format(n=language.number(level.ranks))
        every = tuple(_timing_row(one, language) for one in level.timings)
        if every:
            header = (_("Operation"), _("Size"), _("Time"), _("Rate"))
            yield Fold(devices, Table(header, every, numeric=frozenset({1, 2, 3})))
        if level.missing:
            names = ", ".join(_(OPERATIONS.get(name, name)) for name in level.missing)
            yield Bullets((Item(_("{backend} has no {names}.").format(backend=scaling.backend, names=names)),))


def _short_rows(level: ScalingLevel, language: Language) -> Iterator[tuple[str, ...]]:
    by_operation: dict[str, list[ScalingTiming]] = {}
    for timing in level.timings:
        by_operation.setdefault(timing.operation, []).append(timing)
    for operation, timings in by_operation.items():
        yield (
            language.number(level.ranks),
            language.gettext(OPERATIONS.get(operation, operation)),
            quantities.exact_seconds(timings[0].median_s, language),
            _rate(timings[-1].bus_bytes_per_s, language),
        )


def _timing_row(timing: ScalingTiming, language: Language) -> tuple[str, ...]:
    return (
        language.gettext(OPERATIONS.get(timing.operation, timing.operation)),
        _size(timing.size_bytes, language),
        quantities.exact_seconds(timing.median_s, language),
        _rate(timing.bus_bytes_per_s, language),
    )


def _size(size_bytes: int, language: Language) -> str:
    if size_bytes >= 2**20:
        return f"{language.number(size_bytes / 2**20)}\N{NO-BREAK SPACE}MiB"
    return f"{language.number(size_bytes / 2**10)}\N{NO-BREAK SPACE}KiB"


def _rate(bytes_per_s: float, language: Language) -> str:
    """Return a rate as networks are sold: in bits, thousand-fold."""
    bits = 8 * bytes_per_s
    if bits >= 1e9:
        return f"{language.significant(bits / 1e9, 3)}\N{NO-BREAK SPACE}Gbit/s"
    return f"{language.significant(bits / 1e6, 3)}\N{NO-BREAK SPACE}Mbit/s"
