"""What ``advisor --predict`` would say of measured cases: the program's own way, none of a published job's own factors.

A published job has a computer, a software and a way to feed its card that the fit knows and a user's job does not
have. Here they are forgotten: the program is told the network, batch, precision, device and the year of the framework, as a
user would tell it; ``untold``: without the year, which most do not know.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from fit.constants.export import time_file
from fit.constants.model import Case, Floats, Parameters
from fit.constants.network_cells import Cells
from fit.measurements.cases import WAITING_RATIO, known_names, table, timm_network

from advisor.catalog.workloads import is_attention_fused
from advisor.predict import predict
from advisor.predict.coefficients import TimeCoefficients, predicting_with, time_coefficients
from advisor.predict.timing.step_time import step_times
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload

DEVICES = {"pycls": 8}
"""Devices of a published job whose cases hold the time of one of them, without its waiting for the others."""

SHARES = ("launch_ratio", "convolution_ratio", "traffic_ratio", "optimizer_ratio")
ON_DEVICE = frozenset({"timm_train", "timm_infer", "timm_blackwell", "cnn_benchmarks", "people", "texts", "tuning"})
"""Sets whose programs make their samples on the device once, so that nothing is copied in a step."""


@dataclass(frozen=True)
class Said:
    """Times of cases as the program says them, and the shares that its interval depends on, by the names of ``SHARES``."""

    seconds: Floats
    shares: Floats


def constants(
    accelerators: tuple[Parameters, Floats],
    processors: tuple[Parameters, Floats],
    cases: Sequence[Case],
    cells: tuple[Cells, Cells],
) -> TimeCoefficients:
    """Return the constants as they would be shipped if the fit had ended there."""
    spread = msgspec.to_builtins(time_coefficients().spread)
    content = time_file(accelerators, processors, cases, (), spread=spread, errors={}, cells=cells)
    return msgspec.convert(content, TimeCoefficients, strict=False)


def say(cases: Sequence[Case], found: TimeCoefficients) -> Said:
    """Return what the program says with such constants."""
    with predicting_with(found):
        rows = np.array([_one(case) for case in cases]).reshape(len(cases), 1 + len(SHARES))
    return Said(rows[:, 0], rows[:, 1:])


def untold(cases: Sequence[Case]) -> list[Case]:
    """Return the cases as a user would put them who does not know the year of the framework, nor how it attends."""
    return [
        dataclasses.replace(case, workload=msgspec.structs.replace(case.workload, framework_year=None, attention=None))
        for case in cases
    ]


def _one(case: Case) -> tuple[float, ...]:
    net = _as_shipped(case)
    times = step_times(net, case.workload, [case.device], case.workload.batch_size)
    alone = float(times.total[0])
    optimizer = float(times.optimizer[0])
    said_s = alone if case.source in ON_DEVICE else _said_s(net, case)
    # Parameters are updated once a step, by all devices together, not in each micro-batch.
    apart = optimizer * (1.0 - 1.0 / (case.count * case.parts))
    whole, copied = max(said_s, alone) - apart, max(said_s - alone, 0.0)
    moving = (float(times.traffic[0]) + copied) / whole
    launch, updating = float(times.launch[0]) / whole, (optimizer - apart) / whole
    return said_s - apart, launch, float(times.convolution_ratio[0]), moving, updating


def _as_shipped(case: Case) -> Network:
    """Return the network as the program takes it: with fused attention unless the framework is known to be older."""
    net = case.network
    return fused(net) or net if net.attention == "decomposed" and is_attention_fused(case.workload) else net


def fused(net: Network) -> Network | None:
    """Return a network with fused attention, from the catalogue or from the traced models; None: from neither."""
    if net.name in known_names():
        size = {"image_size": net.image_size} if net.sample == "image" else {"sequence_length": net.sequence_length}
        return table(net.name, **size)
    return timm_network(net.name, net.image_size or 0)


def _said_s(net: Network, case: Case) -> float:
    """Return the time in the unit of the case, which leaves out how devices wait for each other."""
    count = DEVICES.get(case.source, 1)
    job: Workload = msgspec.structs.replace(case.workload, batch_size=case.workload.batch_size * count)
    said = predict(net, job, case.device, device_count=count).time_per_step_s
    return said / WAITING_RATIO if count > 1 else said


def unit_factors(cases: Sequence[Case], kept: Sequence[bool], found: TimeCoefficients) -> dict[str, float]:
    """Return by task the logarithm of the length of a sample over ours, where it is not published.

    The middle of all ``kept`` cases of the task tells it.
    """
    some = [case for case, is_kept in zip(cases, kept, strict=True) if is_kept and has_unknown_unit(case)]
    off = np.log(say(some, found).seconds / [case.time_s for case in some])
    tasks = np.array([case.scale for case in some])
    return {str(task): -float(np.median(off[tasks == task])) for task in np.unique(tasks)}


def has_unknown_unit(case: Case) -> bool:
    """Return whether the length of the case's sample is not published."""
    return bool(case.scale)
