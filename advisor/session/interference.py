"""Widen predictions that rest on measurements during which others had a part of the processor.

Without the others a measurement would have taken less, and at best as much less as they took: measured while others
had the share ``s``, the true time of an undisturbed computer is at least ``1 - s`` times the measured one.
"""

from collections.abc import Sequence

import msgspec

from advisor.options.candidates import Candidate
from advisor.predict import confidence_of
from advisor.records.base import Interval
from advisor.records.job.prediction import Prediction
from advisor.records.results.measurement import Benchmark

_BY_PROCESSOR = ("launch", "input")
"""Parts of a step on a card that the processor does."""
_LEAST_KEPT = 0.01
"""A processor that others had wholly would leave the interval no lower end at all."""


def widened(
    predictions: Sequence[Prediction | None], candidates: Sequence[Candidate], benchmark: Benchmark | None
) -> list[Prediction | None]:
    """Return the predictions, those of this computer's devices with what the others took in their intervals."""
    return [
        prediction
        if prediction is None or benchmark is None or candidate.torch_device is None
        else _widened(prediction, benchmark.taken_ratio(prediction.basis_detail), candidate)
        for prediction, candidate in zip(predictions, candidates, strict=True)
    ]


def _widened(prediction: Prediction, taken_ratio: float, candidate: Candidate) -> Prediction:
    kept = 1.0 - taken_ratio * _share_of_processor(prediction, candidate)
    if kept >= 1.0:
        return prediction
    interval = _lower(prediction.interval, kept)
    fed, aside = prediction.fed_interval, prediction.validation_interval
    return msgspec.structs.replace(
        prediction,
        interval=interval,
        fed_interval=None if fed is None else _lower(fed, kept),
        validation_interval=None if aside is None else _lower(aside, kept),
        confidence=confidence_of(prediction.time_per_step_s, interval),
    )


def _share_of_processor(prediction: Prediction, candidate: Candidate) -> float:
    """Return which share of a step's time the processor decides."""
    if candidate.torch_device == "cpu":
        return 1.0
    total_s = sum(part.time_s for part in prediction.parts)
    decided_s = sum(part.time_s for part in prediction.parts if part.name in _BY_PROCESSOR)
    return decided_s / total_s if total_s > 0 else 0.0


def _lower(interval: Interval, kept: float) -> Interval:
    return Interval(low=interval.low * max(kept, _LEAST_KEPT), high=interval.high)
