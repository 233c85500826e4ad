"""What the measured step of a job says about predictions of the same job: its time as it is, its memory as it is."""

import math
from collections.abc import Iterator, Mapping, Sequence

from advisor.predict.timing.step_time import plain_step_s
from advisor.records.hardware.device import Device
from advisor.records.job.asked_job import JOB_PROGRAM, step_settings
from advisor.records.job.prediction import CorrectionFactor
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.records.results.measured.job_terms import LINE_SIGMA, job_terms
from advisor.records.results.measured.measurement import Case, Measurement, undisturbed_s


def job_factors(measurements: Sequence[Measurement], device: Device, network: Network) -> Iterator[CorrectionFactor]:
    """Yield what each measured job says about the network that is asked about."""
    for one in measurements:
        workload = _workload(one)
        if one.case.program != JOB_PROGRAM or not is_of_job(one.case, workload, network):
            continue
        batch = one.case.batch_size
        step_s = undisturbed_s(one)
        points = tuple(point for series in one.series if series.x == "batch_size" for point in series.points)
        yield CorrectionFactor(
            kind="job",
            precision=one.case.precision,
            network=network.name,
            task=workload.task,
            channels_last=workload.channels_last,
            ratio=step_s / plain_step_s(network, workload, device),
            cases=(one.case.id,),
            settings=dict(one.case.options),
            steps=(
                *((size, seconds * step_s / one.median_s) for size, seconds in points if size != batch),
                (float(batch), step_s),
            ),
            sigma=math.hypot(*job_terms(one).values()),
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
    spread = math.hypot(factor.sigma, LINE_SIGMA * (doublings + 1.0))
    if len(points) == 1:
        return points[0][1] * batch / smallest, math.hypot(spread, LINE_SIGMA * 2)
    above = next((index for index, (size, _) in enumerate(points) if size > batch), len(points) - 1)
    (size_0, step_0), (size_1, step_1) = points[max(above - 1, 0)], points[max(above, 1)]
    slope = max((step_1 - step_0) / (size_1 - size_0), 0.0)
    return max(step_1 + slope * (batch - size_1), step_0 * min(batch / size_0, 1.0)), spread


def is_of_job(case: Case, workload: Workload, network: Network) -> bool:
    """Return whether a case measured steps of this job, at whatever batch."""
    same = (network.name, workload.precision)
    return (case.network, case.precision) == same and _is_of(case.options, step_settings(workload, network))


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
