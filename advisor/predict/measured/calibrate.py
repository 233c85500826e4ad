"""Let the measurements of one computer correct its own predictions and, damped, those of relatives of its device."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import msgspec

from advisor.predict.coefficients import time_coefficients
from advisor.predict.measured.measured_classes import measured_classes, shortened, summed_up
from advisor.predict.measured.measured_job import job_factor, job_factors, step_at
from advisor.predict.timing.device_rates import has_rates
from advisor.predict.timing.step_time import plain_step_s
from advisor.predict.timing.step_work import product_network
from advisor.records.base import Basis, Precision
from advisor.records.hardware.device import Device
from advisor.records.job.prediction import Calibration, CorrectionFactor, CorrectionKind
from advisor.records.job.work import Network
from advisor.records.job.workload import Task, Workload
from advisor.records.results.measured.measurement import Case, Measurement, undisturbed_s

RELATIVE_WEIGHT = 0.5
"""Share of a correction (of its logarithm) that another device of the same architecture takes over."""
_OTHER_PRECISION_WEIGHT = 0.7
_SAME_NETWORK_SIGMA = 0.08
_BETWEEN_NETWORKS_SIGMA = 0.276
"""Standard deviation of the logarithm of how much slower than the model a network runs, between networks of one device.

Corrected by one other network, 13 networks in fp32 on a processor of two cores were 33 % off in the median and 37 % on
average (``tools/jobs/bench_jobs.py`` without classes of work, 2026-11-23): log 0.39, that of a difference of two."""
_OTHER_TASK_SIGMA = 0.22
"""What comes on top where only applying networks was measured and one is to be trained, or the other way round."""
_LARGE_EDGES = 3
"""So many of the largest measured products, or batches of a network, count; small ones measure launching."""


@dataclass(frozen=True)
class Correction:
    """What to multiply the parts of a predicted time with.

    Attributes:
        compute, traffic, launch: Factors.
        sigma: Standard deviation of the logarithm of the corrected time; None: that of an uncorrected one.
        basis: What the time then rests on.
        cases: Ids of the measurements.
        step_s: What a step takes as it was measured; None: what the model says, corrected.
        memory_bytes: Peak of the measured step; None where that is unknown.
    """

    compute: float = 1.0
    traffic: float = 1.0
    launch: float = 1.0
    sigma: float | None = None
    basis: Basis = "modelled"
    cases: tuple[str, ...] = ()
    step_s: float | None = None
    memory_bytes: float | None = None

    def ratio(self, part: str) -> float:
        """Return the factor of a part of the time."""
        return {"compute": self.compute, "memory_bandwidth": self.traffic, "launch": self.launch}[part]


class _Kind(NamedTuple):
    """Measurements of one kind of work, of which one factor is made; fields as in ``CorrectionFactor``."""

    kind: CorrectionKind
    precision: Precision
    network: str = ""
    task: Task = "train"
    channels_last: bool = False


def calibrate(
    measurements: Sequence[Measurement],
    device: Device,
    networks: Mapping[str, Network],
    asked: Network | None = None,
) -> Calibration:
    """Return what the measurements say about predictions for ``device``.

    Args:
        measurements: Those taken on this very device.
        device: Its catalogue row, or one made for this computer's processor.
        networks: Tables of the networks that were measured, by the name the measurements have for them.
        asked: The network of the job that is asked about, at its size.
    """
    found: dict[_Kind, list[tuple[float, str]]] = defaultdict(list)
    if has_rates(device):
        for measurement in sorted(measurements, key=lambda one: (one.case.size, one.case.batch_size)):
            for kind, ratio in _ratios(measurement, device, networks):
                found[kind].append((ratio, measurement.case.id))
    factors = tuple(
        CorrectionFactor(
            **kind._asdict(),
            ratio=_middle([ratio for ratio, _ in values[-_LARGE_EDGES:]]),
            cases=tuple(case for _, case in values[-_LARGE_EDGES:]),
        )
        for kind, values in found.items()
    )
    of_job = () if asked is None or not has_rates(device) else job_factors(measurements, device, asked)
    return Calibration(
        device=device.name,
        vendor=device.vendor,
        architecture=device.architecture,
        device_class=device.device_class,
        factors=(*factors, *of_job),
        classes=tuple(measured_classes(measurements)),
    )


def correction(
    calibration: Calibration | None, device: Device, workload: Workload, network: Network, batch_size: int
) -> Correction:
    """Return how measurements correct the prediction of a step on a device; nothing for a stranger.

    Args:
        calibration: What was measured.
        device: The device.
        workload: The job.
        network: Its network.
        batch_size: Samples of the step on one device.
    """
    if calibration is None or not (calibration.factors or calibration.classes):
        return Correction()
    if calibration.hands:
        return _of_others(calibration, workload) if device.name == calibration.device else Correction()
    measured = job_factor(calibration.factors, workload, network)
    if device.name == calibration.device:
        if measured is not None:
            return _of_job(measured, batch_size)
        known = _own(calibration, workload)
        summed = None if known.basis == "measured" else _of_classes(calibration, device, workload, network, batch_size)
        return summed or known
    is_relative = (device.vendor, device.architecture) == (calibration.vendor, calibration.architecture)
    if not is_relative or "cpu" in (device.device_class, calibration.device_class):
        return Correction()
    own = _own(calibration, workload) if measured is None else _of_job(measured, batch_size)
    compute, traffic, launch = (ratio**RELATIVE_WEIGHT for ratio in (own.compute, own.traffic, own.launch))
    return Correction(compute, traffic, launch, basis="scaled", cases=own.cases)


def _of_others(calibration: Calibration, workload: Workload) -> Correction:
    """Return the correction by what other computers measured on such a device.

    It carries over to networks that they did not measure only where it was seen to do so.
    """
    own = _own(calibration, workload)
    is_same = own.basis == "measured"
    if own.basis == "modelled" or not (is_same or calibration.carries_over):
        return Correction()
    between = max((one.sigma for one in calibration.factors if set(one.cases) & set(own.cases)), default=0.0)
    sigma = math.hypot(own.sigma or 0.0, between)
    return replace(own, sigma=sigma, basis="shared", cases=(f"shared/{calibration.measurements}/{calibration.hands}",))


def _of_job(factor: CorrectionFactor, batch_size: int) -> Correction:
    """Return the correction by the job's own step: its time, whatever the model says."""
    ratio, (step_s, sigma) = factor.ratio, step_at(factor, batch_size)
    memory = factor.memory_bytes if factor.steps[-1][0] == batch_size else None
    return Correction(
        ratio, ratio, ratio, sigma=sigma, basis="measured", cases=factor.cases, step_s=step_s, memory_bytes=memory
    )


def _of_classes(
    calibration: Calibration, device: Device, workload: Workload, network: Network, batch_size: int
) -> Correction | None:
    """Return the correction by what the step's operations take, class by class; None where one was not measured."""
    found = summed_up(calibration.classes, workload, network, batch_size)
    if found is None:
        return _of_32_bit(calibration, device, workload, network, batch_size)
    return Correction(step_s=found.step_s, sigma=found.sigma, basis="scaled", cases=(found.case,))


def _of_32_bit(
    calibration: Calibration, device: Device, workload: Workload, network: Network, batch_size: int
) -> Correction | None:
    """Return the correction of a step in a short format by that in 32 bit, where too few classes had time to add up.

    A processor without instructions for a format takes many times as long, which nothing but a measurement tells.
    """
    found = shortened(calibration.classes, workload)
    if found is None:
        return None
    full = correction(calibration, device, msgspec.structs.replace(workload, precision="fp32"), network, batch_size)
    return replace(
        full,
        compute=full.compute * found.times,
        step_s=None if full.step_s is None else full.step_s * found.times,
        sigma=math.hypot(full.sigma or 0.0, found.sigma),
        memory_bytes=None,
        basis="scaled",
        cases=(*full.cases, found.case),
    )


def _own(calibration: Calibration, workload: Workload) -> Correction:
    """Return the correction for the measured device itself: the same network's, else a mean of what was measured."""
    networks = [factor for factor in calibration.factors if factor.kind == "network"]
    products = [factor for factor in calibration.factors if factor.kind == "gemm"]
    same = [f for f in networks if f.network == workload.network and _likeness(f, workload) == _ALIKE]
    if same:
        ratio = same[0].ratio
        return Correction(ratio, ratio, ratio, sigma=_SAME_NETWORK_SIGMA, basis="measured", cases=same[0].cases)
    nearest_networks, nearest_products = _nearest(networks, workload), _nearest(products, workload)
    known = [
        (_ratio(factors, workload.precision), factors) for factors in (nearest_networks, nearest_products) if factors
    ]
    if not known:
        return Correction()
    compute = math.exp(sum(math.log(ratio) for ratio, _ in known) / len(known))
    other = known[0][0] if nearest_networks else 1.0
    cases = tuple(case for _, factors in known for factor in factors for case in factor.cases)
    return Correction(compute, other, other, sigma=_sigma(nearest_networks, workload), basis="scaled", cases=cases)


def _likeness(factor: CorrectionFactor, workload: Workload) -> tuple[bool, bool, bool]:
    """Return in what a measured program is like the workload's, the most important first."""
    return (
        factor.precision == workload.precision,
        factor.task == workload.task,
        factor.channels_last == workload.channels_last,
    )


_ALIKE = (True, True, True)


def _nearest(factors: Sequence[CorrectionFactor], workload: Workload) -> list[CorrectionFactor]:
    """Return the factors whose programs are most like the workload's."""
    most = max((_likeness(factor, workload) for factor in factors), default=_ALIKE)
    return [factor for factor in factors if _likeness(factor, workload) == most]


def _ratio(factors: Sequence[CorrectionFactor], precision: Precision) -> float:
    """Return the middle of equally near factors; those of another precision count less."""
    ratio = _middle([factor.ratio for factor in factors])
    return ratio if factors[0].precision == precision else ratio**_OTHER_PRECISION_WEIGHT


def _sigma(networks: Sequence[CorrectionFactor], workload: Workload) -> float:
    other = _BETWEEN_NETWORKS_SIGMA * math.sqrt(1.0 + 1.0 / max(1, len(networks)))
    if not networks:
        return other  # products alone tell no more of a network than another network does
    return other if networks[0].task == workload.task else math.hypot(other, _OTHER_TASK_SIGMA)


def _ratios(measurement: Measurement, device: Device, networks: Mapping[str, Network]) -> Iterator[tuple[_Kind, float]]:
    """Yield (kind, measured time over predicted time) of a measurement that the model can predict."""
    case = measurement.case
    time_s = undisturbed_s(measurement)
    if time_s <= 0:
        return  # a file's; no clock tells it
    if case.program == "matmul" and case.size > 0:
        product = product_network(case.size, case.size, case.size)
        expected = plain_step_s(product, _workload(case, "infer"), device)
        yield _Kind("gemm", case.precision), time_s / (expected / time_coefficients().software["infer"])
    elif case.program in ("train", "infer") and case.network in networks:
        network = networks[case.network]
        task: Task = "train" if case.program == "train" else "infer"
        kind = _Kind("network", case.precision, network.name, task, case.options.get("channels_last") is True)
        yield kind, time_s / modelled_step_s(case, network, device)


def modelled_step_s(case: Case, network: Network, device: Device) -> float:
    """Return what the model says of the step of a measured network, as it was measured."""
    return plain_step_s(network, _workload(case, "train" if case.program == "train" else "infer"), device)


def _middle(ratios: Sequence[float]) -> float:
    from statistics import median  # a prediction from published figures does without

    return math.exp(median(math.log(ratio) for ratio in ratios))


def _workload(case: Case, task: Task) -> Workload:
    return Workload(
        id=case.id,
        title=case.id,
        network=case.network,
        task=task,
        samples=max(1, case.batch_size),
        batch_size=max(1, case.batch_size),
        precision=case.precision,
        optimizer="adam" if task == "train" else "none",
        channels_last=case.options.get("channels_last") is True,
    )
