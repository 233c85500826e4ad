"""Predicts measured cases with constants fitted without what they share: their device, their network, or both."""

from collections.abc import Sequence

import numpy as np
from model import Batch, Case, Floats, Parameters
from solver import derivative, without


class LeavingOut:
    """A fit that can be repeated without some of its cases; see ``solver.without``."""

    def __init__(self, cases: Sequence[Case], p: Parameters, x: Floats) -> None:
        self.cases, self.p, self.x = list(cases), p, x
        self._batch = Batch(cases, p)
        self._matrix = derivative(self._batch.residuals, x)

    def errors(self, keys: Sequence[str], asked: Sequence[Case], asked_keys: Sequence[str]) -> Floats:
        """Return the logarithm of predicted over measured time of each case asked for, fitted without its key.

        Args:
            keys: What each case of the fit belongs to.
            asked: The cases to predict; they may be among those of the fit.
            asked_keys: What each of them belongs to.
        """
        own, wanted = np.array(keys), np.array(asked_keys)
        result = np.full(len(asked), np.nan)
        for name in np.unique(wanted):
            members = wanted == name
            found = without(
                self._batch.residuals,
                self._matrix,
                self.x,
                prior=self.p.prior,
                sigma=self.p.sigma,
                kept=own != name,
            )
            part = Batch([case for case, chosen in zip(asked, members, strict=True) if chosen], self.p)
            result[members] = np.log(part.seconds(found) / part.time)
        return result


def folds(names: Sequence[str], count: int = 24) -> list[str]:
    """Return a fold for each name, equal for equal names: networks are left out some at a time, to save time."""
    order = {name: index for index, name in enumerate(sorted(set(names)))}
    return [str(order[name] % count) for name in names]
