"""What systems without /proc share: psutil's counts and py-cpuinfo's instruction sets."""

from collections.abc import Mapping
from typing import Any

from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.host.cpu_linux import INSTRUCTION_SETS, tidy_name
from advisor.probe.readers import Readers
from advisor.records.hardware.machine import Battery, Cpu, Memory

_VENDORS = {"GenuineIntel": "Intel", "AuthenticAMD": "AMD", "Qualcomm Technologies Inc": "Qualcomm", "Apple": "Apple"}


def cpu_from_cpuinfo(
    readers: Readers,
    psutil: Any,
    log: EvidenceLog,
    *,
    name: str,
    vendor: str,
    base_frequency_hz: float | None,
    base_from: str,
) -> Cpu:
    """Return the processor from the given facts, filled up by py-cpuinfo and psutil."""
    facts = readers.cpuinfo()
    logical = int(psutil.cpu_count(logical=True) or 1)
    physical = psutil.cpu_count(logical=False)
    flags = facts.get("flags") or ()
    caches = _caches(facts)
    log.found("name", "processor name of the system, py-cpuinfo", "python -m cpuinfo")
    log.found("vendor", "processor vendor of the system, py-cpuinfo", "python -m cpuinfo")
    log.found("architecture", "platform.machine()", 'python -c "import platform; print(platform.machine())"')
    log.found("logical_cores", "psutil.cpu_count()", "python -m cpuinfo")
    log.found("instruction_sets", "py-cpuinfo flags (cpuid)", "python -m cpuinfo")
    log.either("physical_cores", physical, "psutil.cpu_count(logical=False)", "python -m cpuinfo")
    log.either("base_frequency_hz", base_frequency_hz, base_from, "python -m cpuinfo", reason="not_found")
    log.missing("max_frequency_hz", "not_supported", "the system tells the nominal clock only")
    log.either("caches_bytes", caches or None, "py-cpuinfo (cpuid)", "python -m cpuinfo", reason="not_found")
    return Cpu(
        name=tidy_name(name or str(facts.get("brand_raw", ""))) or "?",
        vendor=_vendor(vendor or str(facts.get("vendor_id_raw", ""))),
        architecture=readers.architecture,
        physical_cores=physical,
        logical_cores=logical,
        usable_cores=_usable(psutil, logical, log),
        base_frequency_hz=base_frequency_hz,
        caches_bytes=caches,
        instruction_sets=tuple(dict.fromkeys(INSTRUCTION_SETS[f] for f in flags if f in INSTRUCTION_SETS)),
    )


def _vendor(text: str) -> str:
    return _VENDORS.get(text, text) or "?"


def _usable(psutil: Any, logical: int, log: EvidenceLog) -> float:
    """Return the cores this process may use; macOS knows no affinity."""
    affinity = getattr(psutil.Process(), "cpu_affinity", None)
    usable = len(affinity()) if affinity is not None else logical
    log.found("usable_cores", "processor affinity" if affinity else "psutil.cpu_count()", "")
    return float(min(usable, logical))


def _caches(facts: Mapping[str, Any]) -> dict[str, int]:
    """Return py-cpuinfo's cache sizes where it gives numbers; L1 and L2 are those of one core."""
    names = {"l2_cache_size": "L2", "l3_cache_size": "L3"}
    return {label: value for key, label in names.items() if isinstance(value := facts.get(key), int) and value > 0}


def memory_from_psutil(psutil: Any, log: EvidenceLog, check: str) -> Memory:
    """Return the memory as psutil counts it."""
    memory = psutil.virtual_memory()
    for field in ("total_bytes", "available_bytes", "limit_bytes"):
        log.found(f"memory.{field}", "psutil.virtual_memory()", check)
    total = int(memory.total)
    return Memory(total_bytes=total, available_bytes=min(int(memory.available), total), limit_bytes=total)


def read_psutil_battery(psutil: Any, log: EvidenceLog) -> Battery | None:
    """Return the battery as psutil sees it; some systems have no such call."""
    ask = getattr(psutil, "sensors_battery", None)
    state = ask() if ask is not None else None
    if state is None:
        log.missing("battery", "not_applicable", "psutil.sensors_battery(): no battery")
        return None
    log.found("battery", "psutil.sensors_battery()", "")
    charge = None if state.percent is None else min(max(state.percent / 100, 0.0), 1.0)
    return Battery(charge_ratio=charge, is_plugged_in=state.power_plugged)


def free_space(readers: Readers, log: EvidenceLog, check: str) -> int | None:
    """Return the free bytes of the working folder's disk."""
    try:
        free = readers.free_bytes(readers.working_folder)
    except OSError as error:
        log.missing("disk.free_bytes", "unreadable", error.strerror or type(error).__name__)
        return None
    log.found("disk.free_bytes", "free space of the working folder's disk", check)
    return free
