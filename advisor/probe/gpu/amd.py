"""AMD's graphics processors, through the files of the amdgpu driver, or the registry on Windows.

Source of the file names: kernel documentation, gpu/amdgpu/driver-misc and gpu/amdgpu/thermal.
Check: ``rocm-smi``, ``amd-smi static``
"""

import re
from collections.abc import Sequence

from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.found_accelerator import FoundAccelerator
from advisor.probe.gpu.pci import AMD, PciDevice, driver_version, is_ambiguous, pci_name, read_link
from advisor.probe.readers import Files, Readers, number
from advisor.records.base import GapReason
from advisor.records.hardware.machine import Accelerator, AcceleratorKind, PcieLink

_KFD = "/sys/class/kfd/kfd"
_OLDEST_TARGET = (9, 0, 0)
"""Oldest target torch's ROCm builds of the last years carry kernels for: Vega, gfx900.
Source: PYTORCH_ROCM_ARCH of pytorch's wheel builds (github.com/pytorch/pytorch/pull/167299), read 2026-11-21."""
_TRAINING_NAMES = re.compile(
    r"Instinct|\bMI\d{2,3}|Vega (56|64|FE|Frontier|II)|RX Vega|Radeon VII|\bRX [5-9]\d{3}|\bW[5-9]\d{3}|"
    r"\bV[567][12]0|PRO R\d{4}|Pro (VII|Vega II|5[67]00)",
    re.IGNORECASE,
)
_INTEGRATED_NAMES = re.compile(
    r"Radeon(\(TM\))? Graphics$|\b\d{3}M\b|\b80[456]0S\b|Vega \d{1,2} Graphics|Radeon R\d Graphics|Custom GPU",
    re.IGNORECASE,
)


def probe_amd(readers: Readers, devices: Sequence[PciDevice]) -> list[FoundAccelerator]:
    """Return AMD's graphics processors; integrated ones are never taken for a card to train on."""
    cards = [device for device in devices if device.vendor == AMD]
    return [_read(readers.files, card, index, on_linux=readers.platform == "linux") for index, card in enumerate(cards)]


def _read(files: Files, card: PciDevice, index: int, *, on_linux: bool) -> FoundAccelerator:
    log = EvidenceLog()
    check = "lspci -nn -d 1002:" if on_linux else "Get-PnpDevice -Class Display"
    name = pci_name(files, card)
    target = _target(files, card) if on_linux else None
    kind = _kind(files, card, name or "")
    if name and not is_ambiguous(name):
        log.found("name", "PCI device id and revision" if on_linux else "display driver", check)
    else:
        log.missing("name", "not_found", f"PCI id {card.pci_id}, revision {card.revision}", "set_by_hand")
    log.found("pci_id", "PCI device id", check)
    log.found("kind", "PCI device id, hwmon in1_label", check)
    if card.is_asleep:
        status = f"{card.folder}/power/runtime_status"
        log.found("is_asleep", status, f"cat {status}")
    if target:
        log.found("architecture", f"{_KFD}/topology", "rocminfo | grep gfx")
    is_integrated = kind == "integrated"
    accelerator = Accelerator(
        vendor="amd",
        index=index,
        name=name or f"AMD ({card.pci_id})",
        kind=kind,
        trains=_trains(name or "", target, kind, log),
        memory_bytes=None if is_integrated else _memory(files, card, log, on_linux=on_linux),
        memory_used_bytes=None if is_integrated else _memory_used(files, card, log),
        unified_memory=is_integrated,
        driver_version=driver_version(files, card, log, "amdgpu", on_linux=on_linux),
        architecture=target,
        pci_id=card.pci_id,
        pcie=None if is_integrated else _pcie(files, card, log),
        power_limit_w=None if is_integrated else _power_limit(files, card, log),
        is_asleep=card.is_asleep,
        used_by=() if is_integrated else _users(files, log),
    )
    return FoundAccelerator(accelerator, log)


def _kind(files: Files, card: PciDevice, name: str) -> AcceleratorKind:
    """Tell processors with graphics from cards.

    The size of the memory tells nothing (Strix Halo shows up to 96 GB), so three other signs are taken: the range of
    device ids AMD gives its processors (pci.ids, 2026-08-22), the name, and the voltage ``vddnb``, which the driver
    shows for processors only (amdgpu_pm.c: "only APUs have vddnb").
    """
    if "Instinct" in name or re.search(r"\bMI\d{2,3}", name):
        return "datacenter"
    device = int(card.device, 16) if re.fullmatch("[0-9a-f]{4}", card.device) else 0
    is_processor = 0x1100 <= device <= 0x1FFF or 0x9600 <= device <= 0x99FF
    labels = {files.text(f"{folder}/in1_label") for folder in _sensors(files, card)}
    return "integrated" if is_processor or "vddnb" in labels or _INTEGRATED_NAMES.search(name) else "discrete"


def _trains(name: str, target: str | None, kind: AcceleratorKind, log: EvidenceLog) -> bool:
    if kind == "integrated":
        log.found("trains", "integrated graphics")
        return False
    version = _target_version(target)
    trains = version >= _OLDEST_TARGET if version is not None else bool(_TRAINING_NAMES.search(name))
    log.found("trains", target or "card name", "rocminfo | grep gfx")
    return trains


def _target(files: Files, card: PciDevice) -> str | None:
    """Return the compiler target, such as ``gfx1100``, from the compute driver's list of processors."""
    bus, _, rest = card.address.rpartition(":")
    slot, _, function = rest.partition(".")
    location = (int(bus.rpartition(":")[2], 16) << 8) | (int(slot, 16) << 3) | int(function, 16)
    for node in files.names(f"{_KFD}/topology/nodes"):
        text = files.text(f"{_KFD}/topology/nodes/{node}/properties") or ""
        values = dict(line.split(" ", 1) for line in text.splitlines() if " " in line)
        version = number(values.get("gfx_target_version"))
        if version and number(values.get("location_id")) == location:
            return f"gfx{version // 10000}{version // 100 % 100:x}{version % 100:x}"
    return None


def _target_version(target: str | None) -> tuple[int, int, int] | None:
    """Return (major, minor, step) of a target; the last two are single hexadecimal digits."""
    match = re.fullmatch(r"gfx(\d+)([0-9a-f])([0-9a-f])", target or "")
    return (int(match.group(1)), int(match.group(2), 16), int(match.group(3), 16)) if match else None


def _memory(files: Files, card: PciDevice, log: EvidenceLog, *, on_linux: bool) -> int | None:
    """Return the card's memory; the driver answers from its own notes, so a sleeping card may be asked."""
    if not on_linux:
        log.either("memory_bytes", card.memory_bytes, "registry HardwareInformation.qwMemorySize", "dxdiag")
        return card.memory_bytes
    path = f"{card.folder}/mem_info_vram_total"
    memory = number(files.text(path))
    if memory is None:
        log.missing(
            "memory_bytes",
            "no_driver",
            f"driver: {card.driver}" if card.driver else "no kernel driver in charge",
            "install_amd_driver",
        )
    else:
        log.found("memory_bytes", path, f"cat {path}")
    return memory


def _memory_used(files: Files, card: PciDevice, log: EvidenceLog) -> int | None:
    path = f"{card.folder}/mem_info_vram_used"
    used = None if card.is_asleep else number(files.text(path))
    log.either("memory_used_bytes", used, path, f"cat {path}", reason=_reason(card))
    return used


def _reason(card: PciDevice) -> GapReason:
    return "asleep" if card.is_asleep else "not_supported"


def _pcie(files: Files, card: PciDevice, log: EvidenceLog) -> PcieLink | None:
    link = None if card.is_asleep else read_link(files, card)
    log.either("pcie", link, f"{card.folder}/current_link_speed, current_link_width",
                  "sudo lspci -vv -d 1002: | grep LnkSta", reason=_reason(card))  # fmt: skip
    return link


def _power_limit(files: Files, card: PciDevice, log: EvidenceLog) -> float | None:
    """Return the power limit; hwmon wakes a sleeping card, so only an awake one is asked."""
    for folder in () if card.is_asleep else _sensors(files, card):
        microwatts = number(files.text(f"{folder}/power1_cap"))
        if microwatts:
            log.found("power_limit_w", f"{folder}/power1_cap", f"cat {folder}/power1_cap")
            return microwatts / 1e6
    log.missing("power_limit_w", _reason(card), "hwmon power1_cap")
    return None


def _users(files: Files, log: EvidenceLog) -> tuple[str, ...]:
    """Return programs that compute on AMD cards; those that only draw are not seen."""
    names = {files.text(f"/proc/{pid}/comm") or "" for pid in files.names(f"{_KFD}/proc")}
    if files.exists(_KFD):
        log.found("used_by", f"{_KFD}/proc", "rocm-smi --showpids")
    else:
        log.missing("used_by", "not_supported", "no /dev/kfd", None)
    return tuple(sorted(names - {""}))


def _sensors(files: Files, card: PciDevice) -> list[str]:
    folder = f"{card.folder}/hwmon"
    return [f"{folder}/{name}" for name in files.names(folder)]
