"""Memory that a program frees in each step and takes again in the next: page faults, measured or counted."""

from collections.abc import Iterator

from advisor.benchmark.diagnosis.inputs import Inputs, finding, gain_between, positive, quotient
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.results.diagnosis import Finding, Reading
from advisor.records.results.measured.measurement import Measurement, is_slowed

WORTH_TIMES = 1.1
"""Keeping freed memory is worth a word where the lower quartile of its gain is more; pairs in turn scatter less."""
SYSTEM_RATIO = 0.1
"""The gain is put down to page faults only where the system takes this share of the processor's time."""
COUNTED_RATIO = 0.15
"""Where the gain was not measured, the system must take this share of a step: without it, 1.2 times as fast.

Seven networks on an EPYC of 2017 gained 1.02 to 1.59 times, each as much as its share says or up to a tenth more (torch
2.13, November 2026): those with 0.14 gained 1.25, those with 0.05 nothing to speak of."""
OTHER_MEMORY = frozenset({"macOS", "Windows"})
"""Systems that hand memory out otherwise: what was only counted there is not put down to glibc."""
FEWEST_FAULTS = 8192
"""Of 4 KiB each: one block of 32 MiB, the least that glibc gives back at once. Source: mallopt(3), M_MMAP_THRESHOLD."""


def page_faults(inputs: Inputs) -> Iterator[Finding]:
    """Yield networks whose steps take their memory again: with the gain measured in turn, else with its bound.

    What an earlier check found of the job stays where other programs disturbed this one.
    """
    measured = (*_measured(inputs), *_found_earlier(inputs))
    yield from measured
    if inputs.machine.host.os_name in OTHER_MEMORY:
        return
    known = {one.network for one in measured}
    worst: dict[str, Measurement] = {}
    for m in filter(_trains, inputs.measurements):
        is_costly = _share(m) >= COUNTED_RATIO and m.details.get("page_faults", 0.0) >= FEWEST_FAULTS
        if is_costly and m.case.network not in known:
            worst[m.case.network] = max(worst.get(m.case.network, m), m, key=_share)
    yield from map(_counted, worst.values())


def _trains(m: Measurement) -> bool:
    """Return whether it is a training step on the processor, beside other programs or not.

    What is counted is the step's own use of the processor. Threads that wait for each other beside other programs only
    lower the system's share of it (0.34 to 0.37 with one to three of them on two cores, 0.41 to 0.47 without), so that
    the bound promises less then.
    """
    is_job = m.case.program == JOB_PROGRAM and m.case.options.get("task") == "train"
    return m.case.device == "cpu" and (is_job or (m.case.program == "train" and m.case.precision == "fp32"))


def _share(m: Measurement) -> float:
    """Return the system's share of the processor's time; a share of all or more is nonsense."""
    share = positive(m.details.get("system_ratio"))
    return share if share is not None and share < 1 else 0.0


def _measured(inputs: Inputs) -> Iterator[Finding]:
    for m in inputs.quiet:
        if m.case.program != "kept_memory":
            continue
        low, high = (positive(m.details.get(name)) for name in ("times_low", "times_high"))
        system = positive(m.details.get("usual_system_ratio"))
        if low is None or low < WORTH_TIMES or system is None or system < SYSTEM_RATIO:
            continue
        evidence = [
            Reading(name=name, value=value, unit=unit, source=m.case.id)
            for name, unit in _EVIDENCE.items()
            if (value := positive(m.details.get(name))) is not None
        ]
        yield finding("page_faults", m.case.device, evidence, network=m.case.network, gain=gain_between(low, high),
                      remedies=("keep_freed_memory",))  # fmt: skip


def _found_earlier(inputs: Inputs) -> Iterator[Finding]:
    quiet = {one.case.network for one in inputs.measurements if _trains(one) and not is_slowed(one)}
    for m in inputs.measurements:
        if m.case.network in quiet:
            continue  # what it does without others was seen in this check
        gain = gain_between(*(m.details.get(f"earlier_kept_{end}") for end in ("low", "high")))
        if gain is None or m.case.program != JOB_PROGRAM or not is_slowed(m) or m.details.get("earlier_other_torch"):
            continue
        readings = {"batch": "", "page_faults": "", "system_ratio": "ratio"}
        evidence = [
            Reading(name=name if name == "batch" else f"usual_{name}", value=value, unit=unit, source="earlier")
            for name, unit in readings.items()
            if (value := positive(m.details.get(f"earlier_{name}"))) is not None
        ]
        yield finding("page_faults", m.case.device, evidence, form="earlier", network=m.case.network, gain=gain,
                      remedies=("keep_freed_memory",))  # fmt: skip


_EVIDENCE = {"usual_page_faults": "", "usual_system_ratio": "ratio", "usual_s": "s", "kept_s": "s"}


def _counted(m: Measurement) -> Finding:
    """Return that the system takes part of a step; without all of that, a step were so much faster at most."""
    case, share = m.case, _share(m)
    evidence = (
        Reading(name="batch", value=m.details.get("measured_batch", float(case.batch_size)), source=case.id),
        Reading(name="usual_page_faults", value=m.details["page_faults"], source=case.id),
        Reading(name="usual_system_ratio", value=share, unit="ratio", source=case.id),
    )
    return finding("page_faults", case.device, evidence, form="counted", network=case.network,
                   gain=gain_between(1.0, quotient(1.0, 1.0 - share)), remedies=("keep_freed_memory",))  # fmt: skip
