"""The computer as macOS shows it: sysctl, diskutil, and psutil for memory and battery.

Check: ``sysctl hw machdep.cpu``, ``system_profiler SPHardwareDataType`` (this one also shows serial numbers)
"""

import plistlib
import re
from collections.abc import Mapping
from xml.parsers.expat import ExpatError

from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.host.common import free_space, logical_cores, memory_from_psutil, read_psutil_battery
from advisor.probe.host.virtualisation import form_factor
from advisor.probe.readers import CommandError, DiskKind, Readers, number
from advisor.records.hardware.machine import Cpu, Disk, FormFactor, Host

_NAMES = (
    "hw.model", "hw.physicalcpu", "hw.logicalcpu", "hw.cpufrequency", "hw.cpufrequency_max", "hw.l1dcachesize",
    "hw.l1icachesize", "hw.l2cachesize", "hw.l3cachesize", "hw.perflevel0.l2cachesize", "hw.perflevel1.l2cachesize",
    "hw.perflevel0.physicalcpu", "hw.perflevel0.cpusperl2", "hw.perflevel1.physicalcpu", "hw.perflevel1.cpusperl2",
    "machdep.cpu.brand_string", "machdep.cpu.vendor", "kern.hv_vmm_present", "kern.osproductversion",
    "hw.optional.avx2_0", "hw.optional.avx512f", "hw.optional.avx512vnni", "hw.optional.neon",
    "hw.optional.AdvSIMD", "hw.optional.arm.FEAT_BF16", "hw.optional.arm.FEAT_SME",
)  # fmt: skip
_SETS = {
    "hw.optional.avx2_0": "AVX2",
    "hw.optional.avx512f": "AVX512F",
    "hw.optional.avx512vnni": "AVX512_VNNI",
    "hw.optional.neon": "NEON",
    "hw.optional.AdvSIMD": "NEON",
    "hw.optional.arm.FEAT_BF16": "BF16",
    "hw.optional.arm.FEAT_SME": "SME",  # codespell:ignore sme
}


def probe_macos(readers: Readers, log: EvidenceLog) -> Host:
    """Return the computer, and note how each fact was read."""
    psutil = readers.psutil()
    values = _sysctl(readers, log)
    battery = read_psutil_battery(psutil, log)
    is_virtual = values.get("kern.hv_vmm_present") == "1"
    log.found("isolation", "sysctl kern.hv_vmm_present", "sysctl kern.hv_vmm_present")
    log.found("form_factor", "sysctl hw.model, battery", "sysctl hw.model")
    log.found("os_name", "sys.platform", "uname -s")
    log.found("os_version", "sysctl kern.osproductversion", "sw_vers -productVersion")
    cpu_notes = EvidenceLog()
    cpu = _cpu(readers, values, logical_cores(psutil, cpu_notes, "sysctl hw.logicalcpu"), cpu_notes)
    log.absorb(cpu_notes, "cpu")
    return Host(
        os_name="macOS",
        os_version=values.get("kern.osproductversion", ""),
        form_factor=_form(values.get("hw.model", ""), has_battery=battery is not None),
        isolation="virtual_machine" if is_virtual else "none",
        isolation_detail="Apple Virtualization" if is_virtual else "",
        cpu=cpu,
        memory=memory_from_psutil(psutil, log, "sysctl hw.memsize; vm_stat"),
        disk=_disk(readers, log),
        battery=battery,
    )


def _sysctl(readers: Readers, log: EvidenceLog) -> dict[str, str]:
    """Return the values sysctl knows; ``-i`` passes over names this Mac lacks."""
    try:
        text = readers.run(("sysctl", "-i", *_NAMES))
    except CommandError as error:
        log.missing("cpu", "unreadable", str(error))
        return {}
    pairs = (line.partition(":") for line in text.splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}


def _form(model: str, *, has_battery: bool) -> FormFactor:
    if model.startswith("MacBook") or has_battery:
        return "laptop"
    return form_factor(3, has_battery=False) if model else "unknown"


def _cpu(readers: Readers, values: Mapping[str, str], logical: int, log: EvidenceLog) -> Cpu:
    physical = number(values.get("hw.physicalcpu"))
    base, most = number(values.get("hw.cpufrequency")), number(values.get("hw.cpufrequency_max"))
    caches = _caches(values, physical or 1)
    name = values.get("machdep.cpu.brand_string", "")
    for field in ("name", "vendor", "usable_cores", "instruction_sets"):
        log.found(field, "sysctl", "sysctl machdep.cpu.brand_string hw.logicalcpu hw.optional")
    log.found("architecture", "uname", "uname -m")
    log.either("physical_cores", physical, "sysctl hw.physicalcpu", "sysctl hw.physicalcpu", reason="not_found")
    log.either("base_frequency_hz", base, "sysctl hw.cpufrequency", "", reason="not_supported",
                  detail="Apple does not tell the clock of its chips")  # fmt: skip
    log.either("max_frequency_hz", most, "sysctl hw.cpufrequency_max", "", reason="not_supported",
                  detail="Apple does not tell the clock of its chips")  # fmt: skip
    log.either("caches_bytes", caches or None, "sysctl hw.l2cachesize", "sysctl hw", reason="not_found")
    sets = [label for key, label in _SETS.items() if values.get(key) == "1"]
    return Cpu(
        name=re.sub(r"\((R|TM)\)|\s*CPU\s*@.*", "", name).strip() or "?",
        vendor="Apple" if name.startswith("Apple") else "Intel",
        architecture=readers.architecture,
        physical_cores=physical,
        logical_cores=logical,
        usable_cores=float(logical),
        base_frequency_hz=float(base) if base else None,
        max_frequency_hz=float(most) if most else None,
        caches_bytes=caches,
        instruction_sets=tuple(dict.fromkeys(sets)),
    )


def _caches(values: Mapping[str, str], physical: int) -> dict[str, int]:
    """Return bytes per level over the machine; performance and efficiency cores have an L2 for each cluster."""
    caches: dict[str, int] = {}
    for key, label in (("hw.l1dcachesize", "L1d"), ("hw.l1icachesize", "L1i")):
        size = number(values.get(key))
        if size:
            caches[label] = size * physical
    clusters = 0
    for level in ("hw.perflevel0", "hw.perflevel1"):
        size, cores = number(values.get(f"{level}.l2cachesize")), number(values.get(f"{level}.physicalcpu"))
        shared = number(values.get(f"{level}.cpusperl2"))
        if size and cores and shared:
            clusters += size * -(-cores // shared)
    size = clusters or (number(values.get("hw.l2cachesize")) or 0) * physical
    if size:
        caches["L2"] = size
    third = number(values.get("hw.l3cachesize"))
    if third:
        caches["L3"] = third
    return caches


def _disk(readers: Readers, log: EvidenceLog) -> Disk:
    kind = _disk_kind(readers)
    log.either("disk.kind", kind, "diskutil info -plist", "diskutil info /", reason="not_found")
    return Disk(kind=kind, free_bytes=free_space(readers, log, "df -k ."))


def _disk_kind(readers: Readers) -> DiskKind | None:
    """Return how the start disk is attached."""
    try:
        facts = plistlib.loads(readers.run(("diskutil", "info", "-plist", "/")).encode())
    except (CommandError, plistlib.InvalidFileException, ExpatError, ValueError, LookupError, AttributeError):
        return None
    if not isinstance(facts, dict):
        return None
    bus = str(facts.get("BusProtocol", ""))
    if "Virtual" in bus:
        return "virtual"
    if bus in {"Apple Fabric", "PCI-Express", "PCI"}:
        return "nvme"
    solid = facts.get("SolidState")
    return None if solid is None else "ssd" if solid else "hdd"
