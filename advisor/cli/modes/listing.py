"""``advisor --list``: what this program knows, as a plain table or as JSON."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import msgspec

from advisor.catalog import computers, devices, find_workload, language_jobs, network_names, offers, presets
from advisor.catalog.workloads import LANGUAGE_JOBS
from advisor.locale import N_, Language
from advisor.records.base import Record
from advisor.units import GB, GIB, TERA

Row = tuple[str, ...]
T = TypeVar("T")


class Listing(NamedTuple):
    """The records of a list (for JSON), and the same as a table for people, with what is to be said below it."""

    records: Sequence[Record]
    heading: Row
    rows: Sequence[Row]
    note: str = ""


class NamedNetwork(Record, frozen=True, kw_only=True):
    """A network that is no preset but can be named as a workload."""

    id: str


def listing(kind: str, language: Language, *, as_json: bool) -> str:
    """Return the list of one kind: workloads, models, devices, computers, offers, cases or rules."""
    found = _LISTS[kind](language)
    if as_json:
        return msgspec.json.format(msgspec.json.encode(list(found.records)), indent=2).decode()
    return "\n\n".join(filter(None, (table(found.heading, found.rows), found.note)))


def table(heading: Row, rows: Sequence[Row]) -> str:
    """Return rows in aligned columns under a heading, without trailing blanks."""
    widths = [max(len(row[column]) for row in [heading, *rows]) for column in range(len(heading))]
    lines = [heading, tuple("-" * width for width in widths), *rows]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def _workloads(language: Language) -> Listing:
    from advisor.catalog.language.jobs import serving_jobs

    _ = language.gettext
    known = presets()
    ids = {preset.workload.id for preset in known}
    bare = [NamedNetwork(id=name) for name in network_names() if name not in ids]
    language_models = [find_workload(name) for name in language_jobs()]
    rows: list[Row] = [
        (p.workload.id, p.workload.network, p.titles.get(language.code, p.workload.title)) for p in known
    ]
    rows += [(network.id, network.id, _("a network with default settings")) for network in bare]
    rows += [(p.workload.id, p.workload.network, _(_LANGUAGE_METHODS[p.workload.method])) for p in language_models]
    served = [one.question for one in serving_jobs()]
    rows += [(one.id, one.model, one.titles.get(language.code, one.id)) for one in served]
    note = _("Every model of advisor --list models can be trained, too: qwen2.5_7b, or qwen2.5_7b_{endings}.")
    return Listing(
        [*known, *bare, *language_models, *served],
        (_("Name"), _("Network"), _("What it is")),
        rows,
        note.format(endings=", _".join(LANGUAGE_JOBS)),
    )


_LANGUAGE_METHODS = {
    "scratch": N_("a language model from scratch"),
    "full": N_("full fine-tuning of a language model"),
    "lora": N_("LoRA on a language model"),
    "qlora": N_("QLoRA on a language model"),
}


def _models(language: Language) -> Listing:
    from advisor.catalog.language import language_models
    from advisor.report.documents.serving import model_rows, models_heading

    return Listing(language_models(), models_heading(language), model_rows(language_models(), language))


def _devices(language: Language) -> Listing:
    _ = language.gettext
    rows = []
    for device in devices():
        peaks = device.peak_flop_per_s
        half = max(peaks.get("fp16", 0.0), peaks.get("bf16", 0.0)) or None
        rows.append(
            (
                device.name,
                _or_blank(device.memory_bytes, lambda v: f"{language.number(v / GIB, 1)} GB"),
                _or_blank(device.bandwidth_bytes_per_s, lambda v: f"{language.number(v / GB)} GB/s"),
                _or_blank(peaks.get("fp32"), lambda v: f"{language.number(v / TERA, 1)} TFLOP/s"),
                _or_blank(half, lambda v: f"{language.number(v / TERA, 1)} TFLOP/s"),
                _or_blank(device.power_w, lambda v: f"{language.number(v)} W"),
                _or_blank(device.price_usd, lambda v: language.money(v, "USD")),
            )
        )
    heading = (_("Name"), _("Memory"), _("Bandwidth"), "fp32", _("16-bit"), _("Power"), _("Price"))
    return Listing(devices(), heading, rows)


def _computers(language: Language) -> Listing:
    _ = language.gettext
    rows = [
        (
            one.name,
            one.device.name,
            _or_blank(one.device.memory_bytes, lambda v: f"{language.number(v / GIB)} GB"),
            f"{language.number(one.socket_w)} W",
            language.money(one.price_usd, "USD"),
            one.price_as_of,
        )
        for one in computers()
    ]
    heading = (_("Name"), _("Devices"), _("Memory"), _("Power"), _("Price"), _("Price of"))
    return Listing(computers(), heading, rows)


def _offers(language: Language) -> Listing:
    _ = language.gettext
    rows = [
        (
            offer.provider,
            offer.instance,
            offer.region,
            f"{offer.device_count} × {offer.device or offer.device_name}",
            language.money(offer.price_usd_per_h, "USD"),
            _("interruptible") if offer.spot else "",
            offer.as_of,
        )
        for offer in offers()
    ]
    heading = (_("Provider"), _("Machine"), _("Region"), _("Devices"), _("Price per hour"), "", _("Price of"))
    return Listing(offers(), heading, rows)


def _cases(language: Language) -> Listing:
    from advisor.benchmark.planning.suite_plan import suite_cases
    from advisor.report.words.cases import case_title

    _ = language.gettext
    cases = suite_cases()
    rows = [(case.id, case_title(case, language)) for case in cases]
    return Listing(cases, (_("Name"), _("What it measures")), rows)


def _rules(language: Language) -> Listing:
    from advisor.recommend.rules import load_rules

    _ = language.gettext
    rules = load_rules()
    rows = [
        (
            rule.id,
            rule.title.get(language.code, ""),
            _("assumed by this program")
            if rule.sets
            else f"{rule.source.title} ({rule.source.author}, {rule.source.date})",
        )
        for rule in rules
    ]
    return Listing(rules, (_("Name"), _("What it says"), _("Source")), rows)


def _or_blank(value: T | None, form: Callable[[T], str]) -> str:
    return "" if value is None else form(value)


_LISTS: dict[str, Callable[[Language], Listing]] = {
    "workloads": _workloads,
    "models": _models,
    "devices": _devices,
    "computers": _computers,
    "offers": _offers,
    "cases": _cases,
    "rules": _rules,
}
