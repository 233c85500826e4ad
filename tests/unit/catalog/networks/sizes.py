"""Samples shared by the tests of attention, classical, tables."""

import math

from advisor.records.job.work import Network


def flop(found: Network, phase: str | None = None) -> float:
    """Return the FLOP of a step for one sample."""
    chosen = [operation for operation in found.operations if phase in (None, operation.phase)]
    return math.fsum(operation.count * operation.flop_per_sample for operation in chosen)
