"""The computer as Windows shows it: the registry first, the kernel for the processor, psutil for memory and battery."""

import re
from collections.abc import Mapping
from typing import Any

from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.host.common import free_space, logical_cores, memory_from_psutil, read_psutil_battery
from advisor.probe.host.cpu_linux import tidy_name, vector_bits
from advisor.probe.host.virtualisation import form_factor, virtual_maker
from advisor.probe.readers import Readers, Registry, number
from advisor.records.hardware.machine import Cpu, Disk, Host, Isolation

_CPU = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"
_BIOS = r"HARDWARE\DESCRIPTION\System\BIOS"
_VENDORS = {"GenuineIntel": "Intel", "AuthenticAMD": "AMD", "Qualcomm Technologies Inc": "Qualcomm"}
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
    cpu = _cpu(readers, psutil, cpu_notes)
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


def _cpu(readers: Readers, psutil: Any, log: EvidenceLog) -> Cpu:
    values, facts = readers.registry.values(_CPU), readers.processor()
    key, check, task_manager = rf"HKLM\{_CPU}", rf'reg query "HKLM\{_CPU}"', "taskmgr"
    logical = logical_cores(psutil, log, task_manager)
    physical = log.ask(
        "physical_cores", lambda: psutil.cpu_count(logical=False), "psutil.cpu_count(logical=False)", task_manager
    )
    frequency = _megahertz(values)
    log.found("name", f"{key} ProcessorNameString", check)
    log.found("vendor", f"{key} VendorIdentifier", check)
    log.found("architecture", "platform.machine()", "echo %PROCESSOR_ARCHITECTURE%")
    log.found("instruction_sets", "IsProcessorFeaturePresent", "coreinfo64 -f")
    log.either("base_frequency_hz", frequency, f"{key} ~MHz", check, reason="not_found")
    log.missing("max_frequency_hz", "not_supported", "the system tells the nominal clock only")
    caches = dict(facts.caches_bytes)
    log.either("caches_bytes", caches or None, "GetLogicalProcessorInformation", "coreinfo64 -l", reason="not_found")
    vendor = str(values.get("VendorIdentifier", ""))
    vendor = _VENDORS.get(vendor, vendor)
    # Such as "AMD64 Family 23 Model 8 Stepping 2".
    numbers = [number(text) for text in re.findall(r"(?:Family|Model) (\d+)", str(values.get("Identifier", "")))]
    family, model = numbers if len(numbers) == 2 else (None, None)
    return Cpu(
        name=tidy_name(str(values.get("ProcessorNameString", ""))) or "?",
        vendor=vendor or "?",
        architecture=readers.architecture,
        physical_cores=physical,
        logical_cores=logical,
        usable_cores=_usable(psutil, logical, log),
        base_frequency_hz=frequency,
        caches_bytes=caches,
        instruction_sets=facts.instruction_sets,
        vector_bits=vector_bits(vendor, family, model),
    )


def _usable(psutil: Any, logical: int, log: EvidenceLog) -> float:
    """Return the cores this process may use."""
    how = "processor affinity, psutil.cpu_count()"
    usable = log.ask("usable_cores", lambda: len(psutil.Process().cpu_affinity()), how)
    return float(min(usable or logical, logical))


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
