"""A tree of gradient boosting, grown by the library that is installed: LightGBM, XGBoost or scikit-learn.

A table of the job's size is made: numbers at random, and a target that hangs on some of them, so that trees grow whole.
"""

import statistics
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import msgspec
import torch

from advisor.records.channel import CaseResult
from advisor.records.job.asked_job import AskedJob
from advisor.records.results.measured.measurement import Case, Series
from advisor.worker.failure import MissingBoostingError
from advisor.worker.memory import PeakMemory, release_memory
from advisor.worker.timing import SHORTEST_S, Block, Progress, time_blocks

_MOST_CELLS = 10_000_000
"""Cells of the table that is measured at most: 40 MB of numbers, which a library holds a second time; more follow."""
DEPTH = 6
"""Levels of a tree, as many as the catalogue's work of a tree has; the default of XGBoost."""
_FEWEST_ROWS = 1000
_TREES_TOGETHER = 20
"""So many make a call long enough beside what it does but once."""
_SMALL_RATIO = 0.3
"""Share of the time for the smaller of two tables."""

Grower = Callable[[Any, Any, int | None], Block]
"""Takes a table, its target and the threads; the block grows so many trees and returns the seconds of one."""


def run_boosting(case: Case, device: torch.device, progress: Progress, job: AskedJob) -> CaseResult:
    """Time a tree on ``case.batch_size`` rows, or on fewer and a line through two sizes where that is too large.

    Details: ``measured_batch`` is the most rows that were measured. The series gives the time by rows.

    Raises:
        MissingBoostingError: None of the libraries is installed where the worker runs.
    """
    grow = _library()
    columns = job.network.operations[0].shape[1]
    rows = max(1, min(case.batch_size, _MOST_CELLS // columns))
    before = PeakMemory(device).before_bytes
    points: list[tuple[float, float]] = []
    for count, share in _sizes(rows):
        release_memory(case.device)
        peak = PeakMemory(device)
        block = grow(*_table(count, columns), case.threads)
        budget_s = max(share * case.budget_s, 0.1)
        timing = time_blocks(block, msgspec.structs.replace(case, budget_s=budget_s), progress)
        points.append((float(count), statistics.median(timing.samples_s)))
    taken = peak.peak_bytes() if rows == case.batch_size else None
    ratio = _whole_s(points, case.batch_size) / points[-1][1]
    return CaseResult(
        case_id=case.id,
        samples_s=tuple(sample * ratio for sample in timing.samples_s),
        iterations_per_sample=timing.iterations_per_sample,
        items_per_iteration=case.batch_size,
        peak_memory_bytes=taken,
        details={"measured_batch": float(rows)} | ({} if before is None else {"memory_before_bytes": float(before)}),
        series=(Series(x="batch_size", y="step_s", points=tuple(points)),),
    )


def _sizes(rows: int) -> list[tuple[int, float]]:
    """Return each number of rows with its share of the time."""
    if rows < 2 * _FEWEST_ROWS:
        return [(rows, 1.0)]
    return [(rows // 2, _SMALL_RATIO), (rows, 1.0 - _SMALL_RATIO)]


def _whole_s(points: list[tuple[float, float]], rows: int) -> float:
    """Return the time at so many rows, on the line through what was measured; it never falls with the rows."""
    (most, most_s) = points[-1]
    if most == rows or len(points) == 1:
        return most_s
    (few, few_s) = points[0]
    return most_s + max((most_s - few_s) / (most - few), 0.0) * (rows - most)


def _table(rows: int, columns: int) -> tuple[Any, Any]:
    import numpy as np

    numbers = np.random.default_rng(0)
    table = numbers.standard_normal((rows, columns), dtype=np.float32)
    target = np.sin(3 * table[:, : max(1, columns // 3)]).sum(axis=1) + numbers.standard_normal(rows, dtype=np.float32)
    return table, target


def _library() -> Grower:
    known = (("lightgbm", _lightgbm), ("xgboost", _xgboost), ("sklearn", _scikit_learn))
    for name, grower in known:
        if find_spec(name) is not None:
            return grower
    raise MissingBoostingError("Neither LightGBM, XGBoost nor scikit-learn is installed.")


def _timed(grow: Callable[[], object]) -> Block:
    def block(count: int) -> float:
        began_s = time.perf_counter()
        for _ in range(count):
            grow()
        return (time.perf_counter() - began_s) / count

    return block


def _lightgbm(table: Any, target: Any, threads: int | None) -> Block:
    import lightgbm  # type: ignore[import-not-found]

    settings = {
        "objective": "regression",
        "max_depth": DEPTH,
        "num_leaves": 2**DEPTH - 1,
        "num_threads": threads or 0,
        "verbosity": -1,
    }
    return _timed(lightgbm.Booster(settings, lightgbm.Dataset(table, target, params=settings)).update)


def _xgboost(table: Any, target: Any, threads: int | None) -> Block:
    import xgboost  # type: ignore[import-not-found]

    settings = {"max_depth": DEPTH, "tree_method": "hist", "nthread": threads or 0, "verbosity": 0}
    data = xgboost.DMatrix(table, target, nthread=threads or 0)
    booster, grown = xgboost.Booster(settings, [data]), iter(range(2**31))
    return _timed(lambda: booster.update(data, next(grown)))


def _scikit_learn(table: Any, target: Any, _threads: int | None) -> Block:
    """Its trees are grown in one call, which sorts the table into bins first: what one tree takes is taken off."""
    from sklearn.ensemble import HistGradientBoostingRegressor  # type: ignore[import-not-found]

    def fitted_s(trees: int) -> float:
        began_s = time.perf_counter()
        HistGradientBoostingRegressor(
            max_iter=trees, max_depth=DEPTH, max_leaf_nodes=2**DEPTH - 1, early_stopping=False
        ).fit(table, target)
        return time.perf_counter() - began_s

    first_s = min(fitted_s(1), fitted_s(1))

    def block(count: int) -> float:
        trees = max(count, _TREES_TOGETHER)
        return max(fitted_s(trees + 1) - first_s, SHORTEST_S) / trees

    return block
