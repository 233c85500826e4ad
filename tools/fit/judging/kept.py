"""The held-out errors of the last validation, row by row, so that other questions need no fit of their own."""

from collections.abc import Iterator, Sequence

import msgspec
from fit.judging.held_out import Errors
from fit.measurements.cases import TRACED

from advisor.predict.coefficients import Spread
from advisor.records.base import Z80
from advisor.records.results.validation import HeldOut

KEPT = TRACED.with_name("held_out.jsonl")


UNFITTED = ("people", "people_small", "texts", "tuning")
"""Sources on which nothing is fitted."""


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One held-out time.

    Attributes:
        computer: What it was measured in, or who published it; empty: one for all of the set.
        has_unit: Whether the length of its sample is published.
        is_fitted: Whether the fit knows other rows of its set, so that they told what was not left out.
        off: Logarithm of predicted over measured; ``untold``: without the year of the framework.
        sigma: Standard deviation of the interval on the side of the error, fitted without the portion of the row.
    """

    name: str
    held_out: HeldOut
    device: str
    network: str
    computer: str
    software: str
    task: str
    precision: str
    channels_last: bool
    has_unit: bool
    is_fitted: bool
    launch_ratio: float
    off: float
    sigma: float
    untold: float | None
    untold_sigma: float | None


def keep(found: Sequence[Errors], portions: dict[str, int], spreads: Sequence[Spread]) -> None:
    """Write the errors of the sets whose cases are known."""
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    rows = (row for one in found if one.cases for row in _rows(one, portions, spreads))
    KEPT.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))


def kept() -> list[Row]:
    """Return what the last validation kept."""
    return [msgspec.json.decode(line, type=Row) for line in KEPT.read_bytes().splitlines()]


def _rows(one: Errors, portions: dict[str, int], spreads: Sequence[Spread]) -> Iterator[Row]:
    widths = one.widths(one.said, portions, spreads)
    others = None if one.untold is None else one.widths(one.untold, portions, spreads)
    for index, case in enumerate(one.cases):
        yield Row(
            name=one.name,
            held_out=one.held_out,
            device=case.device.name,
            network=one.networks[index],
            computer=case.machine,
            software=case.software,
            task=case.workload.task,
            precision=case.workload.precision,
            channels_last=bool(case.workload.channels_last),
            has_unit=not case.scale,
            is_fitted=case.source not in UNFITTED,
            launch_ratio=(one.said.known or ())[index].launch_ratio,
            off=float(one.said.logarithms[index]),
            sigma=float(widths[index]) / Z80,
            untold=None if one.untold is None else float(one.untold.logarithms[index]),
            untold_sigma=None if others is None else float(others[index]) / Z80,
        )
