"""What networks and families of networks take beyond what the fit says: from every row of timm, after the fit.

The fit knows a sample of timm's rows and gives a network one factor in 16 bit. What is left recurs: a family of networks
is slow or quick as a whole, otherwise in training than in inference, and otherwise channels last. So a network's factor
is drawn towards its family's by what its own rows are worth, and a network that nobody measured has its family's. Those
that others measured in 16 bit as well keep what all of them say together.

    PYTHONPATH=tools python -m fit.constants.network_cells --data ../shared/data

writes these factors alone, beside the constants as they were fitted; ``fit_time.py`` writes them with all others.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from fit.constants.files import change, fitted
from fit.constants.model import Batch, Case, Floats, Parameters, parameters
from fit.measurements import cases as measured
from fit.measurements.recent_sets import accelerator_cases, timm_blackwell
from numpy.typing import NDArray

from advisor.predict.timing.network_factors import cell_of, first_word
from advisor.predict.timing.step_work import REDUCED

FAMILY_ROWS = 0.6
"""Networks that weigh as much as the assumption that a family is like all others."""
OWN_ROWS = 0.5
"""Cards and batches of a network that weigh as much as its family: rows of one network are alike, networks are not."""
ELSEWHERE_RATIO = 0.7
"""Share of a network's difference from its family that recurs in another task or layout."""

Cells = dict[str, dict[str, float]]


def main() -> int:
    parser = argparse.ArgumentParser(description="Write what networks take beyond the fitted constants.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of public measurements")
    arguments = parser.parse_args()
    if not arguments.data.is_dir():
        print(f"The folder of public measurements {arguments.data} is not there; nothing was written.", file=sys.stderr)
        return 2
    cases = accelerator_cases(arguments.data)
    p = parameters(cases)
    networks, families = NetworkCells(arguments.data, p, cases).found(p.start(fitted("accelerators")))
    change("time", cells=networks, family_cells=families)
    return 0


class NetworkCells:
    """All measurements of timm beside a fit.

    Attributes:
        cases: The measurements, in order of ``kept`` below.
    """

    def __init__(self, folder: Path, p: Parameters, fitted: Sequence[Case]) -> None:
        inference = measured.timm(folder, "infer")
        self.cases: list[Case] = [*inference, *measured.timm(folder, "train"), *timm_blackwell(folder)]
        self._batch = Batch(self.cases, p)
        self._cells = [cell_of(case.workload) for case in self.cases]
        half = (case for case in fitted if case.workload.precision in REDUCED and not case.source.startswith("timm"))
        self._shared = {case.network_key for case in half}

    def found(self, x: Floats, kept: NDArray[np.bool_] | None = None) -> tuple[Cells, Cells]:
        """Return the factors of networks and of families, by name and by cell.

        Args:
            x: Where the fit ended.
            kept: Rows that may tell; None: all.
        """
        batch = self._batch
        own = np.where(batch.net >= 0, x[batch.net], 0.0)
        beyond = np.log(batch.time / batch.seconds(x)) + own
        rows: dict[tuple[str, str], list[float]] = defaultdict(list)
        for index, (case, cell) in enumerate(zip(self.cases, self._cells, strict=True)):
            if kept is None or kept[index]:
                rows[case.network_key, cell].append(float(beyond[index]))
        families = _families(rows)
        networks = _networks(rows, families)
        return {key: cells for key, cells in networks.items() if key not in self._shared}, _as_ratios(families)


def _families(rows: dict[tuple[str, str], list[float]]) -> dict[str, dict[str, float]]:
    members: dict[tuple[str, str], list[float]] = defaultdict(list)
    for (key, cell), found in rows.items():
        members[first_word(key), cell].append(float(np.mean(found)))
    families: dict[str, dict[str, float]] = defaultdict(dict)
    for (family, cell), means in members.items():
        families[family][cell] = sum(means) / (len(means) + FAMILY_ROWS)
    return families


def _networks(rows: dict[tuple[str, str], list[float]], families: dict[str, dict[str, float]]) -> Cells:
    own: dict[str, dict[str, float]] = defaultdict(dict)
    for (key, cell), found in rows.items():
        difference = float(np.mean(found)) - families[first_word(key)][cell]
        own[key][cell] = difference * len(found) / (len(found) + OWN_ROWS)
    networks: dict[str, dict[str, float]] = {}
    for key, differences in own.items():
        elsewhere = ELSEWHERE_RATIO * float(np.mean(list(differences.values())))
        family = families[first_word(key)]
        networks[key] = {cell: family[cell] + differences.get(cell, elsewhere) for cell in family}
    return _as_ratios(networks)


def _as_ratios(logarithms: dict[str, dict[str, float]]) -> Cells:
    return {
        name: {cell: round(float(np.exp(value)), 3) for cell, value in sorted(cells.items())}
        for name, cells in sorted(logarithms.items())
    }


if __name__ == "__main__":
    sys.exit(main())
