"""Put equal computers together, and find those that are slower than their equals."""

import math
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from advisor.records.hardware.machine import Machine
from advisor.records.results.diagnosis import FindingKind
from advisor.records.results.fleet import FleetMember
from advisor.units import GIB

FEWEST_EQUALS = 5
"""Of fewer, none can be called the slow one: two of four may as well be fast."""
_Z = 3.2
"""Robust standard deviations above the middle.

With ``_for_few`` fewer than one healthy computer in 1,000 is called slow (0.75 in the worst case of 20,000 simulated
groups of 5 to 100 with 3 % noise and one number each); one of thirty that is 12 % slow is found where eight tests were
measured.
"""
_LEAST_RATIO = 0.05
"""Less than this is no reason to look into a computer: nodes of a cluster are called defective from 5 % on.

Source: microsoft/superbenchmark, docs/user-tutorial/data-diagnosis.md (read November 2026).
"""
_SCATTER_FLOOR = 0.01
"""Equal computers differ by so much at least; the scatter of a handful may look like none at all."""
_QUARTILES_OF_SIGMA = 1.349
_DEVIATIONS_OF_SIGMA = 1.4826
_SOLD_GIB = (1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 40, 48, 64, 80, 96, 128, 160, 192, 256, 384, 512, 768)
_HIDDEN_RATIO = 0.06
"""Share of the memory at most that firmware and a built-in card keep for themselves."""


class Kind(NamedTuple):
    """What equal computers have in common.

    Attributes:
        title: Processor and cards.
        memory_bytes: As it is sold.
    """

    title: str
    memory_bytes: float
    cores: int
    form_factor: str


class Pace(NamedTuple):
    """A computer beside its equals.

    Attributes:
        ratio: Its time over their median; None where that cannot be said.
    """

    ratio: float | None
    is_slow: bool


def kind_of(machine: Machine) -> Kind:
    """Return what a computer is, as far as a buyer would tell two apart."""
    cards = Counter(
        card.name if card.memory_bytes is None else _with_memory(card.name, sold_memory(card.memory_bytes))
        for card in machine.accelerators
        if card.trains
    )
    named = [name if count == 1 else f"{count} × {name}" for name, count in sorted(cards.items())]
    cpu = machine.host.cpu
    return Kind(
        title=" + ".join([cpu.name, *named]),
        memory_bytes=sold_memory(machine.host.memory.total_bytes),
        cores=cpu.logical_cores,
        form_factor=machine.host.form_factor,
    )


def _with_memory(name: str, size_bytes: float) -> str:
    """Return a card's name with its memory, which some names have already (``RTX 3060 12GB``)."""
    size = f"{size_bytes / GIB:.0f}"
    return name if re.search(rf"(?<!\d){size} ?GB\b", name) else f"{name} {size} GB"


def sold_memory(size_bytes: float) -> float:
    """Return the size (bytes) a memory is sold as: the system shows a little less."""
    sold = (size * GIB for size in _SOLD_GIB)
    return next((size for size in sold if size * (1 - _HIDDEN_RATIO) <= size_bytes <= size), float(size_bytes))


def grouped(members: Sequence[FleetMember]) -> dict[Kind, list[FleetMember]]:
    """Return the computers by kind, the most frequent kind first."""
    found: dict[Kind, list[FleetMember]] = defaultdict(list)
    for one in members:
        found[kind_of(one.machine)].append(one)
    return dict(sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0])))


def paces(members: Sequence[FleetMember]) -> dict[str, Pace]:
    """Return how each of some equal computers does beside the others, by digest.

    Of each case that enough of them measured, a computer's time over the median of all; of these ratios the median.
    Slow is who lies above the group by more than its robust scatter explains, by more than 5 %, and by more than the
    computer's own repetition.
    """
    times = _times(members)
    shared = {case: found for case, found in times.items() if len(found) >= FEWEST_EQUALS}
    medians = {case: statistics.median(found.values()) for case, found in shared.items()}
    logs: dict[str, list[float]] = defaultdict(list)
    for case, found in shared.items():
        for digest, time_s in found.items():
            logs[digest].append(math.log(time_s / medians[case]))
    level = {digest: statistics.median(values) for digest, values in logs.items()}
    unknown = Pace(None, False)
    if len(level) < FEWEST_EQUALS:
        return {one.digest: unknown for one in members}
    middle = statistics.median(level.values())
    scatter = _DEVIATIONS_OF_SIGMA * statistics.median(abs(value - middle) for value in level.values())
    limit = max(_Z * _for_few(len(level)) * max(scatter, _SCATTER_FLOOR), math.log1p(_LEAST_RATIO))
    repeats = {one.digest: _repetition(one) for one in members}
    return {
        one.digest: unknown
        if one.digest not in level
        else Pace(
            math.exp(level[one.digest] - middle),
            level[one.digest] - middle > max(limit, repeats[one.digest]),
        )
        for one in members
    }


def _for_few(count: int) -> float:
    """Return by how much the limit widens where few computers tell the scatter (Student's t instead of the normal)."""
    return 1.0 + 6.0 / (count - 1)


def _times(members: Sequence[FleetMember]) -> Mapping[str, Mapping[str, float]]:
    """Return the seconds of each case, by computer."""
    times: dict[str, dict[str, float]] = defaultdict(dict)
    for one in members:
        for taken in () if one.benchmark is None else one.benchmark.measurements:
            times[taken.case.id][one.digest] = taken.median_s
    return times


def _repetition(member: FleetMember) -> float:
    """Return the standard deviation of the logarithm of what this computer repeated, in the median over its cases."""
    taken = () if member.benchmark is None else member.benchmark.measurements
    return statistics.median([one.iqr_s / one.median_s / _QUARTILES_OF_SIGMA for one in taken] or [0.0])


def own_findings(member: FleetMember, others: Sequence[FleetMember]) -> tuple[FindingKind, ...]:
    """Return what a slow computer's report found and those of most of its equals did not."""
    frequent = Counter(kind for one in others for kind in set(one.findings))
    return tuple(kind for kind in member.findings if kind != "nothing_wrong" and frequent[kind] * 2 <= len(others))
