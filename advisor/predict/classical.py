"""Classical machine learning on a table: histograms of gradient-boosted trees, which is work for processors."""

import math

from advisor.predict.measured.measured_job import job_factor, step_at
from advisor.predict.memory import safety_ratio
from advisor.predict.timing.device_rates import has_rates
from advisor.records.base import Interval
from advisor.records.hardware.device import Device
from advisor.records.job.prediction import Calibration, MemoryEstimate, Prediction, TimePart, confidence_of
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload

_FLOP_PER_CELL = 2.0
_CELLS_PER_S = 3.2e8
"""Cells (rows x columns x levels) one processor core adds to histograms in a second.

Source: LightGBM documentation, "Experiments": Higgs, 10.5 million rows, 28 columns, 500 trees of 255 leaves in 130 s on
16 threads of Xeon E5-2690 v4 (read 2026-11-21); eight levels, below the first half of the rows.
"""
_TREE_S = 1.0e-3
"""Finding splits and growing one tree, independent of the rows; the least time of small tables in the same source."""
_GPU_BYTES_PER_CELL = 40.0
_GPU_TREE_S = 1.0e-2
"""On a GPU histograms are bound by scattered memory traffic, and each level costs several launches and a copy back.

Source: LightGBM documentation, "GPU Tuning Guide and Performance Comparison" (read 2026-11-21): about 3 times a 28-core
processor on tables of ten million rows, slower than it on small ones.
"""
_SIGMA = 0.4


def predict_classical(
    network: Network, workload: Workload, device: Device, device_count: int, calibration: Calibration | None = None
) -> Prediction | None:
    """Return the time of one step (one tree over the batch's rows); None where the device's figures are unknown.

    A job that was measured takes on the measured device what it took.
    """
    rows = float(workload.batch_size)
    cells = rows * sum(o.flop_per_sample * o.count for o in network.operations) / _FLOP_PER_CELL
    if device.device_class == "cpu":
        if not device.multiprocessors:
            return None
        work_s, fixed_s = cells / (_CELLS_PER_S * device.multiprocessors), _TREE_S
    else:
        if not has_rates(device) or device.bandwidth_bytes_per_s is None:
            return None
        work_s, fixed_s = cells * _GPU_BYTES_PER_CELL / device.bandwidth_bytes_per_s, _GPU_TREE_S
    trees = rows * workload.total_steps / max(workload.samples, 1) / max(workload.epochs, 1e-9)
    fixed_s *= min(1.0, trees)
    found = _measured(calibration, workload, network, device)
    total = work_s + fixed_s if found is None else found[0]
    width = math.exp(1.2816 * (_SIGMA if found is None else found[1]))
    interval = Interval(low=total / width, high=total * width)
    memory = _memory(network, max(rows, float(workload.samples)), device.memory_bytes)
    return Prediction(
        device=device.name,
        device_count=device_count,
        network=network.name,
        task=workload.task,
        batch_size=workload.batch_size,
        precision=workload.precision,
        optimizer=workload.optimizer,
        time_per_step_s=total,
        interval=interval,
        samples_per_s=rows / total,
        limit="memory_bandwidth" if work_s > fixed_s else "launch",
        parts=(TimePart(name="memory_bandwidth", time_s=work_s), TimePart(name="launch", time_s=fixed_s)),
        memory_bytes=memory.total_bytes,
        memory=memory,
        confidence="rough" if found is None else confidence_of(total, interval),
        basis="modelled" if found is None else "measured",
        basis_detail=("lightgbm_higgs",) if found is None else found[2],
    )


def _measured(
    calibration: Calibration | None, workload: Workload, network: Network, device: Device
) -> tuple[float, float, tuple[str, ...]] | None:
    """Return (seconds of a tree, standard deviation of their logarithm, cases) where this job was measured here."""
    if calibration is None or calibration.device != device.name:
        return None
    factor = job_factor(calibration.factors, workload, network)
    return None if factor is None else (*step_at(factor, workload.batch_size), factor.cases)


def _memory(network: Network, rows: float, available_bytes: float | None) -> MemoryEstimate:
    """Return the memory of a table that is held as a whole, whatever part of it a tree is grown on.

    At least its bins stay; at most the program holds the table a second time, as many do while they bin it.
    """
    total = rows * network.peak_bytes_per_sample
    return MemoryEstimate(
        parameters_bytes=0.0,
        gradients_bytes=0.0,
        optimizer_bytes=0.0,
        activations_bytes=total,
        temporary_bytes=0.0,
        context_bytes=0.0,
        total_bytes=total,
        available_bytes=available_bytes,
        fits=None if available_bytes is None else total * safety_ratio() <= available_bytes,
        largest_batch=None,
        interval=Interval(low=rows * network.largest_bytes_per_sample, high=2.0 * total),
    )
