"""What is being measured: the state of every case, and the rates of matrix products as lines."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from advisor.gui.models.planned_tests import disturbed_count_sentence, together
from advisor.gui.models.progress import fastest_of, samples_a_second
from advisor.locale import Language
from advisor.records.events import (
    BenchmarkPlanned,
    CaseFailed,
    CaseFinished,
    CaseStarted,
    Event,
    ProgramsNamed,
    SampleTaken,
)
from advisor.records.job.asked_job import JOB_PROGRAM
from advisor.records.job.workload import Workload
from advisor.records.results.measured.measurement import (
    DISTURBED_RATIO,
    UNTRUSTED_RATIO,
    Benchmark,
    Case,
    CaseFailure,
    Condition,
    FailureReason,
    Measurement,
    is_slowed,
    load_ratio,
)
from advisor.report.provenance.measurements import of_failure, of_measurement
from advisor.report.provenance.record import Provenance
from advisor.report.words import quantities
from advisor.report.words.cases import (
    case_title,
    device_phrase,
    device_title,
    disturbed_marks,
    marked,
    measurement_phrase,
    worked_out_phrase,
)
from advisor.report.words.problems import (
    FAILURES,
    again_sentence,
    condition_sentence,
    failure_sentence,
    load_average,
    load_sentence,
    mostly_sentence,
)

_SEVERAL = 3
_LESS_IS_WORSE = frozenset({"few_free_cores", "memory_pressure", "on_battery"})
_FEW_DECADES, _NARROW_DECADES = 1.7, 0.7


@dataclass(frozen=True, kw_only=True)
class RateLine:
    """Rates of matrix products on one device at one precision: (size, FLOP/s), by size.

    Attributes:
        disturbed: Sizes whose test others disturbed.
    """

    name: str
    device: str
    precision: str
    points: tuple[tuple[int, float], ...]
    disturbed: frozenset[int] = frozenset()


@dataclass(frozen=True, kw_only=True)
class CaseRow:
    """One case in words.

    Attributes:
        state: ``waiting``, ``running``, ``done`` or ``failed``.
        result: The result; without one, the state in words.
        reason: Why there is none, as ``CaseFailure.reason``; empty where nothing failed.
    """

    title: str
    state: str
    result: str
    spread: str
    remark: str
    reason: str = ""


class MeasureModel:
    """Fold a session's events into rows and lines.

    Attributes:
        version: Grows whenever a case begins or ends, not with every sample.
        benchmark: The finished run; None while one runs and before the first.
        programs: Names of the other programs that used the processor meanwhile; shown, and kept nowhere.
    """

    def __init__(self) -> None:
        self.version = 0
        self.benchmark: Benchmark | None = None
        self.programs: tuple[str, ...] = ()
        self._named: Benchmark | None = None
        self._cases: list[Case] = []
        self._ends: dict[str, Measurement | CaseFailure] = {}
        self._running: str | None = None
        self._samples = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing was planned yet."""
        return not self._cases

    @property
    def has_results(self) -> bool:
        """Whether any test came to a result."""
        return bool(self._measured())

    def clear(self) -> None:
        """Forget everything, for a new run."""
        self._cases, self._ends, self._running = [], {}, None
        self.benchmark = None
        self.programs, self._named = (), None
        self.version += 1

    def handle_event(self, event: Event) -> None:
        """Account for one event."""
        match event:
            case BenchmarkPlanned(cases=cases):
                self._cases = together(cases)
            case CaseStarted(case=case):
                self._running, self._samples = case.id, 0
            case SampleTaken():
                self._samples += 1
                return
            case CaseFinished(measurement=measurement):
                self._on_case_ended(measurement)
            case CaseFailed(failure=failure):
                self._on_case_ended(failure)
            case ProgramsNamed(programs=programs):
                self.programs = programs
            case _:
                return
        self.version += 1

    def show(self, benchmark: Benchmark) -> None:
        """Take a finished run, the first after a check being that check's own."""
        self.benchmark = benchmark
        self._named = self._named or (benchmark if self.programs else None)
        ends: list[Measurement | CaseFailure] = [*benchmark.measurements, *benchmark.failures]
        self._running = None
        self._ends = {end.case.id: end for end in ends}
        known = {case.id for case in self._cases}
        self._cases = [case for case in self._cases if case.id in self._ends]
        self._cases = together([*self._cases, *(end.case for end in ends if end.case.id not in known)])
        self.version += 1

    def job_sentence(self, workload: Workload | None, language: Language) -> tuple[str, Provenance | None]:
        """Return how fast the job of the question ran, in plain words, and where that comes from; empty: it did not."""
        best = fastest_of(self._measured(), workload)
        if best is None or workload is None:
            return "", None
        text = language.gettext("This computer trains on about {samples} a second, on {place}.")
        if is_slowed(best):
            text = language.gettext(
                "With other programs running, this computer trained on about {samples} a second, on {place}."
            )
        samples, place = samples_a_second(best, workload, language), device_phrase(best.case.device, language)
        started_at = "" if self.benchmark is None else self.benchmark.started_at
        return text.format(samples=samples, place=place), of_measurement(best, started_at, language)

    def use_sentence(self, workload: Workload | None, language: Language) -> str:
        """Return what becomes of the measurements, and what is left to do where others took too much meanwhile."""
        if self._is_left_aside(workload):
            return language.gettext(
                "The Advice page does not use these measurements, because other programs had the processor at the"
                " time: it works this computer's time out from specifications. Close those programs and measure "
                "again."
            )
        if self.benchmark is not None and self.benchmark.slowed_times({one.case.id for one in self._measured()}) > 1.0:
            return language.gettext(
                "Other programs slowed your job, so the answer on the Advice page goes by an earlier check."
            )
        if self.benchmark is not None and self.benchmark.leaves_too_little(()):
            return language.gettext(
                "The Advice page uses these measurements. Close other programs and measure again: under such a load "
                "they say little about this computer."
            )
        return language.gettext("The Advice page uses these measurements; there is nothing more to do here.")

    def _is_left_aside(self, workload: Workload | None) -> bool:
        """Return whether others had so much of what the job's time would rest on that the answer does without it."""
        if self.benchmark is None:
            return False
        best = fastest_of(self._measured(), workload)
        cases = {one.case.id for one in self._measured() if best is None or one is best}
        is_on_card = best is not None and best.case.device != "cpu"
        return not is_on_card and self.benchmark.taken_ratio(cases) >= UNTRUSTED_RATIO

    def programs_of(self, benchmark: Benchmark | None) -> tuple[str, ...]:
        """Return the names of the other programs where they were seen during this very run."""
        return self.programs if benchmark is not None and benchmark is self._named else ()

    def profiled(self) -> Case | None:
        """Return a case of the finished run that the profiler looked at; None where there is none."""
        ends = self.benchmark.measurements if self.benchmark is not None else ()
        return next((end.case for end in ends if end.profile is not None), None)

    def stop(self) -> None:
        """Account for a run that ended early: nothing runs any more."""
        self._running = None
        if self._named is None:
            self.programs = ()  # seen during a run that nobody will ask about
        self.version += 1

    def _on_case_ended(self, end: Measurement | CaseFailure) -> None:
        if end.case.id not in {case.id for case in self._cases}:
            self._cases.append(end.case)
        self._ends[end.case.id] = end
        self._running = None

    def running_row(self, language: Language) -> CaseRow | None:
        """Return the case that runs; None while none does."""
        return next((self._row(case, language) for case in self._cases if case.id == self._running), None)

    def rows(self, language: Language) -> tuple[CaseRow, ...]:
        """Return every case in the order of the plan; after the check without what is then said of all of them."""
        common = frozenset() if self.benchmark is None else self._common_kinds()
        return tuple(self._row(case, language, common) for case in self._cases)

    def disturbance(self, programs: Sequence[str], language: Language) -> str:
        """Return what was in the way of most tests, each once: others on average, the rest at its worst; or nothing.

        Args:
            programs: Names of other programs that used the processor meanwhile, as far as they were seen.
            language: Of the sentences.
        """
        worst = self._worst_conditions()
        load = next((one for one in worst if one.kind == "other_load" and one.value is not None), None)
        said = self._of_others(programs, language) if programs or load is not None else []
        counted = {"other_load", "few_free_cores"} if load is not None else set()
        rest = " ".join(condition_sentence(one, language) for one in worst if one.kind not in counted)
        if rest:
            said.append(language.gettext("At the worst moment: {conditions}").format(conditions=rest))
        return " ".join(filter(None, (*said, disturbed_count_sentence(self._measured(), language))))

    def _of_others(self, programs: Sequence[str], language: Language) -> list[str]:
        """Return what others took, as the answer says it: of the job's test where they disturbed that, else on average.

        It said "8% on average" of a check in which they had had 56 % during the job's own test.
        """
        share = load_ratio(self._measured())
        jobs = {one.case.id for one in self._measured() if one.case.program == JOB_PROGRAM}
        if self.benchmark is None or self.benchmark.taken_ratio(jobs) < DISTURBED_RATIO:
            return [load_average(share, programs, language)] if share >= DISTURBED_RATIO else []
        is_untrusted = self.benchmark.leaves_too_little(jobs)
        said = load_sentence(self.benchmark, jobs, language, is_untrusted=is_untrusted)
        return [said, mostly_sentence(programs, language)] if programs else [said]

    def _worst_conditions(self) -> list[Condition]:
        """Return what was in the way of most tests, each as it was at its worst."""
        seen = [condition for end in self._measured() for condition in end.conditions]
        worst = []
        for kind in sorted(self._common_kinds()):
            found = [one for one in seen if one.kind == kind]
            numbers = [one for one in found if isinstance(one.value, float)]
            pick = min if kind in _LESS_IS_WORSE else max
            worst.append(pick(numbers, key=lambda one: float(one.value or 0)) if numbers else found[0])
        return worst

    def _measured(self) -> list[Measurement]:
        return [end for end in self._ends.values() if isinstance(end, Measurement)]

    def _common_kinds(self) -> frozenset[str]:
        """Return what was in the way of at least half of the tests, three or more: it is said once, not of each."""
        measured = self._measured()
        kinds = Counter(kind for end in measured for kind in {one.kind for one in end.conditions} - {"unstable"})
        return frozenset(kind for kind, count in kinds.items() if count >= max(_SEVERAL, len(measured) / 2))

    def _row(self, case: Case, language: Language, common: frozenset[str] = frozenset()) -> CaseRow:
        _ = language.gettext
        end = self._ends.get(case.id)
        title = case_title(case, language)
        if case.id == self._running and not self._samples:
            return CaseRow(title=title, state="running", result=_("running"), spread="", remark="")
        if case.id == self._running:
            text = language.ngettext("running, {n} sample so far", "running, {n} samples so far", self._samples)
            return CaseRow(title=title, state="running", result=text.format(n=self._samples), spread="", remark="")
        if isinstance(end, Measurement):
            spread = end.iqr_s / end.median_s / 2 if end.median_s > 0 else 0.0
            passed = common | {"unstable"}  # the spread beside it says that
            said = [condition_sentence(one, language) for one in end.conditions if one.kind not in passed]
            worked_out = worked_out_phrase(end, language) if end.case.program == JOB_PROGRAM else ""
            result = measurement_phrase(end, language).removesuffix(f"; {worked_out}")
            return CaseRow(
                title=title,
                state="done",
                result=marked(result, end, language),
                spread=quantities.scatter(spread, language, 1) if len(end.samples_s) > 1 else _("once"),
                remark=" ".join(
                    filter(
                        None,
                        (
                            worked_out and f"{_capital(worked_out)}.",
                            again_sentence(end, language),
                            self._apart(case, language),
                            *said,
                        ),
                    )
                ),
            )
        if isinstance(end, CaseFailure):
            reason = failure_sentence(end, language)
            return CaseRow(
                title=title, state="failed", result=_("no result"), spread="", remark=reason, reason=end.reason
            )
        return CaseRow(title=title, state="waiting", result=_("waiting"), spread="", remark="")

    def _apart(self, case: Case, language: Language) -> str:
        """Return how the step of the job differs from the test of the same network; empty where there is none."""
        twins = (one for one in self._cases if one.program == "train")
        if case.program != JOB_PROGRAM or (case.network, case.device) not in {
            (one.network, one.device) for one in twins
        }:
            return ""
        return language.gettext(
            "Uses your settings; “Training” of the same network uses fixed ones, so that computers can be compared."
        )

    def origin(self, row: int, language: Language) -> Provenance | None:
        """Return where the result of a case comes from; None while it has none."""
        started_at = "" if self.benchmark is None else self.benchmark.started_at
        match self._ends.get(self._cases[row].id):
            case Measurement() as measurement:
                return of_measurement(measurement, started_at, language)
            case CaseFailure() as failure:
                return of_failure(failure, started_at, language)
            case _:
                return None

    def rate_origin(self, line: RateLine, size: int, language: Language) -> Provenance | None:
        """Return where a rate of the chart comes from; None where that size was not measured."""
        wanted = (line.device, line.precision, size)
        products = ((row, case) for row, case in enumerate(self._cases) if case.program == "matmul")
        found = (row for row, case in products if (case.device, case.precision, case.size) == wanted)
        row = next(found, None)
        return None if row is None else self.origin(row, language)

    def lines(self, language: Language) -> tuple[RateLine, ...]:
        """Return the lines of matrix products measured so far, fastest first."""
        found: dict[tuple[str, str], list[tuple[int, float]]] = {}
        disturbed: dict[tuple[str, str], set[int]] = {}
        for end in self._ends.values():
            if isinstance(end, Measurement) and end.case.program == "matmul" and end.flop_per_s and end.case.size > 0:
                key = end.case.device, end.case.precision
                found.setdefault(key, []).append((end.case.size, end.flop_per_s))
                if is_slowed(end):
                    disturbed.setdefault(key, set()).add(end.case.size)
        lines = [
            RateLine(
                name=f"{device_title(device, language)}, {precision}",
                device=device,
                precision=precision,
                points=tuple(sorted(points)),
                disturbed=frozenset(disturbed.get((device, precision), ())),
            )
            for (device, precision), points in found.items()
        ]
        return tuple(sorted(lines, key=lambda line: -line.points[-1][1]))


def with_notes(
    rows: tuple[CaseRow, ...], language: Language, *, is_checking: bool = False
) -> tuple[list[tuple[str, ...]], tuple[int, ...]]:
    """Return the table's rows, and to which case each belongs.

    A remark stands in a row of its own below its case; one that holds for several in a row, below the last of them.
    After a check those that failed for the same reason are told in one row at the end.
    """
    failed = Counter(row.reason for row in rows if row.reason and not is_checking)
    folded = [reason for reason, count in failed.items() if count > 1]
    shown = [(place, row) for place, row in enumerate(rows) if row.reason not in folded]
    cells: list[tuple[str, ...]] = []
    places: list[int] = []
    alike = 0
    for position, (place, row) in enumerate(shown):
        cells.append(cells_of(row))
        places.append(place)
        alike += 1
        if row.remark and position + 1 < len(shown) and shown[position + 1][1].remark == row.remark:
            continue
        if row.remark:
            text = row.remark if alike == 1 else language.gettext("The last {n} tests: {remark}")
            cells.append((text.format(n=language.number(alike), remark=row.remark), "", ""))
            places.append(place)
        alike = 0
    for reason in folded:
        places += [next(place for place, row in enumerate(rows) if row.reason == reason)] * 2
        cells += _folded([row for row in rows if row.reason == reason], language, is_first=not cells)
    return cells, tuple(places)


def cells_of(row: CaseRow) -> tuple[str, ...]:
    """Return the cells of a case."""
    return row.title, row.result, row.spread


def _folded(rows: list[CaseRow], language: Language, *, is_first: bool) -> list[tuple[str, ...]]:
    """Return one row for tests that failed for the same reason, and which they were."""
    _ = language.gettext
    text = language.ngettext("{n} more test", "{n} more tests", len(rows))
    if is_first:
        text = language.ngettext("{n} test", "{n} tests", len(rows))
    count = text.format(n=language.number(len(rows)))
    why = _capital(_(FAILURES[cast("FailureReason", rows[0].reason)]))
    names = "; ".join(row.title for row in rows[:_SEVERAL])
    text = _("{why}. They were: {names}.") if len(rows) <= _SEVERAL else _("{why}. Among them: {names}.")
    return [(count, _("no result"), ""), (text.format(why=why, names=names), "", "")]


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def case_header(language: Language) -> tuple[str, ...]:
    """Return the titles of the columns of cases."""
    _ = language.gettext
    return _("Test"), _("Result"), _("Spread")


def sizes_of(lines: tuple[RateLine, ...]) -> tuple[int, ...]:
    """Return every size that a line has a point at, smallest first."""
    return tuple(sorted({size for line in lines for size, _rate in line.points}))


def rate_table(lines: tuple[RateLine, ...], language: Language) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return header and rows of the table with the chart's numbers: one row a size, one column a line."""
    sizes = sizes_of(lines)
    header = (language.gettext("Matrix size"), *(line.name for line in lines))
    rows = ((language.number(size), *(_rate_text(line, size, language) for line in lines)) for size in sizes)
    return header, tuple(rows)


def _rate_text(line: RateLine, size: int, language: Language) -> str:
    rate = dict(line.points).get(size)
    if rate is None:
        return "–"
    return f"{'⚠ ' * (size in line.disturbed)}{quantities.flop_rate(rate, language)}"


def disturbed_rates_sentence(lines: tuple[RateLine, ...], language: Language) -> str:
    """Return what the marks of the chart mean where others disturbed a test of it; empty: they disturbed none."""
    return disturbed_marks(language) if any(line.disturbed for line in lines) else ""


def rate_ticks(lines: tuple[RateLine, ...], language: Language) -> list[tuple[float, str]]:
    """Return positions (decimal logarithm of FLOP/s) and words of the rate axis: powers of ten, finer where few."""
    rates = [rate for line in lines for _size, rate in line.points]
    low, high = math.log10(min(rates)), math.log10(max(rates))
    first, last = math.floor(low), math.ceil(high)
    steps: tuple[float, ...] = (1, 2, 5) if high - low < _FEW_DECADES else (1,)
    if high - low < _NARROW_DECADES:
        steps = (1, 1.5, 2, 3, 4, 5, 6, 8)
    values = [10.0**power * step for power in range(first, last + 1) for step in steps]
    return [(math.log10(value), language.significant(value / 1e9, 2)) for value in values if value <= 10.0**last]


def size_ticks(lines: tuple[RateLine, ...], language: Language) -> list[tuple[float, str]]:
    """Return positions (decimal logarithm of the size) and words of the size axis."""
    return [(math.log10(size), language.number(size)) for size in sizes_of(lines)]
