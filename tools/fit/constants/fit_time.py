"""Fits the constants of time and writes ``resources/catalog/calibration/time.json``.

    PYTHONPATH=tools python -m fit.constants.fit_time --data ../shared/data

The fit starts from the last one (``fitted_time.json``). The width of the intervals stays as it was; held-out errors tell
it: ``validate.py --fit-intervals``.
"""

import argparse
import datetime
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from fit.constants.export import time_file
from fit.constants.files import FITTED, fitted, write, write_json
from fit.constants.model import Batch, Case, Floats, Parameters, parameters
from fit.constants.network_cells import NetworkCells
from fit.constants.processors import processor_cases, processor_parameters
from fit.constants.solver import minimise
from fit.measurements.cases import report_skipped
from fit.measurements.recent_sets import accelerator_cases

from advisor.predict.coefficients import time_coefficients


def main() -> int:
    parser = argparse.ArgumentParser(description="Fit the constants of time.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of public measurements")
    parser.add_argument("--iterations", type=int, default=10)
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"The folder of public measurements {arguments.data} is not there; nothing was fitted.", file=sys.stderr)
        return 2
    cases = accelerator_cases(arguments.data)
    p, x = fit(cases, parameters(cases), _known("accelerators"), arguments.iterations)
    processors = processor_cases(arguments.data)
    q, y = fit(processors, processor_parameters(processors), _known("processors"), arguments.iterations)
    show(cases, p, x)
    show(processors, q, y)
    content = {"fitted": datetime.date.today().isoformat(), "accelerators": p.named(x), "processors": q.named(y)}
    write_json(FITTED, {k: _short(v) for k, v in content.items()})
    spread = msgspec.to_builtins(time_coefficients().spread)
    found = errors(cases, p, x) | errors(processors, q, y)
    cells = NetworkCells(arguments.data, p, cases).found(x)
    write("time", time_file((p, x), (q, y), cases, processors, spread=spread, errors=found, cells=cells))
    for line in report_skipped():
        print("left out:", line)
    return 0


def _known(kind: str) -> dict[str, float]:
    return fitted(kind) if FITTED.exists() else {}


def _short(value: Any) -> Any:
    return {k: float(f"{v:.6g}") for k, v in value.items()} if isinstance(value, dict) else value


def fit(cases: Sequence[Case], p: Parameters, known: dict[str, float], iterations: int) -> tuple[Parameters, Floats]:
    """Return the parameters and where they end."""
    batch = Batch(cases, p)
    start = p.start(known)
    if not known:
        _start_scales(batch, p, start)
    return p, minimise(batch.residuals, start, p.prior, p.sigma, iterations=iterations, apart=batch.apart)


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


if __name__ == "__main__":
    sys.exit(main())
