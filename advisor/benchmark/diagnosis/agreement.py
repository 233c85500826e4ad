"""Does the suite agree with itself? The same training step is timed by several of its cases, minutes apart."""

from collections.abc import Iterator
from typing import NamedTuple

from advisor.benchmark.diagnosis.inputs import Inputs, finding, positive, quotient
from advisor.records.results.diagnosis import Finding, Reading
from advisor.records.results.measured.measurement import Measurement

AGREE_TIMES = 1.25
"""Two cases disagree from here on: twice a prediction that is called good, and more than steady cases scatter."""
_MOST = 1e9
"""No batch is larger; a report from a file may hold anything."""


class _Step(NamedTuple):
    """How long a step took in one case."""

    time_s: float
    case_id: str


def contradictions(inputs: Inputs) -> Iterator[Finding]:
    """Yield the networks of which one case says something else than another."""
    found: dict[tuple[str, str, int], list[_Step]] = {}
    for m in inputs.quiet:
        for batch_size, time_s in _steps(m):
            if positive(time_s) is not None:
                found.setdefault((m.case.device, m.case.network, batch_size), []).append(_Step(time_s, m.case.id))
    for (device, network, batch_size), steps in found.items():
        fast, slow = min(steps), max(steps)
        times = quotient(slow.time_s, fast.time_s)
        if times is None or times < AGREE_TIMES:
            continue
        evidence = (
            Reading(name="slow_s", value=slow.time_s, unit="s", source=slow.case_id),
            Reading(name="fast_s", value=fast.time_s, unit="s", source=fast.case_id),
            Reading(name="batch", value=float(batch_size), source=slow.case_id),
        )
        yield finding("unstable", device, evidence, form="disagrees", network=network, remedies=("measure_again",))


def _steps(m: Measurement) -> Iterator[tuple[int, float]]:
    """Yield batch size and duration of the plain training steps in fp32 that a case timed."""
    case = m.case
    if not case.network or case.precision != "fp32" or case.options.get("channels_last"):
        return
    if case.program in {"train", "sustained"}:
        yield case.batch_size, m.median_s
    elif case.program == "kept_memory":
        yield case.batch_size, m.details.get("usual_s", 0.0)
    elif case.program == "sweep":
        points = next((series.points for series in m.series if (series.x, series.y) == ("batch_size", "step_s")), ())
        yield from ((int(batch_size), step_s) for batch_size, step_s in points if 1 <= batch_size < _MOST)
