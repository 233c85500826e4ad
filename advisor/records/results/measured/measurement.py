"""What the benchmark measured: samples first, summaries derived from them, and the conditions they were taken under.

Measurements come back from files, which are untrusted input: what others divide by or take the logarithm of has its
limits here, and is checked when a file is read.
"""

import math
from collections.abc import Collection
from typing import Annotated, Literal

import msgspec

from advisor.records.base import Bytes, Precision, Record, Whole
from advisor.records.hardware.telemetry import TelemetrySummary
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.job.prediction import Prediction, processor_ratio
from advisor.records.results.measured.profile import Profile

Seconds = Annotated[float, msgspec.Meta(ge=1e-12, le=1e9)]
"""Of what a clock has told, or what follows for a large job; a picosecond is less than any of them tells."""
Samples = Annotated[tuple[Seconds, ...], msgspec.Meta(min_length=1, max_length=10_000)]
Count = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
Span = Annotated[float, msgspec.Meta(ge=0, le=1e9)]
"""Seconds that may be none at all: a spread, a budget, the length of a run."""
Amount = Annotated[float, msgspec.Meta(ge=0, le=1e21)]
"""Of arithmetic or traffic, in all or in a second; some hundred times what the largest computer does in one."""
Detail = Annotated[float, msgspec.Meta(ge=-1e21, le=1e21)]

DISTURBED_RATIO = 0.05
"""A check during which others had less of the processor was quiet."""
UNTRUSTED_RATIO = 0.75
"""From so much of the processor in others' hands a measurement says little of the computer."""
CLASSES_PROGRAM = "work_classes"
"""Program of the case that measures small problems of each class of work."""
WAITED_DETAIL = "waited_ratio"
"""In a job's details: which share of their time the threads of the small product before it waited for each other."""
FIRST_TRY_DETAIL = "first_try_s"
"""In the details of a job that was measured again once others had left: what a step took beside them."""
DECODE_PROGRAM = "decode"
"""Program of the case that writes tokens with a small decoder."""

Suite = Literal["quick", "full", "none"]
FailureReason = Literal[
    "cancelled",
    "crashed",
    "does_not_fit",
    "garbage",
    "given_up",
    "hung",
    "killed",
    "missing_boosting",
    "missing_jax",
    "missing_torch",
    "no_time",
    "not_supported",
    "skipped",
    "error",
]
ConditionKind = Literal[
    "on_battery",
    "power_saver",
    "other_load",
    "stolen_time",
    "throttled",
    "few_free_cores",
    "memory_pressure",
    "unstable",
]


class Condition(Record, frozen=True, kw_only=True):
    """Something that spoils a measurement, with the number that shows it.

    Attributes:
        kind: What it is.
        value: The number, such as 0.43 for other load on 43 % of the cores; None where only its presence is known.
        unit: ``ratio``, ``bytes``, ``celsius``, ``hz``, ``cores`` or empty.
        when: Seen before or during the measurement.
    """

    kind: ConditionKind
    value: Detail | None = None
    unit: str = ""
    when: Literal["before", "during"] = "before"


class Case(Record, frozen=True, kw_only=True):
    """One thing to measure, as the plan asks the worker for it.

    Attributes:
        id: Unique in a plan, such as ``matmul/fp32/1024/cpu``.
        program: Which worker program runs it, such as ``matmul`` or ``train``.
        device: torch's name: ``cpu``, ``cuda:0``, ``mps``, ``xpu:0``.
        network: Network name for training and inference; empty for kernels.
        size: Characteristic size (matrix edge, image edge, sequence length).
        flop_per_iteration: Arithmetic of one iteration by formula; None where not defined.
        bytes_per_iteration: Bytes that must move at least once.
        min_samples: At least so many timed samples.
        sample_s: Aimed duration of one sample.
        budget_s: Expected duration of the whole case; the plan's sum of these is the suite's duration.
        timeout_s: After this the worker is stopped.
    """

    id: str
    program: str
    device: str = "cpu"
    precision: Precision = "fp32"
    network: str = ""
    batch_size: Count = 1
    size: Annotated[int, msgspec.Meta(ge=0, le=2**53)] = 0
    threads: Count | None = None
    flop_per_iteration: Amount | None = None
    bytes_per_iteration: Amount | None = None
    min_samples: int = 7
    sample_s: Span = 0.1
    budget_s: Span = 2.0
    timeout_s: Span = 60.0
    options: dict[str, str | Whole | float | bool] = {}


class Series(Record, frozen=True, kw_only=True):
    """How one number of a case goes with another, such as throughput with batch size or the rate with time.

    Attributes:
        x: What is varied, unit in the name, such as ``batch_size`` or ``time_s``.
        y: What follows, unit in the name, such as ``items_per_s``.
        points: Pairs (x, y), in order of measuring.
    """

    x: Annotated[str, msgspec.Meta(max_length=60)]
    y: Annotated[str, msgspec.Meta(max_length=60)]
    points: Annotated[tuple[tuple[Amount, Amount], ...], msgspec.Meta(max_length=2000)]


class Measurement(Record, frozen=True, kw_only=True):
    """The result of one case.

    Attributes:
        samples_s: Seconds per iteration, one entry a sample, in order.
        median_s: Median of the samples.
        iqr_s: Interquartile range of the samples.
        iterations_per_sample: Loop count inside one sample.
        items_per_iteration: Images, sequences or tokens done in one iteration.
        parameters: Trainable parameters of the network; None for kernels.
        flop_per_s: Rate at the median, from ``case.flop_per_iteration``.
        items_per_s: Rate at the median.
        peak_ratio: Share of the theoretical peak, where that is known.
        peak_memory_bytes: Highest memory of the device (accelerators) or of the worker (CPU) during the case.
        details: Further numbers of this case, unit in the name.
        series: Curves of this case.
        earlier_series: Those of an earlier check that others disturbed less, which are told in place of these.
        profile: Where the time of its steps went; of profile cases only.
        telemetry: What the sensors said from the beginning to the end of this case, warm-up included; None where
            nothing was watching.
        pace_s: What a small product that is always the same took on the processor just before this case.
    """

    case: Case
    samples_s: Samples
    median_s: Seconds
    iqr_s: Span
    iterations_per_sample: Count = 1
    items_per_iteration: Count = 1
    parameters: Count | None = None
    flop_per_s: Amount | None = None
    items_per_s: Amount | None = None
    peak_ratio: Amount | None = None
    peak_memory_bytes: Bytes | None = None
    conditions: tuple[Condition, ...] = ()
    details: dict[str, Detail] = {}
    series: tuple[Series, ...] = ()
    earlier_series: tuple[Series, ...] = ()
    profile: Profile | None = None
    telemetry: TelemetrySummary | None = None
    pace_s: Seconds | None = None


class CaseFailure(Record, frozen=True, kw_only=True):
    """A case without result, and why.

    Attributes:
        detail: What the system said, shortened, without paths of the user.
        needed_s: How long it would have taken, where that is why it was left out (``no_time``).
        left_s: How long it might have taken: its own part of the suite's time, or what was left of that.
        needed_bytes: Memory it takes, where that is why it was not even tried (``does_not_fit``).
        left_bytes: Memory it might have taken: a share of what was free.
    """

    case: Case
    reason: FailureReason
    detail: str = ""
    needed_s: Detail | None = None
    left_s: Detail | None = None
    needed_bytes: Bytes | None = None
    left_bytes: Bytes | None = None


class Benchmark(Record, frozen=True, kw_only=True):
    """A whole run of a suite.

    Attributes:
        started_at: ISO 8601 in UTC.
        wall_s: Duration of the run.
        limit_s: What it might last at most; None where nothing limited it.
        environment: Names and versions that matter to the numbers, such as ``{"torch": "2.13.0+cpu", "threads": "2"}``.
        worker_lingers: A measuring process could not be ended, even by killing it, and may still hold a device.
    """

    suite: Suite
    started_at: str
    wall_s: Span
    limit_s: Span | None = None
    measurements: tuple[Measurement, ...] = ()
    failures: tuple[CaseFailure, ...] = ()
    conditions: tuple[Condition, ...] = ()
    environment: dict[str, str] = {}
    worker_lingers: bool = False

    @property
    def load_ratio(self) -> float:
        """Share of the processor that others took, on average over everything that was measured."""
        return load_ratio(self.measurements)

    def taken_ratio(self, cases: Collection[str]) -> float:
        """Return the share of the processor that others took while cases were measured: of several, the median.

        Of one in whose place an earlier check is told, nothing.

        Args:
            cases: Their ids; 0.0 where none of them was measured here.
        """
        from statistics import median  # predictions load these records too

        told = [one for one in self.measurements if one.case.id in cases]
        return median([0.0 if is_told_by_earlier(one) else _taken_ratio(one.conditions) for one in told] or [0.0])

    def disturbed_ratio(self, cases: Collection[str]) -> float:
        """Return the share of the processor that others seem to have had while cases were measured.

        It is more than what they took where the job's step felt more of them: threads that wait for each other lose a
        time slice at each of a step's operations to a program that has one of their cores. What the job's threads felt
        counts for tests that nobody asked it of: 23 % were taken of a product that took 240 times as long.
        """
        taken = self.taken_ratio(cases)
        if taken < DISTURBED_RATIO:
            return taken
        asked = [one for one in self.measurements if one.case.id in cases and one.case.program == JOB_PROGRAM]
        waited = [one.details.get(WAITED_DETAIL, 0.0) for one in asked or self.measurements]
        return max([taken, *(1.0 - math.sqrt(1.0 - min(max(ratio, 0.0), 1.0)) for ratio in waited)])

    def slowed_times(self, cases: Collection[str]) -> float:
        """Return how many times as long others made a step of the job than an earlier check, which is told, measured.

        1.0 where they did not, or none that was quiet is known; of several cases, the most.
        """
        jobs = (one for one in self.measurements if one.case.id in cases and one.case.program == JOB_PROGRAM)
        return max((one.median_s / undisturbed_s(one) for one in jobs if one.median_s > 0), default=1.0)

    def lost_ratio(self, prediction: Prediction, *, on_card: bool, counts_waiting: bool = True) -> float:
        """Return which share of its time a step that rests on this may have lost to others, at most.

        A card computes on beside them: what the processor decides of its step is all that they can take. The time of
        an earlier check that nothing disturbed, which is told in place of this one's, lost nothing.

        Args:
            prediction: With the ids of the cases it rests on.
            on_card: It is the time of a card.
            counts_waiting: Also what its threads may have waited for each other, as if the step did nothing else.
        """
        cases = prediction.basis_detail
        if self.slowed_times(cases) > 1.0:
            return 0.0
        lost = most_lost_ratio(self.disturbed_ratio(cases) if counts_waiting else self.taken_ratio(cases))
        return lost * processor_ratio(prediction, on_card=on_card)

    def is_told_by_earlier(self, cases: Collection[str]) -> bool:
        """Whether what an earlier check measured is told in place of one of these cases, the job's own test aside."""
        return any(one.case.id in cases and is_told_by_earlier(one) for one in self.measurements)

    def leaves_too_little(self, cases: Collection[str]) -> bool:
        """Whether others took so much, of the whole check or of these cases, that no time of the processor holds.

        The job itself may have been measured later, without them: then what was in the way before says nothing of it.
        Nor does it of what an earlier check is asked for.
        """
        told = [one for one in self.measurements if one.case.id in cases]
        if self.slowed_times(cases) > 1.0 or (told and all(map(is_told_by_earlier, told))):
            return False
        by_job = {one.case.program == JOB_PROGRAM for one in told} == {True}
        return max(0.0 if by_job else self.load_ratio, self.disturbed_ratio(cases)) >= UNTRUSTED_RATIO


def most_lost_ratio(taken_ratio: float) -> float:
    """Return which share of its time a step on the processor may have lost where others had a share of it, at most.

    Its threads divide each operation and wait for the one whose core others have, so that what is left is used as badly
    again: on two cores of which others had 58 to 67 %, a small network took 4.5 times as long, not 2.4 to 3 times.
    """
    return 1.0 - (1.0 - taken_ratio) ** 2


def quiet_earlier_s(one: Measurement) -> float | None:
    """Return what a job's step took in an earlier check with the same torch that nothing disturbed; None: unknown.

    Beside one that others slowed, an earlier one that they slowed less is the quiet one.
    """
    earlier_s, taken_ratio = (one.details.get(f"earlier_{name}", 0.0) for name in ("s", "taken_ratio"))
    is_quiet = taken_ratio < max(DISTURBED_RATIO, load_ratio((one,)))
    return earlier_s if earlier_s > 0 and is_quiet and not one.details.get("earlier_other_torch") else None


def is_slowed(one: Measurement) -> bool:
    """Return whether other programs had a part of the processor that was measured; a card computes on beside them."""
    return one.case.device == "cpu" and load_ratio((one,)) >= DISTURBED_RATIO


def undisturbed_s(one: Measurement) -> float:
    """Return what a job's step takes without others: of one they slowed, what an earlier check measured if it was less.

    Others never make a computer faster, so of two checks the quiet one tells more of a run than the disturbed one.
    """
    earlier_s = quiet_earlier_s(one) if is_slowed(one) else None
    return one.median_s if earlier_s is None else min(earlier_s, one.median_s)


def is_told_by_earlier(one: Measurement) -> bool:
    """Return whether what an earlier check measured is told in place of a test that is not the job's own."""
    is_quicker = undisturbed_s(one) < one.median_s
    return one.case.program != JOB_PROGRAM and (bool(one.earlier_series) or is_quicker)


def load_ratio(measurements: Collection[Measurement]) -> float:
    """Return the share of the processor that others took, on average over measurements; 0.0 of none."""
    return sum(_taken_ratio(one.conditions) for one in measurements) / max(len(measurements), 1)


def _taken_ratio(conditions: Collection[Condition]) -> float:
    """Return what other programs, or the host for other machines, took of the processor."""
    return max([one.value or 0.0 for one in conditions if one.kind in ("other_load", "stolen_time")], default=0.0)
