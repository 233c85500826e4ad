"""What a link is, from how long messages of several sizes took on it; and what a step of training takes over it."""

import math
from collections.abc import Sequence

from advisor.records.results.scaling import ScalingLink

BUCKET_BYTES = 25 * 1024**2
"""Gradients are sent in parts of this size. Source: torch.nn.parallel.DistributedDataParallel, ``bucket_cap_mb``."""

_BUS_RATIO = {
    "all_reduce": lambda n: 2 * (n - 1) / n,
    "all_gather": lambda n: (n - 1) / n,
    "reduce_scatter": lambda n: (n - 1) / n,
    "all_to_all": lambda n: (n - 1) / n,
}
"""What each worker must send, over the size of the message. Source: NVIDIA, nccl-tests, doc/PERFORMANCE.md."""


def bus_ratio(operation: str, workers: int) -> float:
    """Return what each worker sends at least, over the message's size; of what is no collective, all of it."""
    ratio = _BUS_RATIO.get(operation)
    return 1.0 if ratio is None else ratio(workers)


def fit_link(points: Sequence[tuple[float, float]], workers: int) -> ScalingLink | None:
    """Return the line through all-reduces, each weighed by one over its time; None of fewer than two sizes.

    Args:
        points: Bytes of the message, and seconds.
        workers: How many took part.
    """
    ratio = bus_ratio("all_reduce", workers)
    sent = [(size * ratio, time_s) for size, time_s in points]
    if len({volume for volume, _ in sent}) < 2:
        return None
    weights = [1 / time_s for _, time_s in sent]  # the short ones repeat less well, the long ones matter most
    total = sum(weights)
    mean_x = sum(w * x for w, (x, _) in zip(weights, sent, strict=True)) / total
    mean_y = sum(w * y for w, (_, y) in zip(weights, sent, strict=True)) / total
    spread = sum(w * (x - mean_x) ** 2 for w, (x, _) in zip(weights, sent, strict=True))
    slope = sum(w * (x - mean_x) * (y - mean_y) for w, (x, y) in zip(weights, sent, strict=True)) / spread
    latency_s = mean_y - slope * mean_x
    if latency_s < 0 or slope <= 0:  # through the longest message alone
        latency_s = 0.0
        slope = max((y / x for x, y in sent[-1:]), default=0.0)
    missed = sum(w * (y - latency_s - slope * x) ** 2 for w, (x, y) in zip(weights, sent, strict=True))
    around = sum(w * (y - mean_y) ** 2 for w, (_, y) in zip(weights, sent, strict=True))
    fit = 1 - missed / around if around > 0 else 0.0
    return ScalingLink(latency_s=latency_s, bytes_per_s=1 / slope, fit_ratio=max(fit, 0.0))


def exchange_over(link: ScalingLink, gradient_bytes: float, workers: int) -> float:
    """Return seconds in which workers add up their gradients, part by part, over a link."""
    parts = max(1, math.ceil(gradient_bytes / BUCKET_BYTES))
    return parts * link.latency_s + gradient_bytes * bus_ratio("all_reduce", workers) / link.bytes_per_s


def hidden_share(alone_s: float, together_s: float, exchange_s: float) -> float:
    """Return which share of an exchange hides behind computing; none where it cannot be told."""
    if exchange_s <= 0:
        return 0.0
    return min(max((alone_s + exchange_s - together_s) / exchange_s, 0.0), 1.0)


def step_over(link: ScalingLink, alone_s: float, gradient_bytes: float, workers: int, behind_ratio: float) -> float:
    """Return seconds of a step.

    Args:
        link: Between the workers.
        alone_s: Of a step without exchange.
        gradient_bytes: What is added up.
        workers: How many.
        behind_ratio: Share of the computing behind which exchange hides, where there is as much of it.
    """
    exchange_s = exchange_over(link, gradient_bytes, workers)
    return alone_s + exchange_s - min(exchange_s, behind_ratio * alone_s)
