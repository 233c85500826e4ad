"""From what was seen of a script to the median step, the epoch and the whole run."""

import statistics
from itertools import pairwise

from advisor.records.base import Precision
from advisor.records.job.workload import Optimizer
from advisor.records.results.watched import WatchedScript, WatchedStep
from advisor.watch.channel import CallsSeen, EndSeen, LoaderSeen, LoadingSeen, ProgramSeen, Seen, StepSeen
from advisor.watch.program import Watched

_SHORT: dict[str, Precision] = {"float16": "fp16", "bfloat16": "bf16"}
WARM_UP = 2
"""Steps that are left out at least: the first allocates and builds, the second follows it."""


def summarised(watched: Watched) -> WatchedScript:
    """Return what was seen, in numbers; without a remedy."""
    seen = watched.seen
    program = next((event for event in seen.events if isinstance(event, ProgramSeen)), None)
    loader = _training_loader(seen)
    end = next((event for event in seen.events if isinstance(event, EndSeen)), None)
    step = _step(seen)
    return WatchedScript(
        ended=watched.ended,
        status=watched.status,
        watched_s=watched.watched_s,
        step=step,
        rhythm_s=watched.rhythm_s if step is None else None,
        memory_bytes=watched.peak_bytes,
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
    )


def samples_per_step(seen: Seen) -> int | None:
    """Return how many samples the loader hands out from one optimizer step to the next; None where it does not say."""
    loader = _training_loader(seen)
    if loader is None or not loader.batch_size:
        return None
    return loader.batch_size * max(1, _batches_per_step(seen))


def samples_per_epoch(seen: Seen) -> int | None:
    """Return the samples that the training loader's data has."""
    loader = _training_loader(seen)
    return None if loader is None else loader.samples


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


def _step(seen: Seen) -> WatchedStep | None:
    """Return the median step: between two ends, neither of the recorded one nor of the one after it."""
    steps = seen.steps
    pairs = [
        (after.at_s - before.at_s, after)
        for index, (before, after) in enumerate(pairwise(steps), start=1)
        if not (after.recorded or before.recorded) and (index >= WARM_UP or len(steps) <= WARM_UP + 1)
    ]
    after_record = [pair for pair in pairs if any(one.recorded for one in steps[: steps.index(pair[1])])]
    timed = after_record or pairs
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


def _batches_per_step(seen: Seen) -> int:
    """Return the batches of an optimizer step: more than one where gradients are accumulated."""
    counts = [step.batches for step in seen.steps]
    return statistics.mode(counts) if counts else 1


def _steps_per_epoch(seen: Seen, loader: LoaderSeen | None) -> float | None:
    if loader is None or loader.batches is None:
        return None
    return loader.batches / max(1, _batches_per_step(seen))
