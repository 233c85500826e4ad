"""How far apart public measurements of the same thing are: nothing can be predicted more closely."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from fit.measurements.tables import extras, rows

MOST_PAIRS = 200
"""So many pairs of one configuration count, so that one that was measured very often does not decide alone."""


@dataclass(frozen=True)
class Noise:
    """How published figures of the same network, device, format and task scatter.

    Attributes:
        what: Wherein they differ.
        configurations: Of which there are several figures.
        difference_ratio: Mean difference of two.
        floor_ratio: Mean distance from their own middle: whoever is not told which one it is comes no nearer.
    """

    what: str
    configurations: int
    difference_ratio: float
    floor_ratio: float


def noises(folder: Path) -> dict[str, Noise]:
    """Return how the figures of each data set that has some twice scatter."""
    return {
        "lambda": _noise(
            "machine or software",
            folder,
            "training_throughput_lambda",
            lambda row: (row["chip"], row["model"], row["precision"]) if row["model"] != "ncf" else None,
        ),
        "ryujaehun": _noise(
            "owner",
            folder,
            "image_models_ryujaehun",
            lambda row: (row["chip"], row["model"], row["task"], row["precision"]) if extras(row).get("dir") else None,
        ),
        "lamikr": _noise(
            "computer or software",
            folder,
            "image_models_lamikr",
            lambda row: (row["chip"], row["model"], row["task"], row["precision"], row["batch_size"]),
        ),
        "timm_infer": _noise(
            "PyTorch's version, 1.13 to 2.4",
            folder,
            "image_models_timm",
            lambda row: (
                (row["model"], row["image_or_seq"], row["batch_size"], row["framework"].rpartition("+")[2])
                if row["task"] == "infer" and row["chip"] == "RTX 3090"
                else None
            ),
        ),
    }


def _noise(what: str, folder: Path, table: str, key: Callable[[dict[str, str]], tuple[str, ...] | None]) -> Noise:
    """Return how the figures of a table scatter that have a key in common; None: not asked."""
    found: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for row in rows(folder, table):
        own = key(row)
        if own is not None and row["n_devices"] == "1" and float(row["value"] or 0.0) > 0:
            found[own].append(float(row["value"]))
    several = [np.array(values) for values in found.values() if len(values) > 1]
    differences = [np.mean([abs(a / b - 1.0) for a, b in list(combinations(own, 2))[:MOST_PAIRS]]) for own in several]
    floors = [np.abs(own / np.median(own) - 1.0).mean() for own in several]
    return Noise(what, len(several), float(np.mean(differences)), float(np.mean(floors)))
