"""Training steps in turn with freed memory given back to the system, as usual, and kept: what page faults cost."""

import statistics
import time
from dataclasses import dataclass, field

import torch

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case
from advisor.worker.allocator import keep_freed_memory
from advisor.worker.cases.train import training_step
from advisor.worker.failure import NotSupportedError
from advisor.worker.memory_guard import require_room
from advisor.worker.networks import network_named
from advisor.worker.resource_usage import usage, used_since
from advisor.worker.timing import Block, Progress, block_timer, iterations_for

MOST_SAMPLES = 9
"""In either way."""


@dataclass(kw_only=True)
class _Way:
    """Seconds a step takes in each sample, pages it touches for the first time, and the share of the system's time."""

    keeps: bool
    samples_s: list[float] = field(default_factory=list)
    page_faults: list[float] = field(default_factory=list)
    system_ratios: list[float] = field(default_factory=list)

    def sample(self, block: Block, count: int) -> float:
        """Take a sample in this way; one step before it touches the memory that is then kept."""
        keep_freed_memory(self.keeps)
        block(1)
        before = usage()
        self.samples_s.append(block(count))
        used = used_since(before)
        assert used is not None, "where memory can be kept, the system tells what is used"
        self.page_faults.append(used.page_faults / count)
        self.system_ratios.append(used.system_ratio)
        return self.samples_s[-1]


def run_kept_memory(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Time the training step of ``case.network`` in both ways; the samples are those with memory kept.

    Details: medians ``usual_s`` and ``kept_s`` of a step, its ``…_page_faults``, and the share of the processor's time
    that the system took, ``…_system_ratio``; quartiles ``times_low`` and ``times_high`` of how many times as fast a
    step is that keeps memory, from the pairs of samples.
    """
    require_room(case, device)
    if device.type != "cpu":
        raise NotSupportedError("Accelerators keep freed memory anyway.")
    network = network_named(case.network)
    step = training_step(case, network, network.build(), device)
    usual, kept = _Way(keeps=False), _Way(keeps=True)
    try:
        count = _sample_in_turn(block_timer(step, device), (usual, kept), case, progress)
    finally:
        keep_freed_memory(False)
    return CaseResult(
        case_id=case.id,
        samples_s=tuple(kept.samples_s),
        iterations_per_sample=count,
        items_per_iteration=case.batch_size,
        details=_details(usual, kept),
    )


def _sample_in_turn(block: Block, ways: tuple[_Way, _Way], case: Case, progress: Progress) -> int:
    """Take samples in turn and return of how many steps: at least what the case wants, more while it has time."""
    deadline_s = time.perf_counter() + case.budget_s
    block(1)
    count = iterations_for(case.sample_s, block(1))
    last = ways[-1].samples_s
    while len(last) < case.min_samples or (len(last) < MOST_SAMPLES and time.perf_counter() < deadline_s):
        for way in ways:
            progress.sampled(way.sample(block, count))
    return count


def _details(usual: _Way, kept: _Way) -> dict[str, float]:
    times = [one / other for one, other in zip(usual.samples_s, kept.samples_s, strict=True)]
    low, _, high = statistics.quantiles(times, n=4, method="inclusive") if len(times) > 1 else times * 3
    details = {"times_low": low, "times_high": high}
    for name, way in (("usual", usual), ("kept", kept)):
        details[f"{name}_s"] = statistics.median(way.samples_s)
        details[f"{name}_page_faults"] = statistics.median(way.page_faults)
        details[f"{name}_system_ratio"] = statistics.median(way.system_ratios)
    return details
