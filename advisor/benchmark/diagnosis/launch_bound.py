"""Accelerators that wait for the program to start their many small operations."""

from collections.abc import Iterator

from advisor.benchmark.diagnosis.arithmetic import BATCH_TIMES, LIMIT_RATIO, Step, larger_batch, share_reading, step_of
from advisor.benchmark.diagnosis.inputs import Inputs, faster, finding, gain_between, positive, quotient, trained
from advisor.benchmark.results.statistics import matmul_curve
from advisor.records.results.diagnosis import Finding, Reading
from advisor.records.results.measured.measurement import Measurement
from advisor.records.results.measured.profile import Profile

IDLE_RATIO = 0.3
"""An accelerator without work for this share of a step, its data lying ready, waits for the program to start
operations. Mending it gains at most 1 / (1 - 0.3), 1.4 times."""

SMALL_EDGE = 256
"""Products up to this edge are too small to fill an accelerator: 34 million FLOP, 5 microseconds at 7 TFLOP/s."""


def launch_bound(inputs: Inputs) -> Iterator[Finding]:
    """Yield accelerators that wait for operations to be started: small batches, many small operations."""
    for device in inputs.devices:
        if device != "cpu":
            found = _idle_between_operations(inputs, device) or _batch_too_small(inputs, device)
            yield from found or _many_small_operations(inputs, device)
            yield from _cells_one_by_one(inputs, device)


def _idle_between_operations(inputs: Inputs, device: str) -> list[Finding]:
    """The profiler saw no kernel on the device for a good part of its steps."""
    for m in inputs.quiet:
        profile = m.profile
        if m.case.device != device or profile is None or not profile.is_device_time:
            continue
        idle = _plain_idle(profile)
        loading = next((share.ratio for share in profile.shares if share.kind == "data_loading"), 0.0)
        if idle >= IDLE_RATIO and loading < idle:
            calls = quotient(sum(one.calls for one in profile.operations), profile.steps)
            evidence = (
                Reading(name="idle_ratio", value=min(idle, 1.0), unit="ratio", source=m.case.id),
                None if calls is None else Reading(name="calls", value=calls, source=m.case.id),
                Reading(name="batch", value=float(m.case.batch_size), source=m.case.id),
            )
            gain = gain_between(1.0, _without_idle(inputs, m, idle))
            return [finding("launch_bound", device, evidence, form="idle", gain=gain,
                            remedies=("larger_batch", "fuse_operations"))]  # fmt: skip
    return []


def _plain_idle(profile: Profile) -> float:
    """Return the share of a step in which no kernel ran, at most what it is without the profiler, which adds to it."""
    idle = next((share.ratio for share in profile.shares if share.kind == "idle"), 0.0)
    profiled_s = quotient(profile.wall_s, profile.steps)
    working = quotient((1.0 - idle) * (profiled_s or 0.0), profile.plain_step_s)
    return idle if working is None else min(idle, max(1.0 - working, 0.0))


def _without_idle(inputs: Inputs, m: Measurement, idle: float) -> float | None:
    """Return how many times as fast a step without idling is, and never faster than its own limits allow."""
    step = step_of(inputs, m.case.device)
    alike = None if step is None else (step.measured.case.network, step.measured.case.batch_size)
    least = step.explained_ratio if step is not None and alike == (m.case.network, m.case.batch_size) else 0.0
    return quotient(1.0, max(1.0 - min(idle, 0.99), least))


def _batch_too_small(inputs: Inputs, device: str) -> list[Finding]:
    """The rate rises with the batch although the hardware's own limits explain less than half of a step."""
    step = step_of(inputs, device)
    if step is None or step.explained_ratio >= LIMIT_RATIO:
        return []
    readings, gain = larger_batch(inputs, step)
    if not readings:
        return []
    explained = share_reading("explained_ratio", step.explained_ratio, step.measured.case.id)
    evidence = (*readings, explained)
    return [finding("launch_bound", device, evidence, gain=gain, remedies=("larger_batch", "fuse_operations"))]


def _many_small_operations(inputs: Inputs, device: str) -> list[Finding]:
    """As many of the smallest operations as the step has would take most of its time."""
    step = step_of(inputs, device)
    smallest = _smallest_operation(inputs, device)
    if step is None or step.explained_ratio >= LIMIT_RATIO or smallest is None:
        return []
    count = positive(inputs.kernels.get(step.measured.case.network))
    starting_s = None if count is None else positive(count * smallest.median_s)
    share = quotient(starting_s, step.measured.median_s)
    if count is None or share is None or share < LIMIT_RATIO:
        return []
    case_id = step.measured.case.id
    evidence = (
        share_reading("launch_ratio", share, case_id),
        Reading(name="operations", value=count, source="catalogue"),
        Reading(name="small_s", value=smallest.median_s, unit="s", source=smallest.case.id),
        Reading(name="batch", value=float(step.measured.case.batch_size), source=case_id),
        share_reading("explained_ratio", step.explained_ratio, case_id),
    )
    gain = gain_between(1.0, _without(share, step))
    return [finding("launch_bound", device, evidence, form="small", gain=gain,
                    remedies=("larger_batch", "fuse_operations"))]  # fmt: skip


def _without(share: float, step: Step) -> float | None:
    """Return how many times as fast a step is without a part of it, and never faster than its own limits allow."""
    rest = max(1.0 - min(share, 1.0), step.explained_ratio)
    return quotient(1.0, rest)


def _cells_one_by_one(inputs: Inputs, device: str) -> Iterator[Finding]:
    """The same recurrent network, step by step and as one fused call: equal arithmetic, far fewer operations."""
    steps = {(m.case.network, m.case.batch_size): m for m in trained(inputs, device)}
    for (network, batch_size), slow in steps.items():
        fast = steps.get(("fused_lstm", batch_size)) if network == "stacked_lstm" else None
        times = None if fast is None else quotient(slow.median_s, fast.median_s)
        if fast is None or times is None or times < BATCH_TIMES:
            continue
        evidence = (
            Reading(name="cells_s", value=slow.median_s, unit="s", source=slow.case.id),
            Reading(name="fused_s", value=fast.median_s, unit="s", source=fast.case.id),
        )
        yield finding("launch_bound", device, evidence, form="cells", gain=faster(slow, fast), severity="slight",
                      remedies=("fuse_operations",))  # fmt: skip


def _smallest_operation(inputs: Inputs, device: str) -> Measurement | None:
    """Return what starting an operation costs: as measured, else the smallest product, which is hardly any work."""
    started = [m for m in inputs.quiet if m.case.program == "launch" and m.case.device == device]
    small = [m for m in matmul_curve(inputs.quiet, device, "fp32")[:1] if m.case.size <= SMALL_EDGE]
    return next(iter((*started, *small)), None)
