"""Widen predictions that rest on measurements during which others had a part of the processor.

Without the others a measurement would have taken less: measured while others had a share of the processor, the true
time of an undisturbed computer is at least what ``Benchmark.lost_ratio`` leaves of the measured one.

That holds while others had some of it. Where they had nearly all, a step took 80 times as long: then what is worked out
without the measurement takes its place where it is shorter, for others never make a computer faster. Where the step's
threads waited for each other too, nobody knows how much of its time that was, and the range reaches to what is worked
out without it. Where an earlier check that was less disturbed took less for the same job, that time is told, and the
range reaches up to what the step took beside the others now.
"""

import math
from collections.abc import Callable

import msgspec

from advisor.records.base import Interval
from advisor.records.job.prediction import Prediction, confidence_of, processor_ratio
from advisor.records.results.measured.measurement import UNTRUSTED_RATIO, Benchmark

_LEAST_KEPT = 0.01
"""A processor that others had wholly would leave the interval no lower end at all."""


def widen_for_interference(
    prediction: Prediction, torch_device: str, benchmark: Benchmark, worked_out: Callable[[], Prediction | None]
) -> Prediction:
    """Return a prediction for one of the measured computer's devices, with what others took in its intervals.

    Args:
        prediction: With the ids of the cases it rests on.
        torch_device: torch's name of the device, such as ``cuda:0``.
        benchmark: What was measured, with what disturbed it.
        worked_out: What follows without the measurements, for where they do not say enough.
    """
    slowed_times = benchmark.slowed_times(prediction.basis_detail)
    if slowed_times > 1.0:
        return _with_ends(prediction, lambda ends: _reaching(ends, slowed_times))
    on_card = torch_device != "cpu"
    taken = benchmark.taken_ratio(prediction.basis_detail)
    disturbed = benchmark.disturbed_ratio(prediction.basis_detail)
    is_untrusted = disturbed * processor_ratio(prediction, on_card=on_card) >= UNTRUSTED_RATIO
    unmeasured = worked_out() if is_untrusted or disturbed > taken else None
    if is_untrusted and unmeasured is not None and unmeasured.time_per_step_s < prediction.time_per_step_s:
        return msgspec.structs.replace(
            unmeasured,
            memory=prediction.memory,  # which nobody takes away by computing
            memory_bytes=prediction.memory_bytes,
            basis_detail=prediction.basis_detail,
        )
    kept = 1.0 - benchmark.lost_ratio(prediction, on_card=on_card, counts_waiting=False)
    if kept >= 1.0:
        return prediction
    found = _with_ends(prediction, lambda ends: Interval(low=ends.low * max(kept, _LEAST_KEPT), high=ends.high))
    if unmeasured is None:
        return found
    interval = Interval(low=min(found.interval.low, unmeasured.interval.low), high=found.interval.high)
    return msgspec.structs.replace(found, interval=interval, confidence=confidence_of(found.time_per_step_s, interval))


def _reaching(ends: Interval, times: float) -> Interval:
    """Return an interval that holds so many times its middle as well."""
    return Interval(low=ends.low, high=max(ends.high, math.sqrt(ends.low * ends.high) * times))


def _with_ends(prediction: Prediction, changed: Callable[[Interval], Interval]) -> Prediction:
    """Return a prediction with each of its intervals changed."""
    interval, fed, aside = changed(prediction.interval), prediction.fed_interval, prediction.validation_interval
    return msgspec.structs.replace(
        prediction,
        interval=interval,
        fed_interval=None if fed is None else changed(fed),
        validation_interval=None if aside is None else changed(aside),
        confidence=confidence_of(prediction.time_per_step_s, interval),
    )
