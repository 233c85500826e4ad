"""The computer as Windows shows it: the registry first, psutil for memory and battery, py-cpuinfo for the processor."""

import re
from collections.abc import Mapping
from typing import Any

from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.host.common import cpu_from_cpuinfo, free_space, memory_from_psutil, read_psutil_battery
from advisor.probe.host.virtualisation import form_factor, virtual_maker
from advisor.probe.readers import Readers, Registry
from advisor.records.hardware.machine import Disk, Host, Isolation

_CPU = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"
_BIOS = r"HARDWARE\DESCRIPTION\System\BIOS"
_CONFIGURATION = r"SYSTEM\HardwareConfig\Current"
_VERSION = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion"


def probe_windows(readers: Readers, log: EvidenceLog) -> Host:
    """Return the computer, and note how each fact was read."""
    registry, psutil = readers.registry, readers.psutil()
    battery = read_psutil_battery(psutil, log)
    isolation, detail = _isolation(registry)
    log.found("isolation", rf"HKLM\{_BIOS}", "systeminfo | findstr Manufacturer")
    chassis = registry.values(_CONFIGURATION).get("EnclosureType")
    form = form_factor(chassis if isinstance(chassis, int) else None, has_battery=battery is not None)
    if form == "unknown":
        log.missing("form_factor", "not_found", rf"HKLM\{_CONFIGURATION} EnclosureType")
    else:
        log.found("form_factor", rf"HKLM\{_CONFIGURATION} EnclosureType, battery", "systeminfo")
    cpu_notes = EvidenceLog()
    cpu_values = registry.values(_CPU)
    cpu = cpu_from_cpuinfo(
        readers,
        psutil,
        cpu_notes,
        name=str(cpu_values.get("ProcessorNameString", "")),
        vendor=str(cpu_values.get("VendorIdentifier", "")),
        base_frequency_hz=_megahertz(cpu_values),
        base_from=rf"HKLM\{_CPU} ~MHz",
    )
    log.absorb(cpu_notes, "cpu")
    log.found("os_name", "sys.platform", "winver")
    log.found("os_version", rf"HKLM\{_VERSION}", "winver")
    return Host(
        os_name="Windows",
        os_version=windows_version(registry.values(_VERSION)),
        form_factor=form,
        isolation=isolation,
        isolation_detail=detail,
        cpu=cpu,
        memory=memory_from_psutil(psutil, log, "systeminfo"),
        disk=_disk(readers, log),
        battery=battery,
    )


def _isolation(registry: Registry) -> tuple[Isolation, str]:
    values = registry.values(_BIOS)
    maker = virtual_maker(str(values.get("SystemManufacturer", "")), str(values.get("SystemProductName", "")))
    if registry.values(r"SYSTEM\CurrentControlSet\Control").get("ContainerType") is not None:
        return "container", f"Windows, {maker}" if maker else "Windows"
    return ("virtual_machine", maker) if maker else ("none", "")


def windows_version(values: Mapping[str, Any]) -> str:
    """Return such as "11 Pro 24H2 (build 26100)"; the registry goes on calling Windows 11 "Windows 10".

    Source: Windows 11 begins with build 22000 (Microsoft, Windows 11 release information).
    """
    build = str(values.get("CurrentBuildNumber", ""))
    name = re.sub(r"^Windows\s*", "", str(values.get("ProductName", "")))
    if build.isdigit() and int(build) >= 22000:
        name = re.sub(r"^10\b", "11", name)
    release = str(values.get("DisplayVersion", ""))
    return " ".join(part for part in (name, release, f"(build {build})" if build else "") if part)


def _megahertz(values: Mapping[str, Any]) -> float | None:
    rate = values.get("~MHz")
    return rate * 1e6 if isinstance(rate, int) and rate > 0 else None


def _disk(readers: Readers, log: EvidenceLog) -> Disk:
    kind = readers.drive_kind(readers.working_folder)
    log.either("disk.kind", kind, "IOCTL_STORAGE_QUERY_PROPERTY", "Get-PhysicalDisk", reason="not_found")
    return Disk(kind=kind, free_bytes=free_space(readers, log, "dir"))
