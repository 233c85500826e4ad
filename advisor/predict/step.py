"""Join work, time, memory, scaling and the input pipeline into predictions with intervals."""

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import msgspec

from advisor.predict.batch_plans import BatchPlan, batch_plans, plan_times
from advisor.predict.classical import predict_classical
from advisor.predict.coefficients import link_coefficients, time_coefficients
from advisor.predict.interval import Knowledge, knows, limits
from advisor.predict.measured.calibrate import Correction, correction
from advisor.predict.memory import MemoryModel, as_measured, usable_bytes
from advisor.predict.scaling import Wiring, communication_s
from advisor.predict.support import is_supported, require_support
from advisor.predict.timing.device_rates import convolves_in_tf32, has_fast_link, has_rates, require_rates
from advisor.predict.timing.feeding import Loaded, input_wait_s
from advisor.predict.timing.network_factors import own_factor
from advisor.predict.timing.step_time import DEVICE_PARTS
from advisor.predict.timing.step_work import trained_parameters
from advisor.records.base import Z80, Interval
from advisor.records.hardware.device import Device
from advisor.records.job.prediction import Calibration, InputRate, Limit, Prediction, TimePart, confidence_of
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.records.results.scaling import MeasuredLink

FORWARD_RATIO = 1 / 3
"""Share of a training step's device time that looking at the same batch without learning takes.

Source: Kaplan et al. 2020, Scaling Laws for Neural Language Models, section 2.1: 2 of 6 FLOP a parameter are forward.
"""
_GRADIENT_BYTES = {"amp": 4.0, "fp16": 2.0, "bf16": 2.0}


class Target(NamedTuple):
    """What to predict a workload for.

    Attributes:
        device: One of the devices.
        device_count: How many work together.
        calibration: What the measurements of this computer say about the device.
        input_rate: How fast samples arrive, for all devices together.
        wiring: How the devices are connected; None: as usual for such devices.
        host_year: Of the processor beside the device; None: as old as the device.
    """

    device: Device
    device_count: int = 1
    calibration: Calibration | None = None
    input_rate: InputRate | None = None
    wiring: Wiring | None = None
    host_year: int | None = None


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
        PredictionError: The device's arithmetic rate or bandwidth is unknown, or no program does such a job on it.
    """
    require_rates(device)
    require_support(device, workload)
    target = Target(device, device_count, calibration, input_rate)
    [prediction] = predict_many(network, workload, [target], cut_batch=False)
    assert prediction is not None, "a device with known rates has a prediction"
    return prediction


def predict_many(
    network: Network, workload: Workload, targets: Sequence[Target], *, cut_batch: bool = True
) -> list[Prediction | None]:
    """Return a prediction for each target; None where a needed figure is unknown or no program does the job on it.

    Equal targets are predicted once, and the work of the network is worked out once for each size of batch.

    Args:
        network: What is trained, or asked.
        workload: How; its batch is that of all devices together.
        targets: The devices, and what is known of them.
        cut_batch: Where the batch of a device does not fit its memory, train it in parts and add up the gradients.
    """
    if network.family == "classical":
        return [
            predict_classical(network, workload, target.device, target.device_count, target.calibration)
            if is_supported(target.device, workload)
            else None
            for target in targets
        ]
    by_xla = [network.family == "cnn" and is_tpu(target.device) for target in targets]
    translated = msgspec.structs.replace(workload, compiled=True, channels_last=True)
    if any(by_xla) and workload != translated:
        parts = [
            iter(predict_many(network, how, [t for t, is_part in zip(targets, by_xla, strict=True) if is_part is kind],
                              cut_batch=cut_batch))
            for kind, how in ((False, workload), (True, translated))
        ]  # fmt: skip
        return [next(parts[kind]) for kind in by_xla]
    models = {kind: MemoryModel(network, workload, is_cpu=kind) for kind in (False, True)}
    distinct = {_way(target): target.device for target in targets}
    ways = {
        way: [
            dataclasses.replace(plan, host_year=way[2])
            for plan in batch_plans(workload, device, way[1], models[is_cpu(device)].footprint, cut_batch=cut_batch)
        ]
        for way, device in distinct.items()
        if has_rates(device) and is_supported(device, workload)
    }
    timed = iter(plan_times(network, workload, [plan for plans in ways.values() for plan in plans]))
    times = {way: [next(timed) for _ in plans] for way, plans in ways.items()}
    found: dict[tuple[object, ...], Prediction | None] = {}
    for target in targets:
        key, way = _key(target), _way(target)
        if key not in found:
            steps = [
                _step(network, workload, target, plan, parts)
                for plan, parts in zip(ways.get(way, ()), times.get(way, ()), strict=True)
            ]
            best = min(steps, key=lambda step: step.time_s, default=None)
            found[key] = None if best is None else _prediction(network, best, models[is_cpu(target.device)])
    return [found[_key(target)] for target in targets]


def is_tpu(device: Device) -> bool:
    """Return whether XLA translates every program for the device: it fuses what it can, and chooses the layouts.

    ResNet-50 in bf16: 1,100 to 1,160 images a second on a TPU v3 and 1,450 on a v4 (github.com/pytorch/xla, pull
    requests 4030, 4474 and 5720, 2022 and 2023); told 930 and 1,430, and 657 and 1,010 as if each operation ran alone.
    Of other networks nobody publishes such a figure: they are told as if it did not.
    """
    return device.device_class == "tpu"


def is_cpu(device: Device) -> bool:
    """Return whether the device is a processor, which computes in the computer's own memory."""
    return device.device_class == "cpu"


def _way(target: Target) -> tuple[int, int, int | None]:
    """Return what the ways to run a workload on a target depend on; devices are told apart as objects, for speed."""
    return id(target.device), target.device_count, target.host_year


def _key(target: Target) -> tuple[object, ...]:
    return *_way(target), id(target.calibration), target.input_rate, target.wiring


@dataclass(frozen=True)
class _Step:
    """The time of one step of a plan.

    Attributes:
        parts: Seconds by name; all but ``input``, the wait for samples, are the devices' own.
        alone_s: What each device takes by itself.
        devices_s: What the devices take together, before any wait for input.
        convolution_ratio: Share of the device's time in convolutions.
        is_single_operation: Whether the network is one kind of operation.
        is_known_network: Whether it was measured on some accelerator.
        is_language_model: Whether it writes text.
        fix: What measurements have corrected.
    """

    workload: Workload
    target: Target
    plan: BatchPlan
    parts: dict[str, float]
    alone_s: float
    devices_s: float
    convolution_ratio: float
    is_single_operation: bool
    is_known_network: bool
    is_language_model: bool
    fix: Correction

    @property
    def samples(self) -> int:
        """Of one step; where the batch does not divide, some devices have less to do, or nothing."""
        return _samples(self.plan, self.workload)

    @property
    def time_s(self) -> float:
        return self.devices_s + self.parts["input"]

    @property
    def validation_s(self) -> float:
        """Of a batch that is looked at without learning."""
        forward_s = self._forward_s()
        return forward_s + input_wait_s(self._loaded, forward_s)

    def interval(self) -> Interval:
        """Return the 80 % interval of the step."""
        return self._interval(self.devices_s)

    def fed_interval(self) -> Interval | None:
        """Return the interval of the step if samples arrive as the best guess says; None where nothing is loaded."""
        rate = self.target.input_rate
        if rate is None:
            return None
        usual = Interval(low=rate.samples_per_s, high=rate.samples_per_s)
        known = rate.waits if rate.waits == "yes" else "no"
        return self._interval(self.devices_s, msgspec.structs.replace(rate, interval=usual, waits=known))

    def validation_interval(self) -> Interval:
        """Return the 80 % interval of ``validation_s``."""
        return self._interval(self._forward_s())

    def _forward_s(self) -> float:
        return FORWARD_RATIO * sum([self.parts[name] for name in DEVICE_PARTS])

    @property
    def _loaded(self) -> Loaded | None:
        return _loaded(self.target.input_rate, self.plan, self.workload)

    def _interval(self, devices_s: float, rate: InputRate | None = None) -> Interval:
        """Return the interval around a device's time; samples must arrive first, perhaps while the devices wait."""
        low, high = devices_s / self._widths[0], devices_s * self._widths[1]
        loaded = _loaded(rate or self.target.input_rate, self.plan, self.workload)
        return Interval(low=low, high=high) if loaded is None else loaded.interval(low, devices_s, high)

    @cached_property
    def _widths(self) -> tuple[float, float]:
        """How many times as short, and as long, the device's time may be; three intervals ask for it."""
        found, link = self._limits(), 0.0 if self.link is None else self.link.sigma
        if self.fix.sigma is not None and (corrected := Z80 * math.hypot(self.fix.sigma, link)):
            # what other networks tell makes nothing less sure
            found = [corrected if self.fix.step_s is not None else min(corrected, each) for each in found]
        return math.exp(found[0]), math.exp(found[1])

    def _limits(self) -> list[float]:
        coefficients = time_coefficients()
        is_known_device, is_known_family = knows(coefficients, self.plan.device)
        known = Knowledge(
            device=self.plan.device,
            workload=self.workload,
            launch_ratio=self.parts["launch"] / self.alone_s,
            convolution_ratio=self.convolution_ratio,
            traffic_ratio=self.parts["memory_bandwidth"] / self.alone_s,
            optimizer_ratio=self.parts["optimizer"] / self.alone_s,
            is_known_rate=self.plan.device.name in coefficients.plateaus,
            is_known_device=is_known_device,
            is_known_family=is_known_family,
            is_known_network=self.is_known_network,
            is_single_operation=self.is_single_operation,
            is_language_model=self.is_language_model,
            device_count=1 if self.link is not None else self.plan.count,
        )
        link = 0.0 if self.link is None else Z80 * self.link.sigma
        return [math.hypot(each, link) for each in limits(coefficients.spread, known)]

    @property
    def link(self) -> MeasuredLink | None:
        """What was measured of the exchange; None where nothing was, or there is none."""
        wiring = self.target.wiring
        return None if wiring is None or self.plan.count == 1 else wiring.measured


def _step(network: Network, workload: Workload, target: Target, plan: BatchPlan, times: dict[str, float]) -> _Step:
    """Return a plan's step: the device's parts as measurements correct them, then communication and input."""
    fix = correction(target.calibration, plan.device, workload, network, plan.batch)
    parts = {name: times[name] * fix.ratio(name) for name in DEVICE_PARTS}
    parts["optimizer"] = times["optimizer"] * fix.ratio("memory_bandwidth")
    if fix.step_s is not None:
        modelled_s = sum(parts.values())
        parts = {name: seconds * fix.step_s / modelled_s for name, seconds in parts.items()}
    parts["memory_bandwidth"] += _copy_s(network, workload, plan)
    alone_s = sum(parts.values())
    parts["communication"] = _communication_s(network, workload, plan, alone_s, target.wiring)
    devices_s = alone_s + parts["communication"]
    parts["input"] = input_wait_s(_loaded(target.input_rate, plan, workload), devices_s)
    is_single = len(network.operations) == 1
    is_known = own_factor(time_coefficients(), network, workload) is not None
    writes = network.is_language_model
    return _Step(
        workload, target, plan, parts, alone_s, devices_s, times["convolution"], is_single, is_known, writes, fix
    )


def _samples(plan: BatchPlan, workload: Workload) -> int:
    return min(plan.batch * plan.count, workload.batch_size)


def _loaded(rate: InputRate | None, plan: BatchPlan, workload: Workload) -> Loaded | None:
    return None if rate is None else Loaded(rate, _samples(plan, workload), is_cpu(plan.device))


def _copy_s(network: Network, workload: Workload, plan: BatchPlan) -> float:
    """Return how long a training step waits while its images are copied to the device, as 32-bit numbers.

    A loader that does not pin its memory, which is the default of PyTorch, copies while the device waits.
    """
    shares_memory = is_cpu(plan.device) or plan.device.vendor == "apple"
    if network.image_size is None or workload.task == "infer" or shares_memory:
        return 0.0
    copied_bytes = 4.0 * plan.batch * workload.channels * network.image_size**2
    known = time_coefficients()
    return copied_bytes / (known.copy_bytes_per_s * (known.copy_gain if has_fast_link(plan.device) else 1.0))


def _prediction(network: Network, step: _Step, memory: MemoryModel) -> Prediction:
    workload, plan, total, interval = step.workload, step.plan, step.time_s, step.interval()
    needed = memory.estimate(usable_bytes(plan.device), plan.micro_batch, plan.least_shards or plan.shards)
    if step.fix.memory_bytes is not None and step.fix.basis == "measured":
        needed = as_measured(needed, step.fix.memory_bytes)
    return Prediction(
        device=plan.device.name,
        device_count=plan.count,
        network=network.name,
        task=workload.task,
        batch_size=plan.batch,
        precision=workload.precision,
        optimizer=workload.optimizer,
        tf32_convolutions=convolves_in_tf32(plan.device, workload.precision) and step.convolution_ratio > 0,
        accumulation_steps=plan.parts,
        time_per_step_s=total,
        interval=interval,
        fed_interval=step.fed_interval(),
        validation_step_s=step.validation_s if workload.validation_steps else None,
        validation_interval=step.validation_interval() if workload.validation_steps else None,
        samples_per_s=step.samples / total,
        shards=plan.shards,
        exchange_basis=None if plan.count == 1 else "modelled" if step.link is None else "measured",
        scaling_efficiency_ratio=step.alone_s / step.devices_s / (plan.shards if workload.task == "infer" else 1),
        limit=_limit(step),
        parts=tuple([TimePart(name=name, time_s=time_s) for name, time_s in step.parts.items()]),
        memory_bytes=needed.total_bytes,
        memory=needed,
        confidence=confidence_of(total, interval),
        basis=step.fix.basis,
        basis_detail=step.fix.cases or _data_names(),
    )


@cache
def _data_names() -> tuple[str, ...]:
    return tuple(data.name for data in time_coefficients().data)


def _communication_s(
    network: Network, workload: Workload, plan: BatchPlan, device_s: float, wiring: Wiring | None
) -> float:
    if workload.task == "infer":
        return 0.0
    payload = _GRADIENT_BYTES.get(workload.precision, 4.0) * trained_parameters(network, workload.method)
    return communication_s(
        device_s,
        payload,
        plan.device,
        plan.count,
        link_coefficients(),
        sharded=plan.shards > 1,
        wiring=wiring,
    )


def _limit(step: _Step) -> Limit:
    parts, loaded = step.parts, _loaded(step.target.input_rate, step.plan, step.workload)
    # What merely takes its share of a processor holds nothing back until it takes more than the training.
    shared_s = 0.0 if loaded is None else min(loaded.lost_s, step.devices_s)
    if parts["input"] > shared_s:
        return "disk" if loaded is not None and loaded.rate.is_of_disk else "input"
    names: tuple[Limit, ...] = ("compute", "memory_bandwidth", "launch", "communication")
    return max(names, key=lambda name: parts[name])
