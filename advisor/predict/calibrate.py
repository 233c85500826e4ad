"""Let the measurements of one computer correct its own predictions and, damped, those of relatives of its device."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from advisor.predict.coefficients import time_coefficients
from advisor.predict.rates import has_rates
from advisor.predict.time import plain_step_s
from advisor.predict.work import product_network
from advisor.records.base import Basis, Precision
from advisor.records.device import Device
from advisor.records.measurement import Measurement
from advisor.records.prediction import Calibration, CorrectionFactor, CorrectionKind
from advisor.records.work import Network
from advisor.records.workload import Optimizer, Workload

RELATIVE_WEIGHT = 0.5
"""Share of a correction (of its logarithm) that another device of the same architecture takes over."""
_OTHER_PRECISION_WEIGHT = 0.7
_SAME_NETWORK_SIGMA = 0.08
_OTHER_NETWORK_SIGMA = 0.18
_PRODUCT_SIGMA = 0.22
_LARGE_EDGES = 3
"""So many of the largest measured products count; small ones measure launching."""


@dataclass(frozen=True)
class Correction:
    """What to multiply the parts of a predicted time with.

    Attributes:
        compute, traffic, launch: Factors.
        sigma: Standard deviation of the logarithm of the corrected time; None: that of an uncorrected one.
        basis: What the time then rests on.
        cases: Ids of the measurements.
    """

    compute: float = 1.0
    traffic: float = 1.0
    launch: float = 1.0
    sigma: float | None = None
    basis: Basis = "modelled"
    cases: tuple[str, ...] = ()

    def ratio(self, part: str) -> float:
        """Return the factor of a part of the time."""
        return {"compute": self.compute, "memory_bandwidth": self.traffic, "launch": self.launch}[part]


def calibrate(measurements: Sequence[Measurement], device: Device, networks: Mapping[str, Network]) -> Calibration:
    """Return what the measurements say about predictions for ``device``.

    Args:
        measurements: Those taken on this very device.
        device: Its catalogue row, or one made for this computer's processor.
        networks: Tables of the networks that were measured, by name.
    """
    found: dict[tuple[CorrectionKind, Precision, str], list[tuple[float, str]]] = defaultdict(list)
    if has_rates(device):
        for measurement in sorted(measurements, key=lambda measurement: measurement.case.size):
            for kind, network, ratio in _ratios(measurement, device, networks):
                found[kind, measurement.case.precision, network].append((ratio, measurement.case.id))
    factors = tuple(
        CorrectionFactor(
            kind=kind,
            precision=precision,
            network=network,
            ratio=_middle([ratio for ratio, _ in values[-_LARGE_EDGES:]]),
            cases=tuple(case for _, case in values[-_LARGE_EDGES:]),
        )
        for (kind, precision, network), values in found.items()
    )
    return Calibration(
        device=device.name,
        vendor=device.vendor,
        architecture=device.architecture,
        device_class=device.device_class,
        factors=factors,
    )


def correction(calibration: Calibration | None, device: Device, workload: Workload) -> Correction:
    """Return how measurements correct the prediction of a workload on a device; nothing for a stranger."""
    if calibration is None or not calibration.factors:
        return Correction()
    if device.name == calibration.device:
        return _own(calibration, workload)
    is_relative = (device.vendor, device.architecture) == (calibration.vendor, calibration.architecture)
    if not is_relative or "cpu" in (device.device_class, calibration.device_class):
        return Correction()
    own = _own(calibration, workload)
    compute, traffic, launch = (ratio**RELATIVE_WEIGHT for ratio in (own.compute, own.traffic, own.launch))
    return Correction(compute, traffic, launch, basis="scaled", cases=own.cases)


def _own(calibration: Calibration, workload: Workload) -> Correction:
    """Return the correction for the measured device itself: the same network's, else a mean of what was measured."""
    networks = [factor for factor in calibration.factors if factor.kind == "network"]
    products = [factor for factor in calibration.factors if factor.kind == "gemm"]
    same = [f for f in networks if f.network == workload.network and f.precision == workload.precision]
    if same:
        ratio = same[0].ratio
        return Correction(ratio, ratio, ratio, sigma=_SAME_NETWORK_SIGMA, basis="measured", cases=same[0].cases)
    nearest_network = _nearest(networks, workload.precision)
    nearest_product = _nearest(products, workload.precision)
    known = [pair for pair in (nearest_network, nearest_product) if pair is not None]
    if not known:
        return Correction()
    compute = math.exp(sum(math.log(ratio) for ratio, _ in known) / len(known))
    other = nearest_network[0] if nearest_network is not None else 1.0
    cases = tuple(case for _, cases in known for case in cases)
    sigma = _OTHER_NETWORK_SIGMA if nearest_network is not None else _PRODUCT_SIGMA
    return Correction(compute, other, other, sigma=sigma, basis="scaled", cases=cases)


def _nearest(factors: Sequence[CorrectionFactor], precision: Precision) -> tuple[float, tuple[str, ...]] | None:
    """Return ratio and cases at the precision; those of other precisions count less."""
    same = [factor for factor in factors if factor.precision == precision]
    chosen = same or list(factors)
    if not chosen:
        return None
    ratio = _middle([factor.ratio for factor in chosen])
    return (ratio if same else ratio**_OTHER_PRECISION_WEIGHT), tuple(c for f in chosen for c in f.cases)


def _ratios(
    measurement: Measurement, device: Device, networks: Mapping[str, Network]
) -> Iterator[tuple[CorrectionKind, str, float]]:
    """Yield (kind, network, measured time over predicted time) of a measurement that the model can predict."""
    case = measurement.case
    if case.program == "matmul" and case.size > 0:
        product = product_network(case.size, case.size, case.size)
        expected = plain_step_s(product, _workload(measurement, "infer", "none"), device)
        yield "gemm", "", measurement.median_s / (expected / time_coefficients().software["infer"])
    elif case.program in ("train", "infer") and case.network in networks:
        task = "train" if case.program == "train" else "infer"
        workload = _workload(measurement, task, "adam" if task == "train" else "none")
        yield "network", case.network, measurement.median_s / plain_step_s(networks[case.network], workload, device)


def _middle(ratios: Sequence[float]) -> float:
    return math.exp(median(math.log(ratio) for ratio in ratios))


def _workload(measurement: Measurement, task: str, optimizer: Optimizer) -> Workload:
    case = measurement.case
    return Workload(
        id=case.id,
        title=case.id,
        network=case.network,
        task=task,  # type: ignore[arg-type]
        samples=max(1, case.batch_size),
        batch_size=max(1, case.batch_size),
        precision=case.precision,
        optimizer=optimizer,
    )
