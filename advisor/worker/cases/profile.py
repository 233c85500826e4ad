"""A few training steps under torch's profiler: which operations take the time, and how much of it nothing runs.

The profiler slows the steps down; other cases never run under it. Here a step also loads its batch, as a program that
trains does: photographs are decoded, resized and augmented in this process where the network takes images.
"""

import re
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import torch
from torch.profiler import ProfilerActivity, record_function, schedule

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case
from advisor.worker.cases.train import step_of
from advisor.worker.data.batches import batches
from advisor.worker.data.photos import Photos, make_photos
from advisor.worker.failure import NotSupportedError
from advisor.worker.memory import PeakMemory
from advisor.worker.memory_guard import require_room
from advisor.worker.networks import network_named
from advisor.worker.networks.network import TrainingNetwork
from advisor.worker.profile_breakdown import LOADING, break_down
from advisor.worker.timing import Progress
from advisor.worker.torch_settings import dtype_of

_HOST_NAME = re.compile(rb'"host_name": *"(?:[^"\\]|\\.)*"')
_HEADER_BYTES = 65_536
"""What is ahead of the events is shorter."""
STEPS = 3
_WARM_UP = 2
_FILES = 32


def run_profile(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Profile option ``steps`` training steps of ``case.network``; the samples are their durations under the profiler.

    Option ``trace_path`` writes a trace for Perfetto or ``chrome://tracing`` there.
    """
    require_room(case, device)
    peak = PeakMemory(device)
    network = network_named(case.network)
    model = network.build().to(device=device, dtype=dtype_of(case))
    train = step_of(case, network, model, device)
    steps = int(case.options.get("steps", STEPS))
    with ExitStack() as opened:
        step = _timed_step(opened.enter_context(_loader(case, network)), train, device, progress)
        plain_s = statistics.median([step() for _step in range(_WARM_UP + steps)][_WARM_UP:])
        profiler, samples_s = _profiled(step, steps, device, progress)
    path = str(case.options.get("trace_path", ""))
    if path:
        profiler.export_chrome_trace(path)
        blank_host_name(Path(path))
    profile = break_down(
        profiler.events(),
        steps=steps,
        wall_s=sum(samples_s),
        plain_step_s=plain_s,
        is_device_time=device.type != "cpu",
        traced=bool(path) and Path(path).is_file(),
    )
    return CaseResult(
        case_id=case.id,
        samples_s=tuple(samples_s),
        items_per_iteration=case.batch_size,
        parameters=sum(p.numel() for p in model.parameters() if p.requires_grad),
        peak_memory_bytes=peak.peak_bytes(),
        details={"plain_step_s": plain_s, "profiler_cost_ratio": sum(samples_s) / steps / plain_s - 1},
        profile=profile,
    )


def _timed_step(
    loader: Iterator[Any], train: Callable[..., object], device: torch.device, progress: Progress
) -> Callable[[], float]:
    """Return what loads a batch, trains on it, and says how many seconds both took."""

    def step() -> float:
        started_s = time.perf_counter()
        with record_function(LOADING):
            inputs, targets = next(loader)
            inputs, targets = inputs.to(device), targets.to(device)
        train(inputs, targets)
        _wait(device)
        progress.check()
        return time.perf_counter() - started_s

    return step


def _profiled(
    step: Callable[[], float], steps: int, device: torch.device, progress: Progress
) -> tuple[Any, list[float]]:
    """Return the profiler and the durations of the steps it recorded; one before them starts its own machinery."""
    samples_s: list[float] = []
    with torch.profiler.profile(
        activities=_activities(device),
        schedule=schedule(wait=0, warmup=1, active=steps, repeat=1),
        record_shapes=True,
        profile_memory=True,
        acc_events=True,
    ) as profiler:
        step()
        profiler.step()
        for _step in range(steps):
            samples_s.append(step())
            profiler.step()
            progress.sampled(samples_s[-1])
    return profiler, samples_s


def _activities(device: torch.device) -> list[ProfilerActivity]:
    """Return what is watched.

    Raises:
        NotSupportedError: The profiler cannot see into the device.
    """
    known = {"cuda": ProfilerActivity.CUDA, "xpu": ProfilerActivity.XPU}
    if device.type == "cpu":
        return [ProfilerActivity.CPU]
    if device.type not in known:
        raise NotSupportedError(f"torch's profiler does not see the operations of {device.type}.")
    return [ProfilerActivity.CPU, known[device.type]]


@contextmanager
def _loader(case: Case, network: TrainingNetwork) -> Iterator[Iterator[Any]]:
    """Yield batches on the host: photographs where the network takes images, random numbers else."""
    shape = network.make_batch(1, case.size, torch.device("meta"))[0].shape
    if len(shape) == 4 and shape[1] == 3 and shape[2] == shape[3]:
        photos = Photos(files=make_photos(_FILES), edge=shape[-1], is_augmented=True)
        with batches(photos, case.batch_size, workers=0) as loader:
            yield loader
    else:
        yield iter(lambda: network.make_batch(case.batch_size, case.size, torch.device("cpu")), None)


def _wait(device: torch.device) -> None:
    if device.type in {"cuda", "xpu"}:
        getattr(torch, device.type).synchronize(device)


def blank_host_name(path: Path) -> None:
    """Blank the computer's name, which torch writes ahead of the events, in place: a trace is made to be shown."""
    with path.open("r+b") as file:
        found = _HOST_NAME.search(file.read(_HEADER_BYTES))
        if found is not None:
            file.seek(found.start())
            file.write(b'"host_name": ""'.ljust(len(found[0])))
