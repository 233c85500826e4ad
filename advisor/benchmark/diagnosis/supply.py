"""What keeps a device from its work: data that comes too slowly, a slow link, too little memory or memory traffic."""

import math
from collections.abc import Iterator
from typing import NamedTuple, get_args

from advisor.benchmark.diagnosis.sight import (
    EDGES,
    Sight,
    conditions,
    finding,
    gain_between,
    link,
    measured_bandwidth,
    positive,
    quotient,
    trained,
    training_cards,
)
from advisor.records.diagnosis import Finding, Reading, RemedyCode
from advisor.records.machine import Accelerator
from advisor.records.measurement import Measurement

INPUT_TIMES = 1.05
"""The loader is called too slow where the device takes 5 % more than it delivers: twice the spread of repeated runs."""

LANE_BYTES_PER_S = {1: 0.25e9, 2: 0.5e9, 3: 0.985e9, 4: 1.969e9, 5: 3.938e9, 6: 7.563e9}
"""What one PCIe lane carries in one direction, by generation.

Source: PCI-SIG: 2.5, 5, 8, 16, 32 and 64 GT/s with 8b/10b (1, 2), 128b/130b (3 to 5) and 242B/256B coding (6).
"""
SLOW_LINK_BYTES_PER_S = 5e9
"""A link below this is slow: PCIe 3.0 x4 (3.9 GB/s) is, x8 (7.9 GB/s, of which copies reach about 6) is not."""

NARROW_TIMES = 4
"""A link that uses a quarter of its lanes or fewer sits in the wrong slot; half of them is usual and costs little."""

RISING_TIMES = 1.1
"""The rate still rises at the largest batch that fits, if the last doubling gained so much."""

ONE_CHANNEL_RATIO = 0.45
"""Below this share of the published bandwidth one of two memory channels is empty.

STREAM reaches 70 to 85 % of the peak of desktop memory (J. McCalpin, cs.virginia.edu/stream); ordinary stores read
each line before they write it, so that a copy counts as two thirds of what moves. Two channels: 0.47 to 0.85 of the
peak; one: 0.23 to 0.43.
"""


class _Supply(NamedTuple):
    """What the loader delivers and what a device takes of the same images."""

    device: str
    delivers: Reading
    workers: Reading
    per_worker: Reading | None
    takes: Reading


def _supplies(sight: Sight) -> Iterator[_Supply]:
    """Yield for each measured device the best loader for images of the size it was trained with."""
    for device in sight.devices:
        loaders = [found for found in map(_loader, sight.measurements) if found is not None]
        for m in trained(sight, device, None):
            edge = m.case.size or EDGES.get(m.case.network, 0)
            fitting = [one for one in loaders if one[0].case.size == edge]
            takes = positive(m.items_per_s)
            if fitting and takes is not None:
                source, points = max(fitting, key=lambda one: max(rate for _, rate in one[1]))
                yield _supply(device, source, points, m.case.id, takes)
                break


def _supply(
    device: str, source: Measurement, points: tuple[tuple[float, float], ...], case_id: str, takes: float
) -> _Supply:
    workers, delivers = max(points, key=lambda point: point[1])
    single = [rate / max(count, 1.0) for count, rate in sorted(points) if count <= 1][-1:]
    return _Supply(
        device=device,
        delivers=_rate("loader_samples_per_s", delivers, source.case.id),
        workers=Reading(name="workers", value=workers, source=source.case.id),
        per_worker=_rate("worker_samples_per_s", single[0], source.case.id) if single else None,
        takes=_rate("device_samples_per_s", takes, case_id),
    )


def _loader(m: Measurement) -> tuple[Measurement, tuple[tuple[float, float], ...]] | None:
    """Return the images per second by loading workers, where a case measured the loader."""
    if m.case.program != "input":
        return None
    points = [
        (a, b)
        for series in m.series
        if (series.x, series.y) == ("workers", "items_per_s")
        for a, b in series.points
        if 0 <= a < math.inf and positive(b) is not None
    ]
    rate = positive(m.items_per_s)
    if not points and rate is not None:
        points = [(float(positive(_number(m.case.options.get("workers"))) or 0), rate)]
    return (m, tuple(points)) if points else None


def _number(value: str | float | None) -> float | None:
    return None if isinstance(value, str) else value


def _rate(name: str, value: float, source: str) -> Reading:
    return Reading(name=name, value=value, unit="samples_per_s", source=source)


def input_bound(sight: Sight) -> Iterator[Finding]:
    """Yield devices that wait for their data: the loader delivers less than they take."""
    measured = list(_supplies(sight))
    for supply in measured:
        times = quotient(supply.takes.value, supply.delivers.value)
        if times is not None and times >= INPUT_TIMES:
            remedies: list[RemedyCode] = ["prepare_data", "more_cores"]
            if not _lacks_cores(sight, supply):
                remedies = ["more_workers", "prepare_data"]
            evidence = (supply.delivers, supply.workers, supply.takes)
            yield finding("input_bound", supply.device, evidence, gain=gain_between(times, times), remedies=remedies)
    yield from _predicted_input_bound(sight, {supply.device for supply in measured})


def _predicted_input_bound(sight: Sight, known: set[str]) -> Iterator[Finding]:
    """Yield devices for which even the highest predicted loader rate is below the lowest they would take."""
    for outlook in sight.outlooks:
        delivers, takes = outlook.loader_samples_per_s, outlook.device_samples_per_s
        if delivers is None or takes is None or outlook.device in known:
            continue
        least = quotient(takes.low, delivers.high)
        if least is None or least < INPUT_TIMES:
            continue
        evidence = (
            _rate("loader_samples_per_s", delivers.high, "prediction"),
            _rate("device_samples_per_s", takes.low, "prediction"),
        )
        yield finding("input_bound", outlook.device, evidence, form="predicted",
                      gain=gain_between(least, quotient(takes.high, delivers.low)),
                      remedies=("prepare_data", "more_workers"))  # fmt: skip


def few_cores_for_loader(sight: Sight) -> Iterator[Finding]:
    """Yield devices whose data needs more cores than there are.

    By Little's law, images in work = images per second x seconds for one image; each takes a core.
    """
    for supply in _supplies(sight):
        times = quotient(supply.takes.value, supply.delivers.value)
        if times is None or times < INPUT_TIMES or not _lacks_cores(sight, supply) or supply.per_worker is None:
            continue
        needed = quotient(supply.takes.value, supply.per_worker.value)
        if needed is None:
            continue
        evidence = (
            supply.takes,
            supply.per_worker,
            Reading(name="needed_cores", value=needed, source=supply.per_worker.source),
            Reading(name="usable_cores", value=float(sight.machine.host.cpu.usable_cores), source="host.cpu"),
        )
        yield finding("few_cores_for_loader", supply.device, evidence, gain=gain_between(1.0, times),
                      remedies=("more_cores", "prepare_data"))  # fmt: skip


def _lacks_cores(sight: Sight, supply: _Supply) -> bool:
    needed = None if supply.per_worker is None else quotient(supply.takes.value, supply.per_worker.value)
    usable = positive(sight.machine.host.cpu.usable_cores)
    return needed is not None and usable is not None and needed > usable


def slow_link(sight: Sight) -> Iterator[Finding]:
    """Yield cards that are tied to the processor by too few lanes. A measured rate decides; else the lanes in use."""
    for name, position, card in training_cards(sight.machine):
        if card.kind in {"integrated", "tpu"} or card.unified_memory:
            continue
        measured = link(sight, name)
        lanes = _lanes(card, position)
        if measured is not None:
            if measured.value < SLOW_LINK_BYTES_PER_S:
                evidence = (measured, *lanes)
                yield finding("slow_link", name, evidence, form="measured", remedies=_link_remedies(card))
        elif _is_narrow(card):
            yield finding("slow_link", name, lanes, remedies=_link_remedies(card))


def _is_narrow(card: Accelerator) -> bool:
    pcie = card.pcie
    width = None if pcie is None else positive(pcie.width)
    if pcie is None or width is None:
        return False
    # The generation in use falls while a card idles, to save power; the highest one is what counts under load.
    lane = LANE_BYTES_PER_S.get(pcie.max_generation or pcie.generation or 0)
    is_slow = lane is not None and lane * width < SLOW_LINK_BYTES_PER_S
    return is_slow or _uses_few_lanes(card)


def _uses_few_lanes(card: Accelerator) -> bool:
    ratio = None if card.pcie is None else quotient(card.pcie.max_width, card.pcie.width)
    return ratio is not None and ratio >= NARROW_TIMES


def _lanes(card: Accelerator, position: int) -> tuple[Reading, ...]:
    pcie, source = card.pcie, f"accelerators.{position}.pcie"
    found = {} if pcie is None else {
        "lanes": pcie.width, "most_lanes": pcie.max_width, "generation": pcie.max_generation or pcie.generation
    }  # fmt: skip
    readings = ((name, positive(value)) for name, value in found.items())
    return tuple(Reading(name=name, value=value, source=source) for name, value in readings if value is not None)


def _link_remedies(card: Accelerator) -> tuple[RemedyCode, ...]:
    return ("use_full_slot", "keep_data_on_card") if _uses_few_lanes(card) else ("keep_data_on_card",)


def capacity_bound(sight: Sight) -> Iterator[Finding]:
    """Yield devices whose memory is too small: for the person's job, for the batch that would be fastest, or at all."""
    jobs = list(_job_does_not_fit(sight))
    yield from jobs
    known = {found.device for found in jobs}
    for found in (*_batch_stopped_by_memory(sight), *_case_did_not_fit(sight)):
        if found.device not in known:
            known.add(found.device)
            yield found
    yield from _main_memory_full(sight)


def _job_does_not_fit(sight: Sight) -> Iterator[Finding]:
    """The least a step is predicted to need is more than there is."""
    for outlook in sight.outlooks:
        needed, available = outlook.needed_bytes, positive(outlook.available_bytes)
        least = None if needed is None else positive(needed.low)
        if least is None or available is None or least <= available:
            continue
        evidence = (_bytes("needed_bytes", least, "prediction"), _bytes("available_bytes", available, outlook.device))
        yield finding("capacity_bound", outlook.device, evidence, form="job", severity="serious",
                      remedies=_ways_to_fit(outlook.how_to_fit))  # fmt: skip


def _ways_to_fit(codes: tuple[str, ...]) -> tuple[RemedyCode, ...]:
    known: dict[str, RemedyCode] = {code: code for code in get_args(RemedyCode)} | {"amp": "shorter_format"}
    return (*(known[code] for code in codes if code in known), "larger_memory")


def _batch_stopped_by_memory(sight: Sight) -> Iterator[Finding]:
    """A sweep ended at the memory limit while its rate still rose."""
    for m in sight.measurements:
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
                _rate("best_samples_per_s", rate, m.case.id),
            )
            yield finding("capacity_bound", m.case.device, evidence, form="batch",
                          remedies=("shorter_format", "larger_memory"))  # fmt: skip


def _case_did_not_fit(sight: Sight) -> Iterator[Finding]:
    """Training of a network that others do on one card did not fit."""
    for failure in sight.failures:
        case = failure.case
        if failure.reason != "does_not_fit" or case.program != "train":
            continue
        own = next((card.memory_bytes for name, _, card in training_cards(sight.machine) if name == case.device), None)
        available = positive(own if case.device != "cpu" else sight.machine.host.memory.limit_bytes)
        evidence = (
            Reading(name="batch", value=float(case.batch_size), source=case.id),
            None if available is None else _bytes("available_bytes", available, case.device),
        )
        yield finding("capacity_bound", case.device, evidence, form="case", severity="moderate",
                      remedies=("smaller_batch", "shorter_format", "larger_memory"))  # fmt: skip


def _main_memory_full(sight: Sight) -> Iterator[Finding]:
    found = [(where, positive(one.value)) for where, one in conditions(sight, "memory_pressure")]
    free = min(((value, where) for where, value in found if value is not None), default=None)
    if free is not None:
        evidence = (
            _bytes("free_bytes", free[0], free[1]),
            _total(sight.machine.host.memory.limit_bytes),
        )
        yield finding("capacity_bound", "cpu", evidence, form="host", remedies=("close_programs", "larger_memory"))


def _total(value: int) -> Reading | None:
    total = positive(value)
    return None if total is None else _bytes("available_bytes", total, "host.memory.limit_bytes")


def _bytes(name: str, value: float, source: str) -> Reading:
    return Reading(name=name, value=value, unit="bytes", source=source)


def single_memory_channel(sight: Sight) -> Iterator[Finding]:
    """Yield the processor where main memory is half as fast as its published bandwidth, or slower.

    Only where the catalogue has this very processor, and never inside a virtual machine, whose share is anybody's
    guess.
    """
    host = sight.machine.host
    published = sight.published.get("cpu")
    full = None if published is None else positive(published.bandwidth_bytes_per_s)
    measured = measured_bandwidth(sight, "cpu")
    if full is None or measured is None or host.isolation not in {"none", "wsl"}:
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


def loader_keeps_up(sight: Sight, device: str) -> Reading | None:
    """Return what the loader delivers where that is enough for a device; None where it is not, or not measured."""
    for supply in _supplies(sight):
        times = quotient(supply.takes.value, supply.delivers.value)
        if supply.device == device and times is not None and times < INPUT_TIMES:
            return supply.delivers
    return None
