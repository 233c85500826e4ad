"""How fast data travels between the host and an accelerator, each way, from pinned and from ordinary memory."""

import statistics

import torch

from advisor.records.channel import CaseResult
from advisor.records.results.measured.measurement import Case
from advisor.worker.failure import NotSupportedError
from advisor.worker.memory_guard import require_room
from advisor.worker.timing import Progress, time_iterations


def run_transfer(case: Case, device: torch.device, progress: Progress) -> CaseResult:
    """Time the copy of ``case.size`` bytes; options ``to_device`` and ``pinned`` say which way and from which memory.

    Pinned memory may not be moved by the system, so that the device fetches it without the processor's help.
    """
    if device.type == "cpu":
        raise NotSupportedError("The processor works in the host's own memory; nothing has to travel.")
    is_pinned = bool(case.options.get("pinned", False))
    if is_pinned and device.type == "mps":
        # torch put such a tensor on the device itself, so that the copy never left it
        # (https://github.com/pytorch/pytorch/issues/181374).
        raise NotSupportedError("Apple's GPU shares the host's memory; none is pinned for it.")
    require_room(case, device)
    host = torch.randint(255, (case.size,), dtype=torch.uint8, pin_memory=is_pinned)
    far = host.to(device)
    source, target = (host, far) if case.options.get("to_device", True) else (far, host)
    timing = time_iterations(lambda: target.copy_(source, non_blocking=is_pinned), device, case, progress)
    return CaseResult(
        case_id=case.id,
        samples_s=timing.samples_s,
        iterations_per_sample=timing.iterations_per_sample,
        details={"bytes_per_s": case.size / statistics.median(timing.samples_s)},
    )
