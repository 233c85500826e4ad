"""Predicts measured cases with constants fitted without what they share: their device, their network, or both."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from fit.constants.model import Batch, Case, Floats, Parameters
from fit.constants.solver import derivative, without


class LeavingOut:
    """A fit that can be repeated without some of its cases; see ``solver.without``."""

    def __init__(self, cases: Sequence[Case], p: Parameters, x: Floats) -> None:
        self.cases, self.p, self.x = list(cases), p, x
        self._batch = Batch(cases, p)
        self._matrix = derivative(self._batch.residuals, x, apart=self._batch.apart)

    def points(self, keys: Sequence[str], names: Iterable[str]) -> Iterator[tuple[str, Floats]]:
        """Yield each name with the parameters fitted without the cases whose key it is; ``keys``: by case."""
        own = np.array(keys)
        for name in names:
            kept = own != name
            yield (
                name,
                without(self._batch.residuals, self._matrix, self.x, prior=self.p.prior, sigma=self.p.sigma, kept=kept),
            )


def folds(names: Sequence[str], count: int = 24) -> list[str]:
    """Return a fold for each name, equal for equal names: networks are left out some at a time, to save time."""
    order = {name: index for index, name in enumerate(sorted(set(names)))}
    return [str(order[name] % count) for name in names]
