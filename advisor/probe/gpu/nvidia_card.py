"""One NVIDIA card as NVML shows it; what the library refuses becomes a gap.

Neither serial number nor UUID is read. Check: ``nvidia-smi -q``
"""

import re
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.found_accelerator import FoundAccelerator
from advisor.probe.gpu.jetson import board_name
from advisor.probe.gpu.nvml import REMEDIES, Nvml, NvmlCallError
from advisor.probe.readers import Readers
from advisor.records.hardware.machine import Accelerator, AcceleratorKind, Host, Isolation, PcieLink

_DATACENTER = re.compile(
    r"\b(Tesla|A(2|10G?|16|30|40|100|800)|H(20|100|200|800)|L(2|4|20|40[SG]?)|B[123]00|V100S?|P(4|6|40|100)|T4G?|"
    r"M(10|40|60)|K(40|80)[cmt]?|G[HB][23]00|RTX PRO \d+ Blackwell Server)\b"
)
_VIRTUAL_GPU = re.compile(r"-\d+(\.\d+)?[ABCQ]$|\bGRID\b|\bvGPU\b")
_DISPLAY_ONLY_GPU = re.compile(r"-\d+(\.\d+)?[AB]$")  # profiles for offices and applications, without CUDA
_SHARED_MEMORY = re.compile(r"\b(GB10|Orin|Xavier|Thor|Tegra|Jetson|N1X?)\b")
OLDEST_CAPABILITY = (5, 0)
"""No build of torch 2.6 or later carries kernels for cards older than Maxwell.
Source: pytorch, RELEASE.md, CUDA support matrix (github.com/pytorch/pytorch/issues/172352, 2026-01-13)."""


def kind_of(name: str) -> AcceleratorKind:
    """Return the kind of card an NVIDIA name speaks of."""
    if shares_memory(name):
        return "integrated"
    if "GeForce" in name or "Quadro" in name or "TITAN" in name.upper():
        return "discrete"
    return "datacenter" if _DATACENTER.search(name) or _VIRTUAL_GPU.search(name) else "discrete"


def shares_memory(name: str) -> bool:
    """Return whether a card uses the computer's main memory, as Jetson boards and GB10 do."""
    return bool(_SHARED_MEMORY.search(name))


def read_card(readers: Readers, nvml: Nvml, index: int, how: tuple[str, str | int], host: Host) -> FoundAccelerator:
    """Return a card as NVML shows it; whatever it refuses becomes a gap."""
    log = EvidenceLog()
    smi = f"nvidia-smi -i {index} --format=csv --query-gpu="
    try:
        handle = nvml.call(*how)
    except NvmlCallError as failure:
        log.missing("", failure.reason, failure.detail, REMEDIES.get(failure.reason))
        lost = Accelerator(vendor="nvidia", index=index, name="NVIDIA (?)", kind="discrete", trains=False)
        return FoundAccelerator(lost, log)

    def ask(field: str, function: str, convert: Any, *more: Any, query: str = "") -> Any:
        return nvml.ask(log, field, function, handle, *more, convert=convert, check=smi + query if query else "")

    name = board_name(readers.files) or ask("name", "nvmlDeviceGetName", _text, query="name") or "NVIDIA (?)"
    log.found("kind", "card name")
    mig = ask("mig_enabled", "nvmlDeviceGetMigMode", _first_flag, query="mig.mode.current")
    instance = None
    if shares_memory(name):
        total, used = _shared_memory(host.memory.total_bytes, log)
    elif mig:
        instance, total, used = _mig_instance(nvml, handle, log)
    else:
        total, used = _memory(nvml, handle, log, smi)
    capability = ask("compute_capability", "nvmlDeviceGetCudaComputeCapability", _dotted, query="compute_cap")
    accelerator = Accelerator(
        vendor="nvidia",
        index=index,
        name=f"{name} {instance}" if instance else name,
        kind=kind_of(name),
        trains=_trains(name, capability, log),
        memory_bytes=total,
        memory_used_bytes=used,
        unified_memory=shares_memory(name),
        driver_version=_system_value(nvml, log, "driver_version", "nvmlSystemGetDriverVersion", _text),
        compute_api_version=_system_value(
            nvml, log, "compute_api_version", "nvmlSystemGetCudaDriverVersion_v2", cuda_version
        ),
        compute_capability=capability,
        pci_id=ask("pci_id", "nvmlDeviceGetPciInfo", _pci_id, query="pci.device_id"),
        pcie=_link(nvml, handle, log, smi),
        power_limit_w=_power_limit(nvml, handle, log, smi),
        ecc_enabled=ask("ecc_enabled", "nvmlDeviceGetEccMode", _first_flag, query="ecc.mode.current"),
        mig_enabled=mig,
        used_by=_users(readers, nvml, handle, host.isolation, log),
    )
    return FoundAccelerator(accelerator, log)


def _trains(name: str, capability: str | None, log: EvidenceLog) -> bool:
    if _DISPLAY_ONLY_GPU.search(name):
        log.missing("trains", "not_supported", name, "ask_for_compute_profile")
        return False
    log.found("trains", "compute capability" if capability else "card name")
    return capability is None or tuple(int(part) for part in capability.split(".")) >= OLDEST_CAPABILITY


def _system_value(nvml: Nvml, log: EvidenceLog, field: str, function: str, convert: Any) -> Any:
    return nvml.ask(log, field, function, convert=convert, check="nvidia-smi")


def _memory(nvml: Nvml, handle: Any, log: EvidenceLog, smi: str) -> tuple[int | None, int | None]:
    """Return (total, used); version 2 does not count what the driver reserves as used."""
    version = nvml.constant("nvmlMemory_v2")
    try:
        total, used = nvml.answer("nvmlDeviceGetMemoryInfo", handle, version=version, convert=_sizes)
    except NvmlCallError:
        try:
            total, used = nvml.answer("nvmlDeviceGetMemoryInfo", handle, convert=_sizes)
        except NvmlCallError as error:
            for field in ("memory_bytes", "memory_used_bytes"):
                log.missing(field, error.reason, error.detail, REMEDIES.get(error.reason))
            return None, None
    log.found("memory_bytes", "nvmlDeviceGetMemoryInfo", smi + "memory.total")
    log.found("memory_used_bytes", "nvmlDeviceGetMemoryInfo", smi + "memory.used")
    return total, used


def _shared_memory(host_memory_bytes: int, log: EvidenceLog) -> tuple[int | None, int | None]:
    """Return the computer's memory for a card that has none of its own; NVML refuses to tell of such cards."""
    log.found("unified_memory", "card name", "nvidia-smi")
    log.found("memory_bytes", "/proc/meminfo MemTotal", "free -b")
    log.missing("memory_used_bytes", "not_applicable", "card name")
    return host_memory_bytes, None


def _profile(answer: Any) -> str:
    """Return ``MIG 1g.5gb`` of an instance's name, which drivers write with or without the card's."""
    return "MIG" + _text(answer).rpartition("MIG")[2]


def _mig_instance(nvml: Nvml, handle: Any, log: EvidenceLog) -> tuple[str | None, int | None, int | None]:
    """Return (profile, memory, used) of the largest MIG instance: a program uses one instance, never the whole card."""
    best: tuple[int, int, str | None] | None = None
    count = nvml.ask(EvidenceLog(), "", "nvmlDeviceGetMaxMigDeviceCount", handle, convert=int) or 0
    for slot in range(count):
        try:
            instance = nvml.call("nvmlDeviceGetMigDeviceHandleByIndex", handle, slot)
            total, used = nvml.answer("nvmlDeviceGetMemoryInfo", instance, convert=_sizes)
        except NvmlCallError:  # a free slot, or an instance of somebody else
            continue
        if best is None or total > best[0]:
            best = (total, used, nvml.ask(EvidenceLog(), "", "nvmlDeviceGetName", instance, convert=_profile))
    if best is None:
        for field in ("memory_bytes", "memory_used_bytes"):
            log.missing(field, "not_found", "MIG is on, no instance can be used", "create_mig_instance")
        return None, None, None
    log.found("memory_bytes", "nvmlDeviceGetMigDeviceHandleByIndex, nvmlDeviceGetMemoryInfo", "nvidia-smi -L")
    return best[2], best[0], best[1]


def _link(nvml: Nvml, handle: Any, log: EvidenceLog, smi: str) -> PcieLink | None:
    parts = {
        "generation": "nvmlDeviceGetCurrPcieLinkGeneration",
        "width": "nvmlDeviceGetCurrPcieLinkWidth",
        "max_generation": "nvmlDeviceGetMaxPcieLinkGeneration",
        "max_width": "nvmlDeviceGetMaxPcieLinkWidth",
    }
    values: dict[str, int | None] = {}
    failures = EvidenceLog()
    for field, function in parts.items():
        values[field] = nvml.ask(failures, "pcie", function, handle, convert=int)
    if not any(values.values()):
        log.gaps.extend(failures.gaps[:1])
        return None
    log.found("pcie", ", ".join(parts.values()), smi + "pcie.link.gen.current,pcie.link.width.current")
    return PcieLink(**values)


def _power_limit(nvml: Nvml, handle: Any, log: EvidenceLog, smi: str) -> float | None:
    """Return the limit in force; laptops often answer only one of the two questions."""
    first = EvidenceLog()
    for function in ("nvmlDeviceGetEnforcedPowerLimit", "nvmlDeviceGetPowerManagementLimit"):
        notes = EvidenceLog()
        limit = nvml.ask(notes, "power_limit_w", function, handle, convert=_watts, check=smi + "enforced.power.limit")
        if limit:
            log.absorb(notes)
            return limit
        first = first if first.gaps else notes
    log.absorb(first)
    return None


def _users(readers: Readers, nvml: Nvml, handle: Any, isolation: Isolation, log: EvidenceLog) -> tuple[str, ...]:
    """Return the names of other programs on the card, without paths and arguments."""
    if isolation == "container":  # NVML counts processes as the host does; the same number is another program here
        log.missing("used_by", "container", "process numbers are the host's")
        return ()
    names: set[str] = set()
    notes = EvidenceLog()
    for function in ("nvmlDeviceGetComputeRunningProcesses", "nvmlDeviceGetGraphicsRunningProcesses"):
        pids = nvml.ask(notes, "used_by", function, handle, convert=_pids, check="nvidia-smi")
        names.update(_process_name(readers, nvml, pid) for pid in pids or () if pid != readers.process_id)
    if notes.evidence:
        log.evidence.append(notes.evidence[0])
    else:
        log.gaps.extend(notes.gaps[:1])
    return tuple(sorted(names - {""}))


def _process_name(readers: Readers, nvml: Nvml, pid: int) -> str:
    """Return a program's name; the kernel's short name first, as NVML's carries path and arguments."""
    short = readers.files.text(f"/proc/{pid}/comm")
    if short:
        return short
    try:
        full = _text(nvml.call("nvmlSystemGetProcessName", pid))
    except NvmlCallError:  # it ended meanwhile, or belongs to somebody else
        return ""
    return base_name(full)


def base_name(command: str) -> str:
    """Return a program's name without folder and arguments, so that nothing personal is left of it."""
    program = command.split(" -", maxsplit=1)[0].strip().strip('"')
    name = PureWindowsPath(program).name if "\\" in program else PurePosixPath(program).name
    return "" if "=" in name or name.startswith("...") else name


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _first_flag(value: Any) -> bool:
    """Return the current of (current, pending)."""
    return bool(value[0])


def _dotted(value: Any) -> str:
    return f"{int(value[0])}.{int(value[1])}"


def _sizes(memory: Any) -> tuple[int, int]:
    return int(memory.total), int(memory.used)


def _watts(milliwatts: Any) -> float:
    return float(milliwatts) / 1000


def _pids(processes: Any) -> list[int]:
    return [int(process.pid) for process in processes]


def _pci_id(record: Any) -> str:
    """Return ``10de:2684`` from NVML's number, which has the device in the upper half."""
    combined = int(record.pciDeviceId)
    return f"{combined & 0xFFFF:04x}:{combined >> 16:04x}"


def cuda_version(number: Any) -> str:
    """Return "12.4" from NVML's 12040."""
    return f"{int(number) // 1000}.{int(number) % 1000 // 10}"
