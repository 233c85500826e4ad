"""How many images per second a processor can decode and augment."""

from advisor.records.base import Interval
from advisor.records.prediction import InputRate
from advisor.records.workload import Workload

_DECODE_PER_CORE = 300.0  # provisional; fitted later
_AUGMENT_PER_CORE = 150.0


def input_rate(workload: Workload, cores: float) -> InputRate | None:
    """Return what ``cores`` processor cores deliver; None where nothing has to be decoded."""
    if workload.input_kind != "jpeg":
        return None
    per_core = _AUGMENT_PER_CORE if workload.augmentation else _DECODE_PER_CORE
    rate = per_core * cores
    return InputRate(samples_per_s=rate, interval=Interval(low=rate / 2, high=rate * 2), workers=cores)
