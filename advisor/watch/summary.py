"""From what was seen of a script to the median step, the epoch and the whole run."""

import statistics
from itertools import pairwise
from typing import NamedTuple

from advisor.records.base import Precision
from advisor.records.job.workload import Optimizer
from advisor.records.results.measured.watched import WatchedScript, WatchedStep
from advisor.watch.channel import CallsSeen, EndSeen, EpochSeen, LoaderSeen, LoadingSeen, ProgramSeen, Seen, StepSeen
from advisor.watch.program import Watched

_SHORT: dict[str, Precision] = {"float16": "fp16", "bfloat16": "bf16"}
WARM_UP = 2
"""Steps that are left out at least: the first allocates and builds, the second follows it."""
_WHOLE_EPOCH = 0.9
_SELDOM = 0.5
"""A loader that begins at more of the steps is one that the steps draw from, not validation."""


def summarised(watched: Watched) -> WatchedScript:
    """Return what was seen, in numbers; without a remedy."""
    seen = watched.seen
    program = next((event for event in seen.events if isinstance(event, ProgramSeen)), None)
    loader = _training_loader(seen)
    end = next((event for event in seen.events if isinstance(event, EndSeen)), None)
    breaks = _breaks(seen, loader)
    step = _step(seen, end, breaks)
    return WatchedScript(
        ended=watched.ended,
        status=watched.status,
        watched_s=watched.watched_s,
        step=step,
        unseen=watched.unseen if step is None else None,
        rhythm_s=watched.rhythm_s if step is None else None,
        memory_bytes=watched.peak_bytes,
        swapped_bytes=watched.swapped_bytes,
        card_bytes=None if end is None else end.peak_bytes,
        processor_ratio=watched.shares[0],
        others_ratio=watched.shares[1],
        torch="" if program is None else program.torch,
        device="cpu" if program is None else program.device,
        builds=() if program is None else program.builds,
        threads=None if program is None else program.threads,
        loaders=None if loader is None else loader.workers,
        loaders_busy_ratio=_loaders_busy(seen),
        steps_per_epoch=_steps_per_epoch(seen, loader),
        epochs=None if program is None else program.epochs,
        between_s=None if step is None else _between_s(seen, loader, step.step_s, breaks),
        processes=1 if program is None else program.processes,
        has_anomaly_mode=program is not None and program.anomaly,
    )


def samples_per_step(seen: Seen) -> int | None:
    """Return how many samples a process takes from one optimizer step to the next; None where nothing tells.

    Where no loader says how many it hands out: the rows that go into the network, or the batch by its customary name
    where those rows are its samples' parts.
    """
    loader = _training_loader(seen)
    batches = batches_per_step(seen)
    if loader is not None and loader.batch_size:
        return loader.batch_size * batches
    named = next((event.batch_size for event in seen.events if isinstance(event, ProgramSeen)), None)
    rows = next((event.rows for event in seen.events if isinstance(event, CallsSeen)), None)
    if rows is None:
        return None
    return batches * (named if named and rows % named == 0 else rows)


def batches_per_step(seen: Seen) -> int:
    """Return the batches of an optimizer step: more than one where gradients are accumulated."""
    counts = [step.batches for step in seen.steps]
    return 1 if _training_loader(seen) is None else max(1, statistics.mode(counts))


def validation_samples(seen: Seen) -> int:
    """Return the samples of the loaders that begin when an epoch has ended; 0 where none was seen to end."""
    loader = _training_loader(seen)
    breaks = _breaks(seen, loader)
    others = [
        event
        for event in seen.events
        if isinstance(event, LoaderSeen) and loader is not None and event.loader != loader.loader
    ]
    return sum(event.samples or 0 for event in others if event.step in breaks.epochs)


def samples_per_epoch(seen: Seen) -> int | None:
    """Return the samples that the training loader's data has; of data that come in ready batches, all of theirs."""
    loader = _training_loader(seen)
    if loader is None or loader.samples is None:
        return None
    if loader.batch_size is None and loader.samples == loader.batches:
        return loader.samples * (samples_per_step(seen) or 1) // batches_per_step(seen)
    return loader.samples


def optimizer_of(seen: Seen) -> Optimizer:
    """Return the optimizer; one of another kind counts as that with the state most have."""
    name = next((event.optimizer for event in seen.events if isinstance(event, ProgramSeen)), "").casefold()
    if "adamw" in name:
        return "adamw"
    return "sgd" if "sgd" in name else "adam"


def precision_of(seen: Seen) -> Precision:
    """Return the numeric format: mixed where products are shorter than the parameters."""
    parameters = next((event.dtype for event in seen.events if isinstance(event, ProgramSeen)), "")
    products = next((event.dtype for event in seen.events if isinstance(event, CallsSeen)), "") or parameters
    if products in _SHORT:
        return _SHORT[products] if parameters in _SHORT else "amp"
    return "fp64" if products == "float64" else "fp32"


class _Breaks(NamedTuple):
    """Between which steps the script did something else: ``all`` by the number of steps before, ``epochs`` of them."""

    all: frozenset[int] = frozenset()
    epochs: frozenset[int] = frozenset()


def _breaks(seen: Seen, loader: LoaderSeen | None) -> _Breaks:
    """Return where an epoch ended, or another loader than that of the training began."""
    if loader is None:
        return _Breaks()
    least = _WHOLE_EPOCH * (_steps_per_epoch(seen, loader) or 2)
    epochs, others, began = set(), set(), 0
    for event in seen.events:
        if not isinstance(event, LoaderSeen | EpochSeen) or event.step == 0:
            continue
        if event.loader != loader.loader:
            others.add(event.step)
        elif event.step - began >= least:
            epochs.add(event.step)
            began = event.step
    if len(others) > _SELDOM * len(seen.steps):
        others = set()
    return _Breaks(frozenset(epochs | others), frozenset(epochs))


def _between_s(seen: Seen, loader: LoaderSeen | None, step_s: float, breaks: _Breaks) -> float | None:
    """Return what an epoch takes beside its steps, such as validation; None where no end of an epoch was seen."""
    steps = seen.steps
    plain = [
        (number, after.at_s - before.at_s)
        for number, (before, after) in enumerate(pairwise(steps), start=1)
        if not (after.recorded or before.recorded)
    ]
    extra_s = sum(max(0.0, time_s - step_s) for number, time_s in plain if number in breaks.all)
    ends = sum(number in breaks.epochs for number, _time in plain)
    if ends:
        return extra_s / ends
    each = None if loader is None else _steps_per_epoch(seen, loader)
    is_seen = any(number in breaks.all for number, _time in plain)
    return extra_s / len(plain) * each if is_seen and each is not None else None


def _step(seen: Seen, end: EndSeen | None, breaks: _Breaks) -> WatchedStep | None:
    """Return the median step: between two ends, neither of the recorded one nor of the one after it."""
    steps = seen.steps
    pairs = [
        (after.at_s - before.at_s, after, index in breaks.all)
        for index, (before, after) in enumerate(pairwise(steps), start=1)
        if not (after.recorded or before.recorded) and (index >= WARM_UP or len(steps) <= WARM_UP + 1)
    ]
    whole = [(time_s, step) for time_s, step, is_broken in pairs if not is_broken]
    kept = whole or [(time_s, step) for time_s, step, _is_broken in pairs]
    first = next((step.at_s for step in steps if step.recorded), None)
    after_record = [pair for pair in kept if first is not None and pair[1].at_s > first]
    timed = after_record or kept
    times = [time_s for time_s, _step in timed if time_s > 0]
    if not times:
        return None
    step_s = statistics.median(times)
    # Means over all steps but the longest tenth: a loader with processes hands out several batches at once.
    waits, busy = _sums([step for _time, step in timed])
    ratio = min(1.0, waits / sum(times))
    copied = next((event.copied_s for event in seen.events if isinstance(event, CallsSeen)), 0.0)
    whole_s = sum(times) / len(times) if ratio > 0.2 else step_s
    return WatchedStep(
        steps=len(times),
        step_s=whole_s,
        wait_s=min(whole_s, ratio * whole_s),
        wait_busy_ratio=min(1.0, busy / waits) if waits > 0 else 1.0,
        copy_s=min(copied, whole_s),
        exchange_s=0.0 if end is None else min(end.exchange_s, whole_s),
        optimizer_s=min(whole_s, statistics.median(step.optimizer_s for _time, step in timed)),
    )


def _sums(steps: list[StepSeen]) -> tuple[float, float]:
    return sum(step.wait_s for step in steps), sum(step.wait_cpu_s for step in steps)


def _training_loader(seen: Seen) -> LoaderSeen | None:
    """Return the loader that began last before the second step: that of validation begins later, or hands out none."""
    steps = seen.steps
    if not any(step.batches for step in steps):
        return None
    loaders = [event for event in seen.events if isinstance(event, LoaderSeen) and event.step <= 1]
    return loaders[-1] if loaders else None


def _loaders_busy(seen: Seen) -> float | None:
    looks = [event for event in seen.events if isinstance(event, LoadingSeen)]
    of_s = sum(look.of_s for look in looks)
    return min(1.0, sum(look.busy_s for look in looks) / of_s) if of_s > 0 else None


def _steps_per_epoch(seen: Seen, loader: LoaderSeen | None) -> float | None:
    if loader is None or loader.batches is None:
        return None
    return loader.batches / batches_per_step(seen)
