"""How wide the interval around a predicted time is, by what is known of the device, the program and the work.

How long launches take is less sure than anything else, and they are one part of a sum: where it is small, a slow
processor makes the step longer than a quick one makes it shorter. So both limits are worked out, not one width.
"""

import math
from dataclasses import dataclass

import numpy as np

from advisor.predict.coefficients import Spread, TimeCoefficients
from advisor.predict.timing.device_rates import peaks
from advisor.predict.timing.families import family_of
from advisor.predict.timing.kernels import HALF, Floats
from advisor.predict.timing.optimizer_work import optimizer_doubt
from advisor.predict.timing.step_work import REDUCED
from advisor.records.base import Z80
from advisor.records.hardware.device import Device
from advisor.records.job.workload import Workload

_UNTRIED_UNITS = frozenset({"apple"})
"""Families none of whose units for short formats was measured: those of the M5 have a rate that somebody estimated, and
whether a program gets to use them is not known either."""

_COMPILED = {"train": 0.2, "infer": 0.15}
"""How much less sure the time of a compiled network is: a compiler joins more in one network than in the next.

Judged, not fitted: GPT-2 trained on 20 cards (``texts.csv`` of ``tools/fit``) is 18 % off, 91 % where only launches
were saved; inference of 160 of timm's models on two cards of 2025, compiled, 14 % (72 %), not compiled 7 %."""

_TUNED = {"qlora": 0.3, "lora": 0.5, "full": 0.5}
"""How much less sure the time of tuning a language model is, by how it is tuned: which program does it is not told.

Judged, not fitted: of 90 figures of three programs (``tuning`` of ``tools/fit``), one of which takes nearly three times
as long as the next, 51 % lie inside without this, 77 % with it."""

_UNTRIED_PROCESSORS = {"arm": 0.9}
"""How much less sure the time on a processor of a maker none of whose was measured is, but for Apple's.

Judged by the one page that names such times: YOLO11n and YOLO11s take PyTorch on a Raspberry Pi 5 405 and 1,012 ms an
image (Ultralytics, guides/raspberry-pi.md, version 8.3.39), 3.1 and 2.9 times as long as is predicted for it."""


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """What the width of an interval depends on.

    Attributes:
        launch_ratio: Share of the device's time in which kernels wait to be launched; ``convolution_ratio``: in
            convolutions; ``traffic_ratio``: in what moves more than it computes.
        optimizer_ratio: Share in which the parameters are updated.
        is_known_device, is_known_family: Whether whole jobs were measured on this very device; on one of its family.
        is_known_rate: Whether somebody measured the rate of large products on it.
        is_known_network: Whether this network was measured on some accelerator, in such a precision.
        is_single_operation: Errors of different operations do not average out.
        is_language_model: What is trained writes text.
        device_count: Devices that share a step.
    """

    device: Device
    workload: Workload
    launch_ratio: float
    convolution_ratio: float
    is_known_device: bool
    is_known_family: bool
    is_known_network: bool
    is_single_operation: bool
    device_count: int
    traffic_ratio: float = 0.0
    optimizer_ratio: float = 0.0
    is_known_rate: bool = True
    is_language_model: bool = False


def knows(coefficients: TimeCoefficients, device: Device) -> tuple[bool, bool]:
    """Return whether whole jobs were measured on the device, and on one of its family."""
    is_card = (
        device.device_class != "soc"
    )  # its memory and its power are the processor's too; no such chip was measured
    return device.name in coefficients.devices, is_card and coefficients.families[family_of(device)].rows > 0


def weights(known: Knowledge) -> dict[str, float]:
    """Return how much each term but ``launch`` counts, by the names of ``Spread``; an absent one does not."""
    device, trains = known.device, known.workload.task == "train"
    found = {"base": 1.0}
    if family_of(device) == "cpu":
        found["convolution"] = known.convolution_ratio
        return {**found, "processor": 1.0, "processor_train": 1.0 if trains else 0.0}
    if known.is_known_network:
        found["measured"] = min(1.0, known.convolution_ratio + known.traffic_ratio)
    else:
        found |= {"convolution": known.convolution_ratio, "traffic": known.traffic_ratio}
    found["training"] = 1.0 if trains else 0.0
    if known.workload.framework_year is None:
        found["software_training" if trains else "software"] = 1.0
    if not known.is_known_family:
        found["unmeasured"] = 1.0
    if not known.is_known_device:
        found |= _unseen(device)
        computing_ratio = max(0.0, 1.0 - known.traffic_ratio - known.launch_ratio)
        found["unrated"] = 0.0 if known.is_known_rate else computing_ratio
    if known.workload.precision in REDUCED:
        has_units = peaks(device, known.workload.precision)[HALF] > 0 and not _has_untried_units(device)
        found["half" if has_units else "half_without_units"] = 1.0
    if known.device_count > 1:
        found["scaling"] = 1.0
    if known.is_single_operation:
        found["operation"] = 1.0
    return found


def _unseen(device: Device) -> dict[str, float]:
    """Return the terms of a device on which no whole job was measured: by for whom it is made, and by whom."""
    is_varied = device.for_whom == "consumer" or device.device_class == "soc"
    found = {"consumer" if is_varied else "device": 1.0}
    if device.vendor == "amd":
        found["radeon" if is_varied else "instinct"] = 1.0
    if device.vendor == "intel":  # an Arc A380 takes 1.5 times as long, a Radeon that nobody measured hardly less
        found["radeon"] = 1.0
    if device.device_class == "laptop_gpu":
        found["laptop"] = 1.0
    return found


def _has_untried_units(device: Device) -> bool:
    """Return whether nobody knows if programs get to use the units for short formats.

    On the one Radeon beside a processor that somebody measured (780M) products in 16 bit reach a quarter of the peak.
    """
    return family_of(device) in _UNTRIED_UNITS or (device.device_class == "soc" and device.vendor != "nvidia")


def limits(spread: Spread, known: Knowledge) -> tuple[float, float]:
    """Return how much shorter and longer a step may be, as logarithms, without input pipeline: the 80 % limits."""
    fitted = [getattr(spread, name) * weight for name, weight in weights(known).items()]
    others = Z80 * math.hypot(*fitted, *judged_terms(known))
    factor = math.exp(Z80 * spread.launch)
    shorter, longer = (float(launched(each, known.launch_ratio)) for each in (1.0 / factor, factor))
    return math.hypot(others, shorter), math.hypot(others, longer)


def launched(factor: Floats | float, launch_ratio: Floats | float) -> Floats:
    """Return the logarithm of a step's time over what it is, were every launch so many times as slow."""
    return np.asarray(np.log1p(launch_ratio * (np.asarray(factor) - 1.0)))


def judged_terms(known: Knowledge) -> list[float]:
    """Return the terms that nothing was fitted for: how much less sure a time is by what is known of such jobs."""
    terms = [_TUNED.get(known.workload.method, 0.0) if known.is_language_model else 0.0]
    if family_of(known.device) == "cpu":
        return [*terms, _UNTRIED_PROCESSORS.get(known.device.vendor, 0.0)]
    compiled = _COMPILED[known.workload.task] if known.workload.compiled else 0.0
    return [*terms, compiled, known.optimizer_ratio * math.log(optimizer_doubt(known.workload)) / Z80]
