"""Time of a step: for each operation the longer of arithmetic and memory traffic, plus launches; then what joins it."""

from collections.abc import Sequence

import numpy as np

from advisor.predict.coefficients import time_coefficients
from advisor.predict.rates import Rates, rates
from advisor.predict.work import Floats, WorkTable, trained_parameters, work_table
from advisor.records.device import Device
from advisor.records.work import Network
from advisor.records.workload import Workload

_OPTIMIZER_BYTES = {"none": 0.0, "sgd": 20.0, "adam": 28.0, "adamw": 28.0}
"""Bytes an optimizer step moves for each trained parameter: weight, gradient and states read, the new ones written."""

PARTS = ("compute", "memory_bandwidth", "launch", "optimizer")


def step_parts(network: Network, workload: Workload, devices: Sequence[Device], batch_size: float) -> Floats:
    """Return seconds by device and part (``PARTS``) of one pass over ``batch_size`` samples with its optimizer step."""
    constants = time_coefficients()
    table = work_table(network, workload, batch_size)
    attainable = rates(devices, workload.precision, constants)
    compute, traffic, launch = _operations(table, attainable)
    optimizer = np.zeros_like(launch)
    if workload.task == "train":
        moved = _OPTIMIZER_BYTES[workload.optimizer] * trained_parameters(network, workload.method)
        optimizer = moved / attainable.bytes_per_s[:, 0]
    return np.stack([compute, traffic, launch, optimizer], axis=1)


def _operations(table: WorkTable, attainable: Rates) -> tuple[Floats, Floats, Floats]:
    """Return by device: time of operations limited by arithmetic, by traffic, and by launching."""
    compute = table.flop / attainable.flop_per_s[:, table.kind]
    traffic = table.traffic_bytes / attainable.bytes_per_s
    limited = compute >= traffic
    compute_s = np.where(limited, compute, 0.0).sum(axis=1)
    traffic_s = np.where(limited, 0.0, traffic).sum(axis=1)
    kernels = table.kernels.sum()
    on_device = kernels * attainable.kernel_s[:, 0]
    waiting = np.maximum(kernels * attainable.dispatch_s[:, 0] - (compute_s + traffic_s + on_device), 0.0)
    return compute_s, traffic_s, on_device + waiting


def plain_step_s(network: Network, workload: Workload, device: Device) -> float:
    """Return the time of one step on one device without input pipeline and corrections."""
    return float(step_parts(network, workload, [device], workload.batch_size).sum())
