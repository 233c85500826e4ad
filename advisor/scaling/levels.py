"""One level: medians and rates of its operations, the line through its all-reduces, its steps of training. Pure."""

import statistics
from collections.abc import Sequence

from advisor.predict.link_fit import bus_ratio, exchange_over, fit_link, hidden_share
from advisor.records.base import Record
from advisor.records.group import GroupResult, GroupTiming
from advisor.records.results.scaling import ScalingLevel, ScalingStep, ScalingTiming

_LEAST_STEPS = 5
"""Warm-up included, of the steps that exchange."""


class StepNetwork(Record, frozen=True, kw_only=True):
    """A network whose step is measured.

    Attributes:
        batch_size: Of each worker.
        image_size: Edge of its images; 0: the usual one.
        gradient_bytes: fp32; 0 where it is not known beforehand.
    """

    name: str
    batch_size: int
    image_size: int = 0
    gradient_bytes: int = 0


_ON_PROCESSORS = (
    StepNetwork(name="transformer_block", batch_size=2, gradient_bytes=28_351_488),
    StepNetwork(name="resnet50", batch_size=2, image_size=64, gradient_bytes=102_228_128),
    StepNetwork(name="article_cnn", batch_size=2, gradient_bytes=170_082_336),
)
_ON_ACCELERATORS = (
    StepNetwork(name="transformer_block", batch_size=32, gradient_bytes=28_351_488),
    StepNetwork(name="resnet50", batch_size=32, gradient_bytes=102_228_128),
    StepNetwork(name="article_cnn", batch_size=32, gradient_bytes=170_082_336),
)
"""The smallest first, so that where time is short the others are left out. Parameters: of each network's own source."""


def step_networks(further: str, *, is_processor: bool) -> tuple[StepNetwork, ...]:
    """Return the networks whose steps are measured, with one more where it is asked for."""
    usual = _ON_PROCESSORS if is_processor else _ON_ACCELERATORS
    if not further or any(one.name == further for one in usual):
        return usual
    return (*usual, StepNetwork(name=further, batch_size=2 if is_processor else 32))


def level_of(result: GroupResult, nodes: int, ranks: int) -> ScalingLevel:
    """Return the operations of a level, and the line through the lower quartiles of its all-reduces.

    Lines and steps are told from lower quartiles, for what else runs on the computers only ever adds to a time.
    """
    timings = tuple(_summary(timing, ranks) for timing in result.timings)
    points = [(float(one.size_bytes), one.low_s) for one in timings if one.operation == "all_reduce"]
    return ScalingLevel(nodes=nodes, ranks=ranks, timings=timings, missing=result.missing, link=fit_link(points, ranks))


def _summary(timing: GroupTiming, ranks: int) -> ScalingTiming:
    low_s, median_s, high_s = _quartiles(timing.samples_s)
    return ScalingTiming(
        operation=timing.operation,
        size_bytes=timing.size_bytes,
        median_s=median_s,
        low_s=low_s,
        high_s=high_s,
        bus_bytes_per_s=timing.size_bytes * bus_ratio(timing.operation, ranks) / median_s,
    )


def _quartiles(samples: Sequence[float]) -> list[float]:
    return statistics.quantiles(samples, n=4, method="inclusive") if len(samples) > 1 else [*samples] * 3


def least_s(level: ScalingLevel, network: StepNetwork) -> float:
    """Return how long the steps of a network take at least, by what its exchange takes on the level's link."""
    if level.link is None:
        return 0.0
    return _LEAST_STEPS * exchange_over(level.link, network.gradient_bytes, level.ranks)


def step_of(result: GroupResult, level: ScalingLevel, network: StepNetwork) -> ScalingStep:
    """Return a step of training at a level, by lower quartiles."""
    alone, together = result.timings
    alone_s, together_s = (_quartiles(one.samples_s)[0] for one in (alone, together))
    exchange_s = None if level.link is None else exchange_over(level.link, together.size_bytes, level.ranks)
    return ScalingStep(
        network=network.name,
        batch_size=network.batch_size,
        gradient_bytes=together.size_bytes,
        alone_s=alone_s,
        together_s=together_s,
        exchange_s=exchange_s,
        hidden_ratio=None if exchange_s is None else hidden_share(alone_s, together_s, exchange_s),
        speedup=level.ranks * alone_s / together_s,
    )
