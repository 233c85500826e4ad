"""Apple's graphics processors, and the graphics of Intel Macs. Check: ``system_profiler SPDisplaysDataType``."""

import json
import re
from typing import Any

from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.found_accelerator import FoundAccelerator
from advisor.probe.readers import CommandError, Readers
from advisor.records.base import GapReason
from advisor.records.hardware.machine import Accelerator, Vendor
from advisor.units import GIB, MIB

_COMMAND = ("system_profiler", "SPDisplaysDataType", "-json")
_CHECK = "system_profiler SPDisplaysDataType"


def probe_apple(readers: Readers, host_memory_bytes: int, log: EvidenceLog) -> list[FoundAccelerator]:
    """Return the graphics processors of a Mac; Apple's own share the main memory and train."""
    if readers.platform != "macos":
        return []
    try:
        rows = json.loads(readers.run(_COMMAND))["SPDisplaysDataType"]
        cards = [row for row in rows if isinstance(row, dict)]
    except CommandError as error:
        log.missing("accelerators", "unreadable", str(error), "set_by_hand")
        return []
    except (ValueError, KeyError, TypeError) as error:
        log.missing("accelerators", "unreadable", f"system_profiler: {type(error).__name__}", "set_by_hand")
        return []
    return [_card(row, index, host_memory_bytes) for index, row in enumerate(cards)]


def _card(row: dict[str, Any], index: int, host_memory_bytes: int) -> FoundAccelerator:
    log = EvidenceLog()
    name = str(row.get("sppci_model") or row.get("_name") or "?")
    log.found("name", "system_profiler sppci_model", _CHECK)
    if not name.startswith("Apple"):
        return _of_intel_mac(row, name, index, log)
    cores = re.search(r"\d+", str(row.get("sppci_cores") or ""))
    full_name = f"{name} ({cores.group()}-core GPU)" if cores else name
    is_virtual = "paravirtual" in name.lower()
    if is_virtual:
        log.found("trains", "draws a screen, computes nothing")
    log.found("memory_bytes", "hw.memsize", "sysctl hw.memsize")
    log.found("unified_memory", "Apple's chips share the main memory", _CHECK)
    accelerator = Accelerator(
        vendor="apple",
        index=index,
        name=full_name,
        kind="virtual" if is_virtual else "integrated",
        trains=not is_virtual,
        memory_bytes=host_memory_bytes,
        unified_memory=True,
    )
    _not_on_macs(log)
    return FoundAccelerator(accelerator, log)


def _of_intel_mac(row: dict[str, Any], name: str, index: int, log: EvidenceLog) -> FoundAccelerator:
    """Return a card of a Mac with an Intel processor, for which torch has been built no more since version 2.3.

    Source: pytorch issue 114602, "macOS x86_64 binaries deprecated", last wheels 2.2.2, 2024-03.
    """
    memory = _bytes(str(row.get("spdisplays_vram") or ""))
    is_integrated = "builtin" in str(row.get("sppci_bus") or "") or "Intel" in name
    log.either("memory_bytes", memory, "system_profiler spdisplays_vram", _CHECK, reason="not_found")
    log.found("trains", "torch is built for Apple's own chips only since version 2.3")
    vendor: Vendor = "amd" if re.search("AMD|Radeon|ATI", name) else "intel" if "Intel" in name else "nvidia"
    accelerator = Accelerator(
        vendor=vendor,
        index=index,
        name=name,
        kind="integrated" if is_integrated else "discrete",
        trains=False,
        memory_bytes=memory,
        unified_memory=is_integrated,
    )
    return FoundAccelerator(accelerator, log)


def _not_on_macs(log: EvidenceLog) -> None:
    """Note what macOS does not tell a program without administrator's rights."""
    reason: GapReason = "not_supported"
    for field in ("memory_used_bytes", "power_limit_w", "used_by"):
        log.missing(field, reason, "macOS reports it to administrators only (powermetrics)")


def _bytes(text: str) -> int | None:
    """Return bytes from "4 GB" or "1536 MB"; macOS counts in steps of 1024 here."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(GB|MB)", text.strip())
    return round(float(match.group(1)) * (GIB if match.group(2) == "GB" else MIB)) if match else None
