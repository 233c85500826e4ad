"""How far apart public measurements of the same thing are: nothing can be predicted more closely."""

from collections import defaultdict
from itertools import combinations
from pathlib import Path

import numpy as np
from fit.measurements.tables import extras, rows

MOST_PAIRS = 200
"""So many pairs of one configuration count, so that one that was measured very often does not decide alone."""


def noise_ratios(folder: Path) -> dict[str, float]:
    """Return the mean difference of two measurements of the same network, device and precision, by data set.

    Lambda: on different machines or with different software. ryujaehun: the same card of two owners.
    """
    jobs: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for row in rows(folder, "training_throughput_lambda"):
        if row["n_devices"] == "1" and float(row["value"]) > 0 and row["model"] != "ncf":
            jobs[row["chip"], row["model"], row["precision"]].append(float(row["value"]))
    owners: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for row in rows(folder, "image_models_ryujaehun"):
        if row["n_devices"] == "1" and extras(row).get("dir"):
            owners[row["chip"], row["model"], row["task"], row["precision"]].append(float(row["value"]))
    return {"lambda": _mean_difference(jobs), "ryujaehun": _mean_difference(owners)}


def _mean_difference(found: dict[tuple[str, ...], list[float]]) -> float:
    means = [
        float(np.mean([abs(a / b - 1.0) for a, b in list(combinations(values, 2))[:MOST_PAIRS]]))
        for values in found.values()
        if len(values) > 1
    ]
    return float(np.mean(means))
