"""What was detected, how, with which command to check it, and what is missing and why, as text for a terminal or forum.

Holds nothing personal, because the record of the machine holds nothing personal.
"""

import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from advisor.card_matching import spelled_cards
from advisor.locale import N_, Language
from advisor.records.base import Evidence, Gap
from advisor.records.hardware.machine import Accelerator, Framework, Host, Machine
from advisor.report.words import quantities
from advisor.report.words.labels import field_phrase, isolation_phrase, users_phrase
from advisor.report.words.own_data import DISKS
from advisor.report.words.problems import (
    GAP_REASONS,
    MISMATCHES,
    mending_command,
    mismatch_sentence,
    pack_sentence,
    remedy_sentence,
)

_FORMS = {"laptop": N_("laptop"), "desktop": N_("desktop"), "server": N_("server"), "unknown": N_("unknown")}
_KINDS = {
    "discrete": N_("graphics card"),
    "integrated": N_("graphics inside the processor"),
    "virtual": N_("adapter that only draws a screen"),
    "datacenter": N_("data centre card"),
    "tpu": N_("tensor processor"),
}
_LABELS = {
    "host.os_version": N_("System"),
    "host.memory.total_bytes": N_("Memory (RAM)"),
    "host.memory.available_bytes": N_("Free main memory"),
    "host.memory.limit_bytes": N_("Memory this program may use"),
    "host.cpu.vendor": N_("Maker"),
    "host.cpu.architecture": N_("Architecture"),
    "host.cpu.logical_cores": N_("Threads of the processor"),
    "host.disk.kind": N_("Disk"),
    "framework.built_for": N_("PyTorch was built for"),
    "is_asleep": N_("State"),
    "architecture": N_("Architecture of the card"),
    "is_overridden": N_("Set by hand"),
}
PHRASES = (
    # what the probe writes in words; everything else it writes is the name of a file, a function or a command
    N_("set by hand"),
    N_("catalogue of devices"),
    N_("PCI device id"),
    N_("PCI device id and revision"),
    N_("PCI device id, hwmon in1_label"),
    N_("display driver"),
    N_("card name"),
    N_("compute capability"),
    N_("integrated graphics"),
    N_("draws a screen, computes nothing"),
    N_("torch is built for Apple's own chips only since version 2.3"),
    N_("not given"),
    N_("no card to train on"),
    N_("no kernel driver in charge"),
    N_("statvfs of the working folder"),
    N_("torch in the worker"),
    N_("/proc/meminfo MemAvailable and control groups"),
    N_("/proc/cpuinfo cpu MHz (time stamp counter)"),
    N_("psutil.sensors_battery(): no battery"),
    N_("/sys/class/power_supply: no battery"),
    N_("/sys/class/dmi/id/chassis_type, battery"),
    N_("free space of the working folder's disk"),
    N_("processor affinity"),
    N_("the driver shows no file for it"),
    N_("the system tells the nominal clock only"),
    N_("needs torch_xla or JAX"),
    N_("Apple does not tell the clock of its chips"),
    N_("Apple's chips share the main memory"),
    N_("macOS reports it to administrators only (powermetrics)"),
    N_("MIG is on, no instance can be used"),
    N_("Jetson without NVML"),
    N_("process numbers are the host's"),
)


class _Fact(NamedTuple):
    """One line: the record's field and its value in words, None where it is missing."""

    field: str
    value: str | None


def doctor_text(machine: Machine, language: Language) -> str:
    """Return every fact with how it was read and how to check it, and every gap with its reason and remedy."""
    _ = language.gettext
    blocks = [_("What was found in this computer")]
    sections = [
        (_("Computer"), _host_facts(machine.host, language)),
        (_("Processor"), _cpu_facts(machine.host, language)),
        (_("Memory and disk"), _memory_facts(machine.host, language)),
    ]
    for index, card in enumerate(machine.accelerators):
        title = _("Accelerator {index}: {name}").format(index=index, name=card.name)
        sections.append((title, _card_facts(card, f"accelerators.{index}", language)))
    sections.append((_("PyTorch"), _framework_facts(machine.framework, language)))
    blocks += [_section(title, facts, machine.evidence, language) for title, facts in sections]
    if not machine.accelerators:
        blocks.insert(-1, _("No graphics card or other accelerator was found."))
    if machine.framework.mismatch:
        blocks.append(_mending(machine, language))
    blocks.append(_missing(machine.gaps, language))
    blocks.append(_("Nothing here identifies you or your computer; you can paste it anywhere."))
    return "\n\n".join(block for block in blocks if block) + "\n"


def _section(title: str, facts: Iterator[_Fact], evidence: tuple[Evidence, ...], language: Language) -> str:
    notes = {note.field: note for note in evidence}
    lines = [title, "-" * len(title)]
    for fact in facts:
        if fact.value is None:
            continue
        label = _label(fact.field, language)
        lines.append(f"{label}: {fact.value}")
        note = _note(fact.field, notes)
        if note is not None:
            lines.append(f"    {_how(note, language)}")
    return "\n".join(lines) if len(lines) > 2 else ""


def _label(field: str, language: Language) -> str:
    text = _LABELS.get(field) or _LABELS.get(field.rpartition(".")[2])
    return language.gettext(text) if text else field_phrase(field, language)


def _note(field: str, notes: dict[str, Evidence]) -> Evidence | None:
    """Return the evidence of a field, or of the whole it is part of."""
    while field:
        if field in notes:
            return notes[field]
        field = field.rpartition(".")[0]
    return None


def _how(note: Evidence, language: Language) -> str:
    _ = language.gettext
    text = _("because of: {how}") if note.field.endswith(".trains") else _("read from: {how}")
    read = text.format(how=_(note.how))
    return read + "   " + _("check: {command}").format(command=note.check) if note.check else read


def _host_facts(host: Host, language: Language) -> Iterator[_Fact]:
    _ = language.gettext
    yield _Fact("host.os_version", f"{host.os_name}, {host.os_version}" if host.os_version else host.os_name)
    yield _Fact("host.form_factor", _(_FORMS[host.form_factor]) if host.form_factor != "unknown" else None)
    yield _Fact("host.isolation", isolation_phrase(host, language))
    if host.battery is not None:
        charge, plugged = host.battery.charge_ratio, host.battery.is_plugged_in
        parts = [
            language.percent(charge) if charge is not None else "",
            {True: _("plugged in"), False: _("running on battery"), None: ""}[plugged],
        ]
        yield _Fact("host.battery", ", ".join(part for part in parts if part) or _("present"))


def _cpu_facts(host: Host, language: Language) -> Iterator[_Fact]:
    cpu = host.cpu
    caches = (f"{level} {_cache(size, language)}" for level, size in cpu.caches_bytes.items())
    yield _Fact("host.cpu.name", cpu.name)
    yield _Fact("host.cpu.vendor", cpu.vendor)
    yield _Fact("host.cpu.architecture", cpu.architecture)
    yield _Fact("host.cpu.physical_cores", None if cpu.physical_cores is None else str(cpu.physical_cores))
    yield _Fact("host.cpu.logical_cores", str(cpu.logical_cores))
    yield _Fact("host.cpu.usable_cores", language.number(cpu.usable_cores, 2))
    yield _Fact("host.cpu.base_frequency_hz", _frequency(cpu.base_frequency_hz, language))
    yield _Fact("host.cpu.max_frequency_hz", _frequency(cpu.max_frequency_hz, language))
    yield _Fact("host.cpu.caches_bytes", ", ".join(caches) or None)
    yield _Fact("host.cpu.instruction_sets", ", ".join(cpu.instruction_sets) or language.gettext("none of them"))


def _memory_facts(host: Host, language: Language) -> Iterator[_Fact]:
    memory, disk = host.memory, host.disk
    yield _Fact("host.memory.total_bytes", _bytes(memory.total_bytes, language))
    yield _Fact("host.memory.available_bytes", _bytes(memory.available_bytes, language))
    yield _Fact("host.memory.limit_bytes", _bytes(memory.limit_bytes, language))
    yield _Fact("host.disk.kind", language.gettext(DISKS[disk.kind]) if disk.kind else None)
    yield _Fact("host.disk.free_bytes", _bytes(disk.free_bytes, language))


def _card_facts(card: Accelerator, field: str, language: Language) -> Iterator[_Fact]:
    _ = language.gettext
    yield _Fact(f"{field}.name", card.name)
    yield _Fact(f"{field}.kind", _(_KINDS[card.kind]))
    yield _Fact(f"{field}.trains", _yes_no(card.trains, language))
    if card.is_overridden:
        yield _Fact(f"{field}.is_overridden", _("yes"))
    if card.is_asleep:
        yield _Fact(f"{field}.is_asleep", _("asleep; it was not woken"))
    shared = _("shares the main memory")
    own = _bytes(card.memory_bytes, language)
    yield _Fact(f"{field}.memory_bytes", f"{own} ({shared})" if own and card.unified_memory else own)
    if own is None and card.unified_memory:
        yield _Fact(f"{field}.unified_memory", _("yes"))
    yield _Fact(f"{field}.memory_used_bytes", _bytes(card.memory_used_bytes, language))
    yield _Fact(f"{field}.used_by", users_phrase(card, language))
    yield _Fact(f"{field}.driver_version", card.driver_version)
    yield _Fact(f"{field}.compute_api_version", card.compute_api_version)
    yield _Fact(f"{field}.compute_capability", card.compute_capability)
    yield _Fact(f"{field}.architecture", card.architecture)
    yield _Fact(f"{field}.pci_id", card.pci_id)
    yield _Fact(f"{field}.pcie", _link(card, language))
    watts = card.power_limit_w
    yield _Fact(f"{field}.power_limit_w", None if watts is None else f"{language.number(watts)}\N{NO-BREAK SPACE}W")
    yield _Fact(f"{field}.ecc_enabled", _on_off(card.ecc_enabled, language))
    yield _Fact(f"{field}.mig_enabled", _on_off(card.mig_enabled, language))


def _framework_facts(framework: Framework, language: Language) -> Iterator[_Fact]:
    _ = language.gettext
    if framework.version is None:
        yield _Fact("framework.version", None)
        return
    build = " ".join(part for part in (framework.built_for, framework.built_for_version) if part)
    yield _Fact("framework.version", f"{framework.name} {framework.version}")
    yield _Fact("framework.built_for", build or None)
    yield _Fact("framework.architectures", ", ".join(framework.architectures) or None)
    yield _Fact("framework.visible_devices", spelled_cards(framework) or None)


def _missing(gaps: tuple[Gap, ...], language: Language) -> str:
    """Return the gaps; those of one card with the same reason stand together."""
    _ = language.gettext
    if not gaps:
        return ""
    groups: dict[tuple[str, str, str, str | None], list[Gap]] = {}
    for gap in gaps:
        owner = ".".join(gap.field.split(".")[:2]) if gap.field.startswith("accelerators.") else gap.field
        groups.setdefault((owner, gap.reason, gap.detail, gap.remedy), []).append(gap)
    title = _("What is missing, and why")
    lines = [title, "-" * len(title)]
    for (owner, _code, detail, remedy), members in groups.items():
        names = ", ".join(dict.fromkeys(_label(gap.field, language) for gap in members))
        if owner.startswith("accelerators.") and not names.startswith(_("Accelerator {index}").format(index="")):
            names = _("Accelerator {index}").format(index=owner.partition(".")[2]) + f" – {names}"
        lines.append(_wrapped(f"{names}: {_reason(members[0], language)}", "", "  "))
        if detail:
            lines.append("    " + _("details: {detail}").format(detail=_(detail)))
        sentence = remedy_sentence(remedy, language)
        if sentence:
            lines.append(_wrapped(_("remedy: {remedy}").format(remedy=sentence), "    ", "      "))
    return "\n".join(lines)


def _reason(gap: Gap, language: Language) -> str:
    """Return why something is missing; of a torch that does not suit a card, why it does not."""
    if gap.field.endswith(".framework") and gap.remedy in MISMATCHES:
        return language.gettext(MISMATCHES[gap.remedy])
    return language.gettext(GAP_REASONS[gap.reason])


def _mending(machine: Machine, language: Language) -> str:
    """Return why torch cannot use the card, and what to type to fix it."""
    lines = [_wrapped(mismatch_sentence(machine.framework.mismatch or "", language), "! ", "  ")]
    command = mending_command(machine)
    if command:
        lines += [f"  {command}", _wrapped(pack_sentence(language), "  ", "  ")]
    return "\n".join(lines)


def _wrapped(text: str, mark: str, indent: str) -> str:
    return textwrap.fill(
        text, 100, initial_indent=mark, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _bytes(size_bytes: int | None, language: Language) -> str | None:
    """Return an amount as people say it and, to compare with other programs, exactly."""
    if size_bytes is None:
        return None
    exact = language.gettext("{n} bytes").format(n=language.number(size_bytes))
    return f"{quantities.memory(size_bytes, language)} ({exact})"


def _cache(size_bytes: int, language: Language) -> str:
    if size_bytes >= 1024**2:
        return f"{language.number(size_bytes / 1024**2, 1)}\N{NO-BREAK SPACE}MB"
    return f"{language.number(size_bytes / 1024, 1)}\N{NO-BREAK SPACE}kB"


def _frequency(rate_hz: float | None, language: Language) -> str | None:
    return None if rate_hz is None else f"{language.number(rate_hz / 1e9, 2)}\N{NO-BREAK SPACE}GHz"


def _link(card: Accelerator, language: Language) -> str | None:
    if card.pcie is None:
        return None
    now = _lanes(card.pcie.generation, card.pcie.width)
    most = _lanes(card.pcie.max_generation, card.pcie.max_width)
    if now == most or not most:
        return now or None
    return language.gettext("{now} now, at most {most}").format(now=now, most=most)


def _lanes(generation: int | None, width: int | None) -> str:
    speed = f"PCI Express {generation}.0" if generation else "PCI Express"
    return f"{speed} x{width}" if width else speed if generation else ""


def _yes_no(value: bool, language: Language) -> str:
    return language.gettext("yes") if value else language.gettext("no")


def _on_off(value: bool | None, language: Language) -> str | None:
    return None if value is None else language.gettext("on") if value else language.gettext("off")
