"""What the measured classes of work say about a network that was not measured: the sum of its operations' times."""

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import msgspec

from advisor.predict.coefficients import ClassCoefficients, read_coefficients
from advisor.predict.timing.class_times import Curve, class_times, curve_of, seconds_of
from advisor.predict.timing.step_work import REDUCED
from advisor.records.base import Precision
from advisor.records.job.prediction import WorkClasses
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import CLASSES_PROGRAM, Measurement

_OF_A_STEP = 0.5
"""Share of the scatter between classes that remains in their sum: of fifteen networks in bf16 on a processor without
instructions for it, twelve lay in the interval (torch 2.13, EPYC 7001, November 2026)."""
_PRODUCTS = ("gemm", "conv", "depthwise", "attention", "recurrent")
"""What the names of classes begin with that compute rather than move."""


class SummedUp(NamedTuple):
    """Seconds of a step, the standard deviation of their logarithm, and the id of the measured case."""

    step_s: float
    sigma: float
    case: str


class Shortened(NamedTuple):
    """How many times as long as in 32 bit, the deviation of the logarithm, and the id of the measured case."""

    times: float
    sigma: float
    case: str


def measured_classes(measurements: Sequence[Measurement]) -> Iterator[WorkClasses]:
    """Yield the classes of work that measurements hold, for each precision."""
    for one in measurements:
        if one.case.program == CLASSES_PROGRAM:
            told = one.earlier_series or one.series
            curves = {series.y: curve_of(series.points) for series in told if series.points}
            yield WorkClasses(precision=one.case.precision, curves=curves, case=one.case.id)


def summed_up(classes: Sequence[WorkClasses], workload: Workload, network: Network, batch_size: int) -> SummedUp | None:
    """Return the time of a step by its classes of work; None where they do not tell it.

    They do not where the precision or one of the classes was not measured, and for what changes the kernels
    themselves: other layouts of memory, compiled programs, adapters.
    """
    is_changed = workload.compiled or workload.channels_last or workload.method in ("lora", "qlora")
    if is_changed:
        return None
    full, short = _in_precision(classes, "fp32"), _in_precision(classes, workload.precision)
    if _is_left_out(workload, short, full):
        short, workload = full, msgspec.structs.replace(workload, precision="fp32")
    if short is None:
        return None
    constants = class_coefficients()
    is_short = workload.precision in REDUCED
    sigma = constants.sigma_short if is_short else constants.sigma
    times = class_times(network, workload, short.curves, batch_size, constants)
    if times is None and is_short and full is not None:
        of_full = _times(short, full)
        times = class_times(network, workload, _completed(short, full, of_full.middle), batch_size, constants)
        sigma = math.hypot(sigma, _OF_A_STEP * of_full.sigma)
    return None if times is None else SummedUp(times.total * constants.ratio, sigma, short.case)


def _is_left_out(workload: Workload, short: WorkClasses | None, full: WorkClasses | None) -> bool:
    """Return whether a job is computed in 32 bit: nobody asks for a slower 16 without saying so."""
    if full is None or workload.precision != "amp" or not workload.precision_is_default:
        return False
    return short is None or _times(short, full).middle > 1.0


def shortened(classes: Sequence[WorkClasses], workload: Workload) -> Shortened | None:
    """Return how a job's short format compares with 32 bit, as far as classes were measured in both.

    None where its format is no short one or was not measured, or where a job is computed in 32 bit.
    """
    full, short = _in_precision(classes, "fp32"), _in_precision(classes, workload.precision)
    if workload.precision not in REDUCED or full is None or short is None or _is_left_out(workload, short, full):
        return None
    return Shortened(*_times(short, full), short.case)


def _in_precision(classes: Sequence[WorkClasses], precision: Precision) -> WorkClasses | None:
    """Return the classes measured in a precision; mixed precision computes in the shorter of those measured."""
    order: tuple[Precision, ...] = ("bf16", "fp16") if precision == "amp" else (precision,)
    return next((one for wanted in order for one in classes if one.precision == wanted), None)


class _Times(NamedTuple):
    """How many times as long as in 32 bit products take: the geometric middle, and the deviation of the logarithm."""

    middle: float
    sigma: float


def _times(short: WorkClasses, full: WorkClasses) -> _Times:
    """Return how products in a short format compare with the same in 32 bit, by the largest of each class."""
    from statistics import fmean, pstdev  # a prediction from published figures does without

    logs = [
        math.log(seconds / seconds_of(full.curves[name], amount))
        for name in short.curves.keys() & full.curves.keys()
        if name.startswith(_PRODUCTS)
        for amount, seconds in short.curves[name][-1:]
    ]
    if not logs:
        return _Times(1.0, 0.0)
    return _Times(math.exp(fmean(logs)), pstdev(logs))


def _completed(short: WorkClasses, full: WorkClasses, times: float) -> Mapping[str, Curve]:
    """Return curves with those that had no time any more: what a format that is computed in software costs products.

    Passes over memory take about as long as in 32 bit.
    """
    missing = {
        name: tuple((amount, seconds * (times if name.startswith(_PRODUCTS) else 1.0)) for amount, seconds in curve)
        for name, curve in full.curves.items()
        if name not in short.curves
    }
    return {**short.curves, **missing}


@cache
def class_coefficients() -> ClassCoefficients:
    """Return the constants of summing up classes of work."""
    return read_coefficients("classes", ClassCoefficients)
