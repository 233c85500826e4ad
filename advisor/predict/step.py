"""Join work, time, memory, scaling and the input pipeline into predictions with intervals."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from advisor.predict.calibrate import correction
from advisor.predict.classical import predict_classical
from advisor.predict.coefficients import LinkCoefficients, Spread, link_coefficients, time_coefficients
from advisor.predict.families import family_of
from advisor.predict.kernels import HALF
from advisor.predict.memory import Footprint, MemoryModel, safety_ratio
from advisor.predict.rates import has_rates, peaks, require_rates
from advisor.predict.scaling import communication_s
from advisor.predict.time import DEVICE_PARTS, step_times
from advisor.predict.work import REDUCED, trained_parameters
from advisor.records.base import Interval
from advisor.records.device import Device
from advisor.records.prediction import Calibration, Confidence, InputRate, Limit, Prediction, TimePart
from advisor.records.work import Network
from advisor.records.workload import Workload

Z80 = 1.2816
"""Half of the central 80 % of a normal distribution, in standard deviations."""
_GRADIENT_BYTES = {"amp": 4.0, "fp16": 2.0, "bf16": 2.0}


@dataclass(frozen=True)
class _Plan:
    """How one target would run the workload: how the batch is cut, and over how many devices the state is spread."""

    device: Device
    count: int
    batch: int
    micro_batch: int
    shards: int

    @property
    def parts(self) -> int:
        return math.ceil(self.batch / self.micro_batch)

    def halves(self) -> Iterator[int]:
        """Yield the sizes of parts from the whole batch down to the one that fits."""
        size = self.batch
        while size > self.micro_batch:
            yield size
            size = math.ceil(size / 2)
        yield self.micro_batch


def predict(
    network: Network,
    workload: Workload,
    device: Device,
    *,
    device_count: int = 1,
    calibration: Calibration | None = None,
    input_rate: InputRate | None = None,
) -> Prediction:
    """Return time and memory of one step of the workload on ``device_count`` devices of one kind, at the whole batch.

    Raises:
        PredictionError: The device's arithmetic rate or bandwidth is unknown.
    """
    require_rates(device)
    [prediction] = predict_many(
        network, workload, [(device, device_count)], calibration=calibration, input_rate=input_rate, cut_batch=False
    )
    assert prediction is not None, "a device with known rates has a prediction"
    return prediction


def predict_many(
    network: Network,
    workload: Workload,
    targets: Sequence[tuple[Device, int]],
    *,
    calibration: Calibration | None = None,
    input_rate: InputRate | None = None,
    cut_batch: bool = True,
) -> list[Prediction | None]:
    """Return a prediction for each (device, count); None where a needed figure of the device is unknown.

    Args:
        network: What is trained, or asked.
        workload: How; its batch is that of all devices together.
        targets: The devices.
        calibration: What the measurements of this computer say.
        input_rate: How fast samples arrive, for all devices together.
        cut_batch: Where the batch of a device does not fit its memory, train it in parts and add up the gradients.
    """
    if network.family == "classical":
        return [predict_classical(network, workload, device, count) for device, count in targets]
    models = {kind: MemoryModel(network, workload, is_cpu=kind) for kind in (False, True)}
    plans = [
        (index, plan)
        for index, (device, count) in enumerate(targets)
        if has_rates(device)
        for plan in _plans(workload, device, count, models[device.device_class == "cpu"].footprint, cut_batch=cut_batch)
    ]
    times = _times(network, workload, [plan for _, plan in plans])
    results: list[Prediction | None] = [None] * len(targets)
    for (index, plan), parts in zip(plans, times, strict=True):
        found = _prediction(network, workload, plan, parts, models, calibration=calibration, input_rate=input_rate)
        best = results[index]
        if best is None or found.time_per_step_s < best.time_per_step_s:
            results[index] = found
    return results


def _plans(workload: Workload, device: Device, count: int, taken: Footprint, *, cut_batch: bool) -> Iterator[_Plan]:
    """Yield the ways that fit: on each device the whole state or, with several, a share; else the whole batch anyway.

    A batch is cut in halves until a part fits.
    """
    batch = max(1, math.ceil(workload.batch_size / count))
    available = math.inf if device.memory_bytes is None else device.memory_bytes / safety_ratio()
    cuts = cut_batch and workload.task == "train"
    spreads = (1, count) if count > 1 and workload.task == "train" else (1,)
    fitting = [
        _Plan(device, count, batch, micro, shards)
        for shards in spreads
        if (micro := _micro_batch(taken, batch, available, shards, cuts=cuts)) is not None
    ]
    if len(fitting) == 2 and fitting[0].micro_batch == fitting[1].micro_batch:
        fitting.pop()  # sharding costs more and gains nothing
    yield from fitting or (_Plan(device, count, batch, batch, 1),)


def _micro_batch(taken: Footprint, batch: int, available: float, shards: int, *, cuts: bool) -> int | None:
    micro = batch
    while taken.total(micro, shards) > available:
        if micro == 1 or not cuts:
            return None
        micro = math.ceil(micro / 2)
    return micro


def _times(network: Network, workload: Workload, plans: Sequence[_Plan]) -> list[dict[str, float]]:
    """Return the parts of the time of all micro-batches of a step, for each plan.

    Many small parts never take less than fewer large ones: the model lets small tensors profit from caches, which a
    program that could run the larger part would use as well.
    """
    rows: dict[int, list[int]] = defaultdict(list)
    for index, plan in enumerate(plans):
        for micro in plan.halves():
            rows[micro].append(index)
    results: list[dict[str, float]] = [{} for _ in plans]
    longest = [0.0] * len(plans)
    for micro in sorted(rows, reverse=True):
        found = step_times(network, workload, [plans[index].device for index in rows[micro]], micro)
        for row, index in enumerate(rows[micro]):
            repeats = math.ceil(plans[index].batch / micro)
            parts = {name: found.of(row)[name] * repeats for name in DEVICE_PARTS}
            longest[index] = max(longest[index], sum(parts.values()))
            results[index] = {**found.of(row), **parts}
    for index, parts in enumerate(results):
        slower = longest[index] / sum(parts[name] for name in DEVICE_PARTS)
        parts.update({name: parts[name] * slower for name in DEVICE_PARTS})
    return results


def _prediction(
    network: Network,
    workload: Workload,
    plan: _Plan,
    times: dict[str, float],
    models: dict[bool, MemoryModel],
    *,
    calibration: Calibration | None,
    input_rate: InputRate | None,
) -> Prediction:
    device, coefficients = plan.device, time_coefficients()
    fix = correction(calibration, device, workload)
    parts = {name: times[name] * fix.ratio(name) for name in DEVICE_PARTS}
    parts["optimizer"] = times["optimizer"] * fix.ratio("memory_bandwidth")
    device_s = sum(parts.values())
    parts["communication"] = _communication_s(network, workload, plan, device_s, link_coefficients())
    step_s = device_s + parts["communication"]
    samples = plan.batch * plan.count
    input_s = samples / input_rate.samples_per_s if input_rate is not None else 0.0
    parts["input"] = max(0.0, input_s - step_s)
    total = max(step_s, input_s)
    launch_ratio = parts["launch"] / device_s
    sigma = fix.sigma or _sigma(coefficients.spread, plan, workload, launch_ratio, times["convolution"])
    width = math.exp(Z80 * sigma)
    low, high = _with_input(step_s / width, step_s * width, samples, input_rate)
    return Prediction(
        device=device.name,
        device_count=plan.count,
        network=network.name,
        task=workload.task,
        batch_size=plan.batch,
        precision=workload.precision,
        optimizer=workload.optimizer,
        accumulation_steps=plan.parts,
        time_per_step_s=total,
        interval=Interval(low=low, high=high),
        samples_per_s=samples / total,
        scaling_efficiency_ratio=device_s / step_s,
        limit=_limit(parts),
        parts=tuple(TimePart(name=name, time_s=time_s) for name, time_s in parts.items()),
        memory=models[device.device_class == "cpu"].estimate(device.memory_bytes, plan.micro_batch, plan.shards),
        confidence=_confidence(max(high / total, total / low)),
        basis=fix.basis,
        basis_detail=fix.cases or tuple(data.name for data in coefficients.data),
    )


def _communication_s(
    network: Network, workload: Workload, plan: _Plan, device_s: float, links: LinkCoefficients
) -> float:
    if workload.task == "infer":
        return 0.0
    payload = _GRADIENT_BYTES.get(workload.precision, 4.0) * trained_parameters(network, workload.method)
    return communication_s(device_s, payload, plan.device, plan.count, links, sharded=plan.shards > 1)


def _with_input(low: float, high: float, samples: float, rate: InputRate | None) -> tuple[float, float]:
    """Return the interval of a step that cannot be shorter than its samples take to arrive."""
    if rate is None:
        return low, high
    slow, fast = (rate.interval.low, rate.interval.high) if rate.interval else (rate.samples_per_s, rate.samples_per_s)
    return max(low, samples / fast), max(high, samples / slow)


def _sigma(spread: Spread, plan: _Plan, workload: Workload, launch_ratio: float, convolution_ratio: float) -> float:
    """Return the standard deviation of the logarithm of the time without input pipeline."""
    measured = time_coefficients().families[family_of(plan.device)].rows > 0
    terms = (
        spread.base,
        spread.launch * launch_ratio,
        spread.convolution * convolution_ratio,
        _half_spread(spread, plan.device, workload),
        0.0 if measured else spread.unmeasured,
        spread.processor if plan.device.device_class == "cpu" else 0.0,
        spread.scaling if plan.count > 1 else 0.0,
    )
    return math.sqrt(sum(term**2 for term in terms))


def _half_spread(spread: Spread, device: Device, workload: Workload) -> float:
    if workload.precision not in REDUCED:
        return 0.0
    return spread.half if peaks(device)[HALF] > 0 else spread.half_without_units


def _limit(parts: dict[str, float]) -> Limit:
    if parts["input"] > 0:
        return "input"
    names: tuple[Limit, ...] = ("compute", "memory_bandwidth", "launch", "communication")
    return max(names, key=lambda name: parts[name])


def _confidence(width: float) -> Confidence:
    return "good" if width <= 1.15 else "fair" if width <= 1.30 else "rough"
