"""Fits the terms of the interval so that every data set has about 80 % of its held-out times inside."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from fit.constants.model import Case, Floats
from fit.judging.shipped import SHARES
from numpy.typing import NDArray

from advisor.predict.coefficients import Spread, time_coefficients
from advisor.predict.interval import Knowledge, judged_terms, launched, weights
from advisor.predict.timing.families import family_of
from advisor.predict.timing.network_factors import own_factor
from advisor.records.base import Z80

TERMS = tuple(field.name for field in msgspec.structs.fields(Spread))
WANTED, ALLOWED = 0.8, 0.06
FIXED = {"unmeasured": 0.2, "unrated": 0.15, "processor_train": 1.3, "half_without_units": 0.5}
"""Nothing is held out that could tell. The first is taken from the largest differences between families. Training on a
processor takes 1.0 (our own run), 2.2 (an article's CNN), 9.5 (cnn-benchmarks, eight networks on two Xeon E5-2630 v3) and 15
times (an article's DenseNet) what the kernels take: so much they scatter about ``PROCESSOR_TRAIN``. The rule by class for
the best products misses the 173 measured rates by 18 % on average. In 16 bit without units two cards show 0.4 and -0.5."""
MOST = {"launch": 2.0, "laptop": 0.2, "training": 0.2}
"""A Radeon made for laptops is 0.4 off, NVIDIA's
three hardly; what is particular to it is one of AMD's terms."""
NARROWER = 0.7
"""Most of ``measured`` over the terms it replaces, whose squares add: what is known of a network never widens its interval."""
PORTIONS = 5
STARTS = (0.03, 0.1)
"""Of all terms; a search ends in a hollow near its start, so the best of several is taken."""
LEAST = {"base": 0.02, "device": 0.02, "consumer": 0.03, "laptop": 0.17}
"""Of devices that were left out, the rates of products stayed known; those of which nothing is known are less sure. Makers
give one laptop's card a third of the power of another's (RTX 4070 Laptop: 35 to 115 W, NVIDIA's page of laptop cards), and
with its root go the clocks: 0.17 where every power is as likely. The three held out are of the usual kind."""
MOST_ROWS = 400
UNTOLD_WEIGHT = 0.3
"""Of sets without their year: what such a program takes today says more than how far off a program of 2020 is."""


def knowledge(
    cases: Sequence[Case],
    shares: Floats,
    *,
    is_known_device: bool,
    is_known_network: bool,
) -> list[Knowledge]:
    """Return what the program would know of the cases when their device, or their network, is new to it.

    Args:
        shares: By case, those named in ``shipped.SHARES``.
    """
    coefficients = time_coefficients()
    families = coefficients.families
    return [
        Knowledge(
            device=case.device,
            workload=case.workload,
            **dict(zip(SHARES, own.tolist(), strict=True)),
            is_known_rate=case.device.name in coefficients.plateaus,
            is_known_device=is_known_device,
            is_known_family=families[family_of(case.device)].rows > 0,
            is_known_network=is_known_network
            and bool(case.network_key)
            and own_factor(coefficients, case.network, case.workload) is not None,
            is_single_operation=case.overhead,
            is_language_model=case.network.is_language_model,
            device_count=max(case.count, 8 if case.source == "pycls" else 1),
        )
        for case, own in zip(cases, shares, strict=True)
    ]


def term_matrix(known: Sequence[Knowledge]) -> Floats:
    """Return the weights of the terms, squared; a row for each of ``TERMS``."""
    found = [weights(one) for one in known]
    return np.array([[one.get(name, 0.0) ** 2 for one in found] for name in TERMS])


def limits(known: Sequence[Knowledge], spread: Spread, off: Floats) -> Floats:
    """Return how far each case may be off, as a logarithm, on the side where it is, as the program says it.

    Args:
        off: Logarithms of predicted over measured; of a positive one the time is shorter than predicted.
    """
    squares = np.array([getattr(spread, name) ** 2 for name in TERMS])
    judged = np.array([sum(term**2 for term in judged_terms(one)) for one in known])
    others = Z80 * np.sqrt(squares @ term_matrix(known) + judged)
    return np.asarray(np.hypot(others, _launch_limits(spread.launch, _launch_ratios(known), off)))


def _launch_ratios(known: Sequence[Knowledge]) -> Floats:
    return np.array([one.launch_ratio for one in known])


def _launch_limits(launch: float, ratios: Floats, off: Floats) -> Floats:
    return launched(np.exp(Z80 * launch * np.where(off > 0.0, -1.0, 1.0)), ratios)


def portions(keys: Sequence[str]) -> dict[str, int]:
    """Return for each device or network which of ``PORTIONS`` it is of, by turns in the alphabet."""
    return {name: index % PORTIONS for index, name in enumerate(sorted(set(keys)))}


@dataclass(frozen=True)
class _Errors:
    """Errors of all sets, one after the other, with the weights of their terms, the shares of their launches, where each
    begins, and what each counts."""

    off: Floats
    matrix: Floats
    launches: Floats
    starts: NDArray[np.intp]
    counts: Floats


def fit(sets: Sequence[tuple[Floats, Sequence[Knowledge]]]) -> Spread:
    """Return the terms with which the coverage of each set comes nearest to what is wanted, whatever the size of the set.

    A search along one term after the other, with steps that become smaller, from several starts.
    """
    sets = [_some(off, known) for off, known in sets if len(known)]
    lengths = [len(off) for off, _ in sets]
    errors = _Errors(
        np.concatenate([off for off, _ in sets]),
        np.concatenate([term_matrix(known) for _, known in sets], axis=1),
        np.concatenate([_launch_ratios(known) for _, known in sets]),
        np.cumsum([0, *lengths[:-1]]),
        np.array([1.0 if known[0].workload.framework_year is not None else UNTOLD_WEIGHT for _, known in sets]),
    )
    values, _ = min((_search(start, errors) for start in STARTS), key=lambda found: found[1])
    return Spread(**{name: float(f"{value:.3g}") for name, value in zip(TERMS, values, strict=True)})


def _some(off: Floats, known: Sequence[Knowledge]) -> tuple[Floats, Sequence[Knowledge]]:
    """Return at most ``MOST_ROWS`` of a set, evenly by its order: a share of so many is known to two points."""
    chosen = np.unique(np.linspace(0, len(off) - 1, MOST_ROWS).round().astype(int))
    return off[chosen], [known[index] for index in chosen]


def _search(start: float, errors: _Errors) -> tuple[Floats, float]:
    """Return where the search from a start ends, and its cost."""
    measured, replaced = TERMS.index("measured"), [TERMS.index(name) for name in ("convolution", "traffic")]
    values = np.array([FIXED.get(name, start) for name in TERMS])
    values[measured] *= NARROWER
    step, best = 0.5, _cost(values, errors)
    while step > 0.03:
        improved = False
        for index, name in enumerate(TERMS):
            if name in FIXED:
                continue
            for factor in (1 + step, 1 / (1 + step)):
                trial = values.copy()
                trial[index] = np.clip(trial[index] * factor, LEAST.get(name, 0.01), MOST.get(name, 1.0))
                is_narrower = trial[measured] <= NARROWER * trial[replaced].min() * (1.0 + 1e-9)
                cost = _cost(trial, errors) if is_narrower else np.inf
                if cost < best - 1e-6:
                    values, best, improved = trial, cost, True
        if not improved:
            step /= 2
    return values, best


def _cost(values: Floats, errors: _Errors) -> float:
    """Return how far the coverages, smoothed, are from what is wanted, the far ones most, and a little for width."""
    launch = _launch_limits(values[TERMS.index("launch")], errors.launches, errors.off)
    limit = np.hypot(Z80 * np.sqrt(values**2 @ errors.matrix), launch)
    inside = 1.0 / (1.0 + np.exp(np.minimum((np.abs(errors.off) / limit - 1.0) * 20.0, 50.0)))
    lengths = np.diff([*errors.starts, len(inside)])
    shares = np.add.reduceat(inside, errors.starts) / lengths
    return float(np.sum(errors.counts * ((shares - WANTED) / ALLOWED) ** 4)) + 1e-2 * float(np.sum(values))
