"""Robust nonlinear least squares with priors: Levenberg-Marquardt on residuals re-weighted for outliers."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


def minimise(
    residuals: Callable[[Floats], Floats],
    start: Floats,
    prior: Floats,
    sigma: Floats,
    *,
    iterations: int = 12,
    apart: Sequence[Indices] = (),
) -> Floats:
    """Return parameters that make ``residuals`` (in units of their spread) small, near ``prior`` within ``sigma``.

    Each residual counts as sqrt(1 + r²) - 1 (pseudo-Huber), so an outlier pulls with a constant force.
    ``apart``: see ``derivative``.
    """
    x, damping = start.copy(), 1e-2
    r = residuals(x)
    best = _cost(r, x, prior, sigma)
    for _ in range(iterations):
        jacobian = derivative(residuals, x, apart=apart)
        weight = 1.0 / np.sqrt(1.0 + r**2)
        hessian = jacobian.T @ (jacobian * weight[:, None]) + np.diag(1.0 / sigma**2)
        slope = jacobian.T @ (weight * r) + (x - prior) / sigma**2
        improved = False
        for _ in range(6):
            trial = x - np.linalg.solve(hessian + damping * np.diag(np.diag(hessian)), slope)
            trial_r = residuals(trial)
            cost = _cost(trial_r, trial, prior, sigma)
            if np.isfinite(cost) and cost < best:
                gain = best - cost
                x, r, best, improved = trial, trial_r, cost, True
                damping = max(damping / 5, 1e-6)
                break
            damping *= 6
        if not improved or gain < 1e-4 * best:
            break
    return x


def _cost(r: Floats, x: Floats, prior: Floats, sigma: Floats) -> float:
    return float(np.sum(np.sqrt(1.0 + r**2) - 1.0) + 0.5 * np.sum(((x - prior) / sigma) ** 2))


def derivative(
    residuals: Callable[[Floats], Floats], x: Floats, *, apart: Sequence[Indices] = (), step: float = 1e-4
) -> Floats:
    """Return the matrix of derivatives of the residuals.

    ``apart``: parameters of which each residual depends on one at most; for each residual that one, or -1. They are all
    moved at once.
    """
    base = residuals(x)
    result = np.zeros((len(base), len(x)))
    single = np.ones(len(x), dtype=bool)
    for members in apart:
        rows = np.flatnonzero(members >= 0)
        single[members[rows]] = False
        moved = x.copy()
        moved[np.unique(members[rows])] += step
        result[rows, members[rows]] = (residuals(moved) - base)[rows] / step
    for index in np.flatnonzero(single):
        moved = x.copy()
        moved[index] += step
        result[:, index] = (residuals(moved) - base) / step
    return result


def without(
    residuals: Callable[[Floats], Floats],
    matrix: Floats,
    x: Floats,
    *,
    prior: Floats,
    sigma: Floats,
    kept: NDArray[np.bool_],
    steps: int = 5,
) -> Floats:
    """Return the parameters fitted without some residuals, by steps with the derivatives of the whole fit.

    The derivatives hardly change when a device is left out, so the steps go to where a new fit would end.
    """
    found = x.copy()
    rows = matrix[kept]
    for _ in range(steps):
        r = residuals(found)[kept]
        weight = 1.0 / np.sqrt(1.0 + r**2)
        hessian = rows.T @ (rows * weight[:, None]) + np.diag(1.0 / sigma**2)
        slope = rows.T @ (weight * r) + (found - prior) / sigma**2
        change = np.linalg.solve(hessian, slope)
        found = found - np.clip(change, -0.7, 0.7)
        if np.max(np.abs(change)) < 1e-3:
            break
    return found
