"""What the measured step of a job says about predictions of the same job: its time as it is, its memory as it is."""

import math
from collections.abc import Iterator, Mapping, Sequence

from advisor.predict.interval import Z80
from advisor.predict.timing.step_time import plain_step_s
from advisor.records.hardware.device import Device
from advisor.records.job.asked_job import JOB_PROGRAM, step_settings
from advisor.records.job.prediction import CorrectionFactor
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import Case, Measurement

REPEAT_SIGMA = 0.10
"""Standard deviation of the logarithm of a program's own loop over the measured step, where nothing else disturbs.

Plain loops of seven networks, repeated within a minute on an otherwise idle virtual machine of two cores, were 13 %
apart in the median (``tools/jobs/bench_jobs.py --quick``, November 2026): a step cannot be surer than its own
repetition.
"""
_LINE_SIGMA = 0.06
"""For each doubling of the batch beyond those that were measured."""
_UNMEASURED_SIGMA = 0.35
"""Of the share of a step that was worked out and not measured."""
_QUARTILES_OF_SIGMA = 1.349
_QUIET_RATIO = 0.05
"""Where others had more of the processor during an earlier check, it says nothing of a repeat."""


def job_factors(measurements: Sequence[Measurement], device: Device, network: Network) -> Iterator[CorrectionFactor]:
    """Yield what each measured job says about the network that is asked about."""
    for one in measurements:
        workload = _workload(one)
        if one.case.program != JOB_PROGRAM or not is_of_job(one.case, workload, network):
            continue
        batch = one.case.batch_size
        points = tuple(point for series in one.series if series.x == "batch_size" for point in series.points)
        measured_batch = one.details.get("measured_batch", float(batch))
        yield CorrectionFactor(
            kind="job",
            precision=one.case.precision,
            network=network.name,
            task=workload.task,
            channels_last=workload.channels_last,
            ratio=one.median_s / plain_step_s(network, workload, device),
            cases=(one.case.id,),
            settings=dict(one.case.options),
            steps=(*(point for point in points if point[0] != batch), (float(batch), one.median_s)),
            sigma=_sigma(one, batch / max(measured_batch, 1.0)),
            memory_bytes=None if one.peak_memory_bytes is None else float(one.peak_memory_bytes),
        )


def job_factor(factors: Sequence[CorrectionFactor], workload: Workload, network: Network) -> CorrectionFactor | None:
    """Return what was measured of this very job, at whatever batch; None where it was not."""
    settings = step_settings(workload, network)
    alike = [
        factor
        for factor in factors
        if factor.kind == "job"
        and (factor.network, factor.precision) == (network.name, workload.precision)
        and _is_of(factor.settings, settings)
    ]
    return min(alike, key=lambda factor: abs(math.log(factor.steps[-1][0] / workload.batch_size)), default=None)


def step_at(factor: CorrectionFactor, batch: int) -> tuple[float, float]:
    """Return (seconds, standard deviation of their logarithm) of a step of the measured job at a batch.

    Between and beyond the measured batches the time lies on the line through the nearest two; beyond them it is less
    sure with each doubling.
    """
    points = sorted(factor.steps)
    exact = next((seconds for size, seconds in points if size == batch), None)
    if exact is not None:
        return exact, factor.sigma
    smallest, largest = points[0][0], points[-1][0]
    doublings = math.log2(max(batch / largest, smallest / batch, 1.0))
    spread = math.hypot(factor.sigma, _LINE_SIGMA * (doublings + 1.0))
    if len(points) == 1:
        return points[0][1] * batch / smallest, math.hypot(spread, _LINE_SIGMA * 2)
    above = next((index for index, (size, _) in enumerate(points) if size > batch), len(points) - 1)
    (size_0, step_0), (size_1, step_1) = points[max(above - 1, 0)], points[max(above, 1)]
    slope = max((step_1 - step_0) / (size_1 - size_0), 0.0)
    return max(step_1 + slope * (batch - size_1), step_0 * min(batch / size_0, 1.0)), spread


def is_of_job(case: Case, workload: Workload, network: Network) -> bool:
    """Return whether a case measured steps of this job, at whatever batch."""
    same = (network.name, workload.precision)
    return (case.network, case.precision) == same and _is_of(case.options, step_settings(workload, network))


def _sigma(one: Measurement, extrapolated: float) -> float:
    scatter = one.iqr_s / one.median_s / _QUARTILES_OF_SIGMA
    line = _LINE_SIGMA * math.log2(max(extrapolated, 1.0))
    worked_out = _UNMEASURED_SIGMA * (1.0 - one.details.get("measured_ratio", 1.0))
    return math.sqrt(max(REPEAT_SIGMA, _earlier_sigma(one)) ** 2 + scatter**2 + line**2 + worked_out**2)


def _earlier_sigma(one: Measurement) -> float:
    """Return the deviation with which an interval reaches to what an undisturbed earlier check measured."""
    earlier_s, taken_ratio = (one.details.get(f"earlier_{name}", 0.0) for name in ("s", "taken_ratio"))
    if earlier_s <= 0 or one.details.get("earlier_other_torch") or taken_ratio > _QUIET_RATIO:
        return 0.0
    return abs(math.log(one.median_s / earlier_s)) / Z80


def _is_of(measured: Mapping[str, str | int | float | bool], settings: Mapping[str, str | int | float | bool]) -> bool:
    return all(measured.get(name) == value for name, value in settings.items())


def _workload(one: Measurement) -> Workload:
    """Return the job of a measurement, as far as a step's time hangs on it."""
    case, options = one.case, one.case.options
    names = ("task", "method", "optimizer", "channels_last", "compiled", "checkpointing", "precision_is_default")
    return Workload(
        id=case.id,
        title=case.id,
        network=case.network,
        samples=case.batch_size,
        batch_size=case.batch_size,
        precision=case.precision,
        **{name: options[name] for name in names if name in options},  # type: ignore[arg-type]
    )
