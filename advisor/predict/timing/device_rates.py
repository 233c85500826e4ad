"""The rates of devices: what each can do at most for each kind of work, before how much of it a network gets."""

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np

from advisor.errors import Phrase, PredictionError
from advisor.predict.coefficients import Family, TimeCoefficients
from advisor.predict.timing.families import class_of, family_of
from advisor.predict.timing.kernels import (
    CONV,
    GROUPED,
    HALF,
    VECTOR,
    Allowed,
    Floats,
    KernelWork,
    Machines,
    is_of,
    limited_rate,
)
from advisor.predict.timing.step_work import REDUCED
from advisor.records.base import Precision
from advisor.records.hardware.device import Device

HostKind = Literal["desktop", "laptop"]
"""Of the computer around a device."""

EARLY_UNITS = frozenset({"volta", "turing"})
_USUAL_UNITS = 60.0
"""Multiprocessors of a device for which nobody states them: the middle of the catalogue."""
_USUAL_CACHE_BYTES = 4.0e6
_USUAL_POWER_W = 300.0
_NARROW_LANES = 64.0
_LEAST_POWER_RATIO = 0.3
"""Share of the power limit that at least is left for arithmetic."""
_UNIT_FLOP_PER_S = {"cpu": 2.0e11, "tpu": 5.0e13, "gaudi": 2.0e13}


def has_rates(device: Device) -> bool:
    """Return whether the figures are known without which no time can be predicted."""
    return device.bandwidth_bytes_per_s is not None and any(rate > 0 for rate in device.peak_flop_per_s.values())


def require_rates(device: Device) -> None:
    """Check that the device can be predicted.

    Raises:
        PredictionError: Its arithmetic rate or its memory bandwidth is unknown.
    """
    if not has_rates(device):
        raise PredictionError(_UNKNOWN[device.bandwidth_bytes_per_s is None], device=device.name)


_UNKNOWN = {
    True: Phrase("The memory bandwidth of {device} is unknown, so no time can be predicted for it."),
    False: Phrase("The arithmetic rate of {device} is unknown, so no time can be predicted for it."),
}


def peaks(device: Device, precision: Precision = "amp") -> tuple[float, float, float]:
    """Return the peak rates by mode: vector, TF32 and half precision; 0 where the device has no units of its own.

    Of the half-precision formats mixed precision takes the faster. A device without units for bfloat16, such as those
    of Volta and Turing, computes it on its vector units.
    Source: NVIDIA, "CUDA C++ Programming Guide", alternate floating point by compute capability, 2025.

    A device that names only a half-precision rate (a TPU) runs fp32 products in three passes of it.
    Source: JAX documentation, ``jax.lax.Precision.HIGH``, 2025.
    """
    known = device.peak_flop_per_s
    fp16, bf16 = known.get("fp16", 0.0), known.get("bf16", 0.0)
    half = {"fp16": fp16 or bf16, "bf16": bf16}.get(precision, max(fp16, bf16))
    return known.get("fp32") or max(fp16, bf16) / 3.0, known.get("tf32", 0.0), half


def width_ratio(device: Device) -> float:
    """Return 0 for multiprocessors of 64 lanes of fp32 or fewer, 1 for those of 128 or more, which use less of them.

    Source: NVIDIA, "CUDA C++ Programming Guide", arithmetic instructions by compute capability, 2025.
    """
    if device.vendor != "nvidia":
        return 0.0
    if not device.multiprocessors or not device.boost_hz:
        return 1.0
    lanes = device.peak_flop_per_s.get("fp32", 0.0) / (2.0 * device.multiprocessors * device.boost_hz)
    return min(1.0, max(0.0, lanes / _NARROW_LANES - 1.0))


def machines(devices: Sequence[Device], coefficients: TimeCoefficients, precision: Precision = "amp") -> Machines:
    """Return the attainable rates of devices at a precision, one row each."""
    families = [coefficients.families[family_of(device)] for device in devices]
    rate = np.array([peaks(device, precision) for device in devices])
    matrix = np.array(
        [[_matrix_fp32(device, family), 1.0, 1.0] for device, family in zip(devices, families, strict=True)]
    )
    rated = np.array([[device.power_w or _USUAL_POWER_W] for device in devices])
    power = np.maximum(rated - coefficients.static_w, _LEAST_POWER_RATIO * rated)
    power *= [[coefficients.laptop_power if class_of(device) == "laptop" else 1.0] for device in devices]
    allowed = power * np.array([family.flop_per_j for family in families]) * matrix
    share = np.array([coefficients.classes[class_of(device)] for device in devices])
    plateau = limited_rate(np.maximum(rate * matrix * share, 1.0), allowed, coefficients.limit)
    plateau[:, VECTOR] *= [1.0 - width_ratio(device) * (1.0 - coefficients.wide_units) for device in devices]
    measured = rate * [coefficients.plateaus.get(device.name, (0.0, 0.0, 0.0)) for device in devices]
    plateau = np.where(measured > 0.0, measured, plateau)
    plateau = plateau * np.array([family.rate for family in families])
    bandwidth = [
        (device.bandwidth_bytes_per_s or 0.0) * family.bandwidth
        for device, family in zip(devices, families, strict=True)
    ]
    return Machines(
        plateau_flop_per_s=plateau.T[:, :, None],
        units=_column([_units(device) for device in devices]),
        limiting_units=_column([limiting_units(device) for device in devices]),
        bytes_per_s=_column(bandwidth),
        cache_bytes=_column([device.l2_bytes or _USUAL_CACHE_BYTES for device in devices]),
        gap_s=_column([_gap_s(device, coefficients) for device in devices]),
        batched_height=_column([family.batched_tile[0] for family in families]),
        batched_width=_column([family.batched_tile[1] for family in families]),
        reread=_column([family.reread for family in families]),
        has_half=rate[:, HALF, None] > 0.0,
        is_early=_column([float(family_of(device) in EARLY_UNITS) for device in devices]),
    )


_PCIE_3 = frozenset({"kepler", "maxwell", "pascal", "volta", "turing", "gcn"})
_HOST_YEAR, _HOST_YEARS = 2020, 6


def has_fast_link(device: Device) -> bool:
    """Return whether a device is joined to its computer by PCIe 4.0 or later.

    Memory as programs have it is copied at 13 GB/s over PCIe 4.0, whose link does 24 of pinned memory.
    Source: NVlabs/cuda-oxide, pull request 976 (RTX 4090), read 2026-11-23.
    """
    return family_of(device) not in _PCIE_3


def host_age(device: Device, year: int | None = None) -> float:
    """Return how many years older than 2020 the processor is that launches a device's kernels.

    Args:
        device: Where the year is not known, its own age tells that of the computers it stands in.
        year: Of the processor.
    """
    if year is None:
        year = int(device.released[:4]) if device.released else _HOST_YEAR
    return float(min(max(_HOST_YEAR - year, -_HOST_YEARS), _HOST_YEARS))


def gap_age(device: Device) -> float:
    """Return how many years older than 2020 a device is as far as the time between its kernels is concerned; at most 0.

    Younger ones begin a kernel sooner: an RTX 5090 answers twelve images with DenseNet-201, of 911 kernels, in 7.8 ms
    (MatrixSP, 2025), where 14.5 us for each would be 13. Older ones are as in 2020.
    """
    return 0.0 if device.device_class == "cpu" else min(0.0, host_age(device))


def _gap_s(device: Device, coefficients: TimeCoefficients) -> float:
    gap_s = coefficients.processor_gap_s if device.device_class == "cpu" else coefficients.gap_s
    return gap_s * math.exp(coefficients.dispatch_fall * gap_age(device))


def host_kind(device: Device) -> HostKind:
    """Return in what kind of computer a device stands, whose processor decides what a launch costs.

    Servers are taken as desktop computers: those of A100s launch slower, those of H100s quicker.
    """
    return "laptop" if device.device_class in ("laptop_gpu", "soc") else "desktop"


def _column(values: Sequence[float]) -> Floats:
    return np.array(values, dtype=float)[:, None]


def _matrix_fp32(device: Device, family: Family) -> float:
    """CDNA 3 names the rate of its matrix units; older ones name that of their vector units."""
    return family.matrix_fp32 if device.architecture in ("CDNA 1.0", "CDNA 2.0") else 1.0


def _units(device: Device) -> float:
    if device.multiprocessors:
        return float(device.multiprocessors)
    typical = _UNIT_FLOP_PER_S.get(family_of(device))
    return max(1.0, peaks(device)[VECTOR] / typical) if typical else _USUAL_UNITS


def limiting_units(device: Device) -> float:
    """Return how many multiprocessors a GPU has, each of which fetches and computes so much at most.

    Infinite on a processor, and where nobody says how many there are: the few large units of a TPU are no such things.
    """
    is_counted = device.multiprocessors and device.device_class != "cpu"
    return float(device.multiprocessors or 0) if is_counted else math.inf


def convolves_in_tf32(device: Device, precision: Precision) -> bool:
    """Return whether convolutions in fp32 run in TF32; see ``allowed_modes``."""
    return precision == "fp32" and device.peak_flop_per_s.get("tf32", 0.0) > 0.0


def allowed_modes(work: KernelWork, precision: Precision) -> Allowed:
    """Return which arithmetic the products may use at a precision.

    torch lets cuDNN use TF32 for fp32 convolutions by default, but not for other products.
    Source: PyTorch documentation, "CUDA semantics", 2025.
    """
    every = np.ones(len(work.group), dtype=bool)
    convolution = is_of(work.group, (CONV, GROUPED))
    tf32 = every if precision == "tf32" else convolution & (precision == "fp32")
    return every, tf32, every & (precision in REDUCED)
