"""Learn from the measurements of others: one vote a computer, the middle of the votes, and only what proves better.

A computer that is left out is predicted without and with what the others measured. Whatever does not come nearer to
what it measured corrects nothing.
"""

import datetime
import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from advisor import __version__
from advisor.catalog import find_device
from advisor.learning.gather import Gathered, device_of, shared_network
from advisor.predict.measured.calibrate import modelled_step_s
from advisor.records.base import Precision
from advisor.records.hardware.device import Device
from advisor.records.job.prediction import Calibration, CorrectionFactor
from advisor.records.job.workload import Task
from advisor.records.results.measured.measurement import Case
from advisor.records.results.shared import (
    Learned,
    LearnedDevice,
    LearnedError,
    NotLearned,
    SharedCase,
    SharedMeasurements,
)

LEAST_HANDS = 3
"""So many computers must agree; what fewer say may be one of them."""
AGREED = 0.10
"""Of those, each lies so near the middle."""
LEAST_NETWORKS = 4
"""Of so many networks can be told whether a correction carries over to another one."""
_LEAST_SIGMA = 0.02
"""Between computers with one device: H100 of one cloud differ by 1 %. Source: lambdal/deeplearning-benchmark."""


STRAY = 1.3
"""A computer so many times as slow or as quick as the middle is another card, or another program, or a lie."""
_STRAY_SIGMAS = 4.0
_SIGMA_OF_MIDDLE = 1.4826
"""Standard deviation over the median distance from the middle, of a normal distribution."""


class _Kind(NamedTuple):
    """A kind of work that is corrected by itself; fields as in ``CorrectionFactor``."""

    precision: Precision
    network: str
    task: Task
    channels_last: bool


def learn(gathered: Gathered) -> Learned:
    """Return what the measurements teach about each device."""
    by_device: dict[str, list[SharedMeasurements]] = defaultdict(list)
    for one in gathered.shared:
        by_device[one.device].append(one)
    found = [_of_device(device, shared) for _, shared in sorted(by_device.items()) if (device := device_of(shared[0]))]
    return Learned(
        created_at=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        program_version=__version__,
        devices=tuple(one for one in found if isinstance(one, LearnedDevice)),
        left_out=tuple(one for one in found if isinstance(one, NotLearned)),
        files=gathered.digests,
    )


def _of_device(device: Device, shared: Sequence[SharedMeasurements]) -> LearnedDevice | NotLearned:
    hands: dict[str, list[SharedCase]] = defaultdict(list)
    for one in shared:
        hands[one.hand] += one.cases
    given = _given(hands)
    count = len({hand for of in given.values() for hand in of})
    measurements = sum(len(cases) for of in given.values() for cases in of.values())
    votes = {kind: _votes(device, kind, of) for kind, of in given.items()}
    agreed = {kind: of for kind, of in votes.items() if _is_agreed(of.values())}
    if not agreed:
        return NotLearned(device=device.name, reason="few_hands", hands=count, measurements=measurements)
    held_out = {kind: _held_out(list(given.values())) for kind, given in agreed.items()}
    better = {kind: agreed[kind] for kind, error in held_out.items() if error.after < error.before}
    error = _middle_error([held_out[kind] for kind in better or agreed])
    if not better:
        return NotLearned(device=device.name, reason="worse", hands=count, measurements=measurements, error=error)
    others = _of_other_networks({kind: _middle(given.values()) for kind, given in better.items()})
    calibration = Calibration(
        device=device.name,
        vendor=device.vendor,
        architecture=device.architecture,
        device_class=device.device_class,
        factors=tuple(_factor(kind, given) for kind, given in better.items()),
        hands=count,
        measurements=measurements,
        carries_over=others is not None and others.after < others.before,
    )
    return LearnedDevice(calibration=calibration, error=error, other_networks=others)


def _given(hands: dict[str, list[SharedCase]]) -> dict[_Kind, dict[str, frozenset[SharedCase]]]:
    """Return what each hand says of each kind of work; whatever another says to the last digit is that one's."""
    found: dict[_Kind, dict[str, set[SharedCase]]] = defaultdict(lambda: defaultdict(set))
    for hand, cases in sorted(hands.items()):
        for case in cases:
            found[_Kind(case.precision, case.network, case.task, case.channels_last)][hand].add(case)
    once = {kind: {frozenset(cases): hand for hand, cases in of.items()} for kind, of in found.items()}
    return {kind: {hand: cases for cases, hand in of.items()} for kind, of in once.items()}


def _votes(device: Device, kind: _Kind, given: dict[str, frozenset[SharedCase]]) -> dict[str, float]:
    """Return what each hand says: measured time over predicted time."""
    return _without_strays(
        {
            hand: _middle(case.median_s / _modelled_s(device.name, kind, case.batch_size) for case in cases)
            for hand, cases in given.items()
        }
    )


@cache
def _modelled_s(device: str, kind: _Kind, batch_size: int) -> float:
    network = shared_network(kind.network)
    assert network is not None, "the gates let no other through"
    case = Case(
        id="shared",
        program=kind.task,
        precision=kind.precision,
        network=kind.network,
        batch_size=batch_size,
        options={"channels_last": kind.channels_last},
    )
    return modelled_step_s(case, network, find_device(device))


def _without_strays(votes: dict[str, float]) -> dict[str, float]:
    """Return the votes without those far from the middle, so that their side does not even pull at it."""
    middle = _middle(votes.values())
    spread = statistics.median(abs(math.log(ratio / middle)) for ratio in votes.values())
    widest = max(math.log(STRAY), _STRAY_SIGMAS * _SIGMA_OF_MIDDLE * spread)
    return {hand: ratio for hand, ratio in votes.items() if abs(math.log(ratio / middle)) <= widest}


def _is_agreed(ratios: Iterable[float]) -> bool:
    known = list(ratios)
    middle = _middle(known)
    return sum(abs(ratio / middle - 1) <= AGREED for ratio in known) >= LEAST_HANDS


def _held_out(ratios: Sequence[float]) -> LearnedError:
    """Return the error for each hand that is left out, without and with what the others say: the middle of all."""
    rest = [[*ratios[:place], *ratios[place + 1 :]] for place in range(len(ratios))]
    return LearnedError(
        before=statistics.median(_off(1.0, ratio) for ratio in ratios),
        after=statistics.median(_off(_middle(other), ratio) for other, ratio in zip(rest, ratios, strict=True)),
    )


def _of_other_networks(ratios: dict[_Kind, float]) -> LearnedError | None:
    """Return the error for each network that is left out, without and with the factors of the others."""
    before: list[float] = []
    after: list[float] = []
    for kind, ratio in ratios.items():
        others = [one for key, one in ratios.items() if key.network != kind.network and _is_alike(key, kind)]
        if len(others) >= LEAST_NETWORKS - 1:
            before.append(_off(1.0, ratio))
            after.append(_off(_middle(others), ratio))
    if not before:
        return None
    return LearnedError(before=statistics.median(before), after=statistics.median(after))


def _is_alike(one: _Kind, other: _Kind) -> bool:
    return one._replace(network="") == other._replace(network="")


def _middle_error(errors: Sequence[LearnedError]) -> LearnedError:
    return LearnedError(
        before=statistics.median(error.before for error in errors),
        after=statistics.median(error.after for error in errors),
    )


def _factor(kind: _Kind, given: dict[str, float]) -> CorrectionFactor:
    middle = _middle(given.values())
    spread = statistics.median(abs(math.log(ratio / middle)) for ratio in given.values())
    return CorrectionFactor(
        kind="network",
        **kind._asdict(),
        ratio=middle,
        cases=("/".join(map(str, kind)),),
        sigma=max(_SIGMA_OF_MIDDLE * spread, _LEAST_SIGMA),
    )


def _off(predicted: float, measured: float) -> float:
    """Return by which share a prediction is off."""
    return abs(predicted / measured - 1)


def _middle(ratios: Iterable[float]) -> float:
    return math.exp(statistics.median(map(math.log, ratios)))
