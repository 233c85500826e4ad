"""What systems without /proc share: psutil's counts."""

from typing import Any

from advisor.errors import system_reason
from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.readers import Readers
from advisor.records.hardware.machine import Battery, Memory


def logical_cores(psutil: Any, log: EvidenceLog, check: str) -> int:
    """Return the hardware threads; one where nobody tells."""
    return log.ask("logical_cores", lambda: int(psutil.cpu_count(logical=True)), "psutil.cpu_count()", check) or 1


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
        log.missing("disk.free_bytes", "unreadable", str(system_reason(error)))
        return None
    log.found("disk.free_bytes", "free space of the working folder's disk", check)
    return free
