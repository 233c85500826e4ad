"""Let the measurements of one computer correct its own predictions and, damped, those of relatives of its device."""

import math
from collections.abc import Mapping, Sequence
from statistics import median

from advisor.predict.time import plain_step_s
from advisor.records.device import Device
from advisor.records.measurement import Measurement
from advisor.records.prediction import Calibration, CorrectionFactor
from advisor.records.work import Network
from advisor.records.workload import Workload

_RELATIVE_WEIGHT = 0.5  # how much of a correction a relative of the measured device takes over


def calibrate(measurements: Sequence[Measurement], device: Device, networks: Mapping[str, Network]) -> Calibration:
    """Return what the measurements say about predictions for ``device``.

    Args:
        measurements: Those taken on this very device.
        device: Its catalogue row, or one made for this computer's processor.
        networks: Tables of the networks that were measured, by name.
    """
    ratios: dict[str, list[tuple[float, str]]] = {}
    for measurement in measurements:
        network = networks.get(measurement.case.network)
        if network is None or measurement.case.program != "train":
            continue
        expected = plain_step_s(network, _workload(measurement), device)
        ratios.setdefault(measurement.case.precision, []).append((measurement.median_s / expected, measurement.case.id))
    factors = tuple(
        CorrectionFactor(
            kind="network",
            precision=precision,  # type: ignore[arg-type]
            ratio=math.exp(median(math.log(ratio) for ratio, _ in found)),
            cases=tuple(case for _, case in found),
        )
        for precision, found in ratios.items()
    )
    return Calibration(
        device=device.name,
        vendor=device.vendor,
        architecture=device.architecture,
        device_class=device.device_class,
        factors=factors,
    )


def correction(calibration: Calibration | None, device: Device, workload: Workload) -> float:
    """Return by what the predicted time of a step must be multiplied."""
    if calibration is None or not calibration.factors:
        return 1.0
    by_precision = {factor.precision: factor.ratio for factor in calibration.factors}
    ratio = by_precision.get(workload.precision) or math.exp(median(map(math.log, by_precision.values())))
    if device.name == calibration.device:
        return ratio
    if device.vendor == calibration.vendor and device.architecture == calibration.architecture:
        return float(ratio**_RELATIVE_WEIGHT)
    return 1.0


def _workload(measurement: Measurement) -> Workload:
    case = measurement.case
    return Workload(
        id=case.id,
        title=case.id,
        network=case.network,
        samples=case.batch_size,
        batch_size=case.batch_size,
        precision=case.precision,
        optimizer="adam",
    )
