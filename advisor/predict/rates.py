"""The rates a device reaches for each kind of work: what it can do, before how much of it a network gets."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from advisor.errors import PredictionError
from advisor.predict.coefficients import TimeCoefficients
from advisor.predict.work import KINDS, MATRIX_KINDS, REDUCED, Floats
from advisor.records.base import Precision
from advisor.records.device import Device


@dataclass(frozen=True)
class Rates:
    """Attainable rates of several devices: one row a device.

    Attributes:
        flop_per_s: (devices, kinds), efficiency included.
        bytes_per_s: (devices, 1), efficiency included.
        kernel_s: (devices, 1), the least time of a kernel.
        dispatch_s: (devices, 1), what the processor needs to launch one.
    """

    flop_per_s: Floats
    bytes_per_s: Floats
    kernel_s: Floats
    dispatch_s: Floats


def vector_peak(device: Device) -> float:
    """Return the fp32 rate of the plain arithmetic units.

    Raises:
        PredictionError: No rate of the device is known.
    """
    peaks = device.peak_flop_per_s
    if "fp32" in peaks:
        return peaks["fp32"]
    if peaks:
        return min(peaks.values())  # a TPU has no fp32 rate of its own; its products run in bf16 passes
    raise PredictionError(
        "The arithmetic rate of {device} is unknown, so no time can be predicted for it.", device=device.name
    )


def matrix_peak(device: Device, precision: Precision) -> float:
    """Return the rate of matrix products at a precision; that of fp32 where the device has no faster way."""
    peaks = device.peak_flop_per_s
    wanted: dict[str, tuple[str, ...]] = {
        "amp": ("fp16", "bf16"),
        "fp16": ("fp16",),
        "bf16": ("bf16",),
        "tf32": ("tf32",),
    }
    candidates = [peaks[key] for key in wanted.get(precision, ()) if key in peaks]
    if precision == "fp64":
        return peaks.get("fp64", vector_peak(device) / 32)
    return max([vector_peak(device), *candidates])


def bandwidth(device: Device) -> float:
    """Return the memory bandwidth.

    Raises:
        PredictionError: It is unknown.
    """
    if device.bandwidth_bytes_per_s is None:
        raise PredictionError(
            "The memory bandwidth of {device} is unknown, so no time can be predicted for it.", device=device.name
        )
    return device.bandwidth_bytes_per_s


def rates(devices: Sequence[Device], precision: Precision, coefficients: TimeCoefficients) -> Rates:
    """Return the attainable rates of devices at a precision."""
    flop = np.array([[_kind_rate(device, kind, precision, coefficients) for kind in KINDS] for device in devices])
    width = np.array([[bandwidth(device) * coefficients.bandwidth_efficiency] for device in devices])
    is_cpu = np.array([[device.device_class == "cpu"] for device in devices])
    return Rates(
        flop_per_s=flop,
        bytes_per_s=width,
        kernel_s=np.where(is_cpu, coefficients.kernel_s, coefficients.kernel_s),
        dispatch_s=np.where(is_cpu, 0.0, coefficients.dispatch_s),
    )


def _kind_rate(device: Device, kind: str, precision: Precision, coefficients: TimeCoefficients) -> float:
    if kind not in MATRIX_KINDS:
        return vector_peak(device)
    # torch lets cuDNN use TF32 for fp32 convolutions by default. Source: PyTorch documentation, "CUDA semantics", 2025.
    used: Precision = "tf32" if precision == "fp32" and kind == "conv" else precision
    peak = matrix_peak(device, used)
    reduced = used in REDUCED or used == "tf32"
    table = (
        coefficients.tensor_efficiency if reduced and peak > vector_peak(device) else coefficients.compute_efficiency
    )
    return peak * table[kind]
