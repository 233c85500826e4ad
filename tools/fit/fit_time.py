"""Fits the constants of time and writes ``resources/catalog/calibration/time.json``.

    python tools/fit/fit_time.py --data ../shared/data

The fit starts from the last one (``fitted_time.json``). Every device is then left out once, and what the others say of
it gives the spread of the intervals.
"""

import argparse
import datetime
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from cases import accelerator_cases, report_skipped
from export import time_file, write
from model import Batch, Case, Floats, Parameters, parameters
from processors import processor_cases, processor_parameters
from solver import derivative, minimise, without

from advisor.predict.kernels import HALF
from advisor.predict.rates import peaks
from advisor.predict.work import REDUCED

FITTED = Path(__file__).with_name("fitted_time.json")
HELD_OUT_BY_DEVICE = ("neusight", "lambda", "ryujaehun", "cnn_benchmarks", "u39kun")


def main() -> int:
    parser = argparse.ArgumentParser(description="Fit the constants of time.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of public measurements")
    parser.add_argument("--iterations", type=int, default=10)
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"The folder of public measurements {arguments.data} is not there; nothing was fitted.", file=sys.stderr)
        return 2
    known = json.loads(FITTED.read_text(encoding="utf-8")) if FITTED.exists() else {}
    cases = accelerator_cases(arguments.data)
    p, x = fit(cases, parameters(cases), known.get("accelerators", {}), arguments.iterations)
    processors = processor_cases(arguments.data)
    q, y = fit(processors, processor_parameters(processors), known.get("processors", {}), arguments.iterations)
    show(cases, p, x)
    show(processors, q, y)
    content = {"fitted": datetime.date.today().isoformat(), "accelerators": p.named(x), "processors": q.named(y)}
    FITTED.write_text(json.dumps({k: _short(v) for k, v in content.items()}, indent=1) + "\n", encoding="utf-8")
    spread = spreads(cases, p, x)
    print("spread", spread)
    found = errors(cases, p, x) | errors(processors, q, y)
    write("time", time_file((p, x), (q, y), cases, processors, spread=spread, errors=found))
    for line in report_skipped():
        print("left out:", line)
    return 0


def _short(value: Any) -> Any:
    return {k: float(f"{v:.6g}") for k, v in value.items()} if isinstance(value, dict) else value


def fit(cases: Sequence[Case], p: Parameters, known: dict[str, float], iterations: int) -> tuple[Parameters, Floats]:
    """Return the parameters and where they end."""
    batch = Batch(cases, p)
    start = p.start(known)
    if not known:
        _start_scales(batch, p, start)
    return p, minimise(batch.residuals, start, p.prior, p.sigma, iterations=iterations)


def _start_scales(batch: Batch, p: Parameters, start: Floats) -> None:
    """Put factors of samples of unknown length where the data are."""
    off = np.log(batch.seconds(start) / batch.time)
    for scale in {case.scale for case in batch.cases if case.scale}:
        members = [index for index, case in enumerate(batch.cases) if case.scale == scale]
        if p.sigma[p.index[f"scale/{scale}"]] > 1:
            start[p.index[f"scale/{scale}"]] = -np.median(off[members])


def errors(cases: Sequence[Case], p: Parameters, x: Floats) -> dict[str, tuple[int, float]]:
    """Return rows and mean error by source."""
    off = np.abs(Batch(cases, p).seconds(x) / np.array([case.time_s for case in cases]) - 1.0)
    sources = np.array([case.source for case in cases])
    return {str(s): (int((sources == s).sum()), float(off[sources == s].mean())) for s in np.unique(sources)}


def show(cases: Sequence[Case], p: Parameters, x: Floats) -> None:
    """Print how well the fit reproduces what it was fitted on."""
    for source, (rows, error) in errors(cases, p, x).items():
        print(f"{source:20s} {rows:6d} rows, mean error {100 * error:5.1f} %")


def held_out(cases: Sequence[Case], p: Parameters, x: Floats, key: Sequence[str], only: Sequence[str] = ()) -> Floats:
    """Return the logarithm of predicted over measured time of each case, fitted without all cases of its key."""
    batch = Batch(cases, p)
    matrix = derivative(batch.residuals, x)
    keys = np.array(key)
    result = np.full(len(cases), np.nan)
    for name in only or np.unique(keys):
        members = keys == name
        found = without(batch.residuals, matrix, x, prior=p.prior, sigma=p.sigma, kept=~members)
        part = Batch([case for case, own in zip(cases, members, strict=True) if own], p)
        result[members] = np.log(part.seconds(found) / part.time)
    return result


def spreads(cases: Sequence[Case], p: Parameters, x: Floats) -> dict[str, float]:
    """Return the terms of the interval: their squares, weighted by shares of the step, give the held-out errors."""
    off = held_out(cases, p, x, [case.device.name for case in cases])
    device_s, launch_s, convolution = Batch(cases, p).parts(x)
    chosen = np.array([case.source in HELD_OUT_BY_DEVICE for case in cases])
    half, lacking = half_flags(cases)
    launch = launch_s / (device_s + launch_s)
    terms = np.stack([np.ones(len(cases)), launch**2, convolution**2, half, lacking])[:, chosen]
    weight = 1.0 / np.sqrt(_frequency([case.source for case, own in zip(cases, chosen, strict=True) if own]))
    squares = _fit_squares(terms, off[chosen], weight)
    base, launch_term, convolution_term, half_term, without_term = np.sqrt(squares)
    return {
        "base": _round(base),
        "launch": _round(launch_term),
        "convolution": _round(convolution_term),
        "half": _round(half_term),
        "half_without_units": _round(without_term),
    }


def half_flags(cases: Sequence[Case]) -> tuple[Floats, Floats]:
    """Return which cases run in reduced precision on devices with units for it, and on devices without."""
    half = np.array([case.workload.precision in REDUCED for case in cases])
    has = np.array([peaks(case.device)[HALF] > 0 for case in cases])
    return (half & has).astype(float), (half & ~has).astype(float)


def _frequency(names: Sequence[str]) -> Floats:
    counts = Counter(names)
    return np.array([counts[name] for name in names], dtype=float)


def _fit_squares(terms: Floats, off: Floats, weight: Floats) -> Floats:
    """Return the non-negative terms under which the errors, with the tails cut, are most likely."""
    squares = np.full(len(terms), 0.01)
    cut = np.minimum(np.abs(off), 0.6)
    for _ in range(400):
        variance = squares @ terms
        slope = (terms * weight * (1.0 / variance - cut**2 / variance**2)).sum(axis=1)
        bend = (terms**2 * weight / variance**2).sum(axis=1)
        squares = np.maximum(squares - 0.3 * slope / bend, 1e-6)
    return squares


def _round(value: float) -> float:
    return float(f"{value:.3g}")


if __name__ == "__main__":
    sys.exit(main())
