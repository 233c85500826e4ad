"""NVIDIA's Jetson boards, which have neither a PCI card nor, before JetPack 6, NVML. Check: ``tegrastats``."""

from advisor.probe.evidence_log import EvidenceLog
from advisor.probe.found_accelerator import FoundAccelerator
from advisor.probe.readers import Files
from advisor.records.hardware.machine import Accelerator

_MODEL = "/proc/device-tree/model"
_COMPATIBLE = "/proc/device-tree/compatible"

# Source: NVIDIA, "CUDA GPU Compute Capability", read 2026-11-21 (Nano and TX1, TX2, Xavier, Orin).
_CAPABILITIES = {"tegra210": "5.3", "tegra186": "6.2", "tegra194": "7.2", "tegra234": "8.7"}


def board_name(files: Files) -> str | None:
    """Return the board's name, such as "NVIDIA Jetson AGX Orin Developer Kit"; None on other computers."""
    if "nvidia,tegra" not in (files.text(_COMPATIBLE) or ""):
        return None
    model = (files.text(_MODEL) or "").strip("\0 ")
    return model if model.startswith("NVIDIA") else f"NVIDIA {model}".strip()


def probe_jetson(files: Files, host_memory_bytes: int) -> FoundAccelerator | None:
    """Return the board's graphics processor, as far as the device tree tells; None on other computers."""
    name = board_name(files)
    if name is None:
        return None
    log = EvidenceLog()
    chips = files.text(_COMPATIBLE) or ""
    capability = next((value for chip, value in _CAPABILITIES.items() if f"nvidia,{chip}" in chips), None)
    for field in ("name", "kind", "trains"):
        log.found(field, _MODEL, f"cat {_MODEL}")
    log.found("memory_bytes", "/proc/meminfo MemTotal", "free -b")
    log.found("unified_memory", _MODEL)
    log.either("compute_capability", capability, _COMPATIBLE, f"cat {_COMPATIBLE}", reason="not_found")
    for field in ("memory_used_bytes", "driver_version", "compute_api_version", "power_limit_w", "used_by", "pcie",
                  "ecc_enabled", "mig_enabled"):  # fmt: skip
        log.missing(field, "not_supported", "Jetson without NVML")
    accelerator = Accelerator(
        vendor="nvidia",
        index=0,
        name=name,
        kind="integrated",
        trains=True,
        memory_bytes=host_memory_bytes,
        unified_memory=True,
        compute_capability=capability,
    )
    return FoundAccelerator(accelerator, log)
