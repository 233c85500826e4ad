"""What an earlier check of the same job on this computer measured, beside what was measured now."""

import datetime
from collections.abc import Sequence

import msgspec

from advisor.benchmark.results.comparison import compare
from advisor.records.hardware.machine import Machine
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.results.comparison import ComparedCase
from advisor.records.results.measured.measurement import (
    CLASSES_PROGRAM,
    Benchmark,
    Case,
    Measurement,
    is_slowed,
    is_told_by_earlier,
    load_ratio,
)
from advisor.records.results.report import Report


def with_earlier(machine: Machine, benchmark: Benchmark, earlier: Report | None) -> Benchmark:
    """Return a benchmark whose steps of the job tell, in their details, what the earlier check measured of the same.

    Details: ``earlier_s``, the step then; ``earlier_at``, seconds since 1970; ``earlier_noise_ratio``, a difference
    that repeating alone may cause; ``earlier_taken_ratio``, share of the processor that others had then;
    ``earlier_pace_ratio``, how the computer's pace varied then;
    ``earlier_measured_ratio``, share of the step that was measured; ``earlier_other_torch``, 1 where PyTorch was
    another; and ``earlier_kept_low`` to ``earlier_kept_high``, how many times as fast the step was found to be with
    memory kept, with what that was concluded from. Steps of other parts or settings are left as they are. Other tests
    that others slowed get ``earlier_s``, and classes of work the curves of then: beside a busy program a product of
    67 µs took 16 ms, and 130 years were told of seven months.
    """
    known = None if earlier is None else earlier.benchmark
    if earlier is None or known is None or _parts(earlier.machine) != _parts(machine):
        return benchmark
    try:
        moment_s = datetime.datetime.fromisoformat(earlier.created_at).timestamp()
    except (ValueError, OverflowError):  # a history may hold anything, and costs no check
        return benchmark
    then = {one.case.id: one for one in known.measurements}
    both = {one.case.id: one for one in compare(known, benchmark).cases if one.case.program == JOB_PROGRAM}
    shared = {
        "earlier_at": moment_s,
        "earlier_other_torch": float(earlier.machine.framework.version != machine.framework.version),
    }
    return msgspec.structs.replace(
        benchmark,
        measurements=tuple(
            _beside(one, both[one.case.id], shared | _seen(known, then[one.case.id]) | _kept(earlier, one.case))
            if one.case.id in both
            else _of_quieter(one, then.get(one.case.id), is_same_torch=not shared["earlier_other_torch"])
            for one in benchmark.measurements
        ),
    )


def _of_quieter(one: Measurement, then: Measurement | None, *, is_same_torch: bool) -> Measurement:
    """Return a test of the processor with what an earlier check measured, where others slowed this more than that."""
    if then is None or not is_slowed(one) or not is_same_torch or then.case.options != one.case.options:
        return one
    is_told = is_told_by_earlier(then)
    taken_ratio = 0.0 if is_told else load_ratio((then,))
    if taken_ratio >= load_ratio((one,)):
        return one
    known = {
        "earlier_s": then.details.get("earlier_s", then.median_s) if is_told else then.median_s,
        "earlier_taken_ratio": taken_ratio,
    }
    curves = (then.earlier_series or then.series) if one.case.program == CLASSES_PROGRAM else ()
    return msgspec.structs.replace(one, details=one.details | known, earlier_series=curves)


def _parts(machine: Machine) -> tuple[str, Sequence[str]]:
    return machine.host.cpu.name, [card.name for card in machine.accelerators if card.trains]


def _seen(known: Benchmark, then: Measurement) -> dict[str, float]:
    """Return how a step was measured in the earlier check."""
    return {
        "earlier_taken_ratio": known.taken_ratio({then.case.id}),
        "earlier_measured_ratio": then.details.get("measured_ratio", 1.0),
        "earlier_pace_ratio": then.details.get("pace_deviation_ratio", 0.0),
    }


def _kept(earlier: Report, case: Case) -> dict[str, float]:
    """Return what the earlier check found that a step gains where freed memory is kept."""
    about = ("page_faults", case.device, case.network)
    found = next((one for one in earlier.findings if (one.kind, one.device, one.network) == about), None)
    if found is None or found.gain is None:
        return {}
    known = {reading.name.removeprefix("usual_"): reading.value for reading in found.evidence}
    names = ("batch", "page_faults", "system_ratio")
    gain = {"earlier_kept_low": found.gain.low, "earlier_kept_high": found.gain.high}
    return gain | {f"earlier_{name}": known[name] for name in names if name in known}


def _beside(one: Measurement, both: ComparedCase, seen: dict[str, float]) -> Measurement:
    if both.case.options != one.case.options:  # the same id, but another optimizer or layout
        return one
    step = {"earlier_s": both.first_s, "earlier_noise_ratio": both.noise_ratio}
    return msgspec.structs.replace(one, details=one.details | seen | step)
