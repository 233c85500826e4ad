"""This computer in words: one line for the first screen, and every fact with how it was read."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from advisor.card_matching import spelled_cards
from advisor.gui.models.computer_judgement import CARD, MEMORY, PROCESSOR
from advisor.locale import Language
from advisor.records.base import Evidence, Gap
from advisor.records.hardware.machine import Accelerator, Host, Machine
from advisor.report.provenance.record import Provenance
from advisor.report.words.labels import isolation_phrase, users_phrase
from advisor.units import GIB


@dataclass(frozen=True, kw_only=True)
class FactRow:
    """One fact.

    Attributes:
        name: What it is.
        value: In units people know; where it is unknown, why.
        how: What was read.
        check: A command that shows the same.
        is_gap: Whether the fact is missing.
    """

    name: str
    value: str
    how: str = ""
    check: str = ""
    is_gap: bool = False


@dataclass(frozen=True, kw_only=True)
class FactGroup:
    """Facts that belong together.

    Attributes:
        part: Which part of the computer they are of, as ``judgement`` names it; empty: none that is judged.
    """

    title: str
    rows: tuple[FactRow, ...]
    part: str = ""


def of_fact(row: FactRow, language: Language) -> Provenance:
    """Return where a fact about this computer comes from."""
    _ = language.gettext
    return Provenance(
        title=row.name, value=row.value, basis=_("read from this computer"), method=row.how, check=row.check
    )


def memory_text(amount_bytes: float, language: Language) -> str:
    """Return an amount of memory in GB as memory is sold (binary), with at most one decimal below 10."""
    amount_gib = amount_bytes / GIB
    return f"{language.number(amount_gib, 0 if amount_gib >= 9.5 else 1)}\N{NO-BREAK SPACE}GB"


def rounded_memory(amount_bytes: float) -> float:
    """Return the size memory was sold as: firmware keeps a little of it, so 15.6 GiB were bought as 16."""
    amount_gib = amount_bytes / GIB
    sold_gib = next((size for size in _SOLD_GIB if size * 0.93 <= amount_gib <= size), amount_gib)
    return sold_gib * GIB


_SOLD_GIB = (
    1,
    2,
    3,
    4,
    6,
    8,
    10,
    11,
    12,
    16,
    20,
    24,
    32,
    40,
    48,
    64,
    80,
    94,
    96,
    128,
    141,
    192,
    256,
    384,
    512,
    768,
    1024,
)


def one_line(machine: Machine, language: Language) -> str:
    """Return the computer in one line: processor, cores, memory, graphics card."""
    _ = language.gettext
    cpu = machine.host.cpu
    cores = cpu.physical_cores or cpu.logical_cores
    parts = [
        short_cpu_name(cpu.name),
        language.ngettext("{n} core", "{n} cores", cores).format(n=cores),
        memory_text(rounded_memory(machine.host.memory.total_bytes), language),
    ]
    cards = [accelerator for accelerator in machine.accelerators if accelerator.trains]
    parts.append(_cards_text(cards, language) if cards else _("no graphics card to train on"))
    return " · ".join(parts)


def _cards_text(cards: list[Accelerator], language: Language) -> str:
    card = cards[0]
    text = card.name.removeprefix("NVIDIA ").strip()
    if card.memory_bytes is not None and "GB" not in text:
        text = f"{text} {memory_text(rounded_memory(card.memory_bytes), language)}"
    if len(cards) > 1:
        text = (
            f"{len(cards)} × {text}"
            if all(other.name == card.name for other in cards)
            else f"{text} + {len(cards) - 1}"
        )
    if card.is_asleep:
        text = language.gettext("{card} (asleep)").format(card=text)
    return text


def short_cpu_name(name: str) -> str:
    """Return a processor's name without marks, clock and padding."""
    return " ".join(_NOISE.sub(" ", name.partition("@")[0]).split())


_NOISE = re.compile(r"\((R|TM)\)|\bCPU\b|\b\d+-Core\b|\bProcessor\b", re.IGNORECASE)


def fact_groups(machine: Machine, language: Language) -> tuple[FactGroup, ...]:
    """Return every fact of the probe in groups, gaps among them; first the parts that decide how fast it trains."""
    _ = language.gettext
    book = _Book(machine, language)
    groups = [FactGroup(title=_("Processor"), rows=tuple(_cpu_rows(book)), part=PROCESSOR)]
    for position, accelerator in enumerate(machine.accelerators):
        part = CARD if accelerator.trains and not any(group.part == CARD for group in groups) else ""
        rows = tuple(_accelerator_rows(book, accelerator, position))
        groups.append(FactGroup(title=accelerator.name, rows=rows, part=part))
    if not machine.accelerators:
        rows = tuple(_rows(book.row("accelerators", _("Name"), None)))
        groups.append(FactGroup(title=_("Graphics card"), rows=rows, part=CARD))
    groups += [
        FactGroup(title=_("Memory and disk"), rows=tuple(_memory_rows(book)), part=MEMORY),
        FactGroup(title=_("System"), rows=tuple(_host_rows(book))),
        FactGroup(title=_("Measuring software"), rows=tuple(_framework_rows(book))),
    ]
    rest = tuple(book.unused_gaps())
    if rest:
        groups.append(FactGroup(title=_("What we couldn't detect"), rows=rest))
    return tuple(group for group in groups if group.rows)


class _Book:
    """Looks up how a field was read, or why it is missing, and keeps count of the gaps shown."""

    def __init__(self, machine: Machine, language: Language) -> None:
        self.machine = machine
        self.language = language
        self._evidence = {evidence.field: evidence for evidence in machine.evidence}
        self._gaps = {gap.field: gap for gap in machine.gaps}
        self._shown: set[str] = set()

    def row(self, field: str, name: str, value: str | None) -> FactRow | None:
        """Return the row of one field; None where neither a value nor a reason is known."""
        evidence = self._evidence_for(field)
        if value is not None:
            how = self.language.gettext(evidence.how) if evidence and evidence.how else ""
            return FactRow(name=name, value=value, how=how, check=evidence.check if evidence else "")
        gap = self._gaps.get(field)
        if gap is None:
            return None
        self._shown.add(field)
        return self._gap_row(name, gap)

    def unused_gaps(self) -> Iterator[FactRow]:
        """Yield the gaps no other row has shown."""
        for field, gap in self._gaps.items():
            if field not in self._shown:
                from advisor.report.words.labels import field_phrase

                yield self._gap_row(field_phrase(field, self.language), gap)

    def _gap_row(self, name: str, gap: Gap) -> FactRow:
        reason = gap_reason(gap, self.language)
        if gap.field == "accelerators" and gap.reason == "not_found" and not gap.remedy:
            reason = self.language.gettext("none found")  # a card is not a value that could not be read
        text = (
            reason
            if gap.reason in {"not_applicable", "not_found"}
            else self.language.gettext("not known: {reason}").format(reason=reason)
        )
        return FactRow(name=name, value=text, is_gap=True)

    def _evidence_for(self, field: str) -> Evidence | None:
        while field:
            if field in self._evidence:
                return self._evidence[field]
            field = field.rpartition(".")[0]
        return None


def gap_reason(gap: Gap, language: Language) -> str:
    """Return why something is not available, in plain words, and what helps."""
    from advisor.report.words.problems import GAP_REASONS, remedy_sentence

    reason = language.gettext(GAP_REASONS[gap.reason])
    remedy = remedy_sentence(gap.remedy, language)
    return f"{reason}. {remedy}" if remedy else reason


def _rows(*rows: FactRow | None) -> Iterator[FactRow]:
    return (row for row in rows if row is not None)


def _host_rows(book: _Book) -> Iterator[FactRow]:
    _ = book.language.gettext
    host = book.machine.host
    kinds = {"laptop": _("laptop"), "desktop": _("desktop"), "server": _("server"), "unknown": None}
    isolation = None if host.isolation == "none" else isolation_phrase(host, book.language)
    return _rows(
        book.row("host.os_name", _("System"), _system_text(host)),
        book.row("host.form_factor", _("Kind"), kinds[host.form_factor]),
        book.row("host.isolation", _("Environment"), isolation),
        book.row("host.battery", _("Battery"), _battery_text(book)),
    )


def _system_text(host: Host) -> str:
    """Return system and version; the name once."""
    return host.os_version if host.os_name in host.os_version else f"{host.os_name} {host.os_version}".strip()


def _battery_text(book: _Book) -> str | None:
    _ = book.language.gettext
    battery = book.machine.host.battery
    if battery is None:
        return None
    charge = book.language.percent(battery.charge_ratio) if battery.charge_ratio is not None else ""
    power = {True: _("plugged in"), False: _("on battery"), None: ""}[battery.is_plugged_in]
    return ", ".join(part for part in (charge, power) if part) or None


def _cpu_rows(book: _Book) -> Iterator[FactRow]:
    _ = book.language.gettext
    cpu, language = book.machine.host.cpu, book.language
    cores = None if cpu.physical_cores is None else language.number(cpu.physical_cores)
    clock = cpu.max_frequency_hz or cpu.base_frequency_hz
    caches = ", ".join(f"{level} {_cache_text(size, language)}" for level, size in cpu.caches_bytes.items())
    usable = None if cpu.usable_cores >= cpu.logical_cores else language.number(cpu.usable_cores, 1)
    return _rows(
        book.row("host.cpu.name", _("Name"), short_cpu_name(cpu.name)),
        book.row("host.cpu.physical_cores", _("Cores"), cores),
        book.row("host.cpu.logical_cores", _("Threads"), language.number(cpu.logical_cores)),
        book.row("host.cpu.usable_cores", _("Threads this program may use"), usable),
        book.row(
            "host.cpu.max_frequency_hz" if cpu.max_frequency_hz else "host.cpu.base_frequency_hz",
            _("Highest clock") if cpu.max_frequency_hz else _("Clock"),
            None if clock is None else f"{language.number(clock / 1e9, 2)}\N{NO-BREAK SPACE}GHz",
        ),
        book.row("host.cpu.caches_bytes", _("Caches"), caches or None),
        book.row("host.cpu.instruction_sets", _("Instructions for training"), ", ".join(cpu.instruction_sets) or None),
    )


def _cache_text(size_bytes: int, language: Language) -> str:
    if size_bytes >= 1024**2:
        return f"{language.number(size_bytes / 1024**2, 1)}\N{NO-BREAK SPACE}MB"
    return f"{language.number(size_bytes / 1024)}\N{NO-BREAK SPACE}kB"


def _memory_rows(book: _Book) -> Iterator[FactRow]:
    _ = book.language.gettext
    host, language = book.machine.host, book.language
    limited = host.memory.limit_bytes < host.memory.total_bytes
    kinds = {
        "nvme": _("NVMe drive"),
        "ssd": _("solid-state drive"),
        "hdd": _("hard disk"),
        "network": _("network drive"),
        "virtual": _("virtual disk"),
        None: None,
    }
    return _rows(
        book.row("host.memory.total_bytes", _("Memory"), memory_text(host.memory.total_bytes, language)),
        book.row("host.memory.available_bytes", _("Free memory"), memory_text(host.memory.available_bytes, language)),
        book.row(
            "host.memory.limit_bytes",
            _("Memory this program may use"),
            memory_text(host.memory.limit_bytes, language) if limited else None,
        ),
        book.row("host.disk.kind", _("Disk"), kinds[host.disk.kind]),
        book.row(
            "host.disk.free_bytes",
            _("Free disk space"),
            None
            if host.disk.free_bytes is None
            else f"{language.number(host.disk.free_bytes / 1e9)}\N{NO-BREAK SPACE}GB",
        ),
    )


def _accelerator_rows(book: _Book, accelerator: Accelerator, position: int) -> Iterator[FactRow]:
    _ = book.language.gettext
    prefix = f"accelerators.{position}"
    language = book.language
    kinds = {
        "discrete": _("graphics card"),
        "integrated": _("graphics inside the processor"),
        "virtual": _("virtual graphics"),
        "datacenter": _("data centre card"),
        "tpu": _("tensor processor"),
    }
    memory = None if accelerator.memory_bytes is None else memory_text(accelerator.memory_bytes, language)
    if accelerator.unified_memory:
        memory = _("shares the computer's memory")
    used = None if accelerator.memory_used_bytes is None else memory_text(accelerator.memory_used_bytes, language)
    power = None
    if accelerator.power_limit_w is not None:
        power = f"{language.number(accelerator.power_limit_w)}\N{NO-BREAK SPACE}W"
    return _rows(
        book.row(f"{prefix}.kind", _("Kind"), kinds[accelerator.kind]),
        book.row(f"{prefix}.trains", _("Used for training"), _("yes") if accelerator.trains else _("no")),
        book.row(f"{prefix}.is_asleep", _("State"), _("asleep") if accelerator.is_asleep else None),
        book.row(f"{prefix}.memory_bytes", _("Graphics memory"), memory),
        book.row(f"{prefix}.memory_used_bytes", _("Memory in use"), used),
        book.row(f"{prefix}.used_by", _("Used by"), users_phrase(accelerator, language)),
        book.row(f"{prefix}.driver_version", _("Driver"), accelerator.driver_version),
        book.row(
            f"{prefix}.compute_api_version", _("Highest CUDA or ROCm of the driver"), accelerator.compute_api_version
        ),
        book.row(f"{prefix}.compute_capability", _("Compute capability"), accelerator.compute_capability),
        book.row(f"{prefix}.pcie", _("Link to the processor"), _pcie_text(accelerator, language)),
        book.row(f"{prefix}.power_limit_w", _("Power limit"), power),
        book.row(f"{prefix}.ecc_enabled", _("Error correction"), _on_off(accelerator.ecc_enabled, language)),
        book.row(
            f"{prefix}.mig_enabled", _("Divided into instances (MIG)"), _on_off(accelerator.mig_enabled, language)
        ),
    )


def _pcie_text(accelerator: Accelerator, language: Language) -> str | None:
    link = accelerator.pcie
    if link is None or link.generation is None or link.width is None:
        return None
    text = f"PCIe {link.generation} ×{link.width}"
    if link.max_generation is not None and link.max_width is not None:
        highest = f"PCIe {link.max_generation} ×{link.max_width}"
        if highest != text:
            text = language.gettext("{link}, at most {highest}").format(link=text, highest=highest)
    return text


def _on_off(value: bool | None, language: Language) -> str | None:
    if value is None:
        return None
    return language.gettext("on") if value else language.gettext("off")


def _framework_rows(book: _Book) -> Iterator[FactRow]:
    _ = book.language.gettext
    framework = book.machine.framework
    built = None
    if framework.built_for is not None:
        built = f"{framework.built_for} {framework.built_for_version or ''}".strip()
    return _rows(
        book.row("framework.version", framework.name, framework.version or _("not installed")),
        book.row("framework.built_for", _("Built for"), built),
        book.row("framework.visible_devices", _("Can use"), spelled_cards(framework) or None),
    )
