"""Join work, time, memory, scaling and the input pipeline into predictions with intervals."""

import math
from collections.abc import Sequence

from advisor.errors import PredictionError
from advisor.predict.calibrate import correction
from advisor.predict.coefficients import time_coefficients
from advisor.predict.memory import estimate_memory
from advisor.predict.rates import bandwidth, vector_peak
from advisor.predict.scaling import all_reduce_s
from advisor.predict.time import PARTS, step_parts
from advisor.predict.work import Floats, trained_parameters
from advisor.records.base import Interval
from advisor.records.device import Device
from advisor.records.prediction import Calibration, Confidence, InputRate, Limit, Prediction, TimePart
from advisor.records.work import Network
from advisor.records.workload import Workload

_Z80 = 1.2816  # half-width of the central 80 % of a normal distribution, in standard deviations


def predict(
    network: Network,
    workload: Workload,
    device: Device,
    *,
    device_count: int = 1,
    calibration: Calibration | None = None,
    input_rate: InputRate | None = None,
) -> Prediction:
    """Return time and memory of one step of the workload on ``device_count`` devices of one kind.

    Raises:
        PredictionError: The device's arithmetic rate or bandwidth is unknown.
    """
    vector_peak(device), bandwidth(device)
    [prediction] = predict_many(
        network, workload, [(device, device_count)], calibration=calibration, input_rate=input_rate
    )
    if prediction is None:
        raise PredictionError("No time can be predicted for {device}.", device=device.name)
    return prediction


def predict_many(
    network: Network,
    workload: Workload,
    targets: Sequence[tuple[Device, int]],
    *,
    calibration: Calibration | None = None,
    input_rate: InputRate | None = None,
) -> list[Prediction | None]:
    """Return a prediction for each (device, count); None where a needed figure of the device is unknown."""
    results: list[Prediction | None] = [None] * len(targets)
    groups: dict[int, list[int]] = {}
    for index, (device, count) in enumerate(targets):
        if device.bandwidth_bytes_per_s is not None and device.peak_flop_per_s:
            groups.setdefault(count, []).append(index)
    for count, indices in groups.items():
        batch = math.ceil(workload.batch_size / count)
        parts = step_parts(network, workload, [targets[i][0] for i in indices], batch)
        for row, index in zip(parts, indices, strict=True):
            factor = correction(calibration, targets[index][0], workload)
            results[index] = _prediction(
                network, workload, targets[index], batch=batch, parts=row, factor=factor, input_rate=input_rate
            )
    return results


def _prediction(
    network: Network,
    workload: Workload,
    target: tuple[Device, int],
    *,
    batch: int,
    parts: Floats,
    factor: float,
    input_rate: InputRate | None,
) -> Prediction:
    device, count = target
    times = dict(zip(PARTS, (parts * factor).tolist(), strict=True))
    device_s = sum(times.values())
    payload = 4.0 * trained_parameters(network, workload.method)
    times["communication"] = all_reduce_s(payload, device, count) * 0.5 if workload.task == "train" else 0.0
    step_s = device_s + times["communication"]
    input_s = batch * count / input_rate.samples_per_s if input_rate else 0.0
    times["input"] = max(0.0, input_s - step_s)
    total = max(step_s, input_s)
    spread = time_coefficients().spread
    width = math.exp(_Z80 * spread)
    memory = estimate_memory(
        network, workload, device.memory_bytes, batch_size=batch, is_cpu=device.device_class == "cpu"
    )
    return Prediction(
        device=device.name,
        device_count=count,
        network=network.name,
        task=workload.task,
        batch_size=batch,
        precision=workload.precision,
        optimizer=workload.optimizer,
        time_per_step_s=total,
        interval=Interval(low=total / width, high=total * width),
        samples_per_s=batch * count / total,
        scaling_efficiency_ratio=device_s / step_s,
        limit=_limit(times),
        parts=tuple(TimePart(name=name, time_s=time_s) for name, time_s in times.items()),
        memory=None if network.family == "classical" else memory,
        confidence=_confidence(width),
        basis="scaled" if factor != 1.0 else "modelled",
        basis_detail=(),
    )


def _limit(times: dict[str, float]) -> Limit:
    if times["input"] > 0:
        return "input"
    names: tuple[Limit, ...] = ("compute", "memory_bandwidth", "launch", "communication")
    return max(names, key=lambda name: times[name])


def _confidence(width: float) -> Confidence:
    return "good" if width <= 1.15 else "fair" if width <= 1.30 else "rough"
