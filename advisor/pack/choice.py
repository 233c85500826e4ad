"""Which build of torch fits the cards of a computer. Pure."""

from collections.abc import Mapping
from typing import Final

from advisor.records.hardware.machine import Accelerator, Machine

AUTOMATIC: Final = "auto"
"""uv looks at the system: NVIDIA's driver version, AMD's ROCm agents, Intel's kernel driver."""
REGISTRY: Final = "registry"
"""The build that the package registry offers without being asked for a special one."""
BUILD_VARIABLE: Final = "ADVISOR_TORCH_BUILD"
"""Names the build in the environment, where a mirror offers others than uv would ask for."""
OLDEST_CUDA_13: Final = (7, 5)
"""Maxwell, Pascal and Volta (5.0 to 7.0) are left out of the builds for CUDA 12.8 and later.

Source: PyTorch's support matrices for releases 2.8 to 2.11 (github.com/pytorch/pytorch/issues/172352 and pull 175253),
read 2026-11-21: only the builds for CUDA 12.6 keep compute capabilities 5.0, 6.0 and 7.0. Release 2.15 is to end them
(github.com/pytorch/pytorch/issues/190385).
"""
FOR_OLD_CARDS: Final = "cu126"


def backend_for(machine: Machine, environment: Mapping[str, str]) -> str:
    """Return the build, as uv names it, for the first card to train on; ``cpu`` where there is none.

    uv knows the driver, not the card: an old card with a new driver would get a build without code for it. What the
    environment names comes first.
    """
    if named := environment.get(BUILD_VARIABLE):
        return named
    card = next((card for card in machine.accelerators if card.trains and not card.is_overridden), None)
    if card is None:
        return "cpu"
    if card.vendor == "nvidia":
        return FOR_OLD_CARDS if _is_before_cuda_13(card) else AUTOMATIC
    return {"amd": AUTOMATIC, "intel": "xpu", "apple": AUTOMATIC}.get(card.vendor, "cpu")


def _is_before_cuda_13(card: Accelerator) -> bool:
    major, _dot, minor = (card.compute_capability or "").partition(".")
    return major.isdecimal() and minor.isdecimal() and (int(major), int(minor)) < OLDEST_CUDA_13


def expected_devices(machine: Machine) -> tuple[str, ...]:
    """Return the kinds of torch device that a fitting pack is to offer, such as ``cuda``; both NVIDIA's and AMD's."""
    kinds = {"nvidia": "cuda", "amd": "cuda", "intel": "xpu", "apple": "mps"}
    found = {kinds[card.vendor] for card in machine.accelerators if card.trains and card.vendor in kinds
             and not card.is_overridden}  # fmt: skip
    return tuple(sorted(found))
