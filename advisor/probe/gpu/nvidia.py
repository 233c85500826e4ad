"""NVIDIA cards, through NVML where it answers and through the PCI bus where it does not or must not.

A card that the kernel has put to sleep is not woken: NVML is then not asked about it at all.
Check: ``nvidia-smi -q``
"""

from collections.abc import Sequence
from dataclasses import dataclass

from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.found_accelerator import FoundAccelerator
from advisor.probe.gpu.jetson import probe_jetson
from advisor.probe.gpu.nvidia_card import kind_of, read_card, shares_memory
from advisor.probe.gpu.nvml import REMEDIES, Nvml, NvmlCallError
from advisor.probe.gpu.pci import NVIDIA, PciDevice, pci_name
from advisor.probe.readers import Files, Readers
from advisor.records.base import GapReason
from advisor.records.hardware.machine import Accelerator, Host
from advisor.waiting import within

_UNKNOWN_FIELDS = ("memory_bytes", "memory_used_bytes", "compute_api_version", "compute_capability", "pcie",
                   "power_limit_w", "ecc_enabled", "mig_enabled", "used_by")  # fmt: skip
MOST_CARDS = 256
ANSWER_S = 30.0
"""After which a driver that does not answer counts as hung. Where nothing keeps the driver loaded, each card takes one
to three seconds at the first question.

Source: NVIDIA, "Driver Persistence" (docs.nvidia.com/deploy/driver-persistence)."""


@dataclass(frozen=True, kw_only=True)
class _Why:
    """Why a card cannot be asked."""

    reason: GapReason
    detail: str = ""
    remedy: str | None = None


_ASLEEP = _Why(reason="asleep", detail="runtime_status: suspended", remedy=REMEDIES["asleep"])


@dataclass(frozen=True, kw_only=True)
class _Search:
    """What the search for cards works with."""

    readers: Readers
    cards: tuple[PciDevice, ...]
    host: Host
    log: EvidenceLog


def probe_nvidia(
    readers: Readers, devices: Sequence[PciDevice], host: Host, log: EvidenceLog
) -> list[FoundAccelerator]:
    """Return NVIDIA's cards; what speaks of no single card goes to the log."""
    cards = tuple(device for device in devices if device.vendor == NVIDIA)
    search = _Search(readers=readers, cards=cards, host=host, log=log)
    asleep = [card for card in cards if card.is_asleep]
    if cards and len(asleep) == len(cards):
        return [_from_pci(readers.files, card, index, _ASLEEP) for index, card in enumerate(cards)]
    try:
        library = readers.nvml()
    except ImportError as error:
        return _without_nvml(search, _Why(reason="not_installed", detail=str(error), remedy="install_pynvml"))

    def ask() -> list[FoundAccelerator]:
        with Nvml(library, attach=not asleep) as nvml:
            return _awake_only(search, nvml) if asleep else _all(search, nvml)

    try:
        with readers.nvml_tried(ANSWER_S, attach=not asleep):
            return within(ANSWER_S, ask)
    except NvmlCallError as error:
        return _without_nvml(search, _why_closed(search, error))
    except TimeoutError:
        why = _Why(reason="timeout", detail=f"NVML: no answer within {ANSWER_S:g} s", remedy=REMEDIES["device_lost"])
        return _without_nvml(search, why)
    except ChildProcessError as error:
        why = _Why(reason="unreadable", detail=str(error), remedy=REMEDIES["no_driver"])
        return _without_nvml(search, why)


def _all(search: _Search, nvml: Nvml) -> list[FoundAccelerator]:
    count = nvml.answer("nvmlDeviceGetCount", convert=_count)
    if count < len(search.cards):
        detail = f"NVML shows {count} of {len(search.cards)} NVIDIA cards"
        search.log.missing("accelerators", "device_lost", detail, REMEDIES["device_lost"])
    return [
        read_card(search.readers, nvml, index, ("nvmlDeviceGetHandleByIndex", index), search.host)
        for index in range(count)
    ]


def _count(answer: object) -> int:
    """Return how many cards there are, at most as many as a computer can hold."""
    if not isinstance(answer, int) or not 0 <= answer <= MOST_CARDS:
        raise ValueError(answer)
    return answer


def _awake_only(search: _Search, nvml: Nvml) -> list[FoundAccelerator]:
    """Return all cards, asking the awake ones by their address, so that no other card is touched."""
    return [
        _from_pci(search.readers.files, card, index, _ASLEEP)
        if card.is_asleep
        else read_card(search.readers, nvml, index, ("nvmlDeviceGetHandleByPciBusId", card.address), search.host)
        for index, card in enumerate(search.cards)
    ]


def _why_closed(search: _Search, error: NvmlCallError) -> _Why:
    """Return why NVML did not open, sharpened by what the system shows of the driver."""
    files, reason = search.readers.files, error.reason
    has_module = files.exists("/sys/module/nvidia") or files.exists("/proc/driver/nvidia/version")
    is_windows_linux = files.exists("/dev/dxg")
    if reason == "no_driver" and search.host.isolation == "container" and (has_module or search.cards):
        reason = "container"
    elif reason == "no_driver" and (has_module or is_windows_linux):
        reason = "driver_without_library"
    remedy = "install_wsl_driver" if is_windows_linux else REMEDIES.get(reason)
    return _Why(reason=reason, detail=error.detail, remedy=remedy)


def _without_nvml(search: _Search, why: _Why) -> list[FoundAccelerator]:
    """Return the cards the PCI bus shows; without any, say so where a driver promises some."""
    jetson = probe_jetson(search.readers.files, search.host.memory.total_bytes)
    if jetson is not None:
        return [jetson]
    if not search.cards and why.reason not in {"no_driver", "not_installed"}:
        search.log.missing("accelerators", why.reason, why.detail, why.remedy)
    return [_from_pci(search.readers.files, card, index, why) for index, card in enumerate(search.cards)]


def _from_pci(files: Files, card: PciDevice, index: int, why: _Why) -> FoundAccelerator:
    """Return what is known of a card without asking it."""
    log = EvidenceLog()
    known = pci_name(files, card)
    name = known or f"NVIDIA ({card.pci_id})"
    if known:
        log.found("name", "PCI device id", "lspci -nn -d 10de:")
    else:
        log.missing("name", "not_found", f"PCI id {card.pci_id}", "set_by_hand")
    log.found("pci_id", "PCI device id", "lspci -nn -d 10de:")
    log.found("kind", "card name")
    log.found("trains", "card name")
    if card.is_asleep:
        status = f"{card.folder}/power/runtime_status"
        log.found("is_asleep", status, f"cat {status}")
    driver = card.driver_version or files.text("/sys/module/nvidia/version")
    in_charge = f"driver: {card.driver}" if card.driver else "no kernel driver in charge"
    if driver:
        how = "registry DriverVersion" if card.driver_version else "/sys/module/nvidia/version"
        log.found("driver_version", how, "modinfo -F version nvidia")
    else:
        log.missing("driver_version", "no_driver", in_charge, REMEDIES["no_driver"])
    if card.memory_bytes is not None:
        log.found("memory_bytes", "registry HardwareInformation.qwMemorySize", "dxdiag")
    for field in _UNKNOWN_FIELDS if card.memory_bytes is None else _UNKNOWN_FIELDS[1:]:
        log.missing(field, why.reason, why.detail or in_charge, why.remedy)
    accelerator = Accelerator(
        vendor="nvidia", index=index, name=name, kind=kind_of(name), trains=True, driver_version=driver,
        memory_bytes=card.memory_bytes,
        pci_id=card.pci_id, is_asleep=card.is_asleep, unified_memory=shares_memory(name),
    )  # fmt: skip
    return FoundAccelerator(accelerator, log)
