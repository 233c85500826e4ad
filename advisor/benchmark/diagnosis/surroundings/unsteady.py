"""Does the computer itself run at a changing pace, do measurements scatter, and what was seen beside them?"""

from collections.abc import Collection, Iterator

from advisor.benchmark.diagnosis.inputs import Inputs, conditions, finding, is_virtual, positive, quotient
from advisor.benchmark.results.pace import pace_of
from advisor.records.results.comparison import REPEATABILITY_RATIO
from advisor.records.results.diagnosis import Finding, Reading
from advisor.records.results.measured.measurement import ConditionKind

UNSTABLE_CASES_RATIO = 0.2
"""A computer is called unstable where this share of its measurements is."""


CAUSE_RATIO = 0.25
"""What is seen beside fewer of the cases that scatter is not called their cause: quartiles take no less to move."""


def changing_pace(inputs: Inputs) -> Iterator[Finding]:
    """Yield a computer on which a repeat of the check would differ by more than on a steady one, with the cause."""
    pace = pace_of(inputs.measurements)
    if pace is None or pace.repeat_ratio <= REPEATABILITY_RATIO:
        return
    source = "pace_s"
    evidence = (
        Reading(name="repeat_ratio", value=pace.repeat_ratio, unit="ratio", source=source),
        Reading(name="fast_s", value=pace.fast_s, unit="s", source=source),
        Reading(name="slow_s", value=pace.slow_s, unit="s", source=source),
        Reading(name="times_seen", value=float(pace.count), source=source),
        *stolen(inputs),
    )
    cause = why_unstable(inputs, [m.case.id for m in inputs.measurements])
    yield finding("unstable", "cpu", evidence, form=f"pace/{cause}" if cause else "pace", remedies=("measure_again",))


def unstable(inputs: Inputs) -> Iterator[Finding]:
    """Yield a computer whose measurements scatter, with the likely cause."""
    spreads = [(value, where) for where, one in conditions(inputs, "unstable") if (value := positive(one.value))]
    share = quotient(len(spreads), len(inputs.measurements))
    if len(spreads) >= 2 and share is not None and share >= UNSTABLE_CASES_RATIO:
        widest, where = max(spreads)
        evidence = (
            Reading(name="unstable_cases", value=float(len(spreads)), source="conditions"),
            Reading(name="cases", value=float(len(inputs.measurements)), source="conditions"),
            Reading(name="spread_ratio", value=widest, unit="ratio", source=where),
            *stolen(inputs),
        )
        cause = why_unstable(inputs, [where for _value, where in spreads])
        yield finding("unstable", "cpu", evidence, form=cause, remedies=("measure_again",))


def stolen(inputs: Inputs) -> tuple[Reading, ...]:
    """Return the largest share of the processor's time that the host of a virtual machine gave to others."""
    shares = [(value, where) for where, one in conditions(inputs, "stolen_time") if (value := positive(one.value))]
    if not shares:
        return ()
    share, where = max(shares)
    return (Reading(name="stolen_ratio", value=min(share, 1.0), unit="ratio", source=where),)


def why_unstable(inputs: Inputs, case_ids: Collection[str]) -> str:
    """Return what most likely made some cases scatter; empty where nothing was seen beside them that could."""
    kinds: tuple[ConditionKind, ...] = ("other_load", "throttled", "on_battery", "stolen_time")
    for kind in kinds:
        # The sentence on stolen time says how much it was.
        seen = {where for where, one in conditions(inputs, kind) if kind != "stolen_time" or positive(one.value)}
        if seen and len(seen & set(case_ids)) >= CAUSE_RATIO * len(set(case_ids)):
            return kind
    return "shared" if is_virtual(inputs.machine) else ""
