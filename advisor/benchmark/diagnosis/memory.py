"""Is memory too small for a job or a batch, is main memory full, and is only one of its channels in use?"""

from collections.abc import Iterator
from typing import get_args

from advisor.benchmark.diagnosis.inputs import (
    Inputs,
    conditions,
    finding,
    gain_between,
    measured_bandwidth,
    positive,
    quotient,
)
from advisor.card_matching import training_cards
from advisor.records.results.diagnosis import Finding, Reading, RemedyCode
from advisor.units import GIB

RISING_TIMES = 1.1
"""The rate still rises at the largest batch that fits, if the last doubling gained so much."""

ONE_CHANNEL_RATIO = 0.45
"""Below this share of the published bandwidth one of two memory channels is empty.

STREAM reaches 70 to 85 % of the peak of desktop memory (J. McCalpin, cs.virginia.edu/stream); ordinary stores read
each line before they write it, so that a copy counts as two thirds of what moves. Two channels: 0.47 to 0.85 of the
peak; one: 0.23 to 0.43.
"""


TWO_CHANNELS_BYTES_PER_S = 140e9
"""No two channels carry more: 16 bytes at 8533 MT/s are 137 GB/s. Source: JEDEC JESD209-5C (LPDDR5X)."""
FEWEST_CORES = 4
"""Fewer cores, of a processor that has more, do not fill its memory channels."""
LITTLE_RATIO = 0.1
"""With more of it free, and more than 1 GiB, main memory is not full: programs waited for it all the same."""


def capacity_bound(inputs: Inputs) -> Iterator[Finding]:
    """Yield devices whose memory is too small: for the user's job, for the batch that would be fastest, or at all."""
    jobs = list(_job_does_not_fit(inputs))
    yield from jobs
    known = {found.device for found in jobs}
    for found in (*_batch_stopped_by_memory(inputs), *_case_did_not_fit(inputs)):
        if found.device not in known:
            known.add(found.device)
            yield found
    yield from _main_memory_full(inputs)


def _job_does_not_fit(inputs: Inputs) -> Iterator[Finding]:
    """The least a step is predicted to need is more than there is."""
    for outlook in inputs.outlooks:
        needed, available = outlook.needed_bytes, positive(outlook.available_bytes)
        least = None if needed is None else positive(needed.low)
        if least is None or available is None or least <= available:
            continue
        told = positive(outlook.predicted_bytes) or least
        evidence = (_bytes("needed_bytes", told, "prediction"), _bytes("available_bytes", available, outlook.device))
        yield finding("capacity_bound", outlook.device, evidence, form="job", severity="serious",
                      remedies=_ways_to_fit(outlook.how_to_fit))  # fmt: skip


def _ways_to_fit(codes: tuple[str, ...]) -> tuple[RemedyCode, ...]:
    known: dict[str, RemedyCode] = {code: code for code in get_args(RemedyCode)} | {"amp": "shorter_format"}
    return (*(known[code] for code in codes if code in known), "larger_memory")


def _batch_stopped_by_memory(inputs: Inputs) -> Iterator[Finding]:
    """A sweep ended at the memory limit while its rate still rose."""
    for m in inputs.measurements:
        limit = positive(m.details.get("first_batch_that_does_not_fit"))
        for series in m.series:
            points = sorted((a, b) for a, b in series.points if positive(a) is not None and positive(b) is not None)
            if limit is None or (series.x, series.y) != ("batch_size", "items_per_s") or len(points) < 2:
                continue
            (batch, rate), (_, before) = points[-1], points[-2]
            times = quotient(rate, before)
            if times is None or times < RISING_TIMES or max(r for _, r in points) > rate:
                continue
            evidence = (
                Reading(name="largest_batch", value=batch, source=m.case.id),
                Reading(name="rising_times", value=times, unit="times", source=m.case.id),
                Reading(name="best_samples_per_s", value=rate, unit="samples_per_s", source=m.case.id),
            )
            yield finding("capacity_bound", m.case.device, evidence, form="batch",
                          remedies=("shorter_format", "larger_memory"))  # fmt: skip


_FITTING: tuple[RemedyCode, ...] = ("smaller_batch", "shorter_format", "larger_memory")


def _case_did_not_fit(inputs: Inputs) -> Iterator[Finding]:
    """Training of a network that others do on one card did not fit."""
    for failure in inputs.failures:
        case = failure.case
        if failure.reason != "does_not_fit" or case.program != "train":
            continue
        needed, left = positive(failure.needed_bytes), positive(failure.left_bytes)
        if needed is not None and left is not None:
            evidence = (
                Reading(name="batch", value=float(case.batch_size), source=case.id),
                _bytes("needed_bytes", needed, case.id),
                _bytes("left_bytes", left, case.id),
            )
            yield finding("capacity_bound", case.device, evidence, form="case/untried", severity="moderate",
                          remedies=_FITTING)  # fmt: skip
            continue
        own = next((card.memory_bytes for name, _, card in training_cards(inputs.machine) if name == case.device), None)
        available = positive(own if case.device != "cpu" else inputs.machine.host.memory.limit_bytes)
        tried = (
            Reading(name="batch", value=float(case.batch_size), source=case.id),
            None if available is None else _bytes("available_bytes", available, case.device),
        )
        form = "case/unknown" if available is None else "case"
        yield finding("capacity_bound", case.device, tried, form=form, severity="moderate", remedies=_FITTING)


def _main_memory_full(inputs: Inputs) -> Iterator[Finding]:
    found = [(where, positive(one.value)) for where, one in conditions(inputs, "memory_pressure")]
    free = min(((value, where) for where, value in found if value is not None), default=None)
    total = positive(inputs.machine.host.memory.limit_bytes)
    if free is not None and total is not None:
        left = min(free[0], total)
        evidence = (_bytes("free_bytes", left, free[1]), _bytes("available_bytes", total, "host.memory.limit_bytes"))
        is_full = left < max(LITTLE_RATIO * total, GIB)
        form, remedies = ("host", _FREEING) if is_full else ("host/waited", _FREEING[:1])
        yield finding("capacity_bound", "cpu", evidence, form=form, remedies=remedies)


_FREEING: tuple[RemedyCode, ...] = ("close_programs", "larger_memory")


def _bytes(name: str, value: float, source: str) -> Reading:
    return Reading(name=name, value=value, unit="bytes", source=source)


def single_memory_channel(inputs: Inputs) -> Iterator[Finding]:
    """Yield the processor where main memory is half as fast as its published bandwidth, or slower.

    Only where the catalogue has this very processor, with two channels, and never inside a virtual machine, whose share
    is anybody's guess.
    """
    host = inputs.machine.host
    published = inputs.published.get("cpu")
    full = None if published is None else positive(published.bandwidth_bytes_per_s)
    measured = measured_bandwidth(inputs, "cpu")
    if full is None or measured is None or host.isolation not in {"none", "wsl"}:
        return
    has_modules = host.cpu.vendor.lower() != "apple" and full <= TWO_CHANNELS_BYTES_PER_S
    if not has_modules or host.cpu.usable_cores < min(FEWEST_CORES, host.cpu.physical_cores or FEWEST_CORES):
        return
    ratio = quotient(measured.value, full)
    if host.form_factor not in {"laptop", "desktop"} or ratio is None or ratio >= ONE_CHANNEL_RATIO:
        return
    evidence = (
        measured,
        Reading(name="published_bytes_per_s", value=full, unit="bytes_per_s", source="catalogue"),
        Reading(name="reached_ratio", value=ratio, unit="ratio", source=measured.source),
    )
    # The second channel doubles what memory carries; how much of a step that is, is not known.
    yield finding("single_memory_channel", "cpu", evidence, gain=gain_between(1.0, 2.0),
                  remedies=("second_memory_module",))  # fmt: skip
