"""Prints how far off the shipped constants are on published figures that nothing was fitted on, source by source.

    PYTHONPATH=tools python -m fit.judging.unfitted

A card's own factor, where it has one of other measurements, is forgotten; what was measured of its products is known.
``told``: with the year and what else the source says; ``untold``: without the year and the manner of attention. The
shares lie inside the 80 % interval. It takes some seconds, for nothing is fitted.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain

import msgspec
import numpy as np
from fit.constants import intervals
from fit.constants.model import Case, Floats
from fit.judging import shipped
from fit.measurements import people, texts

from advisor.predict.coefficients import predicting_with, time_coefficients
from advisor.predict.memory import MemoryModel
from advisor.units import GIB


def main() -> None:
    found = msgspec.structs.replace(time_coefficients(), devices={})
    groups: dict[tuple[str, str], list[Case]] = defaultdict(list)
    for case in chain(people.figures(), texts.figures()):
        groups[case.source, _kind(case)].append(case)
    print(f"{'set':14s}{'kind':34s}{'rows':>5s}{'told':>7s}{'middle':>8s}{'inside':>8s}{'untold':>8s}{'inside':>8s}")
    with predicting_with(found):
        for (name, kind), cases in groups.items():
            told, untold = (_row(some) for some in (cases, shipped.untold(cases)))
            first = f"{name:14s}{kind:34s}{len(cases):5d}{told[0]:6.1f}%{told[1]:8.2f}{told[2]:7.0f}%"
            print(f"{first}{untold[0]:7.1f}%{untold[2]:7.0f}%")
    _memory()


def _kind(case: Case) -> str:
    """Return what figures are told together: a source and method of tuning, else a card and task."""
    if case.source == "tuning":
        return case.model.split("/")[0] + " " + case.workload.method
    if case.workload.compiled:
        return "GPT-2, compiled"
    return f"{case.device.name} {case.workload.task}"


def _row(cases: Sequence[Case]) -> tuple[float, float, float]:
    """Return the mean error in %, the middle of said over published, and the share inside the interval in %."""
    said = shipped.say(cases, time_coefficients())
    off = np.log(said.seconds / [case.time_s for case in cases])
    inside = np.abs(off) <= _limits(cases, said.shares, off)
    return (
        100.0 * float(np.abs(np.exp(off) - 1.0).mean()),
        math.exp(float(np.median(off))),
        100.0 * float(inside.mean()),
    )


def _limits(cases: Sequence[Case], shares: Floats, off: Floats) -> Floats:
    known = intervals.knowledge(cases, shares, is_known_device=False, is_known_network=True)
    return intervals.limits(known, time_coefficients().spread, off)


def _memory() -> None:
    """Print said over published memory, by source and method."""
    ratios: dict[tuple[str, str], list[float]] = defaultdict(list)
    for figure in texts.rows():
        if figure.gib is not None:
            case = texts.case_of(figure, None)
            said = MemoryModel(case.network, case.workload).estimate(None, figure.batch).total_bytes / GIB
            ratios[figure.source, figure.method].append(said / figure.gib)
    for (source, method), found in ratios.items():
        error = 100.0 * float(np.abs(np.array(found) - 1.0).mean())
        print(f"memory {source:14s}{method:8s}{len(found):4d} rows, {error:.0f} % off, middle {np.median(found):.2f}")


if __name__ == "__main__":
    main()
