"""Predict every candidate: calibrated by what was measured here, fed at its own rate, wired as it is."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

from advisor.catalog import network, network_names
from advisor.catalog.hardware.processor_years import processor_year
from advisor.catalog.learned import learned_calibrations
from advisor.options.candidates import Candidate
from advisor.predict import (
    MeasuredLoading,
    SlowDisk,
    Target,
    calibrate,
    input_rate,
    measured_images_per_s,
    own_loading,
    predict_many,
    slow_disk,
    widen_for_interference,
    wire,
    with_fed,
)
from advisor.predict.measured.measured_job import is_of_job
from advisor.predict.money import data_bytes
from advisor.predict.scaling import Wiring
from advisor.records.job.asked_job import FED_PROGRAM
from advisor.records.job.prediction import Calibration, InputRate, Prediction
from advisor.records.job.work import Network
from advisor.records.job.workload import Workload
from advisor.records.request import Observation
from advisor.records.results.measured.measurement import Benchmark

SAME_WORK = {"densenet121_transfer": "densenet121"}
"""Networks that are measured under another name than the catalogue's: all layers of this one learn, and its head has
two classes for thousand."""


FASTER_RATIO = 1.15
"""A computer of more cores is worth its price where it is faster by more than the error of a good prediction."""


def predict_options(
    candidates: Sequence[Candidate], work: Network, workload: Workload, observation: Observation | None = None
) -> tuple[Prediction | None, ...]:
    """Return a prediction for each candidate, computing equal ones once; None where its time cannot be predicted.

    A measured card of this computer also informs predictions for its relatives; the processor's informs only itself.
    What others measured on a device comes after what was measured on this computer's own, and before its relatives.

    Args:
        candidates: The ways to get the job done.
        work: What is trained.
        workload: How.
        observation: The computer as seen and measured; None: nothing was measured.
    """
    benchmark = None if observation is None else observation.benchmark
    known = _calibrations(benchmark, candidates, work)
    relatives = next((known[name] for name in sorted(known) if name != "cpu"), None)
    learned = learned_calibrations()
    measured = None if observation is None else _images_per_s(observation, workload)
    loading = None if observation is None else loading_here(observation)
    disk = None if observation is None else disk_here(observation, workload)
    fed = {} if benchmark is None or loading is None else _fed(benchmark, loading, work, workload)
    rates = {
        feeder: _rate(workload, feeder, measured, fed.get(feeder.torch_device or "", loading), disk)
        for feeder in map(_feeder, candidates)
    }
    year = None if observation is None else processor_year(observation.machine.host.cpu.name)
    fixes = [
        known.get(_measured_as(candidate)) or learned.get(candidate.device.name, relatives) for candidate in candidates
    ]
    without = {feeder: _rate(workload, feeder, None, None, disk) for feeder in rates}
    targets = [
        Target(
            candidate.device,
            candidate.device_count,
            fix,
            rates[_feeder(candidate)],
            _wiring(candidate),
            # What was measured has its computer's processor in it.
            year if candidate.is_in_this_computer and fix is None else None,
        )
        for candidate, fix in zip(candidates, fixes, strict=True)
    ]
    predictions = predict_many(work, workload, targets)
    if benchmark is None:
        return tuple(predictions)

    def unmeasured(at: int) -> Prediction | None:
        target = targets[at]._replace(calibration=None, host_year=year, input_rate=without[_feeder(candidates[at])])
        return predict_many(work, workload, [target])[0]

    return tuple(_widened(candidates, predictions, benchmark, unmeasured))


def _widened(
    candidates: Sequence[Candidate],
    predictions: Sequence[Prediction | None],
    benchmark: Benchmark,
    unmeasured: Callable[[int], Prediction | None],
) -> Iterator[Prediction | None]:
    """Yield the predictions, those for this computer with what others took of its processor while it was measured."""
    for at, (candidate, prediction) in enumerate(zip(candidates, predictions, strict=True)):
        name = candidate.torch_device
        if prediction is None or name is None:
            yield prediction
            continue
        yield widen_for_interference(prediction, name, benchmark, partial(unmeasured, at))


def faster_fed(
    candidates: Sequence[Candidate],
    predictions: Sequence[Prediction | None],
    more: Sequence[Candidate],
    of_more: Sequence[Prediction | None],
) -> tuple[list[Candidate], list[Prediction | None]]:
    """Return those of the candidates with more processor cores that are much faster than any with fewer.

    Args:
        candidates: What there is without them.
        predictions: Theirs.
        more: The same devices with more cores, by rising cores.
        of_more: Theirs.
    """
    shortest = {
        (one.device.name, one.device_count): prediction.time_per_step_s
        for one, prediction in zip(candidates, predictions, strict=True)
        if one.tier == "single_gpu" and prediction is not None
    }
    kept: list[Candidate] = []
    theirs: list[Prediction | None] = []
    for one, prediction in zip(more, of_more, strict=True):
        key = (one.device.name, one.device_count)
        if prediction is None or prediction.time_per_step_s * FASTER_RATIO > shortest.get(key, float("inf")):
            continue
        shortest[key] = prediction.time_per_step_s
        kept.append(one)
        theirs.append(prediction)
    return kept, theirs


def own_input_rate(observation: Observation, workload: Workload) -> InputRate | None:
    """Return what this computer's processor is predicted to deliver; None where nothing has to be prepared."""
    cores = observation.machine.host.cpu.usable_cores
    measured = _images_per_s(observation, workload)
    own, disk = loading_here(observation), disk_here(observation, workload)
    return input_rate(workload, cores, images_per_s=measured, own=own, disk=disk)


def disk_here(observation: Observation, workload: Workload) -> SlowDisk | None:
    """Return the hard disk that this computer's samples come from; None where it has none, or it counts little."""
    host, data = observation.machine.host, observation.data
    kind = host.disk.kind if data is None else data.disk.kind
    size_bytes = data_bytes(workload, data)
    return slow_disk(workload, kind, size_bytes, min(host.memory.available_bytes, host.memory.limit_bytes))


def loading_here(observation: Observation) -> MeasuredLoading | None:
    """Return what was measured of the user's files on the observed computer; None where nothing was.

    Files that only their script knows count as kept in memory.
    """
    if observation.benchmark is None:
        return None
    memory = observation.machine.host.memory
    return own_loading(
        observation.benchmark.measurements,
        size_bytes=0.0 if observation.data is None else observation.data.size_bytes,
        memory_bytes=min(memory.available_bytes, memory.limit_bytes),
    )


def _fed(
    benchmark: Benchmark, loading: MeasuredLoading, work: Network, workload: Workload
) -> dict[str, MeasuredLoading]:
    """Return what was measured of the files while steps of this very job took them, by torch's name of the device."""
    return {
        one.case.device: with_fed(loading, one)
        for one in benchmark.measurements
        if one.case.program == FED_PROGRAM and is_of_job(one.case, workload, work)
    }


def measured_networks(benchmark: Benchmark | None) -> dict[str, Network]:
    """Return the work of the networks that were measured here, by the measurements' name of them."""
    if benchmark is None:
        return {}
    names = {one.case.network for one in benchmark.measurements}
    known = {name: SAME_WORK.get(name, name) for name in sorted(names)}
    return {name: network(same) for name, same in known.items() if same in _known_networks()}


@cache
def _known_networks() -> frozenset[str]:
    return frozenset(network_names())


def _images_per_s(observation: Observation, workload: Workload) -> float | None:
    """Return what one thread of this computer's processor was measured to prepare."""
    taken = () if observation.benchmark is None else observation.benchmark.measurements
    return measured_images_per_s(taken, workload, observation.machine.host.cpu.usable_cores)


def _calibrations(
    benchmark: Benchmark | None, candidates: Sequence[Candidate], asked: Network
) -> Mapping[str, Calibration]:
    """Return what the measurements say about each measured device of this computer, by torch's name of it."""
    if benchmark is None:
        return {}
    networks = measured_networks(benchmark)
    own = {c.torch_device: c.device for c in candidates if c.torch_device is not None and c.device_count == 1}
    by_device = defaultdict(list)
    for measurement in benchmark.measurements:
        by_device[measurement.case.device].append(measurement)
    return {name: calibrate(found, own[name], networks, asked) for name, found in by_device.items() if name in own}


def _measured_as(candidate: Candidate) -> str:
    """Return torch's name of the measured device; nodes without a card are taken to be as this computer."""
    is_alike = candidate.is_site and candidate.device.device_class == "cpu"
    return "cpu" if is_alike else candidate.torch_device or ""


class _Feeder(NamedTuple):
    """What prepares the data: so many hardware threads for so many devices, this computer's own or others.

    Attributes:
        torch_device: torch's name of the one device of this computer that is fed.
    """

    cores: float | None
    devices: int
    is_here: bool
    torch_device: str | None


def _feeder(candidate: Candidate) -> _Feeder:
    is_processor = candidate.device.device_class == "cpu"
    devices = 1 if is_processor else candidate.device_count
    single = candidate.torch_device if candidate.device_count == 1 else None
    return _Feeder(candidate.cpu_cores, devices, candidate.is_in_this_computer, single)


def _rate(
    workload: Workload,
    feeder: _Feeder,
    images_per_s: float | None,
    loading: MeasuredLoading | None,
    disk: SlowDisk | None,
) -> InputRate | None:
    if feeder.cores is None:
        return None
    return input_rate(
        workload,
        feeder.cores,
        devices=feeder.devices,
        images_per_s=images_per_s if feeder.is_here else None,
        own=loading,
        is_here=feeder.is_here,
        disk=disk if feeder.is_here else None,
    )


def _wiring(candidate: Candidate) -> Wiring | None:
    if candidate.device_count == 1:
        return None
    if candidate.is_site:
        return Wiring(nodes=candidate.nodes, node_bytes_per_s=0.0, measured=candidate.link)
    offer = candidate.offer
    return wire(
        candidate.device,
        candidate.device_count,
        nodes=candidate.nodes,
        network=None if offer is None else offer.network or "ethernet",
        network_bytes_per_s=None if offer is None else offer.network_bytes_per_s,
    )
