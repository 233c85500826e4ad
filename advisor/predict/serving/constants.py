"""What real programs reach of a device's figures when they serve a language model, fitted on public measurements."""

from dataclasses import dataclass
from functools import cache
from typing import Final

import msgspec

from advisor.predict.coefficients import read_coefficients
from advisor.predict.timing.families import family_of
from advisor.records.base import Record
from advisor.records.hardware.device import Device

GRAPHS_SINCE = 2025
"""Since then llama.cpp launches the kernels of a token as one graph. Source: its pull request 6766, 2024-05-08."""
PACKED_SINCE = 2025
"""Since then it reads prompts with packed weights in integers, without unpacking them to 16 bit, and computes attention
in one kernel. Source: its pull requests 7676, 2024-06-10, and 15434, 2025-08-30."""


class ServingConstants(Record, frozen=True, kw_only=True):
    """Constants of one class of devices.

    Attributes:
        bandwidth: Share of the memory's bandwidth at which 16-bit weights are read; ``short``: what shorter ones reach
            of that; ``cache``: share at which keys and values are read.
        layer_s: Seconds of each layer and token that do not depend on its size; ``layer_old_s``: before kernels were
            launched as one graph.
        arithmetic: Share of the 16-bit peak that prompts reach, on a device of 100 TFLOP/s; ``slope``: by what power
            of the peak it falls; ``unpacking``: what shorter weights reach of it; ``attention``: share of attention;
            ``slope_old``, ``unpacking_old``, ``attention_old``: these before ``PACKED_SINCE``; ``experts``: what a
            mixture of experts reaches of what other models do, for each of its small products sees few tokens.
        decode_sigma, prefill_sigma: Standard deviation of the logarithm of the error.
    """

    bandwidth: float
    short: float
    cache: float
    layer_s: float
    layer_old_s: float
    arithmetic: float
    slope: float
    slope_old: float
    unpacking: float
    unpacking_old: float
    attention: float
    attention_old: float
    experts: float
    decode_sigma: float
    prefill_sigma: float


class ServingTable(Record, frozen=True, kw_only=True):
    """All classes, and what several devices add.

    Attributes:
        fitted: ISO date.
        hop_s: From one device to the next, for each token.
        pipeline: Power of the ideal gain of several devices that prompts reach.
        source: Data set that the constants are fitted on.
    """

    fitted: str
    source: str
    hop_s: float
    pipeline: float
    classes: dict[str, ServingConstants]


@cache
def serving_table() -> ServingTable:
    """Return the constants shipped with the program."""
    return read_coefficients("serving", ServingTable)


def class_of(device: Device) -> str:
    """Return the class: ``cpu``, ``apple``, ``stacked`` (HBM), ``card``, ``amd``, ``amd_soc`` or ``intel``."""
    if device.device_class in ("cpu", "apple"):
        return device.device_class
    if (device.memory_type or "").startswith("HBM"):
        return "stacked"
    if (device.vendor, device.device_class) == ("amd", "soc"):
        return "amd_soc"
    return device.vendor if device.vendor in ("amd", "intel") else "card"


@dataclass(frozen=True)
class _OfFamily:
    """What cards of one family reach with packed weights of what cards since Ampere do.

    Attributes:
        read: Of the rate at which prompts are read; ``read_old``: by programs before ``PACKED_SINCE``.
        written: Of the memory's rate at which an answer is written.
    """

    read: float = 1.0
    read_old: float = 1.0
    written: float = 1.0


_FAMILIES: Final[dict[str, _OfFamily]] = {
    "turing": _OfFamily(read=0.61),
    "pascal": _OfFamily(read=1.6, read_old=1.6, written=0.65),
}
"""Packed weights are multiplied as 8-bit integers, for which these have other instructions.

Turing multiplies them in pieces of a quarter: where later cards need one instruction, llama.cpp's kernels give four
(ggml-cuda/mma.cuh, read 2026-11-28). The middle of three figures of two cards: 0.58 (RTX 2070 Max-Q), 0.61 and 0.66
(RTX 2080 Ti); told by the other card alone, they are 3 to 11 % off. Of older programs, which unpacked first, none is
known.

Pascal has no units for products in 16 bit, yet adds up four products of 8 bit in one instruction (dp4a), which
llama.cpp uses there since 2023: a GTX 1080 Ti reads 1.59 and 1.67 times as fast as said without it, a Tesla P40 1.59
times. They write at 0.65, 0.66 and 0.85, for unpacking takes them longer than reading.
"""


def constants_of(device: Device) -> ServingConstants:
    """Return the constants of a device: of its class, and what its family reaches with packed weights."""
    found, name = serving_table().classes[class_of(device)], family_of(device)
    has_units = name != "turing" or "fp16" in device.peak_flop_per_s  # a GTX 1660 has none
    if class_of(device) != "card" or name not in _FAMILIES or not has_units:
        return found
    family = _FAMILIES[name]
    return msgspec.structs.replace(
        found,
        unpacking=found.unpacking * family.read,
        unpacking_old=found.unpacking_old * family.read_old,
        short=found.short * family.written,
    )


_FP16_ON_PROCESSOR = 0.3
"""Times as fast as in fp32 that PyTorch computes products of fp16 on a processor without instructions for them: it
widens them piece by piece. Measured: 0.22 to 0.54, middle 0.3, two cores of an EPYC with and without AVX-512, torch
2.13, a prompt of 512 tokens, 2026-11-27. Earlier versions were slower (github.com/pytorch/pytorch, issue 146508)."""


def peak_of(device: Device, weights: str, *, is_prompt: bool = True) -> float | None:
    """Return the rate that prompts are measured against: products of 16 bit, summed up in 16 bit where that is faster.

    A processor computes in fp32 whatever the weights are, but for bfloat16 where it has instructions for that, and for
    fp16, in which prompts take longer where it has none. Few tokens at once have a kernel of their own.

    Chips of Apple have units of their own for 16 bit since M5. Source: llama.cpp, pull request 16634, 2025-10. GeForce
    cards since Turing sum up in 32 bit at half the rate of 16, a TITAN RTX and those for workstations, in laptops too,
    at the same. Source: NVIDIA, GA102 whitepaper, 2020, table 2, and Turing whitepaper, 2018, appendix.
    """
    peaks = device.peak_flop_per_s
    half = max(peaks.get("fp16", 0.0), peaks.get("bf16", 0.0))
    if device.device_class == "cpu" and weights == "bf16":
        return peaks.get("bf16") or peaks.get("fp32")
    if device.device_class == "cpu" and weights == "fp16" and is_prompt:
        return peaks.get("fp16") or _FP16_ON_PROCESSOR * peaks.get("fp32", 0.0)
    if not half or device.device_class == "cpu":
        return peaks.get("fp32")
    is_halved = device.name.startswith("GeForce") and family_of(device) != "pascal"
    return half * (2.0 if is_halved else 1.0)
