"""The processor as Linux shows it in /proc/cpuinfo and /sys/devices/system/cpu."""

import re

from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.host.cgroup import Limits
from advisor.probe.host.slurm import check_of
from advisor.probe.readers import Files, number
from advisor.records.base import GapReason
from advisor.records.hardware.machine import Cpu

CPU_FOLDER = "/sys/devices/system/cpu"

# Kernel flag -> our name. Source: arch/x86/include/asm/cpufeatures.h and arch/arm64/include/uapi/asm/hwcap.h.
INSTRUCTION_SETS = {
    "avx2": "AVX2",
    "avx512f": "AVX512F",
    "avx512_vnni": "AVX512_VNNI",
    "avx512vnni": "AVX512_VNNI",
    "avx_vnni": "AVX_VNNI",
    "avx512_bf16": "AVX512_BF16",
    "avx512_fp16": "AVX512_FP16",
    "amx_tile": "AMX",
    "asimd": "NEON",
    "neon": "NEON",
    "sve": "SVE",
    "sve2": "SVE2",
    "bf16": "BF16",
    "sme": "SME",  # codespell:ignore sme
}
_VENDORS = {"GenuineIntel": "Intel", "AuthenticAMD": "AMD", "HygonGenuine": "Hygon", "CentaurHauls": "Zhaoxin"}

# Arm writes numbers instead of names. Source: util-linux, sys-utils/lscpu-arm.c (implementers and parts).
_ARM_IMPLEMENTERS = {0x41: "ARM", 0x48: "HiSilicon", 0x4E: "NVIDIA", 0x50: "APM", 0x51: "Qualcomm", 0x61: "Apple",
                     0x43: "Cavium", 0x46: "Fujitsu", 0xC0: "Ampere", 0x6D: "Microsoft"}  # fmt: skip
_ARM_PARTS = {
    (0x41, 0xD03): "Cortex-A53", (0x41, 0xD04): "Cortex-A35", (0x41, 0xD05): "Cortex-A55", (0x41, 0xD07): "Cortex-A57",
    (0x41, 0xD08): "Cortex-A72", (0x41, 0xD09): "Cortex-A73", (0x41, 0xD0A): "Cortex-A75", (0x41, 0xD0B): "Cortex-A76",
    (0x41, 0xD0C): "Neoverse-N1", (0x41, 0xD0D): "Cortex-A77", (0x41, 0xD40): "Neoverse-V1",
    (0x41, 0xD41): "Cortex-A78", (0x41, 0xD42): "Cortex-A78AE", (0x41, 0xD44): "Cortex-X1",
    (0x41, 0xD49): "Neoverse-N2", (0x41, 0xD4F): "Neoverse-V2", (0x41, 0xD80): "Cortex-A520",
    (0x41, 0xD81): "Cortex-A720", (0x41, 0xD83): "Neoverse-V3AE", (0x41, 0xD84): "Neoverse-V3",
    (0x41, 0xD85): "Cortex-X925", (0x41, 0xD87): "Cortex-A725", (0x46, 0x001): "A64FX", (0x48, 0xD01): "Kunpeng-920",
    (0x4E, 0x004): "Carmel", (0xC0, 0xAC3): "Ampere-1", (0xC0, 0xAC4): "Ampere-1a",  # codespell:ignore carmel
}  # fmt: skip


def probe_cpu(files: Files, architecture: str, hidden: GapReason, limits: Limits, log: EvidenceLog) -> Cpu:
    """Return the processor, with what control groups and affinity leave of it.

    Args:
        files: The file tree.
        architecture: As the kernel calls it.
        hidden: Why facts are missing where they are.
        limits: Of the control groups.
        log: Takes the notes.
    """
    blocks = _blocks(files)
    first = blocks[0] if blocks else {}
    logical = _logical_cores(files, blocks)
    physical = _physical_cores(files, blocks)
    base, base_from = _base_frequency(files, first, is_virtual=hidden == "virtual_machine")
    maximum = number(files.text(f"{CPU_FOLDER}/cpu0/cpufreq/cpuinfo_max_freq"))
    caches = _caches(files)
    flags = (first.get("flags") or first.get("Features") or "").split()
    sets = tuple(dict.fromkeys(INSTRUCTION_SETS[flag] for flag in flags if flag in INSTRUCTION_SETS))
    name, vendor = _name(files, first, blocks)
    cpu = Cpu(
        name=name,
        vendor=vendor,
        architecture=architecture,
        physical_cores=physical,
        logical_cores=logical,
        usable_cores=_usable_cores(files, logical, limits, log),
        base_frequency_hz=base,
        max_frequency_hz=maximum * 1e3 if maximum else None,
        caches_bytes=caches,
        instruction_sets=sets,
        vector_bits=vector_bits(vendor, number(first.get("cpu family")), number(first.get("model"))),
    )
    for field in ("name", "vendor"):
        log.found(field, "/proc/cpuinfo", "lscpu")
    log.found("architecture", "uname", "uname -m")
    log.found("logical_cores", "/proc/cpuinfo", "nproc --all")
    log.either("physical_cores", physical, f"{CPU_FOLDER}/cpu*/topology", "lscpu -p=CORE,SOCKET", reason="not_found")
    log.either("base_frequency_hz", base, base_from or f"{CPU_FOLDER}/cpu0/cpufreq/base_frequency",
                  "lscpu", reason=hidden)  # fmt: skip
    log.either("max_frequency_hz", cpu.max_frequency_hz, f"{CPU_FOLDER}/cpu0/cpufreq/cpuinfo_max_freq",
                  "lscpu | grep MHz", reason=hidden)  # fmt: skip
    log.either("caches_bytes", caches or None, f"{CPU_FOLDER}/cpu*/cache", "lscpu -C", reason=hidden)
    log.found("instruction_sets", "/proc/cpuinfo flags", "lscpu | grep -i flags")
    return cpu


def _blocks(files: Files) -> list[dict[str, str]]:
    """Return the paragraphs of /proc/cpuinfo, one per hardware thread."""
    blocks = []
    for paragraph in re.split(r"\n\s*\n", files.text("/proc/cpuinfo") or ""):
        pairs = (line.partition(":") for line in paragraph.splitlines())
        block = {key.strip(): value.strip() for key, _, value in pairs if key.strip()}
        if "processor" in block:
            blocks.append(block)
    return blocks


def _name(files: Files, first: dict[str, str], blocks: list[dict[str, str]]) -> tuple[str, str]:
    """Return (name, vendor); Arm gives implementer and part numbers, big and little cores together."""
    vendor = first.get("vendor_id", "")
    name = first.get("model name") or first.get("cpu model") or first.get("cpu") or ""
    if name and vendor:
        return tidy_name(name), _VENDORS.get(vendor, vendor)
    implementer = number(first.get("CPU implementer"), 16)
    parts = []
    for block in blocks:
        part = number(block.get("CPU part"), 16)
        if implementer is not None and part is not None:
            parts.append(_ARM_PARTS.get((implementer, part), f"part {part:#x}"))
    maker = _ARM_IMPLEMENTERS.get(implementer or 0, "")
    cores = " + ".join(dict.fromkeys(parts))
    board = (files.text("/proc/device-tree/model") or "").strip("\0")
    named = tidy_name(name) or f"{maker} {cores}".strip()
    return (f"{named} ({board})" if board and named else named or board or "?"), maker or vendor or "?"


def vector_bits(vendor: str, family: int | None, model: int | None) -> int | None:
    """Return the width of a processor's arithmetic on vectors where it is less than its instructions'; None: it is not.

    AMD's first two generations with AVX2 split its instructions in halves of 128 bits.
    Source: Software Optimization Guide for AMD Family 17h Processors, 55723, 2017, floating-point unit; Linux,
    arch/x86/kernel/cpu/amd.c: models up to 2Fh of family 17h are Zen and Zen+, Hygon's family 18h is built like them.
    """
    is_split = (vendor, family) == ("Hygon", 0x18) or (
        (vendor, family) == ("AMD", 0x17) and model is not None and model < 0x30
    )
    return 128 if is_split else None


def tidy_name(name: str) -> str:
    """Return a processor's name without trade marks, clock and padding."""
    name = re.sub(r"\((R|TM|tm|r)\)|®|™", "", name)
    name = re.sub(r"\s*@\s*[\d.]+\s*[GM]Hz", "", name)
    name = re.sub(r"\b(CPU|\d+-Core Processor|Processor)\b\s*$", "", " ".join(name.split())).strip()
    return " ".join(re.sub(r"\bCPU\b", "", name).split())


def _logical_cores(files: Files, blocks: list[dict[str, str]]) -> int:
    if blocks:
        return len(blocks)
    present = files.text(f"{CPU_FOLDER}/present")
    return count_list(present) if present else 1


def count_list(text: str) -> int:
    """Return how many numbers a kernel list such as "0-3,8-11" names."""
    total = 0
    for part in text.replace("\n", ",").split(","):
        first, _, last = part.strip().partition("-")
        if first.isdigit():
            total += int(last) - int(first) + 1 if last.isdigit() else 1
    return total


def _physical_cores(files: Files, blocks: list[dict[str, str]]) -> int | None:
    siblings = {
        files.text(f"{CPU_FOLDER}/{name}/topology/thread_siblings_list")
        for name in files.names(CPU_FOLDER)
        if re.fullmatch(r"cpu\d+", name)
    } - {None, ""}
    if siblings:
        return len(siblings)
    pairs = {(block.get("physical id"), block.get("core id")) for block in blocks if "core id" in block}
    return len(pairs) or None


def _usable_cores(files: Files, logical: int, limits: Limits, log: EvidenceLog) -> float:
    """Return the cores this process may use: affinity first, then the control groups' processor time."""
    usable, source, check = float(logical), "/proc/cpuinfo", "nproc"
    for line in (files.text("/proc/self/status") or "").splitlines():
        if line.startswith("Cpus_allowed_list:"):
            allowed = count_list(line.partition(":")[2])
            if 0 < allowed < usable:
                usable, source = float(allowed), "/proc/self/status Cpus_allowed_list"
    if limits.cores is not None and limits.cores < usable:
        usable, source, check = limits.cores, limits.cores_from, check_of(limits.cores_from)
    log.found("usable_cores", source, check)
    return usable


def _base_frequency(files: Files, first: dict[str, str], *, is_virtual: bool) -> tuple[float | None, str]:
    """Return (nominal clock, where it was read).

    Virtual machines hide the cpufreq folder; there ``cpu MHz`` is the rate of the time stamp counter, which on
    processors of the last 15 years is the nominal clock (flag constant_tsc).
    """
    khz = number(files.text(f"{CPU_FOLDER}/cpu0/cpufreq/base_frequency"))
    if khz:
        return khz * 1e3, f"{CPU_FOLDER}/cpu0/cpufreq/base_frequency"
    mhz = number(files.text(f"{CPU_FOLDER}/cpu0/acpi_cppc/nominal_freq"))
    if mhz:
        return mhz * 1e6, f"{CPU_FOLDER}/cpu0/acpi_cppc/nominal_freq"
    match = re.search(r"@\s*([\d.]+)\s*GHz", first.get("model name", ""))
    if match:
        return float(match.group(1)) * 1e9, "/proc/cpuinfo model name"
    no_scaling = not files.exists(f"{CPU_FOLDER}/cpu0/cpufreq")
    if is_virtual and no_scaling and "constant_tsc" in first.get("flags", "").split():
        rate = _decimal(first.get("cpu MHz", ""))
        if rate:
            return rate * 1e6, "/proc/cpuinfo cpu MHz (time stamp counter)"
    return None, ""


def _decimal(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _caches(files: Files) -> dict[str, int]:
    """Return bytes per cache level over the machine; a cache shared by several cores counts once."""
    sizes: dict[tuple[str, str], int] = {}
    for cpu in files.names(CPU_FOLDER):
        if not re.fullmatch(r"cpu\d+", cpu):
            continue
        for index in files.names(f"{CPU_FOLDER}/{cpu}/cache"):
            folder = f"{CPU_FOLDER}/{cpu}/cache/{index}"
            size = _size_bytes(files.text(f"{folder}/size"))
            level, kind = files.text(f"{folder}/level"), files.text(f"{folder}/type")
            shared = files.text(f"{folder}/shared_cpu_list") or cpu
            if size and level:
                suffix = {"Data": "d", "Instruction": "i"}.get(kind or "", "")
                sizes[f"L{level}{suffix}", shared] = size
    caches: dict[str, int] = {}
    for (name, _), size in sorted(sizes.items()):
        caches[name] = caches.get(name, 0) + size
    return caches


def _size_bytes(text: str | None) -> int | None:
    """Return bytes from "32K" or "96M"."""
    match = re.fullmatch(r"(\d+)([KMG]?)", text or "")
    return int(match.group(1)) * {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3}[match.group(2)] if match else None
