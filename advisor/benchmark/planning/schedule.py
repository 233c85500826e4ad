"""How much time each case gets, so that a suite ends when it was promised to. Pure.

Before each case the time that is left is shared out again among it and the later ones that matter as much or more, by
what the cases so far have shown. A case that cannot do with its share is left out, with both numbers.
"""

import math
from collections.abc import Sequence

import msgspec

from advisor.records.base import Precision, Record
from advisor.records.channel import Ready
from advisor.records.job.asked_job import FED_PROGRAM, JOB_PROGRAM
from advisor.records.results.measured.measurement import CLASSES_PROGRAM, Case, Measurement, Suite

QUICK_S, QUICK_ACCELERATOR_S, FULL_S = 60.0, 45.0, 720.0
"""What a user is promised, from the command to the report."""
BESIDE_S = {"quick": 4.0, "full": 25.0}
"""Of it, for looking at the computer, for the advice, and for ending a measuring process that hangs."""
START_RATIO = 0.5
"""A measuring process that is slow to start, as from a cold disk, takes at most this share from the cases."""

LEAST_RATIO = 0.5
"""A case runs with at least this share of its budget; with less its samples would say little."""
PATIENCE_RATIO = 2.0
"""A case known to need more than so many times its budget is left out, however much time there is."""
HANG_RATIO, HANG_S = 4.0, 15.0
"""While others wait, a case that says nothing is given up after so many times its share, and this for slow starts."""

WARM_UP_SAMPLES, WARM_UP_RATIO = 2, 0.3
"""A warm-up takes about as long as so many samples; only one where that takes more than this share of the budget."""
PROFILED_STEPS = 9
"""Of a profile: warm-up, timed without the profiler, then under it. Its loader and the profiler cost a third more."""
PROFILE_TIMES = 1.3


class TooLong(Record, frozen=True, kw_only=True):
    """Why a case is left out: seconds it needs, and seconds there are for it."""

    needed_s: float
    left_s: float


class Duration(Record, frozen=True, kw_only=True):
    """What a case is expected to take: with all its samples, and with the fewest it is content with."""

    whole_s: float
    least_s: float


def time_limit_s(suite: Suite, ready: Ready, promised_s: float | None = None) -> float:
    """Return how long measuring may last, the start of the measuring process included.

    Args:
        suite: The quick one is shorter where an accelerator does most of it.
        ready: What the worker can use.
        promised_s: What the user allows for everything, instead of the usual.
    """
    usual_s = FULL_S if suite == "full" else QUICK_ACCELERATOR_S if len(ready.devices) > 1 else QUICK_S
    beside_s = BESIDE_S["full" if suite == "full" else "quick"]
    return max((promised_s or usual_s) - beside_s, 1.0)


def fit(case: Case, later: Sequence[Case], left_s: float, measured: Sequence[Measurement]) -> Case | TooLong:
    """Return the case with the time it gets, or why it gets none.

    Args:
        case: As planned.
        later: What is still to come, in order.
        left_s: Until the suite must end; infinite where nothing limits it.
        measured: What the cases so far have shown.
    """
    waiting_s = sum(foreseen_s(one, measured) for one in later if rank(one) <= rank(case))
    allowed_s = _allowed_s(foreseen_s(case, measured), case.budget_s, waiting_s, left_s)
    expected = expected_duration(case, measured)
    least_s = LEAST_RATIO * case.budget_s if expected is None else expected.least_s
    if least_s > allowed_s:
        needed_s = case.budget_s if expected is None else expected.least_s
        return TooLong(needed_s=needed_s, left_s=max(allowed_s, 0.0))
    budget_s = min(_wanted_s(case, expected), allowed_s)
    stop_s = max(left_s - waiting_s, HANG_RATIO * allowed_s + HANG_S)
    return _resized(case, budget_s, min(case.timeout_s, stop_s, left_s))


def _wanted_s(case: Case, expected: Duration | None) -> float:
    """Return what a case would take if it could: a sweep goes on for as long as it may."""
    if case.program == "sweep":
        return math.inf
    return case.budget_s if expected is None else max(case.budget_s, expected.whole_s)


def _allowed_s(foreseen: float, budget_s: float, waiting_s: float, left_s: float) -> float:
    """Return what a case may take: all that others leave, within patience; else its share of what is too little."""
    spare_s = left_s - waiting_s
    if spare_s >= foreseen:
        return min(PATIENCE_RATIO * budget_s, spare_s)
    return left_s * foreseen / (foreseen + waiting_s)


def _resized(case: Case, budget_s: float, timeout_s: float) -> Case:
    options = dict(case.options)
    if "duration_s" in options:  # a long run is as long as its time
        options["duration_s"] = min(
            float(options["duration_s"]), float(options["duration_s"]) * budget_s / case.budget_s
        )
    return msgspec.structs.replace(case, budget_s=budget_s, timeout_s=timeout_s, options=options)


def foreseen_s(case: Case, measured: Sequence[Measurement]) -> float:
    """Return what to set aside for a case: its budget, or less where it is known to need less."""
    expected = expected_duration(case, measured)
    return case.budget_s if expected is None else min(case.budget_s, expected.whole_s)


def expected_duration(case: Case, measured: Sequence[Measurement]) -> Duration | None:
    """Return how long a product or a network will take at the best rate seen so far; None where that is unknown.

    The best, not the last: a disturbance in a small case must not cost the large ones.
    """
    rates = [
        m.case.flop_per_iteration / min(m.samples_s)
        for m in measured
        if m.case.flop_per_iteration is not None and _likeness(m.case) == _likeness(case)
    ]
    if not rates or case.flop_per_iteration is None:
        return None
    step_s = case.flop_per_iteration / max(rates)
    if case.program == "profile":
        return Duration(whole_s=PROFILED_STEPS * PROFILE_TIMES * step_s, least_s=PROFILED_STEPS * step_s)
    sample_s = max(step_s, case.sample_s)
    fewest = int(case.options.get("fewest_samples", case.min_samples))
    warm_up_s = step_s if step_s > WARM_UP_RATIO * case.budget_s else WARM_UP_SAMPLES * sample_s
    return Duration(
        whole_s=warm_up_s + case.min_samples * sample_s, least_s=min(warm_up_s, sample_s) + fewest * sample_s
    )


_PREDICTABLE = {"matmul": "matmul", "train": "train", "infer": "infer", "profile": "train"}
"""Programs whose time follows from their arithmetic and the rate of another program."""


def _likeness(case: Case) -> tuple[str, str, Precision, str, bool]:
    """Return what two cases must share for the rate of one to tell that of the other."""
    program = _PREDICTABLE.get(case.program, case.id)
    return program, case.device, case.precision, case.network, bool(case.options.get("channels_last"))


_ASKED = {JOB_PROGRAM, "data", FED_PROGRAM}
_FIRST = {CLASSES_PROGRAM, "bandwidth", "launch", "transfer", "input", "disk", "threads"}
_LAST = {"sustained", "xla_matmul", "xla_train"}
_LARGE_BATCH = 64


def rank(case: Case) -> int:
    """Return how much a case matters when time is short: -1 first, 2 last.

    The job that was asked, and its data, come before all. Then what the advice and the diagnosis rest on; then the
    articles' other networks, the profile and the sweep; last what varies them, such as other formats, layouts and
    batches that take minutes, and the long runs.
    """
    if case.program in _ASKED:
        return -1
    is_plain = case.precision == "fp32" and not case.options.get("channels_last")
    if case.program in _FIRST or (case.program == "matmul" and is_plain) or _is_main_network(case):
        return 0
    is_large = case.device == "cpu" and case.batch_size >= _LARGE_BATCH
    return 1 if is_plain and not is_large and case.program not in _LAST else 2


def _is_main_network(case: Case) -> bool:
    return case.program == "train" and case.network == "article_cnn"


def total_s(cases: Sequence[Case], measured: Sequence[Measurement], left_s: float = math.inf) -> float:
    """Return what cases will take together, never more than there is."""
    return min(sum(foreseen_s(case, measured) for case in cases), max(left_s, 0.0))
