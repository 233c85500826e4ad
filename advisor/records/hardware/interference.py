"""What would spoil a measurement that began now."""

from dataclasses import dataclass

from advisor.records.results.measured.measurement import Condition

OTHER_LOAD_RATIO = 0.10
"""Of the processor that other programs may take before a check is said to be disturbed."""


@dataclass(frozen=True, kw_only=True)
class Interference:
    """What would spoil a measurement now, and the names of the programs that do; these go to the screen only."""

    conditions: tuple[Condition, ...] = ()
    programs: tuple[str, ...] = ()
