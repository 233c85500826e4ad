"""What keeps a device from its work: data that comes too slowly, a slow link, too little memory or memory traffic."""

from collections.abc import Iterator
from typing import NamedTuple, get_args

from advisor.benchmark.diagnosis.inputs import (
    EDGES,
    Inputs,
    conditions,
    finding,
    gain_between,
    is_virtual,
    link,
    measured_bandwidth,
    positive,
    quotient,
    trained,
)
from advisor.card_matching import training_cards
from advisor.records.hardware.machine import Accelerator
from advisor.records.results.diagnosis import Finding, Reading, RemedyCode
from advisor.records.results.measured.measurement import Measurement
from advisor.units import GIB

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


TWO_CHANNELS_BYTES_PER_S = 140e9
"""No two channels carry more: 16 bytes at 8533 MT/s are 137 GB/s. Source: JEDEC JESD209-5C (LPDDR5X)."""
FEWEST_CORES = 4
"""Fewer cores, of a processor that has more, do not fill its memory channels."""
LITTLE_RATIO = 0.1
"""With more of it free, and more than 1 GiB, main memory is not full: programs waited for it all the same."""


class _Loader(NamedTuple):
    """What the processor delivers of images of one size.

    Attributes:
        rates: (images per second, workers, case), the fastest last.
        single: The rate of one worker, with its case.
    """

    edge: int
    is_augmented: bool
    rates: tuple[tuple[float, int, str], ...]
    single: tuple[float, str] | None


class _Supply(NamedTuple):
    """What the loader delivers and what a device takes of the same images."""

    device: str
    is_augmented: bool
    delivers: Reading
    workers: Reading
    per_worker: Reading | None
    takes: Reading

    @property
    def times(self) -> float:
        """Return how many times as much as is delivered the device would take."""
        return quotient(self.takes.value, self.delivers.value) or 0.0


def _loaders(inputs: Inputs) -> list[_Loader]:
    """Return the measured loaders: images as they are first, then augmented ones.

    A loader that was tried without workers only says nothing about what the processor could deliver, where the same
    images were also loaded with workers.
    """
    groups: dict[tuple[bool, int], list[tuple[float, int, str]]] = {}
    for m in inputs.quiet:
        rate = positive(m.items_per_s)
        if m.case.program == "input" and rate is not None:
            key = (m.case.options.get("augmented") is True, m.case.size)
            groups.setdefault(key, []).append((rate, _workers(m), m.case.id))
    found = []
    helped = {edge for (_, edge), rates in groups.items() if any(workers > 0 for _, workers, _ in rates)}
    for (is_augmented, edge), rates in sorted(groups.items()):
        if edge in helped and all(workers == 0 for _, workers, _ in rates):
            continue
        one = next(((rate, case_id) for rate, workers, case_id in sorted(rates) if workers == 1), None)
        alone = next(((rate, case_id) for rate, workers, case_id in sorted(rates) if workers == 0), None)
        found.append(_Loader(edge, is_augmented, tuple(sorted(rates)), one or alone))
    return found


def _workers(m: Measurement) -> int:
    count = m.case.options.get("workers")
    return count if isinstance(count, int) and 0 <= count < _MOST_WORKERS else 0


_MOST_WORKERS = 100_000


def _supplies(inputs: Inputs) -> Iterator[_Supply]:
    """Yield, for each measured device and loader, what it takes of images of the same size."""
    for loader in _loaders(inputs):
        for device in inputs.devices:
            fitting = [m for m in trained(inputs, device, None) if _edge(m) == loader.edge]
            takes = max(((rate, m.case.id) for m in fitting if (rate := positive(m.items_per_s))), default=None)
            if takes is not None:
                yield _supply(loader, device, *takes)


def _edge(m: Measurement) -> int:
    return m.case.size or EDGES.get(m.case.network, -1)


def _supply(loader: _Loader, device: str, takes: float, case_id: str) -> _Supply:
    rate, workers, source = loader.rates[-1]
    return _Supply(
        device=device,
        is_augmented=loader.is_augmented,
        delivers=_rate("loader_samples_per_s", rate, source),
        workers=Reading(name="workers", value=float(workers), source=source),
        per_worker=None if loader.single is None else _rate("worker_samples_per_s", *loader.single),
        takes=_rate("device_samples_per_s", takes, case_id),
    )


def _starving(inputs: Inputs) -> list[_Supply]:
    """Return for each device the loader that is too slow for it: without augmentation where even that is."""
    found: dict[str, _Supply] = {}
    for supply in _supplies(inputs):
        if supply.times >= INPUT_TIMES:
            found.setdefault(supply.device, supply)
    return list(found.values())


def _rate(name: str, value: float, source: str) -> Reading:
    return Reading(name=name, value=value, unit="samples_per_s", source=source)


def input_bound(inputs: Inputs) -> Iterator[Finding]:
    """Yield devices that wait for their data: the loader delivers less than they take."""
    for supply in _starving(inputs):
        remedies: tuple[RemedyCode, ...] = ("more_workers", "prepare_data")
        if _needed_cores(inputs, supply) is not None or _uses_all_cores(inputs, supply):
            remedies = ("prepare_data", "more_cores")
        evidence = (supply.delivers, supply.workers, supply.takes)
        gain = gain_between(supply.times, supply.times)
        form = "augmented" if supply.is_augmented else ""
        yield finding("input_bound", supply.device, evidence, form=form, gain=gain, remedies=remedies)
    yield from _predicted_input_bound(inputs, {supply.device for supply in _supplies(inputs)})


def _predicted_input_bound(inputs: Inputs, known: set[str]) -> Iterator[Finding]:
    """Yield devices for which even the highest predicted loader rate is below the lowest they would take."""
    for outlook in inputs.outlooks:
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


def few_cores_for_loader(inputs: Inputs) -> Iterator[Finding]:
    """Yield devices whose data needs more cores than there are.

    By Little's law, images in work = images per second x seconds for one image; each takes a core.
    """
    for supply in _starving(inputs):
        needed = _needed_cores(inputs, supply)
        if needed is not None:
            usable = Reading(name="usable_cores", value=float(inputs.machine.host.cpu.usable_cores), source="host.cpu")
            evidence = (supply.takes, supply.per_worker, needed, usable)
            yield finding(
                "few_cores_for_loader",
                supply.device,
                evidence,
                gain=gain_between(1.0, supply.times),
                remedies=("more_cores", "prepare_data"),
            )


def _needed_cores(inputs: Inputs, supply: _Supply) -> Reading | None:
    """Return the cores the data would take, where there are fewer."""
    if supply.per_worker is None:
        return None
    needed = quotient(supply.takes.value, supply.per_worker.value)
    usable = positive(inputs.machine.host.cpu.usable_cores)
    if needed is None or usable is None or needed <= usable:
        return None
    return Reading(name="needed_cores", value=needed, source=supply.per_worker.source)


def _uses_all_cores(inputs: Inputs, supply: _Supply) -> bool:
    """Return whether the loader was fastest with a process for each core, so that further ones find none."""
    usable = positive(inputs.machine.host.cpu.usable_cores)
    return usable is not None and supply.workers.value >= usable


def slow_link(inputs: Inputs) -> Iterator[Finding]:
    """Yield cards that are tied to the processor by too few lanes. A measured rate decides; else the lanes in use."""
    for name, position, card in training_cards(inputs.machine):
        if card.kind in {"integrated", "tpu"} or card.unified_memory:
            continue
        measured = link(inputs, name)
        lanes = _lanes(card, position)
        if measured is not None:
            if measured.value < SLOW_LINK_BYTES_PER_S:
                evidence = (measured, *lanes)
                yield finding("slow_link", name, evidence, form="measured", remedies=_link_remedies(inputs, card))
        elif _is_narrow(card):
            form = "narrow" if _uses_few_lanes(card) else ""
            yield finding("slow_link", name, lanes, form=form, remedies=_link_remedies(inputs, card))


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


def _link_remedies(inputs: Inputs, card: Accelerator) -> tuple[RemedyCode, ...]:
    """Return what helps; the card of a laptop sits in no slot, nor can anybody move one of a virtual machine."""
    may_move = inputs.machine.host.form_factor != "laptop" and not is_virtual(inputs.machine)
    return ("use_full_slot", "keep_data_on_card") if may_move and _uses_few_lanes(card) else ("keep_data_on_card",)


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
                _rate("best_samples_per_s", rate, m.case.id),
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


def loader_keeps_up(inputs: Inputs, device: str) -> Reading | None:
    """Return what the slowest measured loader delivers; None where none was measured for the device."""
    rates = [supply.delivers for supply in _supplies(inputs) if supply.device == device]
    return min(rates, key=lambda rate: rate.value, default=None)
