"""Fits the terms of the interval so that every data set has about 80 % of its held-out times inside."""

from collections.abc import Sequence

import msgspec
import numpy as np
from model import Case, Floats

from advisor.predict.coefficients import Spread, time_coefficients
from advisor.predict.interval import Z80, Knowledge, weights
from advisor.predict.timing.families import family_of
from advisor.predict.timing.step_time import network_factor

TERMS = tuple(field.name for field in msgspec.structs.fields(Spread))
WANTED, ALLOWED = 0.8, 0.06
FIXED = {"unmeasured": 0.2, "processor_train": 1.3}
"""Nothing is held out that could tell. The first is taken from the largest differences between families. Training on a
processor takes 1.0 (our own run), 2.2 (an article's CNN), 9.5 (cnn-benchmarks, eight networks on two Xeon E5-2630 v3) and 15
times (an article's DenseNet) what the kernels take: so much they scatter about ``PROCESSOR_TRAIN``."""
MOST = {"half_without_units": 0.5, "launch": 2.0}
"""Of the first a wider one would say nothing: two cards show 0.4 and -0.5."""
NARROWER = 0.9
"""Most of ``measured`` over ``convolution``: what is known of a network makes its interval narrower, never wider."""
PORTIONS = 5
STARTS = (0.03, 0.05, 0.1, 0.2)
"""Of all terms; a search ends in a hollow near its start, so the best of several is taken."""
LEAST = {"base": 0.05}


def knowledge(
    cases: Sequence[Case],
    launch_ratio: Floats,
    convolution_ratio: Floats,
    *,
    is_known_device: bool,
    is_known_network: bool,
) -> list[Knowledge]:
    """Return what the program would know of the cases when their device, or their network, is new to it."""
    coefficients = time_coefficients()
    families = coefficients.families
    return [
        Knowledge(
            device=case.device,
            workload=case.workload,
            launch_ratio=float(launch),
            convolution_ratio=float(share),
            is_known_device=is_known_device,
            is_known_family=families[family_of(case.device)].rows > 0,
            is_known_network=is_known_network
            and bool(case.network_key)
            and network_factor(coefficients, case.network, case.workload) is not None,
            is_single_operation=case.overhead,
            device_count=max(case.count, 8 if case.source == "pycls" else 1),
        )
        for case, launch, share in zip(cases, launch_ratio, convolution_ratio, strict=True)
    ]


def term_matrix(known: Sequence[Knowledge]) -> Floats:
    """Return the weights of the terms, squared; a row for each of ``TERMS``."""
    found = [weights(one) for one in known]
    return np.array([[one.get(name, 0.0) ** 2 for one in found] for name in TERMS])


def sigmas(known: Sequence[Knowledge], spread: Spread) -> Floats:
    """Return the standard deviations of the logarithms of the cases."""
    squares = np.array([getattr(spread, name) ** 2 for name in TERMS])
    return np.asarray(np.sqrt(squares @ term_matrix(known)))


def portions(keys: Sequence[str]) -> dict[str, int]:
    """Return for each device or network which of ``PORTIONS`` it is of, by turns in the alphabet."""
    return {name: index % PORTIONS for index, name in enumerate(sorted(set(keys)))}


def fit(sets: Sequence[tuple[Floats, Sequence[Knowledge]]]) -> Spread:
    """Return the terms with which the coverage of each set comes nearest to what is wanted; each set counts the same.

    A search along one term after the other, with steps that become smaller, from several starts.
    """
    sets = [(off, known) for off, known in sets if len(known)]
    matrices = [(np.abs(off), term_matrix(known)) for off, known in sets]
    values, _ = min((_search(start, matrices) for start in STARTS), key=lambda found: found[1])
    return Spread(**{name: float(f"{value:.3g}") for name, value in zip(TERMS, values, strict=True)})


def _search(start: float, matrices: Sequence[tuple[Floats, Floats]]) -> tuple[Floats, float]:
    """Return where the search from a start ends, and its cost."""
    measured, convolution = TERMS.index("measured"), TERMS.index("convolution")
    values = np.array([FIXED.get(name, start) for name in TERMS])
    values[measured] *= NARROWER
    step, best = 0.5, _cost(values, matrices)
    while step > 0.01:
        improved = False
        for index, name in enumerate(TERMS):
            if name in FIXED:
                continue
            for factor in (1 + step, 1 / (1 + step)):
                trial = values.copy()
                trial[index] = np.clip(trial[index] * factor, LEAST.get(name, 0.01), MOST.get(name, 1.0))
                is_narrower = trial[measured] <= NARROWER * trial[convolution] * (1.0 + 1e-9)
                cost = _cost(trial, matrices) if is_narrower else np.inf
                if cost < best - 1e-9:
                    values, best, improved = trial, cost, True
        if not improved:
            step /= 2
    return values, best


def _cost(values: Floats, sets: Sequence[tuple[Floats, Floats]]) -> float:
    """Return how far the coverages, smoothed, are from what is wanted, the far ones most, and a little for width."""
    total = 1e-2 * float(np.sum(values))
    for off, matrix in sets:
        sigma = np.sqrt(values**2 @ matrix)
        inside = 1.0 / (1.0 + np.exp(np.minimum((off / (Z80 * sigma) - 1.0) * 20.0, 50.0)))
        total += float(((inside.mean() - WANTED) / ALLOWED) ** 4)
    return total
