"""What a measured loop of writing tokens says of a processor's memory."""

from collections.abc import Sequence

import msgspec

from advisor.predict.serving.constants import class_of, serving_table
from advisor.records.hardware.device import Device
from advisor.records.results.measured.measurement import DECODE_PROGRAM, Measurement


def as_measured(processor: Device, measurements: Sequence[Measurement]) -> Device | None:
    """Return a processor with the memory bandwidth at which weights were read on it; None where that was not measured.

    It is the bandwidth of which programs that serve reach the usual share.
    """
    found = [one for one in measurements if one.case.program == DECODE_PROGRAM and one.case.device == "cpu"]
    rate = found[-1].details.get("read_bytes_per_s") if found else None
    if not rate:
        return None
    usual = serving_table().classes[class_of(processor)].bandwidth
    return msgspec.structs.replace(processor, bandwidth_bytes_per_s=rate / usual)
