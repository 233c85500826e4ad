"""What the measured classes of work say about a network that was not measured: the sum of its operations' times."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from advisor.predict.coefficients import ClassCoefficients, read_coefficients
from advisor.predict.timing.class_times import class_times, curve_of
from advisor.predict.timing.step_work import REDUCED
from advisor.records.base import Precision
from advisor.records.job.prediction import WorkClasses
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import CLASSES_PROGRAM, Measurement


class SummedUp(NamedTuple):
    """Seconds of a step, the standard deviation of their logarithm, and the id of the measured case."""

    step_s: float
    sigma: float
    case: str


def measured_classes(measurements: Sequence[Measurement]) -> Iterator[WorkClasses]:
    """Yield the classes of work that measurements hold, for each precision."""
    for one in measurements:
        if one.case.program == CLASSES_PROGRAM:
            curves = {series.y: curve_of(series.points) for series in one.series if series.points}
            yield WorkClasses(precision=one.case.precision, curves=curves, case=one.case.id)


def summed_up(classes: Sequence[WorkClasses], workload: Workload, network: Network, batch_size: int) -> SummedUp | None:
    """Return the time of a step by its classes of work; None where they do not tell it.

    They do not where the precision or one of the classes was not measured, and for what changes the kernels
    themselves: other layouts of memory, compiled programs, adapters.
    """
    is_changed = workload.compiled or workload.channels_last or workload.method in ("lora", "qlora")
    found = None if is_changed else _in_precision(classes, workload.precision)
    if found is None:
        return None
    constants = class_coefficients()
    times = class_times(network, workload, found.curves, batch_size, constants)
    sigma = constants.sigma_short if workload.precision in REDUCED else constants.sigma
    return None if times is None else SummedUp(times.total * constants.ratio, sigma, found.case)


def _in_precision(classes: Sequence[WorkClasses], precision: Precision) -> WorkClasses | None:
    """Return the classes measured in a precision; mixed precision computes in the shorter of those measured."""
    order: tuple[Precision, ...] = ("bf16", "fp16") if precision == "amp" else (precision,)
    return next((one for wanted in order for one in classes if one.precision == wanted), None)


@cache
def class_coefficients() -> ClassCoefficients:
    """Return the constants of summing up classes of work."""
    return read_coefficients("classes", ClassCoefficients)
