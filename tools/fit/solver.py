"""Robust nonlinear least squares with priors: Levenberg-Marquardt on residuals re-weighted for outliers."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def minimise(
    residuals: Callable[[Floats], Floats],
    start: Floats,
    prior: Floats,
    sigma: Floats,
    *,
    iterations: int = 12,
    step: float = 1e-4,
) -> Floats:
    """Return parameters that make ``residuals`` (in units of their spread) small, near ``prior`` within ``sigma``.

    Each residual counts as sqrt(1 + r²) - 1 (pseudo-Huber), so an outlier pulls with a constant force.
    """
    x, damping = start.copy(), 1e-2
    r = residuals(x)
    best = _cost(r, x, prior, sigma)
    for _ in range(iterations):
        jacobian = np.empty((len(r), len(x)))
        for index in range(len(x)):
            moved = x.copy()
            moved[index] += step
            jacobian[:, index] = (residuals(moved) - r) / step
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
