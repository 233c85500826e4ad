"""The computer as Linux shows it in /proc and /sys."""

from advisor.errors import system_reason
from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.host.cgroup import Limits, read_limits
from advisor.probe.host.cpu_linux import probe_cpu
from advisor.probe.host.disk_linux import disk_kind
from advisor.probe.host.slurm import check_of, within_allocation
from advisor.probe.host.virtualisation import form_factor, linux_isolation
from advisor.probe.readers import Files, Readers, number
from advisor.records.hardware.machine import Battery, Disk, Host, Memory

POWER_SUPPLIES = "/sys/class/power_supply"


def probe_linux(readers: Readers, log: EvidenceLog) -> Host:
    """Return the computer, and note how each fact was read."""
    files = readers.files
    around = linux_isolation(files)
    log.found("isolation", around.sign, "systemd-detect-virt")
    limits = within_allocation(read_limits(files), readers.environment)
    battery, supplies = read_battery(files)
    if battery is None:
        log.missing("battery", "not_applicable", f"{POWER_SUPPLIES}: no battery")
    else:
        log.found("battery", supplies, "upower -d")
    chassis = number(files.text("/sys/class/dmi/id/chassis_type"))
    form = form_factor(chassis, has_battery=battery is not None)
    if form == "unknown":
        log.missing("form_factor", around.hides, "/sys/class/dmi/id/chassis_type")
    else:
        log.found("form_factor", "/sys/class/dmi/id/chassis_type, battery", "hostnamectl chassis")
    cpu_notes = EvidenceLog()
    cpu = probe_cpu(files, readers.architecture, around.hides, limits, cpu_notes)
    log.absorb(cpu_notes, "cpu")
    name, version = _system(files, log)
    return Host(
        os_name=name,
        os_version=version,
        form_factor=form,
        isolation=around.kind,
        isolation_detail=around.detail,
        cpu=cpu,
        memory=read_memory(files, limits, log),
        disk=_disk(readers, log),
        battery=battery,
    )


def _system(files: Files, log: EvidenceLog) -> tuple[str, str]:
    """Return ("Linux", distribution and kernel)."""
    release: dict[str, str] = {}
    for path in ("/etc/os-release", "/usr/lib/os-release"):
        pairs = (line.partition("=") for line in (files.text(path) or "").splitlines())
        release = {key: value.strip().strip("\"'") for key, _, value in pairs} | release
    kernel = files.text("/proc/sys/kernel/osrelease") or _kernel_in(files.text("/proc/version") or "")
    version = ", ".join(part for part in (release.get("PRETTY_NAME", ""), kernel and f"kernel {kernel}") if part)
    log.found("os_name", "/proc/sys/kernel/osrelease", "uname -s")
    log.found("os_version", "/etc/os-release, /proc/sys/kernel/osrelease", "cat /etc/os-release; uname -r")
    return "Linux", version


def _kernel_in(text: str) -> str:
    """Return the kernel's version in ``/proc/version`` ("Linux version 6.1.0 …")."""
    words = text.split()
    return words[2] if len(words) > 2 else ""


def read_memory(files: Files, limits: Limits, log: EvidenceLog) -> Memory:
    """Return the memory of the computer and what the control groups leave of it."""
    values = {}
    for line in (files.text("/proc/meminfo") or "").splitlines():
        key, _, value = line.partition(":")
        values[key] = (number(value) or 0) * 1024
    total = values.get("MemTotal", 0)
    free = values.get("MemFree", 0) + values.get("Buffers", 0) + values.get("Cached", 0)
    available = values.get("MemAvailable", free)  # kernels before 3.14 lack it
    limit, source, check = total, "/proc/meminfo MemTotal", "free -b"
    if limits.memory_bytes is not None and limits.memory_bytes < total:
        limit, source = limits.memory_bytes, limits.memory_from
        check = check_of(source)
        available = min(available, max(limit - (limits.memory_used_bytes or 0), 0))
    log.either("memory.total_bytes", total or None, "/proc/meminfo MemTotal", "free -b")
    log.either("memory.available_bytes", total or None, "/proc/meminfo MemAvailable and control groups", "free -b")
    log.either("memory.limit_bytes", total or None, source, check)
    return Memory(total_bytes=total, available_bytes=available, limit_bytes=limit)


def _disk(readers: Readers, log: EvidenceLog) -> Disk:
    kind, sign = disk_kind(readers.files, readers.working_folder)
    log.either("disk.kind", kind, sign, "lsblk -d -o NAME,ROTA,TRAN,MODEL", reason="not_found")
    try:
        free = readers.free_bytes(readers.working_folder)
    except OSError as error:
        log.missing("disk.free_bytes", "unreadable", str(system_reason(error)))
        return Disk(kind=kind, free_bytes=None)
    log.found("disk.free_bytes", "statvfs of the working folder", "df -B1 .")
    return Disk(kind=kind, free_bytes=free)


def read_battery(files: Files) -> tuple[Battery | None, str]:
    """Return the computer's battery (not a mouse's) and where it was read."""
    battery, source, plugged = None, "", None
    for name in files.names(POWER_SUPPLIES):
        folder = f"{POWER_SUPPLIES}/{name}"
        kind, scope = files.text(f"{folder}/type"), files.text(f"{folder}/scope")
        if kind in {"Mains", "USB"}:
            online = files.text(f"{folder}/online")
            plugged = plugged or online == "1" if online is not None else plugged
        elif kind == "Battery" and scope != "Device" and files.text(f"{folder}/present") != "0" and battery is None:
            charge = number(files.text(f"{folder}/capacity"))
            battery, source = (charge, files.text(f"{folder}/status")), folder
    if battery is None:
        return None, ""
    charge, status = battery
    if plugged is None and status:
        plugged = {"Discharging": False, "Charging": True, "Full": True, "Not charging": True}.get(status)
    ratio = min(charge / 100, 1.0) if charge is not None else None
    return Battery(charge_ratio=ratio, is_plugged_in=plugged), source
