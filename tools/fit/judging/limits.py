"""Prints what limits each set of measurements: how much of its error is left once something more is known.

    PYTHONPATH=tools python -m fit.judging.limits --data ../shared/data

Reads the held-out errors that the last ``validate.py`` kept, so it takes seconds. What is known besides is one factor
for all rows of a card, a network and so on: the middle of the *other* rows of its group. A card's factor comes from other
networks, a network's from other cards where there are several; where devices were left out, these told it in the fit.
Of single products, whose shapes hardly recur in the sample of ``validate.py``, every shape of three cards or more is
asked with the fitted constants; only the factors are held out.
"""

import argparse
import math
import sys
import zlib
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from fit.constants.files import fitted
from fit.constants.model import Batch, Floats, parameters
from fit.judging.held_out import AIMS, family_name, with_factor
from fit.judging.kept import KEPT, Row, kept
from fit.judging.noise import noises
from fit.measurements import cases as measured
from numpy.typing import NDArray

from advisor.records.base import Z80

WANTED = (0.74, 0.86)
"""Share of a set that should lie inside an interval of 80 %."""
LITTLE = 0.2
"""Share of a step in launches below which the card decides, not the processor beside it."""
LEAST_TOLD = 0.25
"""Share of the rows that must have others to tell their factor."""
SHARED_BY = 3
"""Cards on which a shape was measured for it to be asked; of so many shapes one is."""
SHAPES_ASKED_OF = 4
DRAWS = 2000
"""Times that the cards, or networks, of a set are drawn anew to tell how sure its share is."""

Key = Callable[[Row], Hashable]


@dataclass(frozen=True)
class Factor:
    """One factor that may be known besides.

    Attributes:
        group: What rows must have in common to share it; ``other``: what must differ, so that it is learned elsewhere.
    """

    group: Key
    other: Key | None = None


def _network(row: Row) -> Hashable:
    return row.network


def _card(row: Row) -> Hashable:
    return row.device


CARD = Factor(lambda row: (row.device, row.precision, row.task), _network)
FACTORS = {
    "program and task": Factor(lambda row: (row.software, row.task)),
    "card": Factor(_card, _network),
    "card, format and task": CARD,
    "computer, format and task": Factor(lambda row: (CARD.group(row), row.computer), _network),
    "family, card, format and task": Factor(
        lambda row: (CARD.group(row), family_name(row.network), row.channels_last), _network
    ),
    "network": Factor(_network, _card),
    "network, format and task": Factor(lambda row: (row.network, row.precision, row.task, row.channels_last), _card),
}
OF_PRODUCTS = {
    "card": Factor(_card),
    "card and duration": Factor(lambda row: (row.device, row.task)),
    "shape": Factor(_network, _card),
}
"""The task of a product is how long it takes, in powers of two."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Print what limits the predictions of each set of measurements.")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of public measurements")
    arguments = parser.parse_args()
    if not (KEPT.exists() and arguments.data.is_dir()):
        print(f"{KEPT} and {arguments.data} must be there; make validate writes the former.", file=sys.stderr)
        return 2
    sets: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in kept():
        sets[row.name, row.held_out].append(row)
    print(
        "Mean and median error in %; in brackets that of the same rows before, where only some have others to learn of."
    )
    for (name, held_out), rows in sets.items():
        aim, median, _ = AIMS.get((name, held_out), (None, None, None))
        aims = ", ".join(f"{100 * one:.3g}" for one in (aim, median) if one is not None)
        _show(f"{name}, {held_out} left out", rows, f"aim {aims or 'none'}")
    print("Figures of the same network, device, format and task: how far two are apart, and each from their middle.")
    for name, noise in noises(arguments.data).items():
        found = f"{100 * noise.difference_ratio:6.1f}{100 * noise.floor_ratio:7.1f}"
        print(f"{name:14s}{found}  other {noise.what}; {noise.configurations} configurations")
    _show("gemm, shapes of three cards", products(arguments.data), "fitted constants", OF_PRODUCTS)
    print("Share inside the 80 % interval in %; where 80 % of its sampling lies; width at which 80 % would be inside.")
    for (name, held_out), rows in sets.items():
        for told in (True, False):
            _show_share(f"{name}, {held_out}", rows, told=told)
    return 0


def _show(title: str, rows: Sequence[Row], note: str, factors: dict[str, Factor] = FACTORS) -> None:
    off = np.array([row.off for row in rows])
    print(f"{title:46s}{len(rows):6d} rows{_error(off)}  {note}")
    for name, chosen in _parts(rows, off):
        if 0 < chosen.sum() < len(rows):
            print(f"    {name:42s}{chosen.sum():6d} rows{_error(off[chosen])}")
    groups = [len({factor.group(row) for row in rows}) for factor in factors.values()]
    for index, (name, factor) in enumerate(factors.items()):
        is_in_fit = rows[0].is_fitted and rows[0].held_out == "device" and name.startswith("network")
        if groups[index] not in groups[:index] and not is_in_fit:
            left, told = corrected(rows, factor)
            if told.mean() >= LEAST_TOLD:
                before = "" if told.all() else f"  ({_error(off[told]).strip()})"
                print(f"    one factor: {name:30s}{told.sum():6d} rows{_error(left[told])}{before}")


def _parts(rows: Sequence[Row], off: Floats) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield parts of a set that tell what its error comes from."""
    yield "launches less than a fifth", np.array([row.launch_ratio < LITTLE for row in rows])
    yield "samples of known length", np.array([row.has_unit for row in rows])
    devices = np.array([row.device for row in rows])
    names = np.unique(devices)
    if len(names) > 3:
        worst = sorted(names, key=lambda name: -float(np.abs(np.exp(off[devices == name]) - 1.0).mean()))[:2]
        print(f"    (the two worst cards: {', '.join(worst)})")
        yield "without these two", ~np.isin(devices, worst)


def _error(off: Floats) -> str:
    error = 100.0 * np.abs(np.exp(off) - 1.0)
    return f"{error.mean():7.1f}{np.median(error):6.1f}"


def corrected(rows: Sequence[Row], factor: Factor) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the errors once a factor is known that other rows tell, and which rows have such others."""
    others = None if factor.other is None else [factor.other(row) for row in rows]
    return with_factor(np.array([row.off for row in rows]), [factor.group(row) for row in rows], others)


def _show_share(title: str, rows: Sequence[Row], *, told: bool) -> None:
    pairs = [(row.off, row.sigma) if told else (row.untold, row.untold_sigma) for row in rows]
    if any(off is None or sigma is None for off, sigma in pairs):
        return
    ratio = np.array([abs(off or 0.0) / (Z80 * (sigma or 1.0)) for off, sigma in pairs])
    inside = ratio <= 1.0
    keys = [row.device if row.held_out == "device" else row.network for row in rows]
    low, high = sampling(inside, keys)
    verdict = (
        ""
        if WANTED[0] <= inside.mean() <= WANTED[1]
        else ("could be chance" if low <= WANTED[1] and high >= WANTED[0] else "outside")
    )
    print(
        f"{title:26s}{'told' if told else 'untold':8s}{100 * inside.mean():5.0f}  {100 * low:3.0f} to {100 * high:3.0f}"
        f"{np.quantile(ratio, 0.8):7.2f}  {len(set(keys))} independent {verdict}"
    )


def sampling(inside: NDArray[np.bool_], keys: Iterable[str]) -> tuple[float, float]:
    """Return between which shares 80 % of the sets lie that are drawn from this one, whole devices or networks at a time."""
    names, index = np.unique(np.array(list(keys)), return_inverse=True)
    hits, counts = np.bincount(index, inside), np.bincount(index)
    drawn = np.random.default_rng(0).integers(0, len(names), (DRAWS, len(names)))
    low, high = np.quantile(hits[drawn].sum(axis=1) / counts[drawn].sum(axis=1), (0.1, 0.9))
    return float(low), float(high)


def products(folder: Path) -> list[Row]:
    """Return the errors of the shapes of products that several cards were asked for, with the constants as fitted."""
    every = [
        case for case in measured.products(folder) if zlib.crc32(case.network.name.encode()) % SHAPES_ASKED_OF == 0
    ]
    cards: dict[str, set[str]] = defaultdict(set)
    for case in every:
        cards[case.network.name].add(case.device.name)
    found = [case for case in every if len(cards[case.network.name]) >= SHARED_BY]
    p = parameters(found)
    batch = Batch(found, p)
    off = np.log(batch.seconds(p.start(fitted("accelerators"))) / batch.time)
    return [
        Row(
            name="gemm",
            held_out="device",
            device=case.device.name,
            network=case.network.name,
            computer="",
            software="kernel",
            task=f"2^{round(math.log2(case.time_s))} s",
            precision="fp32",
            channels_last=False,
            has_unit=True,
            is_fitted=False,
            launch_ratio=0.0,
            off=float(one),
            sigma=0.0,
            untold=None,
            untold_sigma=None,
        )
        for case, one in zip(found, off, strict=True)
    ]


if __name__ == "__main__":
    sys.exit(main())
