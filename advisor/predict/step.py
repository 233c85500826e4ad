"""Join work, time, memory, scaling and the input pipeline into predictions with intervals."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from advisor.predict.calibrate import Correction, correction
from advisor.predict.classical import predict_classical
from advisor.predict.coefficients import LinkCoefficients, Spread, link_coefficients, time_coefficients
from advisor.predict.families import family_of
from advisor.predict.memory import Footprint, estimate_memory, footprint, safety_ratio
from advisor.predict.rates import has_rates, require_rates
from advisor.predict.scaling import communication_s
from advisor.predict.time import step_times
from advisor.predict.work import REDUCED, trained_parameters
from advisor.records.base import Interval
from advisor.records.device import Device
from advisor.records.prediction import Calibration, Confidence, InputRate, Limit, MemoryEstimate, Prediction, TimePart
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
    bytes_of = {kind: footprint(network, workload, is_cpu=kind) for kind in (False, True)}
    groups: dict[int, list[tuple[int, _Plan]]] = defaultdict(list)
    for index, (device, count) in enumerate(targets):
        if has_rates(device):
            plan = _plan(workload, device, count, bytes_of[device.device_class == "cpu"], cut_batch=cut_batch)
            groups[plan.micro_batch].append((index, plan))
    results: list[Prediction | None] = [None] * len(targets)
    for micro_batch, members in groups.items():
        times = step_times(network, workload, [plan.device for _, plan in members], micro_batch)
        for row, (index, plan) in enumerate(members):
            fix = correction(calibration, plan.device, workload)
            results[index] = _prediction(network, workload, plan, times.of(row), fix=fix, input_rate=input_rate)
    return results


def _plan(workload: Workload, device: Device, count: int, bytes_of: Footprint, *, cut_batch: bool) -> _Plan:
    """Return the plan that fits, if there is one: parts of the batch in powers of two, then sharding."""
    batch = max(1, math.ceil(workload.batch_size / count))
    available = device.memory_bytes
    if available is None or (not cut_batch and count == 1):
        return _Plan(device, count, batch, batch, 1)
    for shards in (1, count) if count > 1 and workload.task == "train" else (1,):
        micro = batch
        while True:
            if bytes_of.total(micro, shards) * safety_ratio() <= available:
                return _Plan(device, count, batch, micro, shards)
            if micro == 1 or not cut_batch or workload.task == "infer":
                break
            micro = math.ceil(micro / 2)
    return _Plan(device, count, batch, batch, 1)


def _memory(network: Network, workload: Workload, plan: _Plan) -> MemoryEstimate:
    return estimate_memory(
        network,
        workload,
        plan.device.memory_bytes,
        batch_size=plan.micro_batch,
        shards=plan.shards,
        is_cpu=plan.device.device_class == "cpu",
    )


def _prediction(
    network: Network,
    workload: Workload,
    plan: _Plan,
    times: dict[str, float],
    *,
    fix: Correction,
    input_rate: InputRate | None,
) -> Prediction:
    coefficients, links = time_coefficients(), link_coefficients()
    convolution, parts = times.pop("convolution"), dict(times)
    for name in ("compute", "memory_bandwidth", "launch"):
        parts[name] *= plan.parts * fix.ratio(name)
    parts["optimizer"] *= fix.ratio("memory_bandwidth") / plan.shards
    device_s = sum(parts.values())
    parts["communication"] = _communication_s(network, workload, plan, device_s, links)
    step_s = device_s + parts["communication"]
    samples = plan.batch * plan.count
    input_s = samples / input_rate.samples_per_s if input_rate is not None else 0.0
    parts["input"] = max(0.0, input_s - step_s)
    total = max(step_s, input_s)
    sigma = fix.sigma or _sigma(coefficients.spread, plan, workload, parts["launch"] / device_s, convolution)
    width = math.exp(Z80 * sigma)
    low, high = _with_input(step_s / width, step_s * width, samples, input_rate)
    return Prediction(
        device=plan.device.name,
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
        memory=_memory(network, workload, plan),
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
        spread.half if workload.precision in REDUCED else 0.0,
        0.0 if measured else spread.unmeasured,
        spread.processor if plan.device.device_class == "cpu" else 0.0,
        spread.scaling if plan.count > 1 else 0.0,
    )
    return math.sqrt(sum(term**2 for term in terms))


def _limit(parts: dict[str, float]) -> Limit:
    if parts["input"] > 0:
        return "input"
    names: tuple[Limit, ...] = ("compute", "memory_bandwidth", "launch", "communication")
    return max(names, key=lambda name: parts[name])


def _confidence(width: float) -> Confidence:
    return "good" if width <= 1.15 else "fair" if width <= 1.30 else "rough"
