"""Does the computer itself run at a changing pace? Then a repeat of the check differs, whatever is measured."""

from collections.abc import Iterator

from advisor.benchmark.diagnosis.condition import stolen, why_unstable
from advisor.benchmark.diagnosis.inputs import Inputs, finding
from advisor.benchmark.results.comparison import REPEATABILITY_RATIO
from advisor.benchmark.results.pace import pace_of
from advisor.records.results.diagnosis import Finding, Reading


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
