"""Plain rules to compare with: power laws fitted on the same rows, leaving out the same."""

import math
from collections.abc import Sequence

import numpy as np
from fit.constants.model import Case, Floats

from advisor.predict.timing.step_work import REDUCED


def naive_devices(cases: Sequence[Case], *, per_network: bool = True) -> float:
    """Return the mean error on unseen devices of a power law of peak rate and bandwidth with a factor per task."""
    keys = sorted({_task(case) for case in cases}) if per_network else [""]
    peak = [_naive_peak(case) for case in cases]
    columns = [np.log(peak), np.log([case.device.bandwidth_bytes_per_s or 1.0 for case in cases])]
    if per_network:
        ones = np.array([[float(_task(case) == key) for key in keys] for case in cases])
    else:
        ones = np.ones((len(cases), 1))
        columns += [
            np.log([c.network.operations[0].flop_fixed for c in cases]),
            np.log([c.network.operations[0].bytes_fixed for c in cases]),
        ]
    matrix = np.column_stack([*(column - column.mean() for column in map(np.asarray, columns)), ones])
    return _leave_out(matrix, cases, [case.device.name for case in cases])


def naive_networks(cases: Sequence[Case]) -> float:
    """Return the mean error on unseen networks of a power law of arithmetic and bytes, per device and task."""
    work = [_amounts(case) for case in cases]
    keys = sorted({(case.device.name, case.workload.task, case.workload.precision) for case in cases})
    ones = [[float((c.device.name, c.workload.task, c.workload.precision) == key) for key in keys] for c in cases]
    matrix = np.column_stack([np.log(np.array(work)), np.array(ones)])
    return _leave_out(matrix, cases, [case.network.name for case in cases])


def _task(case: Case) -> str:
    return f"{case.model}/{case.workload.task}/{case.workload.precision in REDUCED}"


def _naive_peak(case: Case) -> float:
    known, precision = case.device.peak_flop_per_s, case.workload.precision
    wanted = "fp16" if precision in REDUCED else precision
    return known.get(wanted) or known.get("fp32") or 1e12


def _amounts(case: Case) -> tuple[float, float]:
    phases = ("forward",) if case.workload.task == "infer" else ("forward", "backward")
    operations = [o for o in case.network.operations if o.phase in phases]
    batch = case.workload.batch_size
    flop = sum(o.count * (o.flop_per_sample * batch + o.flop_fixed) for o in operations)
    moved = sum(o.count * (o.bytes_per_sample * batch + o.bytes_fixed) for o in operations)
    return flop / batch, moved / batch


def _leave_out(matrix: Floats, cases: Sequence[Case], keys: Sequence[str]) -> float:
    time_log = np.log([case.time_s / case.workload.batch_size for case in cases])
    key, off = np.array(keys), np.zeros(len(cases))
    ridge = 1e-3 * np.eye(matrix.shape[1])
    mean = time_log.mean()
    for name in np.unique(key):
        out = key == name
        rest = matrix[~out]
        if not len(rest):
            return math.nan
        found = np.linalg.solve(rest.T @ rest + ridge, rest.T @ (time_log[~out] - mean))
        off[out] = matrix[out] @ found + mean - time_log[out]
    return float(np.abs(np.exp(np.clip(off, -3, 3)) - 1.0).mean())
