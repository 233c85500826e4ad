"""What a measured loop of writing tokens says of a processor."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from advisor.predict.serving.constants import class_of, serving_table
from advisor.records.hardware.device import Device
from advisor.records.results.measured.measurement import DECODE_PROGRAM, Measurement

_NARROW, _WIDE = 896, 2048
"""Widths of the decoders that were measured."""


@dataclass(frozen=True)
class TokenLoop:
    """A loop of PyTorch that writes tokens, as measured.

    Attributes:
        wide_rate: Bytes of weights a second, in layers 2,048 wide.
        narrow_rate: The same, 896 wide.
        layer_s: What each layer takes besides.
        bf16_speedup: How many times as fast as in fp32 the products of a prompt are in bfloat16; ``fp16_speedup``: in
            fp16; None: not measured.
    """

    wide_rate: float
    narrow_rate: float
    layer_s: float
    bf16_speedup: float | None = None
    fp16_speedup: float | None = None

    def rate(self, width: int) -> float:
        """Return the bytes a second of layers of any width; between the two that were measured by its logarithm."""
        share = math.log(width / _NARROW) / math.log(_WIDE / _NARROW)
        return float(self.narrow_rate * (self.wide_rate / self.narrow_rate) ** min(max(share, 0.0), 1.0))


def token_loop(measurements: Sequence[Measurement]) -> TokenLoop | None:
    """Return the loop that was measured on the processor last, if any."""
    found = [one for one in measurements if one.case.program == DECODE_PROGRAM and one.case.device == "cpu"]
    details = found[-1].details if found else {}
    rate = details.get("read_bytes_per_s")
    if not rate:
        return None
    return TokenLoop(
        wide_rate=rate,
        narrow_rate=details.get("narrow_read_bytes_per_s", rate),
        layer_s=details.get("layer_s", 0.0),
        bf16_speedup=details.get("bf16_speedup"),
        fp16_speedup=details.get("fp16_speedup"),
    )


def as_measured(processor: Device, loop: TokenLoop) -> Device:
    """Return a processor with the memory bandwidth of which programs that serve reach the usual share.

    Its peaks in 16 bit are the one in fp32 times what was measured.
    """
    usual = serving_table().classes[class_of(processor)].bandwidth
    peaks = processor.peak_flop_per_s
    for name, speedup in (("bf16", loop.bf16_speedup), ("fp16", loop.fp16_speedup)):
        if speedup is not None and "fp32" in peaks:
            peaks = peaks | {name: speedup * peaks["fp32"]}
    return msgspec.structs.replace(processor, bandwidth_bytes_per_s=loop.wide_rate / usual, peak_flop_per_s=peaks)
