"""What else looks like a graphics card: adapters of virtual machines and remote consoles, and Google's TPUs."""

import re
from collections.abc import Sequence

from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.found_accelerator import FoundAccelerator
from advisor.probe.gpu.pci import AMD, GOOGLE, HABANA, INTEL, NVIDIA, TPU_NAMES, VIRTUAL_ADAPTERS, PciDevice
from advisor.records.hardware.machine import Accelerator

_BIG = {NVIDIA, AMD, INTEL, HABANA}


def probe_adapters(devices: Sequence[PciDevice]) -> list[FoundAccelerator]:
    """Return adapters of other makers; of these only a TPU trains."""
    found: list[FoundAccelerator] = []
    for device in devices:
        if device.vendor == GOOGLE and device.device in TPU_NAMES:
            found.append(_tpu(device, sum(one.accelerator.vendor == "google" for one in found)))
        elif device.vendor not in _BIG | {GOOGLE}:
            found.append(_screen(device, sum(one.accelerator.vendor == "other" for one in found)))
    return found


def _tpu(device: PciDevice, index: int) -> FoundAccelerator:
    log = EvidenceLog()
    log.found("name", "PCI device id", "lspci -nn -d 1ae0:")
    log.missing("memory_bytes", "not_supported", "needs torch_xla or JAX", "set_by_hand")
    return FoundAccelerator(
        Accelerator(
            vendor="google", index=index, name=TPU_NAMES[device.device], kind="tpu", trains=True, pci_id=device.pci_id
        ),
        log,
    )


def _screen(device: PciDevice, index: int) -> FoundAccelerator:
    log = EvidenceLog()
    name = device.name or VIRTUAL_ADAPTERS.get(device.vendor)
    log.found("name", "PCI device id" if device.vendor else "display driver", "lspci -nn")
    log.found("trains", "draws a screen, computes nothing")
    label = name or f"display adapter {device.pci_id}"
    return FoundAccelerator(
        Accelerator(
            vendor="other", index=index, name=re.sub(r"\s+", " ", label), kind="virtual", trains=False,
            pci_id=device.pci_id if device.vendor else None,
        ),
        log,
    )  # fmt: skip
