"""Intel's graphics processors, through the files of the i915 and xe drivers, or the registry on Windows.

Check: ``lspci -nn -d 8086:``, ``xpu-smi discovery``
"""

from collections.abc import Sequence

from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.found_accelerator import FoundAccelerator
from advisor.probe.gpu.pci import HABANA, INTEL, PciDevice, driver_version, pci_name, read_link
from advisor.probe.readers import Files, Readers, number
from advisor.records.base import GapReason
from advisor.records.hardware.machine import Accelerator, AcceleratorKind

# Device ids of cards; everything else Intel makes with this class is part of a processor.
# Source: pci.ids 2026-08-22 and Linux include/drm/intel/pciids.h (DG1, DG2, ATS-M, PVC, BMG).
_CARDS = ((0x4905, 0x4909), (0x4F80, 0x4F8F), (0x5690, 0x56BF), (0x56C0, 0x56C2), (0x0BD0, 0x0BDB), (0x0B69, 0x0B6E),
          (0xE200, 0xE2FF))  # fmt: skip
_DATACENTER = ((0x56C0, 0x56C2), (0x0BD0, 0x0BDB), (0x0B69, 0x0B6E))
_TOO_OLD = ((0x4905, 0x4909),)  # DG1; torch.xpu begins with Arc. Source: PyTorch "Getting Started on Intel GPU", 2026.


def probe_intel(readers: Readers, devices: Sequence[PciDevice]) -> list[FoundAccelerator]:
    """Return Intel's graphics processors and Gaudi cards; those inside processors are never taken for a card."""
    found: list[FoundAccelerator] = []
    for device in devices:
        if device.vendor in {INTEL, HABANA}:
            found.append(_read(readers.files, device, len(found), on_linux=readers.platform == "linux"))
    return found


def _within(device: PciDevice, ranges: Sequence[tuple[int, int]]) -> bool:
    try:
        number_ = int(device.device, 16)
    except ValueError:
        return False
    return any(low <= number_ <= high for low, high in ranges)


def _kind(card: PciDevice) -> AcceleratorKind:
    if card.vendor == HABANA or _within(card, _DATACENTER):
        return "datacenter"
    return "discrete" if _within(card, _CARDS) else "integrated"


def _read(files: Files, card: PciDevice, index: int, *, on_linux: bool) -> FoundAccelerator:
    log = EvidenceLog()
    check = f"lspci -nn -d {card.vendor}:" if on_linux else "Get-PnpDevice -Class Display"
    name, kind = pci_name(files, card), _kind(card)
    if name:
        log.found("name", "PCI device id" if on_linux else "display driver", check)
    else:
        log.missing("name", "not_found", f"PCI id {card.pci_id}", "set_by_hand")
    log.found("pci_id", "PCI device id", check)
    log.found("kind", "PCI device id", check)
    if card.is_asleep:
        status = f"{card.folder}/power/runtime_status"
        log.found("is_asleep", status, f"cat {status}")
    is_integrated = kind == "integrated"
    trains = not is_integrated and not _within(card, _TOO_OLD)
    log.found("trains", "integrated graphics" if is_integrated else "PCI device id")
    link = None if is_integrated or card.is_asleep else read_link(files, card)
    if not is_integrated:
        log.either("pcie", link, f"{card.folder}/current_link_speed, current_link_width",
                      "sudo lspci -vv -d 8086: | grep LnkSta", reason=_reason(card))  # fmt: skip
        log.missing("memory_used_bytes", "not_supported", "the driver shows no file for it")
        log.missing("used_by", "not_supported", "the driver shows no file for it")
    accelerator = Accelerator(
        vendor="intel",
        index=index,
        name=name or f"Intel ({card.pci_id})",
        kind=kind,
        trains=trains,
        memory_bytes=None if is_integrated else _memory(files, card, log, on_linux=on_linux),
        unified_memory=is_integrated,
        driver_version=driver_version(files, card, log, card.driver, on_linux=on_linux),
        pci_id=card.pci_id,
        pcie=link,
        power_limit_w=None if is_integrated else _power_limit(files, card, log),
        is_asleep=card.is_asleep,
    )
    return FoundAccelerator(accelerator, log)


def _reason(card: PciDevice) -> GapReason:
    return "asleep" if card.is_asleep else "not_supported"


def _memory(files: Files, card: PciDevice, log: EvidenceLog, *, on_linux: bool) -> int | None:
    """Return the card's memory: xe publishes it per tile, i915 only in Intel's own build of the driver.

    Source: intel-gpu-tools, tests/intel/xe_sysfs_tile.c (physical_vram_size_bytes counts what the driver reserves too).
    """
    if not on_linux:
        log.either("memory_bytes", card.memory_bytes, "registry HardwareInformation.qwMemorySize", "dxdiag")
        return card.memory_bytes
    total = 0
    for name in files.names(card.folder):
        if name.startswith("tile"):
            for path in (f"{card.folder}/{name}/physical_vram_size_bytes",
                         f"{card.folder}/{name}/memory/physical_vram_size_bytes"):  # fmt: skip
                total += number(files.text(path), 0) or 0
    source = f"{card.folder}/tile*/physical_vram_size_bytes"
    if not total:
        for drm in files.names(f"{card.folder}/drm"):
            total = total or number(files.text(f"{card.folder}/drm/{drm}/lmem_total_bytes"), 0) or 0
            source = f"{card.folder}/drm/{drm}/lmem_total_bytes"
    if total:
        log.found("memory_bytes", source, f"cat {source}")
        return total
    reason: GapReason = "not_supported" if card.driver in {"i915", "xe"} else "no_driver"
    remedy = "set_by_hand" if card.driver in {"i915", "xe"} else "install_intel_driver"
    log.missing(
        "memory_bytes", reason, f"driver: {card.driver}" if card.driver else "no kernel driver in charge", remedy
    )
    return None


def _power_limit(files: Files, card: PciDevice, log: EvidenceLog) -> float | None:
    """Return the power limit; hwmon can wake a sleeping card, so only an awake one is asked."""
    folder = f"{card.folder}/hwmon"
    for name in () if card.is_asleep else files.names(folder):
        for file in ("power1_max", "power2_max", "power1_rated_max"):
            microwatts = number(files.text(f"{folder}/{name}/{file}"))
            if microwatts:
                log.found("power_limit_w", f"{folder}/{name}/{file}", f"cat {folder}/{name}/{file}")
                return microwatts / 1e6
    log.missing("power_limit_w", _reason(card), "hwmon power1_max")
    return None
