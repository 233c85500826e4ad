"""Samples shared by the tests of pace."""

import statistics

from advisor.records.results.measured.measurement import Measurement
from tests.unit.benchmark.diagnosed import product

NORMAL = [statistics.NormalDist().inv_cdf((index + 0.5) / 99) for index in range(99)]
"""As many draws of a normal distribution as evenly as they can lie."""


def run_at(*paces_s: float | None, threads: int | None = None) -> tuple[Measurement, ...]:
    """Return products, each measured at a pace."""
    return tuple(product("cpu", 64 + index, pace_s=pace_s, threads=threads) for index, pace_s in enumerate(paces_s))


def scattered(ratio: float) -> tuple[Measurement, ...]:
    """Return products of a computer whose pace has this deviation."""
    return run_at(*(2e-4 * (1 + ratio * one) for one in NORMAL))
