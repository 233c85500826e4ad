"""What the profiler saw of a training step: does it compute, or does it move data?

Convolutions, products, attention and recurrent layers do many operations on each number they read; the optimizer,
normalization, pooling, sums and everything elementwise do one or a few and wait for memory. Loading data and idling are
left out here: they are findings of their own.
"""

from collections.abc import Iterator
from typing import NamedTuple

from advisor.benchmark.diagnosis.arithmetic import LIMIT_RATIO, Step, more_arithmetic, shorter_format, step_of
from advisor.benchmark.diagnosis.inputs import (
    Inputs,
    bandwidth,
    finding,
    gain_between,
    plateau,
    positive,
    quotient,
    trained,
)
from advisor.records.base import Interval
from advisor.records.results.diagnosis import Finding, Reading, RemedyCode
from advisor.records.results.measured.measurement import Measurement
from advisor.records.results.measured.profile import ProfileKind

COMPUTING: frozenset[ProfileKind] = frozenset({"convolution", "matrix_product", "attention", "recurrent"})
MOVING: frozenset[ProfileKind] = frozenset(
    {"copy", "elementwise", "normalization", "optimizer", "pooling", "reduction"}
)
WORTH_RATIO = 0.15
"""An optimizer that takes less of a step is not worth a word: without it, a step were 1.2 times as fast at most."""
FUSED_TIMES = 2.0
"""An optimizer is called unfused where it takes this many times what its traffic needs: it goes over memory again and
again. Fused, torch's Adam reads and writes each number once."""


class Split(NamedTuple):
    """Where the work of a profiled step goes; shares of what is neither loading nor idle.

    Attributes:
        work: Share of the step that is neither.
        step_s: Duration of a step without the profiler, loading and idling included.
    """

    measured: Measurement
    computing: float
    moving: float
    optimizer: float
    work: float
    step_s: float

    @property
    def evidence(self) -> tuple[Reading, ...]:
        """Return the shares."""
        shares = {"computing_ratio": self.computing, "moving_ratio": self.moving, "optimizer_ratio": self.optimizer}
        source = self.measured.case.id
        return tuple(Reading(name=n, value=v, unit="ratio", source=source) for n, v in shares.items() if v > 0)


def splits(inputs: Inputs) -> Iterator[Split]:
    """Yield every profile that was taken while little else went on."""
    for m in inputs.quiet:
        if m.profile is None:
            continue
        shares = {share.kind: share.ratio for share in m.profile.shares}
        work = sum(shares.get(kind, 0.0) for kind in (*COMPUTING, *MOVING, "other"))
        computing, moving = (
            quotient(sum(shares.get(kind, 0.0) for kind in kinds), work) for kinds in (COMPUTING, MOVING)
        )
        step_s = positive(m.profile.plain_step_s)
        if step_s is not None:
            optimizer = quotient(shares.get("optimizer", 0.0), work)
            yield Split(m, computing or 0.0, moving or 0.0, optimizer or 0.0, min(work, 1.0), step_s)


def profiled_traffic(inputs: Inputs) -> Iterator[Finding]:
    """Yield networks whose step mostly moves data, and what a fused optimizer would save of it."""
    for split in splits(inputs):
        case = split.measured.case
        step = step_of(inputs, case.device)
        if split.moving < LIMIT_RATIO or _is_known(step, split, is_traffic=True):
            continue
        saved, (shorter, faster) = _saved_by_fusing(inputs, split), _shorter(inputs, split)
        fused = None if saved is None else gain_between(1.0, quotient(1.0, 1.0 - saved))
        remedies: list[RemedyCode] = [] if fused is None else ["fused_optimizer"]
        remedies += ["faster_memory"] if shorter is None else ["shorter_format", "faster_memory"]
        evidence = (*split.evidence, shorter, bandwidth(inputs, case.device))
        yield finding("bandwidth_bound", case.device, evidence, form="profile", network=case.network,
                      gain=fused or faster, severity=None if fused else "none", remedies=remedies)  # fmt: skip


def _shorter(inputs: Inputs, split: Split) -> tuple[Reading | None, Interval | None]:
    """Return how much faster the profiled network was in a shorter format, where that was measured."""
    case = split.measured.case
    plain = [
        m
        for m in trained(inputs, case.device)
        if (m.case.network, m.case.batch_size) == (case.network, case.batch_size)
    ]
    return shorter_format(inputs, plain[0]) if plain else (None, None)


def _saved_by_fusing(inputs: Inputs, split: Split) -> float | None:
    """Return the share of a step that a fused optimizer would save; None where it is fused, or hardly counts."""
    case = split.measured.case
    rate = bandwidth(inputs, case.device)
    least_s = None if rate is None else quotient(case.bytes_per_iteration, rate.value)
    least = None if least_s is None else quotient(least_s, split.step_s * split.work)
    if least is None or split.optimizer < WORTH_RATIO or split.optimizer < FUSED_TIMES * least:
        return None
    return (split.optimizer - least) * split.work


def profiled_arithmetic(inputs: Inputs) -> Iterator[Finding]:
    """Yield networks whose step mostly computes: the sound state."""
    for split in splits(inputs):
        case = split.measured.case
        if split.computing < LIMIT_RATIO or _is_known(step_of(inputs, case.device), split, is_traffic=False):
            continue
        shorter, gain = _shorter(inputs, split)
        remedies: list[RemedyCode] = [] if shorter is None else ["shorter_format"]
        remedies += more_arithmetic(inputs, split.measured)
        evidence = (*split.evidence, shorter, plateau(inputs, case.device))
        yield finding("compute_bound", case.device, evidence, form="profile", network=case.network, gain=gain,
                      severity="none", remedies=remedies)  # fmt: skip


def _is_known(step: Step | None, split: Split, *, is_traffic: bool) -> bool:
    """Return whether the roofline has said the same of this network already."""
    if step is None or step.measured.case.network != split.measured.case.network:
        return False
    traffic = step.traffic_ratio or 0.0
    return max(traffic, step.compute_ratio) >= LIMIT_RATIO and (traffic > step.compute_ratio) == is_traffic
