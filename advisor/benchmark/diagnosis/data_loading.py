"""Does the data come too slowly? What the loader delivers beside what a device takes, and the cores that takes."""

from collections.abc import Iterator
from typing import NamedTuple

from advisor.benchmark.diagnosis.inputs import EDGES, Inputs, finding, gain_between, positive, quotient, trained
from advisor.records.results.diagnosis import Finding, Outlook, Reading, RemedyCode
from advisor.records.results.measured.measurement import Measurement

INPUT_TIMES = 1.05
"""The loader is called too slow where the device takes 5 % more than it delivers: twice the spread of repeated runs."""


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
    """Yield devices for which even the highest predicted loader rate is below the lowest they would take.

    The other ends of both intervals would promise a gain of hundreds, more than the wait that the user is told of.
    """
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
            _waiting(outlook),
        )
        most = quotient(takes.high, delivers.low)
        if most is not None and outlook.waiting_ratio is not None:
            most = min(most, 1.0 / (1.0 - outlook.waiting_ratio))
        yield finding("input_bound", outlook.device, evidence, form="predicted",
                      gain=gain_between(least, most),
                      remedies=("prepare_data", "more_workers"))  # fmt: skip


def _waiting(outlook: Outlook) -> Reading | None:
    ratio = outlook.waiting_ratio
    return None if ratio is None else Reading(name="waiting_ratio", value=ratio, unit="ratio", source="prediction")


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


def loader_keeps_up(inputs: Inputs, device: str) -> Reading | None:
    """Return what the slowest measured loader delivers; None where none was measured for the device."""
    rates = [supply.delivers for supply in _supplies(inputs) if supply.device == device]
    return min(rates, key=lambda rate: rate.value, default=None)
