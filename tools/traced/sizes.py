"""Finds how the quantities of a network grow with the image edge or the sequence length.

Form: ``advisor.catalog.networks.tables``. Each quantity seen at all traced sizes becomes a constant, or a value
with a profile: one extent to a power; an extent's polynomial (tokens and a class token); a sum over several extents
(input and output of a strided layer); or, where none fits to a part in a hundred million, interpolation.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from advisor.catalog.networks.tables import Profile, Quantity

Array = NDArray[np.float64]
Term = tuple[float, int, int, int]

_STRIDES = (1, 2, 4, 8, 16, 32, 64, 14, 28, 56, 3, 6, 12, 24, 128)
_TOLERANCE = 1e-8


def _offsets(stride: int) -> list[int]:
    """Return offsets to try: first those of common paddings, whose sums are one less than a power of two."""
    first = [0, stride - 1, 3, 1, 7, 15, 31]
    others = sorted((offset for offset in range(-3 * stride - 12, 2 * stride + 1) if offset not in first), key=abs)
    return list(dict.fromkeys([*first, *others]))


class Sizes:
    """Collects profiles of one network.

    Attributes:
        profiles: Found so far; quantities carry their number.
        interpolated: How many of them are points.
    """

    def __init__(self, sizes: Sequence[int], usual: int) -> None:
        self.sizes = np.array(sizes)
        self.usual = list(sizes).index(usual)
        self.profiles: list[Profile] = []
        self.interpolated = 0
        self._known: dict[tuple[float, ...], int] = {}
        candidates = [(offset, stride) for stride in _STRIDES for offset in _offsets(stride)]
        extents = np.array([(self.sizes + offset) // stride for offset, stride in candidates], dtype=float)
        usable = (extents >= 1).all(axis=1) & (np.ptp(extents, axis=1) > 0)
        self._candidates = [candidate for candidate, ok in zip(candidates, usable, strict=True) if ok]
        self._extents: Array = extents[usable]
        self._found = {(0, 1): 1}  # extent: how many profiles have it; at first the size itself

    def quantity(self, values: Sequence[float]) -> Quantity:
        """Return a quantity as the table stores it."""
        base = float(values[self.usual])
        if all(value == values[0] for value in values):
            return _short(base)
        if base == 0:
            raise ValueError(f"a quantity is 0 at the usual size and {values} at the traced ones")
        ratios = np.array(values, dtype=float) / base
        key = tuple(float(f"{ratio:.11g}") for ratio in ratios)
        if key not in self._known:
            self._known[key] = len(self.profiles)
            self.profiles.append(self._fit(ratios))
        return _short(base), self._known[key]

    def _fit(self, ratios: Array) -> Profile:
        fits = (self._one_extent, self._polynomial, self._several_extents) if (ratios > 0).all() else ()
        for fit in fits:
            terms = fit(ratios)
            if terms is not None:
                return Profile(terms=terms)
        self.interpolated += 1
        points = [(int(size), float(f"{ratio:.9g}")) for size, ratio in zip(self.sizes, ratios, strict=True)]
        return Profile(points=tuple(points))

    def _one_extent(self, ratios: Array) -> tuple[Term, ...] | None:
        for power in (2, 1, 4):
            powers = self._extents**power
            expected = powers / powers[:, self.usual : self.usual + 1]
            hits = np.flatnonzero((np.abs(expected - ratios) < _TOLERANCE * ratios).all(axis=1))
            if len(hits):
                offset, stride = self._candidates[int(hits[0])]
                self._use(offset, stride)
                return ((1.0, offset, stride, power),)
        return None

    def _polynomial(self, ratios: Array) -> tuple[Term, ...] | None:
        """One extent with constant, square and fourth power, or constant, first power and square."""
        for powers in ((0, 1), (0, 2), (1, 2), (0, 1, 2), (2, 4), (0, 2, 4), (1, 2, 3, 4)):
            if len(powers) + 1 > len(self.sizes):
                continue
            found = list(self._found) + [key for key in self._candidates if key not in self._found]
            for offset, stride in found:
                extent = ((self.sizes + offset) // stride).astype(float)
                if len(set(extent.tolist())) <= len(powers):
                    continue
                terms = self._solve(ratios, [(offset, stride, power) for power in powers])
                if terms is not None:
                    self._use(offset, stride)
                    return terms
        return None

    def _several_extents(self, ratios: Array) -> tuple[Term, ...] | None:
        known = list(self._found)
        squares = [(offset, stride, 2) for offset, stride in known]
        singles = [(offset, stride, 1) for offset, stride in known]
        one = [(0, 1, 0)]
        for pool in (squares, singles):
            for count in (2, 3):
                for chosen in combinations(pool, count):
                    for basis in (list(chosen), [*chosen, *one]):
                        if len(basis) < len(self.sizes) - 1:
                            terms = self._solve(ratios, basis)
                            if terms is not None and all(term[0] > 0 for term in terms):
                                return terms
        commonest = {stride: offset for (offset, stride), _ in sorted(self._found.items(), key=lambda item: item[1])}
        squares = [(offset, stride, 2) for stride, offset in commonest.items()]
        return self._solve(ratios, [*squares, *one]) if len(squares) + 1 < len(self.sizes) - 2 else None

    def _use(self, offset: int, stride: int) -> None:
        self._found[offset, stride] = self._found.get((offset, stride), 0) + 1

    def _solve(self, ratios: Array, basis: list[tuple[int, int, int]]) -> tuple[Term, ...] | None:
        columns = np.array(
            [((self.sizes + offset) // stride).astype(float) ** power for offset, stride, power in basis]
        ).T
        scale = np.abs(columns).max(axis=0)
        weights = columns / scale / ratios[:, None]
        solution, _, rank, _ = np.linalg.lstsq(weights, np.ones(len(ratios)), rcond=None)
        if rank < len(basis) or np.abs(weights @ solution - 1).max() > _TOLERANCE:
            return None
        terms = [
            (float(f"{value / factor:.15g}"), *term)
            for value, factor, term in zip(solution, scale, basis, strict=True)
            if abs(value) > 1e-9
        ]
        return tuple((coefficient, offset, stride, power) for coefficient, offset, stride, power in terms)


def _short(value: float) -> float:
    """Return an integer where it is one; shorter in the file."""
    return int(value) if float(value).is_integer() else float(f"{value:.12g}")
