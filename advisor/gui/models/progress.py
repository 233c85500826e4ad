"""A running session in words: what is being done, how far it is, how long still, and the results so far."""

import math
from collections.abc import Callable, Iterable

from advisor.gui.models.planned_tests import PlannedTest, disturbed_count_sentence, left_out_sentence, planned_tests
from advisor.locale import Language
from advisor.records.events import (
    BenchmarkFinished,
    BenchmarkPlanned,
    CaseFailed,
    CaseFinished,
    CaseStarted,
    Event,
    StepStarted,
    WorkerStartsSlowly,
)
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import UNTRUSTED_RATIO, Case, CaseFailure, Measurement, load_ratio
from advisor.units import MINUTE_S

_LONG_S = 120
_NOTED_LOAD = 0.1
"""Share of the processor from which others make a pace seem slow."""


class ProgressModel:
    """Fold a session's events into what the window says; ``clock`` counts seconds.

    Attributes:
        version: Grows whenever the tests stand otherwise than before, not with every second.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._step: str = "probe"
        self._planned: tuple[Case, ...] = ()
        self._planned_s = 0.0
        self._remaining_s = 0.0
        self._remaining_at = clock()
        self._running: Case | None = None
        self._ends: list[Measurement | CaseFailure] = []
        self._furthest = 0.0
        self.version = 0

    def handle_event(self, event: Event) -> None:
        """Account for one event."""
        match event:
            case StepStarted(step=step):
                self._step, self._running = step, None
            case WorkerStartsSlowly():
                self._step = "start"
            case BenchmarkPlanned(cases=cases, budget_s=budget_s):
                self._step, self._planned = "benchmark", cases
                self._planned_s = budget_s
                self._expect(budget_s)
            case CaseStarted(case=case, remaining_s=remaining_s):
                self._running = case
                self._expect(remaining_s)
            case CaseFinished(measurement=measurement):
                self._on_case_ended(measurement)
            case CaseFailed(failure=failure):
                self._on_case_ended(failure)
            case BenchmarkFinished():
                self._running = None
                self._expect(0.0)
            case _:
                return
        self.version += 1

    def _on_case_ended(self, end: Measurement | CaseFailure) -> None:
        # A job that others disturbed is measured once more: what that says takes the place of the first.
        self._ends = [one for one in self._ends if one.case.id != end.case.id] + [end]
        self._expect(self.remaining_s)
        self._running = None

    def _expect(self, remaining_s: float) -> None:
        self._remaining_s, self._remaining_at = remaining_s, self._clock()

    @property
    def remaining_s(self) -> float:
        """Seconds still to go, counted down while a test runs: a pause between two has no end yet."""
        passed_s = 0.0 if self._running is None else self._clock() - self._remaining_at
        return max(0.0, self._remaining_s - passed_s)

    @property
    def fraction(self) -> float | None:
        """Share of the measuring done, 0 to 1; None while nothing is planned yet.

        It stands still where more is left than was thought, and never goes back.
        """
        if not self._planned or self._planned_s <= 0:
            return None
        if self._step not in {"probe", "start", "benchmark"}:
            return 1.0
        self._furthest = max(self._furthest, min(1.0, 1.0 - self.remaining_s / self._planned_s))
        return self._furthest

    @property
    def is_long(self) -> bool:
        """Whether the check takes so long that nobody gives it up by a slip."""
        return self._planned_s > _LONG_S

    @property
    def is_measuring(self) -> bool:
        """Whether a test runs just now."""
        return self._running is not None

    @property
    def finished_count(self) -> int:
        """Cases that ended, with or without result; what was given up with the check, or had no time, is not done."""
        return sum(not _has_reason(end, "cancelled", "no_time") for end in self._ends)

    @property
    def planned_count(self) -> int:
        """Cases that were planned."""
        return len(self._planned)

    def sentence(self, language: Language) -> str:
        """Return what is being done now, in plain words."""
        _ = language.gettext
        if self._running is not None:
            doing = doing_phrase(self._running, language)
            seconds = round(self.remaining_s)
            if seconds < 1:
                return _("{doing}, almost done").format(doing=doing)
            if seconds > _LONG_S:
                minutes = language.number(math.ceil(seconds / MINUTE_S))
                return _("{doing}, {minutes} min left").format(doing=doing, minutes=minutes)
            return _("{doing}, {seconds} s left").format(doing=doing, seconds=language.number(seconds))
        texts = {
            "probe": _("Looking at this computer"),
            "start": _("Still starting PyTorch"),
            "benchmark": _("Preparing the next test") if self._ends else _("Preparing the first test"),
            "predict": _("Working out times on other hardware"),
            "recommend": _("Comparing the options"),
            "report": _("Writing the answer"),
        }
        return texts[self._step]

    def doing(self, language: Language) -> str:
        """Return which test runs, without the time it takes; empty while none does."""
        return "" if self._running is None else doing_phrase(self._running, language)

    def pace(self, workload: Workload | None, language: Language) -> str:
        """Return what the training of the job's own network says so far, in plain words; empty: none has ended."""
        best = fastest_of(self._ends, workload)
        if best is None or workload is None:
            return ""
        from advisor.report.words.cases import device_phrase
        from advisor.report.words.quantities import duration

        text = language.gettext(
            "So far: about {samples} a second on {place}. At this pace one training takes {time}; "
            "loading the data may add to it."
        )
        said = text.format(
            samples=samples_a_second(best, workload, language),
            place=device_phrase(best.case.device, language),
            time=duration(workload.total_samples / (best.items_per_s or 1.0), language),
        )
        return " ".join(filter(None, (said, _load_beside(best, language))))

    def count_sentence(self, language: Language) -> str:
        """Return which test of how many it is at, so that nothing is "0 done" while the bar is far on; empty: no plan.

        What was left out for want of time is said as soon as it is, and so is what was disturbed.
        """
        _ = language.gettext
        if not self._planned:
            return ""
        ended = {end.case.id for end in self._ends}
        place = next((n for n, case in enumerate(self._planned, 1) if self._is_at(case, ended)), None)
        count = language.number(len(self._planned))
        said = _("{done} of {all} tests done").format(done=language.number(self.finished_count), all=count)
        if place is not None:
            from advisor.report.words.cases import case_title

            title = case_title(self._planned[place - 1], language)
            said = _("Test {n} of {all}: {test}").format(n=language.number(place), all=count, test=title)
        said = _("{tests} · nothing leaves this computer").format(tests=said)
        counted = left_out_sentence(self._ends, language), disturbed_count_sentence(self._ends, language)
        return " ".join(filter(None, (f"{said}.", *counted)))

    def _is_at(self, case: Case, ended: set[str]) -> bool:
        """Return whether a case is the one that runs, or is next while none does."""
        return case.id not in ended if self._running is None else case.id == self._running.id

    def tests(self, language: Language) -> tuple[PlannedTest, ...]:
        """Return every planned test with how it stands, in the order of the plan."""
        running = "" if self._running is None else self._running.id
        ends = {end.case.id: end for end in self._ends if not _has_reason(end, "cancelled")}
        return planned_tests(self._planned, ends, running, language)


def fastest_of(ends: Iterable[Measurement | CaseFailure], workload: Workload | None) -> Measurement | None:
    """Return the fastest training of a job's own network, of the job itself where that was measured; None: of none."""
    found = [one for one in ends if isinstance(one, Measurement) and _is_of(one.case, workload) and one.items_per_s]
    if workload is None or not found:
        return None
    return max(
        found,
        key=lambda one: (one.case.batch_size == workload.batch_size, one.case.program == JOB_PROGRAM, one.items_per_s),
    )


def _load_beside(one: Measurement, language: Language) -> str:
    """Return what others took meanwhile: the answer may come to another time than this pace."""
    share = load_ratio([one])
    if share < _NOTED_LOAD:
        return ""
    text = language.gettext("Other programs take {share} of the processor meanwhile; without them it may be far less.")
    if share < UNTRUSTED_RATIO:
        text = language.gettext("Other programs take {share} of the processor meanwhile; without them it may be less.")
    return text.format(share=language.percent(share))


def samples_a_second(best: Measurement, workload: Workload, language: Language) -> str:
    """Return how many of the job's samples a second, such as "16 photos"."""
    from advisor.report.words.samples import sample_noun

    rate = best.items_per_s or 0.0
    return sample_noun(workload, language, max(2, round(rate))).format(n=language.significant(rate, 2))


def _is_of(case: Case, workload: Workload | None) -> bool:
    return workload is not None and case.program in ("train", JOB_PROGRAM) and case.network == workload.network


def _has_reason(end: Measurement | CaseFailure, *reasons: str) -> bool:
    return isinstance(end, CaseFailure) and end.reason in reasons


def doing_phrase(case: Case, language: Language) -> str:
    """Return what a case does as something being done."""
    _ = language.gettext
    from advisor.report.words.cases import device_phrase

    place = device_phrase(case.device, language)
    if case.program == "matmul":
        return _("Multiplying matrices on {place}").format(place=place)
    if case.program == "train":
        return _("Training a network on {place}").format(place=place)
    if case.program == "infer":
        return _("Using a trained network on {place}").format(place=place)
    return _("Testing {place}").format(place=place)
