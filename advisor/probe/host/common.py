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
    logical = logical_cores(psutil, log)
    physical = log.ask(
        "physical_cores",
        lambda: psutil.cpu_count(logical=False),
        "psutil.cpu_count(logical=False)",
        "python -m cpuinfo",
    )
    flags = facts.get("flags") or ()
    caches = _caches(facts)
    log.found("name", "processor name of the system, py-cpuinfo", "python -m cpuinfo")
    log.found("vendor", "processor vendor of the system, py-cpuinfo", "python -m cpuinfo")
    log.found("architecture", "platform.machine()", 'python -c "import platform; print(platform.machine())"')
    log.found("instruction_sets", "py-cpuinfo flags (cpuid)", "python -m cpuinfo")
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


def logical_cores(psutil: Any, log: EvidenceLog) -> int:
    """Return the hardware threads; one where nobody tells."""
    return (
        log.ask("logical_cores", lambda: int(psutil.cpu_count(logical=True)), "psutil.cpu_count()", "python -m cpuinfo")
        or 1
    )


def _usable(psutil: Any, logical: int, log: EvidenceLog) -> float:
    """Return the cores this process may use; macOS knows no affinity."""

    def count() -> int:
        affinity = getattr(psutil.Process(), "cpu_affinity", None)
        return logical if affinity is None else len(affinity())

    usable = log.ask("usable_cores", count, "processor affinity, psutil.cpu_count()")
    return float(min(usable or logical, logical))


def _caches(facts: Mapping[str, Any]) -> dict[str, int]:
    """Return py-cpuinfo's cache sizes where it gives numbers; L1 and L2 are those of one core."""
    names = {"l2_cache_size": "L2", "l3_cache_size": "L3"}
    return {label: value for key, label in names.items() if isinstance(value := facts.get(key), int) and value > 0}


def memory_from_psutil(psutil: Any, log: EvidenceLog, check: str) -> Memory:
    """Return the memory as psutil counts it."""

    def read() -> Memory:
        memory = psutil.virtual_memory()
        total = int(memory.total)
        return Memory(total_bytes=total, available_bytes=min(int(memory.available), total), limit_bytes=total)

    how = "psutil.virtual_memory()"
    found = log.ask("memory.total_bytes", read, how, check)
    for field in ("available_bytes", "limit_bytes"):
        log.either(f"memory.{field}", found, how, check)
    return found or Memory(total_bytes=0, available_bytes=0, limit_bytes=0)


def read_psutil_battery(psutil: Any, log: EvidenceLog) -> Battery | None:
    """Return the battery as psutil sees it; some systems have no such call."""
    how = "psutil.sensors_battery()"

    def read() -> Battery | None:
        state = psutil.sensors_battery()
        if state is None:
            return None
        charge = None if state.percent is None else min(max(state.percent / 100, 0.0), 1.0)
        return Battery(charge_ratio=charge, is_plugged_in=state.power_plugged)

    try:
        battery = read()
    except AttributeError:
        battery = None
    except Exception as error:  # noqa: BLE001 - as for ``EvidenceLog.ask``
        log.missing("battery", "unreadable", f"{how}: {type(error).__name__}")
        return None
    if battery is None:
        log.missing("battery", "not_applicable", f"{how}: no battery")
        return None
    log.found("battery", how, "")
    return battery


def free_space(readers: Readers, log: EvidenceLog, check: str) -> int | None:
    """Return the free bytes of the working folder's disk."""
    try:
        free = readers.free_bytes(readers.working_folder)
    except OSError as error:
        log.missing("disk.free_bytes", "unreadable", error.strerror or type(error).__name__)
        return None
    log.found("disk.free_bytes", "free space of the working folder's disk", check)
    return free
